"""A player's own page, opened by a personal link: my table, my seat, one deed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from journal.actors import seat_actor
from journal.recording import version_of
from matches.calls import call_judge
from matches.games import choose_first
from matches.models import Call, Match, Report, Side
from matches.results import confirm_result, dispute_result, report_result
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState, RoundState, TeamState, TournamentState
from rulebook.scoring import ResultKind
from teams.links import seat_behind
from teams.models import Seat
from teams.selectors import TeamCard, team_cards
from tournaments.models import Round, StageEntry, Tournament
from tournaments.pages.conditional import View
from tournaments.pages.openings import OPEN_STATES, OpeningState, first_seed, opening_state, setup_of
from tournaments.pages.result_form import count_in, is_pod, result_of
from tournaments.pages.scenes import Scene, name_of, scene_of
from tournaments.pages.sheets import SideRow, TableRow, board_scores, row_of

NOT_OUT = (TeamState.REGISTERED, TeamState.CHECKED_IN, TeamState.PLAYING, TeamState.WAITLISTED)


@dataclass(frozen=True, slots=True)
class Chair:
    """One place at the table as drawn from my chair; `turn` is 0 before the turn order is known."""

    code: str
    label: str
    side: int
    name: str
    is_me: bool
    turn: int


def personal(view: View) -> View:
    """`view(request, token, seat)` for whoever holds a working link; the address is told to nobody."""

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, token: str, **more: Any) -> HttpResponse:
        try:
            response = view(request, token, seat_behind(token), **more)
        except RuleBroken as broken:
            response = _refused(request, token, broken)
        # A form has to tell its origin to be believed; other sites are still told nothing.
        response["Referrer-Policy"] = "same-origin"
        response["X-Robots-Tag"] = "noindex"
        return response

    return answer


@require_safe
@personal
def me(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """Where I sit, against whom, how long, and the one thing I can do now."""
    tournament = Tournament.objects.select_related("store").get(pk=seat.tournament_id)
    scene = scene_of(tournament)
    card = team_cards([seat.team], scene.labels)[seat.team_id]
    rnd = scene.shown_round
    match = _own_match(rnd, seat)
    row = row_of(match, scene.labels) if match else None
    context = {
        "token": token,
        "seat": seat,
        "scene": scene,
        "tournament": tournament,
        "version": version_of(tournament.pk),
        "card": card,
        "rnd": rnd,
        "round_name": name_of(rnd) if rnd else "",
        "row": row,
        "state": _state(scene, seat, match),
        "place": _place(scene, seat),
        **(_at_table(match, rnd, row, seat) if match and rnd and row and not row.is_alone else {}),
    }
    return render(request, "phone/me.html", context)


@require_POST
@personal
def report(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """My team's counts are reported."""
    match = _match_now(seat)
    kind = ResultKind.INTENTIONAL_DRAW if request.POST.get("kind") == "id" else ResultKind.PLAYED
    if len(match.frozen_terms.boards) > 1 and kind is ResultKind.PLAYED:
        raise RuleBroken("board-missing", "Tell the desk the result of each board; it is entered there.")
    wins, draws = _reported(request.POST, match, seat) if kind is ResultKind.PLAYED else ({}, 0)
    done = report_result(
        match_id=match.pk,
        team_id=seat.team_id,
        actor=seat_actor(seat.pk),
        kind=kind,
        wins=wins,
        draws=draws,
    )
    said = {
        MatchState.CONFIRMED: "Both teams agree. The result counts.",
        MatchState.DISPUTED: "The other team reported something else. A judge comes to your table.",
    }
    messages.success(request, said.get(MatchState(done.state), "Reported. The other team confirms it."))
    return redirect("me", token)


