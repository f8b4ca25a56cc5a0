"""A round of the past at the desk, from which a wrong result is corrected."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from rulebook.errors import RuleBroken
from tournaments.models import Round
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.repairs import is_mendable, why_repair
from tournaments.pages.scenes import name_of
from tournaments.verifying import verify


def _replay(rnd: Round) -> tuple[bool, str, tuple[str, ...]]:
    """Whether pairing the round again from its stored inputs gave the same, in words, and what is wrong."""
    stored = Round.objects.select_related("stage__tournament").get(pk=rnd.pk)
    try:
        verdict = verify(stored)
    except RuleBroken as broken:
        return False, broken.sentence, ()
    if not verdict.is_replayed:
        said = f"Made by engine {verdict.engine}, which is not this one any more; the checker looked it over."
    elif verdict.is_same:
        said = f"Paired again from the stored inputs: the same pairings, engine {verdict.engine}."
    else:
        said = f"Paired again from the stored inputs by engine {verdict.engine}: other pairings came out."
    return verdict.is_good, said, verdict.problems


@require_safe
@staff_page()
def round_page(request: HttpRequest, desk: Desk, round_id: int) -> HttpResponse:
    """Every table of the round with its result."""
    scene = desk.scene()
    rnd = next((one for one in scene.rounds if one.pk == round_id), None)
    if rnd is None:
        raise Http404
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
        replay=_replay(rnd) if "verify" in request.GET else "",
        can_replay=not rnd.stage.is_bracket,
    )
