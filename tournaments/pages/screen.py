"""The wall: pairings that page by themselves, the clock and what is announced, readable across a hall."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.pages.conditional import by_version
from tournaments.pages.scenes import name_of, public_scene
from tournaments.pages.sheets import Sheet, sheet_of


@require_safe
@by_version
def screen(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The newest published round, for a big screen."""
    scene = public_scene(slug)
    rnd = scene.shown_round
    if rnd is not None:
        rnd.stage.tournament = scene.tournament
    context = {
        "scene": scene,
        "tournament": scene.tournament,
        "version": version,
        "rnd": rnd,
        "name": name_of(rnd) if rnd else "",
        "sheet": sheet_of(rnd, scene.labels) if rnd else Sheet((), ()),
    }
    return render(request, "public/screen.html", context)
