"""Every kind of bracket as it is drawn: only what is public, part by part."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from journal.actors import COMMAND
from tests.day import Day, new_day
from tournaments.models import Stage
from tournaments.pages.brackets import Column, bracket_of
from tournaments.pages.scenes import name_of, scene_of
from tournaments.rounds import close_round

pytestmark = pytest.mark.django_db


def drawn(day: Day) -> tuple[Column, ...]:
    scene = scene_of(day.fresh)
    assert scene.bracket is not None
    return bracket_of(scene, scene.bracket)


def lines(day: Day) -> dict[str, list[str]]:
    """By label of the match, seed or words of each line."""
    return {
        node.label: [str(place.seed) if place.card else place.words for place in node.places]
        for column in drawn(day)
        for node in column.nodes
    }


def pods_day(teams: int, cut: int) -> Day:
    day = new_day(teams, mode="magic-commander", best_of=1, policy="topdeck-pods", rounds=1)
    play_pods(day)
    day.cut(cut)
    return day


def play_pods(day: Day) -> None:
    rnd = day.run()
    for match in rnd.matches.filter(kind="table"):
        day.enter(match, winner=0)
    close_round(round_id=rnd.pk, actor=COMMAND)


def test_a_double_elimination_is_drawn_in_three_parts() -> None:
    day = new_day(4, rounds=1, cut_method="double")
    day.play()
    day.cut(4)
    assert [(column.part, column.name) for column in drawn(day)] == [
        ("Winners", "Winners round 1"),
        ("Winners", "Winners final"),
        ("Losers", "Losers round 1"),
        ("Losers", "Losers final"),
        ("Grand final", "Grand final"),
    ]
    assert lines(day)["Losers round 1, match 1"] == [
        "Loser of Winners round 1, match 1",
        "Loser of Winners round 1, match 2",
    ]
    assert name_of(day.pair()) == "Winners round 1"


def test_the_reset_of_a_final_is_drawn_only_when_it_is_played() -> None:
    day = new_day(2, rounds=1, cut_method="double")
    day.play()
    day.cut(2)
    for loses in (False, True):
        assert "Grand final, second match" not in lines(day)
        rnd = day.run()
        day.enter(rnd.matches.get(), (0, 2) if loses else (2, 0))
        close_round(round_id=rnd.pk, actor=COMMAND)
    assert lines(day)["Grand final, second match"] == ["1", "2"]


def test_a_third_place_stands_beside_the_final() -> None:
    day = new_day(4, rounds=1, cut_method="third-place")
    day.play()
    day.cut(4)
    assert [node.label for node in drawn(day)[-1].nodes] == ["Final", "Third place"]
    assert lines(day)["Third place"] == ["Loser of Semifinal 1", "Loser of Semifinal 2"]


def test_a_final_pod_names_its_seats_once_the_pods_before_it_are_closed() -> None:
    day = pods_day(12, 10)
    assert lines(day)["Final pod"] == ["A winner, by seed"] * 4
    assert lines(day)["Seed 1 waits"] == ["1"]
    play_pods(day)
    before = lines(day)
    assert before["Final pod"] == ["1", "2", "3", "4"]
    day.pair()
    assert lines(day) == before, "a draft moves nobody"


@pytest.mark.parametrize("kind", ["double", "pods"])
def test_a_larger_bracket_takes_no_more_queries(kind: str) -> None:
    counts = []
    for size in (4, 16):
        if kind == "pods":
            day = pods_day(size + 1, size)
        else:
            day = new_day(size, rounds=1, cut_method=kind)
            day.play()
            day.cut(size)
        day.publish()
        with CaptureQueriesContext(
            connection,
        ) as caught:
            drawn(day)
        counts.append(len(caught))
    assert counts[0] == counts[1]
    assert Stage.objects.filter(number=2).count() == 2


def test_case_071_the_bracket_shows_the_score_that_was_typed() -> None:
    day = new_day(4, rounds=1)
    day.play()
    bracket = day.cut(4)
    best = bracket.entries.get(seed=1).team
    rnd = day.run()
    day.enter_for(best, rnd, 2, 1)
    node = next(node for node in drawn(day)[0].nodes if any(place.seed == 1 for place in node.places))
    shown = {place.seed: (place.wins, place.has_won) for place in node.places}
    assert shown == {1: (2, True), 4: (1, False)}
