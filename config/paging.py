"""How the API turns the pages of a long list."""

import re
from typing import Any

from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

SIZE = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)
PLACE = re.compile(r"[0-9]{1,18}", re.ASCII)


class Cursor(CursorPagination):
    """Pages by cursor, oldest id first."""

    ordering = "id"
    invalid_cursor_message = "This cursor is of no page of the list; start again without it."
    page_size_query_param = "page_size"
    max_page_size = 500

    def get_page_size(self, request: Request) -> int | None:
        """As many as are asked for, at most `max_page_size`; 400 for what is no number."""
        given = request.query_params.getlist(self.page_size_query_param)
        if given and not (len(given) == 1 and SIZE.fullmatch(given[0])):
            raise ValidationError({self.page_size_query_param: "Enter a whole number from 1."})
        return super().get_page_size(request)

    def decode_cursor(self, request: Request) -> Any:
        """The place in the list; 404 for a cursor that nobody was given."""
        found = super().decode_cursor(request)
        if found is not None and not PLACE.fullmatch(str(found.position or 0)):
            raise NotFound(self.invalid_cursor_message)
        return found

    def get_paginated_response(self, data: Any) -> Response:
        """The page, with the ones before and after it in the Link header too."""
        response = super().get_paginated_response(data)
        links = [("next", response.data["next"]), ("prev", response.data["previous"])]
        told = ", ".join(f'<{url}>; rel="{word}"' for word, url in links if url)
        if told:
            response["Link"] = told
        return response
