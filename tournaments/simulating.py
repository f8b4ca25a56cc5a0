"""A whole tournament played by chance from one seed, through the services: what does pairing make of it?"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from random import Random
from time import perf_counter
from typing import Any

from django.db import transaction

from journal.actors import Actor
from matches.models import Match
from matches.results import enter_result
from rulebook import modes
from rulebook.errors import RuleBroken
from rulebook.lifecycle import MatchKind, TeamState
from teams.models import Seat, Store, Team
from teams.people import add_players
from tournaments.cutting import finish_tournament
from tournaments.drawing import Drawn
from tournaments.models import Round, Tournament
from tournaments.pairing import pair_round
from tournaments.registration import register_teams
from tournaments.rounds import close_round, publish_round, start_round
from tournaments.setting_up import create_tournament, open_registration, start_tournament
from tournaments.standings import standings_of, swiss_stage
from tournaments.withdrawals import drop_player


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated; the rates are chances of a team to drop after a round and of a match to be drawn."""

    mode: str
    entrants: int
    rounds: int
    seed: int
    drop_rate: float = 0.0
    draw_rate: float = 0.0


@dataclass(frozen=True, slots=True)
class Told:
    """What one round was: `paired` and `byes` count entrants, `rematches` and `pair_downs` matches."""

    number: int
    paired: int
    tables: int
    byes: int
    bye_teams: tuple[int, ...]
    rematches: int
    pair_downs: int
    stage: str
    dropped: int
    seconds_pairing: float
    seconds_saving: float
    seconds_playing: float


def simulate(plan: Plan, *, actor: Actor, keep: bool = False) -> dict[str, Any]:
    """The tournament was played to its end; what happened, with teams by their number.

    It is kept, each deed in its own transaction, or rolled back as a whole. Equal plans tell the same but for
    the seconds and the slug.
    """
    _check(plan)
    if keep:
        return _simulated(plan, actor)
    with transaction.atomic():
        told = _simulated(plan, actor)
        transaction.set_rollback(True)
    return told


def _check(plan: Plan) -> None:
    mode = modes.mode_of(plan.mode)
    if mode.sides != 2:
        raise RuleBroken(
            "pods-not-paired", f"{mode.name} is played in pods; only modes of two sides can be simulated."
        )
    if plan.entrants < 2:
        raise RuleBroken("not-enough-teams", f"Simulate at least two teams, not {plan.entrants}.")
    for word, rate in (("drop", plan.drop_rate), ("draw", plan.draw_rate)):
        if not 0 <= rate <= 1:
            raise RuleBroken("wrong-rate", f"A {word} rate lies between 0 and 1, not at {rate:g}.")


def _simulated(plan: Plan, actor: Actor) -> dict[str, Any]:
    rng = Random(f"simulate:{plan.seed}")
    tournament = _started(plan, rng, actor)
    players = dict(
        Seat.objects.filter(tournament=tournament, label=modes.mode_of(plan.mode).labels[0]).values_list(
            "team_id", "player_id"
        )
    )
    rounds = list(_rounds(plan, tournament, players, rng, actor))
    finish_tournament(tournament_id=tournament.pk, actor=actor)
    byes = Counter(team for told in rounds for team in told.bye_teams)
    return {
        **asdict(plan),
        "tournament": tournament.slug,
        "rematches": sum(told.rematches for told in rounds),
        "most_byes": max(byes.values(), default=0),
        "standings": _digest(tournament),
        "rounds": [asdict(told) for told in rounds],
    }


def _started(plan: Plan, rng: Random, actor: Actor) -> Tournament:
    mode = modes.mode_of(plan.mode)
    store, _ = Store.objects.get_or_create(slug="simulations", defaults={"name": "Simulations"})
    tournament = create_tournament(
        store_id=store.pk,
        name=f"Simulation {plan.seed} of {plan.entrants} in {mode.name}",
        mode=plan.mode,
        planned_rounds=plan.rounds,
        seed=rng.getrandbits(62),
        actor=actor,
    )
    open_registration(tournament_id=tournament.pk, actor=actor)
    names = [f"{number}{label}" for number in range(1, plan.entrants + 1) for label in mode.labels]
    people = iter(add_players(store_id=store.pk, names=[f"Player {name}" for name in names]))
    register_teams(
        tournament_id=tournament.pk,
        members=[{label: next(people).pk for label in mode.labels} for _ in range(plan.entrants)],
        actor=actor,
    )
    return start_tournament(tournament_id=tournament.pk, actor=actor)


