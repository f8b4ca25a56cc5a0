"""A backup restored elsewhere is the same tournament; `make test` runs this on PostgreSQL and on SQLite."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as of_the_run
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config import backups
from config.backups import BackupFailed, backup_if_due, copy_sqlite, make_backup, restore
from journal.clock import now, reset_clock, shift_clock
from tests import small_event
from tests.restored import found

IS_POSTGRES = "postgresql" in of_the_run.DATABASES["default"]["ENGINE"]
# A backup holds what is committed.
own_database = pytest.mark.usefixtures("file_database")
committed = pytest.mark.django_db(transaction=True) if IS_POSTGRES else own_database


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.BACKUPS_DIR = tmp_path / "backups"
    settings.BACKUPS_KEEP, settings.BACKUPS_HOUR = 3, 3


@pytest.fixture
def file_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """An SQLite file in place of the memory, where a test commits what it writes."""
    if IS_POSTGRES:
        yield
        return
    request.getfixturevalue("django_db_setup")
    with request.getfixturevalue("django_db_blocker").unblock():
        connection.ensure_connection()
        memory, name, own = connection.connection, connection.settings_dict["NAME"], tmp_path / "own.sqlite3"
        copy_sqlite(own)
        connection.connection, connection.settings_dict["NAME"] = None, str(own)
        yield
        connection.close()
        connection.connection, connection.settings_dict["NAME"] = memory, name


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """The address of an empty database."""
    if not IS_POSTGRES:
        yield f"sqlite:///{tmp_path / 'restored.sqlite3'}"
        return
    told, name = connection.settings_dict, f"{connection.settings_dict['NAME']}_restored"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    yield f"postgres://{told['USER']}:{told['PASSWORD']}@{told['HOST']}:{told['PORT']}/{name}"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@committed
def test_a_restore_elsewhere_has_the_same_standings_and_journal(elsewhere: str) -> None:
    tournament = small_event.running(4)
    for _ in range(2):
        small_event.played(tournament)
    before, path = found(), make_backup()
    with pytest.raises(BackupFailed, match="not empty"):
        restore(path)
    env = {**os.environ, "DATABASE_URL": elsewhere, "TANDEM_PRODUCTION": "", "REDIS_URL": ""}
    done = subprocess.run(
        [sys.executable, "-m", "tests.restored", str(path)],
        cwd=of_the_run.BASE_DIR,
        env=env,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == before
    assert len(before["standings"]) == 4
    assert len(before["journal"]) > 15


@pytest.mark.django_db
def test_one_is_due_after_each_closed_round_and_each_night(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    written = {"sqlite": "copy_sqlite", "postgresql": "dump_postgres"}[connection.vendor]
    monkeypatch.setattr(backups, written, lambda path: None)
    settings.CLOCK_ADJUSTABLE = True
    tournament = small_event.running(2)
    try:
        assert backup_if_due() is not None  # the first
        assert backup_if_due() is None
        small_event.played(tournament)
        shift_clock(timedelta(minutes=1))
        assert "-c0." not in str(backup_if_due())
        assert backup_if_due() is None
        for _ in range(3):
            shift_clock(timedelta(days=1))
            night = backup_if_due()
            assert night is not None
            assert f"{now():%Y%m%d}" in night.name
            assert backup_if_due() is None
    finally:
        reset_clock()
    assert len(backups.backups()) == settings.BACKUPS_KEEP
    assert not [path for path in backups.folder().iterdir() if path.name.startswith(".2")]


@pytest.mark.django_db
def test_what_is_replaced_is_kept_and_so_is_the_oldest_backup_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.BACKUPS_KEEP, restored = 1, list[Path]()
    postgres = connection.vendor == "postgresql"
    monkeypatch.setattr(backups, "dump_postgres" if postgres else "copy_sqlite", lambda path: None)
    monkeypatch.setattr(backups, "restore_postgres" if postgres else "restore_sqlite", restored.append)
    monkeypatch.setattr(backups, "check_readable", lambda path: None)
    small_event.registered(0)
    path = make_backup()
    restore(path, replace=True)
    assert restored == [path]
    assert path.exists()
    assert len(backups.backups()) == 2
    assert [backup.path for backup in backups.backups()][:1] == [path]
    make_backup()
    assert not path.exists()
    assert len(backups.backups()) == 1


@committed
def test_a_file_of_a_newer_version_is_refused_before_anything_is_touched(settings: Any) -> None:
    settings.MIGRATION_MODULES = {}
    small_event.registered(0)
    newer = MigrationRecorder(connection)
    newer.record_applied("tournaments", "9999_of_tomorrow")
    newer.record_applied("axes", "9999_of_a_library")
    path = make_backup()
    newer.record_unapplied("tournaments", "9999_of_tomorrow")
    newer.record_unapplied("axes", "9999_of_a_library")
    with pytest.raises(BackupFailed, match=r"newer Tandem \(tournaments.9999_of_tomorrow is not known"):
        restore(path, replace=True)
    assert backups.holds_something()
    assert len(backups.backups()) == 1


@pytest.mark.django_db
def test_after_a_return_to_an_older_backup_the_next_round_is_kept_too(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    written = {"sqlite": "copy_sqlite", "postgresql": "dump_postgres"}[connection.vendor]
    monkeypatch.setattr(backups, written, lambda path: None)
    for at, closed in ((now() - timedelta(minutes=1), 5000), (now() + timedelta(days=400), 0)):
        (
            backups.folder() / f"tandem-{at:%Y%m%d-%H%M%S}-c{closed}.{backups.ENDINGS[connection.vendor]}"
        ).touch()
    assert backup_if_due() is not None
    assert backup_if_due() is None
    small_event.played(small_event.running(2))
    assert "-c0." not in str(backup_if_due())


@pytest.mark.django_db
def test_a_file_that_is_no_backup_is_refused(tmp_path: Path) -> None:
    for name, sentence in {
        "missing.dump": "There is no file",
        "other.txt": "is restored from",
        f"broken.{backups.ENDINGS[connection.vendor]}": "broken|pg_restore failed",
    }.items():
        path = tmp_path / name
        if "missing" not in name:
            path.write_bytes(b"no backup at all" * 100)
        with pytest.raises(BackupFailed, match=sentence):
            restore(path)
