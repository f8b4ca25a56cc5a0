"""Real events as the rulebook sees them: the Swiss rounds of one file of tests/golden/events."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rulebook.contests import Contest, Entered, Score
from rulebook.policies import policy_of_system
from rulebook.scoring import Outcome, ResultKind
from rulebook.standings import Standing, standings

EVENTS = Path(__file__).parent / "events"
OUTCOMES = {
    "first": (Outcome.WIN, Outcome.LOSS),
    "second": (Outcome.LOSS, Outcome.WIN),
    "draw": (Outcome.DRAW, Outcome.DRAW),
}


@dataclass(frozen=True)
class Event:
    """One file and the ids of its players, in the order of the file."""

    data: Mapping[str, Any]
    ids: Mapping[str, int]

    @property
    def published(self) -> Sequence[Mapping[str, Any]]:
        return sorted(self.data["published_standings"], key=lambda row: row["rank"])

    @property
    def in_playoff(self) -> set[str]:
        """Those whose published rank is that of the playoff."""
        rounds = [each for each in self.data["rounds"] if each["stage"] != "swiss"]
        return {player for each in rounds for match in each["matches"] for player in match["players"]}

    def contests(self) -> list[Contest]:
        swiss = [each for each in self.data["rounds"] if each["stage"] == "swiss"]
        found = [self._contest(each["number"], match) for each in swiss for match in each["matches"]]
        return [contest for contest in found if contest is not None]

    def standings(self) -> dict[str, Standing]:
        """The rows by player, in rank order."""
        left = {drop["player"] for drop in self.data["drops"]}
        entered = [
            Entered(number, number, "dropped" if player in left else "in")
            for player, number in self.ids.items()
        ]
        names = {number: player for player, number in self.ids.items()}
        table = standings(entered, self.contests(), policy_of_system(self.data["system"]))
        return {names[row.entrant]: row for row in table}

    def _contest(self, number: int, match: Mapping[str, Any]) -> Contest | None:
        players = [self.ids[player] for player in match["players"]]
        if len(players) == 1:
            return self._alone(number, players[0], match)
        if len(players) > 2:
            return Contest(number, ResultKind.PLAYED, self._pod(match))
        outcomes, wins, draws = OUTCOMES[match["result"]], match["games"], match["draws"]
        if wins is None:  # each match counts as one game
            wins, draws = (
                [int(outcome is Outcome.WIN) for outcome in outcomes],
                int(match["result"] == "draw"),
            )
        lines = zip(players, outcomes, wins, strict=True)
        scores = tuple(Score(player, outcome, won, draws) for player, outcome, won in lines)
        return Contest(number, ResultKind.PLAYED, scores, 2)

    def _alone(self, number: int, player: int, match: Mapping[str, Any]) -> Contest | None:
        games = 2 if match["games"] else 1
        if match["result"] == "absent":
            return None
        if match["result"] == "loss":
            return Contest(number, ResultKind.ASSIGNED_LOSS, (Score(player, Outcome.LOSS),), games)
        half_points = 1 if match["result"] == "half_bye" else None
        return Contest(number, ResultKind.BYE, (Score(player, Outcome.WIN, games, 0, half_points),), games)

    def _pod(self, match: Mapping[str, Any]) -> tuple[Score, ...]:
        """Who was out when a pod was drawn has lost, the survivors share the draw."""
        out, winner = match.get("eliminated", ()), match["result"].removeprefix("winner:")
        scores = []
        for player in match["players"]:
            survived = match["result"] == "draw" and player not in out
            outcome = Outcome.WIN if player == winner else Outcome.DRAW if survived else Outcome.LOSS
            scores.append(Score(self.ids[player], outcome, int(player == winner)))
        return tuple(scores)


def event(name: str) -> Event:
    data = json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))
    return Event(data, {player: number for number, player in enumerate(data["players"], 1)})


def differences(event: Event, figures: Sequence[str], allowed: Fraction) -> list[str]:
    """Cells that are not as published; `allowed` covers the digits the source printed."""
    table, found = event.standings(), []
    for row in event.published:
        mine = table[row["player"]]
        values = {"points": mine.points, **dict(mine.figures)}
        for key in figures:
            published = Fraction(repr(row[key]))
            if abs(values[key] - published) > allowed:
                found.append(f"{row['player']} {key}: {float(values[key])}, published {row[key]}")
    return found
