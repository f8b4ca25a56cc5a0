"""What becomes fixed at a table when its round is published."""

from collections.abc import Sequence

from journal.actors import Actor
from matches.models import Chair, Game, Match, Side
from matches.results import settle_many
from rulebook.lifecycle import MatchKind, MatchState
from rulebook.scoring import ResultKind, lines_for
from rulebook.terms import Terms
from teams.models import Seat, Team

LONE = {MatchKind.BYE: ResultKind.BYE, MatchKind.ASSIGNED_LOSS: ResultKind.ASSIGNED_LOSS}


def seat_chairs(matches: Sequence[Match]) -> None:
    """Each match has its line-up: who sits on which seat of which side; an earlier copy is replaced."""
    if not matches:
        return
    Chair.objects.filter(match__in=[m.pk for m in matches]).delete()
    sides = list(
        Side.objects.filter(match__in=[m.pk for m in matches], is_live=True).order_by("match_id", "index")
    )
    seated: dict[int, list[tuple[str, int]]] = {}
    live = Seat.objects.filter(team__in={s.team_id for s in sides}, is_live=True, is_reserve=False)
    for team_id, label, player_id in live.order_by("label").values_list("team_id", "label", "player_id"):
        seated.setdefault(team_id, []).append((label, player_id))
    Chair.objects.bulk_create(
        Chair(
            match_id=side.match_id,
            side=side,
            player_id=player_id,
            label=label,
            position=side.index * len(seated[side.team_id]) + offset + 1,
        )
        for side in sides
        for offset, (label, player_id) in enumerate(seated.get(side.team_id, ()))
    )


def current_match(team: Team) -> Match | None:
    """The match the team plays now: at a table, its line-up copied, its result not confirmed."""
    return (
        Match.objects.filter(
            sides__team=team, sides__is_live=True, kind=MatchKind.TABLE, chairs__isnull=False
        )
        .exclude(state__in=[MatchState.CONFIRMED, MatchState.VOID])
        .order_by("-id")
        .first()
    )


def has_begun(match: Match) -> bool:
    """A game of the match was opened or recorded, or a result reported."""
    return match.state != MatchState.PAIRED and (
        Game.objects.filter(board__match=match).exists() or match.state != MatchState.OPEN
    )


def confirm_lone_sides(matches: Sequence[Match], actor: Actor, half_points: int | None = None) -> None:
    """Byes and assigned losses among the matches are scored by rule; `half_points` replaces the rule's
    points."""
    lone = [match for match in matches if match.kind in LONE and match.state != MatchState.CONFIRMED]
    side_of = {side.match_id: side for side in Side.objects.filter(match__in=[match.pk for match in lone])}
    settle_many(
        (
            (
                match,
                side_of[match.pk],
                kind,
                lines_for(Terms.from_dict(match.terms), kind, half_points=half_points)[0],
            )
            for match in lone
            for kind in (LONE[MatchKind(match.kind)],)
        ),
        actor,
    )
