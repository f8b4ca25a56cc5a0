"""How the API turns the pages of a long list."""

from rest_framework.pagination import CursorPagination


class Cursor(CursorPagination):
    """Pages by cursor, oldest id first."""

    ordering = "id"
    page_size_query_param = "page_size"
    max_page_size = 500
