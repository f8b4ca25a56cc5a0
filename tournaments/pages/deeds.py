"""Every deed of the desk: who may do it, which service does it. A form posts it; a refusal is a message."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from rulebook.errors import RuleBroken
from tournaments.pages.asked import DeskDeed
from tournaments.pages.desk_scene import Desk, staff_page
from tournaments.pages.desk_standings import STANDINGS_DEEDS
from tournaments.pages.hall_deeds import HALL_DEEDS
from tournaments.pages.hall_map import HALL_MAP_DEEDS
from tournaments.pages.plan_page import CLOCK_DEEDS
from tournaments.pages.prizes import PRIZE_DEEDS
from tournaments.pages.round_deeds import ROUND_DEEDS, TOURNAMENT_DEEDS
from tournaments.pages.staff_deeds import STAFF_DEEDS
from tournaments.pages.table_deeds import TABLE_DEEDS
from tournaments.pages.team_deeds import TEAM_DEEDS
from tournaments.pages.undo_deeds import UNDO_DEEDS

DEEDS: Mapping[str, DeskDeed] = {
    **TOURNAMENT_DEEDS,
    **ROUND_DEEDS,
    **TABLE_DEEDS,
    **TEAM_DEEDS,
    **HALL_DEEDS,
    **STAFF_DEEDS,
    **STANDINGS_DEEDS,
    **UNDO_DEEDS,
    **HALL_MAP_DEEDS,
    **CLOCK_DEEDS,
    **PRIZE_DEEDS,
}


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
