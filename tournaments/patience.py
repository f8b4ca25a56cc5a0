"""What happens when nobody answers: a report counts, the default turn order applies, deck lists are locked.

While the clock of a tournament is held nothing of this happens, and everybody has the full time again after.

The clock asks by `act_on_silence`; each table is a deed of its own, so that one that fails stops no other.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from random import Random

from journal.actors import CLOCK
from journal.kinds import DeedKind
from journal.models import Deed
from matches.games import choose_first
from matches.models import Game, Match, Report
from matches.results import confirm_unanswered
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState
from teams.models import Decklist
from tournaments.models import Round, Tournament

log = logging.getLogger(__name__)


def act_on_silence(moment: datetime) -> int:
    """Everything that was due at `moment` is done; returns how many tables that were. Four queries when
    idle."""
    lock_due_decklists(moment)
    return confirm_unanswered_reports(moment) + apply_due_openings(moment)


def confirm_unanswered_reports(moment: datetime) -> int:
    """Reports that nobody answered in the tournament's time count; a disputed one never does."""
    waiting = Report.objects.filter(
        is_current=True,
        match__state=MatchState.REPORTED,
        match__round__state=RoundState.RUNNING,
        match__tournament__confirm_after_s__gt=0,
        match__tournament__held_at=None,
    ).values_list(
        "match_id", "reported_at", "match__tournament__released_at", "match__tournament__confirm_after_s"
    )
    due = {
        match: s
        for match, at, released, s in waiting
        if max(at, released or at) + timedelta(seconds=s) <= moment
    }
    return sum(_tried(_confirm, match, due[match], moment) for match in sorted(due))


def apply_due_openings(moment: datetime) -> int:
    """Tables at which nobody chose who starts in the tournament's time have the default turn order."""
    open_matches = Match.objects.filter(
        kind=MatchKind.TABLE,
        state=MatchState.OPEN,
        round__state=RoundState.RUNNING,
        round__stage__tournament__opening_after_s__gt=0,
        round__stage__tournament__held_at=None,
    ).select_related("round__stage__tournament")
    matches = [m for m in open_matches if m.round.started_at and opening_due(m.round, ()) <= moment]
    return sum(_tried(_open, match, label, number) for match, label, number in _unopened(matches, moment))


def lock_due_decklists(moment: datetime) -> int:
    """Deck lists whose deadline is past are locked; returns how many."""
    lists = Decklist.objects.filter(locked_at=None, seat__tournament__decklists_until__lte=moment)
    return Decklist.objects.filter(pk__in=list(lists.values_list("pk", flat=True))).update(locked_at=moment)


def report_due(report: Report, tournament: Tournament) -> datetime | None:
    """When the report counts without an answer; None where the clock never confirms, or is held."""
    seconds = tournament.confirm_after_s
    if not seconds or tournament.held_at is not None:
        return None
    return max(report.reported_at, tournament.released_at or report.reported_at) + timedelta(seconds=seconds)


def opening_due(rnd: Round, games: Sequence[Game], again: datetime | None = None) -> datetime:
    """When the default order of the next game applies: counted from the start of the round, the end of the
    last game, the moment at which the clock went on after it was held, or the moment `again` at which
    something was taken back, whichever came last."""
    tournament = rnd.stage.tournament
    ended = games[-1].ended_at if games else None
    since = max(at for at in (rnd.started_at, ended, tournament.released_at, again) if at)
    return since + timedelta(seconds=tournament.opening_after_s)


def reopened_at(match: Match) -> datetime | None:
    """When somebody last took back an opening or a game: from then on the table has its time again."""
    undone = Deed.objects.filter(
        tournament_id=match.tournament_id, kind=DeedKind.GAME_UNDONE, subject=f"match:{match.pk}"
    )
    return undone.order_by("-number").values_list("at", flat=True).first()


def first_seed(match: Match, rnd: Round, number: int, board: str = "") -> int:
    """The seed that draws who chooses: fixed by the round, so that nobody can draw again until it suits."""
    return Random(f"first:{rnd.seed}:{match.pk}:{number}{board}").getrandbits(62)


def _unopened(matches: Sequence[Match], moment: datetime) -> Iterator[tuple[Match, str, int]]:
    """Boards whose next game waits for its opening and is due, with the game's number."""
    known: dict[tuple[int, str], list[Game]] = {}
    rows = Game.objects.filter(board__match__in=matches).select_related("board").order_by("number")
    for game in rows:
        known.setdefault((game.board.match_id, game.board.label), []).append(game)
    for match in matches:
        terms = match.frozen_terms
        for label in terms.boards:
            games = known.get((match.pk, label), [])
            won = [sum(game.winner == side for game in games) for side in range(terms.sides)]
            if max(won) >= terms.wins_needed or (games and games[-1].state == Game.State.PLAYING):
                continue
            is_due = opening_due(match.round, games) <= moment
            if is_due and opening_due(match.round, games, reopened_at(match)) <= moment:
                yield match, label, len(games) + 1


def _confirm(match_id: int, waited_s: int, moment: datetime) -> bool:
    return confirm_unanswered(match_id=match_id, waited_s=waited_s, moment=moment, actor=CLOCK)


def _open(match: Match, label: str, number: int) -> bool:
    seed = first_seed(match, match.round, number, label)
    choose_first(match_id=match.pk, actor=CLOCK, seed=seed, board_label=label)
    return True


def _tried(deed: Callable[..., bool], *given: object) -> bool:
    """The deed is done, or refused because somebody was faster; a defect is logged and stops no other."""
    try:
        return deed(*given)
    except RuleBroken:
        return False
    except Exception:
        log.exception("silence at %s was not acted on and is tried again", given[0])
        return False
