"""Addresses below /api/v1/ at which something is only read. The others stand with their deeds in
`integrations.api.urls`."""

from django.urls import path

from tournaments.api import rules, views

urlpatterns = [
    path("tournaments/<slug:slug>/standings/", views.Standings.as_view(), name="api-standings"),
    path("rounds/<int:pk>/", views.RoundDetail.as_view(), name="api-round"),
    path("rounds/<int:pk>/pairings/", views.PairingList.as_view(), name="api-pairing-list"),
    path("matches/<int:pk>/setup-sheet/", rules.SheetOfMatch.as_view(), name="api-setup-sheet"),
    path("rules/topics/", rules.TopicList.as_view(), name="api-topic-list"),
    path("rules/questions/", rules.QuestionList.as_view(), name="api-question-list"),
    path("rules/answers/<slug:key>/", rules.AnswerOf.as_view(), name="api-answer"),
    path("rules/topics/<slug:key>/", rules.TopicDetail.as_view(), name="api-topic"),
    path("me/", views.Me.as_view(), name="api-me"),
]
