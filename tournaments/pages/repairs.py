"""A published round that no longer fits: its plan is shown before it is applied; swaps by hand."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from journal.kinds import DeedKind
from journal.models import Deed
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState
from rulebook.pairing.manual import swapped
from teams.models import Team
from teams.selectors import TeamCard, team_cards
from tournaments.drawing import active_teams, is_in_pods
from tournaments.models import Round, Stage
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.numbers import whole
from tournaments.pages.scenes import Scene, name_of
from tournaments.pages.sheets import Sheet, TableRow
from tournaments.repairing import repair_plan, swap_cautions
from tournaments.staff import Can

MENDABLE = (RoundState.PAIRED, RoundState.PUBLISHED, RoundState.RUNNING)


@dataclass(frozen=True, slots=True)
class Change:
    """A match that is given up or made: its table, who sits there, and why."""

    table: int | None
    cards: tuple[TeamCard, ...]
    why: str = ""

    @property
    def is_bye(self) -> bool:
        return len(self.cards) == 1


@dataclass(frozen=True, slots=True)
class Plan:
    """The repair as it is shown."""

    version: int
    voided: tuple[Change, ...]
    made: tuple[Change, ...]
    kept: int
    rematches: int

    @property
    def is_empty(self) -> bool:
        return not self.voided and not self.made


@require_safe
@staff_page(Can.PAIR)
def repair_page(request: HttpRequest, desk: Desk, round_id: int) -> HttpResponse:
    """The plan with its reasons, and two teams changed by hand with what speaks against it."""
    scene = desk.scene()
    rnd = scene.last_round
    if rnd is None or rnd.pk != round_id or not is_mendable(rnd):
        raise Http404
    sheet = sheet_of(rnd, scene.labels)
    one, other = (whole(request.GET.get(name, "")) for name in ("one", "other"))
    plan, refused = None, ""
    try:
        plan = _plan(rnd, scene, sheet)
    except RuleBroken as broken:
        refused = broken.sentence
    return desk_page(
        request,
        "desk/repair.html",
        desk,
        tab="desk",
        scene=scene,
        rnd=rnd,
        round_name=name_of(rnd),
        plan=plan,
        refused=refused,
        may_undo=last_repair(rnd) is not None,
        movable=_movable(sheet),
        one=one or 0,
        other=other or 0,
        **_swap(rnd, sheet, one, other),
    )


def is_mendable(rnd: Round) -> bool:
    """The round pairs two sides by points and is not over."""
    swiss = rnd.stage.method == Stage.Method.SWISS
    return swiss and rnd.state in MENDABLE and not is_in_pods(rnd.stage.tournament)


def why_repair(rnd: Round, sheet: Sheet, active: Iterable[int] | None = None) -> str:
    """What happened since the pairings were published that may ask for other tables; empty for nothing.

    `active` are the teams that play in the round, where they are known already.
    """
    if not is_mendable(rnd) or rnd.state == RoundState.PAIRED:
        return ""
    paired = {side.card.id for row in sheet.rows for side in row.sides}
    if active is None:
        active = [team.pk for team in active_teams(rnd.stage, rnd.number)]
    missing = sum(team not in paired for team in active)
    late = sum(row.kind == MatchKind.ASSIGNED_LOSS for row in sheet.alone)
    if missing or (late and len(sheet.alone) > 1):
        return "A team without a match could be paired."
    if rnd.state != RoundState.PUBLISHED:
        return ""
    if _has_leaver(sheet):
        return "A team left after the pairings were published."
    return "A result was corrected after the pairings were made." if _was_corrected(rnd) else ""


def last_repair(rnd: Round) -> Deed | None:
    """The deed of the last repair that can be taken back."""
    repairs = Deed.objects.filter(kind=DeedKind.ROUND_REPAIRED, subject=f"round:{rnd.pk}", undone_by=None)
    deed = repairs.order_by("-number").first()
    return deed if deed is not None and "made" in (deed.after or {}) else None


def _has_leaver(sheet: Sheet) -> bool:
    return any(side.card.is_out for row in sheet.rows for side in row.sides)


def _was_corrected(rnd: Round) -> bool:
    deeds = Deed.objects.filter(tournament=rnd.stage.tournament_id)
    pairings = [DeedKind.ROUND_PAIRED, DeedKind.ROUND_REPAIRED, DeedKind.REPAIR_TAKEN_BACK]
    paired = Q(kind__in=pairings, subject=f"round:{rnd.pk}")
    newest = deeds.filter(paired | Q(kind=DeedKind.MATCH_CORRECTED)).order_by("-number")
    return newest.values_list("kind", flat=True).first() == DeedKind.MATCH_CORRECTED


def _plan(rnd: Round, scene: Scene, sheet: Sheet) -> Plan:
    shown = repair_plan(rnd)
    plan = shown.plan
    cards = _cards(scene, sheet, {team for one in plan.made for team in one.sides})
    rows = {row.match_id: row for row in sheet.rows}
    return Plan(
        version=shown.version,
        voided=tuple(_given_up(rows[match]) for match in plan.voided if match in rows),
        made=tuple(Change(one.table, _of(cards, one.sides), one.reason) for one in plan.made),
        kept=len(plan.kept),
        rematches=plan.rematches,
    )


def _given_up(row: TableRow) -> Change:
    return Change(row.table, tuple(side.card for side in row.sides))


def _cards(scene: Scene, sheet: Sheet, wanted: Collection[int]) -> dict[int, TeamCard]:
    """The teams of the round and those not in it yet; two queries only where somebody is missing."""
    known = {side.card.id: side.card for row in sheet.rows for side in row.sides}
    missing = [team for team in wanted if team not in known]
    if missing:
        known |= team_cards(list(Team.objects.filter(pk__in=missing)), scene.labels)
    return known


def _of(cards: Mapping[int, TeamCard], teams: Iterable[int]) -> tuple[TeamCard, ...]:
    return tuple(cards[team] for team in teams)


def _movable(sheet: Sheet) -> list[tuple[int | None, TeamCard]]:
    """Table and team of every match that has not begun, in the order of the tables."""
    free = [row for row in sheet.rows if row.state == MatchState.PAIRED or row.is_bye]
    return [(row.table, side.card) for row in free for side in row.sides]


def _swap(rnd: Round, sheet: Sheet, one: int | None, other: int | None) -> dict[str, Any]:
    """What the swap would make and what speaks against it; nothing where no two teams are asked for."""
    if one is None or other is None:
        return {"swap": (), "cautions": (), "swap_refused": ""}
    rows = [row for row in sheet.rows if row.state == MatchState.PAIRED or row.is_bye]
    before = [tuple(side.card.id for side in row.sides) for row in rows]
    cards = {side.card.id: side.card for row in rows for side in row.sides}
    try:
        after = swapped(before, one, other)
        cautions = swap_cautions(rnd, one, other)
    except RuleBroken as broken:
        return {"swap": (), "cautions": (), "swap_refused": broken.sentence}
    changed = zip(rows, before, after, strict=True)
    return {
        "swap": [Change(row.table, _of(cards, new)) for row, old, new in changed if new != old],
        "cautions": [(_of(cards, sides), caution.sentence) for sides, caution in cautions],
        "swap_refused": "",
    }
