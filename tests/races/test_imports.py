"""One long list given to several workers while others register, on PostgreSQL with real threads."""

from collections.abc import Callable
from typing import Any

import pytest

from journal.actors import COMMAND, user_actor
from teams.models import Team, User
from teams.people import add_players
from tests.races.test_rounds import outcome
from tests.small_event import registered
from tournaments.large_imports import ask_import, do_import
from tournaments.models import Upload
from tournaments.registration import places_taken, register_team
from tournaments.team_import import apply_import, keep_file

pytestmark = pytest.mark.django_db(transaction=True)
LIST = b"Player A,Player B\n" + b"".join(b"Ana %d,Bo %d\n" % (n, n) for n in range(30))


def test_a_list_that_two_workers_and_a_hand_enter_at_once_is_in_once_and_no_place_is_given_twice(
    run_threads: Callable[..., list[Any]],
) -> None:
    tournament = registered(4, capacity=20)
    user = User.objects.create_superuser("root")
    asked, other = (
        keep_file(
            tournament_id=tournament.pk,
            user_id=user.pk,
            name="list.csv",
            body=body,
            choices={},
        )
        for body in (LIST, LIST.replace(b"Ana", b"Mia").replace(b"Bo", b"Per"))
    )
    ask_import(upload_id=asked.pk, actor=user_actor(user.pk))
    people = add_players(store_id=tournament.store_id, names=["Ole", "Radu"])
    members = {"A": people[0].pk, "B": people[1].pk}
    done = run_threads(
        lambda: do_import(upload_id=asked.pk),
        lambda: do_import(upload_id=asked.pk),
        lambda: apply_import(upload_id=asked.pk, actor=COMMAND),
        lambda: apply_import(upload_id=other.pk, actor=COMMAND),
        lambda: register_team(tournament_id=tournament.pk, members=members, actor=COMMAND),
    )
    told = [outcome(one) for one in done]
    assert told[2] in ("imported-already", "import-asked-for")
    assert [told[0], told[1], *told[3:]] == ["done"] * 4
    asked.refresh_from_db()
    assert (asked.state, asked.tries) == (Upload.State.DONE, 1)
    teams = Team.objects.filter(tournament=tournament)
    assert (places_taken(tournament), teams.count()) == (20, 4 + 30 + 30 + 1)
    assert sorted(teams.values_list("number", flat=True)) == list(range(1, 66))
