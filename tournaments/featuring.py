"""The match that everybody watches."""

from django.db import transaction

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.models import Match, Side
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, MatchState
from teams.models import Team
from tournaments.models import Round, Tournament


@transaction.atomic
def feature_match(*, match_id: int, actor: Actor) -> Match:
    """The match is played at the feature table; the match that was there has its number, or the number stays
    empty. Refused once one of them has started, and for teams with a fixed table."""
    found = Match.objects.filter(pk=match_id).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such match any more; reload the page.")
    tournament = lock_one(Tournament, found.tournament_id)
    lock_one(Round, found.round_id)
    match = lock_one(Match, match_id)
    feature = tournament.feature_table
    if feature is None:
        raise RuleBroken("no-feature-table", "Name the feature table in the settings first.")
    if match.table == feature:
        raise RuleBroken("at-feature-table", f"This match is at table {feature} already.")
    _movable(match)
    there = Match.objects.filter(round=match.round_id, table=feature).exclude(state=MatchState.VOID).first()
    before = match.table
    if there is not None:
        _movable(there)
        Match.objects.filter(pk=there.pk).update(table=None)
    Match.objects.filter(pk=match.pk).update(table=feature)
    if there is not None:
        Match.objects.filter(pk=there.pk).update(table=before)
    match.table = feature
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.FEATURE_CHOSEN,
        actor=actor,
        subject=f"match:{match.pk}",
        before={"table": before},
        after={"table": feature, "moved": there.pk if there else None},
    )
    return match


def _movable(match: Match) -> None:
    if match.kind != MatchKind.TABLE or match.state != MatchState.PAIRED:
        raise RuleBroken("match-started", f"The match at table {match.table} has started and stays there.")
    teams = Side.objects.filter(match=match, is_live=True).values("team")
    if Team.objects.filter(pk__in=teams, fixed_table__isnull=False).exists():
        raise RuleBroken("fixed-table", f"A team at table {match.table} always plays there and stays there.")
