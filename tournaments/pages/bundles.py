"""What the hall needs when the network fails, as plain files: each published round, and the final ranking."""

import io
import logging
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from celery import shared_task
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.cache import cache
from django.db.models import F, Max

from journal.clock import now, real_now
from journal.kinds import DeedKind
from journal.models import Deed
from rulebook.lifecycle import RoundState, TournamentState
from tournaments.models import Round, Tournament
from tournaments.pages.brackets import bracket_of
from tournaments.pages.kept_sheets import sheet_of
from tournaments.pages.paper import NoPdf, bracket_pages, html_of, pdf_of
from tournaments.pages.ranking import ranking_of
from tournaments.pages.scenes import SHOWN, name_of, scene_of
from tournaments.pages.sheets import people_of
from tournaments.pages.tables import pairings_csv, results_csv, standings_csv

log = logging.getLogger(__name__)

# Longer than one file of the largest hall takes; a writer that died is waited for so long.
WRITING, WRITING_S = "tandem:bundles", 300
# One task writes for so long and leaves the rest to the next: a worker has more to do.
LONGEST_S = 15.0
# Two thousand names take half a minute on paper, several at once longer.
TASK_S = 600
# A page of some 200 tables; its paper is made when the players have found their tables.
LARGE_PAGE, PAPER_AFTER_S = 250_000, 120
CAUSES = (DeedKind.ROUND_PUBLISHED, DeedKind.ROUND_REPAIRED)
# Which version the files are of, and up to which one paper was made or given up.
STAMP, PAPER_STAMP = "version.txt", "paper.txt"
# What is finished changes no more; a correction or an erased name within this time does.
FINAL_FOR = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A folder that ought to hold these files, and later these pages as PDF, of this version."""

    folder: Path
    version: int
    files: Callable[[], dict[str, bytes]]
    papers: Callable[[], dict[str, str]]


@shared_task(
    name="tournaments.bundles",
    acks_late=True,
    ignore_result=True,
    soft_time_limit=TASK_S - 30,
    time_limit=TASK_S,
)
def bundles() -> int:
    """Every published round and every final ranking lies on the disk as plain files; returns how many were
    written. One worker writes at a time."""
    if cache.add(WRITING, True, WRITING_S) is False:  # None: the cache is gone
        return 0
    try:
        return write_bundles(LONGEST_S)
    finally:
        cache.delete(WRITING)


def write_bundles(longest_s: float = inf) -> int:
    """Every round that is published and not closed has a bundle of its newest pairings, and every tournament
    that has just ended one of its final ranking; returns how many were written. Pages and tables come first,
    paper last. One that fails is logged and tried again by the next call, as is what no time was for."""
    written, until = 0, time.monotonic() + longest_s
    wanted = [*map(_of_end, _just_ended()), *map(_of_round, _open_rounds())]
    for bundle in wanted:
        if _stamp(bundle.folder) == str(bundle.version):
            continue
        if time.monotonic() > until:
            return written
        try:
            write_folder(bundle.folder, bundle.files(), bundle.version)
            written += 1
        except Exception:
            # Whatever it is, the round is played all the same, and the next bundle must not wait for it.
            log.exception("the bundle %s was not written", bundle.folder)
    for bundle in wanted:
        if _stamp(bundle.folder, PAPER_STAMP) == str(bundle.version) or time.monotonic() > until:
            continue
        if _has_just_begun(bundle.folder):
            continue
        try:
            _add_paper(bundle)
        except Exception:
            log.exception("the bundle %s has no paper", bundle.folder)
    return written


def _add_paper(bundle: Bundle) -> None:
    """The folder holds its pages as PDF, too; where that fails it is not tried again for this version."""
    if not bundle.folder.exists():
        return
    try:
        for name, html in bundle.papers().items():
            cache.touch(WRITING, WRITING_S)
            _put(bundle.folder, name, pdf_of(html))
    except NoPdf:
        log.debug("no PDF in the bundle: the library is not here")
    finally:
        _put(bundle.folder, PAPER_STAMP, str(bundle.version).encode())


def _has_just_begun(folder: Path) -> bool:
    """A large hall has just been sent to its tables: the phones come first."""
    page, stamp = folder / "index.html", folder / STAMP
    if not stamp.exists() or page.stat().st_size < LARGE_PAGE:
        return False
    return real_now().timestamp() - stamp.stat().st_mtime < PAPER_AFTER_S


def _put(folder: Path, name: str, body: bytes) -> None:
    """The file is there as a whole or as it was before."""
    fresh = folder / f".{name}"
    fresh.write_bytes(body)
    os.replace(fresh, folder / name)


def write_folder(folder: Path, files: Mapping[str, bytes], version: int) -> Path:
    """The folder holds the files; a reader sees the old ones or the new ones, never some of both."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder.parent))
    try:
        for name, body in files.items():
            (fresh / name).write_bytes(body)
        (fresh / STAMP).write_text(str(version))
        fresh.chmod(0o755)
        if folder.exists():
            old = Path(tempfile.mkdtemp(prefix=".old-", dir=folder.parent))
            os.replace(folder, old / "old")
            os.replace(fresh, folder)
            shutil.rmtree(old, ignore_errors=True)
        else:
            os.replace(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def _of_round(rnd: Round) -> Bundle:
    return Bundle(folder_of(rnd), _version(rnd), partial(files_of, rnd), partial(papers_of, rnd))


def _of_end(ended: tuple[int, str, int]) -> Bundle:
    tournament_id, slug, version = ended

    def tournament() -> Tournament:
        return Tournament.objects.select_related("store").get(pk=tournament_id)

    return Bundle(
        final_folder(slug), version, lambda: final_files(tournament()), lambda: final_papers(tournament())
    )


def files_of(rnd: Round) -> dict[str, bytes]:
    """The files by name: one page that needs nothing else, tables for a spreadsheet."""
    context = _round_context(rnd)
    scene = context["scene"]
    return {
        "index.html": html_of("bundle", {**context, "style": _style()}).encode(),
        "pairings.csv": pairings_csv(scene, [rnd], False).encode(),
        "standings.csv": standings_csv(scene, [rnd], False).encode(),
    }


def papers_of(rnd: Round) -> dict[str, str]:
    """The pages that become PDF, by the name of the file."""
    context = _round_context(rnd)
    return {f"{what}.pdf": html_of(what, context) for what in ("pairings", "names")}


def written_pdf(rnd: Round, name: str) -> bytes | None:
    """The PDF of the round's bundle, None where there is none of who meets whom now."""
    folder = folder_of(rnd)
    is_newest = rnd.state in SHOWN and _stamp(folder, PAPER_STAMP) == str(_version(rnd))
    path = folder / f"{name}.pdf"
    return path.read_bytes() if is_newest and path.is_file() else None


def final_files(tournament: Tournament) -> dict[str, bytes]:
    """The end by name: a page that needs nothing else, tables."""
    context = _end_context(tournament)
    scene = context["scene"]
    return {
        "index.html": html_of("final", {**context, "style": _style()}).encode(),
        "standings.csv": standings_csv(scene, scene.rounds, False).encode(),
        "results.csv": results_csv(scene, scene.shown_rounds, False).encode(),
    }


def final_papers(tournament: Tournament) -> dict[str, str]:
    """As `papers_of`, of the end."""
    context = _end_context(tournament)
    found = {"standings.pdf": html_of("standings", context)}
    if context["pages"]:
        found["bracket.pdf"] = html_of("bracket", {**context, "is_wide": True})
    return found


def _round_context(rnd: Round) -> dict[str, Any]:
    scene = scene_of(rnd.stage.tournament)
    sheet = sheet_of(rnd, scene.labels)
    return {
        "tournament": scene.tournament,
        "scene": scene,
        "rnd": rnd,
        "round_name": name_of(rnd),
        "sheet": sheet,
        "people": people_of(sheet),
        "ranking": ranking_of(scene),
        "as_of": now(),
        "paper": "a4",
    }


def _end_context(tournament: Tournament) -> dict[str, Any]:
    scene = scene_of(tournament)
    return {
        "tournament": tournament,
        "scene": scene,
        "ranking": ranking_of(scene),
        "pages": bracket_pages(bracket_of(scene, scene.bracket)) if scene.bracket is not None else [],
        "as_of": now(),
        "paper": "a4",
    }


def zipped(rnd: Round) -> bytes:
    """The bundle as one file: the written one, or made now where none is."""
    folder = folder_of(rnd)
    is_written = rnd.state in SHOWN and _stamp(folder)
    return _zip(folder, _read(folder) if is_written else files_of(rnd))


def final_zipped(tournament: Tournament) -> bytes:
    """As `zipped`, of the final ranking."""
    folder = final_folder(tournament.slug)
    is_written = tournament.state == TournamentState.FINISHED and _stamp(folder)
    return _zip(folder, _read(folder) if is_written else final_files(tournament))


def _read(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def _zip(folder: Path, files: Mapping[str, bytes]) -> bytes:
    told = io.BytesIO()
    with zipfile.ZipFile(told, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in sorted(files.items()):
            archive.writestr(f"{folder.parent.name}-{folder.name}/{name}", body)
    return told.getvalue()


def folder_of(rnd: Round) -> Path:
    """Where the round's bundle is: var/bundles/SLUG/round-3, with the stage's number after the first."""
    stage = f"stage-{rnd.stage.number}-" if rnd.stage.number > 1 else ""
    return Path(settings.BUNDLES_DIR) / rnd.stage.tournament.slug / f"{stage}round-{rnd.number}"


def final_folder(slug: str) -> Path:
    """Where the end of the tournament is: var/bundles/SLUG/final."""
    return Path(settings.BUNDLES_DIR) / slug / "final"


def _just_ended() -> list[tuple[int, str, int]]:
    """Finished tournaments of which something was done lately: id, slug and version."""
    newest = Deed.objects.filter(
        tournament__state=TournamentState.FINISHED,
        number=F("tournament__head__last"),
        at__gte=now() - FINAL_FOR,
    )
    return list(newest.order_by("tournament_id").values_list("tournament_id", "tournament__slug", "number"))


def _open_rounds() -> Iterator[Round]:
    rounds = Round.objects.filter(
        state__in=[RoundState.PUBLISHED, RoundState.RUNNING],
        stage__tournament__state=TournamentState.RUNNING,
    )
    yield from rounds.select_related("stage__tournament__store").defer("inputs", "output")


def _version(rnd: Round) -> int:
    """The number of the deed that last changed who meets whom where."""
    deeds = Deed.objects.filter(tournament=rnd.stage.tournament_id, kind__in=CAUSES)
    return deeds.aggregate(newest=Max("number"))["newest"] or 0


def _stamp(folder: Path, name: str = STAMP) -> str:
    path = folder / name
    return path.read_text() if path.exists() else ""


def _style() -> str:
    found = finders.find("print.css")
    return Path(str(found)).read_text(encoding="utf-8") if found else ""
