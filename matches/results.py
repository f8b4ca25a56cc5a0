"""What a match ended as: entered by staff, or reported by one side and confirmed by the other."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.calls import end_disputes, open_dispute
from matches.games import check_games, forget_contradicted
from matches.models import Line, Match, Report, Result, Side
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.scoring import Line as Judged
from rulebook.scoring import ResultKind, check_reportable, lines_for

WAITS_FOR_RESULT = (MatchState.OPEN, MatchState.REPORTED, MatchState.DISPUTED)


@transaction.atomic
def enter_result(
    *,
    match_id: int,
    actor: Actor,
    kind: ResultKind = ResultKind.PLAYED,
    wins: Sequence[int] = (),
    draws: int = 0,
    loser: int | None = None,
    winner: int | None = None,
    out_order: Sequence[int | None] = (),
) -> Match:
    """Staff have entered the result and it is confirmed; counts are in side order. Table 5 never waits for
    table 6."""
    match = lock_one(Match, match_id)
    _expects_result(match)
    if match.state == MatchState.CONFIRMED:
        raise RuleBroken(
            "already-confirmed", f"{_name(match)} has a confirmed result; correct it with a reason instead."
        )
    judged = lines_for(
        match.frozen_terms, kind, wins=wins, draws=draws, loser=loser, winner=winner, out_order=out_order
    )
    if kind is ResultKind.PLAYED:
        check_games(match, wins, draws)
    settle(match, kind, judged, actor)
    _record(match, DeedKind.MATCH_CONFIRMED, actor, after=told(kind, judged))
    return match


@transaction.atomic
def report_result(
    *,
    match_id: int,
    team_id: int,
    actor: Actor,
    kind: ResultKind = ResultKind.PLAYED,
    wins: Mapping[int, int],
    draws: int = 0,
    loser: int | None = None,
    deed_key: str = "",
) -> Match:
    """The team's report is known; counts are keyed by team. The other side's equal report confirms it, a
    different one is a dispute, a second one by the same side replaces its first and confirms nothing."""
    match = lock_one(Match, match_id)
    _expects_result(match)
    sides = sides_of(match)
    own = _own_side(sides, team_id)
    if match.state not in WAITS_FOR_RESULT:
        raise RuleBroken(
            "already-confirmed", f"{_name(match)} has a confirmed result; call a judge if it is wrong."
        )
    _keyed_by_sides(sides, wins)
    judged = _judge(match, sides, kind, wins, draws, loser)
    body = {
        "kind": kind,
        "wins": {str(side.team_id): int(wins.get(side.team_id, 0)) for side in sides},
        "draws": draws,
        "loser": loser,
    }
    Report.objects.filter(match=match, side=own, is_current=True).update(is_current=False)
    Report.objects.create(match=match, side=own, body=body, deed_key=deed_key, reported_at=now())
    others = [r.body for r in Report.objects.filter(match=match, is_current=True).exclude(side=own)]
    after = {"by": team_id, **told(kind, judged)}
    if others and all(other == body for other in others):
        settle(match, kind, judged, actor)
        _record(match, DeedKind.MATCH_CONFIRMED, actor, after=after)
        return match
    disputed = bool(others)
    set_state(match, MatchState.DISPUTED if disputed else MatchState.REPORTED)
    if disputed:
        open_dispute(match, own)
    _record(match, DeedKind.MATCH_DISPUTED if disputed else DeedKind.MATCH_REPORTED, actor, after=after)
    return match


@transaction.atomic
def confirm_result(*, match_id: int, actor: Actor, team_id: int | None = None) -> Match:
    """The reported result counts: another side than the reporting one agreed, or staff did (`team_id`
    None)."""
    match = lock_one(Match, match_id)
    _expects_result(match)
    if match.state == MatchState.CONFIRMED:
        return match
    report = _single_report(match)
    if team_id is not None and _own_side(sides_of(match), team_id).pk == report.side_id:
        raise RuleBroken("own-report", "Your team reported this result; the other side confirms it.")
    kind, judged = _judge_report(match, report)
    settle(match, kind, judged, actor)
    _record(match, DeedKind.MATCH_CONFIRMED, actor, after=told(kind, judged))
    return match


@transaction.atomic
def confirm_unanswered(*, match_id: int, waited_s: int, moment: datetime, actor: Actor) -> bool:
    """The single report that nobody answered for `waited_s` seconds at `moment` counts, with that trace;
    False where it was answered, disputed or replaced meanwhile."""
    match = lock_one(Match, match_id)
    reports = list(Report.objects.filter(match=match, is_current=True))
    if match.state != MatchState.REPORTED or len(reports) != 1:
        return False
    if reports[0].reported_at + timedelta(seconds=waited_s) > moment:
        return False
    kind, judged = _judge_report(match, reports[0])
    settle(match, kind, judged, actor)
    reason = f"nobody answered the report for {waited_s} seconds"
    _record(match, DeedKind.MATCH_CONFIRMED, actor, after=told(kind, judged), reason=reason)
    return True


@transaction.atomic
def dispute_result(*, match_id: int, team_id: int, actor: Actor, reason: str = "") -> Match:
    """The side does not agree with the report; a judge decides."""
    match = lock_one(Match, match_id)
    _expects_result(match)
    own = _own_side(sides_of(match), team_id)
    if match.state != MatchState.REPORTED:
        raise RuleBroken("nothing-to-dispute", f"{_name(match)} has no open report; call a judge.")
    set_state(match, MatchState.DISPUTED)
    open_dispute(match, own)
    _record(match, DeedKind.MATCH_DISPUTED, actor, after={"by": team_id}, reason=reason)
    return match


def settle(match: Match, kind: ResultKind, judged: Sequence[Judged], actor: Actor) -> Result:
    """The lines are the match's current result, confirmed; an older one stays, not current. The match is
    locked."""
    Result.objects.filter(match=match, board_label="", is_current=True).update(is_current=False)
    result = Result.objects.create(match=match, kind=kind, source=actor.door, confirmed_at=now())
    by_index = {side.index: side for side in sides_of(match)}
    Line.objects.bulk_create(_line(result, by_index[line.side], line) for line in judged)
    if match.state == MatchState.DISPUTED:
        end_disputes([match.pk])
        if match.frozen_terms.boards == ("",):
            forget_contradicted(match, [line.wins for line in judged], judged[0].draws)
    set_state(match, MatchState.CONFIRMED)
    return result


def settle_many(judged: Iterable[tuple[Match, Side, ResultKind, Judged]], actor: Actor) -> int:
    """Matches of one side (byes, assigned losses) are confirmed, in three statements; returns how many."""
    rows = list(judged)
    at = now()
    results = Result.objects.bulk_create(
        Result(match=match, kind=kind, source=actor.door, confirmed_at=at) for match, _, kind, _ in rows
    )
    Line.objects.bulk_create(
        _line(result, side, line) for result, (_, side, _, line) in zip(results, rows, strict=True)
    )
    Match.objects.filter(pk__in=[match.pk for match, *_ in rows]).update(state=MatchState.CONFIRMED)
    return len(rows)


def judged_report(match: Match) -> tuple[ResultKind, tuple[Judged, ...]]:
    """What the match's single report says, judged; refused where there is none or two."""
    return _judge_report(match, _single_report(match))


