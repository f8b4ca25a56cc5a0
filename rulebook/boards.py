"""Several boards, one team result."""

from collections.abc import Mapping, Sequence

from rulebook.errors import RuleBroken
from rulebook.scoring import Line, Outcome
from rulebook.terms import Terms


def team_lines(
    terms: Terms, boards: Mapping[str, Sequence[Line]], *, unfinished_ok: bool = False
) -> tuple[Line, ...]:
    """The team's lines: `wins` are boards won, `draws` boards drawn; more boards win the match.

    A match is decided early when no open board can turn it (Magic Tournament Rules 8.2).
    """
    unknown = sorted(set(boards) - set(terms.boards))
    if unknown:
        raise RuleBroken("unknown-board", f"This match has no board {unknown[0]!r}.", board=unknown[0])
    won = [_won(boards, side) for side in range(terms.sides)]
    open_boards = len(terms.boards) - len(boards)
    best, rest = max(won), sorted(won)[-2]
    if open_boards and best <= rest + open_boards and not unfinished_ok:
        raise RuleBroken(
            "boards-missing",
            f"Report board {', '.join(b for b in terms.boards if b not in boards)} first.",
            open=open_boards,
        )
    drawn = sum(all(line.outcome is Outcome.DRAW for line in lines) for lines in boards.values())
    leaders = [side for side, count in enumerate(won) if count == best]
    if len(leaders) > 1 and not terms.draws_allowed:
        raise RuleBroken("draw-in-elimination", "An elimination match needs a winner; play a board again.")
    return tuple(Line(side, _outcome(side, leaders), count, drawn) for side, count in enumerate(won))


def board_wins_needed(terms: Terms) -> int:
    """Boards a team needs to win for certain."""
    return len(terms.boards) // 2 + 1


def _won(boards: Mapping[str, Sequence[Line]], side: int) -> int:
    return sum(
        line.side == side and line.outcome is Outcome.WIN for lines in boards.values() for line in lines
    )


def _outcome(side: int, leaders: Sequence[int]) -> Outcome:
    if side not in leaders:
        return Outcome.LOSS
    return Outcome.WIN if len(leaders) == 1 else Outcome.DRAW
