"""Who may read which row: the public sees what is announced, staff see their own drafts too."""

from typing import Any

from django.db.models import Count, F, Prefetch, Q, QuerySet

from integrations.callers import Caller
from integrations.scopes import Scope
from matches.models import Line, Match, Result, Side
from rulebook.lifecycle import MatchState, RoundState, TeamState
from teams.models import Team
from tournaments.models import Round, Tournament
from tournaments.registration import TAKES_A_PLACE


def tournaments_for(user: Any) -> QuerySet[Tournament]:
    """Every tournament but drafts, which only those see who serve there; a key sees those it opens and no
    other. `version` is the journal's."""
    caller = Caller(user)
    own = caller.own_tournaments()
    visible = (
        own
        if caller.key
        else Tournament.objects.filter(Q(announced_at__isnull=False) | Q(pk__in=own.values("pk")))
    )
    return visible.select_related("store").annotate(version=F("head__last"))


def with_places(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """The tournaments with how many teams have a place and how many wait for one."""
    has_place = Q(teams__state__in=TAKES_A_PLACE, teams__is_solo=False)
    return tournaments.annotate(
        places_taken=Count("teams", filter=has_place),
        waiting=Count("teams", filter=Q(teams__state=TeamState.WAITLISTED)),
    )


def sees_drafts(user: Any) -> QuerySet[Tournament]:
    """The tournaments whose drafts and unpublished standings the caller reads: where a person serves, and
    all that a key opens which may pair."""
    caller = Caller(user)
    return caller.own_tournaments() if caller.has(Scope.ROUNDS_WRITE) else Tournament.objects.none()


def rounds_for(user: Any) -> QuerySet[Round]:
    """Every published round of a visible tournament, drafts for whoever may see them; no scrapped one."""
    own = sees_drafts(user).values("pk")
    return (
        Round.objects.exclude(state=RoundState.SCRAPPED)
        .filter(stage__tournament__in=tournaments_for(user).values("pk"))
        .filter(~Q(state=RoundState.PAIRED) | Q(stage__tournament__in=own))
        .select_related("stage__tournament")
    )


def teams_of(tournament: Tournament) -> QuerySet[Team]:
    """Every team but those that withdrew before they played."""
    return Team.objects.filter(tournament=tournament).exclude(state=TeamState.WITHDRAWN)


def pairings_of(rnd: Round) -> QuerySet[Match]:
    """The round's matches with sides, teams and confirmed results, in five queries however many there are."""
    return with_results(Match.objects.filter(round=rnd).exclude(state=MatchState.VOID))


def with_results(matches: QuerySet[Match]) -> QuerySet[Match]:
    """The matches with sides, teams and confirmed results."""
    results = Result.objects.filter(is_current=True, board_label="", match__state=MatchState.CONFIRMED)
    return matches.prefetch_related(
        Prefetch("sides", Side.objects.select_related("team").order_by("index")),
        Prefetch("results", results.prefetch_related(Prefetch("lines", Line.objects.order_by("id")))),
    )
