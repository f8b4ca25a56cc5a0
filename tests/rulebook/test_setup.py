"""The set-up sheet: the right steps in the right order for this table."""

import json

import pytest

from rulebook.declared import Declared, Face, HandAction
from rulebook.errors import RuleBroken
from rulebook.first_turns import FirstTurnOf, first_turns
from rulebook.modes import MODES, Mode, mode_of
from rulebook.modes.blanks import Game, Step
from rulebook.mulligans import free_mulligans
from rulebook.setup import TITLES, SetupSheet, Table, setup_sheet
from rulebook.setup_steps import LINES
from rulebook.terms import terms_for
from rulebook.turns import Opening, OpeningBy, opening_for, options_of

TEN_SHEETS = tuple(f"sheet {number}" for number in range(10))


def opening(key: str, option: str | None = None, *, chooser: int = 0, sides: int | None = None) -> Opening:
    mode = mode_of(key)
    terms = terms_for(mode, sides=sides).on_board(mode.boards[0])
    if key == "magic-archenemy":
        return opening_for(terms, chooser=None, by=OpeningBy.FIXED)
    return opening_for(terms, chooser=chooser, by=OpeningBy.LOSER, option=option)


def sheet(
    key: str,
    *options: str,
    starts: str | None = None,
    declared: dict[str, Declared] | None = None,
    game: int = 1,
    table: Table | None = None,
) -> SetupSheet:
    return setup_sheet(mode_of(key), options, table or Table(), opening(key, starts), declared, game=game)


def steps(found: SetupSheet) -> list[Step]:
    return [step.step for step in found.steps]


def texts(found: SetupSheet, step: Step) -> dict[str, str]:
    (one,) = [one for one in found.steps if one.step is step]
    return {line.position: line.text for line in one.lines}


@pytest.mark.parametrize(
    "sequence",
    [
        pytest.param(
            [
                Step.LEGEND,
                Step.CHAMPION,
                Step.BATTLEFIELDS,
                Step.TURN_ORDER,
                Step.OPENING_HAND,
                Step.MULLIGANS,
            ],
            id="we-069",
        )
    ],
)
def test_game_two_of_a_riftbound_match_is_set_up_in_the_order_of_the_rules(sequence: list[Step]) -> None:
    found = steps(sheet("riftbound-match", game=2))
    assert [step for step in found if step in sequence] == sequence


EVERY_START = [
    pytest.param(key, chooser, option.key, id=f"{key}-{chooser}-{option.key}")
    for key in ("riftbound-ffa4", "riftbound-2v2")
    for chooser in range(mode_of(key).sides)
    for option in options_of(terms_for(mode_of(key)), chooser)
]


@pytest.mark.parametrize(("key", "chooser", "option"), EVERY_START)
def test_the_starter_brings_no_battlefield_in_the_four_player_modes(
    key: str, chooser: int, option: str
) -> None:
    found = setup_sheet(mode_of(key), (), Table(), opening(key, option, chooser=chooser))
    lines = texts(found, Step.BATTLEFIELDS)
    bringing = [position for position, text in lines.items() if "at random" in text]
    assert len(bringing) == 3
    assert found.order[0] not in bringing
    assert steps(found).index(Step.TURN_ORDER) < steps(found).index(Step.BATTLEFIELDS)


def test_three_battlefields_are_in_play_in_a_skirmish() -> None:
    assert len(texts(sheet("riftbound-ffa3"), Step.BATTLEFIELDS)) == 3


def test_in_a_match_a_battlefield_once_used_is_out() -> None:
    brought = Declared(battlefields=("Forge", "Grove", "Reef"), used_battlefields=("Grove",))
    lines = texts(sheet("riftbound-match", declared={"2A": brought}, game=2), Step.BATTLEFIELDS)
    assert lines["2A"] == "Chooses one not used yet: Forge, Reef."


