"""The API's document: made once in a process, for it is the same for everybody."""

from functools import cache
from typing import Any, cast

from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request


class Document(SpectacularAPIView):
    """The document as YAML or JSON."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **words: Any) -> Any:
        """As the caller asks for it, by `Accept` or `?format=json`."""
        renderer = request.accepted_renderer
        answer = HttpResponse(_rendered(cast(Any, type(renderer))), content_type=str(renderer.media_type))
        answer["Content-Disposition"] = f'inline; filename="tandem.{renderer.format}"'
        return answer


@cache
def _document() -> Any:
    with translation.override("en"):
        return SchemaGenerator().get_schema(request=None, public=True)


@cache
def _rendered(renderer: Any) -> Any:
    return renderer().render(_document())
