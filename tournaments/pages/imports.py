"""Teams in and out of the desk as files."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from journal.clock import now
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TournamentState
from teams.models import Player, Team
from teams.selectors import members_of
from tournaments.exporting import csv_of, xlsx_of
from tournaments.models import Upload
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.solos import listed_teams
from tournaments.staff import Can
from tournaments.team_file import fields_of, read_table, refuse_large
from tournaments.team_import import INCOMPLETE, SOLO, Plan, apply_import, plan_of

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
    return desk_page(
        request,
        "desk/import_teams.html",
        desk,
        tab="teams",
        status=409 if error else 200,
        error=error,
        is_open=desk.tournament.state == TournamentState.REGISTRATION,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.REGISTER)
def look(request: HttpRequest, desk: Desk, upload_id: int) -> HttpResponse:
    """Every row with what it would enter and what is wrong; the columns and the answers can be changed."""
    upload = get_object_or_404(Upload, tournament=desk.tournament, pk=upload_id)
    if upload.applied_at is not None:
        messages.info(request, "That file has been imported.")
        return redirect("desk-teams", desk.tournament.slug)
    upload.tournament = desk.tournament
    scene, error = desk.scene(), ""
    fields = fields_of(scene.labels)
    if request.method == "POST":
        upload.choices = _chosen(request, upload, fields)
        upload.save(update_fields=["choices"])
        if request.POST.get("do") in ("all", "good"):
            try:
                only_good = request.POST["do"] == "good"
                teams = apply_import(upload_id=upload.pk, actor=desk.actor, only_good=only_good)
                messages.success(request, _said(teams))
                return redirect("desk-teams", desk.tournament.slug)
            except RuleBroken as broken:
                error = broken.sentence
    plan = plan_of(upload)
    return desk_page(
        request,
        "desk/import_look.html",
        desk,
        tab="teams",
        status=409 if error else 200,
        scene=scene,
        upload=upload,
        plan=plan,
        source=upload.choices.get("source", ""),
        columns=[(key, words, plan.columns.get(key)) for key, words in fields.items()],
        head=list(enumerate(plan.table.head)),
        questions=_questions(upload, plan),
        missing=upload.choices.get("missing", ""),
        lacking=sum(bool(row.lacks and row.people) for row in plan.rows),
        again=[row for row in plan.rows if row.is_in_already],
        error=error,
    )


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
    body = sent.read()
    read_table(body)
    return Upload.objects.create(
        tournament=desk.tournament,
        user=desk.user,
        name=(sent.name or "file")[:200],
        body=body,
        choices={"source": request.POST.get("source", "").strip()[:40]},
        made_at=now(),
    )


def _chosen(request: HttpRequest, upload: Upload, fields: dict[str, str]) -> dict[str, object]:
    typed = {key: request.POST.get(f"column_{key}", "") for key in fields}
    columns = {key: int(value) for key, value in typed.items() if value.isdecimal() and len(value) < 4}
    asked = {key[4:]: value for key, value in request.POST.items() if key.startswith("who_") and value}
    everybody = request.POST.get("everybody", "")
    if everybody in ("known", "new"):
        upload.choices["columns"] = columns
        for key, _, choices, _ in _questions(upload, plan_of(upload)):
            if key not in asked:
                asked[key] = str(choices[0][0]) if everybody == "known" else "new"
    return {
        "source": request.POST.get("source", "").strip()[:40],
        "columns": columns,
        "answers": asked,
        "missing": missing if (missing := request.POST.get("missing", "")) in (INCOMPLETE, SOLO) else "",
    }


def _questions(upload: Upload, plan: Plan) -> list[tuple[str, str, tuple[tuple[int, str], ...], str]]:
    answers = upload.choices.get("answers", {})
    return [
        (key, f"Row {row.number}: {person.name}", person.asked, str(answers.get(key, "")))
        for row in plan.rows
        for person in row.people
        if person.asked
        for key in [f"{row.number}-{person.label}"]
    ]


def _said(teams: list[Team]) -> str:
    waiting = sum(team.state == Team.State.WAITLISTED for team in teams)
    words = f"{len(teams)} team{'s are' if len(teams) != 1 else ' is'} entered"
    return f"{words}, {waiting} of them on the waiting list: no place is free." if waiting else f"{words}."
