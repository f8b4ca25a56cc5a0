"""Ratios through the services on PostgreSQL: a whole next round, and the standings."""

from typing import Any

from django.db import connection, transaction

from bench.pure import ratio
from journal.actors import COMMAND
from matches.models import Line, Match, Result, Side
from rulebook.lifecycle import MatchKind, MatchState, RoundState
from rulebook.scoring import Outcome, ResultKind
from teams.models import Store
from teams.people import add_players
from tournaments.models import Round, Tournament
from tournaments.pairing import pair_round
from tournaments.registration import register_teams
from tournaments.setting_up import create_tournament, open_registration, start_tournament
from tournaments.standings import standings_of, swiss_stage


def rows(entrants: int = 10_000, rounds: int = 15) -> list[tuple[str, str, str, str]]:
    """The two rows; the field is made first, in the database the settings name."""
    tournament = _field(entrants, rounds + 1)
    for number in range(1, 10):
        _played(tournament, number)
    round_ratio, round_s = ratio(lambda: _paired_again(tournament), lambda: _rows_alone(tournament))
    for number in range(10, rounds + 1):
        _played(tournament, number)
    stage = swiss_stage(tournament)
    assert stage is not None
    stage.tournament = tournament
    table_ratio, table_s = ratio(lambda: standings_of(stage), lambda: _read(stage.pk))
    connection.close()
    return [
        _row("whole next round / bulk_create of its rows", round_ratio, 2.0, round_s),
        _row(f"standings over {rounds} rounds / values_list read", table_ratio, 2.0, table_s),
    ]


def _field(entrants: int, rounds: int) -> Tournament:
    store, _ = Store.objects.get_or_create(slug="bench", defaults={"name": "Bench"})
    made = create_tournament(
        store_id=store.pk,
        name="Bench",
        mode="magic-1v1",
        planned_rounds=rounds,
        actor=COMMAND,
        seed=1,
        best_of=3,
    )
    open_registration(tournament_id=made.pk, actor=COMMAND)
    players = add_players(store_id=store.pk, names=[f"Player {n}" for n in range(entrants)])
    register_teams(tournament_id=made.pk, members=[{"A": player.pk} for player in players], actor=COMMAND)
    start_tournament(tournament_id=made.pk, actor=COMMAND)
    return Tournament.objects.get(pk=made.pk)


@transaction.atomic
def _played(tournament: Tournament, number: int) -> None:
    """A round with results written at once: the first side wins, the second sometimes."""
    rnd = pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=number)
    matches = list(Match.objects.filter(round=rnd))
    results = Result.objects.bulk_create(
        Result(
            match=match,
            kind=ResultKind.PLAYED if match.kind == MatchKind.TABLE else ResultKind.BYE,
            source="bench",
        )
        for match in matches
    )
    result_of = {result.match_id: result for result in results}
    Line.objects.bulk_create(
        (_line(result_of[side.match_id], side) for side in Side.objects.filter(round=rnd)), batch_size=5000
    )
    Match.objects.filter(round=rnd).update(state=MatchState.CONFIRMED)
    Round.objects.filter(pk=rnd.pk).update(state=RoundState.CLOSED)


def _line(result: Result, side: Side) -> Line:
    won = side.index == (result.pk % 3 == 0)
    return Line(result=result, side=side, outcome=Outcome.WIN if won else Outcome.LOSS, wins=2 if won else 0)


def _paired_again(tournament: Tournament) -> Any:
    """Read, pair, explain, save, journal; then rolled back for the next turn."""
    with transaction.atomic():
        rnd = pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=99)
        transaction.set_rollback(True)
    return rnd


def _rows_alone(tournament: Tournament) -> None:
    """The same rows by `bulk_create` and nothing else."""
    with transaction.atomic():
        stage = swiss_stage(tournament)
        assert stage is not None
        teams = list(tournament.teams.values_list("pk", flat=True))
        rnd = Round.objects.create(
            stage=stage,
            number=99,
            seed=1,
            engine="bench",
            inputs={},
            output={},
            paired_at=tournament.created_at,
        )
        terms: dict[str, object] = dict(
            Match.objects.filter(tournament=tournament).values_list("terms", flat=True)[0]
        )
        matches = Match.objects.bulk_create(
            [
                Match(tournament=tournament, round=rnd, table=n + 1, terms=terms)
                for n in range(len(teams) // 2)
            ],
            batch_size=2000,
        )
        Side.objects.bulk_create(
            [
                Side(match=matches[n // 2], round=rnd, team_id=team, index=n % 2)
                for n, team in enumerate(teams)
            ],
            batch_size=4000,
        )
        transaction.set_rollback(True)


def _read(stage_id: int) -> int:
    found = Line.objects.filter(result__match__round__stage_id=stage_id, result__is_current=True).order_by()
    return len(list(found.values_list("result__match_id", "side__team_id", "outcome", "wins", "draws")))


def _row(what: str, found: float, goal: float, ours: float) -> tuple[str, str, str, str]:
    kept = "kept" if found <= goal else "MISSED"
    return f"{what}, 10,000", f"{found:.3g}", f"at most {goal:g}: {kept}", f"{ours * 1000:.0f} ms"
