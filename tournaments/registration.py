"""Teams enter, change and withdraw."""

from collections.abc import Mapping, Sequence
from random import Random

from django.db import transaction
from django.db.models import Max

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.models import Deed
from journal.recording import record, record_many
from matches.lineup import current_match, has_begun, seat_chairs
from matches.models import Side
from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import RoundState, TeamState, TournamentState, check_move
from rulebook.seating import SeatsOpen, seats_open
from teams import seats
from teams.models import Team
from teams.names import clean_group, clean_name
from tournaments.drafts import repair_draft
from tournaments.late import enter_late
from tournaments.models import ByeGrant, Round, Tournament

TAKES_A_PLACE = (TeamState.REGISTERED, TeamState.CHECKED_IN, TeamState.PLAYING)


@transaction.atomic
def register_team(
    *,
    tournament_id: int,
    members: Mapping[str, int] | Sequence[tuple[str, int]],
    actor: Actor,
    name: str = "",
    group: str = "",
    fixed_table: int | None = None,
    is_solo: bool = False,
) -> Team:
    """The team is in: `members` are (seat label, player id). While rounds are played it enters late, by
    policy.

    A team with an empty seat is registered too, shown as incomplete and never paired. One that `is_solo` is a
    lone player who looks for a partner: he takes no team's place until he is joined (see solos.py).
    """
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state not in (TournamentState.REGISTRATION, TournamentState.RUNNING):
        raise RuleBroken(
            "registration-closed", f"{tournament.name} is {tournament.state}; open its registration first."
        )
    pairs = list(members.items()) if isinstance(members, Mapping) else list(members)
    labels = modes.mode_of(tournament.mode).labels
    if not pairs:
        raise RuleBroken("nobody-entered", "Enter at least one player.")
    seats.check_labels(labels, pairs)
    if is_solo and (len(labels) == 1 or len(pairs) > 1):
        raise RuleBroken("no-solo", "Only one player of a mode with teams can look for a partner.")
    seats.check_store(tournament.store_id, [player for _, player in pairs])
    team = _new_team(tournament, name, group, fixed_table, is_solo)
    seats.seat_players(team, dict(pairs))
    if tournament.state == TournamentState.RUNNING and len(pairs) == len(labels):
        enter_late(tournament, team, actor)
    record(
        tournament_id=tournament_id,
        kind=DeedKind.TEAM_REGISTERED,
        actor=actor,
        subject=f"team:{team.pk}",
        after={"state": team.state, "entered_round": team.entered_round, "seats": dict(pairs)},
    )
    return team


@transaction.atomic
def register_teams(
    *, tournament_id: int, members: Sequence[Mapping[str, int]], actor: Actor, names: Sequence[str] = ()
) -> list[Team]:
    """All the teams are in, in one deed each, or none of them; before the start only, in a few statements."""
    tournament = lock_one(Tournament, tournament_id)
    if tournament.state != TournamentState.REGISTRATION:
        raise RuleBroken(
            "registration-closed", f"{tournament.name} is {tournament.state}, not at registration."
        )
    labels = modes.mode_of(tournament.mode).labels
    for one in members:
        seats.check_labels(labels, list(one.items()))
    everybody = [player for one in members for player in one.values()]
    if len(set(everybody)) < len(everybody):
        raise RuleBroken(
            "player-twice", "One player is entered in two teams; give each team its own players."
        )
    seats.check_store(tournament.store_id, everybody)
    if tournament.capacity is not None and places_taken(tournament) + len(members) > tournament.capacity:
        raise RuleBroken("full", f"{tournament.name} has room for {tournament.capacity} teams.")
    first = next_number(tournament)
    teams = Team.objects.bulk_create(
        Team(
            tournament=tournament,
            number=number,
            name=names[number - first] if names else "",
            lot=lot_of(tournament, number),
            registered_at=now(),
        )
        for number in range(first, first + len(members))
    )
    seats.seat_many(teams, members)
    record_many(
        tournament_id=tournament_id,
        kind=DeedKind.TEAM_REGISTERED,
        actor=actor,
        deeds=[
            (f"team:{team.pk}", {"state": team.state, "entered_round": 1, "seats": dict(one)})
            for team, one in zip(teams, members, strict=True)
        ],
    )
    return teams


