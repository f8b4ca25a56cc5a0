"""Rounds and cuts that an organizer gives by hand."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from journal.actors import COMMAND
from journal.kinds import DeedKind
from journal.models import Deed
from matches.models import Match, Side
from matches.results import enter_result
from rulebook.errors import RuleBroken
from teams.models import Store, Team
from teams.people import add_players
from tournaments.cutting import cut_given, finish_tournament, make_cut, undo_cut
from tournaments.given import pair_given
from tournaments.models import Round, Tournament
from tournaments.pairing import pair_round, running_stage
from tournaments.registration import register_teams
from tournaments.rounds import close_round, publish_round, scrap_round, start_round
from tournaments.setting_up import create_tournament, open_registration, start_tournament
from tournaments.standings import final_ranking, standings_of, swiss_stage
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def started(teams: int = 5, rounds: int = 1, **announced: Any) -> tuple[Tournament, list[int]]:
    store = Store.objects.create(name="The Vault", slug=f"vault-{Store.objects.count()}")
    tournament = create_tournament(
        store_id=store.pk,
        name="Open",
        mode="magic-1v1",
        planned_rounds=rounds,
        actor=COMMAND,
        seed=1,
        **announced,
    )
    open_registration(tournament_id=tournament.pk, actor=COMMAND)
    people = add_players(store_id=store.pk, names=[f"Player {n}" for n in range(1, teams + 1)])
    entered = register_teams(
        tournament_id=tournament.pk,
        members=[{"A": person.pk} for person in people],
        names=[f"Team {n}" for n in range(1, teams + 1)],
        actor=COMMAND,
    )
    start_tournament(tournament_id=tournament.pk, actor=COMMAND)
    return tournament, [team.pk for team in entered]


def played(rnd: Round) -> Round:
    """Closed, the first side having won every table."""
    publish_round(round_id=rnd.pk, actor=COMMAND)
    start_round(round_id=rnd.pk, actor=COMMAND)
    for match in rnd.matches.filter(kind="table"):
        enter_result(match_id=match.pk, wins=(2, 0), actor=COMMAND)
    return close_round(round_id=rnd.pk, actor=COMMAND)


def points_of(tournament: Tournament) -> dict[int, Fraction]:
    stage = swiss_stage(tournament)
    assert stage is not None
    return {row.entrant: row.points for row in standings_of(stage)}


def test_a_round_has_exactly_the_given_tables_in_side_order() -> None:
    tournament, (a, b, c, d, e) = started()
    rnd = pair_given(tournament_id=tournament.pk, tables=[(d, a), (b, c)], byes=[e], actor=COMMAND)
    sides = Side.objects.filter(round=rnd).order_by("match__table", "match_id", "index")
    assert sorted(sides.values_list("match__table", "index", "team_id"), key=str) == sorted(
        [(1, 0, d), (1, 1, a), (2, 0, b), (2, 1, c), (None, 0, e)], key=str
    )
    assert (rnd.engine, rnd.output["report"]["rematches"]) == ("given", 0)


def test_the_journal_says_that_a_round_was_given_by_hand_and_why() -> None:
    tournament, (a, b, c, d) = started(4)
    pair_given(tournament_id=tournament.pk, tables=[(a, b), (c, d)], actor=COMMAND, reason="ruling")
    deed = Deed.objects.filter(tournament=tournament).latest("number")
    assert deed.kind == DeedKind.ROUND_PAIRED
    assert deed.after == {"number": 1, "tables": 2, "rematches": 0, "pair_downs": 0, "given": True}
    assert deed.reason == "ruling"


def test_a_rematch_by_hand_is_allowed_and_counted() -> None:
    tournament, (a, b, c, d) = started(4, rounds=2)
    played(pair_given(tournament_id=tournament.pk, tables=[(a, b), (c, d)], actor=COMMAND))
    rnd = pair_given(tournament_id=tournament.pk, tables=[(b, a), (d, c)], actor=COMMAND)
    assert rnd.output["report"] == {
        "engine": "given",
        "rematches": 2,
        "pair_downs": 2,
        "second_byes": 0,
    }


def test_a_loss_counts_as_a_round_and_an_absence_counts_for_nothing() -> None:
    tournament, (a, b, c, d, e) = started()
    rnd = pair_given(
        tournament_id=tournament.pk, tables=[(a, b)], byes=[c], losses=[d], absent=[e], actor=COMMAND
    )
    played(rnd)
    stage = swiss_stage(tournament)
    assert stage is not None
    rows = {row.entrant: (row.points, row.losses, row.played) for row in standings_of(stage)}
    assert (rows[c], rows[d], rows[e]) == ((3, 0, 1), (0, 1, 1), (0, 0, 0))


def test_a_bye_can_be_worth_half_a_point() -> None:
    tournament, (a, b, c, d) = started(4, policy="lichess")
    rnd = pair_given(
        tournament_id=tournament.pk, tables=[(a, b)], byes=[c, d], half_points={c: 1}, actor=COMMAND
    )
    played(rnd)
    assert points_of(tournament) == {a: 1, b: 0, c: Fraction(1, 2), d: 1}


@pytest.mark.parametrize(
    ("code", "words", "pairing"),
    [
        pytest.param(
            "team-twice",
            "Team 1",
            lambda a, b, c, d, e: {"tables": [(a, b), (c, d)], "byes": [e, a]},
            id="a-team-twice",
        ),
        pytest.param(
            "team-twice",
            "Team 1",
            lambda a, b, c, d, e: {"tables": [(a, a), (c, d)], "byes": [e, b]},
            id="a-team-against-itself",
        ),
        pytest.param(
            "team-left-out",
            "Team 5",
            lambda a, b, c, d, e: {"tables": [(a, b), (c, d)]},
            id="a-team-left-out",
        ),
        pytest.param(
            "team-not-waiting",
            "another tournament",
            lambda a, b, c, d, e: {"tables": [(a, b), (c, d)], "byes": [e, 10**9]},
            id="an-unknown-team",
        ),
        pytest.param(
            "one-side-only",
            "bye",
            lambda a, b, c, d, e: {"tables": [(a, b), (c, d), (e,)]},
            id="a-table-of-one",
        ),
        pytest.param(
            "wrong-number-of-sides",
            "not by 3",
            lambda a, b, c, d, e: {"tables": [(a, b), (c, d, e)]},
            id="a-table-of-three",
        ),
        pytest.param(
            "points-follow-the-result",
            "bye",
            lambda a, b, c, d, e: {"tables": [(a, b), (c, d)], "byes": [e], "half_points": {a: 1}},
            id="other-points-for-a-table",
        ),
    ],
)
def test_a_pairing_that_is_not_complete_is_refused_and_leaves_nothing(
    code: str, words: str, pairing: Callable[..., dict[str, Any]]
) -> None:
    tournament, teams = started()
    deeds = Deed.objects.count()
    with pytest.raises(RuleBroken) as refused:
        pair_given(tournament_id=tournament.pk, actor=COMMAND, **pairing(*teams))
    assert refused.value.code == code
    assert words in refused.value.sentence
    assert (Round.objects.count(), Match.objects.count(), Deed.objects.count()) == (0, 0, deeds)


def test_a_team_that_left_cannot_be_given_a_table() -> None:
    tournament, (a, b, c, d, e) = started()
    drop_team(team_id=e, actor=COMMAND)
    with pytest.raises(RuleBroken, match="Team 5"):
        pair_given(tournament_id=tournament.pk, tables=[(a, b), (c, e)], byes=[d], actor=COMMAND)


def test_no_round_is_given_while_the_last_one_is_open() -> None:
    tournament, (a, b, c, d) = started(4, rounds=2)
    pair_given(tournament_id=tournament.pk, tables=[(a, b), (c, d)], actor=COMMAND)
    with pytest.raises(RuleBroken) as refused:
        pair_given(tournament_id=tournament.pk, tables=[(a, c), (b, d)], actor=COMMAND)
    assert refused.value.code == "round-still-open"


def in_the_cut(teams: int = 4) -> tuple[Tournament, list[int]]:
    """The bracket is open, seeded in the order of the teams."""
    tournament, entered = started(teams)
    half = teams // 2
    tables = [(entered[n], entered[n + half]) for n in range(half)]
    played(pair_given(tournament_id=tournament.pk, tables=tables, actor=COMMAND))
    cut_given(tournament_id=tournament.pk, team_ids=entered, actor=COMMAND, reason="by agreement")
    return tournament, entered


def nodes(tournament: Tournament, number: int) -> dict[str, list[int | None]]:
    found: dict[str, list[int | None]] = {}
    for slot in running_stage(tournament).slots.filter(round_number=number).order_by("node", "index"):
        found.setdefault(slot.node, []).append(slot.team_id)
    return found


def test_other_semifinals_than_the_bracket_s_lead_to_the_given_final() -> None:
    tournament, (one, two, three, four) = in_the_cut()
    assert nodes(tournament, 1) == {"r1m1": [one, four], "r1m2": [two, three]}
    rnd = pair_given(tournament_id=tournament.pk, tables=[(three, one), (four, two)], actor=COMMAND)
    assert nodes(tournament, 1) == {"r1m1": [one, three], "r1m2": [two, four]}
    played(rnd)
    final = pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=1)
    assert set(final.matches.get().sides.values_list("team_id", flat=True)) == {three, four}


def test_a_bracket_of_six_gives_the_top_two_a_bye_by_hand_too() -> None:
    tournament, (one, two, three, four, five, six) = in_the_cut(6)
    rnd = pair_given(
        tournament_id=tournament.pk, tables=[(three, four), (five, six)], byes=[one, two], actor=COMMAND
    )
    played(rnd)
    played(pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=1))
    played(pair_round(tournament_id=tournament.pk, actor=COMMAND, seed=1))
    finish_tournament(tournament_id=tournament.pk, actor=COMMAND)
    stage = swiss_stage(tournament)
    assert stage is not None
    places = {place.team_id: place.place for place in final_ranking(tournament, standings_of(stage))}
    assert sorted(places.values()) == [1, 2, 3, 3, 5, 5]


@pytest.mark.parametrize(
    ("code", "pairing"),
    [
        pytest.param("team-left-out", lambda a, b, c, d: {"tables": [(a, b)]}, id="two-left-out"),
        pytest.param(
            "bracket-tables-only",
            lambda a, b, c, d: {"tables": [(a, b)], "byes": [c], "absent": [d]},
            id="an-absence",
        ),
        pytest.param(
            "bracket-too-small",
            lambda a, b, c, d: {"tables": [(a, b)], "byes": [c, d]},
            id="more-matches-than-the-bracket-has",
        ),
    ],
)
def test_a_bracket_round_that_does_not_fit_is_refused(
    code: str, pairing: Callable[..., dict[str, Any]]
) -> None:
    tournament, teams = in_the_cut()
    before = nodes(tournament, 1)
    with pytest.raises(RuleBroken) as refused:
        pair_given(tournament_id=tournament.pk, actor=COMMAND, **pairing(*teams))
    assert refused.value.code == code
    assert nodes(tournament, 1) == before


def test_after_a_given_bracket_round_is_scrapped_the_cut_can_be_made_again() -> None:
    tournament, (one, two, three, four) = in_the_cut()
    rnd = pair_given(tournament_id=tournament.pk, tables=[(one, two), (three, four)], actor=COMMAND)
    scrap_round(round_id=rnd.pk, actor=COMMAND)
    undo_cut(tournament_id=tournament.pk, actor=COMMAND)
    make_cut(tournament_id=tournament.pk, size=4, actor=COMMAND)
    assert running_stage(tournament).entries.count() == 4


@pytest.mark.parametrize(
    ("code", "named", "reason"),
    [
        pytest.param("reason-missing", slice(0, 2), " ", id="without-a-reason"),
        pytest.param("wrong-cut", slice(0, 1), "ruling", id="one-team"),
        pytest.param("team-not-waiting", slice(0, 4), "ruling", id="a-team-that-left"),
    ],
)
def test_a_cut_by_hand_names_teams_that_play_and_a_reason(code: str, named: slice, reason: str) -> None:
    tournament, teams = started(4)
    played(
        pair_given(tournament_id=tournament.pk, tables=[tuple(teams[:2]), tuple(teams[2:])], actor=COMMAND)
    )
    drop_team(team_id=teams[3], actor=COMMAND)
    chosen: Sequence[int] = teams[named]
    with pytest.raises(RuleBroken) as refused:
        cut_given(tournament_id=tournament.pk, team_ids=chosen, actor=COMMAND, reason=reason)
    assert refused.value.code == code
    assert not Team.objects.filter(entries__isnull=False).exists()
