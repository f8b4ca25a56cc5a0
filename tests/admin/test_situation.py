"""What the admin page of a tournament offers, whatever its mode and format."""

import pytest

from journal.actors import COMMAND
from tests.day import new_day
from tournaments.admin.situation import situation_of
from tournaments.rounds import close_round

pytestmark = pytest.mark.django_db


def test_a_tournament_in_pods_can_make_its_cut() -> None:
    day = new_day(8, mode="magic-commander", best_of=1, rounds=1, cut=4)
    rnd = day.run()
    assert not situation_of(day.fresh).may_cut
    for match in rnd.matches.all():
        day.enter(match, winner=0)
    close_round(round_id=rnd.pk, actor=COMMAND)
    assert situation_of(day.fresh).may_cut
    assert not situation_of(day.fresh).may_finish
    day.cut(4)
    assert not situation_of(day.fresh).may_cut


def test_an_elimination_from_the_start_has_no_cut() -> None:
    day = new_day(2, format="elimination")
    assert not situation_of(day.fresh).may_cut
    day.play()
    assert (situation_of(day.fresh).may_cut, situation_of(day.fresh).may_finish) == (False, True)
