"""A tournament file becomes a tournament: the same standings, the same journal, other ids."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.utils.text import slugify

from journal.actors import COMMAND, Actor
from journal.kinds import DeedKind
from journal.models import Deed, Head
from journal.recording import record
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from teams.models import Player, Store, User
from teams.names import folded
from tournaments.json_text import json_of
from tournaments.models import Penalty, Snapshot, SnapshotRow, Staff, Step, Tournament
from tournaments.record_sections import SECTIONS, Section, checked, read
from tournaments.team_import import ENTERED, Told, tell_nobody
from tournaments.tournament_file import NOT_IN_FILE, PLAYER_FIELDS, refuse_other_files

LARGEST = 64 * 2**20
BATCH = 500
# So many rows of a kind are saved before somebody is told how far it is.
STEP = 2000
# What a file that was changed by hand runs into; nothing of it is kept.
BROKEN = (
    *(KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError),
    *(ValidationError, DatabaseError),
)


def import_tournament(
    *,
    text: str,
    store_id: int,
    slug: str = "",
    organizer_id: int | None = None,
    actor: Actor = COMMAND,
    told: Told = tell_nobody,
) -> Tournament:
    """The tournament of the file stands in the store, all of it or nothing; players are those of the store
    by their external id, else new. The journal is taken over as it is; the import is the deed after it."""
    file = read_file(text)
    try:
        with transaction.atomic():
            return _Import(file, store_id, told).run(slug, organizer_id, actor)
    except BROKEN as error:
        missing = isinstance(error, KeyError)
        what = f"{error} is missing" if missing else f"{type(error).__name__}: {str(error)[:160]}"
        raise RuleBroken(
            "file-broken",
            f"The file does not fit together ({what}). Nothing is imported; write it anew.",
        ) from error


def read_file(text: str) -> dict[str, Any]:
    """What the tournament file tells; any other text is refused."""
    file: dict[str, Any] = json_of(text)
    refuse_other_files(file)
    return file


def rows_of(file: Mapping[str, Any]) -> int:
    """How many records the file tells of."""
    found = (file.get(section.name) for section in SECTIONS)
    return sum(len(rows) for rows in found if isinstance(rows, list))


class _Import:
    """Makes the rows section by section and knows which number of the file became which id."""

    def __init__(self, file: dict[str, Any], store_id: int, tell: Told) -> None:
        self.told, self.store_id, self.tell = file, store_id, tell
        self.done, self.of = 0, rows_of(file)
        self.ids: dict[str, list[int]] = defaultdict(list)
        self.accounts = dict(User.objects.values_list("username", "pk"))

    def run(self, slug: str, organizer_id: int | None, actor: Actor) -> Tournament:
        self.tournament = self._tournament(slug)
        self.ids["tournament"] = [self.tournament.pk]
        self.ids["players"] = self._players(self.told["players"])
        self.ids["users"] = [self.accounts.get(name, 0) for name in self.told["users"]]
        for section in SECTIONS[:-1]:
            self._make(section)
        self._digests()
        self._deeds(SECTIONS[-1])
        self._deeds_of("penalties", Penalty)
        self._deeds_of("steps", Step)
        if organizer_id is not None:
            Staff.objects.create(tournament=self.tournament, user_id=organizer_id, role=Staff.Role.ORGANIZER)
        last = len(self.told["deeds"])
        Head.objects.create(tournament=self.tournament, last=last)
        record(
            tournament_id=self.tournament.pk,
            kind=DeedKind.TOURNAMENT_IMPORTED,
            actor=actor,
            subject=f"tournament:{self.tournament.pk}",
            after={"deeds": last},
        )
        return self.tournament

    def note(self, count: int) -> None:
        """So many rows more are entered."""
        self.done += count
        self.tell(ENTERED, self.done, self.of)

    def renumber(self, section: str, number: int) -> int:
        """The id a number of the file has here; what was not in the file keeps its negative number."""
        if number < 0:
            return number
        if number == 0:
            raise ValueError(f"{section} are numbered from 1")
        return self.ids[section][number - 1]

    def actor(self, name: str) -> str:
        word, _, username = name.partition(":")
        if word != "user":
            return name
        return (
            f"user:{self.accounts[username]}" if username in self.accounts else f"elsewhere:{username}"[:40]
        )

    def _tournament(self, slug: str) -> Tournament:
        told = self.told["tournament"]
        fields = [field for field in Tournament._meta.concrete_fields if field.name not in NOT_IN_FILE]
        values = {f.attname: checked("tournament", f, told[f.name]) for f in fields if f.name in told}
        mode_of(values["mode"])
        values["slug"] = _free_slug(slug or values["slug"])
        return Tournament.objects.create(store=Store.objects.get(pk=self.store_id), **values)

    def _players(self, rows: list[dict[str, Any]]) -> list[int]:
        """The store's players of the rows, those of an id it knows found again, in the order of the rows."""
        fields = {f.name: f for f in Player._meta.concrete_fields}
        names = (*PLAYER_FIELDS, "contact")
        told = [
            {name: checked("players", fields[name], row[name]) for name in names if name in row}
            for row in rows
        ]
        with_id = Player.objects.filter(
            store=self.store_id, external_id__in={one["external_id"] for one in told} - {""}
        )
        known = {(player.source, player.external_id): player for player in with_id}
        players = [
            known.get((one["source"], one["external_id"]))
            or Player(store_id=self.store_id, folded=folded(one["name"]), **one)
            for one in told
        ]
        Player.objects.bulk_create([one for one in players if one.pk is None], batch_size=BATCH)
        return [player.pk for player in players]

    def _values(self, section: Section, row: dict[str, Any]) -> dict[str, Any]:
        values = read(section, row, self.renumber, self.actor)
        if any(field.name == "tournament" for field in section.model._meta.concrete_fields):
            values["tournament_id"] = self.tournament.pk
        return values

    def _make(self, section: Section) -> None:
        rows = []
        for row in self.told[section.name]:
            values = self._values(section, {**row, "deed": None} if "deed" in row else row)
            if section.name == "calls" and values.get("taken_by_id") == 0:
                values["taken_by_id"] = None
            rows.append(section.model(**values))
        manager: Any = section.model._default_manager
        made = self.ids[section.name] = []
        for start in range(0, len(rows), STEP):
            chunk = manager.bulk_create(rows[start : start + STEP], batch_size=BATCH)
            made.extend(row.pk for row in chunk)
            self.note(len(chunk))

    def _deeds(self, section: Section) -> None:
        """The journal, number by number; a deed that undoes another needs that one to be there."""
        waiting: list[Deed] = []
        made: list[int] = []
        self.ids["deeds"] = made
        for number, row in enumerate(self.told["deeds"], 1):
            if row["number"] != number:
                raise ValueError(f"deed {number} of the journal is missing")
            DeedKind(row["kind"])
            if row.get("undoes"):
                made.extend(one.pk for one in Deed.objects.bulk_create(waiting))
                waiting = []
            waiting.append(Deed(**self._values(section, row)))
            if len(waiting) == BATCH:
                made.extend(one.pk for one in Deed.objects.bulk_create(waiting))
                self.note(len(waiting))
                waiting = []
        made.extend(one.pk for one in Deed.objects.bulk_create(waiting))

    def _deeds_of(self, name: str, model: type[Penalty] | type[Step]) -> None:
        for pk, row in zip(self.ids[name], self.told[name], strict=True):
            if row["deed"]:
                model._default_manager.filter(pk=pk).update(deed=self.renumber("deeds", row["deed"]))

    def _digests(self) -> None:
        """Each snapshot's digest, told by the ids that its teams have here."""
        rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
        stored = SnapshotRow.objects.filter(snapshot__in=self.ids["snapshots"]).order_by("position")
        keys = ("team_id", "rank", "points", "record", "figures")
        for snapshot, *told in stored.values_list("snapshot_id", *keys):
            rows[snapshot].append(dict(zip(keys, told, strict=True)))
        for pk in self.ids["snapshots"]:
            digest = hashlib.sha256(json.dumps(rows[pk], sort_keys=True).encode()).hexdigest()
            Snapshot.objects.filter(pk=pk).update(digest=digest)


def _free_slug(wanted: str) -> str:
    """The address, with a number behind it where it is taken."""
    if slugify(wanted) != wanted or not 0 < len(wanted) <= 80:
        raise RuleBroken(
            "slug-broken", f"{wanted!r} is no address: small letters, digits, - and _, at most 80."
        )
    slug, number = wanted, 2
    while Tournament.objects.filter(slug=slug).exists():
        slug, number = f"{wanted[:74]}-{number}", number + 1
    return slug
