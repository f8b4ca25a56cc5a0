"""The rules desk: every paragraph has an answer, every answer is found."""

from pathlib import Path

import pytest

from rulebook.coverage import Covered, coverage, function_of, paragraphs_of
from rulebook.errors import RuleBroken
from rulebook.modes import MODES
from rulebook.modes.blanks import Step
from rulebook.topics import TOPICS, load, search_topics, topic_of, topics_for

PARAGRAPHS = (Path(__file__).parent / "data" / "paragraphs.txt").read_text(encoding="utf-8").split()
ROWS = coverage()


def test_every_paragraph_of_the_rules_texts_has_a_row_and_no_row_is_dead() -> None:
    assert len(PARAGRAPHS) > 100
    rows = [row.paragraph for row in ROWS]
    assert sorted(rows) == sorted(PARAGRAPHS)
    assert len(set(rows)) == len(rows)


def is_alive(row: Covered) -> bool:
    if row.topic not in {"", *TOPICS}:
        return False
    try:
        return not row.function or callable(function_of(row.function))
    except LookupError:
        return False


def test_every_row_names_a_concept_and_a_living_answer() -> None:
    assert [row.paragraph for row in ROWS if not row.concept or not (row.topic or row.function)] == []
    assert [row.paragraph for row in ROWS if not is_alive(row)] == []


@pytest.mark.parametrize(
    "name", ["rulebook.turns.guess", "rulebook.nowhere.at_all", "turns", "rulebook.turns.__doc__"]
)
def test_a_row_that_leads_nowhere_is_noticed(name: str) -> None:
    with pytest.raises(LookupError):
        function_of(name)


def test_a_topic_cites_the_numbered_paragraphs_it_answers() -> None:
    for row in ROWS:
        text, _, number = row.paragraph.partition(":")
        number = number.removeprefix("TR-")
        cited = [c.rule for c in TOPICS[row.topic].citations if f"text {text}" in c.edition]
        rules = [rule for rules in cited for rule in rules.split(", ")]
        near = [rule for rule in rules if rule.startswith(number) or number.startswith(rule)]
        assert near or text == "004", row.paragraph


def test_what_holds_for_every_other_game_is_not_answered_for_two_headed_giant_alone() -> None:
    assert [row for row in ROWS if row.concept == "first-draw-many" and TOPICS[row.topic].modes] == []


def test_a_row_may_name_a_method() -> None:
    assert function_of("rulebook.mulligans.Mulligans.may_declare")


def test_a_concept_is_found_whatever_its_number_is() -> None:
    assert paragraphs_of("alternating-turns") == ("003:491.5.c", "003:TR-603.7.a")
    with pytest.raises(RuleBroken) as refused:
        paragraphs_of("castling")
    assert refused.value.code == "unknown-concept"


@pytest.mark.parametrize("step", list(Step), ids=str)
def test_every_set_up_step_links_to_a_topic(step: Step) -> None:
    assert topic_of(f"setup-{step}").title


def test_every_topic_cites_document_edition_and_rule_and_knows_its_modes() -> None:
    for topic in TOPICS.values():
        assert topic.citations, topic.key
        for citation in topic.citations:
            assert citation.document, topic.key
            assert citation.edition, topic.key
            assert any(sign.isdigit() for sign in citation.rule), topic.key
        assert set(topic.modes) <= set(MODES), topic.key
        assert topic.as_dict()["title"] == topic.title


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("Teferi’s Moat", "giant-attack"),
        ("flame rift", "giant-life"),
        ("Repay in Kind", "giant-set-life"),
        ("transcendence", "giant-losing"),
        ("lurking evil", "giant-life"),
        ("beacon of immortality", "giant-life"),
        ("test of endurance", "giant-life"),
        ("forestwalk", "giant-block"),
        ("invite teammate spell", "rift-invitation"),
        ("MULLIGAN", "setup-mulligans"),
        ("karn", "restarted-game"),
    ],
)
def test_what_people_ask_is_found(query: str, key: str) -> None:
    assert search_topics(query)[0].key == key


def test_a_search_within_a_mode_leaves_other_modes_out() -> None:
    assert not search_topics("flame rift", mode="riftbound-2v2")
    assert [topic.key for topic in search_topics("invite", mode="riftbound-2v2")] == ["rift-invitation"]


def test_what_nobody_wrote_about_is_not_found() -> None:
    assert search_topics("zugzwang") == ()
    assert len(search_topics("")) == len(TOPICS)


def test_topics_of_a_mode_come_before_those_of_all() -> None:
    keys = [topic.key for topic in topics_for("riftbound-2v2")]
    assert keys.index("rift-invitation") < keys.index("time-is-called")
    assert "giant-life" not in keys


def test_an_unknown_topic_is_refused() -> None:
    with pytest.raises(RuleBroken) as refused:
        topic_of("chess")
    assert refused.value.code == "unknown-topic"


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        (['[a]\ntitle="x"\nbody="y"\ncites=["D|E|1"]'] * 2, "two topics"),
        (['[a]\ntitle="x"\nbody="y"\ncites=[]'], "cites nothing"),
    ],
)
def test_a_topic_that_clashes_or_cites_nothing_does_not_load(texts: list[str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        load(texts)


def test_a_mode_lists_no_topic_of_another_game() -> None:
    assert not {"rift-modes", "setup-legend"} & {topic.key for topic in topics_for("magic-trios")}
    assert not {"subgame", "setup-companion"} & {topic.key for topic in topics_for("riftbound-2v2")}
    assert topics_for("magic-trios")[0].key == "talk-across-boards"
