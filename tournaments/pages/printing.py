"""Paper: pairings, slips, standings, bracket, sign-up sheet, name tags, personal codes; as page or PDF."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST, require_safe

from journal.clock import now
from teams.links import make_link, token_of
from teams.models import Link, Team
from teams.selectors import Member, TeamCard, team_cards
from tournaments.models import Round
from tournaments.pages.brackets import bracket_of
from tournaments.pages.bundles import written_pdf
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.paper import (
    HOW_TO_GET_PDF,
    PAPERS,
    SLIPS_A_PAGE,
    SLIPS_OF_PODS,
    NoPdf,
    bracket_pages,
    html_of,
    in_cut_order,
    pdf_library,
    pdf_of,
    qr,
)
from tournaments.pages.ranking import ranking_of
from tournaments.pages.scenes import Scene, name_of
from tournaments.pages.sheets import TableRow, people_of
from tournaments.staff import Can

A4 = "a4"  # of the bundle
OUT = (Team.State.WITHDRAWN, Team.State.DROPPED, Team.State.DISQUALIFIED)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asked to be printed."""

    request: HttpRequest
    desk: Desk
    scene: Scene
    rnd: Round | None


Content = Callable[[Wanted], dict[str, Any]]


@require_safe
@staff_page()
def print_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Everything that can be printed or taken along as a file."""
    scene = desk.scene()
    return desk_page(
        request,
        "desk/print.html",
        desk,
        tab="print",
        scene=scene,
        rounds=[(rnd, name_of(rnd)) for rnd in reversed(scene.rounds)],
        last=scene.last_round,
        papers=PAPERS,
        has_pdf=pdf_library() is not None,
        no_pdf=HOW_TO_GET_PDF,
    )


@require_safe
@staff_page()
def sheet_page(request: HttpRequest, desk: Desk, what: str) -> HttpResponse:
    """One thing on paper; `paper` is a4 or letter, `as` is page or pdf."""
    content = CONTENTS.get(what)
    if content is None:
        raise Http404
    scene = desk.scene()
    wanted = Wanted(request, desk, scene, _round(request, scene))
    if request.GET.get("as") == "pdf" and wanted.rnd and request.GET.get("paper", A4) == A4:
        written = written_pdf(wanted.rnd, what)
        if written is not None:
            return _pdf(desk, what, written)
    return _paper(request.GET, desk, scene, what, content(wanted), wanted.rnd)


@require_POST
@staff_page(Can.REGISTER)
def codes_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Everybody's personal code on a slip of its own; who had no link that works has one now."""
    scene = desk.scene()
    tokens = _tokens(desk, scene)
    slips = [
        (card, member, qr(request.build_absolute_uri(reverse("me", args=[tokens[member.seat_id]]))))
        for card in _cards(scene)
        for member in card.members
        if member.seat_id in tokens
    ]
    response = _paper(request.POST, desk, scene, "codes", {"pages": in_cut_order(slips, 10)}, None)
    patch_cache_control(response, no_store=True)
    return response


def _paper(
    asked: Mapping[str, str],
    desk: Desk,
    scene: Scene,
    what: str,
    content: dict[str, Any],
    rnd: Round | None,
) -> HttpResponse:
    paper = asked.get("paper", "a4")
    context = {
        "tournament": desk.tournament,
        "scene": scene,
        "rnd": rnd,
        "round_name": name_of(rnd) if rnd else "",
        "paper": paper if paper in PAPERS else "a4",
        "as_of": now(),
        **content,
    }
    html = html_of(what, context)
    if asked.get("as") != "pdf":
        return HttpResponse(html)
    try:
        body = pdf_of(html)
    except NoPdf:
        return HttpResponse(HOW_TO_GET_PDF, status=501, content_type="text/plain; charset=utf-8")
    return _pdf(desk, what, body)


def _pdf(desk: Desk, what: str, body: bytes) -> HttpResponse:
    name = f"{desk.tournament.slug}-{what}.pdf"
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return HttpResponse(body, content_type="application/pdf", headers=headers)


def _round(request: HttpRequest, scene: Scene) -> Round | None:
    asked = request.GET.get("round", "")
    found = next((rnd for rnd in scene.rounds if str(rnd.pk) == asked), None) if asked else scene.last_round
    if asked and found is None:
        raise Http404
    return found


def _needed(wanted: Wanted) -> Round:
    if wanted.rnd is None:
        raise Http404("No round is paired yet.")
    return wanted.rnd


def _pairings(wanted: Wanted) -> dict[str, Any]:
    return {"sheet": sheet_of(_needed(wanted), wanted.scene.labels)}


def _names(wanted: Wanted) -> dict[str, Any]:
    return {"people": people_of(sheet_of(_needed(wanted), wanted.scene.labels))}


def _slips(wanted: Wanted) -> dict[str, Any]:
    tables = sheet_of(_needed(wanted), wanted.scene.labels).tables
    has_pods = any(len(row.sides) > 2 for row in tables)
    return slip_pages(tables, SLIPS_OF_PODS if has_pods else SLIPS_A_PAGE)


def slip_pages(tables: tuple[TableRow, ...], a_page: int) -> dict[str, Any]:
    """The slips of a round, laid so that the cut pile is in table order."""
    return {"pages": in_cut_order(tables, a_page), "a_page": a_page}


def _standings(wanted: Wanted) -> dict[str, Any]:
    return {"ranking": ranking_of(wanted.scene, for_staff=True)}


def _bracket(wanted: Wanted) -> dict[str, Any]:
    if wanted.scene.bracket is None:
        raise Http404
    columns = bracket_of(wanted.scene, wanted.scene.bracket)
    return {"pages": bracket_pages(columns), "is_wide": True}


def _sign_up(wanted: Wanted) -> dict[str, Any]:
    tournament = wanted.desk.tournament
    page = "sign-up" if tournament.signs_up else "tournament"
    address = wanted.request.build_absolute_uri(reverse(page, args=[tournament.slug]))
    return {"address": address, "code": qr(address), "lines": range(18)}


def _tags(wanted: Wanted) -> dict[str, Any]:
    people = [(card, member) for card in _cards(wanted.scene) for member in card.members]
    return {"pages": in_cut_order(people, 10)}


def _cards(scene: Scene) -> list[TeamCard]:
    teams = Team.objects.filter(tournament=scene.tournament).exclude(state__in=OUT).order_by("number")
    return list(team_cards(list(teams), scene.labels).values())


def _tokens(desk: Desk, scene: Scene) -> dict[int, str]:
    """A working token for each seat that is played from: the newest one, else a new one."""
    members: list[Member] = [member for card in _cards(scene) for member in card.members]
    links = Link.objects.filter(seat__in=[m.seat_id for m in members], revoked_at=None, expires_at=None)
    known = {link.seat_id: token_of(link) for link in links.order_by("pk")}
    for member in members:
        if member.seat_id not in known:
            known[member.seat_id] = make_link(seat_id=member.seat_id, actor=desk.actor)
    return known


CONTENTS: Mapping[str, Content] = {
    "pairings": _pairings,
    "names": _names,
    "slips": _slips,
    "standings": _standings,
    "bracket": _bracket,
    "sign-up": _sign_up,
    "tags": _tags,
}
