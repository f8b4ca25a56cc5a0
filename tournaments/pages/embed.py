"""Pairings and standings for a frame on somebody else's site: bare, live, and leading back here."""

from collections.abc import Callable
from typing import Any

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournaments.pages.conditional import by_version
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.ranking import ranking_of
from tournaments.pages.scenes import Scene, name_of, public_scene


def _pairings(scene: Scene) -> dict[str, Any]:
    rnd = scene.shown_round
    if rnd is None:
        return {"rows": []}
    return {"rnd": rnd, "round_name": name_of(rnd), "rows": sheet_of(rnd, scene.labels).rows}


def _standings(scene: Scene) -> dict[str, Any]:
    return {"ranking": ranking_of(scene, None)}


FRAMES: dict[str, Callable[[Scene], dict[str, Any]]] = {"pairings": _pairings, "standings": _standings}


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
@by_version
def embed(request: HttpRequest, slug: str, version: int, what: str) -> HttpResponse:
    """The newest pairings or standings, for a frame on any site, without form or cookie."""
    content = FRAMES.get(what)
    if content is None:
        raise Http404
    scene = public_scene(slug)
    context = {"scene": scene, "tournament": scene.tournament, "version": version, "what": what}
    return render(request, "public/embed.html", {**context, **content(scene)})
