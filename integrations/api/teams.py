"""Deeds on teams: entering, changing, checking in, leaving and coming back."""

from functools import partial
from typing import Any

from django.db import transaction
from rest_framework.exceptions import ValidationError

from integrations.api.answers import TEAM_TOLD
from integrations.api.fields import Because, Body, Flag, Id, Number, One, Words, counts, several
from integrations.api.operations import Answer, Call, Operation
from integrations.api.people import MEMBER, MemberBody, PersonBody, person
from integrations.api.places import PLAYER, SEAT, STORE, TEAM, TOURNAMENT
from integrations.api.rows import PLAYER_TOLD, LinkSerializer
from integrations.scopes import Scope
from teams.links import make_link, revoke_links
from teams.models import Player, Team
from teams.people import rename_player
from tournaments.erasing import erase_person
from tournaments.models import ByeGrant
from tournaments.registration import (
    change_team,
    check_in_team,
    fill_seat,
    grant_bye,
    promote_team,
    readmit_team,
    register_team,
    revoke_bye,
    sit_out,
    swap_seats,
    undo_check_in,
    withdraw_team,
)
from tournaments.signing_up import confirm_entry, settle_namesake
from tournaments.solos import join_solos
from tournaments.staff import Can
from tournaments.withdrawals import disqualify_player, drop_player, drop_team, reinstate_team

ENTERING = partial(Operation, scope=Scope.TEAMS_WRITE, can=Can.REGISTER, place=TEAM, answer=TEAM_TOLD)
BYES = partial(Operation, scope=Scope.ROUNDS_WRITE, can=Can.PAIR, place=TEAM, answer=TEAM_TOLD)
AT = "teams/<int:pk>"


class RegisterBody(Body):
    """A team; a seat that is left out may be filled later."""

    name = Words(max_length=120, required=False, allow_blank=True, default="")
    group = Words(max_length=60, required=False, allow_blank=True, default="", help_text="club or family")
    fixed_table = Number(min_value=1, max_value=99_999, required=False)
    is_solo = Flag(required=False, default=False, help_text="one player who looks for a partner")
    members = several(MemberBody, min_length=1, max_length=12)


class ChangeTeamBody(Body):
    """What may change of a team; 0 as table or seed takes it away."""

    name = Words(max_length=120, required=False, allow_blank=True)
    group = Words(max_length=60, required=False, allow_blank=True)
    fixed_table = Number(max_value=99_999, required=False)
    seed = Number(max_value=999_999, required=False)


class LeaveBody(Body):
    """Who leaves takes the team along; `score` are games won so far, in the order of the sides."""

    player = Id(required=False, help_text="the member who leaves; left out: the whole team")
    reason = Words(required=False, allow_blank=True, default="")
    score = counts("games won so far, side by side", required=False, default=list)
    draws = Number(max_value=99, required=False, default=0)


class DisqualifyBody(Body):
    player = Id(help_text="the member who is disqualified; the team goes with him")
    reason = Words()
    score = counts("games won so far, side by side", required=False, default=list)
    draws = Number(max_value=99, required=False, default=0)


class RoundBody(Body):
    round = Number(min_value=1, max_value=99)


class ByeBody(RoundBody):
    kind = One(choices=ByeGrant.Reason.values, required=False, default=ByeGrant.Reason.AWARDED.value)


class RevokeByeBody(RoundBody):
    reason = Words(required=False, allow_blank=True, default="")


class SoloBody(Body):
    seat = Words(max_length=1)
    team = Id(help_text="somebody who looks for a partner")


class JoinBody(Body):
    """Lone players who are one team from now on, each on a seat."""

    members = several(SoloBody, min_length=2, max_length=12)
    name = Words(max_length=120, required=False, allow_blank=True, default="")


class NamesakeBody(Body):
    """Who signed up is a known player of the same name, or nobody the store knew."""

    player = Id(help_text="who signed up")
    known = Id(allow_null=True, help_text="the known player it is; null: a new one")
    mark = Words(
        max_length=40, required=False, allow_blank=True, default="", help_text="tells a new one apart"
    )


class RenameBody(Body):
    name = Words(max_length=120)
    display_name = Words(max_length=120, required=False, allow_blank=True, default="")


def _register(call: Call) -> Team:
    data = call.data
    store_id = call.row.store_id
    members = [(said["seat"], person(store_id, said)) for said in data["members"]]
    return register_team(
        tournament_id=call.row.pk,
        members=members,
        actor=call.actor,
        name=data["name"],
        group=data["group"],
        fixed_table=data.get("fixed_table"),
        is_solo=data["is_solo"],
    )


