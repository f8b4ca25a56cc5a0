"""Pods of three and more sides and trios, from the pairings to the result, on every page that shows them."""

import re
from typing import Any

import pytest
from django.urls import reverse

from matches.models import Match
from teams.models import Team
from tests.pages import halls
from tests.pages.test_correcting import hidden
from tests.pages.test_desk import do
from tests.pages.test_phone import link_of, post
from tests.pages.test_public import get, text_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

PODS = ("magic-commander", "riftbound-ffa3", "riftbound-ffa4", "magic-ffa")


def at_pod(mode: str, players: int = 8) -> tuple[Tournament, Match]:
    players = 9 if mode == "riftbound-ffa3" else players
    tournament = halls.running(players, mode=mode, best_of=1)
    return tournament, halls.tables(halls.started(tournament))[0]


def result(match: Match) -> list[tuple[str, int | None]]:
    match.refresh_from_db()
    lines = match.results.get(is_current=True).lines.order_by("side__index")
    return [(line.outcome, line.out_order) for line in lines]


@pytest.mark.parametrize("mode", PODS)
def test_a_pod_is_shown_with_all_its_sides_on_every_page(at_desk: Any, client: Any, mode: str) -> None:
    tournament, match = at_pod(mode)
    staff, cards = at_desk(tournament), halls.cards_of(match)
    assert len(cards) == match.frozen_terms.sides > 2
    pages = [
        get(client, tournament, "pairings/"),
        get(client, tournament, "pairings/?by=name"),
        get(client, tournament, f"tables/{match.pk}/"),
        staff.get(f"/desk/{tournament.slug}/"),
        staff.get(f"/desk/{tournament.slug}/tables/{match.pk}/"),
        client.get(link_of(match, 0)),
    ]
    for page in pages:
        words = text_of(page)
        assert page.status_code == 200
        assert all(card.shown_name in words for card in cards), page.request["PATH_INFO"]
    others = [card.shown_name for card in cards[1:]]
    assert f"against {', '.join(others)}" in text_of(pages[1])


@pytest.mark.parametrize("mode", PODS)
def test_the_winner_of_a_pod_is_entered_at_its_table(at_desk: Any, client: Any, mode: str) -> None:
    tournament, match = at_pod(mode)
    staff, address = at_desk(tournament), f"/desk/{tournament.slug}/tables/{match.pk}/"
    refused = staff.post(address, {"kind": "played"})
    assert refused.status_code == 409
    assert "Say who won the pod" in text_of(refused)
    assert staff.post(address, {"kind": "played", "winner": "2"}).status_code == 302
    assert [outcome for outcome, _ in result(match)].index("win") == 2
    winner = halls.cards_of(match)[2].shown_name
    assert f"{winner} won" in text_of(get(client, tournament, f"tables/{match.pk}/"))
    assert re.search(rf"{re.escape(winner)} won", text_of(get(client, tournament, "pairings/")))


def test_the_order_of_leaving_gives_the_places(at_desk: Any, client: Any) -> None:
    tournament, match = at_pod("magic-commander")
    form = {"kind": "played", "winner": "", "out_0": "2", "out_1": "1", "out_2": "", "out_3": "3"}
    staff, address = at_desk(tournament), f"/desk/{tournament.slug}/tables/{match.pk}/"
    assert staff.post(address, form).status_code == 302
    assert result(match) == [("loss", 2), ("loss", 1), ("win", None), ("loss", 3)]
    words = text_of(get(client, tournament, f"tables/{match.pk}/"))
    assert re.search(rf"{re.escape(halls.cards_of(match)[3].shown_name)} out place 2", words)


def test_the_order_of_leaving_is_corrected_with_the_result(at_desk: Any) -> None:
    tournament, match = at_pod("riftbound-ffa3")
    staff, address = at_desk(tournament), f"/desk/{tournament.slug}/tables/{match.pk}/"
    staff.post(address, {"kind": "played", "winner": "0", "out_1": "1", "out_2": "2"})
    assert re.search(r'name="out_2"[^>]*value="2"', staff.get(address).content.decode())
    fixed = {"kind": "played", "winner": "1", "out_0": "1", "out_2": "2", "reason": "Slip misread"}
    correction = reverse("desk-correction", args=[tournament.slug, match.pk])
    shown = staff.post(correction, fixed)
    assert staff.post(correction, hidden(shown.text)).status_code == 302
    assert result(match) == [("loss", 1), ("win", None), ("loss", 2)]


def test_a_drawn_pod_is_a_draw_for_all(at_desk: Any, client: Any) -> None:
    tournament, match = at_pod("riftbound-ffa4")
    do(at_desk(tournament), tournament, "record-game", match=match.pk, winner="7")
    assert match.boards.filter(games__isnull=False).count() == 0
    at_desk(tournament).post(
        f"/desk/{tournament.slug}/tables/{match.pk}/", {"kind": "played", "winner": "draw"}
    )
    assert {outcome for outcome, _ in result(match)} == {"draw"}
    assert "Result: drawn" in text_of(get(client, tournament, f"tables/{match.pk}/"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1 3", [("loss", None), ("loss", None), ("win", None), ("loss", None)]),
        ("1 out 2 4 1", [("loss", 3), ("loss", 1), ("win", None), ("loss", 2)]),
        ("1 draw", [("draw", None)] * 4),
        ("1 id", [("draw", None)] * 4),
    ],
)
def test_a_result_line_names_the_winner_of_a_pod(at_desk: Any, line: str, expected: list[Any]) -> None:
    tournament, match = at_pod("magic-commander")
    client = at_desk(tournament, "scorekeeper")
    assert "12 out 2 4 1" in text_of(client.get(f"/desk/{tournament.slug}/"))
    response = client.post(f"/desk/{tournament.slug}/", {"line": line, "seen": line}, follow=True)
    assert result(match) == expected
    assert "Table 1:" in text_of(response)


