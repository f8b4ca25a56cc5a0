"""Deeds of the whole tournament and of its rounds."""

from collections.abc import Mapping
from datetime import datetime

from rulebook.errors import RuleBroken
from tournaments.cutting import finish_tournament, make_cut, reopen_tournament, undo_cut
from tournaments.pages.asked import Asked, DeskDeed, is_plural, number_in, of_round, of_whole, own_round
from tournaments.pages.desk_scene import Desk
from tournaments.pages.scenes import name_of
from tournaments.pages.tags import when_at_venue
from tournaments.pairing import pair_round
from tournaments.repairing import repair_round, swap_in_round, undo_repair
from tournaments.rounds import (
    call_time,
    close_round,
    publish_round,
    reopen_round,
    scrap_round,
    start_round,
)
from tournaments.schedule import schedule_publish
from tournaments.setting_up import (
    cancel_tournament,
    open_registration,
    reopen_registration,
    revive_tournament,
    start_tournament,
)
from tournaments.staff import Can
from tournaments.venue_time import moment_at


def _pair(desk: Desk, asked: Asked) -> str:
    rnd = pair_round(tournament_id=desk.tournament.pk, actor=desk.actor)
    name = name_of(rnd)
    many = is_plural(name)
    return f"{name} {'are' if many else 'is'} paired. Look {'them' if many else 'it'} over, then publish."


def _schedule(desk: Desk, asked: Asked) -> str:
    rnd = own_round(desk, asked)
    try:
        wall = datetime.fromisoformat(asked.get("at", "")).replace(tzinfo=None)
    except ValueError:
        raise RuleBroken(
            "unreadable-time", "Enter the day and time at which the round is published."
        ) from None
    moment = moment_at(wall, desk.tournament.zone)
    schedule_publish(round_id=rnd.pk, at=moment, actor=desk.actor)
    return f"The clock publishes {name_of(rnd)} at {when_at_venue(moment, desk.tournament.zone)}."


def _cut(desk: Desk, asked: Asked) -> str:
    winner = asked.get("won_by", "")
    stage = make_cut(
        tournament_id=desk.tournament.pk,
        actor=desk.actor,
        tie_decision=asked.get("tie_decision", "").strip(),
        won_by=[int(winner)] if winner.isdecimal() and len(winner) < 18 else (),
    )
    return f"The top {stage.settings['size']} are in the bracket. Pair its first round."


def _repair(desk: Desk, asked: Asked) -> str:
    rnd = repair_round(
        round_id=own_round(desk, asked).pk,
        version=number_in(asked, "version"),
        actor=desk.actor,
        reason=asked.get("reason", ""),
    )
    return f"{name_of(rnd)} is repaired. Tell the teams whose table has changed."


def _swap(desk: Desk, asked: Asked) -> str:
    rnd = own_round(desk, asked)
    swap_in_round(
        version=number_in(asked, "version"),
        round_id=rnd.pk,
        team_id=number_in(asked, "one"),
        other_id=number_in(asked, "other"),
        actor=desk.actor,
        reason=asked.get("reason", ""),
    )
    return f"The two teams have changed places in {name_of(rnd)}."


def _undo_repair(desk: Desk, asked: Asked) -> str:
    rnd = own_round(desk, asked)
    undo_repair(round_id=rnd.pk, version=number_in(asked, "version"), actor=desk.actor)
    return f"{name_of(rnd)}: the last repair is undone."


TOURNAMENT_DEEDS: Mapping[str, DeskDeed] = {
    "open-registration": DeskDeed(Can.SETTINGS, of_whole(open_registration, "Registration is open.")),
    "reopen-registration": DeskDeed(
        Can.SETTINGS, of_whole(reopen_registration, "The tournament is back at registration.")
    ),
    "start": DeskDeed(Can.SETTINGS, of_whole(start_tournament, "The tournament runs. Pair round 1.")),
    "finish": DeskDeed(Can.SETTINGS, of_whole(finish_tournament, "The final ranking is published.")),
    "reopen": DeskDeed(
        Can.SETTINGS, of_whole(reopen_tournament, "The tournament runs again.", with_reason=True)
    ),
    "cancel": DeskDeed(
        Can.SETTINGS, of_whole(cancel_tournament, "The tournament is cancelled.", with_reason=True)
    ),
    "revive": DeskDeed(
        Can.SETTINGS, of_whole(revive_tournament, "It goes on where it was cancelled.", with_reason=True)
    ),
    "make-cut": DeskDeed(Can.PAIR, _cut),
    "undo-cut": DeskDeed(Can.PAIR, of_whole(undo_cut, "The cut is undone.", with_reason=True)),
}
ROUND_DEEDS: Mapping[str, DeskDeed] = {
    "pair": DeskDeed(Can.PAIR, _pair),
    "publish": DeskDeed(Can.PAIR, of_round(publish_round, "{round} {is_} published.")),
    "schedule": DeskDeed(Can.PAIR, _schedule),
    "scrap": DeskDeed(Can.PAIR, of_round(scrap_round, "{round} {is_} scrapped.", with_reason=True)),
    "repair": DeskDeed(Can.PAIR, _repair),
    "swap-teams": DeskDeed(Can.PAIR, _swap),
    "undo-repair": DeskDeed(Can.PAIR, _undo_repair),
    "start-round": DeskDeed(Can.RUN_CLOCK, of_round(start_round, "{round} {has} started.")),
    "call-time": DeskDeed(Can.RUN_CLOCK, of_round(call_time, "Time is called in {round}.")),
    "close": DeskDeed(Can.RUN_CLOCK, of_round(close_round, "{round} is closed.")),
    "reopen-round": DeskDeed(
        Can.RUN_CLOCK, of_round(reopen_round, "{round} {takes} results again.", with_reason=True)
    ),
}
