"""The hall as this process knows it: scenes and sheets are read whole once, then only what the journal names.

A hall of a thousand teams takes a third of a second to read, and a result changes one table of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from journal.changes import changes_since
from journal.recording import version_of
from tournaments.announcements import shown_announcements
from tournaments.models import Announcement, Round, Tournament
from tournaments.pages.kept import Kept, may_keep
from tournaments.pages.scenes import Scene, scene_of
from tournaments.pages.sheets import Sheet, TableRow, read_sheet, without_opponent

MOST_CHANGES = 100
# These are on no sheet, whatever happens to them.
ELSEWHERE = ("seat:", "step:", "announcement:", "upload:", "user:", "invitation:")


@dataclass(frozen=True, slots=True)
class _Seen:
    version: int
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class HallScene:
    """A scene with what is announced, as all players see it."""

    scene: Scene
    announcements: tuple[Announcement, ...]


_sheets: Kept[int, _Seen] = Kept(32)
_scenes: Kept[int, tuple[int, HallScene]] = Kept(64)


def sheet_of(rnd: Round, labels: Sequence[str], *, with_reports: bool = False) -> Sheet:
    """The round's live matches as they are now, all of them read at the first time only. Nobody changes what
    stands in it: others read it, too."""
    if not may_keep():
        return read_sheet(rnd, labels, with_reports=with_reports)
    tournament_id, seen = rnd.stage.tournament_id, _sheets.get(rnd.pk)
    changes = changes_since(tournament_id, seen.version, MOST_CHANGES) if seen else None
    if seen is None or changes is None:
        return _read(rnd, labels, version_of(tournament_id))
    subjects = {subject for subject in changes.subjects if not subject.startswith(ELSEWHERE)}
    if not all(subject.startswith("match:") for subject in subjects):
        return _read(rnd, labels, changes.version)
    sheet = seen.sheet
    if subjects:
        sheet = _patched(sheet, rnd, labels, {int(subject.partition(":")[2]) for subject in subjects})
    if changes.version != seen.version:
        _sheets.put(rnd.pk, _Seen(changes.version, sheet))
    return sheet


def hall_scene(tournament_id: int, shared: int) -> HallScene:
    """The tournament with its stages, rounds and announcements. `shared` is the newest deed that is not about
    one match, team or seat alone: as long as it stays, they are not read again."""
    seen = _scenes.get(tournament_id) if may_keep() else None
    if seen is not None and seen[0] == shared:
        return seen[1]
    tournament = Tournament.objects.select_related("store").get(pk=tournament_id)
    hall = HallScene(scene_of(tournament), tuple(shown_announcements(tournament_id)))
    if may_keep():
        _scenes.put(tournament_id, (shared, hall))
    return hall


def _read(rnd: Round, labels: Sequence[str], version: int) -> Sheet:
    # The version is older than what is read, if they differ: then a match is read twice, and none is missed.
    sheet = read_sheet(rnd, labels, with_reports=True)
    _sheets.put(rnd.pk, _Seen(version, sheet))
    return sheet


def _patched(old: Sheet, rnd: Round, labels: Sequence[str], match_ids: set[int]) -> Sheet:
    """The sheet with these matches as they are now."""
    cards = {side.card.id: side.card for row in old.rows for side in row.sides}
    now = read_sheet(rnd, labels, with_reports=True, only=match_ids, cards=cards)
    rows = {row.match_id: row for row in old.rows if row.match_id not in match_ids}
    rows |= {row.match_id: row for row in now.rows}
    tables = sorted((row for row in rows.values() if not row.is_alone), key=_by_table)
    kept = {pk: match for pk, match in old.matches.items() if pk not in match_ids}
    return replace(
        old, tables=tuple(tables), alone=without_opponent(rows.values()), matches={**kept, **now.matches}
    )


def _by_table(row: TableRow) -> tuple[bool, int, int]:
    return row.table is None, row.table or 0, row.match_id
