"""From Swiss to elimination, and the end of the tournament."""

from collections.abc import Sequence

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Deed
from journal.recording import record
from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState, StageState, TeamState, TournamentState, check_move
from rulebook.standings import Standing, tied_across
from teams.models import Team
from teams.selectors import team_cards
from tournaments.bracket_plan import check_cut, cut_kind, open_bracket
from tournaments.following import follow_plan
from tournaments.models import Round, Slot, Stage, StageEntry, Tournament
from tournaments.pairing import running_stage
from tournaments.rounds import current_round
from tournaments.running import refuse_unless_running
from tournaments.standings import final_ranking, latest_snapshot, standings_of, swiss_stage


@transaction.atomic
def make_cut(
    *,
    tournament_id: int,
    actor: Actor,
    size: int | None = None,
    tie_decision: str = "",
    won_by: Sequence[int] = (),
) -> Stage:
    """The best teams still playing are in the bracket, their seeds frozen; the Swiss stage is over.

    Equals on the last place need a recorded decision: `won_by` names who of them won the place, best first,
    where it was played for; without (`tie_decision`, e.g. "by lot") the stored lots decide."""
    tournament, stage = _ready_to_cut(tournament_id)
    wanted = tournament.cut if size is None else size
    table = [row for row in standings_of(stage) if row.entrant in _playing(tournament)]
    if wanted == 0:
        raise RuleBroken("wrong-cut", "Say how many teams are in the cut.")
    check_cut(tournament, wanted)
    if wanted > len(table):
        raise RuleBroken(
            "cut-too-large",
            f"Only {len(table)} teams still play; a cut to {wanted} is too large.",
            teams=len(table),
        )
    tied = tied_across(table, wanted)
    if won_by:
        table = _with_winners(table, tied, won_by, wanted)
        tie_decision = tie_decision or f"Played for: {_names(list(won_by))}"
    if tied and not tie_decision:
        names = _names([row.entrant for row in tied])
        raise RuleBroken(
            "tie-at-cut",
            f"{names} are equal in everything on the last place of the cut. Decide how the place is given "
            "(by lot, or by a match played for it) and make the cut with that decision.",
            teams=[row.entrant for row in tied],
            ranks=[table.index(row) + 1 for row in tied],
        )
    seeded = [row.entrant for row in table[:wanted]]
    return _open_bracket(
        tournament, stage, seeded, tie_decision, actor, [row.entrant for row in tied], won_by
    )


@transaction.atomic
def cut_given(*, tournament_id: int, team_ids: Sequence[int], actor: Actor, reason: str) -> Stage:
    """Exactly these teams are in the bracket, seeded in this order, and the Swiss stage is over.

    Any number from two on fits: the top seeds pass the first round."""
    tournament, stage = _ready_to_cut(tournament_id)
    if not reason.strip():
        raise RuleBroken("reason-missing", "Write down why the teams of the cut are given by hand.")
    if len(team_ids) < 2 or len(set(team_ids)) < len(team_ids):
        raise RuleBroken("wrong-cut", "Name at least two teams, each of them once.")
    gone = sorted(set(team_ids) - _playing(tournament))
    if gone:
        raise RuleBroken(
            "team-not-waiting",
            "Only teams that still play can be in the bracket; take the others out.",
            teams=gone,
        )
    return _open_bracket(tournament, stage, list(team_ids), reason, actor, [])


@transaction.atomic
def undo_cut(*, tournament_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None) -> Stage:
    """The Swiss stage is running again and the bracket is gone; refused once a round of it is there."""
    tournament = lock_one(Tournament, tournament_id)
    bracket = running_stage(tournament)
    if not bracket.is_bracket or bracket.number == 1:
        raise RuleBroken("no-cut", "There is no cut to undo.")
    if current_round(bracket) is not None:
        raise RuleBroken("later-round", "Scrap the bracket's round first; with results in it the cut stands.")
    Slot.objects.filter(stage=bracket).delete()
    StageEntry.objects.filter(stage=bracket).delete()
    Stage.objects.filter(pk=bracket.pk).update(state=StageState.WAITING)
    stage = swiss_stage(tournament)
    assert stage is not None
    Stage.objects.filter(pk=stage.pk).update(state=StageState.RUNNING)
    follow_plan(tournament, again=True)
    record(
        tournament_id=tournament_id,
        kind=DeedKind.CUT_UNDONE,
        actor=actor,
        subject=f"stage:{bracket.pk}",
        reason=reason,
        undoes=undoes,
    )
    return stage


