"""Decklists by their shape."""

import dataclasses

import pytest

from rulebook.deck_formats import FORMATS, format_of
from rulebook.decklists import (
    Decklist,
    check_decklist,
    check_team_decks,
    read_decklist,
    require_legal,
)
from rulebook.errors import RuleBroken
from rulebook.modes import mode_of
from rulebook.modes.blanks import Limit

RIFT = "riftbound-constructed-2026-04"


def riftbound(
    *,
    main: int = 39,
    legend: str = "Jinx",
    fields: str = "Forge\nGrove\nReef",
    side: int = 0,
    runes: int = 12,
) -> str:
    cards = "\n".join(f"3 Card {number}" for number in range(main // 3))
    rest = f"\n{main % 3} Odd card" if main % 3 else ""
    board = "".join(f"\n1 Side {number}" for number in range(side))
    return (
        f"Legend:\n1 {legend}\nChampion:\n1 Vi\nMainDeck:\n{cards}{rest}\n"
        f"Battlefields:\n{fields}\nRunes:\n{runes} Fury Rune\nSideboard:{board}\n"
    )


def codes(body: str, key: str = RIFT) -> list[tuple[int | None, str]]:
    deck = format_of(key)
    return [(p.line, p.code) for p in check_decklist(read_decklist(body, deck), deck)]


def test_a_complete_riftbound_list_has_no_problem() -> None:
    assert codes(riftbound(side=8)) == []


def test_the_chosen_champion_may_also_be_listed_in_the_main_deck() -> None:
    body = riftbound().replace("MainDeck:\n", "MainDeck:\n1 Vi\n")
    assert codes(body) == []
    assert codes(riftbound(main=40)) == [(None, "wrong-count")]


def test_a_card_picked_out_and_listed_again_is_one_copy() -> None:
    three = riftbound(main=37).replace("MainDeck:\n", "MainDeck:\n3 Vi\n")
    assert codes(three) == []
    assert "too-many-copies" in {
        code for _, code in codes(three.replace("3 Vi", "4 Vi").replace("1 Odd card\n", ""))
    }
    assert codes("Commander\n1 Krenko\nDeck\n99 Mountain\n1 Krenko", "magic-commander") == []
    separate = riftbound(main=36).replace("MainDeck:\n", "MainDeck:\n3 Vi\n")
    assert "too-many-copies" in {code for _, code in codes(separate)}


@pytest.mark.parametrize(
    ("edition", "size", "is_legal"),
    [
        ("2025", 0, True),
        ("2025", 5, False),
        ("2025", 8, True),
        ("2026-04", 5, True),
        ("2026-04", 8, True),
        ("2026-04", 9, False),
        ("2026-07", 10, True),
        ("2026-07", 11, False),
    ],
)
def test_the_sideboard_is_measured_by_edition(edition: str, size: int, is_legal: bool) -> None:
    found = codes(riftbound(side=size), f"riftbound-constructed-{edition}")
    assert (found == []) is is_legal


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (riftbound(main=38), "wrong-count"),
        (riftbound(runes=11), "wrong-count"),
        (riftbound(fields="Forge\nGrove"), "wrong-count"),
        (riftbound(fields="Forge\nGrove\nforge"), "same-card-twice"),
        (riftbound(fields="2 Forge\nReef"), "same-card-twice"),
        (riftbound() + "Dungeon:\n", "unknown-section"),
        (riftbound() + "4 Card 1\n", "too-many-copies"),
        (riftbound() + "0 Card\n", "unreadable-line"),
        (riftbound() + "12\n", "unreadable-line"),
    ],
)
def test_what_is_wrong_with_a_list_is_named(body: str, code: str) -> None:
    assert code in {found for _, found in codes(body)}


def test_a_problem_of_one_line_names_that_line() -> None:
    body = riftbound(fields="Forge\nGrove\nForge")
    line = 1 + max(number for number, text in enumerate(body.splitlines()) if text == "Forge")
    assert codes(body) == [(line, "same-card-twice")]


@pytest.mark.parametrize(
    ("key", "body", "expected"),
    [
        ("magic-constructed", "60 Island", []),
        ("magic-constructed", "56 Island\n4 Opt\nSideboard\n1 Opt", [(4, "too-many-copies")]),
        ("magic-constructed", "59 Island", [(None, "wrong-count")]),
        ("magic-constructed", "60 Island\nSideboard\n16 Swamp", [(None, "wrong-count")]),
        ("magic-limited", "40 Island\nSideboard\n50 Swamp", []),
        ("magic-limited", "33 Island\n7 Opt", []),
        ("magic-commander", "Commander\n1 Krenko\nDeck\n99 Mountain", []),
        ("magic-commander", "Commander\n1 Tymna\n1 Thrasios\nDeck\n98 Forest", []),
        ("magic-commander", "Commander\n1 Krenko\nDeck\n97 Mountain\n2 Opt", [(5, "too-many-copies")]),
        ("magic-brawl", "Commander\n1 Krenko\nDeck\n59 Mountain", []),
    ],
)
def test_a_magic_list_by_format(key: str, body: str, expected: list[tuple[int | None, str]]) -> None:
    assert codes(body, key) == expected


def team(one: str, two: str) -> dict[str, Decklist]:
    return {"A": read_decklist(one, format_of(RIFT)), "B": read_decklist(two, format_of(RIFT))}


def test_teammates_of_2v2_register_different_legends_and_battlefields() -> None:
    mode = mode_of("riftbound-2v2")
    same = check_team_decks(mode, team(riftbound(), riftbound(fields="forge\nDunes\nPeak")))
    assert [problem.code for problem in same] == ["different-legends", "different-battlefields"]
    assert "A and B" in same[0].sentence
    other = team(riftbound(), riftbound(legend="Viktor", fields="Ice\nDunes\nPeak"))
    assert check_team_decks(mode, other) == ()


def test_opponents_may_register_the_same_legend() -> None:
    assert check_team_decks(mode_of("riftbound-match"), team(riftbound(), riftbound())) == ()


def test_an_illegal_list_is_refused_with_every_problem() -> None:
    require_legal(())
    with pytest.raises(RuleBroken) as refused:
        require_legal(check_decklist(read_decklist("59 Island", FORMATS["magic-constructed"]), FORMATS[RIFT]))
    assert refused.value.code == "decklist-wrong"
    assert "Legend: 0 cards" in refused.value.sentence


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        format_of("chess")
    assert refused.value.code == "unknown-format"


def test_empty_lines_and_remarks_are_skipped() -> None:
    assert codes("# my deck\n\n// lands\n60 Island", "magic-constructed") == []


def test_teammates_may_both_play_basic_lands_where_decks_are_unified() -> None:
    mode = dataclasses.replace(mode_of("magic-trios"), registration_limits=(Limit.UNIFIED_DECKS,))
    deck = format_of("magic-constructed")
    decks = {
        "A": read_decklist("56 Island\n4 Opt", deck),
        "B": read_decklist("56 Island\n4 Shock", deck),
        "C": read_decklist("60 Island\nSideboard\n1 opt", deck),
    }
    assert [problem.code for problem in check_team_decks(mode, decks)] == ["unified-decks"]


def test_two_headed_giant_constructed_has_no_sideboard() -> None:
    cards = "\n".join(f"4 Card {number}" for number in range(15))
    assert codes(f"Deck\n{cards}", "magic-2hg-constructed") == []
    assert codes(f"Deck\n{cards}\nSideboard\n1 Card 20", "magic-2hg-constructed") == [(None, "wrong-count")]
