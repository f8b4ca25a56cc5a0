"""The deed buttons of a tournament: which make sense now, who may press them, which service they call."""

from collections.abc import Callable, Iterator
from typing import Any

from config.admin_deeds import Asked, Deed
from rulebook.lifecycle import RoundState, TournamentState
from tournaments.admin.questions import (
    AppointForm,
    BackForm,
    CutForm,
    PublishAtForm,
)
from tournaments.admin.situation import Situation
from tournaments.cutting import finish_tournament, make_cut, reopen_tournament, undo_cut
from tournaments.pairing import pair_round
from tournaments.rounds import call_time, close_round, publish_round, reopen_round, scrap_round, start_round
from tournaments.schedule import schedule_publish
from tournaments.setting_up import (
    cancel_tournament,
    open_registration,
    reopen_registration,
    start_tournament,
)
from tournaments.staff import Can, appoint


def deeds_of(now: Situation) -> list[Deed]:
    """Every deed that makes sense now, the next step first, what takes something back last."""
    return [*_before_play(now), *_of_the_round(now), *_between_rounds(now), *_standing(now), *_back(now)]


def _before_play(now: Situation) -> Iterator[Deed]:
    if now.is_in(TournamentState.DRAFT):
        yield Deed(
            "open-registration",
            "Open registration",
            Can.SETTINGS,
            _tell(open_registration, "Teams may register now."),
            "Teams may register from then on; you can still change everything.",
            is_next=True,
        )
    if now.is_in(TournamentState.REGISTRATION):
        yield Deed(
            "start",
            "Start the tournament",
            Can.PAIR,
            _tell(start_tournament, "The tournament is running; pair its first round."),
            "Every complete team plays; mode and standings policy are fixed from then on.",
            is_next=True,
        )


def _of_the_round(now: Situation) -> Iterator[Deed]:
    rnd = now.rnd
    if rnd is None:
        return
    if now.round_is(RoundState.PAIRED):
        yield _round_deed(
            now, "publish", "Publish round {}", publish_round, Can.PAIR, "Everybody sees the pairings.", True
        )
        yield Deed(
            "publish-at",
            f"Publish round {rnd.number} later",
            Can.PAIR,
            _publish_later,
            "The clock publishes the pairings at the time you set.",
            form=PublishAtForm,
            target=rnd.pk,
        )
    if now.round_is(RoundState.PUBLISHED):
        minutes = now.tournament.round_minutes
        says = f"The clock runs for {minutes} minute{'' if minutes == 1 else 's'} and results may come in."
        yield _round_deed(now, "start-round", "Start round {}", start_round, Can.RUN_CLOCK, says, True)
    if now.round_is(RoundState.RUNNING):
        says = "The round ends and its standings are stored; every table needs a result."
        yield _round_deed(now, "close", "Close round {}", close_round, Can.RUN_CLOCK, says, not now.missing)
        if rnd.time_called_at is None:
            says = "Running games get the extra turns of their mode; no match ends by itself."
            yield _round_deed(now, "call-time", "Call time", call_time, Can.RUN_CLOCK, says)


def _between_rounds(now: Situation) -> Iterator[Deed]:
    if now.is_between_rounds and now.has_rounds_left:
        number = now.rnd.number + 1 if now.rnd else 1
        yield Deed(
            "pair",
            f"Pair round {number}",
            Can.PAIR,
            lambda asked: (
                f"Round {pair_round(tournament_id=asked.row.pk, actor=asked.actor).number} is paired; "
                "only staff see it until you publish it."
            ),
            "A draft that only staff see until it is published.",
            target=now.rnd.pk if now.rnd else 0,
            is_next=True,
        )
    if now.may_cut:
        yield Deed(
            "make-cut",
            "Make the cut",
            Can.PAIR,
            _cut,
            "The best teams still playing enter the elimination with their seeds; its rounds come next.",
            form=CutForm,
            target=now.rnd.pk if now.rnd else 0,
            is_next=bool(now.tournament.cut),
        )
    if now.may_finish:
        yield Deed(
            "finish",
            "Finish the tournament",
            Can.PAIR,
            _tell(finish_tournament, "The tournament is finished and its final ranking stands."),
            "The final ranking stands from then on.",
            is_next=True,
        )


