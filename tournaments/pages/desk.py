"""The desk: one page per tournament for acting, and its teams, tables, journal and settings."""

from collections.abc import Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchState, RoundState, TeamState
from rulebook.modes import MODES
from teams.models import Team, User
from tournaments.models import Round
from tournaments.pages.clock_lines import clock_says
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.forms import stores_of
from tournaments.pages.hall_scene import hall_of
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.line_entry import Entry, commit, read_line
from tournaments.pages.next_step import next_step
from tournaments.pages.repairs import is_mendable, why_repair
from tournaments.pages.scenes import Scene, name_of
from tournaments.pages.sheets import Sheet
from tournaments.pages.ties import tied_cards
from tournaments.pages.undo_deeds import undo_offer
from tournaments.setting_up import complete_teams
from tournaments.staff import Can, served_by, served_with


@require_safe
@login_required
def desk_list(request: HttpRequest) -> HttpResponse:
    """The tournaments the person serves in, and a way to make one."""
    user = cast(User, request.user)
    stores = set(stores_of(user).values_list("pk", flat=True))
    copied = set(served_with(user, Can.SETTINGS).filter(store__in=stores).values_list("pk", flat=True))
    rows = [
        (
            tournament,
            MODES[tournament.mode].name if tournament.mode in MODES else tournament.mode,
            tournament.pk in copied,
        )
        for tournament in served_by(user).select_related("store")[:200]
    ]
    return render(request, "desk/list.html", {"rows": rows, "may_create": bool(stores)})


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page()
def desk(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The round at a glance; a posted result line is shown with its names, and entered when it was seen."""
    line, error, entry = "", "", None
    if request.method == "POST":
        desk.require(Can.RESULTS)
        line = request.POST.get("line", "").strip()
        try:
            entry = read_line(desk, line)
            if _is_seen(request, line, entry):
                messages.success(request, commit(desk, entry, request.POST.get("reason", "")))
                return redirect("desk", desk.tournament.slug)
        except RuleBroken as broken:
            error = broken.sentence
    scene = desk.scene()
    rnd = scene.last_round
    runs = rnd is not None and rnd.state == RoundState.RUNNING
    sheet = sheet_of(rnd, scene.labels, with_reports=runs) if rnd else None
    complete = complete_teams(desk.tournament).count() if desk.tournament.state == "registration" else 0
    step = next_step(scene, sheet, complete)
    teams = _teams_of(desk)
    hall, people = hall_of(desk, rnd, sheet), _people(sheet)
    return desk_page(
        request,
        "desk/desk.html",
        desk,
        tab="desk",
        status=409 if error else 200,
        scene=scene,
        rnd=rnd,
        round_name=name_of(rnd) if rnd else "",
        sheet=sheet,
        step=step,
        may_step=step is not None and step.can in desk.powers,
        line=line,
        entry=entry,
        plays=_plays(scene),
        line_error=error,
        hall=hall,
        disputes=[(row, hall.disputes.get(row.match_id)) for row in people["disputed"]],
        clock=clock_says(scene),
        tied=tied_cards(scene) if step is not None and step.deed == "make-cut" else (),
        report=_report(rnd),
        can_mend=rnd is not None and is_mendable(rnd),
        repair_why=why_repair(rnd, sheet, _active(teams, rnd)) if rnd and sheet else "",
        teams=_team_counts(desk, teams),
        **people,
        **_ways_back(scene, sheet),
        undo=undo_offer(desk, scene, sheet),
    )


@require_safe
@staff_page(Can.RESULTS)
def line_preview(request: HttpRequest, desk: Desk) -> HttpResponse:
    """What a result line would enter, with both names, or why it cannot be entered."""
    line = request.GET.get("line", "").strip()
    try:
        entry, error = read_line(desk, line), ""
    except RuleBroken as broken:
        entry, error = None, broken.sentence
    context = {"entry": entry, "line": line, "line_error": error, "tournament": desk.tournament}
    return render(request, "desk/_line.html", context)


def _is_seen(request: HttpRequest, line: str, entry: Entry) -> bool:
    """The page had shown what this very line would enter; replacing a result was asked about as well."""
    if request.POST.get("seen", "").strip() != line:
        return False
    return not entry.is_second or "reason" in request.POST


def _plays(scene: Scene) -> str:
    """How a result line is written here: for pods, for boards, or for two sides."""
    mode = MODES.get(scene.tournament.mode)
    if mode is None or (mode.sides == 2 and len(mode.boards) == 1):
        return "sides"
    return "pods" if mode.sides > 2 else "boards"


def _report(rnd: Round | None) -> dict[str, object]:
    """What the engine says about a draft; empty once it is published."""
    if rnd is None or rnd.state != RoundState.PAIRED:
        return {}
    output = Round.objects.values_list("output", flat=True).get(pk=rnd.pk)
    report = output.get("report", {})
    return report if isinstance(report, dict) else {}


def _teams_of(desk: Desk) -> list[tuple[int, str, int | None]]:
    """Id, state and the round it sits out, of every team."""
    rows = Team.objects.filter(tournament=desk.tournament).order_by()
    return list(rows.values_list("pk", "state", "sits_out"))


def _active(teams: Sequence[tuple[int, str, int | None]], rnd: Round) -> list[int]:
    """The teams that play in the round."""
    return [pk for pk, state, out in teams if state == TeamState.PLAYING and out != rnd.number]


def _team_counts(desk: Desk, teams: Sequence[tuple[int, str, int | None]]) -> dict[str, int]:
    states = [state for _, state, _ in teams]
    coming = (TeamState.REGISTERED, TeamState.CHECKED_IN)
    # Once it runs only who plays is in: an incomplete team that registered is not.
    here = (TeamState.PLAYING,) if desk.tournament.rules else (*coming, TeamState.PLAYING)
    return {
        "in": sum(state in here for state in states),
        "waiting": states.count(TeamState.WAITLISTED),
        "out": sum(s in (TeamState.DROPPED, TeamState.DISQUALIFIED) for s in states),
    }


def _people(sheet: Sheet | None) -> dict[str, Any]:
    """What needs a person: disputes first, then reports that nobody answered, then tables without a word."""
    if sheet is None:
        return {"disputed": [], "reported": [], "open_tables": [], "in_count": 0, "extended": []}
    return {
        "extended": [row for row in sheet.missing if row.extension_s],
        "disputed": sheet.with_state(MatchState.DISPUTED),
        "reported": sheet.with_state(MatchState.REPORTED),
        "open_tables": sheet.with_state(MatchState.OPEN),
        "in_count": len(sheet.with_state(MatchState.CONFIRMED)),
    }


def _ways_back(scene: Scene, sheet: Sheet | None) -> dict[str, bool]:
    """Which deeds that take something back make sense now."""
    rnd, stage, state = scene.last_round, scene.stage, scene.tournament.state
    is_running = state == "running"
    scored = sheet is not None and bool(sheet.with_state(MatchState.CONFIRMED))
    in_bracket = stage is not None and stage.is_bracket and stage.number > 1
    return {
        "may_revive": state == "cancelled",
        "may_scrap": is_running and rnd is not None and rnd.state != RoundState.CLOSED and not scored,
        "may_reopen_round": is_running and rnd is not None and rnd.state == RoundState.CLOSED,
        "may_undo_cut": is_running and in_bracket and rnd is None,
        "may_reopen_registration": is_running and not in_bracket and rnd is None,
        "may_call_time": is_running
        and rnd is not None
        and rnd.state == RoundState.RUNNING
        and rnd.time_called_at is None,
        "is_paused": rnd is not None and rnd.left_when_paused is not None,
    }
