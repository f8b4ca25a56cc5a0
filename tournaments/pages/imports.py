"""Teams in and out of the desk as files."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from rulebook.errors import RuleBroken
from rulebook.lifecycle import TournamentState
from teams.models import Player, Team
from teams.selectors import members_of
from tournaments.exporting import csv_of, xlsx_of
from tournaments.heartbeat import last_tick
from tournaments.large_imports import (
    AT_ONCE,
    ask_import,
    do_import,
    is_large,
    progress_of,
    take_back_import,
)
from tournaments.models import Upload
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.solos import listed_teams
from tournaments.staff import Can
from tournaments.team_file import fields_of, refuse_large
from tournaments.team_import import apply_import, keep_file, plan_of
from tournaments.team_rows import INCOMPLETE, SOLO, Plan

# What of a large file stands on one page.
MOST_WRONG, MOST_GOOD, MOST_ASKED = 500, 100, 100
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.REGISTER)
def send(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A file that can be read is kept and looked at; one that cannot is refused in a sentence."""
    error = ""
    if request.method == "POST":
        try:
            return redirect("desk-import-look", desk.tournament.slug, _kept(request, desk).pk)
        except RuleBroken as broken:
            error = broken.sentence
    lists = Upload.objects.filter(tournament=desk.tournament, store=None)
    return desk_page(
        request,
        "desk/import_teams.html",
        desk,
        tab="teams",
        status=409 if error else 200,
        error=error,
        is_open=desk.tournament.state == TournamentState.REGISTRATION,
        at_once=AT_ONCE,
        asked=lists.filter(asked_at__isnull=False).defer("body")[:5],
    )


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.REGISTER)
def look(request: HttpRequest, desk: Desk, upload_id: int) -> HttpResponse:
    """Every row with what it would enter and what is wrong; the columns and the answers can be changed. Of a
    file that a worker enters: how far it is."""
    upload = get_object_or_404(Upload, tournament=desk.tournament, store=None, pk=upload_id)
    upload.tournament = desk.tournament
    if upload.is_asked_for or (upload.applied_at and upload.asked_at):
        return _under_way(request, desk, upload)
    if upload.applied_at is not None:
        messages.info(request, "That file has been imported.")
        return redirect("desk-teams", desk.tournament.slug)
    error, refused = upload.error and f"Nothing is entered. {upload.error}", False
    if request.method == "POST":
        upload.choices = _chosen(request, upload, fields_of(desk.scene().labels))
        Upload.objects.filter(pk=upload.pk, applied_at=None).update(choices=upload.choices)
        error = ""
        if request.POST.get("do") in ("all", "good"):
            try:
                return _entered(request, desk, upload)
            except RuleBroken as broken:
                error, refused = broken.sentence, True
    plan = plan_of(upload)
    scene = _look_scene(request, desk, upload, plan)
    return desk_page(
        request,
        "desk/import_look.html",
        desk,
        tab="teams",
        status=409 if refused else 200,
        error=error,
        **scene,
    )


def _entered(request: HttpRequest, desk: Desk, upload: Upload) -> HttpResponse:
    """A small file is in; a large one waits for a worker."""
    only_good = request.POST["do"] == "good"
    if is_large(upload):
        ask_import(upload_id=upload.pk, actor=desk.actor, only_good=only_good)
        return redirect("desk-import-look", desk.tournament.slug, upload.pk)
    teams = apply_import(upload_id=upload.pk, actor=desk.actor, only_good=only_good)
    messages.success(request, _said(teams))
    return redirect("desk-teams", desk.tournament.slug)


def _under_way(request: HttpRequest, desk: Desk, upload: Upload) -> HttpResponse:
    """How far the worker is; where there is none, somebody may enter the file by hand after all."""
    is_idle = last_tick() is None
    if request.method == "POST":
        try:
            if request.POST.get("do") == "take-back":
                take_back_import(upload_id=upload.pk)
            elif request.POST.get("do") == "now" and is_idle:
                do_import(upload_id=upload.pk)
        except RuleBroken as broken:
            messages.error(request, broken.sentence)
        return redirect("desk-import-look", desk.tournament.slug, upload.pk)
    return desk_page(request, "desk/import_under_way.html", desk, tab="teams", **how_far(upload, is_idle))


def how_far(upload: Upload, is_idle: bool) -> dict[str, Any]:
    """What a page of an import under way shows; nothing begins by itself where the clock is idle."""
    step, done, of = progress_of(upload) or ("", 0, 0)
    return {"upload": upload, "step": step, "done": done, "of": of, "is_idle": is_idle}


