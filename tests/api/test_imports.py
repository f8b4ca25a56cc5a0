"""Lists of teams through the API: looked at, imported now or by a worker, whose state is asked for."""

from typing import Any

import pytest

from integrations.keys import revoke_key
from integrations.scopes import Scope
from journal.models import Deed
from teams.models import Team
from tests.api.calling import Till, code_of
from tests.pages import halls
from tournaments import large_imports
from tournaments.models import Upload
from tournaments.tasks import imports

pytestmark = pytest.mark.django_db
LIST = "Player A,Player B\n" + "".join(f"Ana {n},Bo {n}\n" for n in range(4))


def test_a_list_is_looked_at_and_entered_now_with_what_is_said_of_whom_the_store_knows(settings: Any) -> None:
    tournament = halls.registering(0)
    till, at = Till(tournament, Scope.TEAMS_WRITE), f"/tournaments/{tournament.slug}/teams/import/"
    seen = till.post(f"{at}preview/", {"text": LIST + "Ida,\n"}).json()
    assert (seen["rows"], seen["good"], seen["wrong"], seen["entered_already"]) == (5, 4, 1, 0)
    assert seen["wrong_rows"] == [{"row": 6, "reasons": ["The name of B is missing."]}]
    assert not Upload.objects.exists()
    assert code_of(till.post(at, {"text": LIST + "Ida,\n"})) == "rows-wrong"
    assert not Upload.objects.exists()
    told = till.post(at, {"text": LIST + "Ida,\n", "missing": "solo"})
    assert (told.status_code, told.json()["state"], told.json()["teams"]) == (202, "done", 5)
    again = {"text": "Player A,Player B\nAna 1,Per\n"}
    assert till.post(f"{at}preview/", again).json()["good"] == 0
    assert till.post(f"{at}preview/", {**again, "known": "new"}).json()["good"] == 1
    known = till.post(f"{at}preview/", {**again, "known": "known"}).json()
    assert known["wrong_rows"][0]["reasons"] == ["Ana 1 already plays in another team."]
    assert till.post(at, {"text": "Player A"}).status_code == 409
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2_000_000
    assert code_of(till.post(at, {"text": LIST + "\n" * 1_000_000})) == "body-too-large"


@pytest.mark.parametrize("is_revoked", [False, True])
def test_a_long_list_is_asked_for_once_and_entered_by_a_worker_while_the_key_lives(
    monkeypatch: pytest.MonkeyPatch, is_revoked: bool
) -> None:
    monkeypatch.setattr(large_imports, "AT_ONCE", 3)
    tournament = halls.registering(0)
    till, at = Till(tournament), f"/tournaments/{tournament.slug}/teams/import/"
    told = till.post(at, {"text": LIST}, once="one-list")
    assert told.status_code == 202, told.content
    assert (told.json()["state"], told.json()["rows"]) == ("waiting", 4)
    assert till.post(at, {"text": LIST}, once="one-list").headers["Idempotency-Replayed"] == "true"
    upload = Upload.objects.get()
    other, foreign = Till(tournament), Till(halls.registering(0, name="Other"), Scope.READ)
    at = f"/uploads/{upload.pk}/"
    large_imports.tell(upload.pk, "entered", 2, 4)
    assert other.get(at).json() == {**told.json(), "step": "entered", "done": 2, "of": 4}
    assert foreign.get(at).status_code == 403
    if is_revoked:
        revoke_key(key_id=till.key.pk)
    assert imports() is True
    done = other.get(at).json()
    if is_revoked:
        assert (done["state"], done["error"]) == ("refused", large_imports.NOT_ANY_MORE)
        assert not Team.objects.exists()
        return
    assert (done["state"], done["teams"], done["step"]) == ("done", 4, None)
    deed = Deed.objects.filter(tournament=tournament).latest("number")
    assert (deed.kind, deed.actor, deed.door) == ("TeamsImported", f"key:{till.key.prefix}", "api")
