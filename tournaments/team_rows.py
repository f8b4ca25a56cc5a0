"""The rows of a list of teams: what each would enter, and what is wrong in it alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from rulebook.errors import RuleBroken
from teams.models import Player
from teams.names import LONGEST_GROUP, clean_name
from tournaments.team_file import Table

NEW = "new"
# Who stands in the file twice is no player of the store yet.
TWIN = 0
# What becomes of a row in which a teammate is missing.
WRONG, INCOMPLETE, SOLO = "", "incomplete", "solo"


@dataclass(slots=True)
class PlannedPerson:
    """One person of a row: who the store knows him as, or the question whether it does."""

    label: str
    name: str
    external_id: str = ""
    email: str = ""
    display_name: str = ""
    known: Player | None = None
    asked: tuple[tuple[int, str], ...] = ()
    is_answered: bool = True

    def is_surely_not(self, other: "PlannedPerson") -> bool:
        """Ids or addresses say that the two are different people."""
        pairs = ((self.external_id, other.external_id), (self.email.casefold(), other.email.casefold()))
        return any(one and two and one != two for one, two in pairs)


@dataclass(slots=True)
class PlannedRow:
    """One row: what it would enter, and every reason why it cannot."""

    number: int
    team: str
    people: list[PlannedPerson]
    group: str = ""
    seed: int | None = None
    bye: int | None = None
    is_solo: bool = False
    lacks: tuple[str, ...] = ()
    errors: list[str] = field(default_factory=list)
    is_in_already: bool = False

    @property
    def is_good(self) -> bool:
        return not self.errors and not self.is_in_already


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole file against what the store and the tournament know."""

    table: Table
    columns: Mapping[str, int]
    rows: list[PlannedRow]

    @property
    def good(self) -> list[PlannedRow]:
        return [row for row in self.rows if row.is_good]

    @property
    def entered(self) -> list[PlannedRow]:
        """The good ones, and those of teams that are in already, whose people learn what the file says."""
        return [row for row in self.rows if not row.errors]

    @property
    def asked(self) -> list[tuple[str, PlannedRow, PlannedPerson]]:
        """Who may be somebody the store knows, by the key of the answer."""
        people = ((row, person) for row in self.rows for person in row.people if person.asked)
        return [(f"{row.number}-{person.label}", row, person) for row, person in people]

    @property
    def wrong(self) -> list[PlannedRow]:
        return [row for row in self.rows if row.errors]


def row_of(
    number: int,
    cells: Sequence[str],
    columns: Mapping[str, int],
    labels: Sequence[str],
    rounds: int,
) -> PlannedRow:
    """The row as the columns read it, with what is wrong in it alone."""

    def cell(key: str) -> str:
        index = columns.get(key)
        return " ".join(cells[index].split()) if index is not None and index < len(cells) else ""

    row = PlannedRow(number, cell("team"), [], group=cell("group"))
    for label in labels:
        person = PlannedPerson(
            label,
            cell(f"name_{label}"),
            cell(f"id_{label}"),
            cell(f"email_{label}"),
            cell(f"display_{label}"),
        )
        if not person.name:
            row.lacks = (*row.lacks, label)
            continue
        row.people.append(person)
        row.errors.extend(_wrong_in(person))
    if row.team:
        row.errors.extend(_refusal(row.team, "team name"))
    if len(row.group) > LONGEST_GROUP:
        row.errors.append(f"Shorten the group to at most {LONGEST_GROUP} characters.")
    row.seed = _whole(cell("seed"), "seed", 999_999, row.errors)
    row.bye = _whole(cell("bye"), "bye round", rounds, row.errors)
    return row


def settle_missing(rows: Iterable[PlannedRow], labels: Sequence[str], how: str) -> None:
    """A row that lacks a teammate is wrong, an incomplete team, or somebody who looks for a partner."""
    for row in rows:
        if not row.lacks:
            continue
        if how == WRONG or not row.people:
            row.errors[:0] = [
                f"The name of {label} is missing." if len(labels) > 1 else "The name is missing."
                for label in row.lacks
            ]
        row.is_solo = how == SOLO and len(row.people) == 1


def _wrong_in(person: PlannedPerson) -> list[str]:
    wrong = _refusal(person.name, "player's name")
    if person.display_name:
        wrong += _refusal(person.display_name, "public name")
    if len(person.external_id) > 80:
        wrong.append("Shorten the player id to at most 80 characters.")
    if person.email:
        try:
            validate_email(person.email)
        except ValidationError:
            wrong.append(f"{person.email} is no e-mail address.")
    return wrong


def _refusal(name: str, what: str) -> list[str]:
    try:
        clean_name(name, what)
    except RuleBroken as broken:
        return [broken.sentence]
    return []


def _whole(text: str, what: str, most: int, errors: list[str]) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= most:
        return int(text)
    errors.append(f"The {what} is a number from 1 to {most}, not {text[:20]}.")
    return None
