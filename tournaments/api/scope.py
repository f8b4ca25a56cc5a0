"""Who may read which row: the public sees what is announced, staff see their own drafts too."""

from typing import Any

from django.db.models import F, Prefetch, Q, QuerySet

from matches.models import Line, Match, Result, Side
from rulebook.lifecycle import MatchState, RoundState, TeamState
from teams.models import Team
from tournaments.models import Round, Tournament
from tournaments.staff import served_by


def tournaments_for(user: Any) -> QuerySet[Tournament]:
    """Every tournament but drafts, which only those see who serve there; `version` is the journal's."""
    own = served_by(user).values("pk")
    visible = Tournament.objects.filter(Q(announced_at__isnull=False) | Q(pk__in=own))
    return visible.select_related("store").annotate(version=F("head__last"))


def rounds_for(user: Any) -> QuerySet[Round]:
    """Every published round of a visible tournament, drafts for whoever serves there; no scrapped one."""
    own = served_by(user).values("pk")
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
    results = Result.objects.filter(is_current=True, board_label="", match__state=MatchState.CONFIRMED)
    return (
        Match.objects.filter(round=rnd)
        .exclude(state=MatchState.VOID)
        .prefetch_related(
            Prefetch("sides", Side.objects.select_related("team").order_by("index")),
            Prefetch("results", results.prefetch_related(Prefetch("lines", Line.objects.order_by("id")))),
        )
    )
