"""/metrics tells Prometheus how the site does, and only whom it may."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from config import metrics
from config.streams import KEY, note_streams
from journal.actors import CLOCK
from journal.clock import now
from journal.kinds import DeedKind
from journal.models import Deed
from journal.recording import record
from tests import small_event
from tournaments.heartbeat import note_tick
from tournaments.models import Step

pytestmark = pytest.mark.django_db


def told(client: Client) -> dict[str, float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


def test_it_tells_steps_streams_the_last_tick_and_requests(client: Client) -> None:
    cache.delete(KEY)
    tournament = small_event.running(2)
    rnd = small_event.started(tournament)
    record(tournament_id=tournament.pk, kind=DeedKind.TIME_WARNED, actor=CLOCK, subject=f"round:{rnd.pk}")
    by_clock = Deed.objects.get(tournament=tournament, kind=DeedKind.TIME_WARNED)
    kinds = {
        "late": (-60, Step.State.WAITING, Step.Mode.AUTOMATIC),
        "asked": (-60, Step.State.WAITING, Step.Mode.ASKED),
        "soon": (60, Step.State.WAITING, Step.Mode.AUTOMATIC),
        "refused": (-60, Step.State.BLOCKED, Step.Mode.AUTOMATIC),
        "done": (-60, Step.State.DONE, Step.Mode.AUTOMATIC),
    }
    Step.objects.all().delete()
    for key, (seconds, state, mode) in kinds.items():
        due_at = now() + timedelta(seconds=seconds)
        Step.objects.create(
            tournament=tournament, key=key, kind=Step.Kind.PUBLISH, due_at=due_at, state=state, mode=mode,
            deed=by_clock if key == "done" else None,
        )  # fmt: skip
    # A running round is closed when its results are in: nobody is late with that.
    Step.objects.create(
        tournament=tournament, key="close", kind=Step.Kind.CLOSE, round=rnd,
        due_at=now() - timedelta(hours=1),
    )  # fmt: skip
    note_streams(7)
    note_tick()
    client.get("/healthz")
    found = told(client)
    states = ("waiting", "overdue", "blocked", "missed", "done")
    counts = {name: found[f'tandem_steps{{state="{name}"}}'] for name in states}
    assert counts == {"waiting": 4, "overdue": 1, "blocked": 1, "missed": 0, "done": 1}
    assert found['tandem_step_late_seconds{which="longest"}'] == pytest.approx(60, abs=5)
    assert found['tandem_failed{what="webhook-given-up"}'] == 0
    assert found["tandem_live_streams"] == 7
    assert 0 <= found["tandem_last_tick_age_seconds"] < 30
    assert found['tandem_request_seconds_count{method="GET",status="200"}'] >= 1


def test_a_gauge_that_fails_is_left_out_and_the_others_are_told(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> dict[str, float]:
        raise OSError("gone")

    monkeypatch.setattr(metrics, "GAUGES", [metrics.Gauge("bad", "no", broken), *metrics.GAUGES])
    found = told(client)
    assert "bad" not in found
    assert "tandem_live_streams" in found


@pytest.mark.parametrize(
    "token, asked, status",
    [
        pytest.param("", {}, 200, id="from this machine"),
        pytest.param("", {"REMOTE_ADDR": "192.0.2.7"}, 403, id="from another machine"),
        pytest.param("", {"HTTP_X_FORWARDED_FOR": "192.0.2.7"}, 403, id="past a proxy on this machine"),
        pytest.param("s3cret", {}, 403, id="without the token"),
        pytest.param("s3cret", {"HTTP_AUTHORIZATION": "Bearer other"}, 403, id="with another token"),
        pytest.param(
            "s3cret",
            {"HTTP_AUTHORIZATION": "Bearer s3cret", "REMOTE_ADDR": "192.0.2.7"},
            200,
            id="with the token from anywhere",
        ),
    ],
)
def test_only_this_machine_or_a_token_may_ask(
    client: Client, settings: Any, token: str, asked: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", **asked).status_code == status  # type: ignore[arg-type]
