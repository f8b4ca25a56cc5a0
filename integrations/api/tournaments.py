"""Deeds on a whole tournament: its life, settings, cut, standings, announcements, undo."""

from functools import partial
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.exceptions import PermissionDenied, ValidationError

from integrations.api.answers import (
    NEW_TOURNAMENT_TOLD,
    ROUND_TOLD,
    TEAM_TOLD,
    TEAMS_TOLD,
    TOURNAMENT_TOLD,
    VERSION_TOLD,
)
from integrations.api.fields import Because, Body, Flag, Id, Number, Words, ids
from integrations.api.operations import Call, Operation
from integrations.api.places import ANNOUNCEMENT, NOWHERE, TOURNAMENT
from integrations.api.rows import ANNOUNCEMENT_TOLD, STAGE_TOLD
from integrations.api.settings_body import CHANGED, ChangeBody, CreateBody
from integrations.scopes import Scope
from journal.models import Deed
from teams.models import Store
from tournaments.announcements import announce, take_down
from tournaments.checkin import drop_absent
from tournaments.cloning import clone_tournament
from tournaments.cutting import finish_tournament, make_cut, reopen_tournament, undo_cut
from tournaments.drafting import seat_draft
from tournaments.models import Tournament
from tournaments.pairing import pair_round
from tournaments.registration import promote_next
from tournaments.setting_up import (
    cancel_tournament,
    change_tournament,
    create_tournament,
    open_registration,
    reopen_registration,
    revive_tournament,
    start_tournament,
)
from tournaments.showing import hide_standings, publish_standings
from tournaments.staff import Can
from tournaments.undoing import UNDO, undo

SETTING = partial(Operation, scope=Scope.STAFF, can=Can.SETTINGS, place=TOURNAMENT, answer=TOURNAMENT_TOLD)
PAIRING = partial(Operation, scope=Scope.ROUNDS_WRITE, can=Can.PAIR, place=TOURNAMENT)
ENTERING = partial(Operation, scope=Scope.TEAMS_WRITE, can=Can.REGISTER, place=TOURNAMENT)
AT = "tournaments/<slug:slug>"


class StartBody(Body):
    seeds = ids(required=False, default=list, help_text="teams of an elimination, best first; else by lot")


class CutBody(Body):
    size = Number(min_value=2, max_value=1024, required=False, help_text="default: the tournament's cut")
    tie_decision = Words(required=False, allow_blank=True, default="", help_text="how a tie was decided")
    won_by = ids(required=False, default=list, help_text="teams that won the last places at a table")


class RoundNumberBody(Body):
    after_round = Number(min_value=1, max_value=99, required=False, help_text="default: the last closed one")


class HideBody(RoundNumberBody):
    reason = Words(required=False, allow_blank=True, default="")


class AnnounceBody(Body):
    text = Words()


class AbsentBody(Body):
    teams = ids(min_length=1, help_text="those who were not there")


class UndoBody(Body):
    number = Id(help_text="the number of the deed in the journal")
    reason = Words(required=False, allow_blank=True, default="")


class CopyBody(Body):
    name = Words(max_length=120)
    with_teams = Flag(required=False, default=False)


def _create(call: Call) -> Tournament:
    data = dict(call.data)
    store = _store(call, data.pop("store", ""))
    key = call.caller.key
    return create_tournament(
        store_id=store.pk,
        organizer_id=key.created_by_id if key else call.caller.user.pk,
        actor=call.actor,
        **data,
    )


def _store(call: Call, slug: str) -> Store:
    """The store named, or the only one there is; 403 for whoever keeps none."""
    stores = list(call.caller.own_stores().order_by("pk")[:200])
    if not stores:
        raise PermissionDenied("Tournaments are made by who keeps a store, or by a key of a whole store.")
    found = [store for store in stores if store.slug == slug] if slug else stores
    if len(found) != 1:
        raise ValidationError({"store": f"Name one of: {', '.join(store.slug for store in stores)}."})
    return found[0]


def _copy(call: Call) -> Tournament:
    if not call.caller.own_stores().filter(pk=call.row.store_id).exists():
        raise PermissionDenied("Tournaments are copied by who keeps the store, or by a key of a whole store.")
    key = call.caller.key
    return clone_tournament(
        tournament_id=call.row.pk,
        organizer_id=key.created_by_id if key else call.caller.user.pk,
        actor=call.actor,
        **call.data,
    )


def _undo(call: Call) -> Deed:
    deed = get_object_or_404(Deed, tournament=call.row, number=call.data["number"])
    if deed.kind in UNDO:
        call.require(call.row.pk, Scope.STAFF, UNDO[deed.kind].can)
    return undo(deed_id=deed.pk, actor=call.actor, reason=call.data["reason"])


def _whole(service: Any) -> Any:
    """The service is called for the tournament, with the body as it is."""
    return lambda call: service(tournament_id=call.row.pk, actor=call.actor, **call.data)


