"""One Idempotency-Key sent by many at one moment, on PostgreSQL with real threads."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from integrations.models import Once
from journal.models import Deed
from matches.models import Result
from teams.models import Team
from tests import small_event
from tests.api.calling import Till

CALLERS = 20


@pytest.mark.django_db(transaction=True)
def test_twenty_equal_posts_with_one_key_make_one_row(run_threads: Callable[..., Any]) -> None:
    till = Till(small_event.registered(1))
    body = {"members": [{"seat": "A", "name": "Anna"}, {"seat": "B", "name": "Bo"}]}

    def post() -> Any:
        return Till.again(till).post("/tournaments/friday/teams/", body, once="order-1")

    answers = run_threads(*[post] * CALLERS)
    assert Counter(getattr(answer, "status_code", answer) for answer in answers) == {201: CALLERS}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotency-Replayed" in answer for answer in answers) == CALLERS - 1
    assert (Team.objects.count(), Once.objects.count()) == (2, 1)


@pytest.mark.django_db(transaction=True)
def test_two_scorekeepers_confirm_one_match_once(run_threads: Callable[..., Any]) -> None:
    rnd = small_event.started(small_event.running(2))
    match = rnd.matches.get()
    first, second = match.sides.order_by("index").values_list("team_id", flat=True)
    till, other = Till(rnd.stage.tournament), Till(rnd.stage.tournament)
    till.post(f"/matches/{match.pk}/report/", {"team": first, "sides": [{"team": first, "wins": 2}]})

    def confirm(who: Till) -> Callable[[], Any]:
        return lambda: Till.again(who).post(f"/matches/{match.pk}/confirm/")

    answers = run_threads(*[confirm(till), confirm(other)] * 4)
    assert {answer.status_code for answer in answers} == {200}
    assert Result.objects.filter(match=match).count() == 1
    assert Deed.objects.filter(kind="MatchConfirmed").count() == 1
    assert second != first
