"""Real events, imported through the services and compared with what their own systems published."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from journal.models import Deed
from matches.models import Line, Match
from teams.models import Player, Store, Team
from tests.golden.published import EVENTS
from tournaments.models import Round, Tournament

pytestmark = pytest.mark.django_db


def file(name: str) -> Path:
    return EVENTS / f"{name}.json"


def changed(name: str, tmp_path: Path, change: Any) -> Path:
    """A copy of the event file with something changed in it."""
    data = json.loads(file(name).read_text(encoding="utf-8"))
    change(data)
    copy = tmp_path / "changed.json"
    copy.write_text(json.dumps(data), encoding="utf-8")
    return copy


def nothing_is_there() -> bool:
    rows = (Tournament, Team, Player, Store, Round, Match, Deed)
    return not any(model.objects.exists() for model in rows)


def test_the_address_of_an_imported_event_can_be_chosen() -> None:
    call_command("import_event", file("melee_8_drop_makes_bye"), slug="legacy-night")
    tournament = Tournament.objects.get()
    assert (tournament.slug, tournament.state, tournament.policy) == ("legacy-night", "finished", "melee")


def test_a_winner_may_be_named(tmp_path: Path) -> None:
    def name_winners(data: dict[str, Any]) -> None:
        for match in (match for told in data["rounds"] for match in told["matches"]):
            if match["result"] == "first":
                match["result"] = f"winner:{match['players'][0]}"

    copy = changed("melee_small14_cut4", tmp_path, name_winners)
    call_command("import_event", copy, slug="named")
    call_command("standings", "named", check=copy)


def test_a_player_first_named_in_round_two_enters_late(tmp_path: Path) -> None:
    def appear_later(data: dict[str, Any]) -> None:
        bye = next(m for m in data["rounds"][0]["matches"] if len(m["players"]) == 1)
        data["rounds"][0]["matches"].remove(bye)

    call_command("import_event", changed("topdeck_13_top8", tmp_path, appear_later), slug="late")
    late = Team.objects.get(seats__player__name="Player 004")
    assert (late.entered_round, late.number) == (2, 13)
    assert not late.sides.filter(round__number=1, round__stage__number=1).exists()


def test_an_assigned_loss_is_a_round_lost_without_an_opponent(tmp_path: Path) -> None:
    def lose(data: dict[str, Any]) -> None:
        bye = next(m for m in data["rounds"][3]["matches"] if m["bye"])
        bye.update(result="loss", games=[0], bye=False)

    call_command("import_event", changed("melee_8_drop_makes_bye", tmp_path, lose), slug="assigned")
    line = Line.objects.get(side__match__kind="assigned-loss")
    assert (line.outcome, line.wins, line.result.kind) == ("loss", 0, "assigned-loss")


def test_a_player_who_comes_back_only_sat_out(tmp_path: Path) -> None:
    def drop_too_early(data: dict[str, Any]) -> None:
        data["drops"].append({"player": "Player 009", "after_round": 1})

    call_command("import_event", changed("lichess_13_late_entries", tmp_path, drop_too_early), slug="back")
    assert Team.objects.get(seats__player__name="Player 009").state == "playing"
    assert not Deed.objects.filter(kind="TeamReinstated").exists()


def test_a_final_without_a_match_goes_to_whom_the_published_ranking_puts_first(tmp_path: Path) -> None:
    copy = changed("melee_small14_cut4", tmp_path, lambda data: data["rounds"].pop())
    call_command("import_event", copy, slug="split")
    final = Match.objects.get(round__stage__number=2, round__number=2)
    winner = final.results.get(is_current=True).lines.get(outcome="win").side.team
    assert (final.results.get().kind, winner.seats.get().player.name) == ("unplayed", "Player 009")


def test_a_cut_that_is_not_the_top_of_the_standings_is_given_by_hand(tmp_path: Path) -> None:
    def another_fourth(data: dict[str, Any]) -> None:
        for match in data["rounds"][5]["matches"]:
            match["players"] = [p.replace("Player 013", "Player 004") for p in match["players"]]

    call_command("import_event", changed("melee_small14_cut4", tmp_path, another_fourth), slug="declined")
    reasons = Deed.objects.filter(kind="CutMade").values_list("reason", "after__size")
    assert list(reasons) == [("As in the imported event.", 4)]
    assert Team.objects.filter(entries__stage__number=2, seats__player__name="Player 004").exists()


def test_other_quarterfinals_than_ours_are_played_as_the_file_has_them(tmp_path: Path) -> None:
    def swap_opponents(data: dict[str, Any]) -> None:
        first, second = data["rounds"][5]["matches"]
        first["players"][1], second["players"][1] = second["players"][1], first["players"][1]

    copy = changed("melee_small14_cut4", tmp_path, swap_opponents)
    call_command("import_event", copy, slug="crossed")
    pairs = {
        frozenset(match.sides.values_list("team__seats__player__name", flat=True))
        for match in Match.objects.filter(round__stage__number=2, round__number=1)
    }
    assert pairs == {frozenset({"Player 009", "Player 010"}), frozenset({"Player 002", "Player 013"})}


@pytest.mark.parametrize(
    ("month", "policy"),
    [
        pytest.param("2024/04", "melee", id="before"),
        pytest.param("2024/05", "melee-2024", id="first-month"),
        pytest.param("2025/10", "melee-2024", id="last-month"),
        pytest.param("2025/11", "melee", id="after"),
    ],
)
def test_the_date_of_a_melee_event_decides_about_the_floor_of_the_own_column(
    month: str, policy: str, tmp_path: Path
) -> None:
    def date(data: dict[str, Any]) -> None:
        data["source"] = f"somewhere/{month}/28/event.json"

    call_command("import_event", changed("melee_8_drop_makes_bye", tmp_path, date), slug="dated")
    assert Tournament.objects.get().policy == policy


def test_an_event_is_not_imported_twice() -> None:
    call_command("import_event", file("melee_8_drop_makes_bye"), slug="once")
    before = (Deed.objects.count(), Player.objects.count())
    with pytest.raises(CommandError, match="once is taken"):
        call_command("import_event", file("melee_8_drop_makes_bye"), slug="once")
    assert (Deed.objects.count(), Player.objects.count()) == before


def both_won(data: dict[str, Any]) -> None:
    data["rounds"][3]["matches"][1].update(games=[2, 2], result="first")


def loser_has_won(data: dict[str, Any]) -> None:
    data["rounds"][3]["matches"][1].update(games=[1, 2], result="first")


def unequal_draw(data: dict[str, Any]) -> None:
    data["rounds"][2]["matches"][0]["result"] = "draw"


def stranger(data: dict[str, Any]) -> None:
    data["rounds"][1]["matches"][0]["players"][0] = "Player 999"


def twice_in_a_round(data: dict[str, Any]) -> None:
    data["rounds"][1]["matches"].append(data["rounds"][1]["matches"][0])


def without_rounds(data: dict[str, Any]) -> None:
    del data["rounds"]


def no_swiss(data: dict[str, Any]) -> None:
    data["rounds"] = []


def other_system(data: dict[str, Any]) -> None:
    data["system"] = "abacus"


def unknown_result(data: dict[str, Any]) -> None:
    data["rounds"][0]["matches"][0]["result"] = "winner:Player 001"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(both_won, "2 to 2 games", id="two-winners-in-the-last-round"),
        pytest.param(loser_has_won, "1 to 2 games", id="a-loser-who-won"),
        pytest.param(unequal_draw, "2 to 1 games", id="a-draw-with-unequal-games"),
        pytest.param(stranger, "Player 999", id="somebody-who-is-no-player"),
        pytest.param(twice_in_a_round, "two matches", id="somebody-twice-in-a-round"),
        pytest.param(without_rounds, "rounds", id="no-list-of-rounds"),
        pytest.param(no_swiss, "no Swiss round", id="no-round"),
        pytest.param(other_system, "abacus", id="an-unknown-system"),
        pytest.param(unknown_result, "winner:Player 001", id="an-unknown-result"),
    ],
)
def test_a_file_that_does_not_make_sense_is_refused_and_leaves_nothing(
    change: Any, words: str, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("import_event", changed("melee_8_drop_makes_bye", tmp_path, change))
    assert nothing_is_there()


@pytest.mark.parametrize("slug", ["Two Words", "größe", "a/b", "x" * 81])
def test_an_address_that_no_browser_could_open_is_refused(slug: str) -> None:
    with pytest.raises(CommandError, match="no address"):
        call_command("import_event", file("melee_8_drop_makes_bye"), slug=slug)
    assert nothing_is_there()


def draw_in_the_playoff(data: dict[str, Any]) -> None:
    data["rounds"][4]["matches"][0]["result"] = "draw"


def test_a_drawn_playoff_pod_goes_to_whom_the_published_ranking_puts_first(tmp_path: Path) -> None:
    call_command(
        "import_event", changed("topdeck_pods_24_top10", tmp_path, draw_in_the_playoff), slug="drawn"
    )
    first = Match.objects.filter(round__stage__number=2, round__number=1).get(
        sides__team__seats__player__name="Player 018"
    )
    line = first.results.get().lines.get(outcome="win")
    assert line.result.kind == "agreed"
    assert line.side.team.seats.get().player.name == "Player 018"


def stranger_out(data: dict[str, Any]) -> None:
    data["rounds"][0]["matches"][2]["eliminated"] = ["Player 017"]


def all_out(data: dict[str, Any]) -> None:
    pod = data["rounds"][0]["matches"][2]
    pod["eliminated"] = pod["players"]


def stranger_won(data: dict[str, Any]) -> None:
    data["rounds"][0]["matches"][0]["result"] = "winner:Player 010"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param(stranger_out, "Player 017 eliminated", id="out-of-another-pod"),
        pytest.param(all_out, "everybody was eliminated", id="everybody-out"),
        pytest.param(stranger_won, "winner:Player 010", id="won-by-another-pod"),
    ],
)
def test_a_pod_that_does_not_make_sense_is_refused(change: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("import_event", changed("topdeck_pods_24_top10", tmp_path, change))
    assert nothing_is_there()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(None, "cannot be read", id="no-file"),
        pytest.param(b"\xff\xfe", "cannot be read", id="not-utf-8"),
        pytest.param(b"[1, 2]", "not an event", id="another-kind-of-json"),
        pytest.param(b"{", "broken in line 1", id="broken-json"),
        pytest.param(b"[" * 100_000, "Nobody writes", id="nested-without-end"),
        pytest.param(b" ", "empty", id="nothing"),
    ],
)
def test_something_that_is_no_event_file_is_refused(
    content: bytes | None, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "event.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CommandError, match=words):
        call_command("import_event", path)
    assert nothing_is_there()
