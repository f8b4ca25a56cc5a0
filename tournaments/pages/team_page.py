"""One team for everybody: its rounds, its opponents, and where each figure of its standing comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from matches.models import Side
from rulebook.explained import Explanation, How, Note, Part, explain_row
from rulebook.lifecycle import MatchState, TeamState
from rulebook.scoring import Outcome
from rulebook.tiebreakers import TIEBREAKERS
from teams.models import Team
from teams.selectors import TeamCard, team_cards
from tournaments.history import Presence, presence_of
from tournaments.models import Round
from tournaments.pages.conditional import by_version
from tournaments.pages.numbers import whole
from tournaments.pages.ranking import Ranking, ranking_of
from tournaments.pages.scenes import Scene, name_of, public_scene
from tournaments.pages.sheets import TableRow, rows_of
from tournaments.pages.tags import decimal
from tournaments.rows import contests_of, entered_of, policy_for

HOW_WORDS = {
    How.SUM: "The sum of these:",
    How.MEAN: "The mean of these:",
    How.POOLED: "All of the first numbers by all of the second:",
    How.WHOLE: "",
}
NOTE_WORDS = {
    Note.AS_IS: "",
    Note.FLOOR: "raised to the floor",
    Note.CAP: "lowered, because this team left",
    Note.BYE: "stands for the bye",
    Note.HALF: "a draw counts half",
    Note.LEFT_OUT: "left out",
}
OUTCOME_WORDS = {Outcome.WIN: "won", Outcome.LOSS: "lost", Outcome.DRAW: "drawn"}


@dataclass(frozen=True, slots=True)
class Told:
    """One figure in words: what it is, how it is made, and its parts."""

    label: str
    sentence: str
    value: str
    how: str
    parts: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Past:
    """One round of the team: whom it met, how that ended, what it was worth."""

    name: str
    words: str
    row: TableRow | None
    opponents: tuple[TeamCard, ...]
    result: str
    points: str


@require_safe
@by_version
def team_page(request: HttpRequest, slug: str, version: int, team_id: int) -> HttpResponse:
    """The team's history and figures after a closed round; nobody learns here why a team is out."""
    scene = public_scene(slug)
    teams = Team.objects.exclude(state=TeamState.WITHDRAWN)
    team = get_object_or_404(teams, tournament=scene.tournament, pk=team_id)
    asked = request.GET.get("after", "")
    ranking = ranking_of(scene, whole(asked))
    if ranking is None and asked:
        raise Http404
    ranked = next((row for row in ranking.rows if row.card.id == team.pk), None) if ranking else None
    explained = _explained(scene, team, ranking.after_round) if ranking and ranked else ()
    context = {
        "scene": scene,
        "tournament": scene.tournament,
        "version": version,
        "tab": "standings",
        "shown": scene.shown_round,
        "shown_name": name_of(scene.shown_round) if scene.shown_round else "",
        "card": team_cards([team], scene.labels)[team.pk],
        "ranking": ranking,
        "ranked": ranked,
        "figures": _told(explained, _names(ranking)) if ranking else (),
        "rounds": _history(scene, team, explained),
    }
    return render(request, "public/team.html", context)


def _explained(scene: Scene, team: Team, after_round: int) -> tuple[Explanation, ...]:
    """Points and tiebreakers from the contests of the snapshot that is shown."""
    stage = scene.swiss
    assert stage is not None
    contests = contests_of(stage, after_round=after_round)
    return explain_row(team.pk, entered_of(stage), contests, policy_for(scene.tournament))


def _names(ranking: Ranking) -> dict[int, str]:
    return {row.card.id: row.card.shown_name for row in ranking.rows}


def _told(explained: Sequence[Explanation], names: Mapping[int, str]) -> tuple[Told, ...]:
    return tuple(
        Told(
            label=one.label,
            sentence=one.sentence,
            value=_value(one, one.value).removesuffix(" %"),
            how=HOW_WORDS[one.how] if one.parts else "",
            parts=tuple(
                (_where(part, names), _counted(one, part), NOTE_WORDS[part.note]) for part in one.parts
            ),
        )
        for one in explained
    )


def _where(part: Part, names: Mapping[int, str]) -> str:
    """The round and the opponent a part comes from."""
    who = names.get(part.opponent, "a team that is out") if part.opponent is not None else ""
    if part.round is None:
        return who or "own"
    return f"Round {part.round}, {who}" if who else f"Round {part.round}"


def _counted(one: Explanation, part: Part) -> str:
    """What was counted and what became of it: 6 of 9 = 66.67."""
    value = _value(one, part.value)
    if part.bottom == 1 and not _is_share(one):
        return value if part.value == part.top else f"{_plain(part.top)}, used as {value}"
    if part.bottom == 1 or not part.bottom:
        return value
    return f"{_plain(part.top)} of {_plain(part.bottom)} = {value}"


def _value(one: Explanation, value: Fraction) -> str:
    return f"{decimal(value * 100, 2)} %" if _is_share(one) else _plain(value)


def _is_share(one: Explanation) -> bool:
    return one.figure in TIEBREAKERS and TIEBREAKERS[one.figure].is_share


def _plain(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else decimal(value, 2)


def _history(scene: Scene, team: Team, explained: Sequence[Explanation]) -> list[Past]:
    """Every published round, and what it was for the team."""
    if scene.swiss is None:
        return []
    shown = {rnd.pk: rnd for rnd in scene.shown_rounds}
    sides = Side.objects.filter(team=team, is_live=True, round__in=shown).values_list("round_id", "match_id")
    match_of = dict(sides)
    rows = rows_of(list(match_of.values()), scene.labels)
    points = {part.round: part.value for one in explained if one.figure == "points" for part in one.parts}
    by_number = {rnd.number: rnd for rnd in shown.values() if rnd.stage_id == scene.swiss.pk}
    found = []
    for number, presence in presence_of(team, scene.swiss):
        rnd = by_number.get(number)
        row = rows.get(match_of.get(rnd.pk, 0)) if rnd else None
        worth = _plain(points[number]) if number in points else ""
        found.append(_past(name_of(rnd) if rnd else f"Round {number}", presence, row, team, worth))
    later = [rnd for rnd in shown.values() if rnd.stage.is_bracket and rnd.pk in match_of]
    found += [_of_bracket(rnd, rows[match_of[rnd.pk]], team) for rnd in later if match_of[rnd.pk] in rows]
    return found


def _of_bracket(rnd: Round, row: TableRow, team: Team) -> Past:
    return _past(name_of(rnd), Presence.BYE if row.is_bye else Presence.PLAYED, row, team, "")


def _past(name: str, presence: Presence, row: TableRow | None, team: Team, points: str) -> Past:
    if row is None or row.is_alone:
        words = {Presence.ASSIGNED_LOSS: "not there, counts as a loss", Presence.ABSENT: "sat out"}
        return Past(name, words.get(presence, presence.value), None, (), "", points)
    mine = next(side for side in row.sides if side.card.id == team.pk)
    others = [side for side in row.sides if side is not mine]
    result = "playing"
    if row.is_in:
        counts = [str(side.wins) for side in (mine, *others)]
        told = "" if row.is_pod else " " + "–".join([*counts, *([str(row.draws)] if row.draws else [])])
        result = f"{OUTCOME_WORDS[Outcome(mine.outcome)]}{told}"
    elif row.state == MatchState.PAIRED:
        result = ""
    return Past(name, "", row, tuple(side.card for side in others), result, points)
