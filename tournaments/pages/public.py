"""Pages for everybody: cheap, cacheable, and blind to drafts and rulings."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from journal.clock import now, speed
from journal.models import Deed
from rulebook.lifecycle import TeamState, TournamentState
from rulebook.modes import MODES
from teams.models import Team
from teams.selectors import team_cards
from tournaments.bracket_plan import cut_kind
from tournaments.models import Round, Tournament
from tournaments.pages.brackets import bracket_of
from tournaments.pages.conditional import by_version
from tournaments.pages.hall_map import draft_words
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.numbers import whole
from tournaments.pages.ranking import ranking_of
from tournaments.pages.scenes import Scene, name_of, public_scene
from tournaments.pages.sheets import Sheet, TableRow, matching, people_of
from tournaments.pages.words import told
from tournaments.rows import policy_for
from tournaments.standings import stage_policy

PLAYING = (TeamState.PLAYING,)
IN = (TeamState.REGISTERED, TeamState.CHECKED_IN, *PLAYING)
FINISHED_SHOWN = 24


@require_safe
def now_page(request: HttpRequest) -> HttpResponse:
    """The present moment of the server and how fast its time runs, for the countdown."""
    headers = {"Cache-Control": "no-store", "X-Clock-Speed": f"{speed():g}"}
    return HttpResponse(now().isoformat(), content_type="text/plain", headers=headers)


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """What is played, what is coming, what is over: every store's tournaments."""
    shown = (
        Tournament.objects.exclude(announced_at=None)
        .select_related("store")
        .annotate(team_count=Count("teams", filter=Q(teams__state__in=[*IN, TeamState.DROPPED])))
    )
    by_state = {
        "running": shown.filter(state=TournamentState.RUNNING),
        "coming": shown.filter(state=TournamentState.REGISTRATION).order_by("starts_at", "name"),
        "finished": shown.filter(state=TournamentState.FINISHED)[:FINISHED_SHOWN],
    }
    context = {name: [(t, _mode_name(t)) for t in rows] for name, rows in by_state.items()}
    return render(request, "public/front.html", context)


@require_safe
@by_version
def overview(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The tournament: state, round, clock, who plays."""
    scene = public_scene(slug)
    teams = list(
        Team.objects.filter(tournament=scene.tournament)
        .exclude(state__in=[TeamState.WITHDRAWN])
        .exclude(sign_up__isnull=False, sign_up__confirmed_at=None)
        .order_by("number")
    )
    cards = team_cards(teams, scene.labels)
    return _page(
        request,
        "public/overview.html",
        scene,
        version,
        tab="overview",
        cards=list(cards.values()),
        elimination=dict(Tournament.CutMethod.choices)[cut_kind(scene.tournament).value],
        policy=policy_for(scene.tournament),
        in_count=sum(
            team.state in (PLAYING if scene.tournament.rules else IN) and not team.is_solo for team in teams
        ),
    )


@require_safe
@by_version
def pairings(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Who meets whom in the newest published round, by table or by name."""
    scene = public_scene(slug)
    return _pairings(request, scene, version, scene.shown_round, tab="pairings")


@require_safe
@by_version
def round_page(request: HttpRequest, slug: str, version: int, stage: int, number: int) -> HttpResponse:
    """One round of the history."""
    scene = public_scene(slug)
    for rnd in scene.shown_rounds:
        if (rnd.stage.number, rnd.number) == (stage, number):
            return _pairings(request, scene, version, rnd, tab="rounds")
    raise Http404


@require_safe
@by_version
def rounds_page(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Every published round."""
    scene = public_scene(slug)
    named = [(rnd, name_of(rnd)) for rnd in reversed(scene.shown_rounds)]
    return _page(request, "public/rounds.html", scene, version, tab="rounds", named=named)


@require_safe
@by_version
def standings(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The ranking after a closed round, or the final one."""
    scene = public_scene(slug)
    asked = request.GET.get("after", "")
    ranking = ranking_of(scene, whole(asked))
    if ranking is None and asked:
        raise Http404
    return _page(request, "public/standings.html", scene, version, tab="standings", ranking=ranking)


@require_safe
@by_version
def bracket(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The elimination, drawn."""
    scene = public_scene(slug)
    if scene.bracket is None:
        raise Http404
    columns = bracket_of(scene, scene.bracket)
    own = stage_policy(scene.bracket) if scene.bracket.policy else None
    return _page(request, "public/bracket.html", scene, version, tab="bracket", columns=columns, policy=own)


@require_safe
@by_version
def deeds(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """What happened, as far as it is public."""
    scene = public_scene(slug)
    rows = list(Deed.objects.filter(tournament=scene.tournament, is_public=True).order_by("-number")[:200])
    shown = told(scene.tournament, rows, scene.labels)
    return _page(request, "public/deeds.html", scene, version, tab="deeds", told=shown)


def _pairings(
    request: HttpRequest, scene: Scene, version: int, rnd: Round | None, *, tab: str
) -> HttpResponse:
    sheet = sheet_of(rnd, scene.labels) if rnd else Sheet((), ())
    words = request.GET.get("q", "").strip()
    by_name, drafted = request.GET.get("by") == "name", draft_words(rnd)
    return _page(
        request,
        "public/pairings.html",
        scene,
        version,
        tab=tab,
        rnd=rnd,
        round_name=name_of(rnd) if rnd else "",
        sheet=sheet,
        rows=[(row, matching(words, row), _seats(drafted, row)) for row in sheet.rows],
        people=[(one, matching(words, one.row)) for one in people_of(sheet)] if by_name else [],
        by_name=by_name,
        words=words,
        none_found=bool(words) and not any(matching(words, row) for row in sheet.rows),
    )


def _seats(drafted: Mapping[int, str], row: TableRow) -> tuple[str, ...]:
    """The seat in the draft of each side; none in a round outside the drafting groups."""
    return tuple(drafted.get(side.card.id, "") for side in row.sides) if drafted else ()


def _page(
    request: HttpRequest, template: str, scene: Scene, version: int, *, tab: str, **more: Any
) -> HttpResponse:
    shown = scene.shown_round
    context = {
        "scene": scene,
        "tournament": scene.tournament,
        "version": version,
        "tab": tab,
        "shown": shown,
        "shown_name": name_of(shown) if shown else "",
        **more,
    }
    return render(request, template, context)


def _mode_name(tournament: Tournament) -> str:
    mode = MODES.get(tournament.mode)
    return mode.name if mode else tournament.mode
