"""Addresses of the rules desk and of one table."""

from django.urls import URLPattern, path

from tournaments.pages import brings, rules

urlpatterns: list[URLPattern] = [
    path("rules/", rules.rules_desk, name="rules"),
    path("rules/ask/<slug:key>/", rules.ask, name="ask"),
    path("rules/<slug:key>/", rules.topic, name="topic"),
    path("me/<str:token>/brings", brings.brings, name="me-brings"),
    path("t/<slug:slug>/tables/<int:match_id>/", rules.table_page, name="table"),
]
