"""The desk in a busy hall: the line that shows before it enters, calls, time, checks, penalties, the rest."""

from datetime import timedelta
from typing import Any

import pytest

from journal.actors import COMMAND
from journal.clock import now, reset_clock, shift_clock
from journal.models import Deed
from matches.calls import call_judge
from matches.models import Call, Match
from matches.results import enter_result
from teams.links import make_link
from teams.models import Seat, Team
from tests.pages import halls
from tests.pages.test_desk import do, enter
from tests.pages.test_public import text_of
from tournaments.announcements import announce
from tournaments.models import DeckCheck, Penalty, Round, Tournament
from tournaments.rounds import call_time

pytestmark = pytest.mark.django_db


def hall(teams: int = 6, **more: Any) -> tuple[Tournament, Round, list[Match]]:
    tournament = halls.running(teams, **more)
    rnd = halls.started(tournament)
    return tournament, rnd, halls.tables(rnd)


def desk(client: Any, tournament: Tournament) -> str:
    return text_of(client.get(f"/desk/{tournament.slug}/"))


def preview(client: Any, tournament: Tournament, line: str) -> str:
    return text_of(client.get(f"/desk/{tournament.slug}/line", {"line": line}))


def link(match: Match, side: int = 0) -> str:
    seat = Seat.objects.filter(team=match.sides.order_by("index")[side].team).first()
    assert seat is not None
    return f"/me/{make_link(seat_id=seat.pk)}"


def test_a_line_shows_both_names_with_their_games_before_enter_commits_it(at_desk: Any) -> None:
    tournament, _, (match, *_) = hall()
    client = at_desk(tournament, "scorekeeper")
    first, second = (card.shown_name for card in halls.cards_of(match))
    shown = preview(client, tournament, "1 2-1")
    assert shown.index(first) < shown.index(second)
    assert f"{first} wins" in shown
    unseen = client.post(f"/desk/{tournament.slug}/", {"line": "1 2-1"})
    assert 'name="seen" value="1 2-1"' in unseen.content.decode()
    changed = client.post(f"/desk/{tournament.slug}/", {"line": "1 2-0", "seen": "1 2-1"})
    assert (unseen.status_code, changed.status_code) == (200, 200)
    assert not match.results.exists()
    assert enter(client, tournament, "1 2-1").status_code == 302
    assert match.results.get().lines.count() == 2


def test_while_a_line_is_typed_the_table_is_named_and_a_fault_is_said(at_desk: Any) -> None:
    tournament, _, _ = hall()
    client = at_desk(tournament)
    assert "Type the result behind the number" in preview(client, tournament, "2")
    assert "ends at 2" in preview(client, tournament, "2 3-0")
    assert "has no table 99" in preview(client, tournament, "99 2-0")
    assert client.get(f"/desk/{tournament.slug}/line", {"line": "1 x"}).status_code == 200
    assert at_desk(tournament, "viewer").get(f"/desk/{tournament.slug}/line").status_code == 403


@pytest.mark.parametrize(
    ("line", "kind", "states"),
    [
        ("1 0-2 drop B", "played", ["playing", "dropped"]),
        ("1 2-1 drop a", "played", ["dropped", "playing"]),
        ("1 noshow A drop A", "no-show", ["dropped", "playing"]),
        ("1 1-1-1 drop both", "played", ["dropped", "dropped"]),
        ("1 drop B", "concession", ["playing", "dropped"]),
    ],
)
def test_a_line_drops_the_team_it_names(at_desk: Any, line: str, kind: str, states: list[str]) -> None:
    tournament, _, (match, *_) = hall(4)
    client = at_desk(tournament, "scorekeeper")
    assert "drops" in preview(client, tournament, line)
    assert enter(client, tournament, line).status_code == 302
    assert match.results.get(is_current=True).kind == kind
    assert [side.team.state for side in match.sides.order_by("index").select_related("team")] == states