def test_after_a_drawn_game_the_battlefields_stay() -> None:
    first = opening("riftbound-2v2", "1B")
    kept = Opening(None, OpeningBy.KEPT, None, first.order, is_default=False)
    found = setup_sheet(mode_of("riftbound-2v2"), (), Table(), kept, game=2)
    assert texts(found, Step.BATTLEFIELDS) == {"": "Keep the battlefields of the drawn game."}


def test_names_stand_beside_the_seats() -> None:
    table = Table(7, {"1A": "Ada", "2B": "Bo"})
    found = sheet("riftbound-2v2", starts="2B", table=table)
    (turns,) = [step for step in found.steps if step.step is Step.TURN_ORDER]
    assert [line.name for line in turns.lines] == ["Bo", "Ada", "2A", "1B"]
    assert found.table == 7


@pytest.mark.parametrize("mode", [pytest.param(m, id=m.key) for m in MODES.values()])
def test_every_mode_has_a_sheet_that_survives_json(mode: Mode) -> None:
    found = sheet(mode.key)
    assert json.loads(json.dumps(found.as_dict()))["mode"] == mode.key
    assert found.steps[-1].step is Step.FIRST_TURN
    assert [step.number for step in found.steps] == list(range(1, len(found.steps) + 1))
    assert found.citations


def test_every_step_has_a_title_and_lines() -> None:
    assert set(LINES) == set(TITLES) == set(Step)


def test_what_nobody_declares_does_not_appear() -> None:
    assert steps(sheet("magic-1v1")) == [
        Step.TURN_ORDER,
        Step.SHUFFLE,
        Step.TRACK,
        Step.OPENING_HAND,
        Step.MULLIGANS,
        Step.FIRST_TURN,
    ]


def test_everything_declared_appears_in_the_order_of_the_rules() -> None:
    everything = Declared(
        sideboard=True,
        substitutes=(("Delver", Face.DOUBLE_FACED),),
        companions=("Lurrus",),
        sticker_sheets=TEN_SHEETS,
        conspiracies=("Backup Plan",),
        planar_deck=True,
        attraction_deck=True,
        hand_actions=(("Leyline", HandAction.BATTLEFIELD), ("Chancellor", HandAction.REVEAL)),
    )
    found = sheet("magic-ffa", "planechase", "conspiracy", declared={"2A": everything})
    assert steps(found) == [
        Step.TURN_ORDER,
        Step.SET_ASIDE,
        Step.COMPANION,
        Step.STICKERS,
        Step.CONSPIRACIES,
        Step.SHUFFLE,
        Step.SUPPLEMENTARY_DECKS,
        Step.TRACK,
        Step.OPENING_HAND,
        Step.MULLIGANS,
        Step.HAND_ACTIONS,
        Step.FIRST_PLANE,
        Step.FIRST_TURN,
    ]
    assert texts(found, Step.SET_ASIDE) == {
        "2A": "Sets aside the sideboard; Delver, for which a substitute is played."
    }
    assert "3 at random" in texts(found, Step.STICKERS)["2A"]
    assert texts(found, Step.SUPPLEMENTARY_DECKS)["2A"].startswith("Shuffles the planar deck and the attr")
    assert list(texts(found, Step.FIRST_PLANE)) == [found.order[0]]


def test_cards_of_the_opening_hand_keep_their_names() -> None:
    brought = Declared(
        hand_actions=(
            ("Leyline of the Void", HandAction.BATTLEFIELD),
            ("Chancellor of the Annex", HandAction.REVEAL),
        )
    )
    assert texts(sheet("magic-1v1", declared={"2A": brought}), Step.HAND_ACTIONS) == {
        "2A": "May begin with Leyline of the Void on the battlefield; "
        "may reveal Chancellor of the Annex until the first turn begins."
    }


def test_conspiracies_without_their_option_do_not_appear() -> None:
    found = sheet("magic-ffa", declared={"1A": Declared(conspiracies=("Backup Plan",))})
    assert Step.CONSPIRACIES not in steps(found)


