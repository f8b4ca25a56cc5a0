"""Mulligans: how many cards after how many, who declares when, and what each edition calls one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rulebook.errors import RuleBroken
from rulebook.modes import Mode, mode_of
from rulebook.modes.blanks import Declaring, MulliganKind
from rulebook.turns import side_of

SET_ASIDE_AT_MOST = 2  # Riftbound Core Rules 118.2, edition 1.3


@dataclass(frozen=True)
class Hand:
    """Cards drawn, and how many of them go to the bottom; what is left is kept."""

    drawn: int
    to_bottom: int

    @property
    def kept(self) -> int:
        return self.drawn - self.to_bottom


def free_mulligans(mode: Mode, *, players: int) -> int:
    """Mulligans that cost no card: one in multiplayer games and in any Brawl game (Magic 103.5c)."""
    kind = mode.mulligan.kind
    if kind is MulliganKind.LONDON_FREE_BEYOND_TWO:
        return int(players > 2)
    return int(kind is MulliganKind.LONDON_FIRST_FREE)


def most_mulligans(mode: Mode, *, players: int, hand_modifier: int = 0) -> int:
    """How often a player may take one: down to a hand of no cards, in Riftbound once."""
    if mode.mulligan.kind is MulliganKind.SET_ASIDE_TWO:
        return 1
    return max(mode.opening_hand + hand_modifier, 0) + free_mulligans(mode, players=players)


def hand_after(mode: Mode, taken: int, *, players: int | None = None, hand_modifier: int = 0) -> Hand:
    """The hand after `taken` mulligans; more than the mode allows are refused."""
    count = mode.players if players is None else players
    if not 0 <= taken <= most_mulligans(mode, players=count, hand_modifier=hand_modifier):
        raise RuleBroken("no-more-mulligans", f"Nobody takes {taken} mulligans in {mode.name}.", taken=taken)
    hand = max(mode.opening_hand + hand_modifier, 0)
    if mode.mulligan.kind is MulliganKind.SET_ASIDE_TWO:
        return Hand(hand, 0)
    if mode.mulligan.kind is MulliganKind.SHRINKING:
        return Hand(hand - taken, 0)
    return Hand(hand, max(taken - free_mulligans(mode, players=count), 0))


@dataclass(frozen=True)
class Mulligans:
    """The mulligans of one game: `groups` declare one after the other, the members of one in any order."""

    mode: str
    groups: tuple[tuple[str, ...], ...]
    hand_modifiers: Mapping[str, int] = field(default_factory=dict)
    taken: Mapping[str, int] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    declared: Mapping[str, bool] = field(default_factory=dict)

    @property
    def players(self) -> int:
        return sum(map(len, self.groups))

    @property
    def is_over(self) -> bool:
        return len(self.kept) == self.players

    def hand_of(self, position: str) -> Hand:
        """The hand `position` holds now."""
        return hand_after(
            mode_of(self.mode),
            self.taken.get(position, 0),
            players=self.players,
            hand_modifier=self.hand_modifiers.get(position, 0),
        )

    def may_declare(self) -> tuple[str, ...]:
        """Who may declare now, which is also who may do what is allowed whenever one could mulligan."""
        for group in self.groups:
            waiting = tuple(p for p in group if p not in self.kept and p not in self.declared)
            if waiting:
                return waiting
            team_goes_on = any(self.declared.get(p) for p in group)
            if team_goes_on and _declaring(self) is Declaring.TEAM_AFTER_TEAM:
                return ()
        return ()


def begin_mulligans(
    mode: Mode, order: tuple[str, ...], *, hand_modifiers: Mapping[str, int] | None = None
) -> Mulligans:
    """Everybody in turn order, a team that declares together as one group."""
    together = mode.mulligan.declaring in (Declaring.TEAM_DECLARES_THEN_TOGETHER, Declaring.TEAM_AFTER_TEAM)
    groups: list[tuple[str, ...]] = []
    for position in order:
        if together and groups and _one_team(mode, groups[-1][0], position):
            groups[-1] = (*groups[-1], position)
        else:
            groups.append((position,))
    return Mulligans(mode.key, tuple(groups), dict(hand_modifiers or {}))


def declare(state: Mulligans, position: str, *, mulligan: bool) -> Mulligans:
    """`position` keeps or will take a mulligan; when all have declared, they are taken at the same time."""
    if _declaring(state) is Declaring.ONE_BY_ONE:
        raise RuleBroken("set-aside-instead", "Say how many cards are set aside, from none to two.")
    _expect(state, position)
    if mulligan and state.hand_of(position).kept == 0:
        raise RuleBroken("no-more-mulligans", f"{position} has no cards left to take a mulligan with.")
    return _settled(replace(state, declared={**state.declared, position: mulligan}))


def set_aside(state: Mulligans, position: str, cards: int) -> Mulligans:
    """Riftbound: `position` set aside up to two cards, drew as many and recycled them; its hand is kept."""
    if _declaring(state) is not Declaring.ONE_BY_ONE:
        raise RuleBroken("declare-instead", "Say whether a mulligan is taken.")
    _expect(state, position)
    if not 0 <= cards <= SET_ASIDE_AT_MOST:
        raise RuleBroken("too-many-cards", f"Set aside none, one or two cards, not {cards}.", cards=cards)
    taken = {**state.taken, position: int(cards > 0)}
    return replace(state, taken=taken, kept=state.kept | {position})


def _settled(state: Mulligans) -> Mulligans:
    """Take the declared mulligans once everybody who has to has declared."""
    if state.may_declare():
        return state
    takers = {position for position, takes in state.declared.items() if takes}
    taken = {**state.taken, **{p: state.taken.get(p, 0) + 1 for p in takers}}
    after = replace(state, taken=taken, kept=state.kept | (state.declared.keys() - takers), declared={})
    empty = {p for p in takers if after.hand_of(p).kept == 0}
    return replace(after, kept=after.kept | empty)


def _expect(state: Mulligans, position: str) -> None:
    waiting = state.may_declare()
    if position not in waiting:
        raise RuleBroken(
            "not-your-turn",
            f"{position} does not declare now; it is up to {' or '.join(waiting) or 'nobody'}.",
            waiting=waiting,
        )


def _one_team(mode: Mode, one: str, other: str) -> bool:
    if mode.players_per_side > 1:
        return side_of(one) == side_of(other)
    return 0 not in (side_of(one), side_of(other))  # the archenemy alone, the others as a team


def _declaring(state: Mulligans) -> Declaring:
    return mode_of(state.mode).mulligan.declaring