@transaction.atomic
def change_team(
    *,
    team_id: int,
    actor: Actor,
    name: str | None = None,
    group: str | None = None,
    fixed_table: int | None = None,
    seed: int | None = None,
) -> Team:
    """The team has the new name, group, fixed table and start seed; what is None stays, a fixed table or seed
    of 0 is taken away."""
    team = _lock_team(team_id)
    before = {"name": team.name, "group": team.group, "fixed_table": team.fixed_table, "seed": team.seed}
    if name is not None:
        team.name = clean_name(name, "team name") if name.strip() else ""
    if group is not None:
        team.group = clean_group(group)
    if fixed_table is not None:
        team.fixed_table = _free_table(team.tournament_id, fixed_table or None, but=team.pk)
    if seed is not None:
        team.seed = _free_seed(team, seed or None)
    team.save(update_fields=["name", "group", "fixed_table", "seed"])
    changed = [key for key, value in before.items() if getattr(team, key) != value]
    _record(team, DeedKind.TEAM_CHANGED, actor, after={"fields": changed})
    return team


@transaction.atomic
def fill_seat(*, team_id: int, label: str, player_id: int, actor: Actor) -> Team:
    """The player sits on the empty seat; a team complete only now enters late if rounds are played."""
    team = _lock_team(team_id)
    tournament = team.tournament
    labels = modes.mode_of(tournament.mode).labels
    if team.state not in (TeamState.WAITLISTED, TeamState.REGISTERED, TeamState.CHECKED_IN):
        raise RuleBroken("seats-fixed", f"{team} is {team.state}; its seats are fixed.")
    seats.check_labels(labels, [(label, player_id)])
    seats.check_store(tournament.store_id, [player_id])
    if team.seats.filter(label=label, is_live=True, is_reserve=False).exists():
        raise RuleBroken("seat-taken", f"Seat {label} of {team} is taken; choose the empty seat.")
    seats.seat_players(team, {label: player_id})
    if team.is_solo:
        _found_partner(team, tournament)
    if tournament.state == TournamentState.RUNNING and seats.is_complete(team, labels):
        enter_late(tournament, team, actor)
    _record(team, DeedKind.SEAT_FILLED, actor, after={"seat": label, "player": player_id})
    return team


@transaction.atomic
def swap_seats(*, team_id: int, actor: Actor) -> Team:
    """The players on A and B have changed places: until the first pairing, or until game one where
    the mode seats a team anew for every match; earlier matches keep their line-up."""
    team = _lock_team(team_id)
    mode = modes.mode_of(team.tournament.mode)
    current = current_match(team)
    has_been_paired = Side.objects.filter(team=team, is_live=True).exists()
    per_match = seats_open(mode) is SeatsOpen.UNTIL_GAME_ONE
    if has_been_paired and not per_match:
        raise RuleBroken("seats-fixed", f"{team} has been paired; its seats are fixed now.")
    if current is not None and has_begun(current):
        raise RuleBroken(
            "seats-fixed", f"Game one of {team} has started; the seats are fixed until the match is over."
        )
    seats.swap(team)
    if current is not None:
        seat_chairs([current])
    _record(team, DeedKind.SEATS_SWAPPED, actor)
    return team


