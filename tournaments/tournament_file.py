"""A whole tournament as one JSON file, and the tournament such a file makes; see docs/tournament-file.md."""

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from journal.kinds import DeedKind
from journal.models import Deed
from matches.models import Chair
from rulebook.errors import RuleBroken
from teams.models import Player, Seat, User
from tournaments.models import Penalty, Tournament
from tournaments.record_sections import SECTIONS, written

FORMAT = "tandem-tournament"
SCHEMA = 1
PLAYER_FIELDS = ("name", "display_name", "mark", "source", "external_id", "erased_at")
# Of the tournament's row: what belongs to the installation is not part of it.
NOT_IN_FILE = frozenset({"id", "store"})


def export_tournament(tournament: Tournament, *, with_contacts: bool = False) -> str:
    """The whole tournament as text, the same for the same rows; no link, token, hash or account is in it."""
    told = _told(tournament, with_contacts=with_contacts)
    return json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True, default=_plain) + "\n"


def file_name(tournament: Tournament) -> str:
    return f"{tournament.slug}.tandem.json"


def _told(tournament: Tournament, *, with_contacts: bool) -> dict[str, Any]:
    players = _players(tournament)
    numbers = _Numbers()
    numbers.know("tournament", [tournament.pk])
    numbers.know("players", [player.pk for player in players])
    rows = {section.name: list(section.rows(tournament.pk).values()) for section in SECTIONS}
    if rows["deeds"] and rows["deeds"][-1]["kind"] == DeedKind.TOURNAMENT_IMPORTED:
        # Nothing happened since the import: the file is the one that was imported.
        rows["deeds"].pop()
    for name, found in rows.items():
        numbers.know(name, [row["id"] for row in found])
    people = _Accounts(rows["deeds"])
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "tournament": _tournament(tournament),
        "players": [_player(player, with_contacts) for player in players],
        "users": people.names_in(rows, numbers),
        **{
            section.name: [
                written(section, row, numbers.renumber, people.named) for row in rows[section.name]
            ]
            for section in SECTIONS
        },
    }


def _tournament(tournament: Tournament) -> dict[str, Any]:
    fields = [field for field in Tournament._meta.concrete_fields if field.name not in NOT_IN_FILE]
    return {field.name: getattr(tournament, field.attname) for field in fields} | {
        "store": tournament.store.slug
    }


def _player(player: Player, with_contacts: bool) -> dict[str, Any]:
    told = {name: getattr(player, name) for name in PLAYER_FIELDS}
    return told | ({"contact": player.contact} if with_contacts else {})


def _players(tournament: Tournament) -> list[Player]:
    """Everybody who has a part in it, in the order in which they came to it."""
    ids = [
        *Seat.objects.filter(tournament=tournament).order_by("pk").values_list("player_id", flat=True),
        *Chair.objects.filter(match__tournament=tournament)
        .order_by("pk")
        .values_list("player_id", flat=True),
        *Penalty.objects.filter(tournament=tournament).order_by("pk").values_list("player_id", flat=True),
        *_named_in_deeds(tournament),
    ]
    order = [pk for pk in dict.fromkeys(ids) if pk is not None]
    found = Player.objects.filter(store=tournament.store_id).in_bulk(order)
    return [found[pk] for pk in order if pk in found]


def _named_in_deeds(tournament: Tournament) -> list[int]:
    subjects = Deed.objects.filter(tournament=tournament, subject__startswith="player:").order_by("number")
    numbers = (subject.partition(":")[2] for subject in subjects.values_list("subject", flat=True))
    return [int(number) for number in numbers if number.isdecimal()]


class _Numbers:
    """Each row's number in the file; rows that are not in it are counted downwards as they appear."""

    def __init__(self) -> None:
        self.known: dict[str, dict[int, int]] = defaultdict(dict)
        self.missing: dict[str, dict[int, int]] = defaultdict(dict)

    def know(self, section: str, ids: list[int]) -> None:
        self.known[section] = {pk: number for number, pk in enumerate(ids, 1)}

    def renumber(self, section: str, pk: int) -> int:
        number = self.known[section].get(pk)
        if number is not None:
            return number
        gone = self.missing[section]
        return gone.setdefault(pk, -1 - len(gone))


class _Accounts:
    """Staff accounts by name: the installation that reads the file has other numbers for them."""

    def __init__(self, deeds: list[dict[str, Any]]) -> None:
        ids = {int(number) for row in deeds for number in _user_numbers(row)}
        self.names = dict(User.objects.filter(pk__in=ids).values_list("pk", "username"))

    def named(self, actor: str) -> str:
        word, _, number = actor.partition(":")
        if word == "user" and number.isdecimal():
            return f"user:{self.names.get(int(number), number)}"[:40]
        return f"user:{number}" if word == "elsewhere" else actor

    def names_in(self, rows: Mapping[str, list[dict[str, Any]]], numbers: _Numbers) -> list[str]:
        """The accounts that did something at a table; each is numbered as it appears."""
        ids = [row["taken_by_id"] for row in rows["calls"] if row["taken_by_id"]]
        ids += [int(number) for row in rows["deeds"] for number in _user_numbers(row)[1:]]
        order = list(dict.fromkeys(ids))
        known = dict(User.objects.filter(pk__in=order).values_list("pk", "username"))
        order = [pk for pk in order if pk in known]
        numbers.know("users", order)
        return [known[pk] for pk in order]


def _user_numbers(row: Mapping[str, Any]) -> list[str]:
    """The accounts a deed names: who did it first, then whom it was done to and who is inside."""
    found = [row["actor"].partition(":")[2] if row["actor"].startswith("user:") else "0"]
    if row["subject"].startswith("user:"):
        found.append(row["subject"].partition(":")[2])
    inside = [told.get("user") for told in (row["before"], row["after"]) if isinstance(told, dict)]
    found.extend(str(user) for user in inside if isinstance(user, int))
    return [number for number in found if number.isdecimal()]


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    raise TypeError(f"{type(value).__name__} has no form in the file")


def refuse_other_files(told: Any) -> None:
    """The text was written by `export_tournament`, in a schema that can be read here."""
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise RuleBroken(
            "file-unknown", "This is no tournament file. One comes from the desk: Print and files."
        )
    if told.get("schema") != SCHEMA:
        raise RuleBroken(
            "file-schema",
            f"The file has schema {told.get('schema')}; this installation reads schema {SCHEMA}.",
        )