@require_POST
@personal
def confirm(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """The other team's report counts."""
    confirm_result(match_id=_match_now(seat).pk, actor=seat_actor(seat.pk), team_id=seat.team_id)
    messages.success(request, "Confirmed. The result counts.")
    return redirect("me", token)


@require_POST
@personal
def dispute(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """A judge decides."""
    dispute_result(match_id=_match_now(seat).pk, team_id=seat.team_id, actor=seat_actor(seat.pk))
    messages.success(request, "Disputed. A judge comes to your table.")
    return redirect("me", token)


@require_POST
@personal
def call(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """A judge is called to my table."""
    call_judge(match_id=_match_now(seat).pk, team_id=seat.team_id, actor=seat_actor(seat.pk))
    messages.success(request, "A judge is called. Stay at the table.")
    return redirect("me", token)


@require_POST
@personal
def choose(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """My team has chosen who starts, when the choice is ours."""
    match = _match_now(seat)
    rnd = Round.objects.defer("inputs", "output").get(pk=match.round_id)
    board = _board(match, seat)
    state = _opening(match, rnd, board)
    mine = Side.objects.get(match=match, team_id=seat.team_id).index
    if state.chooser != mine and not state.kept:
        raise RuleBroken("not-your-choice", "The other team chooses who starts.")
    choose_first(
        match_id=match.pk,
        actor=seat_actor(seat.pk),
        option=request.POST.get("option") or None,
        seed=first_seed(match, rnd, state.next_number, board),
        board_label=board,
    )
    messages.success(request, "The turn order is set. Good luck.")
    return redirect("me", token)


def _refused(request: HttpRequest, token: str, broken: RuleBroken) -> HttpResponse:
    """A dead link has a page of its own; any other broken rule is a message on the player's page."""
    if broken.code != "link-dead":
        messages.error(request, broken.sentence)
        return redirect("me", token)
    response = render(request, "phone/dead.html", {"sentence": broken.sentence}, status=404)
    # Django would write the address, and with it the token, into its log.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def _match_now(seat: Seat) -> Match:
    """The match of the seat's team in the newest published round."""
    match = _own_match(scene_of(Tournament.objects.get(pk=seat.tournament_id)).shown_round, seat)
    if match is None:
        raise RuleBroken("no-match", "Your team has no match now; wait for the next pairings.")
    return match


def _own_match(rnd: Round | None, seat: Seat) -> Match | None:
    if rnd is None:
        return None
    sides = Side.objects.filter(round=rnd, team_id=seat.team_id, is_live=True).select_related("match")
    side = sides.order_by("id").first()
    return side.match if side else None


def _state(scene: Scene, seat: Seat, match: Match | None) -> str:
    """Which page the player sees."""
    if seat.team.state not in NOT_OUT:
        return "out"
    if scene.tournament.state == TournamentState.FINISHED:
        return "finished"
    if scene.tournament.state == TournamentState.CANCELLED:
        return "cancelled"
    if scene.tournament.state != TournamentState.RUNNING or scene.shown_round is None:
        return "before"
    if match is None:
        return "not-in-round"
    if match.kind == MatchKind.BYE:
        return "bye"
    if match.kind != MatchKind.TABLE:
        return "not-in-round"
    return "closed" if scene.shown_round.state == RoundState.CLOSED else "table"


def _place(scene: Scene, seat: Seat) -> int | None:
    if not scene.is_over:
        return None
    places = StageEntry.objects.filter(stage__tournament=scene.tournament, team_id=seat.team_id, seed=None)
    return places.values_list("place", flat=True).first()


def _reported(asked: Mapping[str, str], match: Match, seat: Seat) -> tuple[dict[int, int], int]:
    """Games won by team and games drawn; of a pod only who won it is asked."""
    terms = match.frozen_terms
    teams = list(match.sides.order_by("index").values_list("team_id", flat=True))
    if is_pod(terms):
        said = result_of({"winner": asked.get("winner", "")}, terms)
        return dict(zip(teams, said["wins"], strict=True)), said["draws"]
    if not asked.get("ours", "").strip() or not asked.get("theirs", "").strip():
        raise RuleBroken("count-missing", "Enter how many games each team won, 0 where it won none.")
    ours, theirs = (count_in(asked[name]) for name in ("ours", "theirs"))
    wins = {team: ours if team == seat.team_id else theirs for team in teams}
    return wins, count_in(asked.get("draws", ""))


def _board(match: Match, seat: Seat) -> str:
    """The board the player sits at: his own where teammates play games of their own."""
    return seat.label if len(match.frozen_terms.boards) > 1 else ""


def _at_table(match: Match, rnd: Round, row: TableRow, seat: Seat) -> dict[str, Any]:
    mine = next(side for side in row.sides if side.card.id == seat.team_id)
    others = [side for side in row.sides if side is not mine]
    terms, board = match.frozen_terms, _board(match, seat)
    opening = opening_state(match, rnd, [side.card for side in row.sides], board)
    last_order = opening.order or (opening.games[-1].order if opening.games else ())
    reports = list(Report.objects.filter(match=match, is_current=True).select_related("side").order_by("id"))
    by_us = next((one for one in reports if one.side.team_id == seat.team_id), None)
    by_them = next((one for one in reports if one.side.team_id != seat.team_id), None)
    return {
        "mine": mine,
        "others": others,
        "opening": opening,
        "we_choose": opening.chooser == mine.index or bool(opening.kept),
        "chooser_name": row.sides[opening.chooser].card.shown_name if opening.chooser is not None else "",
        "far_chairs": [chair for side in others for chair in _across(_chairs(side, last_order, seat), board)],
        "near_chairs": _chairs(mine, last_order, seat),
        "by_us": _counts(by_us, row, seat.team_id),
        "by_them": _counts(by_them, row, seat.team_id),
        "can_report": match.state in OPEN_STATES,
        "call": Call.objects.filter(match=match, kind=Call.Kind.JUDGE, ended_at=None).first(),
        "may_call": match.state in (MatchState.PAIRED, *OPEN_STATES),
        "terms": terms,
        "is_pod": is_pod(terms),
        "board": board,
        "board_scores": board_scores(match) if board else [],
        "setup": setup_of(match, board),
    }


def _across(chairs: Sequence[Chair], board: str) -> Sequence[Chair]:
    """Who sits opposite, from left to right: B before A, but each at his own board where there are three."""
    return chairs if board else tuple(reversed(chairs))


def _opening(match: Match, rnd: Round, board: str) -> OpeningState:
    sides = list(Side.objects.filter(match=match).select_related("team").order_by("index"))
    cards = team_cards([side.team for side in sides], match.frozen_terms.labels)
    return opening_state(match, rnd, [cards[side.team_id] for side in sides], board)


def _chairs(side: SideRow, order: Sequence[str], seat: Seat) -> list[Chair]:
    card: TeamCard = side.card
    return [
        Chair(
            code := f"{side.number}{member.label}",
            member.label,
            side.number,
            member.name,
            member.seat_id == seat.pk,
            order.index(code) + 1 if code in order else 0,
        )
        for member in card.members
    ]


def _counts(report: Report | None, row: TableRow, team_id: int) -> str:
    """The report as this team reads it: ours, theirs, drawn; of a pod who won it."""
    if report is None:
        return ""
    if report.body["kind"] == ResultKind.INTENTIONAL_DRAW:
        return "intentional draw"
    wins = {int(team): int(count) for team, count in report.body["wins"].items()}
    draws = int(report.body["draws"])
    if row.is_pod and max(wins.values(), default=0) <= 1:
        won = [side.card.shown_name for side in row.sides if wins.get(side.card.id)]
        return f"{won[0]} won" if won else "a draw"
    theirs = [count for team, count in wins.items() if team != team_id]
    return "–".join(map(str, (wins.get(team_id, 0), *theirs, *([draws] if draws else []))))
