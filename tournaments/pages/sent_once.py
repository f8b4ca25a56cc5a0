"""A form that carries the id of its deed acts once, however often a weak network makes a phone send it."""

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.messages import constants
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils.translation import gettext as _

from integrations.once import Answered, KeyReused, Request, answer_once
from rulebook.errors import RuleBroken
from teams.models import Seat

DEED = re.compile(r"[-\w]{8,64}", re.ASCII)
NOT_THE_DEED = ("csrfmiddlewaretoken", "deed")


class _NothingDone(Exception):
    """The form was answered by a page of its own, e.g. with what is wrong in it: it may be sent again."""

    def __init__(self, response: HttpResponse) -> None:
        self.response = response


def deed_of(request: HttpRequest) -> str:
    """The id that the form carries; empty when it has none."""
    given = request.POST.get("deed", "") if request.method == "POST" else ""
    return given if DEED.fullmatch(given) else ""


def sent_once(request: HttpRequest, seat: Seat, act: Callable[[], HttpResponse]) -> HttpResponse:
    """What `act` answers; sent again with the same id, the first answer with the same messages.

    A refused form leaves no trace, so the same id may be sent until it counts.
    """
    deed = deed_of(request)
    if not deed or request.resolver_match is None:
        return act()
    said = [(name, request.POST.getlist(name)) for name in sorted(request.POST) if name not in NOT_THE_DEED]
    asked = Request(f"seat:{seat.pk}", deed, "POST", request.resolver_match.view_name, said)
    try:
        done = answer_once(asked, lambda: _kept(request, act()))
    except _NothingDone as nothing:
        return nothing.response
    except KeyReused:
        raise RuleBroken(
            "sent-already", _("Something else was sent from this page before. Look at it and tap again.")
        ) from None
    if done.replayed:
        for level, text in done.answer["said"]:
            messages.add_message(request, level, text)
    return HttpResponseRedirect(done.answer["to"])


def _kept(request: HttpRequest, response: HttpResponse) -> Answered:
    if not isinstance(response, HttpResponseRedirect):
        raise _NothingDone(response)
    queued: list[Any] = getattr(messages.get_messages(request), "_queued_messages", [])
    said = [(message.level, str(message.message)) for message in queued]
    return Answered(response.status_code, {"to": response.url, "said": said})


def wants_json(request: HttpRequest) -> bool:
    """A script of the page sent the form and reads the answer."""
    return request.method == "POST" and request.headers.get("Accept", "").startswith("application/json")


def told_in_json(
    request: HttpRequest, response: HttpResponse | None = None, *, status: int = 0, said: str = ""
) -> HttpResponse:
    """The outcome of a form for the script that sent it: whether it counts, and the sentence to show."""
    if response is not None and not isinstance(response, HttpResponseRedirect):
        return response  # an answer for scripts already, or a page that shows what is wrong
    told = list(messages.get_messages(request)) if response is not None else []
    is_refused = bool(status) or any(message.level >= constants.ERROR for message in told)
    words = said or " ".join(str(message.message) for message in told)
    answer = JsonResponse(
        {"ok": not is_refused, "said": words}, status=status or (409 if is_refused else 200)
    )
    answer["Cache-Control"] = "no-store"
    return answer