def _fill(call: Call) -> Team:
    player_id = person(call.row.tournament.store_id, call.data)
    return fill_seat(team_id=call.row.pk, label=call.data["seat"], player_id=player_id, actor=call.actor)


def _drop(call: Call) -> Team:
    data = dict(call.data)
    if "player" not in data:
        return drop_team(team_id=call.row.pk, actor=call.actor, reason=data["reason"])
    return drop_player(
        tournament_id=call.row.tournament_id, player_id=_member(call), actor=call.actor, **_left(data)
    )


def _disqualify(call: Call) -> Team:
    return disqualify_player(
        tournament_id=call.row.tournament_id, player_id=_member(call), actor=call.actor, **_left(call.data)
    )


def _left(data: Any) -> dict[str, Any]:
    return {key: data[key] for key in ("reason", "score", "draws")}


def _member(call: Call) -> int:
    """The player of the body, if he is a member of the team of the address; 400 otherwise."""
    player_id = int(call.data["player"])
    if not call.row.seats.filter(player_id=player_id).exists():
        raise ValidationError({"player": "That player is not in this team."})
    return player_id


def _join(call: Call) -> Team:
    members = [(one["seat"], one["team"]) for one in call.data["members"]]
    name = call.data["name"]
    return join_solos(tournament_id=call.row.pk, members=members, name=name, actor=call.actor)


def _settle(call: Call) -> Team:
    said = {"player_id": call.data["player"], "known_id": call.data["known"], "mark": call.data["mark"]}
    return settle_namesake(team_id=call.row.pk, actor=call.actor, **said)


def _add_player(call: Call) -> Player:
    return Player.objects.get(pk=person(call.row.pk, call.data))


@transaction.atomic
def _link(call: Call) -> dict[str, Any]:
    revoke_links(seat_id=call.row.pk, actor=call.actor)
    return {"seat": call.row.pk, "path": f"/me/{make_link(seat_id=call.row.pk, actor=call.actor)}/"}


def _of_team(service: Any) -> Any:
    """The service is called for the team, with the body as it is."""
    return lambda call: service(team_id=call.row.pk, actor=call.actor, **call.data)