@transaction.atomic
def finish_tournament(*, tournament_id: int, actor: Actor) -> Tournament:
    """The tournament is over and its final ranking stands; refused while a planned round or the cut is
    missing."""
    tournament = lock_one(Tournament, tournament_id)
    check_move(tournament.name, TournamentState(tournament.state), TournamentState.FINISHED)
    stage = running_stage(tournament)
    _all_rounds_closed(stage)
    if not stage.is_bracket and tournament.cut:
        raise RuleBroken(
            "cut-not-played",
            f"The cut to the top {tournament.cut} is not played; make it, or set the cut to 0 first.",
        )
    swiss = swiss_stage(tournament)
    assert swiss is not None
    swiss.tournament = tournament
    ranking = final_ranking(tournament, standings_of(swiss))
    for place in ranking:
        StageEntry.objects.update_or_create(
            stage=swiss, team_id=place.team_id, defaults={"place": place.place}
        )
    tournament.stages.filter(state=StageState.RUNNING).update(state=StageState.FINISHED)
    last = latest_snapshot(swiss)
    if last is not None and last.published_at is None:
        last.published_at = now()
        last.save(update_fields=["published_at"])
    tournament.state = TournamentState.FINISHED
    tournament.save(update_fields=["state"])
    follow_plan(tournament)
    subject = f"tournament:{tournament_id}"
    record(
        tournament_id=tournament_id,
        kind=DeedKind.STANDINGS_FINAL,
        actor=actor,
        subject=subject,
        after={"places": [[place.place, place.team_id] for place in ranking[:64]], "teams": len(ranking)},
    )
    record(tournament_id=tournament_id, kind=DeedKind.TOURNAMENT_FINISHED, actor=actor, subject=subject)
    return tournament


@transaction.atomic
def reopen_tournament(*, tournament_id: int, actor: Actor, reason: str = "") -> Tournament:
    """A finished tournament runs again in its last stage, so that a mistake can be mended."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state != TournamentState.FINISHED:
        raise RuleBroken(
            "not-finished", f"{tournament.name} is {tournament.state}; only a finished one is reopened."
        )
    last = (
        Round.objects.filter(stage__tournament=tournament, state=RoundState.CLOSED)
        .order_by("-stage__number")
        .first()
    )
    if last is not None:
        Stage.objects.filter(pk=last.stage_id).update(state=StageState.RUNNING)
    tournament.state = TournamentState.RUNNING
    tournament.save(update_fields=["state"])
    follow_plan(tournament, again=True)
    record(
        tournament_id=tournament_id,
        kind=DeedKind.TOURNAMENT_REOPENED,
        actor=actor,
        subject=f"tournament:{tournament_id}",
        reason=reason,
    )
    return tournament


def _ready_to_cut(tournament_id: int) -> tuple[Tournament, Stage]:
    """The tournament, locked, and its Swiss stage with every planned round closed."""
    tournament = lock_one(Tournament, tournament_id)
    refuse_unless_running(tournament)
    stage = running_stage(tournament)
    if stage.is_bracket:
        raise RuleBroken("cut-made", "The cut is made already; undo it first.")
    _all_rounds_closed(stage)
    return tournament, stage


def _open_bracket(
    tournament: Tournament,
    stage: Stage,
    seeded: list[int],
    decision: str,
    actor: Actor,
    tied: list[int],
    won_by: Sequence[int] = (),
) -> Stage:
    snapshot = latest_snapshot(stage)
    bracket = open_bracket(
        tournament,
        2,
        seeded,
        tie_decision=decision,
        standings=snapshot.version if snapshot else None,
    )
    Stage.objects.filter(pk=stage.pk).update(state=StageState.FINISHED)
    follow_plan(tournament)
    record(
        tournament_id=tournament.pk,
        kind=DeedKind.CUT_MADE,
        actor=actor,
        subject=f"stage:{bracket.pk}",
        after={"size": len(seeded), "kind": cut_kind(tournament), "tied": tied, "won_by": list(won_by)},
        reason=decision,
    )
    return bracket


def _with_winners(
    table: Sequence[Standing], tied: Sequence[Standing], won_by: Sequence[int], size: int
) -> list[Standing]:
    """The table with the winners first among the equals on the last place, the others by lot behind them."""
    equals = {row.entrant: row for row in tied}
    if len(set(won_by)) < len(won_by) or not set(won_by) <= equals.keys():
        raise RuleBroken("not-tied", "Name only teams that are equal on the last place of the cut.")
    first = next((at for at, row in enumerate(table) if row.entrant in equals), 0)
    places = size - first
    if len(won_by) > places:
        raise RuleBroken("wrong-winners", f"{places} of them can be in the cut; name no more.", places=places)
    behind = [row for row in tied if row.entrant not in won_by]
    return [*table[:first], *(equals[team] for team in won_by), *behind, *table[first + len(tied) :]]


def _all_rounds_closed(stage: Stage) -> None:
    last = current_round(stage)
    if last is not None and last.state != RoundState.CLOSED:
        raise RuleBroken("round-still-open", f"Round {last.number} is {last.state}; close it first.")
    played = last.number if last else 0
    if played < stage.planned_rounds:
        raise RuleBroken(
            "rounds-missing",
            f"{played} of {stage.planned_rounds} planned rounds are played; play on, or plan fewer rounds.",
        )


def _playing(tournament: Tournament) -> set[int]:
    return set(
        Team.objects.filter(tournament=tournament, state=TeamState.PLAYING).values_list("pk", flat=True)
    )


def _names(team_ids: list[int]) -> str:
    teams = list(Team.objects.filter(pk__in=team_ids).order_by("number"))
    names = [card.shown_name for card in team_cards(teams, ()).values()]
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
