"""Who sees the standings: everybody once they are published, until then only staff."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from journal.actors import COMMAND
from journal.models import Deed
from rulebook.errors import RuleBroken
from tests.day import new_day
from tests.pages import halls
from tournaments.corrections import correct_result
from tournaments.cutting import finish_tournament
from tournaments.models import Round
from tournaments.showing import hide_standings, publish_standings
from tournaments.standings import latest_snapshot, shown_rounds_of

pytestmark = pytest.mark.django_db


def test_hidden_standings_are_seen_by_staff_alone_until_they_are_published(
    client: Client, signed_in: Callable[..., Client]
) -> None:
    day = new_day(4, rounds=3, shows_standings=False)
    slug = day.tournament.slug
    day.play()
    rnd = day.run(2)
    page, api = reverse("standings", args=[slug]), f"/api/v1/tournaments/{slug}/standings/"
    assert shown_rounds_of(day.swiss) == ()
    assert "not published yet" in client.get(page).text
    assert client.get(page, {"after": 1}).status_code == 404
    assert client.get(reverse("team", args=[slug, day.teams[0].pk]), {"after": 1}).status_code == 404
    assert client.get(api).json()["rows"] == []
    assert client.get(api, {"after_round": 1}).status_code == 404

    staff = signed_in(halls.person("boss", "organizer", day.tournament))
    told = staff.get(api).json()
    assert (len(told["rows"]), told["is_published"], told["is_provisional"]) == (4, False, True)
    desk = staff.get(reverse("desk-standings", args=[slug])).text
    assert "only staff see them" in desk
    assert "Provisional" in desk
    answer = staff.post(reverse("deed", args=[slug, "publish-standings"]), {"after": 1}, follow=True)
    assert "The standings after round 1 are published." in answer.text
    shown = client.get(page).text
    assert "Standings after round 1" in shown
    assert "Provisional" in shown
    assert client.get(api).json()["is_published"] is True

    with pytest.raises(RuleBroken, match="published already"):
        publish_standings(tournament_id=day.tournament.pk, actor=COMMAND)
    hide_standings(tournament_id=day.tournament.pk, actor=COMMAND, reason="too early")
    assert "not published yet" in client.get(page).text
    kinds = list(Deed.objects.order_by("number").values_list("kind", flat=True))
    assert kinds[-2:] == ["StandingsPublished", "StandingsHidden"]
    day.win_all(rnd)


def test_a_correction_of_published_standings_is_published_and_of_hidden_ones_is_not() -> None:
    day = new_day(4, rounds=3, shows_standings=False)
    first, second = day.play(), day.play(2)
    publish_standings(tournament_id=day.tournament.pk, after_round=1, actor=COMMAND)
    match = first.matches.order_by("table").first()
    wins = (0, 2) if day.lines(match)[day.sides(match)[0]][0] == "win" else (2, 0)
    correct_result(match_id=match.pk, actor=COMMAND, reason="misread", wins=wins)
    newest = {number: latest_snapshot(day.swiss, number) for number in (first.number, second.number)}
    assert [newest[n].version for n in (1, 2)] == [2, 2]  # type: ignore[union-attr]
    assert shown_rounds_of(day.swiss) == (1,)


def test_the_final_ranking_is_published_whatever_was_hidden_and_stays() -> None:
    day = new_day(4, rounds=1, shows_standings=False)
    day.play()
    finish_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    assert shown_rounds_of(day.swiss) == (1,)
    with pytest.raises(RuleBroken, match="final ranking"):
        hide_standings(tournament_id=day.tournament.pk, actor=COMMAND)
    with pytest.raises(RuleBroken, match="no standings yet"):
        publish_standings(tournament_id=day.tournament.pk, actor=COMMAND, after_round=2)


def test_the_desk_pairs_a_round_again_from_what_was_stored_and_says_why_teams_met(
    signed_in: Callable[..., Client],
) -> None:
    day = new_day(5, rounds=3)
    rnd = day.play()
    staff = signed_in(halls.person("boss", "organizer", day.tournament))
    address = reverse("desk-round", args=[day.tournament.slug, rnd.pk])
    plain = staff.get(address).text
    assert "Pair it again and compare" in plain
    assert plain.count("have not met before") == 2
    assert "the same pairings, engine swiss-1" in staff.get(address, {"verify": "1"}).text
    Round.objects.filter(pk=rnd.pk).update(output={**rnd.output, "byes": []})
    assert "other pairings came out" in staff.get(address, {"verify": "1"}).text
