"""Penalties at the desk: all of a tournament, and the form that tells what one does before it is given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from matches.games import games_of
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.infractions import INFRACTIONS, infraction_name
from rulebook.lifecycle import MatchKind
from rulebook.modes import mode_of
from rulebook.penalties import Level
from teams.models import Seat, Team
from teams.names import folded
from teams.selectors import Member, TeamCard, team_cards
from tournaments.models import Penalty
from tournaments.pages.desk_scene import Desk, desk_page, staff_page
from tournaments.pages.hall_deeds import minutes_in
from tournaments.pages.scenes import name_of
from tournaments.penalties import foreseen_penalties, give_penalties, history_of, is_owed
from tournaments.penalty_advice import Advice, advised
from tournaments.penalty_effects import Effect, current_table
from tournaments.staff import Can

FOUND = 20


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may be penalised, and what he was given before."""

    member: Member
    card: TeamCard
    history: tuple[tuple[str, Penalty], ...]
    is_chosen: bool


@require_safe
@staff_page()
def penalties_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Every penalty of the tournament, newest first; a name leads to the form of that team."""
    game = mode_of(desk.tournament.mode).game
    rows = Penalty.objects.filter(tournament=desk.tournament).select_related(
        "team", "player", "match__round__stage"
    )
    words = request.GET.get("q", "").strip()
    return desk_page(
        request,
        "desk/penalties.html",
        desk,
        tab="penalties",
        rows=[
            (one, infraction_name(game, one.infraction), is_owed(one), _where(one))
            for one in rows.order_by("-id")
        ],
        words=words,
        found=_found(desk, words),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.PENALTIES)
def table_penalty(request: HttpRequest, desk: Desk, match_id: int) -> HttpResponse:
    """A penalty for players at this table."""
    match = get_object_or_404(Match, tournament=desk.tournament, pk=match_id, kind=MatchKind.TABLE)
    teams = [side.team for side in match.sides.select_related("team").order_by("index")]
    return _form(request, desk, teams, match)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Can.PENALTIES)
def team_penalty(request: HttpRequest, desk: Desk, team_id: int) -> HttpResponse:
    """A penalty for players of this team, at the table it plays at if it plays."""
    team = get_object_or_404(Team, tournament=desk.tournament, pk=team_id)
    return _form(request, desk, [team], current_table(desk.tournament, team.pk))


def _form(request: HttpRequest, desk: Desk, teams: Sequence[Team], match: Match | None) -> HttpResponse:
    """First what the penalty would do, then, confirmed, the penalty."""
    scene = desk.scene()
    cards = list(team_cards(teams, scene.labels).values())
    typed = request.POST if request.method == "POST" else request.GET
    people = _people(desk, cards, typed)
    error, effect, advice = "", None, None
    if request.method == "POST":
        try:
            advice = _advice(desk, people, typed)
            asked = _asked(desk, people, match, typed)
            if asked["level"] == Level.DISQUALIFICATION:
                desk.require(Can.DISQUALIFY)
            if not typed.get("look") and typed.get("confirmed") == _fingerprint(asked):
                given = give_penalties(**asked)
                messages.success(request, _said(given.effect, given.penalties[0], _names(match, cards)))
                page, pk = ("desk-match", match.pk) if match else ("desk-team", teams[0].pk)
                return redirect(page, desk.tournament.slug, pk)
            effect = foreseen_penalties(**asked)
        except RuleBroken as broken:
            error = broken.sentence
    return desk_page(
        request,
        "desk/penalty.html",
        desk,
        tab="penalties",
        status=409 if error else 200,
        scene=scene,
        cards=cards,
        match=match,
        people=people,
        infractions=INFRACTIONS[mode_of(desk.tournament.mode).game],
        levels=[
            one
            for one in Penalty.Level.choices
            if one[0] != "disqualification" or Can.DISQUALIFY in desk.powers
        ],
        typed=typed,
        asks_score=match is not None and _asks_score(match),
        sides=_sides(match, cards, typed),
        advice=advice,
        effect_words=_effect_words(effect, _names(match, cards), typed.get("level", "")) if effect else "",
        confirmed=_fingerprint(asked) if effect else "",
        error=error,
    )


def _people(desk: Desk, cards: Sequence[TeamCard], typed: Mapping[str, Any]) -> list[Person]:
    game = mode_of(desk.tournament.mode).game
    members = [(member, card) for card in cards for member in card.members]
    given: dict[int, list[tuple[str, Penalty]]] = {}
    for one in history_of(desk.tournament.pk, [member.player_id for member, _ in members]):
        given.setdefault(one.player_id or 0, []).append((infraction_name(game, one.infraction), one))
    chosen = typed.getlist("player") if hasattr(typed, "getlist") else []
    return [
        Person(member, card, tuple(given.get(member.player_id, ())), str(member.player_id) in chosen)
        for member, card in members
    ]


def _asked(
    desk: Desk, people: Sequence[Person], match: Match | None, typed: Mapping[str, str]
) -> dict[str, Any]:
    own_words = typed.get("own_words", "").strip()
    counts = (
        [minutes_in(typed, f"score_{index}") for index in range(2)] if match and _asks_score(match) else []
    )
    return {
        "tournament_id": desk.tournament.pk,
        "player_ids": [person.member.player_id for person in people if person.is_chosen],
        "infraction": own_words or typed.get("infraction", ""),
        "level": typed.get("level", ""),
        "match_id": match.pk if match else None,
        "note": typed.get("note", ""),
        "score": tuple(counts) if any(counts) else (),
        "actor": desk.actor,
    }


def _advice(desk: Desk, people: Sequence[Person], typed: Mapping[str, str]) -> Advice | None:
    """What the policy names for the chosen player with the longest history."""
    chosen = [person for person in people if person.is_chosen]
    if not chosen:
        return None
    worst = max(chosen, key=lambda person: len(person.history))
    late = typed.get("minutes_late", "").strip()
    return advised(
        desk.tournament,
        typed.get("own_words", "").strip() or typed.get("infraction", ""),
        [penalty for _, penalty in worst.history],
        minutes_late=minutes_in(typed, "minutes_late") if late else None,
    )


def _asks_score(match: Match) -> bool:
    """Games so far are asked for where they matter and nobody recorded them."""
    terms = match.frozen_terms
    return terms.sides == 2 and terms.best_of > 1 and len(terms.boards) == 1 and not games_of(match)


def _fingerprint(asked: Mapping[str, Any]) -> str:
    """What was looked at: only that is given when it is confirmed."""
    keys = ("player_ids", "infraction", "level", "match_id", "score")
    return "|".join(str(asked[key]) for key in keys)


def _sides(
    match: Match | None, cards: Sequence[TeamCard], typed: Mapping[str, str]
) -> list[tuple[int, str, str]]:
    if match is None:
        return []
    names = {card.id: card.shown_name for card in cards}
    sides = match.sides.order_by("index").values_list("index", "team_id")
    return [
        (index, names.get(team, "the other team"), typed.get(f"score_{index}", "")) for index, team in sides
    ]


def _names(match: Match | None, cards: Sequence[TeamCard]) -> list[str]:
    """The teams in side order; a team whose form this is not is called by its side."""
    return [name for _, name, _ in _sides(match, cards, {})]


def _effect_words(effect: Effect, names: Sequence[str], level: str) -> str:
    """What follows, in words a judge reads aloud."""
    if level == Level.WARNING:
        return "It is recorded; nothing changes at the table."
    if effect.leaves:
        return "The whole team leaves, out of the ranking, and has lost the match of this round."
    if effect.is_owed:
        return "No match runs that it could hit: it is owed and shown until it is entered at the next one."
    if effect.in_pod:
        return "The side is out of the pod and the others play on; enter the result when they are done."
    if effect.match_lost_by:
        lost = " and ".join(_at(names, index) for index in effect.match_lost_by)
        verb = "lose" if len(effect.match_lost_by) > 1 else "loses"
        return _sentence(f"{lost} {verb} this match; games won are kept. The table is in.")
    if effect.is_draw:
        parts = [f"Game {effect.game} is a draw and leaves the score as it is."]
    else:
        parts = [_sentence(f"{_at(names, effect.lost_by[0])} loses game {effect.game} as a team.")]
    if effect.is_decided:
        return " ".join([*parts, "That decides the match; the table is in."])
    if effect.chooser is not None:
        parts.append(_sentence(f"{_at(names, effect.chooser)} chooses who starts the next game."))
    if effect.sideboards is not None:
        parts.append(
            "Sideboarding is allowed before it." if effect.sideboards else "No sideboarding before it."
        )
    return " ".join(parts)


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def _at(names: Sequence[str], index: int) -> str:
    return names[index] if index < len(names) else f"Side {index + 1}"


def _said(effect: Effect, penalty: Penalty, names: Sequence[str]) -> str:
    level = penalty.get_level_display()
    return f"{level.capitalize()} recorded. {_effect_words(effect, names, penalty.level)}"


def _where(penalty: Penalty) -> str:
    if penalty.match is None:
        return ""
    return f"{name_of(penalty.match.round)}, table {penalty.match.table}"


def _found(desk: Desk, words: str) -> list[TeamCard]:
    """Teams whose name or member has the words, or whose number it is."""
    wanted = folded(words)
    if not wanted:
        return []
    seats = Seat.objects.filter(tournament=desk.tournament, player__folded__contains=wanted)
    match = Q(pk__in=seats.values("team_id")) | Q(name__icontains=words)
    if wanted.isdecimal() and len(wanted) < 9:
        match |= Q(number=int(wanted))
    teams = Team.objects.filter(match, tournament=desk.tournament).order_by("number")[:FOUND]
    return list(team_cards(list(teams), desk.scene().labels).values())
