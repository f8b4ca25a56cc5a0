"""Teams enter, change, withdraw, come late."""

import pytest
from django.test import Client

from journal.actors import COMMAND
from journal.models import Deed
from journal.recording import version_of
from matches.models import Match
from rulebook.errors import RuleBroken
from teams.models import Player, Seat, Team
from teams.people import add_players, rename_player
from teams.selectors import team_cards
from tests.day import add_team, new_day, new_store
from tournaments.history import Presence, presence_of, standing_rows
from tournaments.models import Step, Tournament
from tournaments.registration import (
    change_team,
    check_in_team,
    fill_seat,
    promote_team,
    readmit_team,
    register_team,
    register_teams,
    sit_out,
    swap_seats,
    undo_check_in,
    withdraw_team,
)
from tournaments.setting_up import (
    cancel_tournament,
    change_tournament,
    create_tournament,
    open_registration,
    revive_tournament,
    start_tournament,
)
from tournaments.withdrawals import drop_team

pytestmark = pytest.mark.django_db


def people(*names: str) -> list[Player]:
    return add_players(store_id=new_store().pk, names=names)


def seats(team: Team) -> dict[str, int]:
    live = Seat.objects.filter(team=team, is_live=True)
    return dict(live.values_list("label", "player_id"))


def refused_registration(tournament: Tournament, members: object, code: str) -> RuleBroken:
    before = (Team.objects.count(), Seat.objects.count(), Deed.objects.count())
    with pytest.raises(RuleBroken) as error:
        register_team(tournament_id=tournament.pk, members=members, actor=COMMAND)  # type: ignore[arg-type]
    assert error.value.code == code
    assert (Team.objects.count(), Seat.objects.count(), Deed.objects.count()) == before
    return error.value


def test_two_players_register_as_a_and_b() -> None:
    day = new_day(0, started=False)
    a, b = people("Ana", "Ben")
    team = register_team(
        tournament_id=day.tournament.pk, members={"A": a.pk, "B": b.pk}, name=" The  Pair ", actor=COMMAND
    )
    assert seats(team) == {"A": a.pk, "B": b.pk}
    assert (team.name, team.number, team.state) == ("The Pair", 1, "registered")
    deed = Deed.objects.latest("number")
    assert (deed.kind, deed.subject) == ("TeamRegistered", f"team:{team.pk}")
    assert "Ana" not in str(deed.after)


def test_one_player_twice_in_a_team_is_refused() -> None:
    day = new_day(0, started=False)
    (a,) = people("Ana")
    refused_registration(day.tournament, {"A": a.pk, "B": a.pk}, "player-twice")


def test_two_a_seats_are_refused() -> None:
    day = new_day(0, started=False)
    a, b = people("Ana", "Ben")
    refused_registration(day.tournament, [("A", a.pk), ("A", b.pk)], "seat-twice")


def test_a_seat_the_mode_does_not_have_is_refused() -> None:
    day = new_day(0, started=False)
    a, b = people("Ana", "Ben")
    refused_registration(day.tournament, {"A": a.pk, "C": b.pk}, "unknown-seat")


def test_a_player_is_in_one_live_team() -> None:
    day = new_day(1, started=False)
    (b,) = people("Ben")
    error = refused_registration(
        day.tournament, {"A": b.pk, "B": day.players[0][0].pk}, "player-in-another-team"
    )
    assert day.players[0][0].name in error.sentence


def test_nobody_and_strangers_are_refused() -> None:
    day = new_day(0, started=False)
    refused_registration(day.tournament, {}, "nobody-entered")
    refused_registration(day.tournament, {"A": 999_999}, "unknown-player")


