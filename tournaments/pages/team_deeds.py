"""Deeds for one team: here or not, its places and byes, its links."""

from collections.abc import Mapping

from django.shortcuts import get_object_or_404

from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState
from rulebook.modes import mode_of
from teams.links import make_link, revoke_links
from teams.models import Seat
from teams.selectors import team_cards
from tournaments.checkin import drop_absent
from tournaments.models import ByeGrant
from tournaments.pages.asked import Asked, DeskDeed, number_in, of_team, own_team
from tournaments.pages.desk_scene import Desk
from tournaments.pages.entering import NEW
from tournaments.pages.numbers import whole
from tournaments.registration import (
    change_team,
    check_in_team,
    grant_bye,
    promote_next,
    promote_team,
    readmit_team,
    revoke_bye,
    sit_out,
    swap_seats,
    undo_check_in,
    withdraw_team,
)
from tournaments.signing_up import confirm_entry, settle_namesake
from tournaments.solos import join_solos
from tournaments.staff import Can
from tournaments.withdrawals import reinstate_team


def _change_team(desk: Desk, asked: Asked) -> str:
    team = change_team(
        team_id=own_team(desk, asked).pk,
        actor=desk.actor,
        name=asked.get("name", ""),
        group=asked.get("group", ""),
        fixed_table=_number_or_none(asked, "fixed_table", "A table"),
        seed=_number_or_none(asked, "seed", "A seed") if "seed" in asked else None,
    )
    return f"{team} is saved."


def _number_or_none(asked: Asked, key: str, what: str) -> int:
    """The number of at most six digits that was typed, 0 where the field was emptied."""
    typed = asked.get(key, "").strip()
    number = whole(typed) if typed else 0
    if number is None or number >= 10**6:
        raise RuleBroken("wrong-number", f"{what} is a number like 12, not “{typed[:20]}”.")
    return number


def _sit_out(desk: Desk, asked: Asked) -> str:
    number = _round_number(asked)
    team = sit_out(team_id=own_team(desk, asked).pk, round_number=number, actor=desk.actor)
    return f"{team} sits out round {number}."


def _sit_in(desk: Desk, asked: Asked) -> str:
    team = sit_out(team_id=own_team(desk, asked).pk, round_number=None, actor=desk.actor)
    return f"{team} plays every round."


def _grant_bye(desk: Desk, asked: Asked) -> str:
    number, reason = _round_number(asked), asked.get("kind", "")
    if reason not in ByeGrant.Reason.values:
        raise RuleBroken("reason-missing", "Say whether the bye is awarded or was asked for.")
    team = grant_bye(team_id=own_team(desk, asked).pk, round_number=number, actor=desk.actor, reason=reason)
    return f"{team} has a bye in round {number}."


def _revoke_bye(desk: Desk, asked: Asked) -> str:
    number = _round_number(asked)
    team = revoke_bye(
        team_id=own_team(desk, asked).pk,
        round_number=number,
        actor=desk.actor,
        reason=asked.get("reason", ""),
    )
    return f"{team} plays in round {number}."


def _round_number(asked: Asked) -> int:
    text = asked.get("round_number", "")
    if not text.isdecimal() or len(text) > 3:
        raise RuleBroken("round-missing", "Say which round.")
    return int(text)


def _make_link(desk: Desk, asked: Asked) -> str:
    seat = get_object_or_404(
        Seat.objects.select_related("player"), tournament=desk.tournament, pk=number_in(asked, "seat")
    )
    revoke_links(seat_id=seat.pk, actor=desk.actor)
    make_link(seat_id=seat.pk, actor=desk.actor)
    return f"{seat.player.shown_name} has a new personal link; an older one does not work any more."


def _join(desk: Desk, asked: Asked) -> str:
    labels = mode_of(desk.tournament.mode).labels
    chosen = [(label, asked.get(f"team_{label}", "")) for label in labels]
    members = [(label, int(text)) for label, text in chosen if text.isdecimal() and len(text) < 18]
    team = join_solos(
        tournament_id=desk.tournament.pk, members=members, name=asked.get("name", ""), actor=desk.actor
    )
    shown = team_cards([team], labels)[team.pk].shown_name
    now = "waits for a place" if team.state == TeamState.WAITLISTED else "is a team"
    return f"Number {team.number}, {shown}, {now}."


def _settle_namesake(desk: Desk, asked: Asked) -> str:
    player = number_in(asked, "player")
    said = asked.get(f"who_{player}", "")
    if said != NEW and not said.isdecimal():
        raise RuleBroken("answer-missing", "Choose who it is.")
    team = settle_namesake(
        team_id=own_team(desk, asked).pk,
        player_id=player,
        known_id=None if said == NEW else int(said[:18]),
        mark=asked.get(f"mark_{player}", ""),
        actor=desk.actor,
    )
    return f"It is settled who plays in {team}."


def _promote_next(desk: Desk, asked: Asked) -> str:
    team = promote_next(tournament_id=desk.tournament.pk, actor=desk.actor)
    return f"Number {team.number}, {team}, has a place."


def _drop_absent(desk: Desk, asked: Asked) -> str:
    ids = [int(one) for one in asked.get("teams", "").split(",") if one.isdecimal() and len(one) < 18]
    gone = drop_absent(tournament_id=desk.tournament.pk, team_ids=ids, actor=desk.actor)
    return f"{len(gone)} team{'s are' if len(gone) != 1 else ' is'} out: not checked in."


TEAM_DEEDS: Mapping[str, DeskDeed] = {
    "change-team": DeskDeed(Can.REGISTER, _change_team),
    "swap": DeskDeed(Can.REGISTER, of_team(swap_seats, "{team}: A and B changed seats.")),
    "check-in": DeskDeed(Can.REGISTER, of_team(check_in_team, "{team} is here.")),
    "undo-check-in": DeskDeed(Can.REGISTER, of_team(undo_check_in, "{team} is not checked in any more.")),
    "promote": DeskDeed(Can.REGISTER, of_team(promote_team, "{team} has a place.")),
    "settle-namesake": DeskDeed(Can.REGISTER, _settle_namesake),
    "confirm-entry": DeskDeed(Can.REGISTER, of_team(confirm_entry, "{team} is confirmed.")),
    "join-solos": DeskDeed(Can.REGISTER, _join),
    "promote-next": DeskDeed(Can.REGISTER, _promote_next),
    "drop-absent": DeskDeed(Can.REGISTER, _drop_absent),
    "sit-out": DeskDeed(Can.PAIR, _sit_out),
    "sit-in": DeskDeed(Can.PAIR, _sit_in),
    "grant-bye": DeskDeed(Can.PAIR, _grant_bye),
    "revoke-bye": DeskDeed(Can.PAIR, _revoke_bye),
    "withdraw": DeskDeed(Can.REGISTER, of_team(withdraw_team, "{team} is withdrawn.", with_reason=True)),
    "readmit": DeskDeed(Can.REGISTER, of_team(readmit_team, "{team} is registered again.")),
    "reinstate": DeskDeed(Can.DROP, of_team(reinstate_team, "{team} plays on.", with_reason=True)),
    "make-link": DeskDeed(Can.REGISTER, _make_link),
}
