"""Every deed of the desk: who may do it, which service does it. A form posts it; a refusal is a message."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from matches.games import choose_first, record_game
from matches.models import Match
from matches.results import confirm_result
from rulebook.errors import RuleBroken
from teams.links import make_link, revoke_links
from teams.models import Seat, Team
from tournaments.cutting import finish_tournament, make_cut, reopen_tournament, undo_cut
from tournaments.models import Round
from tournaments.pages.desk_scene import Desk, staff_page
from tournaments.pages.openings import first_seed
from tournaments.pages.scenes import name_of
from tournaments.pairing import pair_round
from tournaments.registration import change_team, check_in_team, readmit_team, swap_seats, withdraw_team
from tournaments.rounds import (
    call_time,
    close_round,
    publish_round,
    reopen_round,
    scrap_round,
    start_round,
)
from tournaments.schedule import schedule_publish
from tournaments.setting_up import (
    cancel_tournament,
    open_registration,
    reopen_registration,
    start_tournament,
)
from tournaments.staff import Can
from tournaments.withdrawals import reinstate_team

Asked = Mapping[str, str]
Run = Callable[[Desk, Asked], str]


@dataclass(frozen=True, slots=True)
class DeskDeed:
    """`run` calls the service and returns what is said afterwards."""

    can: Can
    run: Run


@require_POST
@staff_page()
def deed(request: HttpRequest, desk: Desk, deed: str) -> HttpResponse:
    """The deed is done, or its refusal is a message; either way back to the page it came from."""
    known = DEEDS.get(deed)
    if known is None:
        raise Http404
    desk.require(known.can)
    try:
        messages.success(request, known.run(desk, request.POST))
    except RuleBroken as broken:
        messages.error(request, broken.sentence)
    return redirect(way_back(request, desk))


def way_back(request: HttpRequest, desk: Desk) -> str:
    """The page of this site the form named, else the desk."""
    back = request.POST.get("back", "")
    if url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return back
    return reverse("desk", args=[desk.tournament.slug])


def own_round(desk: Desk, asked: Asked) -> Round:
    """The round of this tournament the form names; 404 for any other."""
    rounds = Round.objects.filter(stage__tournament=desk.tournament).select_related("stage")
    return get_object_or_404(rounds, pk=number_in(asked, "round"))


def own_team(desk: Desk, asked: Asked) -> Team:
    """The team of this tournament the form names; 404 for any other."""
    return get_object_or_404(Team, tournament=desk.tournament, pk=number_in(asked, "team"))


def own_match(desk: Desk, asked: Asked) -> Match:
    """The match of this tournament the form names; 404 for any other."""
    matches = Match.objects.filter(tournament=desk.tournament).select_related("round__stage")
    return get_object_or_404(matches, pk=number_in(asked, "match"))


def number_in(asked: Asked, name: str) -> int:
    """The id in the form; 404 where it is none."""
    text = asked.get(name, "")
    if not text.isdecimal() or len(text) > 18:
        raise Http404
    return int(text)


def _whole(service: Callable[..., object], said: str, *, with_reason: bool = False) -> Run:
    def run(desk: Desk, asked: Asked) -> str:
        more = {"reason": asked.get("reason", "")} if with_reason else {}
        service(tournament_id=desk.tournament.pk, actor=desk.actor, **more)
        return said

    return run


def _of_round(service: Callable[..., object], said: str, *, with_reason: bool = False) -> Run:
    def run(desk: Desk, asked: Asked) -> str:
        rnd = own_round(desk, asked)
        more = {"reason": asked.get("reason", "")} if with_reason else {}
        service(round_id=rnd.pk, actor=desk.actor, **more)
        return said.format(round=name_of(rnd))

    return run


def _of_team(service: Callable[..., Team], said: str, *, with_reason: bool = False) -> Run:
    def run(desk: Desk, asked: Asked) -> str:
        team = own_team(desk, asked)
        more = {"reason": asked.get("reason", "")} if with_reason else {}
        service(team_id=team.pk, actor=desk.actor, **more)
        return said.format(team=team)

    return run


def _pair(desk: Desk, asked: Asked) -> str:
    rnd = pair_round(tournament_id=desk.tournament.pk, actor=desk.actor)
    return f"{name_of(rnd)} is paired. Look it over, then publish it."


def _schedule(desk: Desk, asked: Asked) -> str:
    rnd = own_round(desk, asked)
    try:
        moment = datetime.fromisoformat(asked.get("at", "")).replace(tzinfo=ZoneInfo(desk.tournament.zone))
    except ValueError:
        raise RuleBroken(
            "unreadable-time", "Enter the day and time at which the round is published."
        ) from None
    schedule_publish(round_id=rnd.pk, at=moment, actor=desk.actor)
    return f"The clock publishes {name_of(rnd)} at {moment:%H:%M}."


def _cut(desk: Desk, asked: Asked) -> str:
    stage = make_cut(
        tournament_id=desk.tournament.pk, actor=desk.actor, tie_decision=asked.get("tie_decision", "").strip()
    )
    return f"The top {stage.settings['size']} are in the bracket. Pair its first round."


def _confirm(desk: Desk, asked: Asked) -> str:
    match = confirm_result(match_id=own_match(desk, asked).pk, actor=desk.actor)
    return f"Table {match.table} is confirmed."


def _choose(desk: Desk, asked: Asked) -> str:
    match = own_match(desk, asked)
    entered = asked.get("chooser", "")
    number = number_in(asked, "game")
    opening = choose_first(
        match_id=match.pk,
        actor=desk.actor,
        chooser=int(entered) if entered.isdecimal() else None,
        option=asked.get("option") or None,
        seed=first_seed(match, match.round, number),
    )
    return f"Turn order: {', '.join(opening.order)}."


def _record_game(desk: Desk, asked: Asked) -> str:
    winner = asked.get("winner", "")
    if winner not in ("0", "1", "2", "3", "draw"):
        raise RuleBroken("winner-missing", "Say who won the game, or that it was drawn.")
    game = record_game(
        match_id=own_match(desk, asked).pk,
        actor=desk.actor,
        winner=None if winner == "draw" else int(winner),
    )
    return f"Game {game.number} is recorded."


def _change_team(desk: Desk, asked: Asked) -> str:
    table = asked.get("fixed_table", "").strip()
    team = change_team(
        team_id=own_team(desk, asked).pk,
        actor=desk.actor,
        name=asked.get("name", ""),
        group=asked.get("group", ""),
        fixed_table=int(table) if table.isdecimal() else 0,
    )
    return f"{team} is saved."


def _make_link(desk: Desk, asked: Asked) -> str:
    seat = get_object_or_404(
        Seat.objects.select_related("player"), tournament=desk.tournament, pk=number_in(asked, "seat")
    )
    revoke_links(seat_id=seat.pk, actor=desk.actor)
    make_link(seat_id=seat.pk, actor=desk.actor)
    return f"{seat.player.shown_name} has a new personal link; an older one does not work any more."


DEEDS: Mapping[str, DeskDeed] = {
    "open-registration": DeskDeed(Can.SETTINGS, _whole(open_registration, "Registration is open.")),
    "reopen-registration": DeskDeed(
        Can.SETTINGS, _whole(reopen_registration, "The tournament is back at registration.")
    ),
    "start": DeskDeed(Can.SETTINGS, _whole(start_tournament, "The tournament runs. Pair round 1.")),
    "finish": DeskDeed(Can.SETTINGS, _whole(finish_tournament, "The final ranking is published.")),
    "reopen": DeskDeed(
        Can.SETTINGS, _whole(reopen_tournament, "The tournament runs again.", with_reason=True)
    ),
    "cancel": DeskDeed(
        Can.SETTINGS, _whole(cancel_tournament, "The tournament is cancelled.", with_reason=True)
    ),
    "pair": DeskDeed(Can.PAIR, _pair),
    "publish": DeskDeed(Can.PAIR, _of_round(publish_round, "{round} is published.")),
    "schedule": DeskDeed(Can.PAIR, _schedule),
    "scrap": DeskDeed(Can.PAIR, _of_round(scrap_round, "{round} is scrapped.", with_reason=True)),
    "start-round": DeskDeed(Can.RUN_CLOCK, _of_round(start_round, "{round} has started.")),
    "call-time": DeskDeed(Can.RUN_CLOCK, _of_round(call_time, "Time is called in {round}.")),
    "close": DeskDeed(Can.RUN_CLOCK, _of_round(close_round, "{round} is closed; its standings are out.")),
    "reopen-round": DeskDeed(
        Can.RUN_CLOCK, _of_round(reopen_round, "{round} takes results again.", with_reason=True)
    ),
    "make-cut": DeskDeed(Can.PAIR, _cut),
    "undo-cut": DeskDeed(Can.PAIR, _whole(undo_cut, "The cut is undone.", with_reason=True)),
    "confirm": DeskDeed(Can.RESULTS, _confirm),
    "choose-first": DeskDeed(Can.RESULTS, _choose),
    "record-game": DeskDeed(Can.RESULTS, _record_game),
    "change-team": DeskDeed(Can.REGISTER, _change_team),
    "swap": DeskDeed(Can.REGISTER, _of_team(swap_seats, "{team}: A and B changed seats.")),
    "check-in": DeskDeed(Can.REGISTER, _of_team(check_in_team, "{team} is here.")),
    "withdraw": DeskDeed(Can.REGISTER, _of_team(withdraw_team, "{team} is withdrawn.", with_reason=True)),
    "readmit": DeskDeed(Can.REGISTER, _of_team(readmit_team, "{team} is registered again.")),
    "reinstate": DeskDeed(Can.DROP, _of_team(reinstate_team, "{team} plays on.", with_reason=True)),
    "make-link": DeskDeed(Can.REGISTER, _make_link),
}