def test_a_second_entry_asks_and_corrects_with_its_reason(at_desk: Any) -> None:
    tournament, _, (_match, *_) = hall()
    client = at_desk(tournament, "scorekeeper")
    enter(client, tournament, "1 2-1")
    assert "has this result already" in preview(client, tournament, "1 2-1")
    asked = enter(client, tournament, "1 0-2")
    assert "This table is in already: 2–1" in text_of(asked)
    assert enter(client, tournament, "1 0-2", reason=" ").status_code == 409
    assert enter(client, tournament, "1 0-2", reason="Read upside down").status_code == 302
    assert Deed.objects.get(kind="MatchCorrected").reason == "Read upside down"
    assert "ask the desk" in preview(at_desk(tournament, "judge"), tournament, "1 2-0")


def test_a_report_is_confirmed_with_the_number_of_its_table(at_desk: Any) -> None:
    tournament, _, (first, second, _) = hall()
    for match in (first, second):
        halls.report(match, 1, ours=2, theirs=1)
    client = at_desk(tournament, "scorekeeper")
    winner = halls.cards_of(first)[1].shown_name
    assert f"{winner} wins, as {winner} reported" in preview(client, tournament, "1")
    for line in ("1", "2 ok"):
        assert enter(client, tournament, line).status_code == 302
    assert [match.results.get().kind for match in (first, second)] == ["played", "played"]
    assert "no single report" in preview(client, tournament, "3 ok")


def test_the_remaining_tables_are_settled_on_one_page(at_desk: Any) -> None:
    tournament, rnd, (first, second, third) = hall()
    halls.report(first, 0, ours=2, theirs=0)
    client, address = at_desk(tournament, "scorekeeper"), f"/desk/{tournament.slug}/resolve/"
    assert "Resolve the remaining tables" in desk(client, tournament)
    assert "as reported: 2–0" in text_of(client.get(address))
    form = {f"table_{first.pk}": "reported", f"table_{second.pk}": "no-show:1"}
    assert client.post(address, {f"table_{first.pk}": ""}).status_code == 409
    assert client.post(address, {**form, "rest": "draw"}).status_code == 302
    kinds = [match.results.get().kind for match in (first, second, third)]
    assert kinds == ["played", "no-show", "played"]
    do(client, tournament, "close", round=rnd.pk)
    rnd.refresh_from_db()
    assert rnd.state == "closed"


@pytest.mark.parametrize(("mode", "choice"), [("magic-commander", "won:2"), ("magic-trios", "concession:0")])
def test_pods_and_trios_are_resolved_in_their_own_ways(at_desk: Any, mode: str, choice: str) -> None:
    tournament, _, (match, *_) = hall(8, mode=mode, best_of=1 if "comm" in mode else 3)
    client, address = at_desk(tournament), f"/desk/{tournament.slug}/resolve/"
    page = client.get(address).content.decode()
    assert f'value="{choice}"' in page
    assert ('value="draw"' in page) == (mode == "magic-commander")
    assert client.post(address, {f"table_{match.pk}": choice}).status_code == 302
    match.refresh_from_db()
    assert match.state == "confirmed"


def test_a_judge_called_from_the_phone_is_seen_taken_and_ended_at_the_desk(at_desk: Any, client: Any) -> None:
    tournament, _, (match, *_) = hall()
    address = link(match)
    assert "Call a judge to my table" in text_of(client.get(address))
    client.post(f"{address}/call")
    assert "A judge is called" in text_of(client.get(address))
    staff = at_desk(tournament, "judge")
    team = halls.cards_of(match)[0].shown_name
    assert f"Table 1 calls a judge, just now ( {team} )" in desk(staff, tournament).replace(
        f"({team})", f"( {team} )"
    )
    call = Call.objects.get()
    do(staff, tournament, "take-call", call=call.pk)
    assert "You go there" in desk(staff, tournament)
    assert "Judge goes there" in desk(at_desk(tournament, "organizer"), tournament)
    assert "on the way" in text_of(client.get(address))
    do(staff, tournament, "end-call", call=call.pk)
    assert "calls a judge" not in desk(staff, tournament)


