"""Penalties, and who serves in the tournament."""

from typing import Any

from django.db.models import Q
from rest_framework.exceptions import ValidationError

from integrations.api.answers import VERSION_TOLD
from integrations.api.fields import Body, Id, One, Words, counts, ids
from integrations.api.operations import Answer, Call, Operation
from integrations.api.places import INVITATION, PENALTY, STAFF_ROW, TOURNAMENT
from integrations.api.rows import PENALTIES_TOLD, PENALTY_TOLD, STAFF_TOLD, InvitationSerializer
from integrations.scopes import Scope
from teams.models import User
from tournaments.invitations import invite_staff, revoke_invitation, token_of
from tournaments.models import Invitation, Penalty, Staff
from tournaments.penalties import give_penalties, serve_penalty, take_back_penalty
from tournaments.staff import Can, appoint, dismiss

AT = "tournaments/<slug:slug>"


class GiveBody(Body):
    """The same for each player; `score` are games won so far at the table, where none were recorded."""

    players = ids(min_length=1, max_length=12)
    infraction = Words(max_length=200)
    level = One(choices=Penalty.Level.values)
    match = Id(required=False, help_text="default: the match the team plays")
    note = Words(required=False, allow_blank=True, default="")
    score = counts("games won so far, side by side", required=False, default=list)


class ServeBody(Body):
    match = Id()
    score = counts("games won so far, side by side", required=False, default=list)


class TakeBackBody(Body):
    reason = Words()


class AppointBody(Body):
    username = Words(max_length=254, help_text="the user name or e-mail address of an account")
    role = One(choices=Staff.Role.values)


class InviteBody(Body):
    role = One(choices=Staff.Role.values)


def _give(call: Call) -> Any:
    data = call.data
    if data["level"] == Penalty.Level.DISQUALIFICATION:
        call.require(call.row.pk, Scope.PENALTIES_WRITE, Can.DISQUALIFY)
    return give_penalties(
        tournament_id=call.row.pk,
        player_ids=data["players"],
        infraction=data["infraction"],
        level=data["level"],
        match_id=data.get("match"),
        note=data["note"],
        score=data["score"],
        actor=call.actor,
    )


def _take_back(call: Call) -> Penalty:
    if call.row.level == Penalty.Level.DISQUALIFICATION:
        call.require(call.row.tournament_id, Scope.PENALTIES_WRITE, Can.DISQUALIFY)
    return take_back_penalty(penalty_id=call.row.pk, actor=call.actor, reason=call.data["reason"])


def _serve(call: Call) -> Penalty:
    given = serve_penalty(
        penalty_id=call.row.pk, match_id=call.data["match"], score=call.data["score"], actor=call.actor
    )
    return given.penalties[0]


def _appoint(call: Call) -> Staff:
    said = call.data["username"]
    named = Q(username__iexact=said) | Q(email__iexact=said)
    found = list(User.objects.filter(named, is_active=True)[:2])
    if len(found) != 1:
        raise ValidationError({"username": "There is no account of that name; send an invitation instead."})
    return appoint(tournament_id=call.row.pk, user_id=found[0].pk, role=call.data["role"], actor=call.actor)


def _told_invitation(made: Invitation, call: Call) -> Invitation:
    is_new = made.used_at is None and made.revoked_at is None
    made.path = f"/join/{token_of(made)}/" if is_new else ""  # type: ignore[attr-defined]
    return made


INVITATION_TOLD = Answer(InvitationSerializer, _told_invitation)
PENALTIES = [
    Operation(
        name="penalties_give",
        path=f"{AT}/penalties/",
        scope=Scope.PENALTIES_WRITE,
        can=Can.PENALTIES,
        place=TOURNAMENT,
        body=GiveBody,
        run=_give,
        answer=PENALTIES_TOLD,
        status=201,
        says="Each player has the penalty, and his team what follows from it.",
        example={"players": [31], "infraction": "tardiness", "level": "warning"},
    ),
    Operation(
        name="penalties_serve",
        path="penalties/<int:pk>/serve/",
        scope=Scope.PENALTIES_WRITE,
        can=Can.PENALTIES,
        place=PENALTY,
        body=ServeBody,
        run=_serve,
        answer=PENALTY_TOLD,
        says="The loss that was owed is taken at this match.",
        example={"match": 204},
    ),
    Operation(
        name="penalties_take_back",
        path="penalties/<int:pk>/take-back/",
        scope=Scope.PENALTIES_WRITE,
        can=Can.PENALTIES,
        place=PENALTY,
        body=TakeBackBody,
        run=_take_back,
        answer=PENALTY_TOLD,
        says="The penalty counts no more and is no history.",
        example={"reason": "the wrong player"},
    ),
]
STAFF = [
    Operation(
        name="staff_appoint",
        path=f"{AT}/staff/",
        scope=Scope.STAFF,
        can=Can.STAFF,
        place=TOURNAMENT,
        body=AppointBody,
        run=_appoint,
        answer=STAFF_TOLD,
        status=201,
        says="The account serves in the role.",
        example={"username": "judge", "role": "judge"},
    ),
    Operation(
        name="staff_dismiss",
        path="staff/<int:pk>/dismiss/",
        scope=Scope.STAFF,
        can=Can.STAFF,
        place=STAFF_ROW,
        run=lambda call: dismiss(staff_id=call.row.pk, actor=call.actor),
        answer=VERSION_TOLD,
        says="The account serves no more in that role.",
    ),
    Operation(
        name="staff_invite",
        path=f"{AT}/invitations/",
        scope=Scope.STAFF,
        can=Can.STAFF,
        place=TOURNAMENT,
        body=InviteBody,
        run=lambda call: invite_staff(tournament_id=call.row.pk, actor=call.actor, **call.data),
        answer=INVITATION_TOLD,
        status=201,
        secrets=("path",),
        says="There is a link to the role that works once, for seven days.",
        example={"role": "judge"},
    ),
    Operation(
        name="staff_revoke_invitation",
        path="invitations/<int:pk>/revoke/",
        scope=Scope.STAFF,
        can=Can.STAFF,
        place=INVITATION,
        run=lambda call: revoke_invitation(invitation_id=call.row.pk, actor=call.actor),
        answer=INVITATION_TOLD,
        says="That link does not work any more.",
    ),
]
