"""Where a player says by what to be told: below the personal link, on the page and for the page's script."""

import json
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from notices.channels import mail_is_set_up, public_key
from notices.wanting import agree_to_mail, is_mail_address, refuse_mail, subscribe, unsubscribe, wants_mail
from rulebook.errors import RuleBroken
from teams.models import Seat
from tournaments.pages.personal import personal

MOST_BYTES = 4096


@require_safe
@personal
def notices(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """What I am told and how, and the two buttons that change it."""
    context = {
        "token": token,
        "seat": seat,
        "tournament": seat.tournament,
        "mail_is_set_up": mail_is_set_up(),
        "has_address": is_mail_address(seat.player.contact),
        "wants_mail": wants_mail(seat),
        "public_key": public_key(),
    }
    return render(request, "phone/notices.html", context)


@require_POST
@personal
def mail(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """E-mails are on or off."""
    if request.POST.get("wanted") == "1":
        agree_to_mail(seat_id=seat.pk, language=get_language() or "en")
        messages.success(request, _("You get e-mails of this tournament."))
    else:
        refuse_mail(seat_id=seat.pk)
        messages.success(request, _("You get no e-mails of this tournament."))
    return redirect("me-notices", token)


@require_POST
@personal
def push(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """This browser is subscribed (a subscription as browsers write it), or with `"ends": true` no more."""
    try:
        told = _read(request)
        if told.get("ends"):
            unsubscribe(seat_id=seat.pk, endpoint=told["endpoint"])
        else:
            keys = told["keys"]
            subscribe(
                seat_id=seat.pk,
                endpoint=told["endpoint"],
                p256dh=keys["p256dh"],
                auth=keys["auth"],
                language=get_language() or "en",
            )
    except RuleBroken as broken:
        return JsonResponse({"error": broken.sentence}, status=409)
    except (KeyError, TypeError, ValueError):
        return JsonResponse({"error": _("The browser's keys could not be read; try again.")}, status=400)
    return JsonResponse({"ok": True})


def _read(request: HttpRequest) -> dict[str, Any]:
    if len(request.body) > MOST_BYTES:
        raise ValueError("too long")
    told = json.loads(request.body)
    if not isinstance(told, dict) or not isinstance(told.get("endpoint"), str):
        raise TypeError("no subscription")
    return told


urlpatterns = [
    path("me/<str:token>/notices", notices, name="me-notices"),
    path("me/<str:token>/notices/mail", mail, name="me-notices-mail"),
    path("me/<str:token>/notices/push", push, name="me-notices-push"),
]
