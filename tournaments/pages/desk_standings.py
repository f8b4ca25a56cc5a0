"""Standings at the desk: those the public does not see yet too, published and hidden from here."""

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.pages.asked import Asked, DeskDeed, number_in
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.numbers import whole
from tournaments.pages.ranking import ranking_of
from tournaments.showing import hide_standings, publish_standings
from tournaments.staff import Can
from tournaments.standings import shown_rounds_of


@require_safe
@staff_page()
def standings_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The ranking after a closed round, with whether the public sees it."""
    scene = desk.scene()
    asked = request.GET.get("after", "")
    ranking = ranking_of(scene, whole(asked), for_staff=True)
    if ranking is None and asked:
        raise Http404
    return desk_page(
        request,
        "desk/standings.html",
        desk,
        tab="standings",
        scene=scene,
        ranking=ranking,
        seen=shown_rounds_of(scene.swiss) if scene.swiss else (),
    )


def _publish(desk: Desk, asked: Asked) -> str:
    number = number_in(asked, "after")
    publish_standings(tournament_id=desk.tournament.pk, after_round=number, actor=desk.actor)
    return f"The standings after round {number} are published."


def _hide(desk: Desk, asked: Asked) -> str:
    number = number_in(asked, "after")
    hide_standings(
        tournament_id=desk.tournament.pk,
        after_round=number,
        actor=desk.actor,
        reason=asked.get("reason", ""),
    )
    return f"The standings after round {number} are hidden; only staff see them."


STANDINGS_DEEDS: Mapping[str, DeskDeed] = {
    "publish-standings": DeskDeed(Can.PAIR, _publish),
    "hide-standings": DeskDeed(Can.PAIR, _hide),
}
