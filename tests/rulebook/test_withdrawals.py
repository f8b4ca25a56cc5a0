"""A member leaves: one table for drop and disqualification."""

import pytest

from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.terms import terms_for
from rulebook.withdrawals import BracketEffect, Leaving, MatchEffect, Moment, effect_of, leaves_with

NONE, BYE, ADVANCES = (
    BracketEffect.NONE,
    BracketEffect.BEST_SEED_BYE,
    BracketEffect.OPPONENT_ADVANCES,
)

# leaving, moment, the match, the bracket, is the next in rank promoted
TABLE = [
    (Leaving.DROP, Moment.UNPAIRED, MatchEffect.NONE, NONE, True),
    (Leaving.DROP, Moment.DRAFT, MatchEffect.UNPAIR, NONE, True),
    (Leaving.DROP, Moment.PUBLISHED, MatchEffect.NO_SHOW, NONE, True),
    (Leaving.DROP, Moment.RUNNING, MatchEffect.CONCEDE, NONE, True),
    (Leaving.DROP, Moment.REPORTED, MatchEffect.STANDS, NONE, True),
    (Leaving.DROP, Moment.CLOSED, MatchEffect.NONE, NONE, True),
    (Leaving.DROP, Moment.CUT_MADE, MatchEffect.NONE, BYE, False),
    (Leaving.DROP, Moment.CUT_PAIRED, MatchEffect.CONCEDE, ADVANCES, False),
    (Leaving.DISQUALIFY, Moment.UNPAIRED, MatchEffect.NONE, NONE, True),
    (Leaving.DISQUALIFY, Moment.DRAFT, MatchEffect.UNPAIR, NONE, True),
    (Leaving.DISQUALIFY, Moment.PUBLISHED, MatchEffect.LOSE, NONE, True),
    (Leaving.DISQUALIFY, Moment.RUNNING, MatchEffect.LOSE, NONE, True),
    (Leaving.DISQUALIFY, Moment.REPORTED, MatchEffect.LOSE, NONE, True),
    (Leaving.DISQUALIFY, Moment.CLOSED, MatchEffect.NONE, NONE, True),
    (Leaving.DISQUALIFY, Moment.CUT_MADE, MatchEffect.NONE, BYE, False),
    (Leaving.DISQUALIFY, Moment.CUT_PAIRED, MatchEffect.LOSE, ADVANCES, False),
]


@pytest.mark.parametrize(
    ("leaving", "moment", "match", "bracket", "promotes"),
    [pytest.param(*row, id=f"{row[0]}-{row[1]}") for row in TABLE],
)
def test_a_member_leaves(
    leaving: Leaving, moment: Moment, match: MatchEffect, bracket: BracketEffect, promotes: bool
) -> None:
    effect = effect_of(leaving, moment)
    assert (effect.match, effect.bracket, effect.promotes) == (match, bracket, promotes)
    assert effect.counts_as_opponent


def test_the_table_has_a_row_for_every_moment() -> None:
    assert {row[:2] for row in TABLE} == {(leaving, moment) for leaving in Leaving for moment in Moment}


@pytest.mark.parametrize("moment", list(Moment))
def test_who_drops_keeps_a_row_in_the_standings_and_who_is_disqualified_does_not(moment: Moment) -> None:
    assert effect_of(Leaving.DROP, moment).ranked
    assert not effect_of(Leaving.DISQUALIFY, moment).ranked


@pytest.mark.parametrize("leaving", list(Leaving))
@pytest.mark.parametrize("moment", [Moment.PUBLISHED, Moment.RUNNING])
def test_the_others_of_a_pod_play_on(leaving: Leaving, moment: Moment) -> None:
    assert "the others play" in effect_of(leaving, moment, sides=4).sentence
    assert "the others play" not in effect_of(leaving, moment).sentence


@pytest.mark.parametrize("moment", [Moment.CUT_MADE, Moment.CUT_PAIRED])
def test_nobody_is_promoted_once_the_cut_is_made(moment: Moment) -> None:
    for leaving in Leaving:
        assert "Nobody is promoted" in effect_of(leaving, moment).sentence


@pytest.mark.parametrize(
    ("key", "who", "team"),
    [
        pytest.param("riftbound-2v2", "2B", ("2A", "2B"), id="we-071"),
        pytest.param("magic-2hg", "1A", ("1A", "1B"), id="two-headed giant"),
        pytest.param("riftbound-ffa4", "3A", ("3A",), id="lone player"),
    ],
)
def test_a_member_who_leaves_takes_the_team_along(key: str, who: str, team: tuple[str, ...]) -> None:
    assert leaves_with(terms_for(mode_of(key)), who) == team


def test_a_seat_that_is_not_there_cannot_leave() -> None:
    with pytest.raises(RuleBroken) as refused:
        leaves_with(terms_for(mode_of("riftbound-2v2")), "3A")
    assert refused.value.code == "unknown-seat"
