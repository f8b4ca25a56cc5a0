"""The rules desk, and the public page of one table with its set-up sheet."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from matches.models import Match
from rulebook.communication import permissions
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.modes import MODES, mode_of
from rulebook.topics import TOPICS, Topic, search_topics, topics_for
from tournaments.asking import QUESTIONS
from tournaments.pages.conditional import by_version
from tournaments.pages.openings import setup_of
from tournaments.pages.scenes import SHOWN, name_of, public_scene
from tournaments.pages.sheets import board_scores, row_of

LONGEST_QUERY = 100


@require_safe
def rules_desk(request: HttpRequest) -> HttpResponse:
    """The topics that hold every word asked for, for one mode or all."""
    words = request.GET.get("q", "")[:LONGEST_QUERY]
    mode = request.GET.get("mode", "")
    chosen = mode if mode in MODES else None
    found = search_topics(words, mode=chosen)
    shown = {
        "found": found,
        "words": words,
        "mode": chosen,
        "modes": MODES.values(),
        "questions": QUESTIONS.values(),
    }
    return render(request, "rules/desk.html", shown)


@require_safe
def topic(request: HttpRequest, key: str) -> HttpResponse:
    """One topic with its citations and what is near it."""
    if key not in TOPICS:
        raise Http404
    return render(request, "rules/topic.html", {"topic": TOPICS[key], "near": _near(TOPICS[key])})


@by_version
def table_page(request: HttpRequest, slug: str, version: int, match_id: int) -> HttpResponse:
    """One table of a published round: who sits there and why, the set-up sheet, what may be told."""
    scene = public_scene(slug)
    match = (
        Match.objects.filter(pk=match_id, tournament=scene.tournament, kind=MatchKind.TABLE)
        .exclude(state=MatchState.VOID)
        .select_related("round__stage")
        .first()
    )
    if match is None or match.round.state not in SHOWN:
        raise Http404
    mode = mode_of(match.frozen_terms.mode)
    sheets = [(label, setup_of(match, label)) for label in match.frozen_terms.boards]
    shown: dict[str, Any] = {
        "scene": scene,
        "tournament": scene.tournament,
        "version": version,
        "tab": "pairings",
        "shown": scene.shown_round,
        "shown_name": name_of(match.round),
        "match": match,
        "row": row_of(match, mode.labels),
        "sheets": [(label, sheet) for label, sheet in sheets if sheet],
        "scores": board_scores(match) if len(match.frozen_terms.boards) > 1 else [],
        "sheets_by_board": len(match.frozen_terms.boards) > 1,
        "may": permissions(mode),
        "topics": topics_for(mode.key)[:8],
    }
    return render(request, "rules/table.html", shown)


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, key: str) -> HttpResponse:
    """A short form over the rulebook and, once it is sent, the answer; nothing is stored."""
    if key not in QUESTIONS:
        raise Http404
    question = QUESTIONS[key]
    given = request.POST if request.method == "POST" else request.GET
    form = question.form(given) if given else question.form()
    answer, refused = None, ""
    if form.is_bound and form.is_valid():
        try:
            answer = question.answer(form.cleaned_data)
        except RuleBroken as broken:
            refused = broken.sentence
    shown = {
        "question": question,
        "form": form,
        "answer": answer,
        "refused": refused,
        "questions": QUESTIONS.values(),
    }
    return render(request, "rules/ask.html", shown, status=409 if refused else 200)


def _near(one: Topic) -> list[Topic]:
    """Topics that share most words with this one."""
    own = set(one.words.split())
    others = [other for other in TOPICS.values() if other.key != one.key]
    scored = sorted(others, key=lambda other: (-len(own & set(other.words.split())), other.title))
    return [other for other in scored[:5] if own & set(other.words.split())]
