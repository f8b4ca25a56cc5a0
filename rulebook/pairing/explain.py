"""Why this opponent, why this bye: one sentence an entrant understands, worked out when somebody asks."""

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cached_property
from random import Random

from rulebook.pairing.exact import fewest_illegal
from rulebook.pairing.field import field_of
from rulebook.pairing.sentences import points_text
from rulebook.pairing.values import Entrant, Pairing, SwissInput

# In larger fields a leader is told the rule instead of the proof, which would take too long.
PROVE_UP_TO = 200


def explain(swiss: SwissInput, pairing: Pairing) -> dict[int, str]:
    """A sentence for every entrant of the round; both sides of a pairing get the same one."""
    round_seen = _Round(swiss, pairing)
    said: dict[int, str] = {}
    for first, second in pairing.pairs:
        said[first] = said[second] = round_seen.why_pair(first, second)
    for resting in pairing.byes:
        said[resting] = round_seen.why_bye(resting)
    return said


class _Round:
    """One round with what its sentences need: who is who, and who left his score group."""

    def __init__(self, swiss: SwissInput, pairing: Pairing) -> None:
        self.swiss = swiss
        self.pairing = pairing
        self.known = {entrant.id: entrant for entrant in swiss.entrants}
        self.top = max(entrant.points for entrant in swiss.entrants)
        self.crossing: defaultdict[Fraction, list[Entrant]] = defaultdict(list)
        for pair in pairing.pairs:
            one, other = (self.known[side] for side in pair)
            if one.points != other.points:
                self.crossing[one.points].append(one)
                self.crossing[other.points].append(other)

    @cached_property
    def sizes(self) -> Counter[tuple[int, int]]:
        """How many entrants have the points, counted once: a field of thousands has many pairs across."""
        return Counter([entrant.points.as_integer_ratio() for entrant in self.swiss.entrants])

    def why_pair(self, first: int, second: int) -> str:
        """The strongest thing to say about the pair."""
        one, other = self.known[first], self.known[second]
        if one.rank > other.rank:
            one, other = other, one
        if other.id in one.met:
            return self._why_rematch()
        if one.group is not None and one.group == other.group:
            return f"Both belong to {one.group}: fewer pairs inside one group are not possible in this round."
        if self.swiss.by_standing:
            return f"Paired by standing: place {one.rank} meets place {other.rank}, a new opponent."
        if one.points == other.points:
            return f"Both have {points_text(one.points)} and have not met before."
        high, low = (one, other) if one.points > other.points else (other, one)
        return f"{self._scores(high, low)}: {self._why_down(high)}"

    def _why_rematch(self) -> str:
        count = self.pairing.report.rematches
        if not self.pairing.report.proved_optimal:
            return "A rematch: no pairing of this round without one was found."
        least = "one rematch" if count == 1 else f"{count} rematches"
        return f"A rematch: every complete pairing of this round has at least {least}."

    def _scores(self, high: Entrant, low: Entrant) -> str:
        return f"{points_text(high.points)} against {points_text(low.points)}"

    def _why_down(self, high: Entrant) -> str:
        """Why the higher side does not meet somebody of its own score group."""
        own = points_text(high.points)
        mates = [mate for mate in self.crossing[high.points] if mate.id != high.id]
        if self.sizes[high.points.as_integer_ratio()] == 1:
            return f"nobody else has {own}, so the next group gives the opponent."
        if not mates:
            return f"an odd number has {own}, so one of them is paired down into the next group."
        free = [mate for mate in mates if mate.id not in high.met and not _share_group(mate, high)]
        if not free:
            return f"paired down, because those left with {own} have met already or belong to one group."
        who = "the leaders" if high.points == self.top else f"those with {own}"
        return f"{who} are apart, because {self._if_they_met(high, free[0])}"

    def _if_they_met(self, one: Entrant, other: Entrant) -> str:
        """What would follow below if the two had met instead."""
        report = self.pairing.report
        if report.looked_ahead:
            return "their meeting now would make a rematch or a second bye unavoidable in a later round."
        if len(self.known) > PROVE_UP_TO:
            return "their meeting would force a rematch or a larger difference of points elsewhere."
        rest = tuple(
            entrant
            for entrant in self.swiss.entrants
            if entrant.id not in (one.id, other.id, *self.pairing.byes)
        )
        rematches, groups = fewest_illegal(field_of(_only(self.swiss, rest), Random(0)))
        if rematches > report.rematches:
            return "their meeting would force a rematch among the others."
        if (rematches, groups) > (report.rematches, report.group_pairs):
            return "their meeting would force a pair inside one group among the others."
        return "their meeting would make the differences of points elsewhere larger."

    def why_bye(self, resting: int) -> str:
        """Why this entrant rests."""
        if resting in self.swiss.fixed_byes:
            return "This bye was given before the round was paired."
        entrant = self.known[resting]
        if entrant.byes and all(other.byes for other in self.known.values()):
            start = (
                f"The number is odd and everybody has had a bye; with {entrant.byes} it is this one's turn"
            )
        else:
            start = f"The number is odd; the bye goes to the lowest with the fewest byes ({entrant.byes})"
        passed = self._passed_over(entrant)
        if not passed:
            return f"{start}."
        others = "one lower team was" if passed == 1 else f"{passed} teams before it were"
        cause = "in a later round" if self.pairing.report.looked_ahead else "in this one"
        return f"{start}; {others} passed over, because a rematch or second bye would follow {cause}."

    def _passed_over(self, entrant: Entrant) -> int:
        return sum(
            _claim(other) < _claim(entrant)
            for other in self.known.values()
            if other.id not in self.swiss.fixed_byes
        )


def _claim(entrant: Entrant) -> tuple[int, bool, int]:
    return entrant.byes, entrant.bye_last, -entrant.rank


def _share_group(one: Entrant, other: Entrant) -> bool:
    return one.group is not None and one.group == other.group


def _only(swiss: SwissInput, entrants: tuple[Entrant, ...]) -> SwissInput:
    return SwissInput(entrants, swiss.seed, 0, forbidden=swiss.forbidden)
