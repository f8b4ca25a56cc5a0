"""Who meets whom in the next round."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import transaction

from journal.actors import Actor
from journal.clock import now
from journal.inserting import insert_alike
from journal.kinds import DeedKind
from journal.locks import lock_one
from journal.recording import record
from matches.models import Match, Side
from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, RoundState, StageState
from rulebook.pairing.tables import featured_index, table_numbers
from rulebook.terms import Terms, terms_for
from teams.models import Team
from tournaments.drawing import Drawn, draw, hall_of
from tournaments.following import follow_plan
from tournaments.models import Round, Stage, Tournament
from tournaments.rounds import current_round, require_results
from tournaments.running import refuse_unless_running


@transaction.atomic
def pair_round(
    *,
    tournament_id: int,
    actor: Actor,
    seed: int | None = None,
    drawn: Callable[[Drawn], None] | None = None,
) -> Round:
    """The next round is paired as a draft that only staff see; refused while a result is missing.

    A round robin is paired as a whole: a draft for each of its rounds, published one by one.

    `seed` decides what is random; without one it is drawn here and stored with the round. `drawn` is called
    with the pairing before it is saved. A failure leaves nothing."""
    tournament = lock_one(Tournament, tournament_id)
    refuse_unless_running(tournament)
    stage = running_stage(tournament)
    number = next_number(stage)
    drawn_seed = secrets.randbits(62) if seed is None else seed
    rnd = draw_and_save(stage, number, drawn_seed, drawn)
    record_paired(rnd, DeedKind.ROUND_PAIRED, actor)
    return rnd


def draw_and_save(
    stage: Stage, number: int, seed: int, drawn: Callable[[Drawn], None] | None = None
) -> Round:
    """The round is a draft, and in a round robin every later one is too."""
    pairing = draw(stage, number, seed)
    if drawn is not None:
        drawn(pairing)
    rnd = save_drawn(stage, number, pairing, seed)
    if stage.method == Stage.Method.ROUND_ROBIN:
        stage.planned_rounds = pairing.output["rounds"]
        stage.save(update_fields=["planned_rounds"])
        for later in range(number + 1, stage.planned_rounds + 1):
            save_drawn(stage, later, draw(stage, later, seed), seed)
    return rnd


def running_stage(tournament: Tournament) -> Stage:
    """The stage that is played now."""
    stage = tournament.stages.filter(state=StageState.RUNNING).order_by("-number").first()
    if stage is None:
        raise RuleBroken("no-stage", f"No stage of {tournament.name} is running.")
    stage.tournament = tournament
    return stage


def stored_terms(stage: Stage, sides: int | None = None) -> dict[str, Any]:
    """The terms of a match of the stage as they are frozen on it, with the options laid over the mode."""
    return {**match_terms(stage, sides).as_dict(), "options": list(stage.tournament.options)}


def match_terms(stage: Stage, sides: int | None = None) -> Terms:
    """What a match of the stage is played under."""
    tournament = stage.tournament
    return terms_for(
        modes.mode_of(tournament.mode),
        best_of=tournament.best_of,
        elimination=stage.is_bracket,
        high_level=tournament.level != Tournament.Level.CASUAL,
        sides=sides,
    )


def next_number(stage: Stage) -> int:
    """The number of the round to be paired now; refused while the last one is open or all are played."""
    last = current_round(stage)
    if last is None:
        return 1
    if last.state != RoundState.CLOSED:
        last.stage = stage
        if last.state == RoundState.RUNNING:
            require_results(last, list(last.matches.exclude(state="void")))
        raise RuleBroken(
            "round-still-open",
            f"Round {last.number} is {last.state}; close it before the next one is paired.",
        )
    if last.number >= stage.planned_rounds:
        raise RuleBroken(
            "all-rounds-played",
            f"All {stage.planned_rounds} planned rounds are played; "
            "make the cut, finish, or plan more rounds.",
        )
    return last.number + 1


def save_drawn(stage: Stage, number: int, drawn: Drawn, seed: int) -> Round:
    """The pairing is a draft with its matches and sides, in a few statements however many there are."""
    rnd = Round.objects.create(
        stage=stage,
        number=number,
        seed=seed,
        engine=drawn.engine,
        inputs=drawn.inputs,
        output=drawn.output,
        paired_at=now(),
    )
    groups = [(teams, MatchKind.TABLE) for teams in drawn.tables]
    groups += [((team,), MatchKind.BYE) for team in drawn.byes]
    groups += [((team,), MatchKind.ASSIGNED_LOSS) for team in drawn.losses]
    terms = {
        sides: stored_terms(stage, sides if kind is MatchKind.TABLE else None)
        for sides, kind in {(len(teams), kind) for teams, kind in groups}
    }
    each: dict[str, Sequence[Any]] = {
        "kind": [kind for _, kind in groups],
        "table": [
            *numbered(stage, drawn.tables, drawn.inputs),
            *[None] * (len(groups) - len(drawn.tables)),
        ],
        "why": [drawn.why.get(teams[0], "")[:300] for teams, _ in groups],
    }
    alike: dict[str, Any] = {"tournament_id": stage.tournament_id, "round_id": rnd.pk}
    if len(terms) == 1:
        alike["terms"] = next(iter(terms.values()))
    else:
        each["terms"] = [terms[len(teams)] for teams, _ in groups]
    matches = insert_alike(Match, each, alike)
    _seat(rnd, matches, [teams for teams, _ in groups])
    for match, (teams, _) in zip(matches, groups, strict=True):
        if teams[0] in drawn.node_of:
            stage.slots.filter(node=drawn.node_of[teams[0]]).update(match=match)
    return rnd


def _seat(rnd: Round, matches: Sequence[int], teams: Sequence[tuple[int, ...]]) -> None:
    sides = [
        (match, team, index)
        for match, sitting in zip(matches, teams, strict=True)
        for index, team in enumerate(sitting)
    ]
    each = dict(zip(("match_id", "team_id", "index"), zip(*sides, strict=True), strict=True))
    insert_alike(Side, {name: list(column) for name, column in each.items()}, {"round_id": rnd.pk})


def numbered(stage: Stage, tables: Sequence[tuple[int, ...]], inputs: Mapping[str, Any]) -> tuple[int, ...]:
    """Table numbers in order of the pairs; a fixed table goes to its owner and is skipped by the others, the
    feature table to the match of the best-placed team that has none."""
    owners = Team.objects.filter(tournament_id=stage.tournament_id, fixed_table__isnull=False)
    fixed = {pk: table for pk, table in owners.values_list("pk", "fixed_table") if table}
    feature = stage.tournament.feature_table
    hall = hall_of(stage.tournament.hall)
    if feature is None:
        return table_numbers(tables, hall=hall, fixed=fixed)
    rank = {row["id"]: row["rank"] for row in inputs.get("entrants", ()) if isinstance(row, dict)}
    ranks = [min((rank.get(team, 0) for team in teams), default=0) for teams in tables]
    best = featured_index(ranks, tables, fixed, feature)
    featured = {} if best is None else {best: feature}
    return table_numbers(tables, hall=hall, fixed=fixed, featured=featured, kept=(feature,))


def record_paired(rnd: Round, kind: DeedKind, actor: Actor, **more: Any) -> None:
    """The journal knows the pairing; `more` are words of `record`, an `after` is added to the counts."""
    report = rnd.output.get("report", {})
    follow_plan(rnd.stage.tournament)
    record(
        tournament_id=rnd.stage.tournament_id,
        kind=kind,
        actor=actor,
        subject=f"round:{rnd.pk}",
        after={
            "number": rnd.number,
            "tables": len(rnd.output.get("pairs") or rnd.output.get("pods", ())),
            "rematches": report.get("rematches", report.get("repeats", 0)),
            "pair_downs": report.get("pair_downs", 0),
            **more.pop("after", {}),
        },
        **more,
    )
