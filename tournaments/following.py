"""The steps of the clock follow every deed: what makes sense now is waiting, what lost its sense is not."""

from collections.abc import Iterable
from datetime import datetime

from journal.clock import now
from matches.models import Match
from rulebook.lifecycle import RoundState, StageState, TournamentState
from tournaments.day_plan import SAYS, DayPlan, Mode, plan_of
from tournaments.day_steps import Planned, RoundSeen, Situation, steps_for
from tournaments.models import Round, Stage, Step, Tournament
from tournaments.one_round import OPEN_STEPS, PLAYS

State = Step.State
CHANGES = ("due_at", "mode", "state", "blocked_why", "blocked_version", "deed")


def follow_plan(tournament: Tournament, *, again: bool = False) -> None:
    """The open steps of the tournament are those its plan asks for now; without a plan nothing is done.

    The tournament is locked. Whatever a person set of a step stays, until the tournament is cancelled. A step
    that was done is due once more when its reason is newer than itself, or (`again`, after something was
    taken back) when a person says so: the desk is asked then."""
    if tournament.state == TournamentState.CANCELLED:
        open_steps = Step.objects.filter(tournament=tournament, state__in=(*OPEN_STEPS, State.MISSED))
        open_steps.update(state=State.CANCELLED)
        return
    plan = plan_of(tournament.plan)
    if plan is not None:
        _write(tournament.pk, plan, again=again)


def end_following(tournament_id: int) -> None:
    """Nothing more is to come by the plan; what a person set stays."""
    _write(tournament_id, None)


def situation_of(tournament_id: int) -> Situation:
    """Where the tournament stands, in three or four queries."""
    fresh = Tournament.objects.only("state", "zone", "starts_at", "cut").get(pk=tournament_id)
    seen = Situation(now(), fresh.state, fresh.zone, fresh.starts_at)
    if fresh.state != TournamentState.RUNNING:
        return seen
    stage = Stage.objects.filter(tournament=fresh, state=StageState.RUNNING).order_by("-number").first()
    if stage is None:
        return seen
    rounds = _rounds(tournament_id)
    current = _current(stage, [one for one in rounds if one.stage == stage.number])
    plays = current is not None and current.state == RoundState.RUNNING
    return Situation(
        seen.now,
        fresh.state,
        fresh.zone,
        fresh.starts_at,
        stage.number,
        stage.is_bracket,
        stage.planned_rounds,
        fresh.cut,
        current,
        rounds,
        _extended(current.id) if current is not None and plays else (),
    )


def _rounds(tournament_id: int) -> tuple[RoundSeen, ...]:
    rows = Round.objects.filter(stage__tournament_id=tournament_id).exclude(state=RoundState.SCRAPPED)
    named = ("paired_at", "published_at", "started_at", "ends_at", "time_called_at", "closed_at")
    ordered = rows.order_by("stage__number", "number", "pk")
    return tuple(
        RoundSeen(*row) for row in ordered.values_list("pk", "stage__number", "number", "state", *named)
    )


def _current(stage: Stage, rounds: list[RoundSeen]) -> RoundSeen | None:
    """As `rounds.current_round`, without a query."""
    if stage.method == Stage.Method.ROUND_ROBIN:
        waiting = [one for one in rounds if one.state != RoundState.CLOSED]
        return (waiting or rounds[-1:] or [None])[0]  # type: ignore[list-item]
    return rounds[-1] if rounds else None


def _extended(round_id: int) -> tuple[tuple[int, int], ...]:
    tables = Match.objects.filter(round_id=round_id, extension_s__gt=0, state__in=PLAYS)
    return tuple(tables.order_by("pk").values_list("pk", "extension_s"))


def _write(tournament_id: int, plan: DayPlan | None, *, again: bool = False) -> None:
    wanted = steps_for(plan, situation_of(tournament_id)) if plan is not None else ()
    rows = {step.key: step for step in Step.objects.filter(tournament_id=tournament_id)}
    moment = now()
    changed = [
        row for one in wanted if (row := rows.get(one.key)) and _renewed(row, one, moment, again=again)
    ]
    changed += _dropped(rows.values(), {one.key for one in wanted})
    if changed:
        Step.objects.bulk_update(changed, CHANGES)
    Step.objects.bulk_create(
        _new(tournament_id, one, moment, again=again) for one in wanted if one.key not in rows
    )


def _new(tournament_id: int, one: Planned, moment: datetime, *, again: bool) -> Step:
    return Step(
        tournament_id=tournament_id,
        key=one.key,
        kind=one.kind,
        round_id=one.round_id,
        match_id=one.match_id,
        minutes=one.minutes,
        due_at=_due(one, moment, again=again),
        mode=_mode(one, again=again),
        grace_s=one.grace_s,
    )


def _renewed(row: Step, one: Planned, moment: datetime, *, again: bool) -> bool:
    """Whether the row was changed into what is planned now."""
    before = (row.due_at, row.mode, row.state)
    if row.state in OPEN_STEPS:
        if not row.own_time and one.due_at is not None:
            row.due_at = one.due_at
        if not row.own_mode:
            row.mode = one.mode
    elif again or _is_newer(row, one):
        row.state, row.blocked_why, row.blocked_version, row.deed = State.WAITING, "", None, None
        row.due_at, row.mode = _due(one, moment, again=again), _mode(one, again=again)
    return before != (row.due_at, row.mode, row.state)


def _is_newer(row: Step, one: Planned) -> bool:
    """A step cancelled by a deed comes back with its reason; one that is over only for a later reason."""
    if row.state == State.CANCELLED:
        return not row.own_mode
    return one.due_at is not None and one.due_at > row.due_at


def _dropped(rows: Iterable[Step], wanted: set[str]) -> list[Step]:
    """What no plan asks for is cancelled; a time that a person set is that person's."""
    gone = [
        row
        for row in rows
        if row.state in (*OPEN_STEPS, State.MISSED)
        and row.key not in wanted
        and not row.own_time
        and row.kind != Step.Kind.TIME
    ]
    for row in gone:
        row.state = State.CANCELLED
    return gone


def _due(one: Planned, moment: datetime, *, again: bool) -> datetime:
    if one.due_at is None:
        return moment
    return max(one.due_at, moment) if again and one.kind not in SAYS else one.due_at


def _mode(one: Planned, *, again: bool) -> str:
    """What was taken back is not done again by itself."""
    is_asked = again and one.kind not in SAYS and one.mode == Mode.AUTOMATIC
    return Mode.ASKED if is_asked else one.mode
