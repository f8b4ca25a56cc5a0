"""An old tournament once more: its settings and its staff, and if wanted its teams."""

from datetime import datetime

from django.db import transaction

from journal.actors import Actor
from journal.locks import lock_one
from rulebook import modes
from rulebook.lifecycle import TeamState
from teams.models import Player, Seat, Team
from tournaments.day_plan import without_moments
from tournaments.models import Staff, Tournament
from tournaments.planning import change_plan
from tournaments.registration import register_teams
from tournaments.setting_up import EDITABLE, create_tournament, open_registration
from tournaments.staff import appoint

# What belongs to one day only, and what the new tournament is given anew.
NOT_COPIED = frozenset({"name", "starts_at", "planned_rounds"})


@transaction.atomic
def clone_tournament(
    *,
    tournament_id: int,
    name: str,
    actor: Actor,
    organizer_id: int | None = None,
    starts_at: datetime | None = None,
    with_teams: bool = False,
    seed: int | None = None,
) -> Tournament:
    """There is a draft with the settings and the staff of the old tournament, in the mode's newest edition.

    Its plan of the day comes along without the moments that were of that day.

    With its teams, registration is open and every team that was complete is in, under a new number, without
    the people who have been erased since; otherwise it is a draft without teams."""
    old = lock_one(Tournament, tournament_id)
    settings = {field: getattr(old, field) for field in EDITABLE - NOT_COPIED}
    new = create_tournament(
        store_id=old.store_id,
        name=name,
        mode=old.mode,
        actor=actor,
        planned_rounds=old.planned_rounds,
        organizer_id=organizer_id,
        seed=seed,
        starts_at=starts_at,
        **settings,
    )
    if old.plan:
        change_plan(tournament_id=new.pk, plan=without_moments(old.plan), actor=actor)
    for staff in Staff.objects.filter(tournament=old).order_by("id"):
        if (staff.user_id, staff.role) != (organizer_id, Staff.Role.ORGANIZER):
            appoint(tournament_id=new.pk, user_id=staff.user_id, role=staff.role, actor=actor)
    if with_teams:
        open_registration(tournament_id=new.pk, actor=actor)
        _copy_teams(old, new, actor)
    new.refresh_from_db()
    return new


def _copy_teams(old: Tournament, new: Tournament, actor: Actor) -> None:
    """Complete teams as they last sat, up to the capacity; groups and fixed tables come along."""
    labels = set(modes.mode_of(old.mode).labels)
    erased = Player.objects.filter(store_id=old.store_id).exclude(erased_at=None)
    teams = Team.objects.filter(tournament=old).exclude(state__in=[TeamState.WITHDRAWN, TeamState.WAITLISTED])
    seated: dict[int, dict[str, int]] = {}
    for seat in Seat.objects.filter(team__in=teams, is_reserve=False).order_by("is_live", "id"):
        seated.setdefault(seat.team_id, {})[seat.label] = seat.player_id
    copied, taken = [], set(erased.values_list("pk", flat=True))
    for team in teams.order_by("number"):
        members = seated.get(team.pk, {})
        if set(members) == labels and not taken & set(members.values()):
            taken |= set(members.values())
            copied.append((team, members))
    copied = copied[: new.capacity]
    made = register_teams(
        tournament_id=new.pk,
        members=[members for _, members in copied],
        names=[team.name for team, _ in copied],
        actor=actor,
    )
    for (before, _), team in zip(copied, made, strict=True):
        team.group, team.fixed_table = before.group, before.fixed_table
    Team.objects.bulk_update(made, ["group", "fixed_table"])