TEAMS = [
    Operation(
        name="teams_register",
        path="tournaments/<slug:slug>/teams/",
        scope=Scope.TEAMS_WRITE,
        can=Can.REGISTER,
        place=TOURNAMENT,
        body=RegisterBody,
        run=_register,
        answer=TEAM_TOLD,
        status=201,
        says="The team is in, or on the waiting list when the tournament is full.",
        example={"name": "Sea Foxes", "members": [MEMBER, {"seat": "B", "name": "Bo Lund"}]},
    ),
    ENTERING(
        name="teams_change",
        path=f"{AT}/",
        method="PATCH",
        body=ChangeTeamBody,
        run=_of_team(change_team),
        says="The team has the new name, club, fixed table or start seed.",
        example={"name": "Sea Foxes", "fixed_table": 12},
    ),
    ENTERING(
        name="teams_fill_seat",
        path=f"{AT}/seats/",
        body=MemberBody,
        run=_fill,
        says="The player sits on the empty seat.",
        example={"seat": "B", "name": "Bo Lund", "source": "shop", "external_id": "4712"},
    ),
    ENTERING(
        name="teams_swap_seats",
        path=f"{AT}/swap-seats/",
        run=_of_team(swap_seats),
        says="A and B changed seats.",
    ),
    ENTERING(
        name="teams_check_in", path=f"{AT}/check-in/", run=_of_team(check_in_team), says="The team is here."
    ),
    ENTERING(
        name="teams_undo_check_in",
        path=f"{AT}/undo-check-in/",
        body=Because,
        run=_of_team(undo_check_in),
        says="The team is registered, not here yet.",
        example={"reason": "somebody else with that name"},
    ),
    ENTERING(
        name="teams_promote",
        path=f"{AT}/promote/",
        run=_of_team(promote_team),
        says="The team of the waiting list has a place, out of turn.",
    ),
    ENTERING(
        name="teams_confirm_entry",
        path=f"{AT}/confirm-entry/",
        run=_of_team(confirm_entry),
        says="Who signed up is confirmed without an e-mail.",
    ),
    ENTERING(
        name="teams_settle_namesake",
        path=f"{AT}/settle-namesake/",
        body=NamesakeBody,
        run=_settle,
        says="It is settled who signed up under a name that is known.",
        example={"player": 31, "known": None, "mark": "the younger"},
    ),
    ENTERING(
        name="teams_join",
        path="tournaments/<slug:slug>/join-solos/",
        place=TOURNAMENT,
        body=JoinBody,
        run=_join,
        says="Lone players are one team.",
        example={"members": [{"seat": "A", "team": 17}, {"seat": "B", "team": 21}]},
    ),
    ENTERING(
        name="teams_withdraw",
        path=f"{AT}/withdraw/",
        body=Because,
        run=_of_team(withdraw_team),
        says="The team is out before it played, and the first of the waiting list moves up.",
        example={"reason": "ill"},
    ),
    ENTERING(
        name="teams_readmit",
        path=f"{AT}/readmit/",
        run=_of_team(readmit_team),
        says="A withdrawn team is registered again, or on the waiting list.",
    ),
    ENTERING(
        name="teams_drop",
        path=f"{AT}/drop/",
        can=Can.DROP,
        body=LeaveBody,
        run=_drop,
        says="The team has left by choice and keeps its row in the standings.",
        example={"reason": "has to catch a train", "score": [1, 0]},
    ),
    ENTERING(
        name="teams_reinstate",
        path=f"{AT}/reinstate/",
        can=Can.DROP,
        body=Because,
        run=_of_team(reinstate_team),
        says="The team plays on with its history.",
        example={"reason": "dropped by mistake"},
    ),
    ENTERING(
        name="teams_disqualify",
        path=f"{AT}/disqualify/",
        scope=Scope.PENALTIES_WRITE,
        can=Can.DISQUALIFY,
        body=DisqualifyBody,
        run=_disqualify,
        says="The team is removed by ruling and out of the ranking.",
        example={"player": 31, "reason": "cheating"},
    ),
    BYES(
        name="teams_sit_out",
        path=f"{AT}/sit-out/",
        body=RoundBody,
        run=lambda call: sit_out(team_id=call.row.pk, round_number=call.data["round"], actor=call.actor),
        says="The team is not paired in that round and stays in the tournament.",
        example={"round": 3},
    ),
    BYES(
        name="teams_sit_in",
        path=f"{AT}/sit-in/",
        run=lambda call: sit_out(team_id=call.row.pk, round_number=None, actor=call.actor),
        says="The team plays every round.",
    ),
    BYES(
        name="teams_grant_bye",
        path=f"{AT}/byes/",
        body=ByeBody,
        run=lambda call: grant_bye(
            team_id=call.row.pk, round_number=call.data["round"], actor=call.actor, reason=call.data["kind"]
        ),
        status=201,
        says="The team has a bye in that round, also when the round is paired again.",
        example={"round": 1, "kind": "awarded"},
    ),
    BYES(
        name="teams_revoke_bye",
        path=f"{AT}/byes/revoke/",
        body=RevokeByeBody,
        run=lambda call: revoke_bye(
            team_id=call.row.pk, round_number=call.data["round"], actor=call.actor, reason=call.data["reason"]
        ),
        says="The team plays in that round after all.",
        example={"round": 1},
    ),
    ENTERING(
        name="seats_make_link",
        path="seats/<int:pk>/link/",
        place=SEAT,
        run=_link,
        answer=Answer(LinkSerializer, lambda made, call: made),
        status=201,
        secrets=("path",),
        says="The seat has a new personal link; older ones do not work any more.",
    ),
    Operation(
        name="players_add",
        path="stores/<slug:slug>/players/",
        scope=Scope.TEAMS_WRITE,
        can=None,
        place=STORE,
        body=PersonBody,
        run=_add_player,
        answer=PLAYER_TOLD,
        status=201,
        says="The store knows the player; one with the same source and id is told, not doubled.",
        example={"name": "Anna Berg", "source": "shop", "external_id": "4711"},
    ),
    Operation(
        name="players_rename",
        path="players/<int:pk>/",
        method="PATCH",
        scope=Scope.TEAMS_WRITE,
        can=None,
        place=PLAYER,
        body=RenameBody,
        run=lambda call: rename_player(player_id=call.row.pk, actor=call.actor, **call.data),
        answer=PLAYER_TOLD,
        says="The player has the new name everywhere.",
        example={"name": "Anna Berg", "display_name": "Anna B."},
    ),
    Operation(
        name="players_erase",
        path="players/<int:pk>/erase/",
        scope=Scope.STAFF,
        can=None,
        place=PLAYER,
        run=lambda call: erase_person(player_id=call.row.pk, actor=call.actor),
        answer=PLAYER_TOLD,
        says="Nothing tells any more who the player was; results stay.",
    ),
]
