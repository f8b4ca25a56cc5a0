"""Deeds on rounds: published, timed, closed, mended, resolved, checked."""

from functools import partial
from typing import Any

from rest_framework.exceptions import ValidationError

from integrations.api.answers import MATCHES_TOLD, ROUND_OF_CALL, ROUND_TOLD
from integrations.api.fields import Because, Body, Flag, Id, Moment, Number, several
from integrations.api.operations import Call, Operation
from integrations.api.people import own_teams
from integrations.api.places import DECK_CHECK, ROUND
from integrations.api.results import ResultBody, counted, sides_in_order
from integrations.api.rows import DECK_CHECK_TOLD, DECK_CHECKS_TOLD
from integrations.scopes import Scope
from matches.models import Match
from rulebook.scoring import ResultKind
from tournaments.clockwork import extend_round, pause_clock, resume_clock
from tournaments.deck_checks import end_deck_check, pick_deck_checks
from tournaments.repairing import repair_round, swap_in_round, undo_repair
from tournaments.resolving import Resolution, resolve_tables
from tournaments.rounds import call_time, close_round, publish_round, reopen_round, scrap_round, start_round
from tournaments.schedule import schedule_publish
from tournaments.staff import Can

AT = "rounds/<int:pk>"
PAIRING = partial(Operation, scope=Scope.ROUNDS_WRITE, can=Can.PAIR, place=ROUND, answer=ROUND_TOLD)
RUNNING = partial(Operation, scope=Scope.ROUNDS_WRITE, can=Can.RUN_CLOCK, place=ROUND, answer=ROUND_TOLD)
CHECKING = partial(Operation, scope=Scope.PENALTIES_WRITE, can=Can.PENALTIES)


class AtBody(Body):
    at = Moment()


class MinutesBody(Because):
    minutes = Number(min_value=1, max_value=600)


class RepairBody(Because):
    version = Id(help_text="the version of the plan that was read")


class SwapBody(Because):
    team = Id()
    other = Id()
    version = Id(required=False, help_text="refused once anything has changed since this version")


class UndoRepairBody(Because):
    version = Id(required=False, help_text="refused once anything has changed since this version")


class ChecksBody(Body):
    count = Number(min_value=1, max_value=500)
    skip_fixed = Flag(required=False, default=False, help_text="pass over teams at a fixed table")


class EndCheckBody(Body):
    minutes = Number(
        max_value=120, required=False, help_text="given back to the table; default: what it took"
    )


class ResolutionBody(ResultBody):
    """How one open table ends: by a result, as its single report says, or as its games were recorded."""

    match = Id()
    as_reported = Flag(required=False, default=False)
    as_played = Flag(required=False, default=False)


class ResolveBody(Body):
    tables = several(ResolutionBody, min_length=1, max_length=2000)


def _of_round(service: Any) -> Any:
    """The service is called for the round, with the body as it is."""
    return lambda call: service(round_id=call.row.pk, actor=call.actor, **call.data)


def _swap(call: Call) -> Any:
    data = call.data
    own_teams(call.row.stage.tournament, [data["team"], data["other"]], "team")
    return swap_in_round(
        round_id=call.row.pk,
        team_id=data["team"],
        other_id=data["other"],
        version=data.get("version"),
        reason=data["reason"],
        actor=call.actor,
    )


def _resolve(call: Call) -> list[Match]:
    said = {table["match"]: table for table in call.data["tables"]}
    matches = {match.pk: match for match in Match.objects.filter(round=call.row, pk__in=said)}
    strange = [pk for pk in said if pk not in matches]
    if strange:
        raise ValidationError({"tables": f"Match {strange[0]} is not in this round."})
    return resolve_tables(
        round_id=call.row.pk,
        resolutions=[_resolution(matches[pk], table) for pk, table in said.items()],
        actor=call.actor,
    )


def _resolution(match: Match, said: Any) -> Resolution:
    result = counted(said, sides_in_order(match))
    return Resolution(
        match_id=match.pk,
        kind=ResultKind(result["kind"]),
        wins=tuple(result["wins"]),
        draws=result["draws"],
        loser=result["loser"],
        as_reported=said["as_reported"],
        as_played=said["as_played"],
    )


