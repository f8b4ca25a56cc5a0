"""How the API turns the pages of a long list."""

from typing import Any

from rest_framework.pagination import CursorPagination
from rest_framework.response import Response


class Cursor(CursorPagination):
    """Pages by cursor, oldest id first."""

    ordering = "id"
    page_size_query_param = "page_size"
    max_page_size = 500

    def get_paginated_response(self, data: Any) -> Response:
        """The page, with the ones before and after it in the Link header too."""
        response = super().get_paginated_response(data)
        links = [("next", response.data["next"]), ("prev", response.data["previous"])]
        told = ", ".join(f'<{url}>; rel="{word}"' for word, url in links if url)
        if told:
            response["Link"] = told
        return response
