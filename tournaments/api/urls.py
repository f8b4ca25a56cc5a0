"""Addresses below /api/v1/."""

from django.urls import path

from tournaments.api import rules, views

urlpatterns = [
    path("tournaments/", views.TournamentList.as_view(), name="api-tournament-list"),
    path("tournaments/<slug:slug>/", views.TournamentDetail.as_view(), name="api-tournament"),
    path("tournaments/<slug:slug>/teams/", views.TeamList.as_view(), name="api-team-list"),
    path("tournaments/<slug:slug>/rounds/", views.RoundList.as_view(), name="api-round-list"),
    path("tournaments/<slug:slug>/standings/", views.Standings.as_view(), name="api-standings"),
    path("rounds/<int:pk>/", views.RoundDetail.as_view(), name="api-round"),
    path("rounds/<int:pk>/pairings/", views.PairingList.as_view(), name="api-pairing-list"),
    path("matches/<int:pk>/games/", rules.GamesOfMatch.as_view(), name="api-games"),
    path("matches/<int:pk>/setup-sheet/", rules.SheetOfMatch.as_view(), name="api-setup-sheet"),
    path("rules/topics/", rules.TopicList.as_view(), name="api-topic-list"),
    path("rules/questions/", rules.QuestionList.as_view(), name="api-question-list"),
    path("rules/answers/<slug:key>/", rules.AnswerOf.as_view(), name="api-answer"),
    path("rules/topics/<slug:key>/", rules.TopicDetail.as_view(), name="api-topic"),
    path("me/", views.Me.as_view(), name="api-me"),
]
