"""A match on its phones: who starts, the tracker, games one by one, silence, leaving, deck lists."""

import re
from datetime import timedelta
from typing import Any

import pytest

from journal.actors import COMMAND
from journal.clock import now, reset_clock, shift_clock
from journal.models import Deed
from matches.games import choose_first, games_of
from matches.models import Match
from matches.results import enter_result, report_result
from teams.models import Decklist, Seat, Team
from tests.pages import halls
from tests.pages.test_phone import link, link_of, post
from tests.pages.test_public import text_of
from tournaments.day_plan import DayPlan
from tournaments.models import Tournament
from tournaments.patience import act_on_silence
from tournaments.planning import change_plan, hold_clock, release_clock
from tournaments.setting_up import change_tournament

pytestmark = pytest.mark.django_db


def table(mode: str = "riftbound-2v2", **announced: Any) -> Match:
    return halls.tables(halls.started(halls.running(4, mode=mode, **announced)))[0]


def totals(client: Any, address: str) -> list[int]:
    page = client.get(f"{address}/track").content.decode()
    return [int(n) for n in re.findall(r'aria-live="polite">(-?\d+)', page)]


def tap(client: Any, address: str, value: str, **more: Any) -> str:
    return post(client, f"{address}/tap", tap=value, game=1, **more)


def test_both_phones_track_the_points_by_the_rules_and_the_end_is_noted_and_reported(client: Any) -> None:
    match = table(best_of=1)
    mine, theirs = link_of(match, 0), link_of(match, 1, "B")
    assert "choose who starts, then the table is tracked" in text_of(client.get(f"{mine}/track", follow=True))
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="1A")
    assert "Track the points" in text_of(client.get(mine))
    tap(client, mine, "hold|1A|0|1")
    assert "has scored this turn" in tap(client, theirs, "conquer|1A|0|1")
    assert "Take back" in tap(client, theirs, "score|2A|1|")
    assert totals(client, mine) == totals(client, theirs) == [1, 1]
    post(client, f"{theirs}/untap", number=2, game=1)
    assert totals(client, mine) == [1, 0]
    assert "Tap one of the buttons" in tap(client, mine, "score|1A|x|")
    assert "No point" not in tap(client, mine, "score|1A|9|")
    assert "Draw a card instead" in tap(client, mine, "conquer|1A|0|2")
    assert "has won this game" in tap(client, mine, "hold|1A|0|3")
    page = client.get(f"{theirs}/track").content.decode()
    assert '<input type="hidden" name="theirs" value="1">' in page
    assert "Your team reported 0–1" in post(client, f"{theirs}/report", ours=0, theirs=1, draws=0)
    assert "They report 1–0" in text_of(client.get(mine))


def test_life_on_a_phone_is_paid_as_far_as_it_is_there_and_a_number_is_asked(client: Any) -> None:
    match = table("magic-2hg")
    mine = link_of(match, 0)
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0)
    assert "cannot pay 31" in tap(client, mine, "pay|1A|typed|", amount="31")
    assert "Type how much" in tap(client, mine, "pay|1A|typed|")
    tap(client, mine, "score|1A|-typed|", amount="29")
    tap(client, mine, "poison|2A|1|")
    assert totals(client, mine) == [1, 30]
    assert "poison 1 of 15" in text_of(client.get(f"{mine}/track"))
    assert "other than this" not in tap(client, mine, "score|1A|-1|")
    other = halls.cards_of(match)[1]
    assert "Game 1 is noted" in post(client, f"{mine}/game", winner=other.id, game=1)
    assert "noted already" in post(client, f"{mine}/game", winner=other.id, game=1)


