"""A real event played once more, by the services an organizer uses."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from django.db import transaction

from journal.actors import Actor
from matches.models import Side
from matches.results import enter_result
from rulebook.errors import RuleBroken
from rulebook.lifecycle import TeamState
from rulebook.scoring import ResultKind
from teams.models import Store, Team
from teams.names import LONGEST
from teams.people import add_players
from tournaments.bracket_plan import POD_CUTS, TWO_SIDED_CUTS
from tournaments.cutting import cut_given, finish_tournament, make_cut
from tournaments.eventfile import Event, Played, Wave
from tournaments.given import pair_given
from tournaments.models import Round, Stage, Tournament
from tournaments.pairing import pair_round, running_stage
from tournaments.registration import register_team, register_teams
from tournaments.rounds import close_round, publish_round, start_round
from tournaments.setting_up import create_tournament, open_registration, start_tournament
from tournaments.standings import standings_of
from tournaments.withdrawals import drop_player

MODE, POD_MODE = "magic-1v1", "magic-commander"
REASON = "As in the imported event."
HALF = 1  # half a match point, times two


@dataclass(frozen=True)
class Import:
    """A tournament under way to what its file says; players and teams by their token."""

    event: Event
    tournament: Tournament
    actor: Actor
    players: dict[str, int]
    teams: dict[str, int]

    def token_of(self, team_id: int) -> str:
        return next(token for token, team in self.teams.items() if team == team_id)


@transaction.atomic
def import_event(
    event: Event, *, slug: str, actor: Actor, store_id: int | None = None, policy: str | None = None
) -> Tournament:
    """The event is a finished tournament of lone players; a failure on the way leaves nothing.

    Teams of the file enter as lone entrants too. A slug that is taken is refused: nothing is imported twice.
    """
    store_id = _imports_store().pk if store_id is None else store_id
    cut = len(playoff_players(event))
    tournament = create_tournament(
        store_id=store_id,
        name=event.title[:LONGEST],
        slug=slug,
        mode=POD_MODE if event.has_pods else MODE,
        actor=actor,
        seed=Random(f"import:{slug}").getrandbits(62),
        planned_rounds=len(event.swiss),
        best_of=event.best_of,
        policy=policy or event.policy.key,
        cut=cut if cut in _cuts(event) else 0,
        late_policy=Tournament.LatePolicy.NOTHING,
        last_late_round=len(event.swiss),
    )
    open_registration(tournament_id=tournament.pk, actor=actor)
    people = add_players(store_id=store_id, names=event.players, source=f"import:{slug}"[:40])
    players = dict(zip(event.players, (person.pk for person in people), strict=True))
    under_way = Import(event, tournament, actor, players, {})
    late = _entered_late(event)
    starters = [token for token in event.players if token not in late]
    teams = register_teams(
        tournament_id=tournament.pk, members=[{"A": players[token]} for token in starters], actor=actor
    )
    under_way.teams.update(zip(starters, (team.pk for team in teams), strict=True))
    start_tournament(tournament_id=tournament.pk, actor=actor)
    for wave in event.swiss:
        _play_swiss(under_way, wave, [token for token, number in late.items() if number == wave.number])
    if cut:
        _cut(under_way)
        _play_bracket(under_way)
    return finish_tournament(tournament_id=tournament.pk, actor=actor)


def _cuts(event: Event) -> tuple[int, ...]:
    return POD_CUTS if event.has_pods else TWO_SIDED_CUTS


def _imports_store() -> Store:
    """The store that imported events belong to; made with the first of them."""
    store, _ = Store.objects.get_or_create(slug="imported-events", defaults={"name": "Imported events"})
    return store


def playoff_players(event: Event) -> set[str]:
    """Everybody who played on after the Swiss rounds."""
    return {player for wave in event.playoff for player in wave.players}


def _entered_late(event: Event) -> dict[str, int]:
    """Who is first named in a later round than the first, and in which."""
    first: dict[str, int] = {}
    for wave in event.swiss:
        for player in wave.players:
            first.setdefault(player, wave.number)
    return {player: number for player, number in first.items() if number > event.swiss[0].number}


def _play_swiss(under_way: Import, wave: Wave, late: list[str]) -> None:
    tournament, actor, teams = under_way.tournament, under_way.actor, under_way.teams
    for token in late:
        members = {"A": under_way.players[token]}
        teams[token] = register_team(tournament_id=tournament.pk, members=members, actor=actor).pk
    playing = set(
        Team.objects.filter(tournament=tournament, state=TeamState.PLAYING).values_list("pk", flat=True)
    )
    tables = [tuple(teams[player] for player in match.players) for match in wave.matches if match.is_table]
    lone = {
        teams[match.players[0]]: match.result
        for match in wave.matches
        if not match.is_table and teams[match.players[0]] in playing
    }
    seated = {team for table in tables for team in table}
    rnd = pair_given(
        tournament_id=tournament.pk,
        tables=tables,
        byes=[team for team, result in lone.items() if result in ("bye", "half_bye")],
        losses=[team for team, result in lone.items() if result == "loss"],
        absent=sorted(playing - seated - {team for team, result in lone.items() if result != "absent"}),
        half_points={team: HALF for team, result in lone.items() if result == "half_bye"},
        actor=actor,
        reason=REASON,
    )
    _play(under_way, rnd, wave)
    for token, number in under_way.event.drops.items():
        if number == wave.number and not _comes_back(under_way.event, token, number):
            drop_player(
                tournament_id=tournament.pk, player_id=under_way.players[token], actor=actor, reason=REASON
            )


def _comes_back(event: Event, player: str, after: int) -> bool:
    """A drop is inferred from absence; whoever plays again only sat out."""
    later = (match for wave in event.waves if wave.number > after for match in wave.matches)
    return any(player in match.players and match.result != "absent" for match in later)


def _cut(under_way: Import) -> Stage:
    """The bracket has the file's players in the order of our standings."""
    tournament, actor = under_way.tournament, under_way.actor
    wanted = {under_way.teams[token] for token in playoff_players(under_way.event)}
    gone = set(
        Team.objects.filter(tournament=tournament)
        .exclude(state=TeamState.PLAYING)
        .values_list("pk", flat=True)
    )
    table = [row.entrant for row in standings_of(running_stage(tournament)) if row.entrant not in gone]
    if len(wanted) in _cuts(under_way.event) and set(table[: len(wanted)]) == wanted:
        return make_cut(
            tournament_id=tournament.pk, size=len(wanted), actor=actor, tie_decision="By lot: " + REASON
        )
    return cut_given(
        tournament_id=tournament.pk,
        team_ids=[team for team in table if team in wanted],
        actor=actor,
        reason=REASON,
    )


