"""Mending a round that people have seen: the fewest changed tables, shown before they are applied."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.models import Deed
from journal.recording import record, version_of
from matches.lineup import confirm_lone_sides, seat_chairs
from matches.models import Match, Result, Side
from matches.undoing import copy_chairs, copy_result
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState
from rulebook.pairing.manual import Caution, cautions_of, swapped
from rulebook.pairing.repair import Made, Published, RepairPlan, plan_repair
from rulebook.pairing.values import SwissInput
from rulebook.scoring import ResultKind
from teams.models import Team
from tournaments.drafting import is_draft_round, seats_of
from tournaments.drawing import active_teams, granted_byes, is_in_pods
from tournaments.models import Round, Stage
from tournaments.one_round import lock_round
from tournaments.pairing import stored_terms
from tournaments.rounds import current_round
from tournaments.rows import entrants_of
from tournaments.standings import standings_of

Sides = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """A plan and the version of the tournament it was made for; applied only while that is the newest."""

    version: int
    plan: RepairPlan

    @property
    def is_empty(self) -> bool:
        return not self.plan.voided and not self.plan.made


def repair_plan(rnd: Round) -> ShownPlan:
    """What would change so that everybody who plays now is paired by his right points; nothing is written."""
    _repairable(rnd)
    if is_draft_round(rnd.stage, rnd.number):
        raise RuleBroken(
            "not-repairable",
            "A round inside the drafting groups has no plan; swap two teams of one group, or scrap the round "
            "and pair it again.",
        )
    swiss = _as_it_is(rnd)
    plan = plan_repair(swiss, _published(rnd), _corrected(rnd, swiss))
    missed = set(_missed(rnd).values())
    made = tuple(one for one in plan.made if len(one.sides) > 1 or one.sides[0] not in missed)
    return ShownPlan(version_of(rnd.stage.tournament_id), replace(plan, made=made, changed_tables=len(made)))


@transaction.atomic
def repair_round(*, round_id: int, version: int, actor: Actor, reason: str = "") -> Round:
    """The plan that was shown at `version` is applied; matches that started or finished are as they were."""
    rnd = _locked(round_id)
    _is_newest(rnd, version)
    plan = repair_plan(rnd).plan
    if not plan.voided and not plan.made:
        raise RuleBroken("nothing-to-repair", f"Round {rnd.number} needs no repair.")
    return _apply(rnd, plan.voided, plan.made, actor, reason)


def mend(rnd: Round, actor: Actor) -> Round:
    """The round is paired for whoever plays now with the fewest changed tables. The tournament is locked."""
    plan = repair_plan(rnd).plan
    return _apply(rnd, plan.voided, plan.made, actor, "") if plan.voided or plan.made else rnd


@transaction.atomic
def swap_in_round(
    *,
    round_id: int,
    team_id: int,
    other_id: int,
    actor: Actor,
    reason: str = "",
    version: int | None = None,
) -> Round:
    """The two teams have changed places in the draft or published round; a bye is a place too.

    With the `version` that was shown it is refused once anything has changed since."""
    rnd = _locked(round_id)
    _is_newest(rnd, version)
    _repairable(rnd)
    free = {match.match: match.sides for match in _published(rnd) if not match.is_locked}
    after = swapped(list(free.values()), team_id, other_id)
    voided = [match for match, sides in zip(free, after, strict=True) if sides != free[match]]
    tables = dict(rnd.matches.values_list("pk", "table"))
    made = [
        Made(sides, tables[match], "Changed by hand.")
        for match, sides in zip(free, after, strict=True)
        if sides != free[match]
    ]
    return _apply(rnd, voided, made, actor, reason)


def swap_cautions(rnd: Round, team_id: int, other_id: int) -> list[tuple[Sides, Caution]]:
    """What a person should know before the swap: rematches, gaps, byes, by the match that would be made."""
    swiss = _as_it_is(rnd)
    free = [match.sides for match in _published(rnd) if not match.is_locked]
    known = {entrant.id for entrant in swiss.entrants}
    after = swapped(free, team_id, other_id)
    changed = [
        new for old, new in zip(free, after, strict=True) if set(old) != set(new) and set(new) <= known
    ]
    of_draft = _crossing(rnd, changed)
    return of_draft + [(sides, caution) for sides in changed for caution in cautions_of(swiss, sides)]


def _crossing(rnd: Round, changed: Sequence[Sides]) -> list[tuple[Sides, Caution]]:
    """In a round inside the drafting groups nobody should meet a team of another group."""
    if not is_draft_round(rnd.stage, rnd.number):
        return []
    seats = seats_of(rnd.stage)
    apart = [sides for sides in changed if len({seats[team].group for team in sides if team in seats}) > 1]
    return [(sides, Caution("draft", "They are of different drafting groups.")) for sides in apart]


@transaction.atomic
def undo_repair(*, round_id: int, actor: Actor, reason: str = "", version: int | None = None) -> Round:
    """The round's last repair is taken back: its earlier pairs meet again, in new matches.

    With the `version` that was shown it is refused once anything has changed since."""
    rnd = _locked(round_id)
    _is_newest(rnd, version)
    deed = (
        Deed.objects.filter(kind=DeedKind.ROUND_REPAIRED, subject=f"round:{rnd.pk}", undone_by=None)
        .order_by("-number")
        .first()
    )
    if deed is None or not deed.after or "made" not in deed.after:
        raise RuleBroken("nothing-to-undo", f"Round {rnd.number} was not repaired.")
    made = Match.objects.filter(pk__in=[pk for pk, _ in deed.after["made"]]).exclude(state=MatchState.VOID)
    if made.count() != len(deed.after["made"]) or any(_is_locked(match) for match in made):
        raise RuleBroken("repair-played", "The repaired tables have started; repair the round anew.")
    voided = deed.after["voided"]
    back = [Made(tuple(sides), table, "As before the repair.") for sides, table, *_ in voided]
    was = [more[0] if more else None for _, _, *more in voided]
    return _apply(rnd, [match.pk for match in made], back, actor, reason, undoes=deed, was=was)


def _apply(
    rnd: Round,
    voided: Collection[int],
    made: Sequence[Made],
    actor: Actor,
    reason: str,
    undoes: Deed | None = None,
    was: Sequence[int | None] = (),
) -> Round:
    paired = {team for one in made for team in one.sides}
    voided = [*voided, *(match for match, team in _missed(rnd).items() if team in paired)]
    gone = [
        (sorted_sides(match), match.table, match.pk)
        for match in Match.objects.filter(pk__in=voided).order_by("pk")
    ]
    Match.objects.filter(pk__in=voided).update(state=MatchState.VOID)
    Side.objects.filter(match__in=voided).update(is_live=False)
    matches = _make(rnd, made)
    players = [team for one in made for team in one.sides]
    Team.objects.filter(pk__in=players, entered_round__gt=rnd.number).update(entered_round=rnd.number)
    if rnd.state != RoundState.PAIRED:
        seat_chairs(matches)
    _as_they_were(rnd, matches, was)
    if rnd.state != RoundState.PAIRED:
        confirm_lone_sides(matches, actor)
    record(
        tournament_id=rnd.stage.tournament_id,
        kind=DeedKind.ROUND_REPAIRED if undoes is None else DeedKind.REPAIR_TAKEN_BACK,
        actor=actor,
        subject=f"round:{rnd.pk}",
        after={
            "voided": [[list(sides), table, pk] for sides, table, pk in gone],
            "made": [[match.pk, list(one.sides)] for match, one in zip(matches, made, strict=True)],
        },
        reason=reason,
        undoes=undoes,
    )
    return rnd


def _make(rnd: Round, made: Sequence[Made]) -> list[Match]:
    free = _free_tables(rnd, [one.table for one in made])
    open_now = MatchState.OPEN if rnd.state == RoundState.RUNNING else MatchState.PAIRED
    matches = Match.objects.bulk_create(
        Match(
            tournament_id=rnd.stage.tournament_id,
            round=rnd,
            kind=MatchKind.TABLE if len(one.sides) > 1 else MatchKind.BYE,
            table=(one.table or next(free)) if len(one.sides) > 1 else None,
            state=open_now if len(one.sides) > 1 else MatchState.PAIRED,
            terms=stored_terms(rnd.stage),
            why=one.reason,
        )
        for one in made
    )
    Side.objects.bulk_create(
        Side(match=match, round=rnd, team_id=team, index=index)
        for match, one in zip(matches, made, strict=True)
        for index, team in enumerate(one.sides)
    )
    return matches


def _as_they_were(rnd: Round, matches: Sequence[Match], was: Sequence[int | None]) -> None:
    """Matches made anew are of the kind of the given up ones they stand for, with the result those had."""
    old = Match.objects.in_bulk([pk for pk in was if pk])
    for match, pk in zip(matches, was, strict=False):
        if pk not in old:
            continue
        match.kind, match.why = old[pk].kind, old[pk].why
        match.save(update_fields=["kind", "why"])
        copy_chairs(old[pk], match)
        if match.kind == MatchKind.ASSIGNED_LOSS:
            teams = Team.objects.filter(sides__match=match, entered_round=rnd.number)
            teams.update(entered_round=rnd.number + 1)
        result = Result.objects.filter(match=pk, is_current=True, board_label="").first()
        if result is not None and match.kind == MatchKind.TABLE:
            copy_result(result, match)


def _free_tables(rnd: Round, wanted: Iterable[int | None]) -> Iterator[int]:
    taken = set(rnd.matches.exclude(state=MatchState.VOID).values_list("table", flat=True)) | set(wanted)
    taken.add(rnd.stage.tournament.feature_table)
    return iter(number for number in range(1, 2 * len(taken) + 1000) if number not in taken)


def _missed(rnd: Round) -> dict[int, int]:
    """The assigned losses of the round by match: teams that came too late for it."""
    sides = Side.objects.filter(round=rnd, is_live=True, match__kind=MatchKind.ASSIGNED_LOSS)
    return dict(sides.values_list("match_id", "team_id"))


def _published(rnd: Round) -> list[Published]:
    """The round's live matches as they stand; what has started is locked."""
    matches = {
        match.pk: match
        for match in rnd.matches.exclude(state=MatchState.VOID)
        .exclude(kind=MatchKind.ASSIGNED_LOSS)
        .order_by("table", "pk")
    }
    sides: dict[int, list[int]] = {pk: [] for pk in matches}
    rows = Side.objects.filter(match__in=matches, is_live=True).order_by("match_id", "index")
    for match, team in rows.values_list("match_id", "team_id"):
        sides[match].append(team)
    # Before the start the opponent of a team that left has only won "unless the round is repaired".
    absent = Match.objects.filter(
        pk__in=matches, results__is_current=True, results__kind=ResultKind.NO_SHOW
    ).values_list("pk", flat=True)
    noshow = set(absent) if rnd.state == RoundState.PUBLISHED else set()
    return [
        Published(pk, match.table, tuple(sides[pk]), pk not in noshow and _is_locked(match))
        for pk, match in matches.items()
    ]