def test_extra_time_is_shown_at_the_table_and_respected_when_time_is_called(
    at_desk: Any, client: Any
) -> None:
    tournament, rnd, (match, *_) = hall()
    staff = at_desk(tournament, "judge")
    do(staff, tournament, "extend-table", match=match.pk, minutes=5)
    assert "+5 min" in desk(staff, tournament)
    assert "5:00 of extra time" in text_of(client.get(link(match)))
    shift_clock(timedelta(minutes=50))
    call_time(round_id=rnd.pk, actor=COMMAND)
    assert "Still in extra time: table 1" in desk(staff, tournament)
    public = text_of(client.get(f"/t/{tournament.slug}/pairings/"))
    assert "ended" in public
    assert "ends " not in public
    reset_clock()


def test_the_clock_is_paused_and_goes_on_with_what_was_left(at_desk: Any, client: Any) -> None:
    tournament, rnd, (match, *_) = hall()
    staff = at_desk(tournament, "scorekeeper")
    assert "whole minutes left" in do(staff, tournament, "pause-clock", round=rnd.pk)
    assert "The clock stands" in text_of(client.get(link(match)))
    do(staff, tournament, "extend-round", round=rnd.pk, minutes=10)
    do(staff, tournament, "resume-clock", round=rnd.pk)
    rnd.refresh_from_db()
    assert timedelta(minutes=59) < rnd.ends_at - now() <= timedelta(minutes=60)


def test_an_announcement_is_on_every_page_until_it_is_taken_down(at_desk: Any, client: Any) -> None:
    tournament, _, (match, *_) = hall(4)
    staff = at_desk(tournament, "scorekeeper")
    do(staff, tournament, "announce", text="Deck lists until 11")
    pages = [link(match), f"/t/{tournament.slug}/pairings/", f"/t/{tournament.slug}/standings/"]
    for address in pages:
        assert "Deck lists until 11" in text_of(client.get(address)), address
    assert "Deck lists until 11" in desk(staff, tournament)
    made = announce(tournament_id=halls.draft(name="Elsewhere").pk, text="Other", actor=COMMAND)
    assert staff.post(
        f"/desk/{tournament.slug}/do/take-down/", {"announcement": made.pk}
    ).status_code == 404  # fmt: skip
    do(staff, tournament, "take-down", announcement=tournament.announcements.get().pk)
    assert "Deck lists until 11" not in text_of(client.get(pages[1]))


def test_a_deck_check_is_for_staff_alone(at_desk: Any, client: Any) -> None:
    tournament, rnd, tables = hall(4)
    staff = at_desk(tournament, "judge")
    said = do(staff, tournament, "pick-deck-checks", round=rnd.pk, count=2)
    assert "Deck check at tables 1, 2" in said
    for address in (link(tables[0]), f"/t/{tournament.slug}/pairings/", f"/t/{tournament.slug}/deeds/"):
        assert "eck check" not in text_of(client.get(address)), address
    check = DeckCheck.objects.get(match=tables[0])
    said = do(staff, tournament, "end-deck-check", check=check.pk, minutes=6)
    assert "has 6 minutes back" in said
    assert "no table left" in do(staff, tournament, "pick-deck-checks", round=rnd.pk, count=1)


