"""The ids of a tournament's file: every row is known by its place in its section, also inside the journal."""

from collections.abc import Callable, Mapping
from typing import Any

Renumber = Callable[[str, int], int]

# Which section the numbers under a key of a deed's before and after belong to, lists included.
DEED_KEYS: Mapping[str, str] = {
    "seats": "players",
    "player": "players",
    "promoted": "teams",
    "won_by": "teams",
    "tied": "teams",
    "groups": "teams",
    "checked_in": "teams",
    "joined": "teams",
    "team": "teams",
    "was": "players",
    "by": "teams",
    "moved": "matches",
    "match": "matches",
    "matches": "matches",
    "match_id": "matches",
    "penalty": "penalties",
    "in_round": "rounds",
    "result": "results",
    "invitation": "invitations",
    "order": "orders",
    "prize": "prizes",
    "prizes": "prizes",
    "user": "users",
}
# The same for what a round was paired from, for what came out, and for a stage's settings.
PAIRING_KEYS: Mapping[str, str] = dict.fromkeys(
    (
        "id", "met", "entrants", "fixed_byes", "forbidden", "pairs", "byes", "bye", "pods",
        "bracket", "absent", "losses", "groups",
    ),
    "teams",
)  # fmt: skip
REPAIRS = ("RoundRepaired", "RepairTakenBack")
SECTION_OF = {
    "team": "teams",
    "round": "rounds",
    "match": "matches",
    "stage": "stages",
    "seat": "seats",
    "player": "players",
    "snapshot": "snapshots",
    "step": "steps",
    "announcement": "announcements",
    "penalty": "penalties",
    "call": "calls",
    "tournament": "tournament",
    "user": "users",
}


def renumbered(value: Any, keys: Mapping[str, str], renumber: Renumber, section: str = "") -> Any:
    """The JSON value with every id in it renumbered; what stands under no known key stays as it is."""
    if isinstance(value, dict):
        # Under "seats" stand labels with their players; a match told as a whole is a result with counts.
        inner = section if section == "players" and keys is DEED_KEYS else ""
        return {key: renumbered(one, keys, renumber, keys.get(key, inner)) for key, one in value.items()}
    if isinstance(value, list):
        return [renumbered(one, keys, renumber, section) for one in value]
    if section and isinstance(value, int) and not isinstance(value, bool):
        return renumber(section, value)
    return value


def renumbered_deed(kind: str, value: Any, renumber: Renumber) -> Any:
    """What a deed tells of before or after; a few kinds keep ids in lists of their own form."""
    value = renumbered(value, DEED_KEYS, renumber)
    if not isinstance(value, dict):
        return value
    if kind == "RoundRepaired" and isinstance(value.get("round"), int):
        value["round"] = renumber("rounds", value["round"])
    if isinstance(value.get("teams"), list):
        value["teams"] = [renumber("teams", team) for team in value["teams"]]
    if "places" in value:
        value["places"] = [[place, renumber("teams", team)] for place, team in value["places"]]
    if kind in REPAIRS and "voided" in value:
        value["voided"] = [
            [[renumber("teams", team) for team in sides], table, renumber("matches", match)]
            for sides, table, match in value["voided"]
        ]
    if kind in REPAIRS and "made" in value:
        value["made"] = [
            [renumber("matches", match), [renumber("teams", team) for team in sides]]
            for match, sides in value["made"]
        ]
    return value


def renumbered_report(body: dict[str, Any], renumber: Renumber) -> dict[str, Any]:
    """A side's report, whose counts are keyed by team."""
    told = dict(body)
    if isinstance(told.get("wins"), dict):
        told["wins"] = {str(renumber("teams", int(team))): count for team, count in told["wins"].items()}
    for key in ("loser", "winner"):
        if isinstance(told.get(key), int):
            told[key] = renumber("teams", told[key])
    return told


def renumbered_subject(subject: str, renumber: Renumber) -> str:
    """`team:812` by the numbers of the other side; a subject of no known form stays."""
    word, _, number = subject.partition(":")
    if not number.lstrip("-").isdecimal():
        return subject
    return f"{word}:{renumber(SECTION_OF.get(word, word), int(number))}"
