"""A player's own page, opened by a personal link: my table, my seat, one deed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from journal.changes import newest_of
from journal.clock import now
from matches.games import score_of
from matches.models import Game, Match, Report
from rulebook.lifecycle import MatchKind, MatchState, RoundState, TeamState, TournamentState
from rulebook.modes import mode_of
from rulebook.modes.blanks import Direction
from rulebook.scoring import ResultKind
from rulebook.terms import Terms
from rulebook.turns import OpeningBy, opening_for
from teams.models import Seat, Team
from teams.selectors import TeamCard, team_cards
from tournaments.checkin import check_in_window
from tournaments.models import Round, StageEntry, Tournament
from tournaments.pages.kept_sheets import hall_scene, sheet_of
from tournaments.pages.openings import OPEN_STATES, OpeningState, opening_state, positions
from tournaments.pages.own_version import Door, signed
from tournaments.pages.personal import own_board, personal_unless_known
from tournaments.pages.played import Moment, Played, played_at
from tournaments.pages.result_form import is_pod
from tournaments.pages.scenes import Scene, name_of
from tournaments.pages.sheets import Sheet, SideRow, TableRow
from tournaments.patience import opening_due, report_due

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


@dataclass(frozen=True, slots=True)
class Me:
    """Whose page it is: the seat, who sits there, and the state of the team."""

    pk: int
    label: str
    team_id: int
    state: str
    name: str


@require_safe
@personal_unless_known
def me(request: HttpRequest, door: Door) -> HttpResponse:
    """Where I sit, against whom, how long, and the one thing I can do now."""
    hall = hall_scene(door.tournament_id, door.shared)
    scene, tournament = hall.scene, hall.scene.tournament
    rnd = scene.shown_round
    sheet = sheet_of(rnd, scene.labels, with_reports=True) if rnd else Sheet((), ())
    seat = _seated(door.seat_id, sheet) or _read(door.seat_id)
    own = ((row, side.card) for row in sheet.rows for side in row.sides if side.card.id == seat.team_id)
    row, card = next(own, (None, None))
    match = sheet.matches[row.match_id] if row else None
    concerned = {f"team:{seat.team_id}"}
    if row:
        concerned |= {f"match:{row.match_id}", *(f"team:{side.card.id}" for side in row.sides)}
    version = newest_of(tournament.pk, concerned)
    at_table: dict[str, Any] = {}
    if rnd and match and row and not row.is_alone:
        when = Moment(version, door.shared, rnd, sheet.matches)
        at_table = _at_table(match, rnd, row, seat, played_at(match, own_board(match, seat.label), when))
    state = _state(scene, seat, match)
    context = {
        "token": str(seat.pk),
        "seat": seat,
        "scene": scene,
        "tournament": tournament,
        # What was done while the page was made is news to it, whether or not the page shows it.
        "version": min(version, door.version),
        "concerned": signed(concerned),
        "announcements": hall.announcements,
        "card": card or team_cards([Team.objects.get(pk=seat.team_id)], scene.labels)[seat.team_id],
        "rnd": rnd,
        "round_name": name_of(rnd) if rnd else "",
        "row": row,
        "state": state,
        "plays_on": state != "not-in-round" or rnd is None or _plays_on(rnd, seat),
        "place": _place(scene, seat),
        "may_check_in": _may_check_in(tournament, seat),
        "may_leave": seat.state in NOT_OUT
        and tournament.state in (TournamentState.REGISTRATION, TournamentState.RUNNING),
        **at_table,
    }
    return render(request, "phone/me.html", context)


def _seated(seat_id: int, sheet: Sheet) -> Me | None:
    """The seat as it stands on the sheet; None when it has no table in this round."""
    for row in sheet.rows:
        for side in row.sides:
            for member in side.card.members:
                if member.seat_id == seat_id:
                    return Me(seat_id, member.label, side.card.id, side.card.state, member.name)
    return None


def _read(seat_id: int) -> Me:
    seat = Seat.objects.select_related("team", "player").get(pk=seat_id)
    return Me(seat_id, seat.label, seat.team_id, seat.team.state, seat.player.shown_name)


def _state(scene: Scene, seat: Me, match: Match | None) -> str:
    """Which page the player sees."""
    if seat.state not in NOT_OUT:
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


def _plays_on(rnd: Round, seat: Me) -> bool:
    """Whether a later round can have a table for the team; who missed the cut has none."""
    if not rnd.stage.is_bracket:
        return True
    return StageEntry.objects.filter(stage=rnd.stage_id, team=seat.team_id).exists()


def _place(scene: Scene, seat: Me) -> int | None:
    if not scene.is_over:
        return None
    places = StageEntry.objects.filter(stage__tournament=scene.tournament, team_id=seat.team_id, seed=None)
    return places.values_list("place", flat=True).first()


def _at_table(match: Match, rnd: Round, row: TableRow, seat: Me, played: Played) -> dict[str, Any]:
    mine = next(side for side in row.sides if side.card.id == seat.team_id)
    others = [side for side in row.sides if side is not mine]
    terms, board = match.frozen_terms, own_board(match, seat.label)
    games, reports = played.games, played.reports
    opening = opening_state(match, rnd, [side.card for side in row.sides], board, games)
    last_order = opening.order or (opening.games[-1].order if opening.games else ())
    by_us = next((one for one in reports if one.side.team_id == seat.team_id), None)
    by_them = next((one for one in reports if one.side.team_id != seat.team_id), None)
    won, drawn = score_of(terms.sides, games)
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
        "due": _report_due(match, rnd, reports),
        "opens_itself": _opening_due(match, rnd, opening, played),
        "default_starter": _default_starter(terms.on_board(board), opening, row),
        "may_take_back": _may_take_back(match, mine.index, games),
        "score": _score(won, mine.index, drawn) if any(won) or drawn else "",
        "won": [(side, won[side.index]) for side in (mine, *others)],
        "drawn": drawn,
        "call": played.call,
        # A confirmed result may be wrong too; the round's end ends the calls.
        "may_call": match.state in (MatchState.PAIRED, *OPEN_STATES)
        or (match.state == MatchState.CONFIRMED and rnd.state == RoundState.RUNNING),
        "terms": terms,
        "notes_games": terms.best_of > 1 or bool(board),
        "tracks_points": mode_of(terms.mode).track.direction is Direction.CLIMBS,
        "is_pod": is_pod(terms),
        "board": board,
        "board_scores": played.board_scores,
        "setup": played.setup,
    }


def _across(chairs: Sequence[Chair], board: str) -> Sequence[Chair]:
    """Who sits opposite, from left to right: B before A, but each at his own board where there are three."""
    return chairs if board else tuple(reversed(chairs))


def _chairs(side: SideRow, order: Sequence[str], seat: Me) -> list[Chair]:
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
        return _("intentional draw")
    wins = {int(team): int(count) for team, count in report.body["wins"].items()}
    draws = int(report.body["draws"])
    if row.is_pod and max(wins.values(), default=0) <= 1:
        won = [side.card.shown_name for side in row.sides if wins.get(side.card.id)]
        return _("%(team)s won") % {"team": won[0]} if won else _("a draw")
    theirs = [count for team, count in wins.items() if team != team_id]
    return "–".join(map(str, (wins.get(team_id, 0), *theirs, *([draws] if draws else []))))


def _may_check_in(tournament: Tournament, seat: Me) -> bool:
    if seat.state != TeamState.REGISTERED or tournament.state != TournamentState.REGISTRATION:
        return False
    opens, closes = check_in_window(tournament)
    return (opens is None or opens <= now()) and (closes is None or now() < closes)


def _report_due(match: Match, rnd: Round, reports: Sequence[Report]) -> datetime | None:
    """When the only report counts by itself; None where it never does."""
    if match.state != MatchState.REPORTED or len(reports) != 1 or rnd.state != RoundState.RUNNING:
        return None
    return report_due(reports[0], rnd.stage.tournament)


def _opening_due(match: Match, rnd: Round, opening: OpeningState, played: Played) -> datetime | None:
    """When the default order applies to the game that waits for its opening; None where it never does."""
    waits = match.state == MatchState.OPEN and not opening.is_playing and not opening.is_decided
    tournament = rnd.stage.tournament
    if not waits or rnd.started_at is None or not tournament.opening_after_s or tournament.held_at:
        return None
    return opening_due(rnd, played.games, played.reopened_at)


def _default_starter(terms: Terms, opening: OpeningState, row: TableRow) -> str:
    """Who begins when nobody chooses; empty where nobody may."""
    if opening.chooser is None:
        return ""
    code = opening_for(terms, chooser=opening.chooser, by=OpeningBy.RANDOM).order[0]
    name = positions([side.card for side in row.sides]).get(code, "")
    return f"{name} ({code})" if name else code


def _may_take_back(match: Match, side: int, games: Sequence[Game]) -> bool:
    """The last opening or end of a game may be taken back by this side, as `take_back_own` judges it."""
    if match.state != MatchState.OPEN or not games:
        return False
    opening = getattr(games[-1], "opening", None)
    if games[-1].subgames or (opening is not None and opening.replaced):
        return False
    return games[-1].state == Game.State.ENDED or opening is None or opening.chooser in (None, side)


def _score(won: Sequence[int], mine: int, drawn: int) -> str:
    """The games so far as this side reads them: its own first, drawn ones last."""
    others = [count for side, count in enumerate(won) if side != mine]
    return "–".join(map(str, (won[mine], *others, *([drawn] if drawn else []))))