def test_a_penalty_tells_what_it_does_before_it_is_given(at_desk: Any, client: Any) -> None:
    tournament, _, (match, *_) = hall(4, level="competitive")
    staff = at_desk(tournament, "judge")
    address = f"/desk/{tournament.slug}/tables/{match.pk}/penalty"
    card = halls.cards_of(match)[0]
    player = card.members[1].player_id
    form = {"player": player, "infraction": "late", "level": "game-loss", "minutes_late": "5", "look": "1"}
    page = staff.post(address, form)
    words = text_of(page)
    assert f"{card.shown_name} loses game 1 as a team." in words
    assert "chooses who starts the next game. No sideboarding before it." in words
    assert "Give the table its lost minutes back" in words
    assert not Penalty.objects.exists()
    confirmed = page.context["confirmed"]
    changed = {**form, "look": "", "level": "match-loss", "confirmed": confirmed}
    assert staff.post(address, changed).status_code == 200
    assert not Penalty.objects.exists()
    assert staff.post(address, {**form, "look": "", "confirmed": confirmed}).status_code == 302
    assert Penalty.objects.get().player_id == player
    assert "game loss: Late for the round" in text_of(staff.get(address))
    for public in (f"/t/{tournament.slug}/pairings/", f"/t/{tournament.slug}/deeds/", link(match)):
        assert "Late for the round" not in text_of(client.get(public))


def test_penalties_are_given_by_judges_and_seen_by_staff_alone(at_desk: Any, client: Any) -> None:
    tournament, _, (match, *_) = hall(4)
    address = f"/desk/{tournament.slug}/penalties/"
    assert client.get(address).status_code == 302
    assert at_desk(tournament, "viewer").get(address).status_code == 200
    for role, page in (("viewer", "tables"), ("scorekeeper", "tables")):
        url = f"/desk/{tournament.slug}/{page}/{match.pk}/penalty"
        assert at_desk(tournament, role).get(url).status_code == 403
    team = match.sides.first().team
    player = team.seats.first().player
    judge = at_desk(tournament, "judge")
    assert player.name in text_of(judge.get(address, {"q": player.name[:5]}))
    url = f"/desk/{tournament.slug}/teams/{team.pk}/penalty"
    banned = {"player": player.pk, "infraction": "cheating", "level": "disqualification"}
    assert judge.post(url, banned).status_code == 403
    head = at_desk(tournament, "head-judge")
    page = head.post(url, banned)
    assert "The whole team leaves" in text_of(page)
    head.post(url, {**banned, "confirmed": page.context["confirmed"]})
    team.refresh_from_db()
    assert team.state == "disqualified"
    penalty = Penalty.objects.get()
    assert "Write down why" in do(head, tournament, "take-back-penalty", penalty=penalty.pk)
    do(head, tournament, "take-back-penalty", penalty=penalty.pk, reason="Another person")
    team.refresh_from_db()
    assert team.state == "playing"


def test_a_loss_that_is_owed_waits_at_the_desk_for_the_next_table(at_desk: Any) -> None:
    tournament, rnd, (match, *_) = hall(4)
    enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 0))
    team = match.sides.get(index=0).team
    staff, url = at_desk(tournament), f"/desk/{tournament.slug}/teams/{team.pk}/penalty"
    form = {"player": team.seats.first().player_id, "infraction": "decklist", "level": "game-loss"}
    page = staff.post(url, form)
    assert "it is owed" in text_of(page)
    staff.post(url, {**form, "confirmed": page.context["confirmed"]})
    halls.finish(rnd)
    later = halls.started(tournament)
    own = Match.objects.get(round=later, sides__team=team)
    assert f"owes a game loss, table {own.table}" in desk(staff, tournament)
    do(staff, tournament, "serve-penalty", penalty=Penalty.objects.get().pk, match=own.pk)
    assert own.boards.get().games.get().winner is not None
    assert "owes a" not in desk(staff, tournament)


def test_a_bye_that_is_posted_a_result_says_why_it_takes_none(at_desk: Any) -> None:
    tournament, rnd, _ = hall(5)
    bye = rnd.matches.get(kind="bye")
    answer = at_desk(tournament).post(
        f"/desk/{tournament.slug}/tables/{bye.pk}/", {"kind": "played", "reason": "Typo"}
    )
    assert answer.status_code == 409
    assert "is scored by rule" in text_of(answer)


