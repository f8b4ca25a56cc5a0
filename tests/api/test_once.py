"""Safe writes: a repeated request does nothing twice, and an edit of what has changed is refused."""

from datetime import timedelta
from typing import Any

import pytest

from integrations.models import Once
from integrations.once import forget_answers
from integrations.scopes import Scope
from journal.clock import reset_clock, shift_clock
from journal.models import Deed
from journal.recording import version_of
from teams.models import Team
from tests import small_event
from tests.api.calling import V1, Till, code_of

pytestmark = pytest.mark.django_db
FOXES = {"name": "Sea Foxes", "members": [{"seat": "A", "name": "Anna"}, {"seat": "B", "name": "Bo"}]}


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    yield
    reset_clock()


@pytest.fixture
def till() -> Till:
    return Till(small_event.registered(2))


def test_the_same_request_again_gets_the_same_answer_and_does_nothing(till: Till) -> None:
    first = till.post("/tournaments/friday/teams/", FOXES, once="order-1")
    again = till.post("/tournaments/friday/teams/", dict(reversed(FOXES.items())), once="order-1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first
    assert Team.objects.filter(name="Sea Foxes").count() == 1


def test_the_same_key_with_another_body_or_address_is_refused(till: Till) -> None:
    till.post("/tournaments/friday/teams/", FOXES, once="order-1")
    other = till.post("/tournaments/friday/teams/", {**FOXES, "name": "Owls"}, once="order-1")
    elsewhere = till.post("/tournaments/friday/start/", once="order-1")
    for refused in (other, elsewhere):
        assert (refused.status_code, code_of(refused)) == (422, "idempotency-key-reused")
    stranger = Till(small_event.registered(2, slug="saturday"))
    assert (
        stranger.post("/tournaments/friday/teams/", {**FOXES, "name": "Owls"}, once="order-1").status_code
        == 201
    )


def test_a_deed_that_fails_leaves_no_key_and_may_be_tried_again(till: Till) -> None:
    refused = till.post("/tournaments/friday/finish/", once="end-1")
    assert (refused.status_code, Once.objects.count()) == (409, 0)
    wrong = till.post("/tournaments/friday/teams/", {"members": []}, once="end-1")
    assert (wrong.status_code, Once.objects.count()) == (400, 0)
    assert till.post("/tournaments/friday/start/", once="end-1").status_code == 200
    assert Once.objects.get().status == 200


@pytest.mark.parametrize("key", ["with space", "x" * 101])
def test_a_key_no_program_should_send_is_refused(till: Till, key: str) -> None:
    answer = till.post("/tournaments/friday/start/", once=key)
    assert (answer.status_code, code_of(answer)) == (400, "idempotency-key-unreadable")


def test_answers_are_forgotten_after_two_days(till: Till) -> None:
    till.post("/tournaments/friday/teams/", FOXES, once="order-1")
    assert forget_answers() == 0
    shift_clock(timedelta(days=2, minutes=1))
    assert forget_answers() == 1


def test_what_is_told_once_is_not_kept_with_the_answer(till: Till) -> None:
    first = till.post("/tournaments/friday/invitations/", {"role": "judge"}, once="i-1").json()
    again = till.post("/tournaments/friday/invitations/", {"role": "judge"}, once="i-1").json()
    assert first["path"].startswith("/join/")
    assert {**first, "path": ""} == again
    assert first["path"] not in str(list(Once.objects.values()))


def test_an_edit_of_what_has_changed_since_is_refused(till: Till) -> None:
    team = Team.objects.get(number=1)
    for address, change, by_somebody in (
        ("/tournaments/friday/", {"capacity": 9}, {"capacity": 10}),
        (f"/teams/{team.pk}/", {"name": "Owls"}, {"name": "Foxes"}),
    ):
        read = till.get(address)["ETag"]
        assert till.client.head(V1 + address)["ETag"] == read
        for known in (read, f'"other", W/{read}'):
            same = till.get(address, **{"If-None-Match": known})
            assert (same.status_code, same.content, same["ETag"]) == (304, b"", read)
        assert till.get(address, **{"If-None-Match": '"other"'}).status_code == 200
        assert till.patch(address, by_somebody).status_code == 200
        late = till.patch(address, change, **{"If-Match": read})
        assert (late.status_code, code_of(late)) == (412, "stale")
        fresh = till.patch(address, change, **{"If-Match": till.get(address)["ETag"]})
        assert fresh.status_code == 200
        assert fresh["ETag"] == till.get(address)["ETag"], "the answer names what is there now"
    before = version_of(team.tournament_id)
    assert till.patch(f"/teams/{team.pk}/", {"name": "Bats"}, **{"If-Match": '"x", *'}).status_code == 412
    assert version_of(team.tournament_id) == before


def test_a_second_result_of_a_finished_match_changes_nothing(till: Till) -> None:
    """Case 109: the same post again is answered from the first; another one needs the right to correct."""
    assert till.post("/tournaments/friday/start/").status_code == 200
    rnd = small_event.started(Team.objects.all()[0].tournament)
    match = rnd.matches.get()
    first, second = match.sides.order_by("index").values_list("team_id", flat=True)
    said = {"sides": [{"team": first, "wins": 2}, {"team": second, "wins": 1}]}
    only_results = Till(rnd.stage.tournament, Scope.RESULTS_WRITE)
    answers = [only_results.post(f"/matches/{match.pk}/result/", said, once="case-109") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    deeds = Deed.objects.filter(kind="MatchConfirmed").count()
    other = {"sides": [{"team": second, "wins": 2}]}
    refused = only_results.post(f"/matches/{match.pk}/result/", other, once="another")
    assert (refused.status_code, code_of(refused)) == (409, "already-confirmed")
    assert Deed.objects.filter(kind="MatchConfirmed").count() == deeds == 1
