"""Where people sit: the drafting groups and the tables of the hall, for the public and the desk."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rulebook.lifecycle import RoundState
from rulebook.modes import mode_of
from rulebook.pairing.tables import place_of, rows_of_tables
from teams.models import Team
from teams.selectors import TeamCard, team_cards
from tournaments.drafting import groups_of, is_draft_round, seat_draft, seats_of
from tournaments.drawing import hall_of
from tournaments.featuring import feature_match
from tournaments.models import Round
from tournaments.pages.asked import Asked, DeskDeed, own_match
from tournaments.pages.conditional import by_version
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.scenes import Scene, name_of, public_scene
from tournaments.pages.seating_plan import map_of
from tournaments.pages.sheets import Sheet
from tournaments.staff import Can


@require_safe
@by_version
def map_page(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Where each table of the newest published round stands."""
    scene = public_scene(slug)
    shown = scene.shown_round
    return render(
        request,
        "public/map.html",
        {
            "scene": scene,
            "tournament": scene.tournament,
            "version": version,
            "tab": "pairings",
            "shown": shown,
            "shown_name": name_of(shown) if shown else "",
            **_map(request, scene, shown),
        },
    )


@require_safe
@staff_page()
def desk_map(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Where each table of the round at the desk stands, a draft included."""
    scene = desk.scene()
    rnd = scene.last_round
    return desk_page(
        request,
        "desk/map.html",
        desk,
        tab="desk",
        scene=scene,
        rnd=rnd,
        shown_name=name_of(rnd) if rnd else "",
        **_map(request, scene, rnd),
    )


@require_safe
@by_version
def draft_page(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The drafting groups with everybody's seat; 404 before they are drawn."""
    scene = public_scene(slug)
    groups = _groups(scene)
    if not groups:
        raise Http404
    shown = scene.shown_round
    return render(
        request,
        "public/draft.html",
        {
            "scene": scene,
            "tournament": scene.tournament,
            "version": version,
            "tab": "pairings",
            "shown": shown,
            "shown_name": name_of(shown) if shown else "",
            "groups": groups,
        },
    )


def draft_words(rnd: Round | None) -> dict[int, str]:
    """Group and seat of each team in a round inside the drafting groups; empty for any other."""
    if rnd is None or not is_draft_round(rnd.stage, rnd.number):
        return {}
    return {team: f"Draft {at.group}, seat {at.seat}" for team, at in seats_of(rnd.stage).items()}


def _map(request: HttpRequest, scene: Scene, rnd: Round | None) -> dict[str, Any]:
    sheet = sheet_of(rnd, scene.labels) if rnd and rnd.state != RoundState.SCRAPPED else Sheet((), ())
    matches = {row.table: row for row in sheet.tables if row.table}
    tournament = scene.tournament
    rows = rows_of_tables(matches, tournament.tables_in_a_row, hall_of(tournament.hall))
    asked = request.GET.get("table", "").strip()
    wanted = int(asked) if asked.isdecimal() and len(asked) < 8 else None
    boards = mode_of(tournament.mode).boards
    return {
        "map": map_of(rows, matches, boards, wanted=wanted, feature=tournament.feature_table),
        "asked": asked,
        "wanted": wanted,
        "place": place_of(wanted, rows) if wanted else None,
    }


def _groups(scene: Scene) -> list[list[tuple[int, TeamCard]]]:
    groups = groups_of(scene.swiss) if scene.swiss else ()
    teams = Team.objects.filter(pk__in=[team for group in groups for team in group])
    cards = team_cards(list(teams), scene.labels)
    return [[(seat, cards[team]) for seat, team in enumerate(group, 1) if team in cards] for group in groups]


def _seat_draft(desk: Desk, asked: Asked) -> str:
    stage = seat_draft(tournament_id=desk.tournament.pk, actor=desk.actor)
    count = len(groups_of(stage))
    return f"{count} drafting group{'s are' if count > 1 else ' is'} seated. Everybody sees where to sit."


def _feature(desk: Desk, asked: Asked) -> str:
    match = feature_match(match_id=own_match(desk, asked).pk, actor=desk.actor)
    return f"The match is played at the feature table {match.table}."


HALL_MAP_DEEDS: Mapping[str, DeskDeed] = {
    "seat-draft": DeskDeed(Can.PAIR, _seat_draft),
    "feature": DeskDeed(Can.PAIR, _feature),
}
