"""The page that shows what a correction changes before it is applied."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from journal.actors import COMMAND
from journal.models import Deed
from journal.recording import version_of
from matches.boards import enter_board
from matches.models import Match
from tests.day import new_day
from tests.pages import halls
from tournaments.announcements import announce
from tournaments.corrections import correct_result
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def hidden(text: str) -> dict[str, str]:
    """What the shown form would post again, all but the token."""
    form = text[text.index("Reason: ") - 3000 : text.index("Reason: ")]
    found = dict(re.findall(r'<input type="hidden" name="([a-z_0-9]+)" value="([^"]*)">', form))
    assert {"version", "seen", "reason", "kind"} <= found.keys()
    return found


def turned(match: Match) -> dict[str, Any]:
    wins = [line.wins for line in match.results.get(is_current=True).lines.order_by("side__index")]
    return {"kind": "played", "wins_0": wins[1], "wins_1": wins[0], "draws": 0, "reason": "Slip upside down"}


@pytest.fixture
def corrected(at_desk: Any) -> tuple[Tournament, Match, Client]:
    """A tournament whose second round is published, and a match of its first round that has a winner."""
    tournament = halls.running(8, 1, cut=4)
    halls.published(tournament)
    match = next(
        one
        for one in Match.objects.filter(tournament=tournament, round__number=1).order_by("table")
        if one.results.get().lines.filter(outcome="win").exists()
    )
    return tournament, match, at_desk(tournament)


def test_a_correction_is_shown_with_what_it_changes_and_then_done(
    corrected: tuple[Tournament, Match, Client],
) -> None:
    tournament, match, staff = corrected
    page = reverse("desk-match", args=[tournament.slug, match.pk])
    address = reverse("desk-correction", args=[tournament.slug, match.pk])
    said = turned(match)
    assert f'action="{address}"' in staff.get(page).text
    assert staff.post(page, said).status_code == 409, "nothing is corrected without its preview"
    assert staff.get(address).status_code == 302
    before = version_of(tournament.pk)
    for wrong, sentence in (({"wins_0": 3}, "2"), ({"reason": ""}, "Write down why")):
        answer = staff.post(address, {**said, **wrong})
        assert answer.status_code == 409
        assert sentence in answer.context["error"]
    shown = staff.post(address, said)
    assert (shown.status_code, version_of(tournament.pk)) == (200, before)
    for card in halls.cards_of(match):
        assert shown.text.count(card.shown_name) >= 3, "in both results and in the standings"
    assert "Standings after round 1" in shown.text
    assert "Round 2 is published" in shown.text
    again = hidden(shown.text)
    assert Deed.objects.filter(kind="MatchCorrected").count() == 0

    # Something else happened: the correction changes the same, so it is applied.
    announce(tournament_id=tournament.pk, actor=COMMAND, text="The kitchen is open.")
    assert staff.post(address, again).status_code == 302
    deed = Deed.objects.get(kind="MatchCorrected")
    assert (deed.reason, deed.after["wins"]) == ("Slip upside down", [said["wins_0"], said["wins_1"]])


def test_a_correction_that_would_change_something_else_by_now_is_shown_again(
    corrected: tuple[Tournament, Match, Client],
) -> None:
    tournament, match, staff = corrected
    address = reverse("desk-correction", args=[tournament.slug, match.pk])
    again = hidden(staff.post(address, turned(match)).text)
    correct_result(match_id=match.pk, kind="double-loss", actor=COMMAND, reason="Both late")  # type: ignore[arg-type]
    stale = staff.post(address, again)
    assert stale.status_code == 409
    assert "Something changed meanwhile" in stale.text
    assert "double loss" in stale.text
    assert staff.post(address, hidden(stale.text)).status_code == 302
    assert Deed.objects.filter(kind="MatchCorrected").count() == 2


def test_a_board_is_shown_with_the_match_and_a_bracket_that_moved_on_forbids(at_desk: Any) -> None:
    trios = halls.running(2, mode="magic-trios", name="Trios")
    (match,) = halls.tables(halls.started(trios))
    for label in "ABC":
        if match.state != "confirmed":
            match = enter_board(match_id=match.pk, board_label=label, wins=(2, 0), actor=COMMAND)
    staff = at_desk(trios)
    address = reverse("desk-correction", args=[trios.slug, match.pk])
    said = {"board": "A", "kind": "played", "wins_0": 2, "wins_1": 1, "draws": 0, "reason": "Misread"}
    shown = staff.post(address, said)
    assert "Board A" in shown.text
    assert "is not closed" in shown.text
    staff.post(address, hidden(shown.text))
    assert Deed.objects.get(kind="MatchCorrected").after["board"] == "A"

    day = new_day(8, rounds=1)
    day.play(1)
    day.cut(4)
    semifinal = day.play(2).matches.get(table=1)
    staff = at_desk(day.tournament)
    address = reverse("desk-correction", args=[day.tournament.slug, semifinal.pk])
    shown = staff.post(address, turned(semifinal))
    assert "Final: " in shown.text
    assert "Correct the result" in shown.text
    day.pair()
    refused = staff.post(address, hidden(shown.text))
    assert refused.status_code == 409
    assert "scrap that round first" in refused.text
    assert not Deed.objects.filter(kind="MatchCorrected", tournament=day.tournament).exists()
