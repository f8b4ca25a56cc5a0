"""Deeds in the hall: the clock, calls, announcements, deck checks, and penalties served or taken back."""

from collections.abc import Mapping

from django.db.models import Model
from django.shortcuts import get_object_or_404

from matches.calls import call_judge, end_call, take_call
from matches.models import Call
from rulebook.errors import RuleBroken
from tournaments.announcements import announce, take_down
from tournaments.clockwork import extend_round, extend_table, pause_clock, resume_clock
from tournaments.deck_checks import end_deck_check, pick_deck_checks
from tournaments.models import Announcement, DeckCheck, Penalty
from tournaments.pages.asked import Asked, DeskDeed, number_in, own_match, own_round
from tournaments.pages.desk_scene import Desk
from tournaments.pages.scenes import name_of
from tournaments.penalties import serve_penalty, take_back_penalty
from tournaments.staff import Can


def minutes_in(asked: Asked, name: str = "minutes") -> int:
    """The minutes that were typed, 0 where they are missing or no number."""
    text = asked.get(name, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0


def plural(count: int, word: str) -> str:
    """1 minute, 2 minutes."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _own(model: type[Model], desk: Desk, asked: Asked, name: str, owner: str) -> int:
    """The id of a row of this tournament the form names; 404 for any other."""
    row = get_object_or_404(model, **{owner: desk.tournament}, pk=number_in(asked, name))
    return int(row.pk)


def _call_judge(desk: Desk, asked: Asked) -> str:
    match = own_match(desk, asked)
    call_judge(match_id=match.pk, actor=desk.actor, note=asked.get("note", ""))
    return f"A judge is called to table {match.table}."


def _take_call(desk: Desk, asked: Asked) -> str:
    call_id = _own(Call, desk, asked, "call", "match__tournament")
    call = take_call(call_id=call_id, user_id=desk.user.pk, actor=desk.actor)
    return f"You go to table {call.match.table}."


def _end_call(desk: Desk, asked: Asked) -> str:
    call = end_call(call_id=_own(Call, desk, asked, "call", "match__tournament"), actor=desk.actor)
    return f"The call of table {call.match.table} is ended."


def _extend_table(desk: Desk, asked: Asked) -> str:
    minutes = minutes_in(asked)
    match = extend_table(
        match_id=own_match(desk, asked).pk,
        minutes=minutes,
        actor=desk.actor,
        reason=asked.get("reason", ""),
    )
    whole = plural(match.extension_s // 60, "minute")
    return f"Table {match.table} has {plural(minutes, 'minute')} more, {whole} in all."


def _extend_round(desk: Desk, asked: Asked) -> str:
    minutes = minutes_in(asked)
    extend_round(
        round_id=own_round(desk, asked).pk,
        minutes=minutes,
        actor=desk.actor,
        reason=asked.get("reason", ""),
    )
    return f"Every table has {plural(minutes, 'minute')} more."


def _pause(desk: Desk, asked: Asked) -> str:
    rnd = pause_clock(round_id=own_round(desk, asked).pk, actor=desk.actor, reason=asked.get("reason", ""))
    left = (rnd.left_when_paused or 0) // 60
    return f"The clock of {name_of(rnd)} stands with {plural(left, 'whole minute')} left."


def _resume(desk: Desk, asked: Asked) -> str:
    rnd = resume_clock(round_id=own_round(desk, asked).pk, actor=desk.actor)
    return f"The clock of {name_of(rnd)} runs again."


def _announce(desk: Desk, asked: Asked) -> str:
    announce(tournament_id=desk.tournament.pk, text=asked.get("text", ""), actor=desk.actor)
    return "Announced on every phone, the public pages and the big screen."


def _take_down(desk: Desk, asked: Asked) -> str:
    take_down(announcement_id=_own(Announcement, desk, asked, "announcement", "tournament"), actor=desk.actor)
    return "The announcement is taken down."


def _pick(desk: Desk, asked: Asked) -> str:
    checks = pick_deck_checks(
        round_id=own_round(desk, asked).pk,
        count=minutes_in(asked, "count"),
        skip_fixed=bool(asked.get("skip_fixed")),
        actor=desk.actor,
    )
    tables = ", ".join(str(check.match.table) for check in checks)
    return f"Deck check at {'table' if len(checks) == 1 else 'tables'} {tables}. Players do not see it."


def _end_check(desk: Desk, asked: Asked) -> str:
    typed = asked.get("minutes", "").strip()
    check = end_deck_check(
        check_id=_own(DeckCheck, desk, asked, "check", "round__stage__tournament"),
        minutes=minutes_in(asked) if typed else None,
        actor=desk.actor,
    )
    given = plural(check.given_back_s // 60, "minute")
    return f"The deck check at table {check.match.table} is over; the table has {given} back."


def _serve(desk: Desk, asked: Asked) -> str:
    given = serve_penalty(
        penalty_id=_own(Penalty, desk, asked, "penalty", "tournament"),
        match_id=own_match(desk, asked).pk,
        actor=desk.actor,
    )
    penalty = given.penalties[0]
    where = f"table {penalty.match.table}" if penalty.match else "the next table"
    return f"The {penalty.get_level_display()} is entered at {where}."


def _take_back(desk: Desk, asked: Asked) -> str:
    penalty_id = _own(Penalty, desk, asked, "penalty", "tournament")
    level = Penalty.objects.values_list("level", flat=True).get(pk=penalty_id)
    if level == Penalty.Level.DISQUALIFICATION:
        desk.require(Can.DISQUALIFY)
    reason = asked.get("reason", "")
    if not reason.strip():
        raise RuleBroken("reason-missing", "Write down why the penalty is taken back.")
    penalty = take_back_penalty(penalty_id=penalty_id, actor=desk.actor, reason=reason)
    said = f"The {penalty.get_level_display()} is taken back."
    if penalty.match_id and penalty.level != Penalty.Level.WARNING:
        said += " Its game or result stays until you correct it at the table."
    return said


HALL_DEEDS: Mapping[str, DeskDeed] = {
    "call-judge": DeskDeed(Can.RESULTS, _call_judge),
    "take-call": DeskDeed(Can.RESULTS, _take_call),
    "end-call": DeskDeed(Can.RESULTS, _end_call),
    "extend-table": DeskDeed(Can.RESULTS, _extend_table),
    "extend-round": DeskDeed(Can.RUN_CLOCK, _extend_round),
    "pause-clock": DeskDeed(Can.RUN_CLOCK, _pause),
    "resume-clock": DeskDeed(Can.RUN_CLOCK, _resume),
    "announce": DeskDeed(Can.RUN_CLOCK, _announce),
    "take-down": DeskDeed(Can.RUN_CLOCK, _take_down),
    "pick-deck-checks": DeskDeed(Can.PENALTIES, _pick),
    "end-deck-check": DeskDeed(Can.PENALTIES, _end_check),
    "serve-penalty": DeskDeed(Can.PENALTIES, _serve),
    "take-back-penalty": DeskDeed(Can.PENALTIES, _take_back),
}
