"""A round of the past at the desk, from which a wrong result is corrected."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.repairs import is_mendable, why_repair
from tournaments.pages.scenes import name_of
from tournaments.pages.sheets import sheet_of


@require_safe
@staff_page()
def round_page(request: HttpRequest, desk: Desk, round_id: int) -> HttpResponse:
    """Every table of the round with its result."""
    scene = desk.scene()
    rnd = next((one for one in scene.rounds if one.pk == round_id), None)
    if rnd is None:
        raise Http404
    rnd.stage.tournament = desk.tournament
    sheet = sheet_of(rnd, scene.labels, with_reports=True)
    is_last = scene.last_round is rnd
    return desk_page(
        request,
        "desk/round.html",
        desk,
        tab="desk",
        scene=scene,
        rnd=rnd,
        round_name=name_of(rnd),
        sheet=sheet,
        can_mend=is_last and is_mendable(rnd),
        repair_why=why_repair(rnd, sheet) if is_last else "",
    )
