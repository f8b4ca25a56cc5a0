"""States: every move of the table works, every other is refused, every state has a way out."""

from enum import StrEnum

import pytest

from rulebook.errors import RuleBroken
from rulebook.lifecycle import (
    MOVES,
    MatchState,
    RoundState,
    StageState,
    State,
    TeamState,
    TournamentState,
    check_move,
    moves_from,
)

KINDS: list[type[StrEnum]] = [TournamentState, StageState, RoundState, MatchState, TeamState]
# What is scrapped or void is replaced by a new round or match, never revived.
REPLACED = [RoundState.SCRAPPED, MatchState.VOID]
BEGINNINGS = [
    TournamentState.DRAFT,
    StageState.WAITING,
    RoundState.PAIRED,
    MatchState.PAIRED,
    TeamState.REGISTERED,
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_state_is_walked(kind: type[StrEnum]) -> None:
    for current in kind:
        for to in kind:
            if to in MOVES[kind][current]:  # type: ignore[index]
                check_move("It", current, to)  # type: ignore[arg-type]
                check_move("It", current.value, to)  # type: ignore[arg-type]
                continue
            with pytest.raises(RuleBroken) as refused:
                check_move("Table 3", current, to)  # type: ignore[arg-type]
            assert refused.value.code == "wrong-state"
            said = refused.value.sentence
            if current is to:
                assert said == f"Table 3 is {to.value} already; reload the page."
                continue
            assert said.startswith(f"Table 3 is {current.value}, so it cannot become {to.value}; from there")
            assert all(way.value in said for way in moves_from(current))


@pytest.mark.parametrize("state", [state for kind in KINDS for state in kind], ids=repr)
def test_every_state_has_a_way_out_and_a_way_in(state: State) -> None:
    own = MOVES[type(state)]
    assert own[state] or any(state is replaced for replaced in REPLACED)
    assert any(state in ways for ways in own.values()) or any(state is first for first in BEGINNINGS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_move_leads_to_another_kind_of_thing(kind: type[StrEnum]) -> None:
    assert set(MOVES[kind]) == set(kind)
    for state, ways in MOVES[kind].items():
        assert {type(to) for to in (state, *ways)} == {kind}


def test_a_tournament_is_cancelled_from_any_state_but_finished() -> None:
    ways = {state for state in TournamentState if TournamentState.CANCELLED in moves_from(state)}
    assert ways == {TournamentState.DRAFT, TournamentState.REGISTRATION, TournamentState.RUNNING}


@pytest.mark.parametrize("left", [TeamState.WITHDRAWN, TeamState.DROPPED, TeamState.DISQUALIFIED], ids=repr)
def test_a_team_that_left_can_be_reinstated(left: TeamState) -> None:
    assert moves_from(left) & {TeamState.REGISTERED, TeamState.PLAYING}
