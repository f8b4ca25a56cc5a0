"""What a key may do: one scope for each sort of work, in words for whoever makes the key."""

from collections.abc import Mapping
from enum import StrEnum


class Scope(StrEnum):
    """One sort of work; a key has some of them."""

    READ = "read"
    PEOPLE_READ = "people:read"
    TEAMS_WRITE = "teams:write"
    ORDERS_WRITE = "orders:write"
    RESULTS_WRITE = "results:write"
    ROUNDS_WRITE = "rounds:write"
    PENALTIES_WRITE = "penalties:write"
    PRIZES_WRITE = "prizes:write"
    WEBHOOKS_WRITE = "webhooks:write"
    STAFF = "staff"

    @property
    def words(self) -> str:
        """What it is, as somebody who makes a key reads it."""
        return IN_WORDS[self]


IN_WORDS: Mapping[Scope, str] = {
    Scope.READ: "read tournaments, rounds, pairings and standings, also of drafts; no contact, no penalty",
    Scope.PEOPLE_READ: "read players with their full names, ids and contact",
    Scope.TEAMS_WRITE: "register, change, check in and withdraw teams; drop them and take them back",
    Scope.ORDERS_WRITE: "reserve, confirm and cancel places",
    Scope.RESULTS_WRITE: "enter, confirm and correct results, openings and games; call judges",
    Scope.ROUNDS_WRITE: "pair, repair, publish, start and close rounds, make the cut, read drafts",
    Scope.PENALTIES_WRITE: "give and read penalties, disqualify, check decks",
    Scope.PRIZES_WRITE: "set payouts and mark prizes as paid",
    Scope.WEBHOOKS_WRITE: "name addresses that are told what happens",
    Scope.STAFF: "create, change, start and finish tournaments, appoint staff, undo, read the journal",
}


def choices() -> list[tuple[str, str]]:
    """Every scope with its words."""
    return [(scope.value, scope.words) for scope in Scope]
