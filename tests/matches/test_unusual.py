"""Restarts, subgames, cards that name the starter and games lost by penalty, through the services."""

from collections.abc import Callable
from typing import Any

import pytest

from journal.actors import COMMAND
from journal.kinds import DeedKind
from journal.models import Deed
from matches.games import choose_first, games_of, next_right, record_game, undo_game
from matches.models import Game, Match, Opening
from matches.sheets import sheet_of
from matches.unusual import begin_subgame, end_subgame, lose_game, name_starter, restart_game
from rulebook.errors import RuleBroken
from rulebook.modes.blanks import Step
from rulebook.turns import GameEnd
from tests.day import new_day

pytestmark = pytest.mark.django_db


def running(mode: str = "magic-1v1", *, teams: int = 4) -> Match:
    match: Match = new_day(teams, mode=mode).run().matches.get(table=1)
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0)
    return match


def order_of(match: Match) -> list[str]:
    return Opening.objects.get(game__board__match=match).order


def undo(match: Match) -> Game | None:
    return undo_game(match_id=match.pk, actor=COMMAND)


def test_a_restarted_game_has_no_result_and_who_had_left_stays_out_until_it_is_undone() -> None:
    match = running("magic-ffa")
    opening = restart_game(match_id=match.pk, starter="3A", gone=("2A",), actor=COMMAND, reason="a card")
    assert (opening.order, opening.gone, opening.chooser) == (["3A", "4A", "1A"], ["2A"], 0)
    (game,) = games_of(match)
    assert (game.number, game.state, game.is_draw, game.winner) == (1, "playing", False, None)
    assert sheet_of(match).order == ("3A", "4A", "1A")
    deed = Deed.objects.get(kind=DeedKind.GAME_RESTARTED)
    assert deed.after
    assert (deed.reason, deed.after["order"]) == ("a card", ["3A", "4A", "1A"])
    again = restart_game(match_id=match.pk, starter="1A", actor=COMMAND)
    assert again.order == ["1A", "3A", "4A"]
    undo(match)
    undo(match)
    assert order_of(match) == ["1A", "2A", "3A", "4A"]


def test_a_card_names_the_starter_after_the_choice_and_the_chooser_stays_on_record() -> None:
    match = running()
    opening = name_starter(match_id=match.pk, position="2A", actor=COMMAND)
    assert (opening.chooser, opening.by, opening.order) == (0, "card", ["2A", "1A"])
    record_game(match_id=match.pk, actor=COMMAND, winner=None)
    right = next_right(match)
    assert right is not None
    assert (right.chooser, right.by) == (0, "previous")
    undo(match)
    undo(match)
    assert order_of(match) == ["1A", "2A"]


def test_a_subgame_begins_at_random_and_ends_back_in_the_main_game() -> None:
    match = running()
    game = begin_subgame(match_id=match.pk, actor=COMMAND, seed=5)
    assert sorted(game.subgames[0]["order"]) == ["1A", "2A"]
    with pytest.raises(RuleBroken, match="subgame is still played"):
        record_game(match_id=match.pk, actor=COMMAND, winner=0)
    end_subgame(match_id=match.pk, actor=COMMAND, winner=1)
    assert order_of(match) == ["1A", "2A"]
    undo(match)
    undo(match)
    assert games_of(match)[0].subgames == []
    assert record_game(match_id=match.pk, actor=COMMAND, winner=0).winner == 0


def test_who_concedes_during_a_subgame_ends_both() -> None:
    match = running()
    begin_subgame(match_id=match.pk, actor=COMMAND)
    game = record_game(match_id=match.pk, actor=COMMAND, winner=0, ended_by=GameEnd.CONCESSION)
    assert game.subgames[0]["is_over"]


