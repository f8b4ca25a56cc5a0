"""The preview of a correction says what the correction then does, and leaves nothing behind."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.apps import apps

from journal.actors import COMMAND
from journal.wake import listen, stop_listening
from matches.boards import enter_board
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.scoring import ResultKind
from tests.day import Day, new_day
from tournaments.corrections import correct_board, correct_result
from tournaments.models import Round
from tournaments.previewing import Preview, Told, preview_correction
from tournaments.repairing import repair_plan
from tournaments.rounds import close_round
from tournaments.standings import latest_snapshot

pytestmark = pytest.mark.django_db

ROOMS = ("journal", "teams", "matches", "tournaments")


def everything() -> dict[str, list[Mapping[str, Any]]]:
    """Every row of every room."""
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for room in ROOMS
        for model in apps.get_app_config(room).get_models()
    }


def preview(match: Match, *, reason: str = "slip misread", **said: Any) -> Preview:
    """The preview, after which every row is as it was and nobody was woken."""
    before, woken = everything(), []

    def heard(tournament_id: int, number: int, subject: str) -> None:
        woken.append(number)

    listen(heard)
    try:
        found = preview_correction(match_id=match.pk, actor=COMMAND, reason=reason, **said)
    finally:
        stop_listening(heard)
    assert everything() == before
    assert not woken
    return found


def turned(day: Day, match: Match) -> tuple[int, int]:
    """The result the other way round."""
    first = day.sides(match)[0]
    return (0, 2) if day.lines(match)[first][0] == "win" else (2, 0)


def wins_of(told: Told | None) -> tuple[int, ...]:
    return told.wins if told else ()


def ranks(day: Day) -> dict[int, tuple[int, str]]:
    snapshot = latest_snapshot(day.swiss)
    assert snapshot is not None
    return {
        team: (rank, points) for team, rank, points in snapshot.rows.values_list("team", "rank", "points")
    }


def test_the_preview_tells_the_ranks_the_cut_and_the_repair_that_the_correction_then_brings(
    django_capture_on_commit_callbacks: Any,
) -> None:
    day = new_day(12, rounds=3, cut=4)
    first = day.play(1)
    day.publish(2)
    match = first.matches.get(table=1)
    wins = turned(day, match)
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        told = preview(match, wins=wins)
    assert not callbacks
    before, top = ranks(day), {team.pk for team in day.ranking()[:4]}
    correct_result(match_id=match.pk, wins=wins, reason="slip misread", actor=COMMAND)
    after = ranks(day)
    assert {one.team_id: (one.rank_after, str(one.points_after)) for one in told.moved} == {
        team: row for team, row in after.items() if row != before[team]
    }
    assert {one.team_id for one in told.moved[:2]} == {team.pk for team in day.sides(match)}
    now = {team.pk for team in day.ranking()[:4]}
    assert told.cut is not None
    assert not told.cut.is_made
    assert (set(told.cut.enters), set(told.cut.leaves)) == (now - top, top - now)
    plan = repair_plan(Round.objects.select_related("stage__tournament").get(number=2)).plan
    assert told.pairings is not None
    assert told.pairings.state == "published"
    assert told.pairings.made == tuple(one.sides for one in plan.made)
    assert plan.made
    assert [(wins_of(one.was), wins_of(one.now)) for one in told.contests] == [(wins[::-1], wins)]
    correct_result(match_id=match.pk, wins=wins[::-1], reason="it was right", actor=COMMAND)
    assert preview(match, wins=wins).digest == told.digest
    assert preview(match, wins=(1, 1), draws=1).digest != told.digest


def test_a_result_that_cannot_be_is_refused_by_the_preview_as_by_the_correction() -> None:
    day = new_day(4)
    match = day.play(1).matches.get(table=1)
    for said, code in (
        ({"wins": (3, 0)}, "too-many-wins"),
        ({"wins": (2, 0), "reason": " "}, "reason-missing"),
    ):
        with pytest.raises(RuleBroken) as error:
            preview(match, **said)  # type: ignore[arg-type]
        assert error.value.code == code


def test_in_a_bracket_the_preview_names_who_goes_on_and_the_round_that_forbids_it() -> None:
    day = new_day(8, rounds=1)
    swiss = day.play(1)
    bracket = day.cut(4)
    cut = swiss.matches.get(table=1)
    told = preview(cut, kind=ResultKind.DOUBLE_LOSS)
    assert told.cut is not None
    assert told.cut.is_made
    assert told.pairings is None
    match = day.play(2).matches.get(table=1)
    winner = next(team for team, line in day.lines(match).items() if line[0] == "win")
    (loser,) = set(day.sides(match)) - {winner}
    told = preview(match, wins=turned(day, match))
    assert [(one.round_number, one.before, one.after) for one in told.slots] == [(2, winner.pk, loser.pk)]
    assert {one.team_id: (one.before, one.after) for one in told.places} == {
        winner.pk: (None, 3),
        loser.pk: (3, None),
    }
    assert not told.refused
    assert not told.moved
    day.pair()
    told = preview(match, wins=turned(day, match))
    assert "next bracket round is paired" in told.refused
    assert not told.slots
    assert bracket.slots.filter(round_number=2, team=winner).exists()


def test_of_pods_the_draft_would_be_paired_anew_and_a_published_round_stays() -> None:
    day = new_day(9, mode="riftbound-ffa3", best_of=1, rounds=4)
    for _ in range(2):
        rnd = day.run()
        for match in rnd.matches.filter(kind="table"):
            day.enter(match, winner=0)
        close_round(round_id=rnd.pk, actor=COMMAND)
    match = rnd.matches.get(table=1)
    day.pair()
    told = preview(match, wins=(0, 1, 0))
    assert told.pairings is not None
    assert told.pairings.is_drawn
    assert told.pairings.state == "paired"
    assert told.pairings.made, "with these seeds the leaders' pod is another one"
    assert len(told.moved) >= 2


def test_a_board_is_previewed_with_the_result_of_the_whole_match() -> None:
    day = new_day(2, mode="magic-trios")
    match = day.run().matches.get()
    for label in "AB":
        enter_board(match_id=match.pk, board_label=label, wins=(2, 0), actor=COMMAND)
    correct_board(match_id=match.pk, board_label="C", wins=(0, 2), actor=COMMAND, reason="played too")
    told = preview(match, board_label="B", wins=(0, 2))
    assert told.is_running
    assert not told.moved
    assert [(one.label, wins_of(one.was), wins_of(one.now)) for one in told.contests] == [
        ("B", (2, 0), (0, 2)),
        ("", (2, 1), (1, 2)),
    ]
