"""Keeping the planned rounds of a small field completable without rematch or second bye."""

from collections.abc import Iterator, Sequence

from rulebook.pairing.values import Entrant, SwissInput

LOOK_AHEAD_UP_TO = 12
# How many rounds are tried for one answer, and for all answers of one pairing.
STEPS_EACH = 1_000
STEPS = 20_000

Graph = tuple[int, ...]


class Horizon:
    """Who may still meet whom, as bit sets by ascending id; in an odd field the last bit is the bye."""

    def __init__(self, swiss: SwissInput) -> None:
        entrants = sorted(swiss.entrants, key=lambda entrant: entrant.id)
        self.bit = {entrant.id: place for place, entrant in enumerate(entrants)}
        self.bye_bit = len(entrants) if len(entrants) % 2 else None
        self.fixed = tuple(swiss.fixed_byes)
        self.graph = _fresh(entrants, self.bit, self.bye_bit)
        self.wanted = max(swiss.rounds_left - 1, 0)
        self._known: dict[tuple[Graph, int], bool] = {}
        self._steps = self._stop = 0
        self.was_cut_short = False

    def after(self, row: Sequence[int], byes: Sequence[int]) -> Graph:
        """What is left to play once this row of pairs and these byes (ids) have happened."""
        graph = list(self.graph)
        for one, other in zip(row[::2], row[1::2], strict=True):
            _cut(graph, self.bit[one], self.bit[other])
        if self.bye_bit is not None:
            for resting in byes:
                _cut(graph, self.bit[resting], self.bye_bit)
        return tuple(graph)

    def rounds_after(self, graph: Graph, more_than: int = -1) -> int:
        """The most rounds, up to the planned ones, that still fit; `more_than` when not more than that do."""
        most = min(self.wanted, _least_degree(graph))
        if most <= more_than:
            return more_than
        if self.fits(graph, most):
            return most
        rounds = more_than
        while rounds + 1 < most and self.fits(graph, rounds + 1):
            rounds += 1
        return rounds

    @property
    def is_spent(self) -> bool:
        """The search has taken so long that no further answer is looked for."""
        return self._steps > STEPS

    def fits(self, graph: Graph, rounds: int) -> bool:
        """So many complete rounds without any pair or bye twice are left, as far as was found."""
        self._stop = min(self._steps + STEPS_EACH, STEPS)
        return self._fits(graph, rounds)

    def _fits(self, graph: Graph, rounds: int) -> bool:
        if rounds == 0:
            return True
        if _least_degree(graph) < rounds:
            return False
        known = self._known.get((graph, rounds))
        if known is None:
            known = self._known[graph, rounds] = self._search(graph, rounds)
        return known

    def _search(self, graph: Graph, rounds: int) -> bool:
        start = min(range(len(graph)), key=lambda place: graph[place].bit_count())
        partner = (graph[start] & -graph[start]).bit_length() - 1
        for matching in _matchings_with(graph, start, partner):
            self._steps += 1
            if self._steps > self._stop:
                self.was_cut_short = True
                return False
            rest = list(graph)
            for one, other in matching:
                _cut(rest, one, other)
            if self._fits(tuple(rest), rounds - 1):
                return True
        if graph[start].bit_count() == rounds:
            return False
        rest = list(graph)
        _cut(rest, start, partner)
        return self._fits(tuple(rest), rounds)


def _fresh(entrants: Sequence[Entrant], bit: dict[int, int], bye_bit: int | None) -> Graph:
    everybody = (1 << len(entrants)) - 1
    graph = [everybody & ~(1 << place) for place in range(len(entrants))]
    if bye_bit is not None:
        graph.append(everybody)
        graph[:-1] = [row | 1 << bye_bit for row in graph[:-1]]
    for place, entrant in enumerate(entrants):
        for opponent in entrant.met:
            if opponent in bit:
                _cut(graph, place, bit[opponent])
        if bye_bit is not None and entrant.byes:
            _cut(graph, place, bye_bit)
    return tuple(graph)


def _cut(graph: list[int], one: int, other: int) -> None:
    graph[one] &= ~(1 << other)
    graph[other] &= ~(1 << one)


def _least_degree(graph: Graph) -> int:
    return min(row.bit_count() for row in graph)


def _matchings_with(graph: Graph, one: int, other: int) -> Iterator[list[tuple[int, int]]]:
    free = ((1 << len(graph)) - 1) & ~(1 << one) & ~(1 << other)
    yield from _matchings(graph, free, [(one, other)])


def _matchings(graph: Graph, free: int, chosen: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    if not free:
        yield chosen
        return
    tightest, options = -1, 0
    rest = free
    while rest:
        place = (rest & -rest).bit_length() - 1
        rest &= rest - 1
        open_to = graph[place] & free
        if tightest < 0 or open_to.bit_count() < options.bit_count():
            tightest, options = place, open_to
            if options.bit_count() < 2:
                break
    while options:
        other = (options & -options).bit_length() - 1
        options &= options - 1
        left = free & ~(1 << tightest) & ~(1 << other)
        yield from _matchings(graph, left, [*chosen, (tightest, other)])
