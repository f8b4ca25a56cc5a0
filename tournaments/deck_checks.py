"""Tables picked by lot for a deck check: known to staff alone, and the minutes are given back."""

import math
import secrets
from random import Random

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.models import Match
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, RoundState
from teams.models import Team
from tournaments.clockwork import MOST_MINUTES, give_seconds
from tournaments.following import follow_plan
from tournaments.models import DeckCheck, Round, Tournament
from tournaments.one_round import PLAYS, lock_round


@transaction.atomic
def pick_deck_checks(
    *, round_id: int, count: int, actor: Actor, seed: int | None = None, skip_fixed: bool = False
) -> list[DeckCheck]:
    """So many tables of the round are picked by lot from `seed`, none twice in one round.

    Never the feature table, nor with `skip_fixed` a table whose team cannot move.
    """
    rnd = lock_round(round_id)
    tournament = rnd.stage.tournament
    if rnd.state not in (RoundState.PUBLISHED, RoundState.RUNNING):
        raise RuleBroken("round-not-public", "Tables are picked once the round is published.")
    able = _able(rnd, tournament, skip_fixed=skip_fixed)
    if count < 1 or not able:
        raise RuleBroken("no-table-left", "There is no table left to pick for a deck check.")
    drawn = secrets.randbits(62) if seed is None else seed
    picked = sorted(Random(drawn).sample(able, min(count, len(able))), key=lambda match: match.table or 0)
    at = now()
    checks = [DeckCheck.objects.create(round=rnd, match=match, seed=drawn, picked_at=at) for match in picked]
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.DECK_CHECK_PICKED,
        actor=actor,
        subject=f"round:{rnd.pk}",
        after={"matches": [match.pk for match in picked], "seed": drawn},
    )
    return checks


@transaction.atomic
def end_deck_check(*, check_id: int, actor: Actor, minutes: int | None = None) -> DeckCheck:
    """The decks are back; the table gets `minutes`, or what the check took so far in whole minutes."""
    found = DeckCheck.objects.filter(pk=check_id).select_related("round", "match").first()
    if found is None:
        raise RuleBroken("not-found", "There is no such deck check any more; reload the page.")
    if minutes is not None and not 0 <= minutes <= MOST_MINUTES:
        raise RuleBroken("minutes-missing", f"Say how many minutes, from 0 to {MOST_MINUTES}.")
    tournament = lock_one(Tournament, found.match.tournament_id)
    match = lock_one(Match, found.match_id)
    check = DeckCheck.objects.get(pk=check_id)
    if check.ended_at is not None:
        raise RuleBroken("check-ended", "That deck check is ended already.")
    check.ended_at = now()
    given = minutes if minutes is not None else _minutes(check, found.round)
    if match.state in PLAYS:
        check.given_back_s = given * 60
        give_seconds(match, check.given_back_s)
        follow_plan(tournament)
    check.save(update_fields=["ended_at", "given_back_s"])
    record(
        tournament_id=match.tournament_id,
        kind=DeedKind.DECK_CHECK_ENDED,
        actor=actor,
        subject=f"match:{match.pk}",
        after={"given_back_s": check.given_back_s},
    )
    return check


def _minutes(check: DeckCheck, rnd: Round) -> int:
    """Whole minutes of the round's time the check has taken; none before the clock runs."""
    if rnd.started_at is None or check.ended_at is None:
        return 0
    since = max(check.picked_at, rnd.started_at)
    return min(MOST_MINUTES, max(0, math.ceil((check.ended_at - since).total_seconds() / 60)))


def _able(rnd: Round, tournament: Tournament, *, skip_fixed: bool) -> list[Match]:
    tables = Match.objects.filter(round=rnd, kind=MatchKind.TABLE, state__in=PLAYS, deck_checks=None)
    if tournament.feature_table:
        tables = tables.exclude(table=tournament.feature_table)
    if skip_fixed:
        fixed = Team.objects.filter(tournament=tournament, fixed_table__isnull=False)
        tables = tables.exclude(sides__team__in=fixed)
    return list(tables.order_by("table"))
