"""Every rule that separates equals: one record each, added by one line of the registry.

To add one: write a function from `Ledger` to `Column` (or, for a rule that looks only at a group of equals,
one that also takes the group), and give it a line in `_ALL` with a key, a label and a sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rulebook import percentages, strengths
from rulebook.errors import RuleBroken
from rulebook.ledger import Column, Ledger

Group = Sequence[int]


@dataclass(frozen=True, slots=True)
class Tiebreaker:
    """One column of the standings: what it is called, what it says, how it is computed."""

    key: str
    label: str
    explanation: str
    compute: Callable[[Ledger], Column] | None = None
    among: Callable[[Ledger, Group], Mapping[int, int]] | None = (
        None  # points in units, inside a group of equals
    )
    lower_is_better: bool = False
    is_share: bool = False  # shown in percent


def head_to_head(ledger: Ledger, group: Group) -> dict[int, int]:
    """Points from the matches among the group, if all of it have met; otherwise nobody has any."""
    members = set(group)
    if any(not members <= {me, *ledger.opponents[me]} for me in group):
        return dict.fromkeys(group, 0)
    return {
        me: sum(meeting.points for meeting in ledger.meetings[me] if members.intersection(meeting.opponents))
        for me in group
    }


def own_matches(ledger: Ledger) -> Column:
    """The entrant's own match-win percentage, floored as opponents feel it."""
    return ledger.column("match-share", percentages.match_share)


_ALL = (
    Tiebreaker(
        "omw",
        "OMW%",
        "The mean of the opponents' match-win percentages.",
        percentages.opponents_match_share,
        is_share=True,
    ),
    Tiebreaker(
        "gw",
        "GW%",
        "Own game points out of three for every game played.",
        percentages.own_games,
        is_share=True,
    ),
    Tiebreaker(
        "ogw",
        "OGW%",
        "The mean of the opponents' game-win percentages.",
        percentages.opponents_game_share,
        is_share=True,
    ),
    Tiebreaker("mw", "MW%", "Own match points out of the most there were.", own_matches, is_share=True),
    Tiebreaker(
        "oomw",
        "OOMW%",
        "The mean of the opponents' OMW%.",
        percentages.opponents_opponents_share,
        is_share=True,
    ),
    Tiebreaker("rounds", "Rounds", "Who played more rounds is ahead.", strengths.rounds_played),
    Tiebreaker(
        "on-time", "On time", "Who was penalised for being late is below all equals.", strengths.on_time
    ),
    Tiebreaker(
        "head-to-head",
        "Direct",
        "Points from the matches among those still equal, when all of them have met.",
        among=head_to_head,
    ),
    Tiebreaker("buchholz", "Buchholz", "The sum of the opponents' scores.", strengths.buchholz),
    Tiebreaker(
        "buchholz-cut-1",
        "Buchholz Cut 1",
        "The sum of the opponents' scores without the lowest.",
        partial(strengths.buchholz, lowest=1),
    ),
    Tiebreaker(
        "buchholz-cut-2",
        "Buchholz Cut 2",
        "The sum of the opponents' scores without the two lowest.",
        partial(strengths.buchholz, lowest=2),
    ),
    Tiebreaker(
        "buchholz-median",
        "Median Buchholz",
        "The sum of the opponents' scores without the lowest and the highest.",
        partial(strengths.buchholz, lowest=1, highest=1),
    ),
    Tiebreaker(
        "buchholz-median-2",
        "Median Buchholz 2",
        "The sum of the opponents' scores without the two lowest and the two highest.",
        partial(strengths.buchholz, lowest=2, highest=2),
    ),
    Tiebreaker(
        "sonneborn-berger",
        "Sonneborn-Berger",
        "The scores of the opponents beaten, and half of those drawn with.",
        strengths.sonneborn_berger,
    ),
    Tiebreaker(
        "ctb",
        "CTB",
        "After each round, the points so far plus a quarter of the value before: late losses cost least.",
        strengths.cumulative,
    ),
    Tiebreaker(
        "pml",
        "PML",
        "Lost matches out of matches; fewer is better.",
        strengths.lost_share,
        lower_is_better=True,
        is_share=True,
    ),
    Tiebreaker(
        "oml",
        "OML",
        "The mean of the opponents' share of lost matches; fewer is better.",
        strengths.opponents_lost_share,
        lower_is_better=True,
        is_share=True,
    ),
    Tiebreaker("octb", "OCTB", "The mean of the opponents' CTB.", strengths.opponents_cumulative),
    Tiebreaker(
        "sos", "SoS", "All points of the opponents by all rounds they played.", strengths.strength_of_schedule
    ),
    Tiebreaker(
        "sos-mean", "SoS (mean)", "The mean of the opponents' points per round.", strengths.mean_schedule
    ),
    Tiebreaker("esos", "Extended SoS", "The mean of the opponents' SoS.", strengths.extended_strength),
    Tiebreaker(
        "konami-number",
        "Tiebreak number",
        "Points, then three digits of OMW, then three digits of OOMW.",
        strengths.konami_number,
    ),
    Tiebreaker("vp", "VP", "Victory points of all tables.", strengths.victory_points),
    Tiebreaker("tp", "TP", "Points for the places at all tables.", strengths.tournament_points),
)

TIEBREAKERS: Mapping[str, Tiebreaker] = {tiebreaker.key: tiebreaker for tiebreaker in _ALL}


def tiebreaker_of(key: str) -> Tiebreaker:
    """The tiebreaker of that key; `RuleBroken("unknown-tiebreaker")` names the known ones."""
    if key not in TIEBREAKERS:
        known = ", ".join(TIEBREAKERS)
        raise RuleBroken(
            "unknown-tiebreaker", f"There is no tiebreaker {key!r}; choose from {known}.", tiebreaker=key
        )
    return TIEBREAKERS[key]


def choices() -> list[tuple[str, str]]:
    """(key, label) of every tiebreaker, for a form."""
    return [(tiebreaker.key, tiebreaker.label) for tiebreaker in _ALL]