def _rounds(
    plan: Plan, tournament: Tournament, players: dict[int, int], rng: Random, actor: Actor
) -> Iterator[Told]:
    numbers = dict(Team.objects.filter(tournament=tournament).values_list("pk", "number"))
    met: set[frozenset[int]] = set()
    for number in range(1, plan.rounds + 1):
        rnd, pairing, saving = _paired(tournament, rng, actor)
        began = perf_counter()
        _play(plan, rnd, rng, actor)
        dropped = _drop_some(plan, tournament, players, rng, actor) if number < plan.rounds else 0
        pairs = [frozenset(pair) for pair in rnd.output["pairs"]]
        byes = rnd.output["byes"]
        yield Told(
            number=number,
            paired=2 * len(pairs),
            tables=len(pairs),
            byes=len(byes),
            bye_teams=tuple(numbers[team] for team in byes),
            rematches=sum(pair in met for pair in pairs),
            pair_downs=rnd.output["report"]["pair_downs"],
            stage=rnd.output["report"]["stage"],
            dropped=dropped,
            seconds_pairing=pairing,
            seconds_saving=saving,
            seconds_playing=perf_counter() - began,
        )
        met.update(pairs)


def _paired(tournament: Tournament, rng: Random, actor: Actor) -> tuple[Round, float, float]:
    """The round, the seconds until its pairing was known and those until it was saved."""
    moments = [perf_counter()]

    def drawn(_: Drawn) -> None:
        moments.append(perf_counter())

    rnd = pair_round(tournament_id=tournament.pk, actor=actor, seed=rng.getrandbits(62), drawn=drawn)
    moments.append(perf_counter())
    return rnd, moments[1] - moments[0], moments[2] - moments[1]


def _play(plan: Plan, rnd: Round, rng: Random, actor: Actor) -> None:
    publish_round(round_id=rnd.pk, actor=actor)
    start_round(round_id=rnd.pk, actor=actor)
    for match in Match.objects.filter(round=rnd, kind=MatchKind.TABLE).order_by("table"):
        wins, draws = _score(plan, match.frozen_terms.wins_needed, rng)
        enter_result(match_id=match.pk, wins=wins, draws=draws, actor=actor)
    close_round(round_id=rnd.pk, actor=actor)


def _score(plan: Plan, needed: int, rng: Random) -> tuple[Sequence[int], int]:
    if rng.random() < plan.draw_rate:
        return (needed - 1, needed - 1), 1
    wins = [needed, rng.randrange(needed)]
    rng.shuffle(wins)
    return wins, 0


def _drop_some(plan: Plan, tournament: Tournament, players: dict[int, int], rng: Random, actor: Actor) -> int:
    """Teams drop by chance; two stay, so that the next round has a match."""
    playing = Team.objects.filter(tournament=tournament, state=TeamState.PLAYING).order_by("number")
    teams = list(playing.values_list("pk", flat=True))
    leaving = [team for team in teams if rng.random() < plan.drop_rate][: len(teams) - 2]
    for team in leaving:
        drop_player(tournament_id=tournament.pk, player_id=players[team], actor=actor)
    return len(leaving)


def _digest(tournament: Tournament) -> str:
    """One word for the whole final table, equal where every rank, point and figure is."""
    stage = swiss_stage(tournament)
    if stage is None:
        return ""
    numbers = dict(Team.objects.filter(tournament=tournament).values_list("pk", "number"))
    rows = [
        [numbers[row.entrant], row.rank, str(row.points), [str(value) for _, value in row.figures]]
        for row in standings_of(stage)
    ]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()
