"""Addresses below /api/."""

from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from config.api_document import Document
from config.schema import SessionLoginScheme

# Known to the document's generator as soon as it is defined.
__all__ = ["SessionLoginScheme", "urlpatterns"]

urlpatterns = [
    path("v1/", include("integrations.api.urls")),
    path("v1/", include("tournaments.api.urls")),
    path("schema/", Document.as_view(), name="api-schema"),
    # The split view keeps its script in a file of its own, which the content policy asks for.
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
]