ROUNDS = [
    PAIRING(
        name="rounds_publish",
        path=f"{AT}/publish/",
        run=_of_round(publish_round),
        says="Everybody sees the pairings of the round.",
    ),
    PAIRING(
        name="rounds_schedule",
        path=f"{AT}/schedule/",
        body=AtBody,
        run=_of_round(schedule_publish),
        answer=ROUND_OF_CALL,
        says="The clock publishes the round at that moment.",
        example={"at": "2026-05-01T14:30:00+02:00"},
    ),
    PAIRING(
        name="rounds_scrap",
        path=f"{AT}/scrap/",
        body=Because,
        run=_of_round(scrap_round),
        answer=ROUND_OF_CALL,
        says="The round counts for nothing and can be paired again.",
        example={"reason": "a team was missing"},
    ),
    PAIRING(
        name="rounds_repair",
        path=f"{AT}/repair/",
        body=RepairBody,
        run=_of_round(repair_round),
        says="The plan that was read at that version is applied.",
        example={"version": 57, "reason": "a wrong result"},
    ),
    PAIRING(
        name="rounds_undo_repair",
        path=f"{AT}/undo-repair/",
        body=UndoRepairBody,
        run=_of_round(undo_repair),
        says="The last repair is taken back; its earlier pairs meet again.",
        example={"reason": "the result was right"},
    ),
    PAIRING(
        name="rounds_swap",
        path=f"{AT}/swap/",
        body=SwapBody,
        run=_swap,
        says="The two teams have changed places; a bye is a place too.",
        example={"team": 17, "other": 21, "reason": "the wheelchair table"},
    ),
    RUNNING(
        name="rounds_start",
        path=f"{AT}/start/",
        run=_of_round(start_round),
        says="The clock of the round runs and results may come in.",
    ),
    RUNNING(
        name="rounds_call_time",
        path=f"{AT}/call-time/",
        run=_of_round(call_time),
        says="Time is called; running games get the extra turns of their mode.",
    ),
    RUNNING(
        name="rounds_extend",
        path=f"{AT}/extend/",
        body=MinutesBody,
        run=_of_round(extend_round),
        says="Every table has so many minutes more.",
        example={"minutes": 5, "reason": "a fire alarm"},
    ),
    RUNNING(
        name="rounds_pause",
        path=f"{AT}/pause/",
        body=Because,
        run=_of_round(pause_clock),
        says="The clock stands; the time that is left is kept.",
        example={"reason": "a fire alarm"},
    ),
    RUNNING(
        name="rounds_resume", path=f"{AT}/resume/", run=_of_round(resume_clock), says="The clock runs again."
    ),
    RUNNING(
        name="rounds_close",
        path=f"{AT}/close/",
        run=_of_round(close_round),
        says="The round is over and its standings are stored; refused while a result is missing.",
    ),
    RUNNING(
        name="rounds_reopen",
        path=f"{AT}/reopen/",
        body=Because,
        run=_of_round(reopen_round),
        says="The last round takes results again.",
        example={"reason": "a result was wrong"},
    ),
    Operation(
        name="rounds_resolve",
        path=f"{AT}/resolve/",
        scope=Scope.RESULTS_WRITE,
        can=Can.RESULTS,
        place=ROUND,
        body=ResolveBody,
        run=_resolve,
        answer=MATCHES_TOLD,
        says="Every named table has its result, all of them or none.",
        example={"tables": [{"match": 204, "as_reported": True}, {"match": 205, "kind": "both-absent"}]},
    ),
    CHECKING(
        name="deck_checks_pick",
        path=f"{AT}/deck-checks/",
        place=ROUND,
        body=ChecksBody,
        run=_of_round(pick_deck_checks),
        answer=DECK_CHECKS_TOLD,
        status=201,
        says="So many tables are picked by lot, none twice in one round.",
        example={"count": 2},
    ),
    CHECKING(
        name="deck_checks_end",
        path="deck-checks/<int:pk>/end/",
        place=DECK_CHECK,
        body=EndCheckBody,
        run=lambda call: end_deck_check(
            check_id=call.row.pk, minutes=call.data.get("minutes"), actor=call.actor
        ),
        answer=DECK_CHECK_TOLD,
        says="The decks are back, and the table has its minutes back.",
        example={"minutes": 8},
    ),
]
