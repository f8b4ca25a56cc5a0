"""The set-up sheet of a match, and seats that a team chooses anew for each match."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from journal.actors import COMMAND
from matches.games import choose_first
from matches.sheets import sheet_of
from rulebook.errors import RuleBroken
from tests.day import new_day
from tournaments.registration import swap_seats
from tournaments.setting_up import change_tournament, start_tournament


def printed(*words: str) -> str:
    out = io.StringIO()
    call_command("setup_sheet", *words, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_sheet_of_a_table_names_the_people_in_turn_order() -> None:
    day = new_day(2)
    match = day.run().matches.get()
    with pytest.raises(RuleBroken) as error:
        sheet_of(match)
    assert error.value.code == "no-opening"
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="2B")
    sheet = sheet_of(match)
    assert sheet.order == ("2B", "1A", "2A", "1B")
    battlefields = next(step for step in sheet.steps if step.step == "battlefields")
    second = day.sides(match)[1]
    assert battlefields.lines[0].name == day.players[day.place(second)][1].name
    assert "no battlefield" in battlefields.lines[0].text


@pytest.mark.django_db
def test_an_option_laid_over_the_mode_is_frozen_on_the_match_and_on_its_sheet() -> None:
    day = new_day(2, mode="magic-1v1", started=False)
    change_tournament(tournament_id=day.tournament.pk, options=["planechase"], actor=COMMAND)
    start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    match = day.run().matches.get()
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="first")
    assert sheet_of(match).options == ("planechase",)


@pytest.mark.django_db
def test_an_option_of_another_game_is_refused_when_saved() -> None:
    day = new_day(0, started=False)
    with pytest.raises(RuleBroken) as error:
        change_tournament(tournament_id=day.tournament.pk, options=["planechase"], actor=COMMAND)
    assert error.value.code == "wrong-game"


@pytest.mark.django_db
def test_two_headed_giant_swaps_its_seats_before_each_match_until_game_one() -> None:
    day = new_day(2, mode="magic-2hg", best_of=1)
    team, (a, b) = day.teams[0], day.players[0]
    rnd = day.run()
    match = rnd.matches.get()
    swap_seats(team_id=team.pk, actor=COMMAND)
    chairs = {chair.label: chair.player for chair in match.chairs.filter(side__team=team)}
    assert chairs == {"A": b, "B": a}
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0)
    with pytest.raises(RuleBroken) as error:
        swap_seats(team_id=team.pk, actor=COMMAND)
    assert error.value.code == "seats-fixed"


@pytest.mark.django_db
def test_an_earlier_match_keeps_the_seats_it_was_played_with() -> None:
    day = new_day(2, mode="magic-2hg", best_of=1, rounds=2)
    team, (a, b) = day.teams[0], day.players[0]
    first = day.play(wins=(1, 0))
    swap_seats(team_id=team.pk, actor=COMMAND)
    old = {chair.label: chair.player for chair in first.matches.get().chairs.filter(side__team=team)}
    assert old == {"A": a, "B": b}


def test_the_command_prints_the_sheet_of_a_later_game() -> None:
    text = printed("--mode", "riftbound-2v2", "--game", "2", "--lost", "first", "--starts", "2B")
    assert text.splitlines()[0] == "riftbound-2v2 (2026), game 2: 2B 1A 2A 1B"
    assert "2B: Takes the first turn and brings no battlefield." in text


@pytest.mark.parametrize(
    ("words", "order"),
    [
        (("--mode", "magic-trios", "--board", "B", "--chooser", "second"), "2B 1B"),
        (("--mode", "magic-trios", "--board", "C", "--game", "2", "--lost", "first"), "1C 2C"),
        (("--mode", "riftbound-match", "--chooser", "first", "--starts", "2A"), "2A 1A"),
        (("--mode", "riftbound-ffa3", "--starts", "3A"), "3A 1A 2A"),
        (("--mode", "magic-2hg", "--chooser", "first", "--starts", "2B"), "2A 2B 1A 1B"),
        (("--mode", "magic-archenemy", "--starts", "1A"), "1A 2A 3A 4A"),
    ],
    ids=str,
)
def test_the_command_knows_boards_and_what_the_chooser_may_name(words: tuple[str, ...], order: str) -> None:
    assert printed(*words).splitlines()[0].endswith(f": {order}")


def test_the_command_gives_the_same_sheet_as_json() -> None:
    sheet = json.loads(printed("--mode", "magic-2hg", "--chooser", "second", "--format", "json"))
    assert sheet["order"] == ["2A", "2B", "1A", "1B"]
    assert [step["number"] for step in sheet["steps"]] == list(range(1, len(sheet["steps"]) + 1))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--mode", "riftbound-3v3"), "riftbound-2v2"),
        (("--mode", "riftbound-2v2", "--starts", "3A"), "1A, 2A, 1B, 2B"),
        (("--mode", "riftbound-match", "--sides", "3"), "2 sides"),
        (("--mode", "riftbound-match", "--game", "2"), "--lost"),
        (("--mode", "riftbound-match", "--option", "planechase"), "cannot be laid over"),
        (("--mode", "magic-trios"), "Name the board: A, B, C"),
        (("--mode", "magic-trios", "--board", "D"), "no board 'D'"),
        (("--mode", "riftbound-match", "--game", "2", "--lost", "third", "--starts", "1A"), "no side 3"),
        (("--mode", "riftbound-ffa3", "--chooser", "first", "--starts", "3A"), "cannot let 3A start"),
        (("--mode", "magic-archenemy", "--starts", "2A"), "Nobody chooses in this mode"),
    ],
    ids=str,
)
def test_the_command_refuses_what_the_mode_does_not_have_with_a_sentence(
    words: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        printed(*words)
