"""Error pages that need no database; JSON below /api/."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Any = None) -> HttpResponse:
    return _page(
        request, 400, "client_error", "bad_request", "The request could not be read; go back and try again."
    )


def forbidden(request: HttpRequest, exception: Any = None) -> HttpResponse:
    return _page(
        request,
        403,
        "client_error",
        "permission_denied",
        "Your role does not include this; ask an organizer.",
    )


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that did not come from a page of ours, or whose page lost its cookie."""
    return _page(
        request,
        403,
        "client_error",
        "csrf_failed",
        "This form was not sent from a fresh page of ours. Go back, load the page again and repeat it.",
    )


def not_found(request: HttpRequest, exception: Any = None) -> HttpResponse:
    return _page(request, 404, "client_error", "not_found", "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    return _page(
        request, 500, "server_error", "error", "Something broke on our side. Nothing was saved; try again."
    )


def _page(request: HttpRequest, status: int, kind: str, code: str, sentence: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return answer(status, kind, code, sentence)
    return render(request, "error.html", {"status": status, "sentence": sentence}, status=status)


def answer(status: int, kind: str, code: str, sentence: str) -> JsonResponse:
    """An error in the API's one shape."""
    return JsonResponse(
        {"type": kind, "errors": [{"code": code, "detail": sentence, "attr": None}]}, status=status
    )
