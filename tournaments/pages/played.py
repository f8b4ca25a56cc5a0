"""What happened at a table so far, read once for all who sit there, at a publish once for the whole round."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock

from journal.kinds import DeedKind
from journal.models import Deed
from journal.recording import version_of
from matches.games import games_of
from matches.models import Call, Game, Match, Opening, Report
from rulebook.setup import SetupSheet
from tournaments.models import Round
from tournaments.pages.kept import Kept, may_keep
from tournaments.pages.openings import setup_of
from tournaments.pages.sheets import board_scores
from tournaments.patience import reopened_at


@dataclass(frozen=True, slots=True)
class Played:
    """What happened at a board so far; the same for everybody who sits there."""

    games: Sequence[Game]
    reports: Sequence[Report]
    call: Call | None
    reopened_at: datetime | None
    board_scores: Sequence[tuple[str, str]]
    setup: SetupSheet | None


# With the version up to which it holds. Of rounds: the newest deed about all when they were read whole.
_played: Kept[tuple[int, str], tuple[int, Played]] = Kept(4000)
_rounds: Kept[int, int] = Kept(32)
_reading = Lock()


@dataclass(frozen=True, slots=True)
class Moment:
    """When somebody looks: the newest deed that concerns his match, the newest that concerns all, and the
    matches of the round, which are read together after such a one, since everybody comes then."""

    version: int
    shared: int
    rnd: Round
    matches: Collection[int]


def played_at(match: Match, board: str, when: Moment) -> Played:
    """What happened at the board of the match, as of this moment or later."""
    if not may_keep():
        return _read(match, board)
    seen = _played.get((match.pk, board))
    if (seen is None or seen[0] < when.version) and not board and _rounds.get(when.rnd.pk) != when.shared:
        _read_round(when)
        seen = _played.get((match.pk, board))
    if seen is not None and seen[0] >= when.version:
        return seen[1]
    return _played.put((match.pk, board), (when.version, _read(match, board)))[1]


def _read(match: Match, board: str) -> Played:
    games = games_of(match, board)
    reports = Report.objects.filter(match=match, is_current=True).select_related("side").order_by("id")
    return Played(
        games=games,
        reports=list(reports),
        call=Call.objects.filter(match=match, kind=Call.Kind.JUDGE, ended_at=None).first(),
        reopened_at=reopened_at(match),
        board_scores=board_scores(match) if board else [],
        setup=setup_of(match, board) if any(hasattr(game, "opening") for game in games) else None,
    )


def _read_round(when: Moment) -> None:
    """What happened at every table is known, except where a game was opened: that needs its set-up sheet."""
    tournament_id, pks = when.rnd.stage.tournament_id, list(when.matches)
    with _reading:
        if _rounds.get(when.rnd.pk) == when.shared:
            return
        version = version_of(tournament_id)
        opened = set(
            Opening.objects.filter(game__board__match__in=pks).values_list("game__board__match", flat=True)
        )
        games: dict[int, list[Game]] = defaultdict(list)
        for game in (
            Game.objects.filter(board__match__in=pks, board__label="")
            .select_related("board")
            .order_by("number")
        ):
            games[game.board.match_id].append(game)
        reports: dict[int, list[Report]] = defaultdict(list)
        current = Report.objects.filter(match__in=pks, is_current=True).select_related("side")
        for report in current.order_by("id"):
            reports[report.match_id].append(report)
        calls: dict[int, Call] = {}
        for call in Call.objects.filter(match__in=pks, kind=Call.Kind.JUDGE, ended_at=None):
            calls.setdefault(call.match_id, call)
        undone = _undone(tournament_id)
        for pk in set(pks) - opened:
            found = Played(games[pk], reports[pk], calls.get(pk), undone.get(pk), (), None)
            _played.put((pk, ""), (version, found))
        _rounds.put(when.rnd.pk, when.shared)


def _undone(tournament_id: int) -> Mapping[int, datetime]:
    """By match: when somebody last took back an opening or a game."""
    deeds = Deed.objects.filter(tournament_id=tournament_id, kind=DeedKind.GAME_UNDONE).order_by("number")
    return {int(subject.partition(":")[2]): at for subject, at in deeds.values_list("subject", "at")}
