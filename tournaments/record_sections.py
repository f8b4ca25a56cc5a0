"""The sections of a tournament's file: which rows it holds, in the order in which they can be made again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Field, ForeignKey, JSONField, Model, QuerySet

from journal.models import Deed
from matches.models import Board, Call, Chair, Game, Line, Match, Opening, Report, Result, Side
from rulebook.errors import RuleBroken
from teams.models import Player, Seat, Team, User
from tournaments.models import (
    Announcement,
    ByeGrant,
    DeckCheck,
    Penalty,
    Round,
    Slot,
    Snapshot,
    SnapshotRow,
    Stage,
    StageEntry,
    Step,
    Tournament,
)
from tournaments.record_refs import (
    PAIRING_KEYS,
    Renumber,
    renumbered,
    renumbered_deed,
    renumbered_report,
    renumbered_subject,
)


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of one model; `path` leads from a row to its tournament."""

    name: str
    model: type[Model]
    path: str
    without: tuple[str, ...] = ()

    def rows(self, tournament_id: int) -> "QuerySet[Any]":
        """The rows of the tournament, in the order of their numbers in the file."""
        order = "number" if self.model is Deed else "pk"
        manager: Any = self.model._default_manager
        return manager.filter(**{self.path: tournament_id}).order_by(order)

    def fields(self) -> "list[Field[Any, Any]]":
        """What is written of each row: everything but its key, its tournament and what is left out."""
        return [
            field
            for field in self.model._meta.concrete_fields
            if not field.primary_key
            and field.related_model is not Tournament
            and field.name not in self.without
        ]


# In this order every row's owners come before it; the deeds of penalties and steps are set at the end.
SECTIONS = (
    Section("teams", Team, "tournament"),
    Section("seats", Seat, "tournament"),
    Section("granted_byes", ByeGrant, "team__tournament"),
    Section("stages", Stage, "tournament"),
    Section("stage_entries", StageEntry, "stage__tournament"),
    Section("rounds", Round, "stage__tournament"),
    Section("matches", Match, "tournament"),
    Section("sides", Side, "match__tournament"),
    Section("chairs", Chair, "match__tournament"),
    Section("boards", Board, "match__tournament"),
    Section("games", Game, "board__match__tournament"),
    Section("openings", Opening, "game__board__match__tournament"),
    Section("results", Result, "match__tournament"),
    Section("lines", Line, "result__match__tournament"),
    Section("reports", Report, "match__tournament"),
    Section("calls", Call, "match__tournament"),
    Section("slots", Slot, "stage__tournament"),
    Section("snapshots", Snapshot, "stage__tournament", ("digest",)),
    Section("standings", SnapshotRow, "snapshot__stage__tournament"),
    Section("announcements", Announcement, "tournament"),
    Section("deck_checks", DeckCheck, "match__tournament"),
    Section("penalties", Penalty, "tournament"),
    Section("steps", Step, "tournament"),
    Section("deeds", Deed, "tournament"),
)
NAME_OF: Mapping[type[Model], str] = {
    Player: "players", User: "users", **{one.model: one.name for one in SECTIONS},
}  # fmt: skip


def section_of(field: "Field[Any, Any]") -> str:
    """The section a key points into; empty for a field that is no key."""
    if not isinstance(field, ForeignKey):
        return ""
    return NAME_OF[field.related_model]


def json_of(section: str, name: str, row: Mapping[str, Any], value: Any, renumber: Renumber) -> Any:
    """The JSON value of a field with its ids renumbered, by what the field holds."""
    if section == "deeds":
        return renumbered_deed(row["kind"], value, renumber)
    if section == "reports":
        return renumbered_report(value, renumber)
    if section == "rounds" or (section, name) == ("stages", "settings"):
        return renumbered(value, PAIRING_KEYS, renumber)
    return value


Way = Callable[[str], str]


def written(section: Section, row: Mapping[str, Any], renumber: Renumber, actor: Way) -> dict[str, Any]:
    """A row of the database as the file has it."""
    told: dict[str, Any] = {}
    for field in section.fields():
        value = row[field.attname]
        if value is None:
            told[field.name] = None
        elif to := section_of(field):
            told[field.name] = renumber(to, value)
        elif isinstance(field, JSONField):
            told[field.name] = json_of(section.name, field.name, row, value, renumber)
        else:
            told[field.name] = value
    return _with_people(section, told, renumber, actor)


def read(section: Section, row: Mapping[str, Any], renumber: Renumber, actor: Way) -> dict[str, Any]:
    """A row of the file as the database takes it; `RuleBroken` names what does not fit."""
    told: dict[str, Any] = {}
    for field in section.fields():
        if field.name not in row:
            continue
        value = row[field.name]
        if value is not None and (to := section_of(field)):
            told[field.attname] = renumber(to, value)
        elif value is not None and isinstance(field, JSONField):
            told[field.attname] = json_of(section.name, field.name, row, value, renumber)
        else:
            told[field.attname] = checked(section.name, field, value)
    return _with_people(section, told, renumber, actor)


def checked(section: str, field: "Field[Any, Any]", value: Any) -> Any:
    """The value as the field holds it; `RuleBroken` when it has no place there."""
    given = field.to_python(value)
    known = [key for key, _ in field.flatchoices]
    too_long = field.max_length is not None and len(str(given)) > field.max_length
    if (known and given not in known and given not in (None, "")) or too_long:
        raise RuleBroken(
            "file-broken", f"The file does not fit: {field.name} in {section} cannot be {str(value)[:60]!r}."
        )
    return given


def _with_people(section: Section, told: dict[str, Any], renumber: Renumber, actor: Way) -> dict[str, Any]:
    if section.name == "deeds":
        is_seat = told["actor"].startswith("seat:")
        told["actor"] = renumbered_subject(told["actor"], renumber) if is_seat else actor(told["actor"])
        told["subject"] = renumbered_subject(told["subject"], renumber)
    return told
