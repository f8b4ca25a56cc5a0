"""The wall: pairings that page by themselves, the clock and what is announced, readable across a hall."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.pages.conditional import by_version
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.scenes import name_of, public_scene
from tournaments.pages.sheets import Sheet

MANY, A_CROWD = 24, 80  # tables from which the wall is set closer, so that all are seen within a minute


def density_of(tables: int) -> str:
    """How close the wall is set: two roomy columns, three, or four with one line for each team."""
    if tables > A_CROWD:
        return "crowd"
    return "many" if tables > MANY else "roomy"


@require_safe
@by_version
def screen(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The newest published round, for a big screen."""
    scene = public_scene(slug)
    rnd = scene.shown_round
    sheet = sheet_of(rnd, scene.labels) if rnd else Sheet((), ())
    context = {
        "scene": scene,
        "tournament": scene.tournament,
        "version": version,
        "rnd": rnd,
        "name": name_of(rnd) if rnd else "",
        "sheet": sheet,
        "density": density_of(len(sheet.rows)),
    }
    return render(request, "public/screen.html", context)