def _look_scene(request: HttpRequest, desk: Desk, upload: Upload, plan: Plan) -> dict[str, Any]:
    """The rows as they are shown: all of a small file in its order, of a large one the wrong ones first."""
    scene = desk.scene()
    parts = [("rows", "Rows", plan.rows, MOST_WRONG)]
    if is_large(upload):
        wrong, good = plan.wrong, plan.entered
        parts = [("wrong", "Wrong rows", wrong, MOST_WRONG), ("good", "Good rows", good, MOST_GOOD)]
    questions = _questions(upload, plan)
    return {
        "scene": scene,
        "upload": upload,
        "plan": plan,
        "is_large": is_large(upload),
        "source": upload.choices.get("source", ""),
        "columns": [(key, words, plan.columns.get(key)) for key, words in fields_of(scene.labels).items()],
        "head": list(enumerate(plan.table.head)),
        "open": sum(not answer for *_, answer in questions),
        "questions": _page(request, "asked", sorted(questions, key=lambda one: bool(one[-1])), MOST_ASKED),
        "missing": upload.choices.get("missing", ""),
        "lacking": sum(bool(row.lacks and row.people) for row in plan.rows),
        "again": sum(row.is_in_already for row in plan.rows),
        "parts": [(key, words, _page(request, key, rows, most)) for key, words, rows, most in parts if rows],
    }


def _page(request: HttpRequest, key: str, rows: Sequence[Any], most: int) -> Page[Any]:
    return Paginator(rows, most).get_page(request.GET.get(key))


@require_safe
@staff_page(Can.REGISTER)
def export(request: HttpRequest, desk: Desk, kind: str) -> HttpResponse:
    """The teams with their people as CSV or XLSX, in the columns the import knows."""
    if kind not in ("csv", "xlsx"):
        raise Http404
    labels = desk.scene().labels
    teams = list(listed_teams(desk.tournament))
    members = members_of(team.pk for team in teams)
    players = Player.objects.in_bulk({m.player_id for seated in members.values() for m in seated})
    words = ("Name", "Player id", "E-mail", "Public name")
    heads = [f"{word} {label}" if len(labels) > 1 else word for label in labels for word in words]
    head = ["Number", "Team", "State", *heads, "Club", "Seed"]
    rows = []
    for team in teams:
        seated = {member.label: players[member.player_id] for member in members.get(team.pk, ())}
        cells = [_cells(seated.get(label)) for label in labels]
        people = [cell for four in cells for cell in four]
        rows.append([team.number, team.name, team.state, *people, team.group, team.seed])
    if kind == "csv":
        answer = HttpResponse(csv_of(head, rows), content_type="text/csv; charset=utf-8")
    else:
        answer = HttpResponse(xlsx_of("Teams", head, rows), content_type=XLSX)
    answer["Content-Disposition"] = f'attachment; filename="{desk.tournament.slug}-teams.{kind}"'
    answer["Cache-Control"] = "no-store"
    return answer


def _cells(player: Player | None) -> tuple[str, ...]:
    if player is None:
        return ("",) * 4
    return player.name, player.external_id, player.contact, player.display_name


def _kept(request: HttpRequest, desk: Desk) -> Upload:
    sent = request.FILES.get("file")
    if sent is None:
        raise RuleBroken("file-missing", "Choose a file.")
    refuse_large(sent.size or 0)
    return keep_file(
        tournament_id=desk.tournament.pk,
        user_id=desk.user.pk,
        name=sent.name or "",
        body=sent.read(),
        choices={"source": request.POST.get("source", "").strip()[:40]},
    )


def _chosen(request: HttpRequest, upload: Upload, fields: dict[str, str]) -> dict[str, object]:
    typed = {key: request.POST.get(f"column_{key}", "") for key in fields}
    before = upload.choices.get("columns")
    columns = {key: int(value) for key, value in typed.items() if value.isdecimal() and len(value) < 4}
    asked = {key[4:]: value for key, value in request.POST.items() if key.startswith("who_") and value}
    shown = {key[4:] for key in request.POST if key.startswith("who_")}
    kept = upload.choices.get("answers", {}) if columns == before else {}
    answers = {**{key: value for key, value in kept.items() if key not in shown}, **asked}
    everybody = request.POST.get("everybody", "")
    if everybody in ("known", "new"):
        upload.choices["columns"] = columns
        for key, _, choices, _ in _questions(upload, plan_of(upload)):
            answers.setdefault(key, str(choices[0][0]) if everybody == "known" else "new")
    return {
        "source": request.POST.get("source", "").strip()[:40],
        "columns": columns,
        "answers": answers,
        "missing": missing if (missing := request.POST.get("missing", "")) in (INCOMPLETE, SOLO) else "",
    }


def _questions(upload: Upload, plan: Plan) -> list[tuple[str, str, tuple[tuple[int, str], ...], str]]:
    answers = upload.choices.get("answers", {})
    return [
        (key, f"Row {row.number}: {person.name}", person.asked, str(answers.get(key, "")))
        for key, row, person in plan.asked
    ]


def _said(teams: list[Team]) -> str:
    waiting = sum(team.state == Team.State.WAITLISTED for team in teams)
    words = f"{len(teams)} team{'s are' if len(teams) != 1 else ' is'} entered"
    return f"{words}, {waiting} of them on the waiting list: no place is free." if waiting else f"{words}."
