"""`make run-production` keeps up what it started, and what describes it elsewhere is readable."""

import logging
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from celery.beat import SchedulingError
from django.db import OperationalError

from config import celery
from scripts import production
from scripts.gate import ROOT
from scripts.own_servers import Server

FORKS = "import os, time; child = os.fork(); child and print(child, flush=True); time.sleep(60)"


def test_a_server_that_nobody_listens_for_is_started_again_at_its_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        started: list[int] = []
        server = Server(port, started.append)
        assert not server.has_fallen()
    assert server.has_fallen()
    server.start_again()
    assert started == [port]


def test_what_falls_is_raised_until_it_falls_too_often(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(production, "SOONEST_S", 0.01)
    started: list[int] = []
    nobody = Server(1, started.append)
    monkeypatch.setattr(Server, "has_fallen", lambda self: True)
    production.Processes({}, {}, {"Redis": nobody}).watch()
    assert started == [1] * production.MOST_FALLS
    said = capsys.readouterr().err
    assert said.count("Redis ended and is started again.") == production.MOST_FALLS
    assert said.endswith("Redis ended 6 times within a minute; everything stops.\n")


def test_of_a_killed_process_no_child_stays() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", FORKS], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    assert is_alive(child)
    production.kill_group(parent.pid)
    end = time.monotonic() + 60
    while is_alive(child):
        assert time.monotonic() < end
        time.sleep(0.01)
    parent.stdout.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.mark.parametrize("error, lines", [(SchedulingError, 1), (OperationalError, 1), (KeyError, 3)])
@pytest.mark.parametrize("name", ["celery.beat", "celery.app.trace"])
def test_a_lost_broker_or_database_is_told_in_one_line_and_a_defect_whole(
    caplog: pytest.LogCaptureFixture, name: str, error: type[Exception], lines: int
) -> None:
    try:
        raise error("Connection refused.\nIs it running?")
    except error as lost:
        logging.getLogger(name).error("Message Error: %s", lost, exc_info=True)
    told = logging.Formatter().format(caplog.records[-1])
    assert (told.count("\n") > 0) == (lines > 1)
    assert "Connection refused." in told


def test_the_compose_file_is_read_and_names_only_settings_that_there_are() -> None:
    described = yaml.safe_load((ROOT / "compose.yaml").read_text())
    known = set(re.findall(r'env\.\w+\(\s*"(\w+)"', (ROOT / "config" / "settings.py").read_text()))
    for name in ("prepare", "pages", "live", "worker", "clock", "beat", "front"):
        service = described["services"][name]
        assert set(service["environment"]) - known == {"PROMETHEUS_MULTIPROC_DIR"}, name
        assert service["volumes"] == ["data:/srv/tandem/var"], name
    # Backups are made by a worker.
    assert "postgresql-client" in (ROOT / "Dockerfile").read_text()


def test_the_units_share_no_folder_and_one_of_them_makes_the_tables() -> None:
    units = {path.name: path.read_text() for path in (ROOT / "deploy" / "systemd").iterdir()}
    assert [name for name, text in units.items() if "RuntimeDirectory=" in text] == ["tandem-pages.service"]
    assert [name for name, text in units.items() if "migrate" in text] == ["tandem-prepare.service"]
    for name, text in units.items():
        if name.startswith("tandem-") and name != "tandem-prepare.service":
            assert "Requires=tandem-prepare.service\n" in text, name
            assert "WantedBy=tandem.target\n" in text, name
    assert "%%h" in units["tandem-clock.service"]


def test_a_worker_keeps_one_connection_and_no_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    own: dict[str, Any] = {"OPTIONS": {"pool": {"min_size": 2}}}
    monkeypatch.setattr(celery, "connections", SimpleNamespace(settings={"default": own}))
    monkeypatch.setattr(celery, "task_prerun", SimpleNamespace(connect=lambda told: None))
    before = celery.app.conf.get("CELERY_DB_REUSE_MAX", 0)
    celery.keep_one_connection()
    assert own == {"OPTIONS": {}, "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
    assert celery.app.conf.get("CELERY_DB_REUSE_MAX") > 10**6
    celery.app.conf.update(CELERY_DB_REUSE_MAX=before)
