"""Files to take along: CSV, the whole tournament, the bundle of a round; and the way in for them."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from journal.actors import user_actor
from rulebook.errors import RuleBroken
from teams.models import Store, User
from tournaments import large_imports
from tournaments.eventfile import read_event
from tournaments.file_import import LARGEST, import_tournament
from tournaments.heartbeat import last_tick
from tournaments.importing import import_event
from tournaments.large_imports import ask_tournament, do_import
from tournaments.models import Round, Tournament, Upload
from tournaments.pages.bundles import final_zipped, zipped
from tournaments.pages.conditional import by_version
from tournaments.pages.desk_scene import Desk, staff_page
from tournaments.pages.forms import stores_of
from tournaments.pages.imports import how_far
from tournaments.pages.scenes import Scene, public_scene
from tournaments.pages.tables import pairings_csv, results_csv, standings_csv
from tournaments.staff import Can, appoint
from tournaments.tournament_file import FORMAT, export_tournament, file_name


@require_safe
@by_version
def public_csv(request: HttpRequest, slug: str, version: int, what: str) -> HttpResponse:
    """A table of what the public may see."""
    scene = public_scene(slug)
    return _csv(scene, what, scene.shown_rounds, for_staff=False)


@require_safe
@staff_page()
def desk_csv(request: HttpRequest, desk: Desk, what: str) -> HttpResponse:
    """A table of everything staff may see."""
    scene = desk.scene()
    return _csv(scene, what, scene.rounds, for_staff=True)


@require_safe
@staff_page(Can.SETTINGS)
def tournament_file(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The whole tournament as one file; contacts only when asked for."""
    text = export_tournament(desk.tournament, with_contacts=request.GET.get("contacts") == "1")
    return _file(text, file_name(desk.tournament), "application/json")


@require_safe
@staff_page()
def bundle(request: HttpRequest, desk: Desk, round_id: int) -> HttpResponse:
    """The files of a published round, zipped."""
    rounds = Round.objects.filter(stage__tournament=desk.tournament).exclude(published_at=None)
    rnd = get_object_or_404(rounds.select_related("stage__tournament__store"), pk=round_id)
    name = f"{desk.tournament.slug}-round-{rnd.stage.number}-{rnd.number}.zip"
    return _file(zipped(rnd), name, "application/zip")


@require_safe
@staff_page()
def final_bundle(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The final ranking and the bracket, zipped; before the end what stands by now."""
    return _file(final_zipped(desk.tournament), f"{desk.tournament.slug}-final.zip", "application/zip")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_page(request: HttpRequest) -> HttpResponse:
    """A tournament file, or the results file of a published event, becomes a tournament of a store."""
    stores = stores_of(cast(User, request.user))
    if not stores.exists():
        raise PermissionDenied
    error = ""
    if request.method == "POST":
        try:
            made = _imported(request, stores)
            if isinstance(made, Upload):
                return redirect("desk-import-file-state", made.pk)
        except RuleBroken as broken:
            error = broken.sentence
        else:
            messages.success(request, f"{made.name} is imported. You are its organizer.")
            return redirect("desk", made.slug)
    own = Upload.objects.filter(user=cast(User, request.user), store__isnull=False)
    asked = own.defer("body").select_related("tournament")[:5]
    context = {"stores": stores, "error": error, "asked": asked}
    return render(request, "desk/import.html", context, status=409 if error else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_state(request: HttpRequest, upload_id: int) -> HttpResponse:
    """How far the import of a large tournament file is, for whoever asked for it."""
    own = Upload.objects.filter(user=cast(User, request.user), store__isnull=False)
    upload = get_object_or_404(own.defer("body").select_related("tournament"), pk=upload_id)
    is_idle = last_tick() is None
    if request.method == "POST":
        if request.POST.get("do") == "now" and is_idle:
            do_import(upload_id=upload.pk)
        return redirect("desk-import-file-state", upload.pk)
    return render(request, "desk/import_file_state.html", how_far(upload, is_idle))


def _imported(request: HttpRequest, stores: "QuerySet[Store]") -> Tournament | Upload:
    """The tournament, or the file for which a worker makes it."""
    store = _store(request, stores)
    given = request.FILES.get("file")
    if given is None or given.size is None or given.size > LARGEST:
        raise RuleBroken("file-missing", "Choose a file of at most 64 MB.")
    try:
        text = given.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RuleBroken("file-unknown", "The file is no text in UTF-8; choose one of JSON.") from error
    user = cast(User, request.user)
    actor = user_actor(user.pk)
    is_ours = f'"{FORMAT}"' in text
    if is_ours and given.size > large_imports.BYTES_AT_ONCE:
        return ask_tournament(
            store_id=store.pk, user_id=user.pk, name=given.name or "", text=text, actor=actor
        )
    if is_ours:
        return import_tournament(text=text, store_id=store.pk, organizer_id=user.pk, actor=actor)
    slug = slugify(str(given.name).rpartition(".")[0])[:80] or "event"
    made = import_event(read_event(text), slug=slug, store_id=store.pk, actor=actor)
    appoint(tournament_id=made.pk, user_id=user.pk, role="organizer", actor=actor)
    return made


def _store(request: HttpRequest, stores: "QuerySet[Store]") -> Store:
    asked = request.POST.get("store", "")
    if not asked.isdecimal():
        raise RuleBroken("store-missing", "Choose the store.")
    return get_object_or_404(stores, pk=int(asked))


def _csv(scene: Scene, what: str, rounds: Sequence[Round], *, for_staff: bool) -> HttpResponse:
    table = TABLES.get(what)
    if table is None:
        raise Http404
    text = table(scene, rounds, for_staff)
    return _file(text, f"{scene.tournament.slug}-{what}.csv", "text/csv; charset=utf-8")


TABLES: Mapping[str, Callable[[Scene, Sequence[Round], bool], str]] = {
    "pairings": pairings_csv,
    "results": results_csv,
    "standings": standings_csv,
}


def _file(body: str | bytes, name: str, kind: str) -> HttpResponse:
    return HttpResponse(
        body, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
