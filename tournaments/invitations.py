"""Invitations: a link by which somebody takes a role in one tournament, once and for some days."""

from datetime import timedelta

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from rulebook.errors import RuleBroken
from teams.models import User
from teams.tokens import hash_of, token_for
from tournaments.models import Invitation, Staff, Tournament
from tournaments.staff import ROLES

GOOD_FOR = timedelta(days=7)
# Where a visitor's session keeps the link he came by, so that no address carries it any further.
INVITED_BY = "invitation"


@transaction.atomic
def invite_staff(
    *, tournament_id: int, role: str, actor: Actor, good_for: timedelta = GOOD_FOR
) -> Invitation:
    """There is one more link to the role; `token_of` tells it as long as the secret key stays."""
    if role not in ROLES:
        raise RuleBroken("unknown-role", f"There is no role {role}. Choose one of: {', '.join(ROLES)}.")
    lock_one(Tournament, tournament_id)
    made = now()
    invitation = Invitation.objects.create(
        tournament_id=tournament_id,
        role=role,
        token_hash=f"new-{tournament_id}-{made.timestamp()}",
        made_at=made,
        expires_at=made + good_for,
    )
    invitation.token_hash = hash_of(token_of(invitation))
    invitation.save(update_fields=["token_hash"])
    _record(invitation, DeedKind.STAFF_INVITED, actor, after={"role": role})
    return invitation


@transaction.atomic
def revoke_invitation(*, invitation_id: int, actor: Actor) -> Invitation:
    """The link opens nothing any more; one that was used already is refused."""
    invitation = _locked(invitation_id)
    if invitation.used_at is not None:
        raise RuleBroken("invitation-used", "That invitation was used; take the role away instead.")
    if invitation.revoked_at is None:
        invitation.revoked_at = now()
        invitation.save(update_fields=["revoked_at"])
        _record(invitation, DeedKind.INVITATION_REVOKED, actor, before={"role": invitation.role})
    return invitation


@transaction.atomic
def accept_invitation(*, token: str, user_id: int, actor: Actor) -> Staff:
    """The user serves in the invitation's role and may enter the admin; the link is used up.

    Whoever has the role already is refused and leaves the link to somebody else."""
    invitation = _locked(invitation_behind(token).pk)
    _check_good(invitation)
    user = User.objects.get(pk=user_id)
    if Staff.objects.filter(tournament=invitation.tournament, user=user, role=invitation.role).exists():
        role = invitation.get_role_display().lower()
        raise RuleBroken("serves-already", f"You are {role} of {invitation.tournament} already.")
    invitation.used_at, invitation.used_by = now(), user
    invitation.save(update_fields=["used_at", "used_by"])
    User.objects.filter(pk=user_id).update(is_staff=True)
    staff = Staff.objects.create(tournament=invitation.tournament, user=user, role=invitation.role)
    record(
        tournament_id=invitation.tournament_id,
        kind=DeedKind.STAFF_APPOINTED,
        actor=actor,
        subject=f"user:{user_id}",
        after={"role": invitation.role, "invitation": invitation.pk},
    )
    return staff


def invitation_behind(token: str) -> Invitation:
    """The invitation a link opens; `RuleBroken("invitation-dead")` where it opens nothing (any more)."""
    found = Invitation.objects.select_related("tournament__store").filter(token_hash=hash_of(token)).first()
    if found is None:
        raise RuleBroken("invitation-dead", "This link opens no invitation. Ask the organizer for a new one.")
    _check_good(found)
    return found


def token_of(invitation: Invitation) -> str:
    """The invitation's token, derived from the installation's secret, so that its link can be shown again."""
    said = f"invitation:{invitation.pk}:{invitation.tournament_id}:{invitation.role}"
    return token_for(said)


def why_dead(invitation: Invitation) -> str:
    """Why the link does not open any more, in a word; empty while it does."""
    if invitation.used_at is not None:
        return "used"
    if invitation.revoked_at is not None:
        return "revoked"
    return "expired" if invitation.expires_at <= now() else ""


def _check_good(invitation: Invitation) -> None:
    dead = why_dead(invitation)
    if dead:
        words = {"used": "was used already", "revoked": "was taken back", "expired": "has expired"}[dead]
        raise RuleBroken(
            "invitation-dead", f"This invitation {words}. Ask the organizer for a new one.", why=dead
        )


def _locked(invitation_id: int) -> Invitation:
    """The invitation as it is once its tournament is locked."""
    known = Invitation.objects.filter(pk=invitation_id).values_list("tournament_id", flat=True).first()
    if known is None:
        raise RuleBroken("not-found", "There is no such invitation any more; reload the page.")
    tournament = lock_one(Tournament, known)
    invitation = Invitation.objects.get(pk=invitation_id)
    invitation.tournament = tournament
    return invitation


def _record(invitation: Invitation, kind: DeedKind, actor: Actor, **more: object) -> None:
    record(
        tournament_id=invitation.tournament_id,
        kind=kind,
        actor=actor,
        subject=f"invitation:{invitation.pk}",
        **more,  # type: ignore[arg-type]
    )