def test_a_commander_goes_to_the_command_zone_and_says_its_color() -> None:
    brought = Declared(
        commanders=("The Prismatic Piper",), commander_needs_color=True, commander_color="green"
    )
    lines = texts(sheet("magic-commander", declared={"1A": brought}), Step.COMMANDER)
    assert lines["1A"] == "Puts The Prismatic Piper face up into the command zone and says the color green."
    assert lines["2A"] == "Puts the commander face up into the command zone."


def test_a_vanguard_changes_life_and_hand_only_with_its_option() -> None:
    brought = {"1A": Declared(life_modifier=-4, hand_modifier=1)}
    found = sheet("magic-1v1", "vanguard", declared=brought)
    assert texts(found, Step.TRACK) == {"1A": "Begins with 16 life.", "2A": "Begins with 20 life."}
    assert texts(found, Step.OPENING_HAND)["1A"] == "Draws 8 cards. The maximum hand size is 8."
    without = sheet("magic-1v1", declared=brought)
    assert texts(without, Step.TRACK)["1A"] == "Begins with 20 life."
    assert texts(without, Step.OPENING_HAND)["1A"] == "Draws 7 cards."


def test_both_vanguards_of_a_team_change_the_life_it_shares() -> None:
    brought = {"1A": Declared(life_modifier=5), "1B": Declared(life_modifier=-2)}
    found = sheet("magic-2hg", "vanguard", declared=brought)
    assert texts(found, Step.TRACK) == {
        "1A": "The team begins with 33 life.",
        "1B": "The team begins with 33 life.",
        "2A": "The team begins with 30 life.",
        "2B": "The team begins with 30 life.",
    }


def test_a_vanguard_never_leaves_less_than_an_empty_hand() -> None:
    found = sheet("magic-1v1", "vanguard", declared={"1A": Declared(hand_modifier=-9)})
    assert texts(found, Step.OPENING_HAND)["1A"] == "Draws 0 cards. The maximum hand size is 0."


@pytest.mark.parametrize(
    ("key", "life"),
    [
        ("magic-2hg", {"": "Every team begins with 30 life."}),
        ("magic-2hg-2006", {"": "Every team begins with 40 life."}),
        ("magic-brawl", {"1A": "Begins with 25 life.", "2A": "Begins with 25 life."}),
        ("riftbound-2v2", {"": "Every side begins at 0 points; 11 win."}),
    ],
)
def test_life_and_points_at_the_start(key: str, life: dict[str, str]) -> None:
    assert texts(sheet(key), Step.TRACK) == life


def test_the_archenemy_has_forty_life_and_a_scheme_deck() -> None:
    found = sheet("magic-archenemy")
    assert texts(found, Step.TRACK)["1A"] == "Begins with 40 life."
    assert list(texts(found, Step.SUPPLEMENTARY_DECKS)) == ["1A"]


@pytest.mark.parametrize(
    ("key", "option", "expected"),
    [
        ("riftbound-duel", "first", [(True, 0), (True, 1)]),
        ("riftbound-ffa3", "first", [(False, 0), (True, 0), (True, 1)]),
        ("riftbound-2v2", "2B", [(False, 0), (True, 0), (True, 0), (True, 1)]),
        ("magic-1v1", "first", [(False, 0), (True, 0)]),
        ("magic-2hg", "2", [(False, 0), (False, 0), (True, 0), (True, 0)]),
        ("magic-2hg-2006", "2", [(False, 0), (True, 0), (True, 0), (True, 0)]),
        ("magic-ffa", "3A", [(True, 0)] * 4),
    ],
)
def test_first_turn_draws_and_runes_per_seat(key: str, option: str, expected: list[tuple[bool, int]]) -> None:
    order = opening(key, option).order
    found = first_turns(mode_of(key), order)
    assert found == tuple(FirstTurnOf(p, *what) for p, what in zip(order, expected, strict=True))


