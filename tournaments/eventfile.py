"""A real event as a file tells it: who played whom with which result, and what its own system published."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from rulebook.errors import RuleBroken
from rulebook.policies import StandingsPolicy, policy_of, policy_of_system
from tournaments.json_text import json_of

TWO_SIDED = ("first", "second", "draw")
WON = "winner:"
NAMED = frozenset({"rounds", "players", "system"})
ALONE = ("bye", "half_bye", "absent", "loss")
# Melee printed the own game column without a floor in these months, the first and the last one (year, month).
MELEE_WITHOUT_OWN_FLOOR = ((2024, 5), (2025, 10))


@dataclass(frozen=True, slots=True)
class Played:
    """One row of a round: two players or a pod with their result, or one player alone.

    `eliminated` were out already when a pod was drawn."""

    players: tuple[str, ...]
    games: tuple[int, ...] | None
    draws: int
    result: str
    eliminated: tuple[str, ...] = ()

    @property
    def is_table(self) -> bool:
        return len(self.players) > 1

    @property
    def is_pod(self) -> bool:
        return len(self.players) > 2

    @property
    def winner(self) -> int | None:
        """Which of the players has won, None for a draw."""
        if self.is_pod:
            named = self.result.removeprefix(WON)
            return self.players.index(named) if named in self.players else None
        return {"first": 0, "second": 1}.get(self.result)


@dataclass(frozen=True, slots=True)
class Wave:
    """One round of the file."""

    number: int
    matches: tuple[Played, ...]

    @property
    def players(self) -> set[str]:
        return {player for match in self.matches for player in match.players}


@dataclass(frozen=True, slots=True)
class Event:
    """The whole file; `drops` tells after which round a player was gone."""

    title: str
    system: str
    source: str
    players: tuple[str, ...]
    swiss: tuple[Wave, ...]
    playoff: tuple[Wave, ...]
    drops: Mapping[str, int]
    published: tuple[Mapping[str, Any], ...]

    @property
    def best_of(self) -> int:
        """1 where the source has match winners only, else 3, or more where somebody won more games."""
        games = [max(match.games) for wave in self.waves for match in wave.matches if match.games]
        return 2 * max(2, *games, 2) - 1 if games else 1

    @property
    def has_pods(self) -> bool:
        """Somewhere three or more play each other."""
        return any(match.is_pod for wave in self.waves for match in wave.matches)

    @property
    def waves(self) -> tuple[Wave, ...]:
        return self.swiss + self.playoff

    @property
    def policy(self) -> StandingsPolicy:
        """What reproduces the standings of the event's system; `RuleBroken` names the known ones."""
        policy = policy_of_system(self.system)
        month = re.search(r"/(20\d\d)/(\d\d)/\d\d/", self.source)
        if policy.key == "melee" and month:
            first, last = MELEE_WITHOUT_OWN_FLOOR
            if first <= (int(month[1]), int(month[2])) <= last:
                return policy_of("melee-2024")
        return policy


def read_event(text: str) -> Event:
    """The event of a file's text; `RuleBroken("bad-event-file")` says what is wrong with it."""
    data = json_of(text, parse_float=Decimal)
    if not isinstance(data, dict) or not data.keys() >= NAMED:
        raise _bad("it is not an event with rounds, players and a system, and no tournament file of Tandem")
    try:
        event = _event(data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _bad(f"it is not an event as described ({type(error).__name__}: {error})") from error
    _check(event)
    return event


def _event(data: Mapping[str, Any]) -> Event:
    waves = [
        (
            each["stage"],
            Wave(int(each["number"]), tuple(_played(match) for match in each["matches"])),
        )
        for each in data["rounds"]
    ]
    return Event(
        title=", ".join(filter(None, [data.get("game", ""), data.get("structure", "")])) or "Imported event",
        system=data["system"],
        source=data.get("source", ""),
        players=tuple(map(str, data["players"])),
        swiss=tuple(wave for stage, wave in waves if stage == "swiss"),
        playoff=tuple(wave for stage, wave in waves if stage != "swiss"),
        drops={drop["player"]: int(drop["after_round"]) for drop in data.get("drops", ())},
        published=tuple(data.get("published_standings", ())),
    )


def _played(match: Mapping[str, Any]) -> Played:
    games = match.get("games")
    players = tuple(match["players"])
    return Played(
        players=players,
        games=None if games is None else tuple(map(int, games)),
        draws=int(match.get("draws") or 0),
        result=_result(players, str(match["result"])),
        eliminated=tuple(match.get("eliminated") or ()),
    )


def _result(players: tuple[str, ...], told: str) -> str:
    """Of two players a named winner is the first or the second."""
    winner = told.removeprefix(WON)
    if len(players) == 2 and winner != told and winner in players:
        return TWO_SIDED[players.index(winner)]
    return told


def _check(event: Event) -> None:
    if not event.swiss:
        raise _bad("it has no Swiss round")
    if len(set(event.players)) < len(event.players):
        raise _bad("it names a player twice")
    for wave in event.waves:
        seated = [player for match in wave.matches for player in match.players]
        if strangers := set(seated) - set(event.players):
            raise _bad(f"round {wave.number} has {_list(strangers)}, who is not among its players")
        if len(set(seated)) < len(seated):
            raise _bad(f"round {wave.number} has a player in two matches")
        for match in wave.matches:
            _check_match(wave, match)


def _check_match(wave: Wave, match: Played) -> None:
    known: tuple[str, ...] = TWO_SIDED if match.is_table else ALONE
    if match.is_pod:
        known = ("draw", *(f"{WON}{player}" for player in match.players))
    if match.result not in known:
        raise _bad(f"round {wave.number} has the result {match.result!r} for {_list(match.players)}")
    if out := set(match.eliminated) - set(match.players):
        raise _bad(f"round {wave.number} calls {_list(out)} eliminated in a match of others")
    if match.is_pod and set(match.eliminated) == set(match.players):
        raise _bad(f"round {wave.number} has a pod in which everybody was eliminated")
    if match.games is not None and len(match.games) != len(match.players):
        raise _bad(f"round {wave.number} counts games of {len(match.games)} for {_list(match.players)}")


def _bad(why: str) -> RuleBroken:
    return RuleBroken("bad-event-file", f"The file cannot be imported: {why}.")


def _list(players: Sequence[str] | set[str]) -> str:
    return " and ".join(sorted(players))
