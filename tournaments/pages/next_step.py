"""The one deed that comes next, so that the desk has one filled button and it is always the right one."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulebook.lifecycle import RoundState, TournamentState
from tournaments.drafting import groups_of, is_draft_round
from tournaments.models import Round, Stage
from tournaments.pages.hall_deeds import plural
from tournaments.pages.scenes import Scene, name_of
from tournaments.pages.sheets import Sheet
from tournaments.staff import Can


@dataclass(frozen=True, slots=True)
class Next:
    """The deed, what its button says, what it will change, and what it still waits for."""

    deed: str
    label: str
    changes: str
    can: Can
    waits_for: str = ""
    round_id: int | None = None


def next_step(scene: Scene, sheet: Sheet | None, complete: int) -> Next | None:
    """The deed that comes next; None when the tournament is over. `complete` teams can start."""
    tournament = scene.tournament
    if tournament.state == TournamentState.DRAFT:
        return Next(
            "open-registration",
            "Open registration",
            "The tournament becomes public and teams can register.",
            Can.SETTINGS,
        )
    if tournament.state == TournamentState.REGISTRATION:
        waits = "" if complete >= 2 else "Waiting for two complete teams"
        return Next(
            "start",
            f"Start with {complete} teams",
            "The rules are frozen. Incomplete teams and the waiting list stay outside.",
            Can.SETTINGS,
            waits,
        )
    if tournament.state != TournamentState.RUNNING or scene.stage is None:
        return None
    rnd = scene.last_round
    if rnd is None or rnd.state == RoundState.CLOSED:
        return _after(scene, scene.stage, rnd)
    return _of_round(rnd, sheet)


def _of_round(rnd: Round, sheet: Sheet | None) -> Next:
    name = name_of(rnd)
    tables = len(sheet.tables) if sheet else 0
    if rnd.state == RoundState.PAIRED:
        return Next(
            "publish",
            f"Publish {name}",
            f"Everybody sees the pairings of {plural(tables, 'table')}; byes are scored.",
            Can.PAIR,
            round_id=rnd.pk,
        )
    if rnd.state == RoundState.PUBLISHED:
        minutes = rnd.stage.tournament.round_minutes if rnd.stage else 0
        return Next(
            "start-round",
            f"Start {name}",
            f"The clock runs for {plural(minutes, 'minute')} and results can come in.",
            Can.RUN_CLOCK,
            round_id=rnd.pk,
        )
    missing = [row.table or 0 for row in sheet.missing] if sheet else []
    return Next(
        "close",
        f"Close {name}",
        _closing(rnd),
        Can.RUN_CLOCK,
        _waiting(missing),
        rnd.pk,
    )


def _closing(rnd: Round) -> str:
    if rnd.stage.is_bracket:
        return "The results count and the bracket goes on."
    if rnd.stage.tournament.shows_standings:
        return "The results count and the standings are published."
    return "The results count; the standings stay hidden until you publish them."


def _after(scene: Scene, stage: Stage, rnd: Round | None) -> Next:
    played = rnd.number if rnd else 0
    if _waits_for_draft(stage, rnd):
        return Next(
            "seat-draft",
            "Seat the drafting groups",
            "Groups and seats are drawn and everybody sees them.",
            Can.PAIR,
        )
    if played < stage.planned_rounds:
        name = _name(stage, played + 1)
        return Next("pair", f"Pair {name}", "A draft that only staff see.", Can.PAIR)
    if not stage.is_bracket and scene.tournament.cut:
        cut = scene.tournament.cut
        return Next(
            "make-cut",
            f"Make the cut to the top {cut}",
            f"The first {cut} teams still playing enter the bracket; the rounds before it are over.",
            Can.PAIR,
        )
    return Next("finish", "Finish the tournament", "The final ranking is published.", Can.SETTINGS)


def _waits_for_draft(stage: Stage, rnd: Round | None) -> bool:
    """Groups have to be drawn before the first round."""
    return rnd is None and is_draft_round(stage, 1) and not groups_of(stage)


def _name(stage: Stage, number: int) -> str:
    return name_of(Round(stage=stage, number=number))


def _waiting(tables: Sequence[int]) -> str:
    if not tables:
        return ""
    if len(tables) == 1:
        return f"Waiting for table {tables[0]}"
    if len(tables) <= 8:
        return f"Waiting for tables {', '.join(map(str, sorted(tables)))}"
    return f"Waiting for {len(tables)} tables"