@pytest.mark.parametrize("mode", ["magic-1v1", "riftbound-match"])
def test_a_forfeited_game_one_lets_the_penalised_choose_and_keeps_the_decks(mode: str) -> None:
    match: Match = new_day(4, mode=mode).run().matches.get(table=1)
    game = lose_game(match_id=match.pk, side=0, actor=COMMAND)
    assert (game.winner, game.ended_by) == (1, "penalty-before-it-began")
    opening = choose_first(match_id=match.pk, actor=COMMAND)
    assert (opening.chooser, opening.by) == (0, "penalty")
    swap = sheet_of(match).steps[0]
    assert swap.step is Step.SIDEBOARDS
    assert "nobody swaps" in swap.lines[0].text


def test_a_running_game_lost_by_penalty_lets_the_penalised_choose_and_everybody_swap_cards() -> None:
    match = running()
    assert lose_game(match_id=match.pk, side=1, actor=COMMAND).ended_by == "penalty"
    assert choose_first(match_id=match.pk, actor=COMMAND).chooser == 1
    assert "swap cards" in sheet_of(match).steps[0].lines[0].text
    assert lose_game(match_id=match.pk, side=None, actor=COMMAND).is_draw


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (lambda m: restart_game(match_id=m.pk, starter="5A", actor=COMMAND), "unknown-seat"),
        (
            lambda m: restart_game(match_id=m.pk, starter="2A", gone=("2A",), actor=COMMAND),
            "seat-has-left",
        ),
        (lambda m: name_starter(match_id=m.pk, position="1B", actor=COMMAND), "unknown-seat"),
        (lambda m: end_subgame(match_id=m.pk, actor=COMMAND), "no-subgame"),
        (lambda m: lose_game(match_id=m.pk, side=1, actor=COMMAND), "wrong-number-of-sides"),
        (lambda m: (undo(m), begin_subgame(match_id=m.pk, actor=COMMAND)), "no-game-runs"),
    ],
)
def test_what_the_rules_do_not_know_is_refused_and_nothing_is_recorded(
    deed: Callable[[Match], object], code: str
) -> None:
    match = running("magic-ffa")
    kinds = {DeedKind.GAME_RESTARTED, DeedKind.STARTER_NAMED, DeedKind.SUBGAME_BEGUN, DeedKind.GAME_RECORDED}
    with pytest.raises(RuleBroken) as refused:
        deed(match)
    assert refused.value.code == code
    assert not Deed.objects.filter(kind__in=kinds).exists()


def test_nobody_chooses_in_archenemy_and_the_archenemy_starts_every_game() -> None:
    match = running("magic-archenemy")
    opening = Opening.objects.get(game__board__match=match)
    assert (opening.chooser, opening.by, opening.order[0]) == (None, "fixed", "1A")


@pytest.mark.parametrize(
    ("winner", "words", "code"),
    [
        (0, {"chooser": 0, "option": "1A"}, "not-the-chooser"),
        (0, {"option": "3A"}, "unknown-option"),
        (None, {"option": "2A"}, "order-kept"),
    ],
)
def test_nobody_chooses_in_the_place_of_who_may(winner: int | None, words: dict[str, Any], code: str) -> None:
    match: Match = new_day(2, best_of=3).run().matches.get()
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0)
    record_game(match_id=match.pk, actor=COMMAND, winner=winner)
    before = (Game.objects.count(), Deed.objects.count())
    with pytest.raises(RuleBroken) as refused:
        choose_first(match_id=match.pk, actor=COMMAND, **words)
    assert refused.value.code == code
    assert (Game.objects.count(), Deed.objects.count()) == before
    assert choose_first(match_id=match.pk, actor=COMMAND).order[0] == ("2A" if winner == 0 else "1A")


def test_half_a_team_cannot_stay_in_a_restarted_game() -> None:
    match = running("riftbound-2v2")
    with pytest.raises(RuleBroken, match="Name both"):
        restart_game(match_id=match.pk, starter="1A", gone=("2B",), actor=COMMAND)
    assert sheet_of(match).order == ("1A", "2A", "1B", "2B")
