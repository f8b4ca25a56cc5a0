"""What the desk sees of the hall: open calls, deck checks, losses owed and what is announced."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from journal.clock import now
from matches.models import Call
from rulebook.lifecycle import MatchState, RoundState
from tournaments.announcements import shown_announcements
from tournaments.clockwork import has_time_left
from tournaments.models import Announcement, DeckCheck, Penalty, Round
from tournaments.pages.desk_scene import Desk
from tournaments.pages.sheets import Sheet, TableRow
from tournaments.penalties import owed_in

PUBLIC_ROUND = (RoundState.PUBLISHED, RoundState.RUNNING)


@dataclass(frozen=True, slots=True)
class CallRow:
    """A judge is wanted at a table; `by` is the team that asked, `taken_by` who goes there."""

    id: int
    row: TableRow
    kind: str
    note: str
    opened_at: datetime
    by: str
    taken_by: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Hall:
    """Everything that waits for a person apart from results."""

    announcements: tuple[Announcement, ...] = ()
    calls: tuple[CallRow, ...] = ()
    checks: tuple[tuple[DeckCheck, TableRow], ...] = ()
    owed: tuple[tuple[Penalty, TableRow | None], ...] = ()
    plays_on: tuple[TableRow, ...] = ()

    @property
    def disputes(self) -> dict[int, CallRow]:
        return {call.row.match_id: call for call in self.calls if call.kind == Call.Kind.DISPUTE}

    @property
    def judge_calls(self) -> list[CallRow]:
        return [call for call in self.calls if call.kind != Call.Kind.DISPUTE]

    @property
    def marked(self) -> set[int]:
        """Tables that call a judge; a dispute is seen by its own mark."""
        return {call.row.match_id for call in self.judge_calls}

    @property
    def checked(self) -> set[int]:
        """Tables whose decks are being checked."""
        return {row.match_id for _, row in self.checks}


def hall_of(desk: Desk, rnd: Round | None, sheet: Sheet | None) -> Hall:
    """The hall as it is now; four queries, however many tables there are."""
    announcements = tuple(shown_announcements(desk.tournament.pk))
    if rnd is None or sheet is None or rnd.state not in PUBLIC_ROUND:
        return Hall(announcements=announcements)
    rows = {row.match_id: row for row in sheet.tables}
    by_team = {side.card.id: row for row in sheet.tables for side in row.sides if row.state != "confirmed"}
    checks = DeckCheck.objects.filter(round=rnd, ended_at=None).order_by("id")
    return Hall(
        announcements=announcements,
        calls=_calls(desk, rnd, rows),
        checks=tuple((check, rows[check.match_id]) for check in checks if check.match_id in rows),
        owed=tuple((one, by_team.get(one.team_id or 0)) for one in owed_in(desk.tournament.pk)),
        plays_on=_plays_on(rnd, sheet),
    )


def _calls(desk: Desk, rnd: Round, rows: Mapping[int, TableRow]) -> tuple[CallRow, ...]:
    found = Call.objects.filter(match__round=rnd, ended_at=None).select_related("taken_by", "side")
    made = []
    for call in found.order_by("opened_at", "id"):
        row = rows.get(call.match_id)
        if row is None:
            continue
        by = next((s.card.shown_name for s in row.sides if call.side and s.card.id == call.side.team_id), "")
        taken = call.taken_by
        made.append(
            CallRow(
                id=call.pk,
                row=row,
                kind=call.kind,
                note=call.note,
                opened_at=call.opened_at,
                by=by,
                taken_by=(taken.get_full_name() or taken.username) if taken else "",
                is_mine=call.taken_by_id == desk.user.pk,
            )
        )
    return tuple(made)


def _plays_on(rnd: Round, sheet: Sheet) -> tuple[TableRow, ...]:
    """Tables whose own extra time is not over although time was called."""
    if rnd.time_called_at is None:
        return ()
    moment = now()
    return tuple(
        row
        for row in sheet.tables
        if row.state != MatchState.CONFIRMED and has_time_left(rnd, row.extension_s, moment)
    )
