"""A correction is shown with everything it changes before it is applied."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState
from rulebook.scoring import Outcome, ResultKind
from teams.models import Team
from teams.selectors import TeamCard, team_cards
from tournaments.bracket import wave_name
from tournaments.corrections import correct_board, correct_result
from tournaments.models import Round
from tournaments.pages.desk_match import after_entry, table_page
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.result_form import result_of
from tournaments.pages.scenes import Scene, name_of
from tournaments.pages.sheets import KIND_WORDS, SideRow, row_of
from tournaments.previewing import Contest, Moved, Preview, Told, preview_correction
from tournaments.staff import Can

SHOWN_ROWS = 20
SHOWN_TABLES = 12
NOT_CARRIED = ("csrfmiddlewaretoken", "version", "seen")
OF_A_BOARD = ("kind", "wins", "draws", "loser")


@dataclass(frozen=True, slots=True)
class Reading:
    """A result as it is read: who won, how, and the games of each side."""

    verdict: str
    sides: tuple[tuple[SideRow, str, bool], ...]
    draws: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """What becomes of the later round that is paired: a sentence, and the tables that would be new."""

    sentence: str
    tables: tuple[tuple[TeamCard, ...], ...] = ()
    more: int = 0
    repaired: int | None = None


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.CORRECT)
def correction_page(request: HttpRequest, desk: Desk, match_id: int) -> HttpResponse:
    """What the typed correction changes; posted with the version that was shown, it is applied.

    Where something else changed meanwhile it is applied only if it still changes the same."""
    match = get_object_or_404(Match, tournament=desk.tournament, pk=match_id)
    asked = request.POST if request.method == "POST" else request.GET
    if "reason" not in asked:
        return redirect("desk-match", desk.tournament.slug, match.pk)
    rnd = Round.objects.select_related("stage").defer("inputs", "output").get(pk=match.round_id)
    board = asked.get("board", "")
    version = asked.get("version", "") if request.method == "POST" else ""
    stale = ""
    try:
        said = result_of(asked, match.frozen_terms)
        apply = partial(_apply, desk, match, board, asked.get("reason", ""), said)
        if version.isdecimal() and len(version) < 18:
            stale = _tried(apply, int(version))
            if not stale:
                return _applied(request, desk, match, rnd, board)
        preview = preview_correction(
            match_id=match.pk, actor=desk.actor, reason=asked.get("reason", ""), board_label=board, **said
        )
        if stale and preview.digest == asked.get("seen") and not preview.refused:
            apply(preview.version)
            return _applied(request, desk, match, rnd, board)
    except RuleBroken as broken:
        return table_page(request, desk, match, rnd, broken.sentence)
    return _shown(request, desk, match, rnd, preview, asked, stale)


def _apply(desk: Desk, match: Match, board: str, reason: str, said: Mapping[str, Any], version: int) -> None:
    """The match, or its board, is corrected as it was shown at `version`."""
    if board:
        of_board = {key: said[key] for key in OF_A_BOARD}
        correct_board(
            match_id=match.pk, board_label=board, actor=desk.actor, reason=reason, version=version, **of_board
        )
        return
    correct_result(match_id=match.pk, actor=desk.actor, reason=reason, version=version, **said)


def _tried(apply: partial[None], version: int) -> str:
    """Empty once it is applied, the sentence where something changed since `version`."""
    try:
        apply(version)
    except RuleBroken as broken:
        if broken.code != "preview-outdated":
            raise
        return broken.sentence
    return ""


def _applied(request: HttpRequest, desk: Desk, match: Match, rnd: Round, board: str) -> HttpResponse:
    of_board = f", board {board}," if board else ""
    messages.success(request, f"Table {match.table}{of_board} is corrected.")
    return redirect(after_entry(desk, rnd))


def _shown(
    request: HttpRequest,
    desk: Desk,
    match: Match,
    rnd: Round,
    preview: Preview,
    asked: Mapping[str, str],
    stale: str,
) -> HttpResponse:
    scene = desk.scene()
    row = row_of(match, scene.labels)
    moved = preview.moved[:SHOWN_ROWS]
    cards = _cards(preview, moved, scene)
    carried = {key: value for key, value in asked.items() if key not in NOT_CARRIED}
    return desk_page(
        request,
        "desk/correction.html",
        desk,
        tab="desk",
        status=409 if stale or preview.refused else 200,
        scene=scene,
        match=match,
        rnd=rnd,
        round_name=name_of(rnd),
        row=row,
        preview=preview,
        stale=stale,
        reason=asked.get("reason", ""),
        carried=carried,
        contests=[(one.label, *_readings(one, row.sides)) for one in preview.contests],
        moved=[(cards[one.team_id], one) for one in moved],
        more_moved=len(preview.moved) - len(moved),
        enters=_names(preview.cut.enters, cards) if preview.cut else "",
        leaves=_names(preview.cut.leaves, cards) if preview.cut else "",
        pairing=_pairing(preview, scene, cards),
        bracket=_bracket(preview, rnd, cards),
        changes_nothing=_changes_nothing(preview),
    )


def _changes_nothing(preview: Preview) -> bool:
    made = preview.pairings.made if preview.pairings else ()
    return not (preview.moved or preview.cut or made or preview.slots or preview.places)


def _readings(contest: Contest, sides: tuple[SideRow, ...]) -> tuple[Reading | None, Reading | None]:
    return _reading(contest.was, sides), _reading(contest.now, sides)


def _reading(told: Told | None, sides: tuple[SideRow, ...]) -> Reading | None:
    """The result with the names of those who played it; pods are won, not counted."""
    if told is None:
        return None
    is_pod = len(sides) > 2
    names = [side.card.shown_name for side in sides]
    won = [name for name, outcome in zip(names, told.outcomes, strict=True) if outcome == Outcome.WIN]
    drawn = Outcome.DRAW in told.outcomes
    who = f"{won[0]} wins" if won else "a draw" if drawn else "nobody wins"
    how = KIND_WORDS.get(ResultKind(told.kind), "")
    return Reading(
        f"{who} ({how})" if how and how not in who else who,
        tuple(
            (side, "" if is_pod else str(wins), outcome == Outcome.WIN)
            for side, wins, outcome in zip(sides, told.wins, told.outcomes, strict=True)
        ),
        0 if is_pod else told.draws,
    )


def _cards(preview: Preview, moved: tuple[Moved, ...], scene: Scene) -> dict[int, TeamCard]:
    """Every team that the page names, in three queries."""
    wanted = {one.team_id for one in moved} | {one.team_id for one in preview.places}
    wanted |= {team for one in preview.slots for team in (one.before, one.after) if team}
    if preview.cut:
        wanted |= {*preview.cut.enters, *preview.cut.leaves}
    if preview.pairings:
        wanted |= {team for sides in preview.pairings.made[:SHOWN_TABLES] for team in sides}
    return team_cards(list(Team.objects.filter(pk__in=wanted)), scene.labels)


def _names(teams: tuple[int, ...], cards: Mapping[int, TeamCard]) -> str:
    names = [cards[team].shown_name for team in teams]
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


def _pairing(preview: Preview, scene: Scene, cards: Mapping[int, TeamCard]) -> Pairing | None:
    """What is said about the later round."""
    told = preview.pairings
    if told is None:
        return None
    name = f"Round {told.number}"
    if told.refused:
        return Pairing(f"{name} cannot be repaired: {told.refused}")
    if told.state == RoundState.RUNNING:
        return Pairing(f"{name} is running; its pairings stay as they are.")
    state = "published" if told.state == RoundState.PUBLISHED else "a draft"
    if not told.made:
        stay = "stay as they are" if told.state == RoundState.PUBLISHED else "would come out the same"
        return Pairing(f"{name} is {state}; its pairings {stay}.")
    tables = tuple(tuple(cards[team] for team in sides) for sides in told.made[:SHOWN_TABLES])
    rnd = scene.last_round
    how = (
        "Scrap the draft and pair it again to have these tables:"
        if told.is_drawn
        else "They stay until you repair the round, which would make these tables:"
    )
    return Pairing(
        f"{name} is {state}, and its pairings would not be the right ones any more. {how}",
        tables,
        len(told.made) - len(tables),
        rnd.pk if rnd is not None and not told.is_drawn else None,
    )


def _bracket(preview: Preview, rnd: Round, cards: Mapping[int, TeamCard]) -> list[str]:
    """Who would stand in a later round instead of whom, and whose place would be another."""

    def name(team: int | None, nobody: str) -> str:
        return cards[team].shown_name if team else nobody

    said = [
        f"{wave_name(rnd.stage, one.round_number)}: {name(one.after, 'nobody')} instead of "
        f"{name(one.before, 'nobody')}."
        for one in preview.slots
    ]
    return said + [
        f"{cards[one.team_id].shown_name}: "
        + (f"place {one.after}" if one.after else "still in the bracket")
        + (f" instead of {one.before}." if one.before else ".")
        for one in preview.places
    ]
