"""Who may do what in one tournament: roles mapped to permissions in one table."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from django.db import transaction
from django.db.models import QuerySet

from journal.actors import Actor
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook.errors import RuleBroken
from teams.models import User
from tournaments.models import Staff, Tournament

Role = Staff.Role


class Can(StrEnum):
    """What somebody may do, each one thing a door asks before it calls a service."""

    VIEW = "view"
    SETTINGS = "settings"
    REGISTER = "register"
    PAIR = "pair"
    RUN_CLOCK = "run-clock"
    RESULTS = "results"
    CORRECT = "correct"
    DROP = "drop"
    DISQUALIFY = "disqualify"
    PENALTIES = "penalties"
    DECKLISTS = "decklists"
    PRIZES = "prizes"
    ERASE = "erase"
    STAFF = "staff"

    @property
    def words(self) -> str:
        """What it is, as somebody who gives a role reads it."""
        return IN_WORDS[self]


IN_WORDS: Mapping[Can, str] = {
    Can.VIEW: "see the desk, its journal and drafts",
    Can.SETTINGS: "change settings, open, start, finish and cancel the tournament",
    Can.REGISTER: "enter and change teams, check them in, make personal links",
    Can.PAIR: "pair, repair and publish rounds, make the cut",
    Can.RUN_CLOCK: "start, stop and close rounds",
    Can.RESULTS: "enter and confirm results",
    Can.CORRECT: "correct results that count already",
    Can.DROP: "drop teams and take them back",
    Can.DISQUALIFY: "disqualify",
    Can.PENALTIES: "give penalties",
    Can.DECKLISTS: "read deck lists",
    Can.PRIZES: "award prizes and mark them as paid",
    Can.ERASE: "erase a person's name and contact",
    Can.STAFF: "invite staff and take roles away",
}
ALL = frozenset(Can)
ROLES: dict[str, frozenset[Can]] = {
    Role.ORGANIZER: ALL,
    Role.HEAD_JUDGE: ALL - {Can.SETTINGS, Can.STAFF, Can.ERASE, Can.PRIZES},
    Role.JUDGE: frozenset({Can.VIEW, Can.RESULTS, Can.DROP, Can.PENALTIES, Can.DECKLISTS}),
    Role.SCOREKEEPER: frozenset(
        {Can.VIEW, Can.REGISTER, Can.PAIR, Can.RUN_CLOCK, Can.RESULTS, Can.CORRECT, Can.DROP}
    ),
    Role.VIEWER: frozenset({Can.VIEW}),
}


def powers_of(user: User, tournament_id: int) -> frozenset[Can]:
    """Everything the user may do in the tournament; nothing for a stranger, all for a superuser."""
    if not user.is_active:
        return frozenset()
    if user.is_superuser:
        return ALL
    return powers_in(Staff.objects.filter(tournament_id=tournament_id, user_id=user.pk))


def powers_in(rows: Iterable[Staff]) -> frozenset[Can]:
    """What somebody may do who has all these roles."""
    return frozenset().union(*(ROLES[row.role] for row in rows))


def may(user: User, tournament_id: int, can: Can) -> bool:
    """The user may do it."""
    return can in powers_of(user, tournament_id)


def served_by(user: User) -> "QuerySet[Tournament]":
    """The tournaments in which the user serves; every door scopes by this first."""
    if not user.is_active or not user.is_authenticated:
        return Tournament.objects.none()
    if user.is_superuser:
        return Tournament.objects.all()
    return Tournament.objects.filter(pk__in=Staff.objects.filter(user_id=user.pk).values("tournament_id"))


def served_with(user: User, can: Can) -> "QuerySet[Tournament]":
    """The tournaments in which the user may do it."""
    if user.is_superuser or not user.is_active or not user.is_authenticated:
        return served_by(user)
    roles = [role for role, powers in ROLES.items() if can in powers]
    own = Staff.objects.filter(user_id=user.pk, role__in=roles)
    return Tournament.objects.filter(pk__in=own.values("tournament_id"))


@transaction.atomic
def appoint(*, tournament_id: int, user_id: int, role: str, actor: Actor) -> Staff:
    """The user serves in the role."""
    if role not in ROLES:
        raise RuleBroken("unknown-role", f"There is no role {role}. Choose one of: {', '.join(ROLES)}.")
    lock_one(Tournament, tournament_id)
    staff, _ = Staff.objects.get_or_create(tournament_id=tournament_id, user_id=user_id, role=role)
    record(
        tournament_id=tournament_id,
        kind=DeedKind.STAFF_APPOINTED,
        actor=actor,
        subject=f"user:{user_id}",
        after={"role": role},
    )
    return staff


@transaction.atomic
def dismiss(*, staff_id: int, actor: Actor) -> None:
    """The user serves no more in that role; the last organizer cannot be dismissed."""
    gone = RuleBroken("not-found", "That role was taken away already; reload the page.")
    found = Staff.objects.filter(pk=staff_id).first()
    if found is None:
        raise gone
    lock_one(Tournament, found.tournament_id)
    staff = Staff.objects.filter(pk=staff_id).first()
    if staff is None:
        raise gone
    organizers = Staff.objects.filter(tournament_id=staff.tournament_id, role=Role.ORGANIZER)
    if staff.role == Role.ORGANIZER and organizers.count() == 1:
        raise RuleBroken("last-organizer", "Appoint another organizer before you dismiss the last one.")
    staff.delete()
    record(
        tournament_id=staff.tournament_id,
        kind=DeedKind.STAFF_DISMISSED,
        actor=actor,
        subject=f"user:{staff.user_id}",
        before={"role": staff.role},
    )
