"""What a penalty does at the table: to the running game, to the match, to the next opening."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from journal.actors import Actor
from matches.boards import enter_board
from matches.games import games_of, next_right, played, record_game, score_so_far
from matches.models import Game, Match, Side
from matches.results import WAITS_FOR_RESULT, enter_result
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.openings import Openings, Stage, may_sideboard
from rulebook.penalties import Level, Ruling, ruling
from rulebook.scoring import ResultKind
from rulebook.turns import GameEnd, Opening, OpeningBy, PlayedGame
from teams.models import Seat
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Effect:
    """What followed. `game` is the number of the game lost or drawn, `chooser` who opens the next one."""

    game: int | None = None
    lost_by: tuple[int, ...] = ()
    is_draw: bool = False
    match_lost_by: tuple[int, ...] = ()
    is_decided: bool = False
    is_owed: bool = False
    in_pod: bool = False
    chooser: int | None = None
    sideboards: bool | None = None
    leaves: bool = False


def current_table(tournament: Tournament, team_id: int) -> Match | None:
    """The newest table of the team whose result is not confirmed."""
    side = (
        Side.objects.filter(
            team_id=team_id,
            is_live=True,
            match__tournament=tournament,
            match__kind=MatchKind.TABLE,
            match__state__in=WAITS_FOR_RESULT,
        )
        .select_related("match")
        .order_by("-match_id")
        .first()
    )
    return side.match if side else None


def apply_at_table(
    match: Match | None, seats: Sequence[Seat], level: Level, actor: Actor, score: Sequence[int] = ()
) -> Effect:
    """The loss is taken at the match, or owed where none runs; a warning changes nothing."""
    if level is Level.WARNING:
        return Effect()
    if match is None or match.kind != MatchKind.TABLE or match.state not in WAITS_FOR_RESULT:
        return Effect(is_owed=True)
    terms = match.frozen_terms
    index = dict(Side.objects.filter(match=match).values_list("team_id", "index"))
    sides = sorted({index[seat.team_id] for seat in seats})
    board = seats[0].label if len(terms.boards) > 1 else ""
    games = games_of(match, board)
    runs = bool(games) and games[-1].state == Game.State.PLAYING
    judged = ruling(terms.sides, [(side, level) for side in sides], game_runs=runs, match_runs=True)
    if terms.sides > 2:
        return Effect(lost_by=judged.game_lost_by, match_lost_by=judged.match_lost_by, in_pod=True)
    if level is Level.MATCH_LOSS:
        return _match_lost(match, judged, actor, score)
    won, _ = score_so_far(match, board)
    if match.state == MatchState.REPORTED or max(won) >= terms.wins_needed:
        return Effect(is_owed=True)
    return _game_lost(match, board, judged, actor, score, runs=runs)


def _match_lost(match: Match, judged: Ruling, actor: Actor, score: Sequence[int]) -> Effect:
    won, drawn = score_so_far(match)
    known = any(won) or drawn
    both = len(judged.match_lost_by) > 1
    enter_result(
        match_id=match.pk,
        actor=actor,
        kind=ResultKind.DOUBLE_LOSS if both else ResultKind.MATCH_LOSS,
        wins=won if known else tuple(score),
        draws=drawn,
        loser=None if both else judged.match_lost_by[0],
    )
    return Effect(match_lost_by=judged.match_lost_by, is_decided=True)


def _game_lost(
    match: Match, board: str, judged: Ruling, actor: Actor, score: Sequence[int], *, runs: bool
) -> Effect:
    """The game is recorded as ended by penalty; a match it decides has its result."""
    if not games_of(match, board):
        for side, count in enumerate(score):
            for _ in range(count):
                record_game(match_id=match.pk, actor=actor, winner=side, board_label=board)
    game = record_game(
        match_id=match.pk,
        actor=actor,
        winner=None if judged.game_is_draw else 1 - judged.game_lost_by[0],
        ended_by=GameEnd.PENALTY if runs else GameEnd.PENALTY_BEFORE_IT_BEGAN,
        board_label=board,
    )
    effect = Effect(game=game.number, lost_by=judged.game_lost_by, is_draw=judged.game_is_draw)
    won, drawn = score_so_far(match, board)
    if max(won) < match.frozen_terms.wins_needed:
        right = next_right(match, board)
        return replace(
            effect, chooser=right.chooser if right else None, sideboards=sideboards_next(match, board)
        )
    if board:
        enter_board(match_id=match.pk, board_label=board, actor=actor, wins=won, draws=drawn)
    else:
        enter_result(match_id=match.pk, actor=actor, wins=won, draws=drawn)
    return replace(effect, is_decided=True)


def sideboards_next(match: Match, board: str = "") -> bool:
    """Cards may be swapped before the coming game of the board."""
    rows = [game for game in games_of(match, board) if game.state == Game.State.ENDED]
    return may_sideboard(
        Openings(
            match.frozen_terms.on_board(board),
            Stage.WHO_CHOOSES,
            played=tuple(played(match, game) or _unopened(game) for game in rows),
        )
    )


def _unopened(game: Game) -> PlayedGame:
    opening = Opening(None, OpeningBy.FIXED, None, (), is_default=False)
    return PlayedGame(opening, game.winner, game.is_draw, GameEnd(game.ended_by or GameEnd.PLAYED))