def test_games_are_noted_one_by_one_a_wrong_tap_is_taken_back_and_the_report_is_one_tap(client: Any) -> None:
    match = table()
    mine, theirs = link_of(match, 0), link_of(match, 1)
    us, them = (card.id for card in halls.cards_of(match))
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="1A")
    assert "only it can take the choice back" in post(client, f"{theirs}/take-back")
    assert "Your team chooses who starts" in post(client, f"{mine}/take-back") or not games_of(match)
    choose_first(match_id=match.pk, actor=COMMAND, chooser=0, option="2B")
    assert "Say who won" in post(client, f"{mine}/game", winner=match.pk + 10**6, game=1)
    post(client, f"{mine}/game", winner=them, game=1)
    post(client, f"{theirs}/take-back")
    post(client, f"{mine}/game", winner="draw", game=1)
    assert "Begin game 2" in text_of(client.get(theirs))
    for number, winner in ((2, us), (3, us)):
        post(client, f"{theirs}/choose", option="" if number == 2 else "2A")
        post(client, f"{theirs}/game", winner=winner, game=number)
    assert "Report 0–2–1" in text_of(client.get(theirs))
    assert "Your team reported 0–2–1" in post(client, f"{theirs}/report", ours=0, theirs=2, draws=1)
    assert "is reported already" in post(client, f"{theirs}/take-back")
    assert "Confirm 2–0–1" in text_of(client.get(mine))
    assert "A judge comes to your table" in post(client, f"{mine}/dispute")
    enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 1))
    assert "2–1" in text_of(client.get(mine))
    assert games_of(match) == []


def test_silence_confirms_a_report_with_that_trace_and_sets_the_default_order_but_never_a_dispute(
    client: Any,
) -> None:
    match = table(opening_after_s=90)
    second = halls.tables(match.round)[1]
    for one in (match, second):
        team = one.sides.get(index=0).team_id
        report_result(match_id=one.pk, team_id=team, actor=COMMAND, wins={team: 2}, draws=1)
    assert "Without an answer it counts in" in text_of(client.get(link_of(match, 1)))
    assert "Without an answer it counts in" in text_of(client.get(link_of(match, 0)))
    post(client, f"{link_of(second, 1)}/dispute")
    reported_at = match.reports.get().reported_at
    assert act_on_silence(reported_at + timedelta(seconds=299)) == 0
    assert act_on_silence(reported_at + timedelta(seconds=300)) == 1
    match.refresh_from_db()
    second.refresh_from_db()
    assert (match.state, second.state) == ("confirmed", "disputed")
    result = match.results.get(is_current=True)
    assert (result.source, [line.wins for line in result.lines.order_by("side__index")]) == ("clock", [2, 0])
    deed = Deed.objects.get(kind="MatchConfirmed", actor="clock")
    assert "nobody answered the report for 300 seconds" in deed.reason


def test_while_the_clock_is_held_no_silence_counts_and_then_everybody_has_the_full_time(client: Any) -> None:
    match = table(opening_after_s=90)
    tournament = match.round.stage.tournament
    team = match.sides.get(index=0).team_id
    report_result(match_id=match.pk, team_id=team, actor=COMMAND, wins={team: 2})
    hold_clock(tournament_id=tournament.pk, actor=COMMAND)
    assert "Without an answer it counts in" not in text_of(client.get(link_of(match, 1)))
    assert act_on_silence(now() + timedelta(hours=1)) == 0
    shift_clock(timedelta(hours=1))
    release_clock(tournament_id=tournament.pk, actor=COMMAND)
    released_at = Tournament.objects.get(pk=tournament.pk).released_at
    assert released_at is not None
    assert "Without an answer it counts in" in text_of(client.get(link_of(match, 1)))
    assert act_on_silence(released_at + timedelta(seconds=89)) == 0
    assert act_on_silence(released_at + timedelta(seconds=90)) == 1, "the order at the other table"
    assert act_on_silence(released_at + timedelta(seconds=299)) == 0
    assert act_on_silence(released_at + timedelta(seconds=300)) == 1
    reset_clock()


def test_the_default_order_applies_in_time_and_a_choice_taken_back_has_its_time_again(client: Any) -> None:
    match = table(opening_after_s=90)
    told = re.search(r"Otherwise [^(]*\((\w+)\) starts, in", text_of(client.get(link_of(match, 0))))
    started_at = match.round.started_at
    assert started_at is not None
    assert act_on_silence(started_at + timedelta(seconds=89)) == 0
    assert act_on_silence(started_at + timedelta(seconds=90)) == 2
    (game,) = games_of(match)
    assert game.opening.is_default
    assert told is not None
    assert told[1] == game.opening.order[0]
    assert Deed.objects.filter(kind="OpeningChosen", actor="clock").count() == 2
    assert act_on_silence(started_at + timedelta(seconds=200)) == 0
    shift_clock(timedelta(seconds=200))
    post(client, f"{link_of(match, game.opening.chooser or 0)}/take-back")
    assert games_of(match) == []
    again = Deed.objects.filter(kind="GameUndone").latest("number").at
    assert act_on_silence(again + timedelta(seconds=89)) == 0
    assert act_on_silence(again + timedelta(seconds=90)) == 1
    reset_clock()