TOURNAMENTS = [
    Operation(
        name="tournaments_create",
        path="tournaments/",
        scope=Scope.STAFF,
        can=None,
        place=NOWHERE,
        body=CreateBody,
        run=_create,
        answer=NEW_TOURNAMENT_TOLD,
        status=201,
        says="There is a new tournament, a draft.",
        example={"name": "Friday Night", "mode": "riftbound-2v2", "planned_rounds": 4},
    ),
    SETTING(
        name="tournaments_change",
        path=f"{AT}/",
        method="PATCH",
        body=ChangeBody,
        run=_whole(change_tournament),
        says="The tournament has the new settings.",
        example=CHANGED,
    ),
    SETTING(
        name="tournaments_copy",
        path=f"{AT}/copy/",
        body=CopyBody,
        run=_copy,
        answer=NEW_TOURNAMENT_TOLD,
        status=201,
        says="There is a draft with the same settings and staff.",
        example={"name": "Friday Night in May"},
    ),
    SETTING(
        name="tournaments_open_registration",
        path=f"{AT}/open-registration/",
        run=_whole(open_registration),
        says="Teams may register, and the public sees the tournament.",
    ),
    SETTING(
        name="tournaments_start",
        path=f"{AT}/start/",
        body=StartBody,
        run=_whole(start_tournament),
        says="Registration is closed and every complete team plays.",
        example={"seeds": []},
    ),
    SETTING(
        name="tournaments_reopen_registration",
        path=f"{AT}/reopen-registration/",
        body=Because,
        run=_whole(reopen_registration),
        says="The tournament is back at registration.",
        example={"reason": "started too early"},
    ),
    SETTING(
        name="tournaments_finish",
        path=f"{AT}/finish/",
        run=_whole(finish_tournament),
        says="The tournament is over and its final ranking stands.",
    ),
    SETTING(
        name="tournaments_reopen",
        path=f"{AT}/reopen/",
        body=Because,
        run=_whole(reopen_tournament),
        says="A finished tournament runs again.",
        example={"reason": "a result was wrong"},
    ),
    SETTING(
        name="tournaments_cancel",
        path=f"{AT}/cancel/",
        body=Because,
        run=_whole(cancel_tournament),
        says="The tournament does not take place, or not to its end.",
        example={"reason": "the hall is flooded"},
    ),
    SETTING(
        name="tournaments_revive",
        path=f"{AT}/revive/",
        body=Because,
        run=_whole(revive_tournament),
        says="A cancelled tournament is what it was before.",
        example={"reason": "the hall is dry"},
    ),
    PAIRING(
        name="rounds_pair",
        path=f"{AT}/rounds/",
        run=_whole(pair_round),
        answer=ROUND_TOLD,
        status=201,
        says="The next round is paired as a draft that only staff see.",
    ),
    PAIRING(
        name="draft_seat",
        path=f"{AT}/draft/",
        run=_whole(seat_draft),
        answer=STAGE_TOLD,
        status=201,
        says="The drafting groups are drawn and everybody sees who drafts where.",
    ),
    PAIRING(
        name="cut_make",
        path=f"{AT}/cut/",
        body=CutBody,
        run=_whole(make_cut),
        answer=STAGE_TOLD,
        status=201,
        says="The best teams are in the bracket, their seeds frozen.",
        example={"size": 8},
    ),
    PAIRING(
        name="cut_undo",
        path=f"{AT}/cut/undo/",
        body=Because,
        run=_whole(undo_cut),
        answer=STAGE_TOLD,
        says="The bracket is gone and the stage before it runs again.",
        example={"reason": "a result was wrong"},
    ),
    PAIRING(
        name="standings_publish",
        path=f"{AT}/standings/publish/",
        body=RoundNumberBody,
        run=_whole(publish_standings),
        answer=VERSION_TOLD,
        says="Everybody sees the standings after the round.",
        example={"after_round": 3},
    ),
    PAIRING(
        name="standings_hide",
        path=f"{AT}/standings/hide/",
        body=HideBody,
        run=_whole(hide_standings),
        answer=VERSION_TOLD,
        says="Only staff see the standings after the round.",
        example={"after_round": 3, "reason": "a result is looked at"},
    ),
    Operation(
        name="announcements_make",
        path=f"{AT}/announcements/",
        scope=Scope.ROUNDS_WRITE,
        can=Can.RUN_CLOCK,
        place=TOURNAMENT,
        body=AnnounceBody,
        run=_whole(announce),
        answer=ANNOUNCEMENT_TOLD,
        status=201,
        says="The text stands on every phone, the public pages and the big screen.",
        example={"text": "Round 3 starts at 14:30."},
    ),
    Operation(
        name="announcements_take_down",
        path="announcements/<int:pk>/take-down/",
        scope=Scope.ROUNDS_WRITE,
        can=Can.RUN_CLOCK,
        place=ANNOUNCEMENT,
        run=lambda call: take_down(announcement_id=call.row.pk, actor=call.actor),
        answer=ANNOUNCEMENT_TOLD,
        says="Nobody sees the announcement any more.",
    ),
    ENTERING(
        name="teams_promote_next",
        path=f"{AT}/promote-next/",
        run=_whole(promote_next),
        answer=TEAM_TOLD,
        says="The team that waits longest has a place.",
    ),
    ENTERING(
        name="teams_drop_absent",
        path=f"{AT}/drop-absent/",
        body=AbsentBody,
        run=lambda call: drop_absent(
            tournament_id=call.row.pk, team_ids=call.data["teams"], actor=call.actor
        ),
        answer=TEAMS_TOLD,
        says="Those of the teams who are still not checked in are withdrawn.",
        example={"teams": [17, 18]},
    ),
    Operation(
        name="journal_undo",
        path=f"{AT}/undo/",
        scope=Scope.STAFF,
        can=Can.RESULTS,
        place=TOURNAMENT,
        body=UndoBody,
        run=_undo,
        answer=VERSION_TOLD,
        says="The deed is taken back and can be done again.",
        example={"number": 41, "reason": "the wrong table"},
    ),
]
