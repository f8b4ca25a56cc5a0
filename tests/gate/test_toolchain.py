"""The two locks agree, and the scripts of the Makefile say what is wrong in one line."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import services
from scripts.gate import ROOT


def locked(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)(?:\[.*?\])?==([^ \\]+)", text, flags=re.MULTILINE))


def call(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=known, capture_output=True, text=True, timeout=120)


def test_both_locks_hold_the_same_version_of_what_they_share() -> None:
    run, dev = locked("requirements.txt"), locked("requirements-dev.txt")
    assert run
    assert {name: dev.get(name) for name in run} == run


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_locked_package_has_a_hash(name: str) -> None:
    entries = re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8"))
    without = [entry.split()[0] for entry in entries if "==" in entry and "--hash=sha256:" not in entry]
    assert without == []


def test_no_lock_names_a_registry() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_a_python_out_of_range_or_broken_is_passed_over(tmp_path: Path) -> None:
    broken = tmp_path / "python3.13"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    done = call("scripts/find-python", PYTHON=f"{broken} {sys.executable}")
    assert done.stdout.strip() == sys.executable


def test_a_machine_without_python_is_told_what_to_install_in_one_line() -> None:
    done = call("scripts/find-python", PYTHON="no-such-python")
    assert done.returncode == 1
    assert "Tandem needs Python 3.11" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_python_without_venv_is_told_what_to_install_in_one_line(tmp_path: Path) -> None:
    bare = tmp_path / "python3"
    bare.write_text(f'#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\nexec "{sys.executable}" "$@"\n')
    bare.chmod(0o755)
    done = call("scripts/find-python", PYTHON=str(bare))
    assert done.returncode == 1
    assert "cannot make virtual environments" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_taken_port_is_one_clear_line(taken_port: int) -> None:
    done = call(sys.executable, "-m", "scripts.port", PORT=str(taken_port))
    assert done.returncode == 1
    assert done.stderr.startswith(f"Port {taken_port} is in use.")
    assert done.stderr.count("\n") == 1


def test_a_port_that_is_no_number_is_one_clear_line() -> None:
    done = call(sys.executable, "-m", "scripts.port", PORT="http")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1


def test_services_start_answer_and_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_DATABASE_URL", raising=False)
    monkeypatch.delenv("TEST_REDIS_URL", raising=False)
    if not shutil.which("redis-server"):
        pytest.fail("Redis is not installed; `make test` installs it", pytrace=False)
    with services.running() as urls:
        assert all(services.answers(url) for url in urls.values())
    assert not any(services.answers(url) for url in urls.values())


def test_a_server_that_answers_is_used_and_not_stopped(
    monkeypatch: pytest.MonkeyPatch, taken_port: int
) -> None:
    given = f"redis://127.0.0.1:{taken_port}/0"
    monkeypatch.setenv("TEST_REDIS_URL", given)
    monkeypatch.setenv("TEST_DATABASE_URL", f"postgres://nobody@127.0.0.1:{taken_port}/x")
    with services.running() as urls:
        assert urls["TEST_REDIS_URL"] == given
    assert services.answers(given)