def test_an_elimination_table_offers_no_draw(at_desk: Any) -> None:
    tournament = halls.in_cut(4)
    rnd = halls.paired(tournament)
    staff = at_desk(tournament)
    assert "Semifinals are published." in do(staff, tournament, "publish", round=rnd.pk)
    assert "Semifinals have started." in do(staff, tournament, "start-round", round=rnd.pk)
    match = halls.tables(rnd)[0]
    assert "ntentional draw" not in text_of(staff.get(f"/desk/{tournament.slug}/tables/{match.pk}/"))
    assert 'value="draw"' not in staff.get(f"/desk/{tournament.slug}/resolve/").content.decode()
    assert "needs a winner" in preview(staff, tournament, "1 1-1")
    halls.finish(Round.objects.get(pk=rnd.pk))


def test_one_minute_is_one_minute(at_desk: Any, client: Any) -> None:
    tournament = halls.running(4, round_minutes=1)
    halls.published(tournament)
    assert "The clock runs for 1 minute and" in desk(at_desk(tournament), tournament)
    assert "1 minutes" not in text_of(client.get(f"/t/{tournament.slug}/"))


@pytest.mark.parametrize(
    ("announced", "deeds"),
    [
        (
            {"format": "round-robin", "planned_rounds": 3, "teams": 4},
            ["start", "pair", *["round"] * 3, "finish"],
        ),
        ({"format": "elimination", "teams": 5}, ["start", *["pair", "round"] * 3, "finish"]),
        (
            {"planned_rounds": 1, "cut": 4, "cut_method": "double", "teams": 5},
            ["start", "pair", "round", "make-cut", *["pair", "round"] * 4, "finish"],
        ),
        (
            {"planned_rounds": 1, "cut": 4, "cut_method": "third-place", "teams": 4},
            ["start", "pair", "round", "make-cut", *["pair", "round"] * 2, "finish"],
        ),
    ],
    ids=["round-robin", "elimination", "double", "third-place"],
)
def test_the_one_button_leads_to_the_end_of_every_format(
    at_desk: Any, announced: dict[str, Any], deeds: list[str]
) -> None:
    tournament = halls.registering(announced.pop("teams"), **announced)
    client, done = at_desk(tournament), []
    for _ in range(30):
        step = client.get(f"/desk/{tournament.slug}/").context["step"]
        if step is None:
            break
        asked: dict[str, Any] = {"round": step.round_id} if step.round_id else {"tie_decision": "by lot"}
        if step.deed == "close":
            for match in halls.tables(Round.objects.get(pk=step.round_id)):
                enter_result(match_id=match.pk, actor=COMMAND, wins=(2, 0))
            done.append("round")
        elif step.deed not in ("publish", "start-round"):
            done.append(step.deed)
        do(client, tournament, step.deed, **asked)
    tournament.refresh_from_db()
    assert (tournament.state, done) == ("finished", deeds)


def test_what_the_hall_asks_for_names_no_foreign_row(at_desk: Any) -> None:
    tournament, _, _ = hall(4)
    other, rnd, (foreign, *_) = hall(4, name="Elsewhere")
    call = call_judge(match_id=foreign.pk, actor=COMMAND)
    team = Team.objects.filter(tournament=other).first()
    client = at_desk(tournament)
    for deed, data in (
        ("take-call", {"call": call.pk}),
        ("end-call", {"call": call.pk}),
        ("extend-table", {"match": foreign.pk, "minutes": 5}),
        ("pause-clock", {"round": rnd.pk}),
        ("pick-deck-checks", {"round": rnd.pk, "count": 1}),
    ):
        assert client.post(f"/desk/{tournament.slug}/do/{deed}/", data).status_code == 404, deed
    for page in (f"tables/{foreign.pk}/penalty", f"teams/{team.pk}/penalty"):
        assert client.get(f"/desk/{tournament.slug}/{page}").status_code == 404, page
