"""Play modes are records: every blank filled, every one cited, none unknown."""

import dataclasses
import json

import pytest

from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.modes import MODES, Mode, choices, load, mode_of
from rulebook.modes.blanks import CITED, Contributors, Game, SkipsDraw, Step

RIFTBOUND = [pytest.param(m, id=m.key) for m in MODES.values() if m.game is Game.RIFTBOUND]
EVERY_MODE = [pytest.param(mode, id=mode.key) for mode in MODES.values()]
FIRST_SEVEN = {
    "riftbound-duel",
    "riftbound-match",
    "riftbound-ffa3",
    "riftbound-ffa4",
    "riftbound-2v2",
    "magic-1v1",
    "magic-2hg",
}


def test_the_seven_modes_of_the_first_tournaments_are_there() -> None:
    assert set(MODES) >= FIRST_SEVEN


@pytest.mark.parametrize("blank", [field.name for field in dataclasses.fields(Mode)])
def test_a_record_that_misses_a_blank_does_not_load(blank: str) -> None:
    filled = {f.name: getattr(MODES["riftbound-2v2"], f.name) for f in dataclasses.fields(Mode)}
    assert Mode(**filled) == MODES["riftbound-2v2"]
    del filled[blank]
    with pytest.raises(TypeError, match=blank):
        Mode(**filled)