def _is_locked(match: Match) -> bool:
    """Started or finished: who has no opponent has not, and a table not opened yet has not."""
    return match.kind == MatchKind.TABLE and match.state != MatchState.PAIRED


def _as_it_is(rnd: Round) -> SwissInput:
    """Everybody who plays in the round now, with the points and the past from before it."""
    teams = active_teams(rnd.stage, rnd.number)
    table = standings_of(rnd.stage, after_round=rnd.number - 1)
    return SwissInput(
        entrants=entrants_of(rnd.stage, teams, table, before=rnd.number),
        seed=rnd.seed,
        rounds_left=rnd.stage.planned_rounds - rnd.number + 1,
        fixed_byes=granted_byes(rnd.stage, rnd.number, teams),
    )


def _corrected(rnd: Round, swiss: SwissInput) -> set[int]:
    """Whose points are other than those the round was paired with."""
    then = {row["id"]: Fraction(row["points"]) for row in rnd.inputs.get("entrants", ())}
    return {one.id for one in swiss.entrants if one.id in then and then[one.id] != one.points}


def _is_newest(rnd: Round, version: int | None) -> None:
    """Nothing happened since the page with that version was shown."""
    if version is not None and version_of(rnd.stage.tournament_id) != version:
        raise RuleBroken("plan-outdated", "Something changed since the plan was made; look at the new plan.")


def _repairable(rnd: Round) -> None:
    if rnd.stage.method != Stage.Method.SWISS or is_in_pods(rnd.stage.tournament):
        raise RuleBroken("not-repairable", "Only rounds that pair two sides by points can be repaired.")
    if rnd.state == RoundState.CLOSED:
        raise RuleBroken("wrong-state", f"Round {rnd.number} is closed; correct results instead.")


def _locked(round_id: int) -> Round:
    rnd = lock_round(round_id)
    last = current_round(rnd.stage)
    if last is None or last.pk != rnd.pk:
        raise RuleBroken("later-round", f"Round {rnd.number} is not the current round any more.")
    return rnd


def sorted_sides(match: Match) -> Sides:
    """The teams of the match in side order."""
    return tuple(Side.objects.filter(match=match).order_by("index").values_list("team_id", flat=True))
