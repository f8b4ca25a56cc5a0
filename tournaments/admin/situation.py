"""Where a tournament stands right now, as its buttons need to know it."""

from dataclasses import dataclass

from matches.models import Line, Match
from rulebook.lifecycle import MatchKind, MatchState, RoundState, StageState, TournamentState
from tournaments.models import Round, Stage, Tournament
from tournaments.rounds import current_round


@dataclass(frozen=True, slots=True)
class Situation:
    """The tournament, its stage in play, that stage's last round, and the tables without a result."""

    tournament: Tournament
    stage: Stage | None
    rnd: Round | None
    missing: tuple[Match, ...]
    has_scored_table: bool

    def is_in(self, state: TournamentState) -> bool:
        return self.tournament.state == state

    def round_is(self, *states: RoundState) -> bool:
        return self.is_in(TournamentState.RUNNING) and self.rnd is not None and self.rnd.state in states

    @property
    def is_between_rounds(self) -> bool:
        """Running, and no round is open."""
        if not self.is_in(TournamentState.RUNNING) or self.stage is None:
            return False
        return self.rnd is None or self.rnd.state == RoundState.CLOSED

    @property
    def has_rounds_left(self) -> bool:
        return self.stage is not None and (self.rnd.number if self.rnd else 0) < self.stage.planned_rounds

    @property
    def is_before_cut(self) -> bool:
        return self.stage is not None and not self.stage.is_bracket

    @property
    def is_in_cut(self) -> bool:
        """The bracket that followed other rounds is played."""
        return self.stage is not None and self.stage.is_bracket and self.stage.number > 1

    @property
    def may_cut(self) -> bool:
        over = self.is_between_rounds and not self.has_rounds_left
        return over and self.is_before_cut

    @property
    def may_finish(self) -> bool:
        over = self.is_between_rounds and not self.has_rounds_left
        return over and not (self.is_before_cut and self.tournament.cut)


def situation_of(tournament: Tournament) -> Situation:
    """Where the tournament stands, in a fixed number of queries."""
    stages = tournament.stages.exclude(state=StageState.WAITING).order_by("-number")
    stage = stages.filter(state=StageState.RUNNING).first() or stages.first()
    rnd = current_round(stage) if stage else None
    tables = rnd.matches.filter(kind=MatchKind.TABLE).exclude(state=MatchState.VOID) if rnd else None
    missing = tables.exclude(state=MatchState.CONFIRMED).order_by("table") if tables is not None else ()
    return Situation(
        tournament=tournament,
        stage=stage,
        rnd=rnd,
        missing=tuple(missing),
        has_scored_table=tables is not None
        and Line.objects.filter(result__match__in=tables, result__is_current=True).exists(),
    )