def test_an_unknown_mode_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(RuleBroken, match="riftbound-2v2") as error:
        create_tournament(
            store_id=new_store().pk, name="X", mode="riftbound-3v3", actor=COMMAND, planned_rounds=3
        )
    assert error.value.code == "unknown-mode"
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("announced", "code"),
    [
        ({"best_of": 2}, "wrong-best-of"),
        ({"cut": 3}, "wrong-cut"),
        ({"zone": "Mars/Olympus"}, "unknown-zone"),
        ({"round_minutes": 0}, "wrong-minutes"),
        ({"capacity": 1}, "wrong-capacity"),
        ({"policy": "dice"}, "unknown-policy"),
        ({"planned_rounds": 0}, "wrong-rounds"),
        ({"name": "  "}, "name-missing"),
        ({"slug": "taken"}, "slug-taken"),
        ({"slug": "a b/c"}, "wrong-slug"),
        ({"slug": "x" * 81}, "wrong-slug"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_played_are_refused_when_saved(
    announced: dict[str, object], code: str
) -> None:
    given = {"name": "X", "mode": "riftbound-2v2", "planned_rounds": 3, "slug": "taken"}
    create_tournament(store_id=new_store().pk, actor=COMMAND, **given)  # type: ignore[arg-type]
    with pytest.raises(RuleBroken) as error:
        create_tournament(
            store_id=new_store().pk,
            actor=COMMAND,
            **{**given, "slug": "free", **announced},  # type: ignore[arg-type]
        )
    assert error.value.code == code
    assert Tournament.objects.count() == 1


def test_a_lone_player_in_a_one_on_one_mode_is_a_team_of_one() -> None:
    day = new_day(3, mode="riftbound-match")
    assert seats(day.teams[0]) == {"A": day.players[0][0].pk}
    assert day.pair().matches.filter(kind="table").count() == 1


def test_an_incomplete_team_is_shown_as_such_and_never_paired() -> None:
    day = new_day(3, started=False)
    (lone,) = people("Lone")
    team = register_team(tournament_id=day.tournament.pk, members={"B": lone.pk}, actor=COMMAND)
    assert not team_cards([team], ("A", "B"))[team.pk].is_complete
    start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    rnd = day.pair()
    assert not Match.objects.filter(round=rnd, sides__team=team).exists()
    assert Team.objects.get(pk=team.pk).state == "registered"


def test_the_empty_seat_filled_during_play_lets_the_team_enter_late() -> None:
    day = new_day(4, started=False, rounds=4)
    lone, mate = people("Lone", "Mate")
    team = register_team(tournament_id=day.tournament.pk, members={"B": lone.pk}, actor=COMMAND)
    start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    day.play()
    fill_seat(team_id=team.pk, label="A", player_id=mate.pk, actor=COMMAND)
    team.refresh_from_db()
    assert (team.state, team.entered_round) == ("playing", 2)
    assert Match.objects.filter(round=day.pair(2), sides__team=team).exists()


def test_a_and_b_change_seats_until_the_first_pairing() -> None:
    day = new_day(4)
    team, (a, b) = day.teams[0], day.players[0]
    swap_seats(team_id=team.pk, actor=COMMAND)
    assert seats(team) == {"A": b.pk, "B": a.pk}
    day.pair()
    with pytest.raises(RuleBroken) as error:
        swap_seats(team_id=team.pk, actor=COMMAND)
    assert error.value.code == "seats-fixed"
    assert seats(team) == {"A": b.pk, "B": a.pk}


def test_a_withdrawn_team_frees_its_members_and_may_be_readmitted() -> None:
    day = new_day(3, started=False)
    team, (a, b) = day.teams[0], day.players[0]
    withdraw_team(team_id=team.pk, actor=COMMAND)
    (mate,) = people("Mate")
    other = register_team(tournament_id=day.tournament.pk, members={"A": a.pk, "B": mate.pk}, actor=COMMAND)
    with pytest.raises(RuleBroken) as error:
        readmit_team(team_id=team.pk, actor=COMMAND)
    assert error.value.code == "player-in-another-team"
    withdraw_team(team_id=other.pk, actor=COMMAND)
    assert readmit_team(team_id=team.pk, actor=COMMAND).state == "registered"
    assert seats(team) == {"A": a.pk, "B": b.pk}


def test_over_capacity_a_team_waits_and_moves_up_when_one_withdraws() -> None:
    day = new_day(3, started=False, capacity=2)
    assert [Team.objects.get(pk=team.pk).state for team in day.teams] == [
        "registered",
        "registered",
        "waitlisted",
    ]
    withdraw_team(team_id=day.teams[0].pk, actor=COMMAND)
    assert Team.objects.get(pk=day.teams[2].pk).state == "registered"


def test_many_teams_enter_in_one_deed_each_or_not_at_all() -> None:
    day = new_day(0, started=False)
    players = people(*(f"P{n}" for n in range(8)))
    pairs = [{"A": players[n].pk, "B": players[n + 1].pk} for n in range(0, 8, 2)]
    teams = register_teams(tournament_id=day.tournament.pk, members=pairs, actor=COMMAND)
    assert [team.number for team in teams] == [1, 2, 3, 4]
    assert Deed.objects.filter(kind="TeamRegistered").count() == 4
    with pytest.raises(RuleBroken) as error:
        register_teams(tournament_id=day.tournament.pk, members=pairs, actor=COMMAND)
    assert error.value.code == "player-in-another-team"
    assert Team.objects.count() == 4


def test_a_checked_in_team_plays_like_the_others() -> None:
    day = new_day(2, started=False)
    check_in_team(team_id=day.teams[0].pk, actor=COMMAND)
    start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    assert set(Team.objects.values_list("state", flat=True)) == {"playing"}


def test_a_tournament_does_not_start_with_fewer_than_two_complete_teams() -> None:
    day = new_day(1, started=False)
    with pytest.raises(RuleBroken) as error:
        start_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    assert error.value.code == "not-enough-teams"
    assert set(Team.objects.values_list("state", flat=True)) == {"registered"}


def test_a_table_fixed_for_two_teams_is_refused() -> None:
    day = new_day(2, started=False)
    change_team(team_id=day.teams[0].pk, fixed_table=7, actor=COMMAND)
    with pytest.raises(RuleBroken) as error:
        change_team(team_id=day.teams[1].pk, fixed_table=7, actor=COMMAND)
    assert error.value.code == "table-taken"


@pytest.mark.parametrize(
    ("rounds", "played", "allowed"),
    [(11, 5, True), (11, 6, False), (12, 6, True)],
    ids=["case-041-before-6-of-11", "case-041-before-7-of-11", "case-041-before-7-of-12"],
)
def test_case_041_late_entry_ends_at_half_of_the_rounds(rounds: int, played: int, allowed: bool) -> None:
    day = new_day(14, rounds=rounds, late_policy="bye", mode="magic-1v1", best_of=1)
    for seed in range(played):
        day.play(seed, wins=(1, 0))
    if not allowed:
        with pytest.raises(RuleBroken) as error:
            add_team(day)
        assert error.value.code == "too-late"
        assert Team.objects.count() == 14
        return
    late = add_team(day)
    kinds = Match.objects.filter(sides__team=late).values_list("kind", flat=True)
    assert list(kinds) == ["bye"]
    late.refresh_from_db()
    assert late.entered_round == played + 1


def test_case_035_absent_and_out_are_different_rounds() -> None:
    day = new_day(6, rounds=4)
    team = day.teams[0]
    day.play(1)
    sit_out(team_id=team.pk, round_number=2, actor=COMMAND)
    day.play(2)
    drop_team(team_id=team.pk, actor=COMMAND)
    team.refresh_from_db()
    assert presence_of(team, day.swiss) == [(1, Presence.PLAYED), (2, Presence.ABSENT), (3, Presence.OUT)]


def test_case_035_a_drop_after_the_last_round_marks_no_round() -> None:
    day = new_day(4, rounds=2)
    day.play(1)
    day.play(2)
    drop_team(team_id=day.teams[0].pk, actor=COMMAND)
    day.teams[0].refresh_from_db()
    assert [presence for _, presence in presence_of(day.teams[0], day.swiss)] == [Presence.PLAYED] * 2


def test_case_042_who_left_without_a_match_can_be_hidden_and_stays_in_the_export() -> None:
    day = new_day(5, rounds=3)
    ghost = day.teams[4]
    drop_team(team_id=ghost.pk, actor=COMMAND)
    day.play(1)
    assert ghost in [row.team for row in standing_rows(day.fresh)]
    change_tournament(tournament_id=day.tournament.pk, hide_never_played=True, actor=COMMAND)
    assert ghost not in [row.team for row in standing_rows(day.fresh)]
    assert ghost in [row.team for row in standing_rows(day.fresh, everybody=True)]
    assert Deed.objects.filter(subject=f"team:{ghost.pk}").count() == 2


def test_a_draft_that_is_cancelled_was_never_announced() -> None:
    day = new_day(0, started=False)
    hidden = create_tournament(
        store_id=new_store().pk, name="Hidden", mode="riftbound-2v2", planned_rounds=3, actor=COMMAND
    )
    cancel_tournament(tournament_id=hidden.pk, actor=COMMAND)
    client = Client()
    assert client.get(f"/t/{hidden.slug}/").status_code == 404
    assert client.get(f"/api/v1/tournaments/{hidden.slug}/").status_code == 404
    assert "Hidden" not in client.get("/").content.decode()
    assert client.get(f"/t/{day.tournament.slug}/").status_code == 200


def test_checked_in_by_mistake_is_taken_back_and_a_waiting_team_may_be_given_a_place() -> None:
    day = new_day(3, started=False, capacity=2)
    check_in_team(team_id=day.teams[0].pk, actor=COMMAND)
    assert undo_check_in(team_id=day.teams[0].pk, actor=COMMAND).state == "registered"
    assert promote_team(team_id=day.teams[2].pk, actor=COMMAND).state == "registered"
    for deed in (undo_check_in, promote_team):
        with pytest.raises(RuleBroken):
            deed(team_id=day.teams[0].pk, actor=COMMAND)


@pytest.mark.parametrize("started", [False, True])
def test_a_cancelled_tournament_goes_on_where_it_was_and_nothing_else_is_revived_or_opened(
    started: bool,
) -> None:
    day = new_day(2, started=started)
    before, rnd = Tournament.objects.get(pk=day.tournament.pk).state, day.run() if started else None
    for deed in (revive_tournament, open_registration):
        with pytest.raises(RuleBroken):
            deed(tournament_id=day.tournament.pk, actor=COMMAND)
    waiting = Step.objects.filter(round=rnd, state="waiting").count() if rnd else 0
    cancel_tournament(tournament_id=day.tournament.pk, actor=COMMAND)
    assert revive_tournament(tournament_id=day.tournament.pk, actor=COMMAND).state == before
    assert Step.objects.filter(tournament=day.tournament, state="waiting").count() == waiting


def test_a_new_name_is_a_new_version_of_every_tournament_it_is_shown_in() -> None:
    day = new_day(2)
    before = version_of(day.tournament.pk)
    rename_player(player_id=day.players[0][0].pk, name="Nora Neu", actor=COMMAND)
    assert version_of(day.tournament.pk) == before + 1
