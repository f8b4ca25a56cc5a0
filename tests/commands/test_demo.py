"""The demo tournaments of seeds/."""

import io
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import TestCase

from journal.clock import forget_setting, now, set_clock
from journal.models import ClockSetting, Deed
from matches.models import Match
from teams.links import revoke_links, seat_behind
from teams.models import Link, Player, Store, Team, User
from tournaments.demo import PASSWORD, demo_card, load_demo
from tournaments.models import Round, Tournament
from tournaments.staff import Can, may

pytestmark = pytest.mark.django_db
HERE = "http://localhost:8000"


@pytest.fixture(autouse=True)
def _no_clock_of_another_test() -> Iterator[None]:
    forget_setting()
    yield
    forget_setting()


def loaded() -> str:
    out = io.StringIO()
    call_command("load_demo", stdout=out, stderr=out)
    return out.getvalue()


class TestTheDemo(TestCase):
    """What is true once the demo is loaded; loaded once for all of them."""

    said: str

    @classmethod
    def setUpTestData(cls) -> None:
        forget_setting()
        cls.said = loaded()

    def test_the_demo_has_a_running_a_coming_and_a_finished_tournament(self) -> None:
        said = self.said
        states = dict(Tournament.objects.values_list("slug", "state"))
        assert states == {
            "magma-chamber-open": "running",
            "two-heads-one-cauldron": "registration",
            "lone-wolf-trial": "finished",
        }
        assert all(name in said for name in Tournament.objects.values_list("name", flat=True))

    def test_a_second_load_changes_nothing_and_says_nothing(self) -> None:
        before = (Deed.objects.count(), User.objects.count(), Store.objects.count())
        assert loaded() == ""
        assert (Deed.objects.count(), User.objects.count(), Store.objects.count()) == before

    def test_round_three_of_the_open_is_under_way_with_tables_in_every_state(self) -> None:
        rnd = Round.objects.get(stage__tournament__slug="magma-chamber-open", number=3)
        states = [match.state for match in rnd.matches.filter(kind="table")]
        assert {state: states.count(state) for state in sorted(set(states))} == {
            "confirmed": 4,
            "disputed": 1,
            "open": 4,
            "reported": 2,
        }
        assert rnd.state == "running"
        assert rnd.started_at is not None
        assert rnd.ends_at is not None
        assert rnd.started_at < now() < rnd.ends_at, "the clock of the round runs"

    def test_the_open_has_a_dropped_an_incomplete_and_two_namesakes(self) -> None:
        teams = Team.objects.filter(tournament__slug="magma-chamber-open")
        assert teams.get(state="dropped").name == "Lukewarm Lava"
        assert teams.get(state="registered").seats.count() == 1
        namesakes = Player.objects.filter(name="Anna Schmidt")
        assert namesakes.count() == 2
        assert len({player.seats.get().team_id for player in namesakes}) == 2
        assert not Match.objects.filter(sides__team__state="registered").exists()

    def test_who_plays_in_two_tournaments_is_one_person(self) -> None:
        assert Player.objects.get(name="Zoë Brandt").seats.count() == 2

    def test_the_coming_tournament_is_full_with_a_waiting_list(self) -> None:
        tournament = Tournament.objects.get(slug="two-heads-one-cauldron")
        states = list(tournament.teams.values_list("state", flat=True))
        assert {state: states.count(state) for state in sorted(set(states))} == {
            "checked-in": 3,
            "registered": 5,
            "waitlisted": 2,
            "withdrawn": 1,
        }
        assert tournament.starts_at is not None
        assert now() < tournament.starts_at < now() + timedelta(hours=3)

    def test_the_finished_tournament_has_one_winner_of_its_top_four(self) -> None:
        bracket = Tournament.objects.get(slug="lone-wolf-trial").stages.get(number=2)
        assert list(bracket.entries.order_by("place").values_list("place", flat=True)) == [1, 2, 3, 3]

    def test_the_journal_of_the_demo_runs_in_order_and_ends_before_now(self) -> None:
        for tournament in Tournament.objects.all():
            moments = list(tournament.deeds.order_by("number").values_list("at", flat=True))
            assert all(first <= second for first, second in pairwise(moments)), tournament.slug
            assert moments[-1] <= now()
            assert moments[-1] - moments[0] > timedelta(days=8)

    def test_the_clock_is_as_it_was_before_the_demo(self) -> None:
        assert not ClockSetting.objects.exists()

    def test_each_demo_account_may_do_what_its_role_says(self) -> None:
        open_id = Tournament.objects.get(slug="magma-chamber-open").pk
        powers = {
            user.username: [
                can for can in (Can.SETTINGS, Can.DISQUALIFY, Can.PAIR) if may(user, open_id, can)
            ]
            for user in User.objects.all()
        }
        assert powers == {
            "organizer": [Can.SETTINGS, Can.DISQUALIFY, Can.PAIR],
            "judge": [Can.DISQUALIFY, Can.PAIR],
            "scorekeeper": [Can.PAIR],
        }
        assert not User.objects.filter(is_superuser=True).exists()
        assert User.objects.get(username="organizer").stores.get().slug == "salamander"

    def test_the_card_tells_address_login_and_the_link_of_a_player_who_plays_now(self) -> None:
        card = demo_card(HERE + "/").splitlines()
        assert card[0].split() == ["Tandem", f"{HERE}/"]
        assert card[1].split() == ["Organizer", f"{HERE}/accounts/login/", "organizer", "/", PASSWORD]
        token = card[2].rsplit("/", 1)[1]
        seat = seat_behind(token)
        assert seat.player.name == "Zoë Brandt"
        match = Match.objects.get(round__number=3, sides__team=seat.team)
        assert (match.state, match.results.count()) == ("open", 0)

    def test_the_card_is_the_same_on_every_run(self) -> None:
        assert demo_card(HERE) == demo_card(HERE)
        assert Link.objects.count() == 1

    def test_the_card_has_a_new_link_when_the_secret_key_has_changed(self) -> None:
        before = demo_card(HERE)
        with self.settings(SECRET_KEY="another one"):
            token = demo_card(HERE).rsplit("/", 1)[1]
            assert token not in before
            assert seat_behind(token).player.name == "Zoë Brandt"

    def test_the_card_shows_no_login_that_does_not_work_and_no_link_that_was_revoked(self) -> None:
        link = Link.objects.get()
        revoke_links(seat_id=link.seat_id)
        assert "/me/" not in demo_card(HERE)
        organizer = User.objects.get(username="organizer")
        organizer.set_password("something of my own")
        organizer.save()
        assert demo_card(HERE).split() == ["Tandem", f"{HERE}/"]