@transaction.atomic
def sit_out(*, team_id: int, round_number: int | None, actor: Actor) -> Team:
    """The team is not paired in that round and stays in the tournament; None takes it back."""
    team = _lock_team(team_id)
    if team.state not in TAKES_A_PLACE:
        raise RuleBroken("not-playing", f"{team} is {team.state}; only a team that plays can miss a round.")
    paired = Side.objects.filter(team=team, is_live=True, round__stage__number=1)
    if round_number is not None and paired.filter(round__number__gte=round_number).exists():
        raise RuleBroken("already-paired", f"{team} is paired in round {round_number} already.")
    last = team.tournament.planned_rounds
    if round_number is not None and not 1 <= round_number <= last:
        raise RuleBroken("wrong-round", f"Choose a round from 1 to {last}.")
    before = team.sits_out
    team.sits_out = round_number
    team.save(update_fields=["sits_out"])
    _record(team, DeedKind.TEAM_CHANGED, actor, before={"sits_out": before}, after={"sits_out": round_number})
    return team


@transaction.atomic
def grant_bye(
    *, team_id: int, round_number: int, actor: Actor, reason: str = ByeGrant.Reason.AWARDED
) -> Team:
    """The team has a bye in that round, also when the round is paired again."""
    team = _lock_team(team_id)
    if not 1 <= round_number <= team.tournament.planned_rounds:
        raise RuleBroken("wrong-round", f"Choose a round from 1 to {team.tournament.planned_rounds}.")
    seen = Round.objects.filter(stage__tournament=team.tournament, stage__number=1, number=round_number)
    if seen.exclude(state__in=[RoundState.PAIRED, RoundState.SCRAPPED]).exists():
        raise RuleBroken("already-paired", f"Round {round_number} is published; its pairings stand.")
    ByeGrant.objects.update_or_create(team=team, round_number=round_number, defaults={"reason": reason})
    repair_draft(team.tournament, actor)
    _record(team, DeedKind.BYE_GRANTED, actor, after={"round": round_number, "reason": reason})
    return team


@transaction.atomic
def revoke_bye(*, team_id: int, round_number: int, actor: Actor, reason: str = "") -> Team:
    """The team plays in that round after all; a draft of it is paired again. Refused once it is published."""
    team = _lock_team(team_id)
    grant = ByeGrant.objects.filter(team=team, round_number=round_number).first()
    if grant is None:
        raise RuleBroken("no-bye", f"{team} was granted no bye in round {round_number}.")
    seen = Round.objects.filter(stage__tournament=team.tournament, stage__number=1, number=round_number)
    if seen.exclude(state__in=[RoundState.PAIRED, RoundState.SCRAPPED]).exists():
        raise RuleBroken(
            "already-paired", f"Round {round_number} is published; change its pairings there instead."
        )
    before = {"round": round_number, "reason": grant.reason}
    grant.delete()
    repair_draft(team.tournament, actor)
    _record(team, DeedKind.BYE_REVOKED, actor, before=before, after={"round": round_number}, reason=reason)
    return team


@transaction.atomic
def check_in_team(*, team_id: int, actor: Actor) -> Team:
    """The team is here."""
    team = _lock_team(team_id)
    if team.state == TeamState.CHECKED_IN:
        raise RuleBroken("here-already", f"{team} is checked in already.")
    if team.state == TeamState.WAITLISTED:
        raise RuleBroken("waits", f"{team} is on the waiting list and has no place yet.")
    check_move(str(team), TeamState(team.state), TeamState.CHECKED_IN)
    team.state = TeamState.CHECKED_IN
    team.save(update_fields=["state"])
    _record(team, DeedKind.TEAM_CHECKED_IN, actor)
    return team


@transaction.atomic
def undo_check_in(*, team_id: int, actor: Actor, reason: str = "", undoes: Deed | None = None) -> Team:
    """The team is registered, not here yet."""
    team = _lock_team(team_id)
    check_move(str(team), TeamState(team.state), TeamState.REGISTERED)
    if team.state != TeamState.CHECKED_IN:
        raise RuleBroken(
            "not-checked-in", f"{team} is {team.state}; only a checked-in team can be checked out."
        )
    team.state = TeamState.REGISTERED
    team.save(update_fields=["state"])
    _record(team, DeedKind.CHECK_IN_TAKEN_BACK, actor, reason=reason, undoes=undoes)
    return team