@pytest.mark.parametrize("blank", sorted(CITED))
def test_a_record_that_cites_nothing_for_a_blank_does_not_load(blank: str) -> None:
    record = MODES["riftbound-2v2"]
    others = tuple(c for c in record.citations if c.blank != blank)
    with pytest.raises(ValueError, match=blank):
        dataclasses.replace(record, citations=others)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"players": 3}, "equal sides"),
        ({"sides": 3, "players": 6}, "own range"),
        ({"labels": ("A",)}, "one label"),
        ({"citations": (modes.blanks.Citation("colour", "none", "none", "1"),)}, "unknown blanks"),
    ],
)
def test_a_record_that_contradicts_itself_does_not_load(changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        dataclasses.replace(MODES["riftbound-2v2"], **changes)  # type: ignore[arg-type]


def test_two_records_of_one_key_do_not_load() -> None:
    with pytest.raises(ValueError, match="riftbound-2v2"):
        load([MODES["riftbound-2v2"], MODES["riftbound-2v2"]])


def test_an_unknown_mode_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(RuleBroken) as refused:
        mode_of("riftbound-3v3")
    assert refused.value.code == "unknown-mode"
    assert "riftbound-2v2" in refused.value.sentence


def test_choices_name_every_mode_once_riftbound_first() -> None:
    assert [key for key, _ in choices()] == list(MODES)
    games = [MODES[key].game for key, _ in choices()]
    assert games == sorted(games, key=list(Game).index)
    assert len({name for _, name in choices()}) == len(MODES)


@pytest.mark.parametrize("mode", EVERY_MODE)
def test_every_citation_names_document_edition_and_rule(mode: Mode) -> None:
    for citation in mode.citations:
        assert citation.document
        assert citation.edition
        assert any(sign.isdigit() for sign in citation.rule), citation


@pytest.mark.parametrize("mode", EVERY_MODE)
def test_every_record_survives_json(mode: Mode) -> None:
    assert json.loads(json.dumps(mode.as_dict()))["key"] == mode.key


@pytest.mark.parametrize(
    ("key", "players", "sides", "goal", "brought", "in_play", "contributors"),
    [
        ("riftbound-duel", 2, 2, 8, 3, 2, Contributors.EVERYONE),
        ("riftbound-match", 2, 2, 8, 3, 2, Contributors.EVERYONE),
        ("riftbound-ffa3", 3, 3, 8, 3, 3, Contributors.EVERYONE),
        ("riftbound-ffa4", 4, 4, 8, 3, 3, Contributors.ALL_BUT_THE_STARTER),
        ("riftbound-2v2", 4, 2, 11, 3, 3, Contributors.ALL_BUT_THE_STARTER),
    ],
)
def test_a_riftbound_mode_has_its_numbers(
    key: str, players: int, sides: int, goal: int, brought: int, in_play: int, contributors: Contributors
) -> None:
    mode = mode_of(key)
    fields = mode.battlefields
    assert (mode.players, mode.sides, mode.track.goal) == (players, sides, goal)
    assert (fields.brought, fields.in_play, fields.contributors) == (brought, in_play, contributors)


@pytest.mark.parametrize("mode", RIFTBOUND)
def test_contributors_give_exactly_the_battlefields_in_play(mode: Mode) -> None:
    left_out = mode.battlefields.contributors is Contributors.ALL_BUT_THE_STARTER
    assert mode.battlefields.in_play == mode.players - left_out


@pytest.mark.parametrize("mode", RIFTBOUND)
def test_the_order_is_fixed_before_battlefields_where_the_starter_brings_none(mode: Mode) -> None:
    steps = mode.setup_steps
    needed = mode.battlefields.contributors is Contributors.ALL_BUT_THE_STARTER
    assert (steps.index(Step.TURN_ORDER) < steps.index(Step.BATTLEFIELDS)) is needed


@pytest.mark.parametrize(
    ("key", "skips"),
    [
        ("riftbound-duel", SkipsDraw.NOBODY),
        ("riftbound-match", SkipsDraw.NOBODY),
        ("riftbound-ffa3", SkipsDraw.STARTER),
        ("riftbound-ffa4", SkipsDraw.STARTER),
        ("riftbound-2v2", SkipsDraw.STARTER),
        ("magic-1v1", SkipsDraw.STARTER),
        ("magic-2hg", SkipsDraw.STARTING_TEAM),
    ],
)
def test_who_skips_the_first_draw_differs_by_game_and_mode(key: str, skips: SkipsDraw) -> None:
    assert mode_of(key).first_turn.skips_draw is skips


@pytest.mark.parametrize("life", [pytest.param(30, id="we-082")])
def test_two_headed_giant_starts_at(life: int) -> None:
    assert mode_of("magic-2hg").track.start == life


@pytest.mark.parametrize("poison", [pytest.param(15, id="we-083")])
def test_a_two_headed_giant_team_loses_at_poison(poison: int) -> None:
    assert mode_of("magic-2hg").track.poison == poison


def test_the_primary_player_of_two_headed_giant_is_the_a_seat_on_the_right() -> None:
    mode = mode_of("magic-2hg")
    assert dict(zip(mode.labels, mode.label_meanings, strict=True)) == {
        "A": "primary player, sits on the right",
        "B": "secondary player, sits on the left",
    }


@pytest.mark.parametrize(
    ("key", "sides", "life", "poison", "hand", "skips"),
    [
        ("magic-1v1", 2, 20, 10, 7, SkipsDraw.STARTER),
        ("magic-2hg", 2, 30, 15, 7, SkipsDraw.STARTING_TEAM),
        ("magic-2hg-2006", 2, 40, 10, 7, SkipsDraw.PRIMARY_OF_STARTING_TEAM),
        ("magic-ffa", 4, 20, 10, 7, SkipsDraw.NOBODY),
        ("magic-commander", 4, 40, 10, 7, SkipsDraw.STARTER_WHEN_TWO_PLAY),
        ("magic-brawl", 2, 25, 10, 7, SkipsDraw.STARTER),
        ("magic-brawl-multiplayer", 4, 30, 10, 7, SkipsDraw.NOBODY),
        ("magic-archenemy", 4, 20, 10, 7, SkipsDraw.STARTER_WHEN_TWO_PLAY),
        ("magic-alternating-teams", 2, 20, 10, 7, SkipsDraw.NOBODY),
        ("magic-trios", 2, 20, 10, 7, SkipsDraw.STARTER),
    ],
)
def test_a_magic_mode_has_its_numbers(
    key: str, sides: int, life: int, poison: int, hand: int, skips: SkipsDraw
) -> None:
    mode = mode_of(key)
    assert (mode.sides, mode.track.start, mode.track.poison, mode.opening_hand) == (sides, life, poison, hand)
    assert mode.first_turn.skips_draw is skips


def test_the_archenemy_alone_starts_at_forty() -> None:
    starts = {mode.key: mode.track.first_side_start for mode in MODES.values() if mode.track.first_side_start}
    assert starts == {"magic-archenemy": 40}


def test_a_commander_deals_twenty_one_damage_in_commander_only() -> None:
    limits = {m.key: m.track.commander_damage for m in MODES.values() if m.track.commander_damage}
    assert limits == {"magic-commander": 21}