def test_a_team_checks_in_by_itself_only_while_the_check_in_is_open(client: Any) -> None:
    tournament = halls.registering(4, starts_at=now() + timedelta(hours=5))
    address = link(Seat.objects.filter(tournament=tournament)[0])
    assert "check in" not in text_of(client.get(address))
    assert "not open yet" in post(client, f"{address}/check-in")
    plan = DayPlan(check_in_from=now() - timedelta(minutes=1))
    change_plan(tournament_id=tournament.pk, plan=plan, actor=COMMAND)
    assert "We are here: check in" in text_of(client.get(address))
    change_plan(tournament_id=tournament.pk, plan=None, actor=COMMAND)
    change_tournament(tournament_id=tournament.pk, actor=COMMAND, starts_at=now() + timedelta(hours=1))
    assert "We are here: check in" in text_of(client.get(address))
    assert "Your team is checked in" in post(client, f"{address}/check-in")
    assert Team.objects.filter(tournament=tournament, state="checked-in").count() == 1


def test_leaving_warns_of_the_whole_team_and_asks_how_the_match_ends(client: Any) -> None:
    coming = halls.registering(3)
    early = Seat.objects.filter(tournament=coming)[0]
    assert "Your whole team leaves" in text_of(client.get(f"{link(early)}/leave"))
    assert "Tick the box" in post(client, f"{link(early)}/leave")
    assert "Your team is out" in post(client, f"{link(early)}/leave", sure=1)
    match = table()
    mine, theirs = (card.id for card in halls.cards_of(match))
    address = link_of(match, 0, "B")
    page = text_of(client.get(f"{address}/leave"))
    assert f"Your match at table {match.table} ends now" in page
    post(client, f"{address}/leave", sure=1, **{f"wins_{mine}": 1, f"wins_{theirs}": 0}, draws=1)
    result = match.results.get(is_current=True)
    assert (result.kind, [line.wins for line in result.lines.order_by("side__index")]) == (
        "concession",
        [1, 2],
    )
    assert Team.objects.get(pk=mine).state == "dropped"


def test_a_deck_list_is_checked_by_line_handed_in_until_the_deadline_and_read_by_few(
    client: Any, at_desk: Any
) -> None:
    tournament = halls.registering(2, decklists_until=now() + timedelta(hours=1))
    seat, mate = Seat.objects.filter(tournament=tournament, team__number=1).order_by("label")
    deck = f"{link(seat)}/deck"
    assert "My deck list" in text_of(client.get(link(seat)))
    words = post(client, deck, body="4 Secret Card\nLegend:\n1 Somebody")
    assert "Line 1: Secret Card: more than 3 copies." in words
    assert "Not handed in yet" in words
    assert not Decklist.objects.exists()
    post(client, deck, body="4 Secret Card\nLegend:\n1 Somebody", anyway=1)
    assert "Secret Card" in text_of(client.get(deck))
    assert "Secret Card" not in text_of(client.get(f"{link(mate)}/deck"))
    refused = post(client, f"{link(mate)}/deck", body="Legend:\n1 Somebody")
    assert "legend Somebody is registered by A and B" in refused
    desk = f"/desk/{tournament.slug}/teams/{seat.team_id}/"
    assert "Secret Card" in text_of(at_desk(tournament, "judge").get(desk))
    assert "Secret Card" not in text_of(at_desk(tournament, "scorekeeper").get(desk))
    assert "Secret" not in str(Deed.objects.filter(kind="DecklistSubmitted").values().get())
    shift_clock(timedelta(seconds=3601))
    assert "deadline for deck lists is past" in post(client, deck, body="1 Other", anyway=1)
    act_on_silence(now())
    assert Decklist.objects.get().locked_at is not None
    reset_clock()
