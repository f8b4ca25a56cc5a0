"""The journal as a timeline: who did what, when, through which door; of all or of one team, table, player."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from journal.actors import Door
from journal.models import Deed
from matches.models import Side
from teams.models import Seat, Team
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.undo_deeds import undoable_rows
from tournaments.pages.words import told

JOURNAL_PAGE = 100
SORTS: Mapping[str, tuple[str, ...]] = {
    "Rounds": ("Round", "Time", "Clock", "Plan", "Publish", "Start", "Repair", "Draft", "Standings", "Cut"),
    "Results": ("Match", "Confirm", "Game", "Subgame", "Opening", "Starter", "SetUp"),
    "Teams": ("Team", "Seat", "CheckIn", "Bye", "Link", "Player"),
    "Penalties and judges": ("Penalty", "Judge", "Call", "DeckCheck", "Extension", "TableTime"),
    "Tournament and staff": ("Tournament", "Registration", "Staff", "Invitation", "Announce", "Step", "Data"),
}


@require_safe
@staff_page()
def journal(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The deeds that were asked for, newest first, each with its undo where it can be undone."""
    scene, asked = desk.scene(), request.GET
    chosen = {key: asked.get(key, "") for key in ("sort", "door", "team", "match", "player")}
    deeds = _narrowed(Deed.objects.filter(tournament=desk.tournament), desk, chosen).order_by("-number")
    before = asked.get("before", "")
    if before.isdecimal() and len(before) < 18:
        deeds = deeds.filter(number__lt=int(before))
    rows = list(deeds[: JOURNAL_PAGE + 1])
    shown = told(desk.tournament, rows[:JOURNAL_PAGE], scene.labels)
    ways = undoable_rows(desk, scene, rows[:JOURNAL_PAGE])
    kept = urlencode({key: value for key, value in chosen.items() if value})
    teams = Team.objects.filter(tournament=desk.tournament).order_by("number")
    return desk_page(
        request,
        "desk/journal.html",
        desk,
        tab="journal",
        scene=scene,
        told=[(deed, ways.get(deed.number)) for deed in shown],
        older=shown[-1].number if len(rows) > JOURNAL_PAGE else None,
        chosen=chosen,
        kept=kept,
        sorts=list(SORTS),
        doors=[door.value for door in Door],
        team_number=teams.filter(pk=_number(chosen["team"])).values_list("number", flat=True).first()
        if chosen["team"]
        else None,
        here=request.get_full_path(),
    )


def _narrowed(deeds: QuerySet[Deed], desk: Desk, chosen: Mapping[str, str]) -> QuerySet[Deed]:
    """Only deeds of the sort, through the door, about the team, table or player that was chosen."""
    if chosen["sort"] in SORTS:
        starts = Q()
        for word in SORTS[chosen["sort"]]:
            starts |= Q(kind__startswith=word)
        deeds = deeds.filter(starts)
    if chosen["door"] in set(Door):
        deeds = deeds.filter(door=chosen["door"])
    if chosen["match"]:
        deeds = deeds.filter(subject=f"match:{_number(chosen['match'])}")
    if chosen["team"]:
        deeds = deeds.filter(_about_teams(desk, [_number(chosen["team"])]))
    if chosen["player"]:
        player = _number(chosen["player"])
        own = Seat.objects.filter(tournament=desk.tournament, player=player)
        about = _about_teams(desk, list(own.values_list("team", flat=True)))
        deeds = deeds.filter(about | Q(subject=f"player:{player}"))
    return deeds


def _about_teams(desk: Desk, teams: list[int]) -> Q:
    """What was done to the teams, at their tables, or by their members."""
    sides = Side.objects.filter(team__in=teams, match__tournament=desk.tournament)
    seats = Seat.objects.filter(team__in=teams, tournament=desk.tournament)
    subjects = [f"team:{pk}" for pk in teams]
    subjects += [f"match:{pk}" for pk in sides.values_list("match", flat=True)]
    actors = [f"seat:{pk}" for pk in seats.values_list("pk", flat=True)]
    return Q(subject__in=subjects) | Q(actor__in=actors)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 18 else 0