def _standing(now: Situation) -> Iterator[Deed]:
    yield Deed(
        "appoint",
        "Appoint staff",
        Can.STAFF,
        _appoint,
        "Gives an account a role in this tournament.",
        form=AppointForm,
    )


def _back(now: Situation) -> Iterator[Deed]:
    rnd = now.rnd
    if now.round_is(RoundState.CLOSED) and now.is_between_rounds and _stage_runs(now):
        says = "It takes results again; close it once more before you go on."
        yield _round_deed(
            now, "reopen-round", "Reopen round {}", reopen_round, Can.RUN_CLOCK, says, form=BackForm
        )
    if now.round_is(RoundState.PAIRED, RoundState.PUBLISHED, RoundState.RUNNING) and not now.has_scored_table:
        says = "The round counts for nothing, as if its teams had not met; its number is paired anew."
        yield _round_deed(
            now, "scrap-round", "Scrap round {}", scrap_round, Can.PAIR, says, form=BackForm, grave=True
        )
    if now.is_in(TournamentState.RUNNING) and now.is_in_cut and rnd is None:
        yield _undo(
            "undo-cut",
            "Undo the cut",
            Can.PAIR,
            undo_cut,
            "The rounds before it go on; the bracket is gone.",
            "The cut is undone.",
        )
    if now.is_in(TournamentState.RUNNING) and now.stage and not now.is_in_cut and rnd is None:
        yield Deed(
            "reopen-registration",
            "Back to registration",
            Can.SETTINGS,
            _tell(reopen_registration, "Registration is open again."),
            "Teams may register and settings change again; nothing has been played yet.",
        )
    if now.is_in(TournamentState.FINISHED):
        yield _undo(
            "reopen",
            "Reopen the tournament",
            Can.SETTINGS,
            reopen_tournament,
            "It runs again in its last stage, so that a mistake can be mended.",
            "The tournament runs again.",
        )
    if not (now.is_in(TournamentState.FINISHED) or now.is_in(TournamentState.CANCELLED)):
        yield _undo(
            "cancel",
            "Cancel the tournament",
            Can.SETTINGS,
            cancel_tournament,
            "The tournament does not take place, or not to its end. What was played stays on record.",
            "The tournament is cancelled.",
            grave=True,
        )


def _stage_runs(now: Situation) -> bool:
    return now.stage is not None and now.stage.state == now.stage.State.RUNNING


def _round_deed(
    now: Situation,
    key: str,
    label: str,
    service: Callable[..., Any],
    can: Can,
    says: str,
    is_next: bool = False,
    *,
    form: Any = None,
    grave: bool = False,
) -> Deed:
    assert now.rnd is not None
    number = now.rnd.number

    def do(asked: Asked) -> str:
        rnd = service(round_id=asked.target, actor=asked.actor, **asked.answers)
        if key == "call-time":
            return f"Time is called in round {number}."
        return f"Round {number} is {rnd.state}."

    return Deed(
        key,
        label.format(number),
        can,
        do,
        says,
        form=form,
        target=now.rnd.pk,
        is_next=is_next,
        is_grave=grave,
    )


def _undo(
    key: str,
    label: str,
    can: Can,
    service: Callable[..., Any],
    says: str,
    done: str,
    *,
    grave: bool = False,
) -> Deed:
    return Deed(key, label, can, _tell(service, done), says, form=BackForm, is_grave=grave)


def _tell(service: Callable[..., Any], done: str) -> Callable[[Asked], str]:
    def do(asked: Asked) -> str:
        service(tournament_id=asked.row.pk, actor=asked.actor, **asked.answers)
        return done

    return do


def _publish_later(asked: Asked) -> str:
    step = schedule_publish(round_id=asked.target, at=asked.answers["at"], actor=asked.actor)
    return f"The clock publishes the round at {step.due_at.astimezone(asked.answers['zone']):%H:%M on %d %b}."


def _cut(asked: Asked) -> str:
    stage = make_cut(
        tournament_id=asked.row.pk,
        actor=asked.actor,
        size=asked.answers["size"],
        tie_decision=asked.answers["tie_decision"],
    )
    return f"The cut to the top {stage.settings['size']} is made; pair the first elimination round."


def _appoint(asked: Asked) -> str:
    user = asked.answers["account"]
    appoint(tournament_id=asked.row.pk, user_id=user.pk, role=asked.answers["role"], actor=asked.actor)
    return f"{user} serves as {asked.answers['role'].replace('-', ' ')}."
