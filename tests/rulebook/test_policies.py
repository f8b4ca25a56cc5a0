"""Every named standings policy gives the figures of its own rules."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from rulebook.contests import Contest
from rulebook.errors import RuleBroken
from rulebook.policies import POLICIES, StandingsPolicy, choices, policy_of, policy_of_system
from rulebook.tiebreakers import TIEBREAKERS
from tests.rulebook.fields import (
    FIVE,
    bye,
    decimals,
    duel,
    field,
    figure,
    met,
    one,
    order,
    record,
    row,
    stands_for,
    table,
)

POKEMON = policy_of("pokemon")
OWN_POKEMON = replace(POKEMON, tiebreakers=("mw",))


def test_the_policies_of_every_game_are_there() -> None:
    named = "magic riftbound melee topdeck topdeck-pods lichess pokemon ygo fab netrunner fide-buchholz vekn"
    assert set(named.split()) <= set(POLICIES)
    assert choices() == [(policy.key, policy.name) for policy in POLICIES.values()]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_a_policy_survives_storage_and_says_how_sure_it_is(policy: StandingsPolicy) -> None:
    assert StandingsPolicy.from_dict(json.loads(json.dumps(policy.as_dict()))) == policy
    assert set(policy.tiebreakers) <= set(TIEBREAKERS)
    assert policy.citation if policy.verified else policy.note.endswith(".")


def test_a_policy_stored_before_a_field_existed_has_its_default() -> None:
    stored = policy_of("magic").as_dict()
    del stored["bye_rate"], stored["share"]
    assert StandingsPolicy.from_dict(stored) == policy_of("magic")


def test_only_what_a_document_or_published_tables_confirm_is_verified() -> None:
    assert {key for key, policy in POLICIES.items() if policy.verified} == {
        "magic",
        "melee",
        "melee-2024",
        "topdeck",
        "vekn",
    }


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RuleBroken) as broken:
        policy_of("elo")
    assert broken.value.code == "unknown-policy"
    assert "riftbound" in broken.value.sentence


@pytest.mark.parametrize("floor", [Fraction(-1, 3), Fraction(4, 3)])
def test_a_floor_outside_zero_to_one_is_refused(floor: Fraction) -> None:
    with pytest.raises(RuleBroken) as broken:
        policy_of("magic").with_floor(floor)
    assert broken.value.code == "impossible-floor"


def test_the_software_of_an_event_selects_its_policy() -> None:
    assert [policy_of_system(system).key for system in ("melee", "topdeck-pods", "lichess-trf")] == [
        "melee",
        "topdeck-pods",
        "lichess",
    ]


def test_riftbound_ranks_like_magic_and_says_that_it_is_a_setting() -> None:
    assert order(table(FIVE, policy_of("riftbound"))) == order(table(FIVE, policy_of("magic")))
    assert "organizer" in policy_of("riftbound").note


def test_the_own_game_column_is_floored_by_policy() -> None:
    contests = [duel(1, "AB"), duel(2, "AB")]
    shown = {
        key: figure(table(contests, policy_of(key)), "B", "gw") for key in ("magic", "melee", "melee-2024")
    }
    assert shown == {"magic": Fraction(33, 100), "melee": Fraction(1, 3), "melee-2024": 0}
    assert figure(table(contests, policy_of("topdeck")), "B", "gw") == 0


@stands_for("we-035")
def test_who_stayed_longer_ranks_higher_among_equals() -> None:
    contests = [
        *[duel(1, pair) for pair in ("aw", "bx", "cy", "dz")],
        *record("a", "0-6", start=0, first_round=2),
        *record("b", "0-5", start=10, first_round=2),
        *record("c", "0-4", start=20, first_round=2),
        *record("d", "0-1", start=30, first_round=2),
    ]
    rows = table(contests, policy_of("manatraders"), dict.fromkeys("bcd", "dropped"))
    assert [letter for letter in order(rows) if letter in "abcd"] == list("abcd")


@pytest.mark.parametrize(
    ("contests", "share"),
    [
        pytest.param(record("A", "1-3", start=0), Fraction(1, 4), id="we-029"),
        pytest.param(record("A", "0-4", start=0), Fraction(1, 4), id="we-031"),
        pytest.param(record("A", "3-1-1", start=0), Fraction(7, 10), id="oracle-3-1-1"),
        pytest.param(record("A", "0-3", start=0), Fraction(1, 4), id="oracle-0-3"),
        pytest.param(record("A", "3-0", start=0), Fraction(3, 4), id="oracle-3-0-drop"),
        pytest.param([bye(9, "A"), *record("A", "1-1", start=0)], Fraction(1, 2), id="oracle-2-1-with-a-bye"),
    ],
)
def test_pokemon_win_percentage_of_one_who_left(contests: list[Contest], share: Fraction) -> None:
    assert figure(table(contests, OWN_POKEMON, {"A": "dropped"}), "A", "mw") == share


def test_pokemon_caps_only_those_who_left() -> None:
    assert figure(table(record("A", "3-0", start=0), OWN_POKEMON), "A", "mw") == 1


@pytest.mark.parametrize(
    ("records", "left", "printed"),
    [
        pytest.param({"B": "8-0", "C": "6-2", "D": "3-5"}, "", "0.708333", id="we-030"),
        pytest.param({"B": "3-1-1", "C": "0-3", "D": "4-0"}, "D", "0.566667", id="oracle"),
    ],
)
def test_pokemon_opponents_win_percentage(records: dict[str, str], left: str, printed: str) -> None:
    rows = table(met("A", records), POKEMON, dict.fromkeys(left, "dropped"))
    assert decimals(figure(rows, "A", "omw")) == printed


def test_pokemon_puts_the_late_below_all_on_equal_points() -> None:
    contests = [duel(1, "AB"), duel(1, "CD"), duel(2, "CA", (0, 0))]
    entered = [replace(each, is_late=each.id == one("A")) for each in field(contests)]
    rows = POLICIES["pokemon"]
    assert order(table(contests, rows))[:2] == "AC"
    assert order(table(contests, rows, entered=entered))[:2] == "CA"


def test_yugioh_ranks_by_one_number_of_points_and_thousandths() -> None:
    rows = table(FIVE, policy_of("ygo"))
    assert figure(rows, "C", "konami-number") == 7_722_435
    assert figure(rows, "A", "konami-number") == 7_481_604
    assert order(rows) == "CADEB", "D and E part in OOMW"


@pytest.mark.parametrize(
    ("results", "points", "cumulative"),
    [
        pytest.param("WWL", 2, "2.5625", id="WWL"),
        pytest.param("WLW", 2, "2.3125", id="WLW"),
        pytest.param("LWW", 2, "2.25", id="LWW"),
        pytest.param("WWW", 3, "3.5625", id="WWW"),
        pytest.param("WDL", 1, "1.3125", id="WDL"),
    ],
)
def test_flesh_and_blood_counts_late_losses_least(results: str, points: int, cumulative: str) -> None:
    wins = {"W": (2, 0), "L": (0, 2), "D": (1, 1)}
    contests = [duel(number, "A" + "BCD"[number - 1], wins[x]) for number, x in enumerate(results, 1)]
    rows = table(contests, policy_of("fab"))
    assert row(rows, "A").points == points
    assert figure(rows, "A", "ctb") == Fraction(cumulative)


def test_flesh_and_blood_prefers_fewer_losses() -> None:
    by_losses = replace(policy_of("fab"), tiebreakers=("pml",))
    contests = [duel(1, "AX"), duel(2, "AY", (1, 1)), duel(1, "BZ"), duel(2, "BW", (0, 2))]
    rows = [letter for letter in order(table(contests, by_losses)) if letter in "AB"]
    assert rows == ["A", "B"]


def test_netrunner_pools_the_schedule_where_the_classical_way_takes_a_mean() -> None:
    contests = [bye(9, "A"), *met("A", {"B": "3-0", "C": "1-2", "D": "0-2"})]
    rows = table(contests, replace(policy_of("netrunner"), tiebreakers=("sos", "sos-mean")))
    assert (figure(rows, "A", "sos"), figure(rows, "A", "sos-mean")) == (Fraction(3, 2), Fraction(4, 3))


def test_netrunner_extends_the_schedule_by_a_mean_over_opponents() -> None:
    rows = table(FIVE, policy_of("netrunner"))
    assert [figure(rows, letter, "sos") for letter in "CAB"] == [
        Fraction(13, 6),
        Fraction(13, 9),
        Fraction(19, 9),
    ]
    assert figure(rows, "A", "esos") == Fraction(49, 27)
