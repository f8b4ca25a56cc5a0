"""/healthz: the process answers. /readyz: it can do its work."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