def sides_of(match: Match) -> list[Side]:
    """The match's sides in the order of their index."""
    return list(Side.objects.filter(match=match).order_by("index"))


def set_state(match: Match, state: MatchState) -> None:
    """The match has the state, in memory and in its row."""
    match.state = state
    match.save(update_fields=["state"])


def told(kind: ResultKind, judged: Sequence[Judged]) -> dict[str, object]:
    """A result as the journal keeps it: kind, wins by side, drawn games."""
    return {"kind": kind, "wins": [line.wins for line in judged], "draws": judged[0].draws}


def _line(result: Result, side: Side, line: Judged) -> Line:
    return Line(
        result=result,
        side=side,
        outcome=line.outcome,
        wins=line.wins,
        draws=line.draws,
        place=line.place,
        half_points=line.half_points,
        out_order=line.out_order,
    )


def _single_report(match: Match) -> Report:
    reports = list(Report.objects.filter(match=match, is_current=True))
    if match.state != MatchState.REPORTED or len(reports) != 1:
        raise RuleBroken(
            "nothing-to-confirm", f"{_name(match)} has no single report to confirm; enter the result."
        )
    return reports[0]


def _judge_report(match: Match, report: Report) -> tuple[ResultKind, tuple[Judged, ...]]:
    body = report.body
    kind, wins = ResultKind(body["kind"]), {int(team): count for team, count in body["wins"].items()}
    return kind, _judge(match, sides_of(match), kind, wins, body["draws"], body["loser"])


def _judge(
    match: Match,
    sides: Sequence[Side],
    kind: ResultKind,
    wins: Mapping[int, int],
    draws: int,
    loser: int | None,
) -> tuple[Judged, ...]:
    counts = [int(wins.get(side.team_id, 0)) for side in sides]
    if kind is ResultKind.PLAYED:
        check_games(match, counts, draws)
    index = None if loser is None else _own_side(sides, loser).index
    return lines_for(match.frozen_terms, kind, wins=counts, draws=draws, loser=index)


def _keyed_by_sides(sides: Sequence[Side], wins: Mapping[int, int]) -> None:
    strangers = set(wins) - {side.team_id for side in sides}
    if strangers:
        raise RuleBroken("not-your-match", "The report names a team that does not play at this table.")


def _own_side(sides: Sequence[Side], team_id: int) -> Side:
    for side in sides:
        if side.team_id == team_id:
            return side
    raise RuleBroken("not-your-match", "That team does not play at this table.")


def _expects_result(match: Match) -> None:
    check_reportable(MatchKind(match.kind))
    if match.state == MatchState.VOID:
        raise RuleBroken("match-void", "This match was replaced; reload the page and look for the new table.")
    if match.state == MatchState.PAIRED:
        raise RuleBroken("round-not-started", "The round has not started; start it before you enter results.")


def _name(match: Match) -> str:
    return f"Table {match.table}" if match.table else "This match"


def _record(match: Match, kind: DeedKind, actor: Actor, **more: object) -> None:
    record(tournament_id=match.tournament_id, kind=kind, actor=actor, subject=f"match:{match.pk}", **more)  # type: ignore[arg-type]