@pytest.mark.parametrize("line", ["1 5", "1 2-1", "1 noshow 2", "1 out 1 2", "1 out 1 1 2", "1 conc 1"])
def test_a_line_no_pod_can_have_is_refused(at_desk: Any, line: str) -> None:
    tournament, match = at_pod("magic-commander")
    response = at_desk(tournament).post(f"/desk/{tournament.slug}/", {"line": line, "seen": line})
    assert response.status_code == 409
    assert not match.results.exists()


def test_a_winner_by_number_means_nothing_between_two_sides(at_desk: Any) -> None:
    tournament = halls.running(4)
    halls.started(tournament)
    response = at_desk(tournament).post(f"/desk/{tournament.slug}/", {"line": "1 2", "seen": "1 2"})
    assert response.status_code == 409
    assert "Write the games of both sides" in text_of(response)


@pytest.mark.parametrize("mode", PODS)
def test_players_report_and_confirm_who_won_their_pod(client: Any, mode: str) -> None:
    _, match = at_pod(mode)
    cards = halls.cards_of(match)
    address = link_of(match, 0)
    words = post(client, f"{address}/report", winner="1")
    assert f"You reported: {cards[1].shown_name} won" in words
    assert f"Confirm {cards[1].shown_name} won" in text_of(client.get(link_of(match, 2)))
    words = post(client, f"{link_of(match, 2)}/confirm")
    assert f"{cards[1].shown_name} won" in words
    assert [outcome for outcome, _ in result(match)].index("win") == 1


def test_a_pod_reported_without_a_winner_is_refused_with_a_sentence(client: Any) -> None:
    _, match = at_pod("magic-commander")
    assert "Say who won the pod" in post(client, f"{link_of(match, 0)}/report")
    assert not match.reports.exists()


def test_a_round_of_pods_counts_in_the_standings_and_on_the_page_of_a_team(client: Any) -> None:
    tournament = halls.running(8, 2, mode="magic-commander", best_of=1)
    team = Team.objects.filter(tournament=tournament).first()
    assert team is not None
    words = text_of(get(client, tournament, f"standings/{team.pk}/"))
    assert re.search(r"Round 2 .+ (won|lost|drawn), table \d", words)


def test_the_set_up_sheet_is_on_the_phone_once_it_is_known_who_starts(client: Any, at_desk: Any) -> None:
    tournament, match = at_pod("riftbound-ffa3")
    assert "Set up game 1" not in text_of(client.get(link_of(match, 1)))
    do(at_desk(tournament), tournament, "choose-first", match=match.pk, game=1, chooser="0")
    words = text_of(client.get(link_of(match, 1)))
    assert "Set up game 1" in words
    assert "Rules of this mode" in words


def test_a_trio_sees_its_boards_and_chooses_on_its_own(client: Any, at_desk: Any) -> None:
    tournament = halls.running(4, mode="magic-trios")
    match = halls.tables(halls.started(tournament))[0]
    do(at_desk(tournament), tournament, "enter-board", match=match.pk, board="A", wins_0=2, wins_1=0)
    words = text_of(client.get(link_of(match, 0, "B")))
    assert "B your board playing" in words
    assert "A 2–0" in words
    chooser = next(
        side for side in (0, 1) if "You choose who starts" in text_of(client.get(link_of(match, side, "B")))
    )
    said = post(client, f"{link_of(match, chooser, 'B')}/choose", option="first")
    assert "The turn order is set" in said
    assert match.boards.get(label="B").games.count() == 1
    assert "Set up game 1" in said
    assert "Tell the desk the result" in post(client, f"{link_of(match, 0, 'B')}/report", ours=2, theirs=0)
    assert "Board A 2–0" in text_of(get(client, tournament, f"tables/{match.pk}/"))


@pytest.mark.parametrize(("line", "board"), [("1a 2-1", "A"), ("1B 1-1-1", "B")])
def test_a_result_line_names_the_board_of_a_trio(at_desk: Any, line: str, board: str) -> None:
    tournament = halls.running(4, mode="magic-trios")
    match = halls.tables(halls.started(tournament))[0]
    client = at_desk(tournament)
    assert client.post(f"/desk/{tournament.slug}/", {"line": line, "seen": line}).status_code == 302
    assert match.results.get(is_current=True).board_label == board
    refused = client.post(f"/desk/{tournament.slug}/", {"line": "1 2-1", "seen": "1 2-1"})
    assert refused.status_code == 409
    assert "12a 2-1" in text_of(refused)
