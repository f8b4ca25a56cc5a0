"""The public sign-up: a form, what one sees once afterwards, and the links that confirm or invite."""

import logging
from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from journal.actors import ANYBODY
from journal.recording import version_of
from notices.channels import NotSent, mail_is_set_up, send_mail
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState, TournamentState
from teams.links import make_link, token_of
from teams.models import Link, Seat, Team
from teams.selectors import team_cards
from tournaments import signing_up
from tournaments.models import SignUp, Tournament
from tournaments.pages.scenes import Scene, public_scene, scene_of
from tournaments.pages.throttle import WINDOW_S, is_flood
from tournaments.registration import places_taken
from tournaments.signing_up import CONFIRM, INVITE, Person, behind, confirm_sign_up, take_seat

log = logging.getLogger(__name__)
BOTH, ONE, SOLO = "both", "one", "solo"
KEPT = "signed_up"  # in the session: whose links are shown once
TRAP = "website"  # a field nobody sees; what fills it in is no person


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sign_up_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The form of an open sign-up; posted, the team is in, or the form keeps everything and says why not."""
    scene = public_scene(slug)
    tournament = scene.tournament
    asked = request.POST if request.method == "POST" else request.GET
    how = asked.get("how", BOTH) if len(scene.labels) > 1 else BOTH
    how = how if how in (BOTH, ONE, SOLO) else BOTH
    if request.method != "POST":
        return _form(request, scene, how)
    if is_flood(request, f"sign-up:{tournament.pk}"):
        words = _("Many entries came from your network just now. Try again in ten minutes, or at the desk.")
        response = _form(request, scene, how, error=words, status=429)
        response["Retry-After"] = str(WINDOW_S)
        return response
    if request.POST.get(TRAP):
        return redirect("sign-up-done", slug)
    try:
        entered = _signed_up(request, scene, how)
    except RuleBroken as broken:
        label = str(broken.facts.get("label", ""))
        return _form(request, scene, how, error=broken.sentence, marked=label, status=409)
    if entered.is_pending:
        is_sent = _send(request, entered)
        request.session[KEPT] = {"team": entered.team_id, "seats": [], "is_sent": is_sent}
    else:
        _keep(request, entered.team, entered.team.seats.filter(is_live=True))
    return redirect("sign-up-done", slug)


@require_safe
@never_cache
def done(request: HttpRequest, slug: str) -> HttpResponse:
    """What became of the entry; personal links are shown this once."""
    scene = public_scene(slug)
    kept = request.session.pop(KEPT, None)
    if not kept:
        return _told(request, scene, "public/signed_up.html", {"is_over": True})
    team = Team.objects.filter(tournament=scene.tournament, pk=kept["team"]).first()
    if team is None:
        raise Http404
    card = team_cards([team], scene.labels)[team.pk]
    newest = {link.seat_id: link for link in Link.objects.filter(seat__in=kept["seats"], revoked_at=None)}
    links = [
        (member, request.build_absolute_uri(reverse("me", args=[token_of(newest[member.seat_id])])))
        for member in card.members
        if member.seat_id in newest
    ]
    entered = SignUp.objects.filter(team=team).first()
    invites = entered is not None and links and not card.is_complete and not team.is_solo
    context = {
        "team": team,
        "card": card,
        "links": links,
        "is_pending": entered is not None and entered.is_pending,
        "held_until": entered.held_until if entered else None,
        "is_sent": kept.get("is_sent", True),
        "waits": team.state == TeamState.WAITLISTED,
        "invitation": _link(request, entered, INVITE) if invites and entered else "",
    }
    return _told(request, scene, "public/signed_up.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def link_page(request: HttpRequest, token: str) -> HttpResponse:
    """A link from the mail confirms, one from the partner invites; both act only when posted."""
    try:
        return _confirming(request, token)
    except RuleBroken as broken:
        if broken.code != "link-dead":
            return _private(_dead(request, broken, 409))
    try:
        return _private(_joining(request, token))
    except RuleBroken as broken:
        return _private(_dead(request, broken, 404))


def _confirming(request: HttpRequest, token: str) -> HttpResponse:
    entered = behind(token, CONFIRM)
    scene = scene_of(entered.tournament)
    if request.method == "POST":
        was_pending = entered.is_pending
        confirm_sign_up(token=token)
        if was_pending:
            _keep(request, entered.team, entered.team.seats.filter(is_live=True))
        return redirect("sign-up-done", entered.tournament.slug)
    card = team_cards([entered.team], scene.labels)[entered.team_id]
    context = {"card": card, "entered": entered, "is_gone": entered.released_at is not None}
    return _private(_told(request, scene, "public/confirm.html", context))


def _joining(request: HttpRequest, token: str) -> HttpResponse:
    entered = behind(token, INVITE)
    scene = scene_of(entered.tournament)
    card = team_cards([entered.team], scene.labels)[entered.team_id]
    taken = {member.label for member in card.members}
    free = [label for label in scene.labels if label not in taken]
    error, status, marked = "", 200 if free or request.method != "POST" else 409, False
    label = request.POST.get("seat", "") if len(free) > 1 else next(iter(free), "")
    if request.method == "POST" and free:
        if is_flood(request, f"sign-up:{entered.tournament_id}"):
            raise RuleBroken("flood", _("Too many entries came from your network. Try again in ten minutes."))
        try:
            person = Person(request.POST.get("name", ""), request.POST.get("mark", ""))
            seat = take_seat(token=token, label=label, person=person)
            _keep(request, entered.team, [seat])
            return redirect("sign-up-done", entered.tournament.slug)
        except RuleBroken as broken:
            error, status, marked = broken.sentence, 409, broken.code == "name-entered"
    context = {
        "card": card,
        "free": free,
        "seat": label,
        "error": error,
        "marked": marked or bool(request.POST.get("mark")),
        "typed": request.POST,
    }
    return _told(request, scene, "public/join.html", context, status=status)


def _signed_up(request: HttpRequest, scene: Scene, how: str) -> SignUp:
    labels = scene.labels if how == BOTH else (request.POST.get("seat", ""),)
    fields = [(label, label if how == BOTH else "me") for label in labels]
    people = {
        label: Person(request.POST.get(f"name_{field}", ""), request.POST.get(f"mark_{field}", ""))
        for label, field in fields
    }
    email = request.POST.get("email", "").strip() if mail_is_set_up() else ""
    if mail_is_set_up():
        try:
            validate_email(email)
        except ValidationError as error:
            raise RuleBroken("wrong-email", _("Enter an e-mail address that can be confirmed.")) from error
    return signing_up.sign_up(
        tournament_id=scene.tournament.pk,
        people=people,
        team_name=request.POST.get("team", "") if how != SOLO else "",
        email=email,
        is_solo=how == SOLO,
        language=get_language() or "en",
    )


def _form(
    request: HttpRequest, scene: Scene, how: str, *, error: str = "", marked: str = "", status: int = 200
) -> HttpResponse:
    tournament, typed = scene.tournament, request.POST
    fields = list(scene.labels) if how == BOTH else ["me"]
    at = marked if how == BOTH else "me" if marked else ""
    is_open = tournament.state == TournamentState.REGISTRATION and tournament.signs_up
    taken = places_taken(tournament) if is_open and tournament.capacity else 0
    context = {
        "how": how,
        "people": [
            (
                field,
                typed.get(f"name_{field}", ""),
                typed.get(f"mark_{field}", ""),
                field == at or bool(typed.get(f"mark_{field}")),
            )
            for field in fields
        ],
        "typed": typed,
        "seat": typed.get("seat", scene.labels[0]),
        "error": error,
        "is_open": is_open,
        "taken": taken,
        "is_full": bool(tournament.capacity) and taken >= (tournament.capacity or 0),
        "has_mail": mail_is_set_up(),
        "trap": TRAP,
    }
    return _told(request, scene, "public/sign_up.html", context, status=status)


def _told(
    request: HttpRequest, scene: Scene, template: str, context: dict[str, object], status: int = 200
) -> HttpResponse:
    tournament: Tournament = scene.tournament
    base = {
        "scene": scene,
        "tournament": tournament,
        "version": version_of(tournament.pk),
        "tab": "sign-up",
        "shown": scene.shown_round,
    }
    return render(request, template, {**base, **context}, status=status)


def _dead(request: HttpRequest, broken: RuleBroken, status: int) -> HttpResponse:
    return render(request, "error.html", {"status": status, "sentence": broken.sentence}, status=status)


def _private(response: HttpResponse) -> HttpResponse:
    """The address of a link is told to no other site and no search engine."""
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response


def _keep(request: HttpRequest, team: Team, seats: Iterable[Seat]) -> None:
    """Each of the seats has a personal link, which the next page shows."""
    ids = [seat.pk for seat in seats]
    for seat in ids:
        make_link(seat_id=seat, actor=ANYBODY)
    request.session[KEPT] = {"team": team.pk, "seats": ids}


def _link(request: HttpRequest, entered: SignUp, purpose: str) -> str:
    token = signing_up.token_of(entered, purpose)
    return request.build_absolute_uri(reverse("sign-up-link", args=[token]))


def _send(request: HttpRequest, entered: SignUp) -> bool:
    """The mail that asks for the confirmation is on its way."""
    tournament = entered.tournament
    lines = (
        _("You signed up for %(name)s. Open this page to confirm it:") % {"name": tournament.name},
        _link(request, entered, CONFIRM),
        _("The place is held for %(hours)s hours. If it was not you, do nothing.")
        % {"hours": tournament.hold_hours},
    )
    subject = _("Confirm your entry: %(name)s") % {"name": tournament.name}
    try:
        send_mail(entered.email, subject, "\n\n".join(lines))
    except NotSent as error:
        log.error("the mail of sign-up %s was not sent: %s", entered.pk, error)
        return False
    return True