def test_a_database_with_a_tournament_gets_no_demo() -> None:
    store = Store.objects.create(name="Mine", slug="mine")
    Tournament.objects.create(
        store=store,
        slug="mine",
        name="Mine",
        mode="magic-1v1",
        policy="magic",
        best_of=3,
        planned_rounds=3,
        seed=1,
        created_at=now(),
    )
    assert loaded() == ""
    assert (Tournament.objects.count(), User.objects.count()) == (1, 0)


def test_production_gets_no_demo_accounts(settings: Any) -> None:
    settings.PRODUCTION = True
    assert "not loaded in production" in loaded()
    assert not User.objects.exists()
    assert not Tournament.objects.exists()


def test_a_clock_that_was_set_before_the_demo_stays_set() -> None:
    shown = now() + timedelta(days=100)
    set_clock(shown, speed=3.0)
    loaded()
    assert ClockSetting.objects.get().speed == 3.0
    assert timedelta(0) <= now() - shown < timedelta(hours=1)
    running = Round.objects.get(stage__tournament__slug="magma-chamber-open", number=3)
    assert running.started_at is not None
    assert shown - timedelta(hours=1) < running.started_at < shown


def test_a_file_that_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "house.json").write_text(
        '{"store": {"name": "S", "slug": "s"},'
        ' "staff": [{"username": "o", "name": "O", "role": "organizer"}]}'
    )
    (tmp_path / "1.json").write_text(
        '{"tournament": {"name": "T", "mode": "magic-1v1", "planned_rounds": 3, "seed": 1},'
        ' "starts_minutes": 5, "teams": [{"members": ["A"]}, {"members": [""]}]}'
    )
    with pytest.raises(Exception, match="player's name"):
        load_demo(tmp_path)
    assert not any(model.objects.exists() for model in (Store, User, Tournament, Player, ClockSetting))


def test_without_a_demo_the_card_is_the_address() -> None:
    assert demo_card(HERE).split() == ["Tandem", f"{HERE}/"]
