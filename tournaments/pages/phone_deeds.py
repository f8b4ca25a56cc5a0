"""What a player does at the table by a tap: who starts, how a game ended, the result, a judge."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from journal.actors import seat_actor
from matches.calls import call_judge
from matches.games import choose_first, record_game
from matches.models import Match, Side
from matches.results import confirm_result, dispute_result, report_result
from matches.second_thoughts import take_back_own
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState
from rulebook.scoring import ResultKind
from teams.models import Seat
from teams.selectors import team_cards
from tournaments.models import Round
from tournaments.pages.openings import OpeningState, opening_state
from tournaments.pages.personal import match_now, own_board, personal
from tournaments.pages.result_form import count_in, is_pod, result_of
from tournaments.pages.sent_once import deed_of
from tournaments.patience import first_seed


@require_POST
@personal
def report(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """My team's counts are reported."""
    match = match_now(seat)
    if request.POST.get("match", str(match.pk)) != str(match.pk):
        raise RuleBroken(
            "other-match",
            _("This report is about an earlier table. If its result is wrong, ask at the desk."),
        )
    kind = ResultKind.INTENTIONAL_DRAW if request.POST.get("kind") == "id" else ResultKind.PLAYED
    if len(match.frozen_terms.boards) > 1 and kind is ResultKind.PLAYED:
        raise RuleBroken("board-missing", _("Tell the desk the result of each board; it is entered there."))
    wins, draws = _reported(request.POST, match, seat) if kind is ResultKind.PLAYED else ({}, 0)
    done = report_result(
        match_id=match.pk,
        team_id=seat.team_id,
        actor=seat_actor(seat.pk),
        kind=kind,
        wins=wins,
        draws=draws,
        deed_key=deed_of(request),
    )
    said = {
        MatchState.CONFIRMED: _("Both teams agree. The result counts."),
        MatchState.DISPUTED: _("The other team reported something else. A judge comes to your table."),
    }
    messages.success(request, said.get(MatchState(done.state), _("Reported. The other team confirms it.")))
    return redirect("me", token)


@require_POST
@personal
def confirm(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """The other team's report counts."""
    confirm_result(match_id=match_now(seat).pk, actor=seat_actor(seat.pk), team_id=seat.team_id)
    messages.success(request, _("Confirmed. The result counts."))
    return redirect("me", token)


@require_POST
@personal
def dispute(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """A judge decides."""
    dispute_result(match_id=match_now(seat).pk, team_id=seat.team_id, actor=seat_actor(seat.pk))
    messages.success(request, _("Disputed. A judge comes to your table."))
    return redirect("me", token)


@require_POST
@personal
def call(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """A judge is called to my table."""
    call_judge(match_id=match_now(seat).pk, team_id=seat.team_id, actor=seat_actor(seat.pk))
    messages.success(request, _("A judge is called. Stay at the table."))
    return redirect("me", token)


@require_POST
@personal
def choose(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """My team has chosen who starts, when the choice is ours."""
    match = match_now(seat)
    rnd = Round.objects.defer("inputs", "output").get(pk=match.round_id)
    board = own_board(match, seat.label)
    state = _opening(match, rnd, board)
    mine = Side.objects.get(match=match, team_id=seat.team_id).index
    if state.chooser != mine and not state.kept:
        raise RuleBroken("not-your-choice", _("The other team chooses who starts."))
    choose_first(
        match_id=match.pk,
        actor=seat_actor(seat.pk),
        option=request.POST.get("option") or None,
        seed=first_seed(match, rnd, state.next_number, board),
        board_label=board,
    )
    messages.success(request, _("The turn order is set. Good luck."))
    return redirect("me", token)


@require_POST
@personal
def game(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """The running game has ended; who won is told by team, never by left and right."""
    match = match_now(seat)
    asked = request.POST.get("winner", "")
    sides = dict(Side.objects.filter(match=match).values_list("team_id", "index"))
    if seat.team_id not in sides:
        raise RuleBroken("not-your-match", _("Your team does not play at this table."))
    winner = int(asked) if asked.isdecimal() and len(asked) < 18 else None
    if asked != "draw" and winner not in sides:
        raise RuleBroken("winner-missing", _("Say who won the game, or that it was drawn."))
    board, number = own_board(match, seat.label), request.POST.get("game", "")
    state = _opening(match, Round.objects.defer("inputs", "output").get(pk=match.round_id), board)
    if not state.is_playing or number != str(state.next_number):
        raise RuleBroken("other-game", _("That game is noted already; look at the games so far."))
    done = record_game(
        match_id=match.pk,
        actor=seat_actor(seat.pk),
        winner=None if winner is None else sides[winner],
        board_label=board,
    )
    messages.success(request, _("Game %(number)s is noted.") % {"number": done.number})
    return redirect("me", token)


@require_POST
@personal
def take_back(request: HttpRequest, token: str, seat: Seat) -> HttpResponse:
    """The last wrong tap about who started or who won a game is undone."""
    match = match_now(seat)
    take_back_own(
        match_id=match.pk,
        team_id=seat.team_id,
        actor=seat_actor(seat.pk),
        board_label=own_board(match, seat.label),
    )
    messages.success(request, _("Taken back. Tap again what is right."))
    return redirect("me", token)


def _opening(match: Match, rnd: Round, board: str) -> OpeningState:
    sides = list(Side.objects.filter(match=match).select_related("team").order_by("index"))
    cards = team_cards([side.team for side in sides], match.frozen_terms.labels)
    return opening_state(match, rnd, [cards[side.team_id] for side in sides], board)


def _reported(asked: Mapping[str, str], match: Match, seat: Seat) -> tuple[dict[int, int], int]:
    """Games won by team and games drawn; of a pod only who won it is asked."""
    terms = match.frozen_terms
    teams = list(match.sides.order_by("index").values_list("team_id", flat=True))
    if is_pod(terms):
        said = result_of({"winner": asked.get("winner", "")}, terms)
        return dict(zip(teams, said["wins"], strict=True)), said["draws"]
    if not asked.get("ours", "").strip() or not asked.get("theirs", "").strip():
        raise RuleBroken("count-missing", _("Enter how many games each team won, 0 where it won none."))
    ours, theirs = (count_in(asked[name]) for name in ("ours", "theirs"))
    wins = {team: ours if team == seat.team_id else theirs for team in teams}
    return wins, count_in(asked.get("draws", ""))