@transaction.atomic
def promote_team(*, team_id: int, actor: Actor) -> Team:
    """A team of the waiting list has a place, out of turn, beyond the capacity if the organizer says so."""
    team = _lock_team(team_id)
    if team.state != TeamState.WAITLISTED:
        raise RuleBroken("not-waiting", f"{team} is {team.state}; only a waiting team can be given a place.")
    team.state = TeamState.REGISTERED
    team.save(update_fields=["state"])
    tournament = team.tournament
    labels = modes.mode_of(tournament.mode).labels
    if tournament.state == TournamentState.RUNNING and seats.is_complete(team, labels):
        enter_late(tournament, team, actor)
    _record(team, DeedKind.TEAM_PROMOTED, actor, after={"state": team.state})
    return team


@transaction.atomic
def promote_next(*, tournament_id: int, actor: Actor) -> Team:
    """The team that waits longest has a place; refused while no place is free."""
    tournament = lock_one(Tournament, tournament_id)
    waiting = Team.objects.filter(tournament=tournament, state=TeamState.WAITLISTED).order_by("number")
    first = waiting.values_list("pk", flat=True).first()
    if first is None:
        raise RuleBroken("nobody-waits", "Nobody is on the waiting list.")
    if state_by_capacity(tournament) is TeamState.WAITLISTED:
        raise RuleBroken(
            "full", f"All {tournament.capacity} places are taken; open the team to give it one beyond them."
        )
    return promote_team(team_id=first, actor=actor)


@transaction.atomic
def withdraw_team(*, team_id: int, actor: Actor, reason: str = "") -> Team:
    """The team is out before it played, its members are free, and the first on the waiting list moves up."""
    team = _lock_team(team_id)
    if team.state == TeamState.PLAYING:
        raise RuleBroken("already-playing", f"{team} is playing; drop it instead of withdrawing it.")
    check_move(str(team), TeamState(team.state), TeamState.WITHDRAWN)
    before = team.state
    team.state = TeamState.WITHDRAWN
    team.save(update_fields=["state"])
    seats.vacate(team)
    promoted = _promote_one(team.tournament, actor)
    _record(
        team,
        DeedKind.TEAM_WITHDRAWN,
        actor,
        before={"state": before},
        after={"promoted": promoted},
        reason=reason,
    )
    return team


@transaction.atomic
def readmit_team(*, team_id: int, actor: Actor) -> Team:
    """A withdrawn team is registered again, with the same people, or on the waiting list when it is full."""
    team = _lock_team(team_id)
    if team.state != TeamState.WITHDRAWN:
        raise RuleBroken(
            "not-withdrawn", f"{team} is {team.state}; only a withdrawn team can be registered again."
        )
    seats.reseat(team)
    if not team.seats.filter(is_live=True).exists():
        raise RuleBroken("nobody-left", "Who was in this team plays in another one; enter a new team.")
    team.state = TeamState.REGISTERED if team.is_solo else state_by_capacity(team.tournament)
    team.save(update_fields=["state"])
    tournament = team.tournament
    labels = modes.mode_of(tournament.mode).labels
    if tournament.state == TournamentState.RUNNING and seats.is_complete(team, labels):
        enter_late(tournament, team, actor)
    _record(team, DeedKind.TEAM_REINSTATED, actor, after={"state": team.state})
    return team


def _new_team(tournament: Tournament, name: str, group: str, fixed_table: int | None, is_solo: bool) -> Team:
    number = next_number(tournament)
    return Team.objects.create(
        tournament=tournament,
        number=number,
        name=clean_name(name, "team name") if name.strip() else "",
        lot=lot_of(tournament, number),
        state=TeamState.REGISTERED if is_solo else state_by_capacity(tournament),
        is_solo=is_solo,
        group=clean_group(group),
        fixed_table=_free_table(tournament.pk, fixed_table),
        registered_at=now(),
    )


