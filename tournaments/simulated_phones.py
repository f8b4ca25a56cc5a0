"""Phones of a hall nobody sits in: results arrive as players would send them, by chance from one seed."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from journal.actors import seat_actor
from journal.clock import now
from matches.models import Match, Report, Side
from matches.results import confirm_result, report_result
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState
from teams.models import Seat

WAITING = (MatchState.OPEN, MatchState.REPORTED)


@dataclass(frozen=True, slots=True)
class Phones:
    """The players of one tournament of two-sided matches; `silent` is the chance that the other side never
    answers a report."""

    tournament_id: int
    seed: int
    silent: float = 0.0

    def send(self) -> int:
        """Whatever these players would have sent by now is sent through the phones' services; how many."""
        waiting = Match.objects.filter(
            tournament_id=self.tournament_id,
            kind=MatchKind.TABLE,
            state__in=WAITING,
            round__state=RoundState.RUNNING,
        )
        rows = waiting.order_by("table").values_list(
            "pk", "table", "state", "round__number", "round__started_at"
        )
        moment = now()
        return sum(self._sent(*row, moment) for row in rows)

    def _sent(
        self,
        match_id: int,
        table: int | None,
        state: str,
        number: int,
        started: datetime | None,
        moment: datetime,
    ) -> bool:
        if started is None:
            return False
        rng = Random(f"phones:{self.seed}:{number}:{table}")
        reports_at = started + timedelta(minutes=rng.uniform(18, 46))
        answers_at = reports_at + timedelta(seconds=rng.uniform(20, 150))
        is_silent = rng.random() < self.silent
        if moment < (reports_at if state == MatchState.OPEN else answers_at):
            return False
        match = Match.objects.get(pk=match_id)
        sides = list(Side.objects.filter(match=match).order_by("index"))
        rng.shuffle(sides)
        try:
            if state == MatchState.OPEN:
                return _report(match, sides, rng)
            return not is_silent and _answer(match, sides)
        except RuleBroken:
            return False


def _report(match: Match, sides: list[Side], rng: Random) -> bool:
    """The first side won, and one of them says so."""
    needed = match.frozen_terms.wins_needed
    wins = {sides[0].team_id: needed, sides[1].team_id: rng.randrange(needed)}
    reporting = rng.choice(sides)
    report_result(match_id=match.pk, team_id=reporting.team_id, actor=seat_actor(_seat(reporting)), wins=wins)
    return True


def _answer(match: Match, sides: list[Side]) -> bool:
    """The side that did not report agrees."""
    reported = Report.objects.filter(match=match, is_current=True).values_list("side_id", flat=True)
    other = next(side for side in sides if side.pk not in set(reported))
    confirm_result(match_id=match.pk, team_id=other.team_id, actor=seat_actor(_seat(other)))
    return True


def _seat(side: Side) -> int:
    seats = Seat.objects.filter(team_id=side.team_id, is_live=True).order_by("label")
    return seats.values_list("pk", flat=True)[0]