@pytest.mark.parametrize(("sides", "skips"), [(2, 1), (4, 0)])
def test_a_commander_game_of_two_players_skips_the_first_draw(sides: int, skips: int) -> None:
    turns = first_turns(mode_of("magic-commander"), opening("magic-commander", sides=sides).order)
    assert sum(not turn.draws for turn in turns) == skips


@pytest.mark.parametrize(
    ("brought", "code"),
    [
        (Declared(substitutes=(("Island", Face.ORDINARY),)), "substitute-not-allowed"),
        (Declared(companions=("Lurrus", "Jegantha")), "two-companions"),
        (Declared(commander_needs_color=True), "color-missing"),
        (Declared(sticker_sheets=TEN_SHEETS[:9]), "too-few-sticker-sheets"),
        (Declared(sticker_sheets=(*TEN_SHEETS, "sheet 1")), "same-sticker-sheet-twice"),
        (Declared(sticker_sheets=TEN_SHEETS[:4], is_limited=True), "too-many-sticker-sheets"),
        (
            Declared(hand_actions=(("Chancellor", HandAction.REVEAL), ("Chancellor", HandAction.REVEAL))),
            "revealed-twice",
        ),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_declaration_against_the_rules_is_refused(brought: Declared, code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        sheet("magic-1v1", declared={"1A": brought})
    assert refused.value.code == code


@pytest.mark.parametrize("count", [1, 3])
def test_up_to_three_opened_sticker_sheets_are_legal_in_limited(count: int) -> None:
    brought = Declared(sticker_sheets=TEN_SHEETS[:count], is_limited=True)
    assert "sheet 0" in texts(sheet("magic-1v1", declared={"1A": brought}), Step.STICKERS)["1A"]


def test_a_board_has_its_own_sheet_though_the_table_names_everybody() -> None:
    table = Table(3, {f"{side}{label}": f"{label}{side}" for side in (1, 2) for label in "ABC"})
    terms = terms_for(mode_of("magic-trios")).on_board("B")
    starts = opening_for(terms, chooser=1, by=OpeningBy.AGREED, option="first")
    found = setup_sheet(mode_of("magic-trios"), (), table, starts)
    (turns,) = [step for step in found.steps if step.step is Step.FIRST_TURN]
    assert [(line.name, line.text) for line in turns.lines] == [
        ("B2", "Does not draw on the first turn."),
        ("B1", "Draws on the first turn."),
    ]


def test_an_unknown_seat_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        sheet("magic-1v1", declared={"3A": Declared()})
    assert refused.value.code == "unknown-seat"


def test_a_sheet_needs_an_opening() -> None:
    none = Opening(None, OpeningBy.PENALTY, None, (), is_default=False)
    with pytest.raises(RuleBroken) as refused:
        setup_sheet(mode_of("magic-1v1"), (), Table(), none)
    assert refused.value.code == "no-opening"


@pytest.mark.parametrize(
    ("key", "order"),
    [
        ("riftbound-2v2", ("1A", "2A")),
        ("riftbound-2v2", ("1A", "2A", "1B", "1B")),
        ("magic-1v1", ("1A", "2B")),
        ("magic-ffa", ("1A", "2A", "9A")),
    ],
)
def test_an_order_of_another_mode_is_refused(key: str, order: tuple[str, ...]) -> None:
    strange = Opening(0, OpeningBy.AGREED, None, order, is_default=False)
    with pytest.raises(RuleBroken) as refused:
        setup_sheet(mode_of(key), (), Table(), strange)
    assert refused.value.code == "wrong-order"


def test_who_had_left_before_a_restart_is_not_on_the_sheet() -> None:
    again = Opening(0, OpeningBy.CARD, None, ("3A", "1A"), is_default=False)
    assert setup_sheet(mode_of("magic-ffa"), (), Table(), again).order == ("3A", "1A")


def test_games_are_numbered_from_one() -> None:
    with pytest.raises(RuleBroken) as refused:
        sheet("magic-1v1", game=0)
    assert refused.value.code == "wrong-game"


@pytest.mark.parametrize(
    ("fields", "code"),
    [(("Forge", "Grove"), "wrong-count"), (("Forge", "Forge", "Reef"), "same-card-twice")],
)
def test_every_player_brings_three_different_battlefields(fields: tuple[str, ...], code: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        sheet("riftbound-match", declared={"1A": Declared(battlefields=fields)})
    assert refused.value.code == code


def test_mulligans_are_declared_in_the_order_of_the_mode() -> None:
    lines = texts(sheet("magic-2hg", starts="2"), Step.MULLIGANS)
    assert "first" in lines["2A"]
    assert "second" in lines["1B"]
    assert all("up to two cards" in text for text in texts(sheet("riftbound-2v2"), Step.MULLIGANS).values())


def test_only_magic_sheets_speak_of_sideboards_before_game_one() -> None:
    brought = {"1A": Declared(sideboard=True)}
    for mode in MODES.values():
        found = sheet(mode.key, declared=brought)
        if mode.game is Game.RIFTBOUND:
            assert Step.SET_ASIDE not in steps(found)


def test_a_best_of_one_with_sideboards_is_set_up_in_its_own_order() -> None:
    assert steps(sheet("riftbound-duel", "bo1-sideboards")) == [
        Step.LEGEND,
        Step.BATTLEFIELDS,
        Step.TURN_ORDER,
        Step.SIDEBOARDS,
        Step.CHAMPION,
        Step.SHUFFLE,
        Step.TRACK,
        Step.OPENING_HAND,
        Step.MULLIGANS,
        Step.FIRST_TURN,
    ]
    assert Step.SIDEBOARDS not in steps(sheet("riftbound-duel"))


@pytest.mark.parametrize(
    ("key", "game", "by", "allowed", "words"),
    [
        ("riftbound-match", 2, OpeningBy.LOSER, None, "one for one"),
        ("magic-1v1", 2, OpeningBy.LOSER, None, "with your sideboard"),
        ("riftbound-match", 2, OpeningBy.KEPT, None, "nobody swaps"),
        ("magic-1v1", 2, OpeningBy.PENALTY, False, "nobody swaps"),
        ("magic-1v1", 1, OpeningBy.LOSER, True, ""),
    ],
)
def test_cards_are_swapped_between_games_where_the_rules_allow(
    key: str, game: int, by: OpeningBy, allowed: bool | None, words: str
) -> None:
    order = opening(key).order
    value = Opening(0, by, None, order, is_default=False)
    found = setup_sheet(mode_of(key), (), Table(), value, game=game, may_sideboard=allowed)
    if not words:
        assert Step.SIDEBOARDS not in steps(found)
        return
    assert found.steps[0].step is Step.SIDEBOARDS
    assert words in texts(found, Step.SIDEBOARDS)[""]


@pytest.mark.parametrize(("sides", "skips", "free"), [(2, 1, 0), (4, 0, 1)])
def test_an_archenemy_with_one_opponent_plays_by_the_rules_for_two(sides: int, skips: int, free: int) -> None:
    mode = mode_of("magic-archenemy")
    order = opening_for(terms_for(mode, sides=sides), chooser=None, by=OpeningBy.FIXED).order
    assert sum(not turn.draws for turn in first_turns(mode, order)) == skips
    assert free_mulligans(mode, players=sides) == free


def test_a_planar_deck_is_shuffled_before_its_first_plane_even_if_all_share_one() -> None:
    found = sheet("magic-ffa", "planechase")
    titles = [step.title for step in found.steps]
    assert titles.index("Other decks") < titles.index("First plane")
    assert [line.position for step in found.steps if step.title == "Other decks" for line in step.lines] == [
        found.order[0]
    ]