def _play_bracket(under_way: Import) -> None:
    """Every round of the bracket is played as in the file; what the file leaves open goes by its ranking."""
    tournament, teams = under_way.tournament, under_way.teams
    bracket = running_stage(tournament)
    waves = list(under_way.event.playoff)
    for number in range(1, bracket.planned_rounds + 1):
        if not waves:
            _play(under_way, pair_round(tournament_id=tournament.pk, actor=under_way.actor, seed=0), None)
            continue
        wave = waves.pop(0)
        slots = bracket.slots.filter(round_number=number, team__isnull=False)
        waiting = set(slots.values_list("team_id", flat=True))
        pairs = [tuple(teams[player] for player in match.players) for match in wave.matches if match.is_table]
        tables = [pair for pair in pairs if set(pair) <= waiting]
        byes = sorted(waiting - {team for table in tables for team in table})
        rnd = pair_given(
            tournament_id=tournament.pk, tables=tables, byes=byes, actor=under_way.actor, reason=REASON
        )
        _play(under_way, rnd, wave)


def _play(under_way: Import, rnd: Round, wave: Wave | None) -> None:
    """The paired round is published, started, played as in the wave, and closed."""
    actor = under_way.actor
    publish_round(round_id=rnd.pk, actor=actor)
    start_round(round_id=rnd.pk, actor=actor)
    match_of = dict(Side.objects.filter(round=rnd, is_live=True).values_list("team_id", "match_id"))
    told: set[int] = set()
    for played in wave.matches if wave else ():
        match_id = match_of.get(under_way.teams[played.players[0]])
        if played.is_table and match_id is not None:
            enter_result(match_id=match_id, actor=actor, **_result(under_way, played, rnd.stage.is_bracket))
            told.add(match_id)
    for match in rnd.matches.filter(kind="table").exclude(pk__in=told):
        sides = list(match.sides.order_by("index").values_list("team_id", flat=True))
        winner = _better(under_way, [under_way.token_of(team) for team in sides])
        enter_result(match_id=match.pk, actor=actor, kind=ResultKind.UNPLAYED, winner=winner)
    close_round(round_id=rnd.pk, actor=actor)


def _result(under_way: Import, played: Played, in_bracket: bool) -> Mapping[str, Any]:
    """The words of `enter_result`; where the source has winners only, the match counts as one game."""
    if played.is_pod:
        return _pod_result(under_way, played, in_bracket)
    if played.games is None:
        wins = {"first": (1, 0), "second": (0, 1), "draw": (0, 0)}[played.result]
        draws = int(played.result == "draw")
    else:
        wins, draws = (played.games[0], played.games[1]), played.draws
    winner = played.winner
    if _contradicts(wins, winner, under_way.event.best_of // 2 + 1):
        raise RuleBroken(
            "bad-event-file",
            f"The file cannot be imported: {' and '.join(played.players)} have {wins[0]} to {wins[1]} games, "
            f"but the result {played.result!r}.",
        )
    if winner is None and in_bracket:
        return {"kind": ResultKind.AGREED, "winner": _better(under_way, list(played.players)), "wins": wins}
    if winner is None or wins[winner] > wins[1 - winner]:
        return {"wins": wins, "draws": draws}
    if not any(wins):
        return {"kind": ResultKind.UNPLAYED, "winner": winner}
    return {"kind": ResultKind.MATCH_LOSS, "loser": 1 - winner, "wins": wins, "draws": draws}


def _pod_result(under_way: Import, played: Played, in_bracket: bool) -> Mapping[str, Any]:
    """A winner, or a draw of those who were not out; in the playoff a draw goes by the published ranking."""
    if played.winner is not None:
        return {"winner": played.winner}
    if in_bracket:
        return {"kind": ResultKind.AGREED, "winner": _better(under_way, list(played.players))}
    return {"out_order": [1 if player in played.eliminated else None for player in played.players]}


def _contradicts(wins: tuple[int, int], winner: int | None, needed: int) -> bool:
    """A draw with unequal games, or a loser with all the games a winner needs."""
    return wins[0] != wins[1] if winner is None else wins[1 - winner] >= needed


def _better(under_way: Import, tokens: list[str]) -> int:
    """Which of them the published ranking puts first."""
    rank = {row["player"]: int(row["rank"]) for row in under_way.event.published}
    last = len(rank) + 1
    return min(range(len(tokens)), key=lambda index: rank.get(tokens[index], last))
