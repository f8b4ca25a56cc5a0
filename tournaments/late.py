"""A team that enters when rounds have been played."""

from journal.actors import Actor
from matches.lineup import confirm_lone_sides
from matches.models import Match, Side
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, RoundState, StageState, TeamState
from rulebook.pairing.byes import LateEntry, last_entry_before, missed_rounds
from teams.models import Team
from tournaments.drafting import groups_of, is_draft_round
from tournaments.drafts import repair_draft
from tournaments.models import Round, Stage, Tournament
from tournaments.pairing import stored_terms
from tournaments.standings import retake_snapshots


def last_late_round(tournament: Tournament) -> int:
    """The last round a late team may enter: as set, else half of the rounds plus one (6 of 11, 7 of 12)."""
    return tournament.last_late_round or last_entry_before(tournament.planned_rounds)


def enter_late(tournament: Tournament, team: Team, actor: Actor) -> None:
    """The complete team plays from the next round on; rounds it missed count by the tournament's policy.

    A draft is paired again with it. Whoever is on the waiting list waits. The tournament is locked.
    """
    if team.state not in (TeamState.REGISTERED, TeamState.CHECKED_IN):
        return
    stage = tournament.stages.filter(number=1).first()
    if stage is None or stage.state != StageState.RUNNING:
        raise RuleBroken("too-late", "The cut is made; nobody can enter any more.")
    stage.tournament = tournament
    if stage.is_bracket:
        raise RuleBroken("too-late", "The bracket is made; nobody can enter any more.")
    missed = list(stage.rounds.exclude(state__in=[RoundState.PAIRED, RoundState.SCRAPPED]).order_by("number"))
    if missed and stage.method == Stage.Method.ROUND_ROBIN:
        raise RuleBroken("too-late", "The round robin is under way; nobody can enter any more.")
    enters = (missed[-1].number if missed else 0) + 1
    if enters > min(last_late_round(tournament), stage.planned_rounds):
        raise RuleBroken(
            "too-late",
            f"Late teams can enter until round {last_late_round(tournament)} of {stage.planned_rounds}; "
            f"the next one is round {enters}.",
        )
    if is_draft_round(stage, enters) and groups_of(stage):
        raise RuleBroken(
            "too-late",
            f"The drafting groups are seated; a team can enter when round {tournament.draft_rounds} is over.",
        )
    team.state = TeamState.PLAYING
    team.entered_round = enters
    team.save(update_fields=["state", "entered_round"])
    credit_missed(tournament, stage, team, missed, actor)
    repair_draft(tournament, actor)


def credit_missed(
    tournament: Tournament, stage: Stage, team: Team, missed: list[Round], actor: Actor
) -> None:
    """The missed rounds, in their order, count as the tournament's policy for late teams says."""
    worth = missed_rounds(LateEntry(tournament.late_policy), len(missed))
    counting = [(rnd, MatchKind(one.kind)) for rnd, one in zip(missed, worth, strict=True) if one.kind]
    if not counting:
        return
    terms = stored_terms(stage)
    matches = Match.objects.bulk_create(
        Match(tournament=tournament, round=rnd, kind=kind, terms=terms, why="Missed before the team entered.")
        for rnd, kind in counting
    )
    Side.objects.bulk_create(
        Side(match=match, round_id=match.round_id, team=team, index=0) for match in matches
    )
    confirm_lone_sides(matches, actor, worth[-1].half_points)
    retake_snapshots(stage, counting[0][0].number)


def rounds_after(stage: Stage, number: int) -> list[Round]:
    """The published rounds after round `number`."""
    seen = stage.rounds.exclude(state__in=[RoundState.PAIRED, RoundState.SCRAPPED])
    return list(seen.filter(number__gt=number).order_by("number"))