def _found_partner(team: Team, tournament: Tournament) -> None:
    """Who looked for a partner is a team now, which needs a place of its own."""
    state = state_by_capacity(tournament)
    team.is_solo = False
    team.state = TeamState(team.state) if state is TeamState.REGISTERED else state
    team.save(update_fields=["is_solo", "state"])


def next_number(tournament: Tournament) -> int:
    return int(Team.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0) + 1


def lot_of(tournament: Tournament, number: int) -> int:
    """Drawn once from the tournament's stored seed, so that anybody can draw it again."""
    return Random(f"lot:{tournament.seed}:{number}").getrandbits(48)


def places_taken(tournament: Tournament) -> int:
    """How many teams have a place; a lone player who looks for a partner has none yet."""
    return Team.objects.filter(tournament=tournament, state__in=TAKES_A_PLACE, is_solo=False).count()


def state_by_capacity(tournament: Tournament) -> TeamState:
    """Registered while a place is free, else on the waiting list."""
    if tournament.capacity is not None and places_taken(tournament) >= tournament.capacity:
        return TeamState.WAITLISTED
    return TeamState.REGISTERED


def _promote_one(tournament: Tournament, actor: Actor) -> int | None:
    """Who waits longest has the place that came free; the team's id, None where nobody may move up."""
    if (
        state_by_capacity(tournament) is TeamState.WAITLISTED
        or tournament.state != TournamentState.REGISTRATION
    ):
        return None
    first = Team.objects.filter(tournament=tournament, state=TeamState.WAITLISTED).order_by("number").first()
    if first is None:
        return None
    first.state = TeamState.REGISTERED
    first.save(update_fields=["state"])
    _record(first, DeedKind.TEAM_PROMOTED, actor, after={"state": first.state})
    return first.pk


def _free_seed(team: Team, seed: int | None) -> int | None:
    """The start seed, if no other team has it and the elimination is not made yet."""
    if seed == team.seed:
        return seed
    if team.tournament.state not in (TournamentState.DRAFT, TournamentState.REGISTRATION):
        raise RuleBroken("seeds-frozen", "Seeds are frozen at the start.")
    if seed is None:
        return None
    if seed < 1:
        raise RuleBroken("wrong-seed", "Seeds are numbered from 1, the best team.")
    other = Team.objects.filter(tournament=team.tournament, seed=seed).exclude(pk=team.pk).first()
    if other is not None and other.state != TeamState.WITHDRAWN:
        raise RuleBroken("seed-taken", f"Seed {seed} is {other}; give every team another seed.")
    return seed


def _free_table(tournament_id: int, table: int | None, but: int | None = None) -> int | None:
    if table is None:
        return None
    if table < 1:
        raise RuleBroken("wrong-table", "Tables are numbered from 1.")
    owner = (
        Team.objects.filter(tournament_id=tournament_id, fixed_table=table)
        .exclude(pk=but or 0)
        .exclude(state__in=[TeamState.WITHDRAWN, TeamState.DROPPED, TeamState.DISQUALIFIED])
        .first()
    )
    if owner is not None:
        raise RuleBroken("table-taken", f"Table {table} is fixed for {owner}; choose another number.")
    return table


def _lock_team(team_id: int) -> Team:
    found = Team.objects.filter(pk=team_id).values_list("tournament_id", flat=True).first()
    if found is None:
        raise RuleBroken("not-found", "There is no such team any more; reload the page.")
    tournament = lock_one(Tournament, found)
    team = lock_one(Team, team_id)
    team.tournament = tournament
    return team


def _record(team: Team, kind: DeedKind, actor: Actor, **more: object) -> None:
    record(tournament_id=team.tournament_id, kind=kind, actor=actor, subject=f"team:{team.pk}", **more)  # type: ignore[arg-type]
