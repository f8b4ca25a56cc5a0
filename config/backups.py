"""Backups of the whole database while it is in use, and the way back.

SQLite is copied by its own backup interface, PostgreSQL by pg_dump in its custom format. A file is named by
its moment and by the newest closed round it holds, so that the folder itself says what is due:
tandem-20261130-030012-c57.sqlite3
"""

import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Max

from config.alone import alone
from journal.clock import now
from journal.kinds import DeedKind
from journal.models import Deed
from teams.models import User
from tournaments.models import Tournament

NAME = re.compile(r"^tandem-(\d{8}-\d{6})-c(\d+)\.(sqlite3|dump)$")
MOMENT = "%Y%m%d-%H%M%S"
ENDINGS = {"sqlite": "sqlite3", "postgresql": "dump"}
PROGRAMS = "usr/lib/postgresql/*/bin"


class BackupFailed(Exception):
    """A backup cannot be made or restored; the message is a sentence for whoever asked."""


@dataclass(frozen=True, order=True)
class Backup:
    at: datetime
    closed: int
    path: Path


def folder() -> Path:
    found = Path(settings.BACKUPS_DIR)
    found.mkdir(mode=0o700, parents=True, exist_ok=True)
    return found


def backups() -> list[Backup]:
    """Every backup of the folder, oldest first."""
    named = [(NAME.match(path.name), path) for path in folder().iterdir()]
    return sorted(
        Backup(datetime.strptime(found[1], MOMENT).replace(tzinfo=UTC), int(found[2]), path)
        for found, path in named
        if found
    )


def make_backup(*, forget: bool = True) -> Path:
    """A new file holds the database as it is at one moment; unless told not to forget, only the newest
    BACKUPS_KEEP stay."""
    path = _unused_name()
    unfinished = folder() / f".{os.getpid()}-{path.name}"
    unfinished.touch(mode=0o600)
    try:
        (copy_sqlite if connection.vendor == "sqlite" else dump_postgres)(unfinished)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    if forget:
        for old in backups()[: -max(1, settings.BACKUPS_KEEP)]:
            old.path.unlink(missing_ok=True)
    return path


def _unused_name() -> Path:
    moment, closed = now().astimezone(UTC), newest_closed()
    while True:
        path = folder() / f"tandem-{moment:{MOMENT}}-c{closed}.{ENDINGS[connection.vendor]}"
        if not path.exists():
            return path
        moment += timedelta(seconds=1)


def backup_if_due() -> Path | None:
    """A backup is made after each closed round and once a night, by one worker; None when none is due."""
    with alone(folder() / ".lock") as is_alone:
        return make_backup() if is_alone and is_due() else None


def is_due() -> bool:
    # One that a faster clock has dated into the future says nothing of today.
    made = [backup for backup in backups() if backup.at <= now()]
    if not made or newest_closed() != made[-1].closed:
        return True
    night = now().astimezone(UTC).replace(hour=settings.BACKUPS_HOUR, minute=0, second=0, microsecond=0)
    night -= timedelta(days=1) if night > now() else timedelta(0)
    return made[-1].at < night


def newest_closed() -> int:
    """The id of the deed that last closed a round; 0 before the first."""
    closed = Deed.objects.filter(kind=DeedKind.ROUND_CLOSED)
    return closed.aggregate(newest=Max("pk"))["newest"] or 0


def restore(path: Path, *, replace: bool = False) -> None:
    """The database holds what the file holds, with today's tables.

    `BackupFailed` when the file cannot be read, or when tournaments or accounts are there and `replace` is
    not said; with it, a backup of what was there is made first.
    """
    if not path.is_file():
        raise BackupFailed(f"There is no file {path}.")
    wanted = ENDINGS[connection.vendor]
    if path.suffix != f".{wanted}":
        raise BackupFailed(f"A database of {connection.vendor} is restored from a .{wanted} file.")
    check_readable(path)
    if holds_something():
        if not replace:
            raise BackupFailed("The database is not empty. Say --replace (make: REPLACE=1) to replace it.")
        make_backup(forget=False)  # the oldest may be the one that is wanted
    (restore_sqlite if connection.vendor == "sqlite" else restore_postgres)(path)
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)


def holds_something() -> bool:
    if Tournament._meta.db_table not in connection.introspection.table_names():
        return False
    return Tournament.objects.exists() or User.objects.exists()


def check_readable(path: Path) -> None:
    """The file is whole, and no newer Tandem has written it."""
    postgres = connection.vendor == "postgresql"
    been_through = migrations_of_postgres(path) if postgres else migrations_of_sqlite(path)
    loader = MigrationExecutor(None).loader
    own = {app.label for app in apps.get_app_configs() if Path(app.path).parent == settings.BASE_DIR}
    unknown = sorted(been_through - set(loader.disk_migrations or {}))
    newer = [".".join(one) for one in unknown if one[0] in own & set(loader.migrated_apps)]
    if newer:
        raise BackupFailed(f"{path.name} is of a newer Tandem ({newer[-1]} is not known here). Update first.")


def migrations_of_sqlite(path: Path) -> set[tuple[str, str]]:
    """What the tables of the file have been through."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
            [(said,)] = file.execute("PRAGMA quick_check(1)").fetchall()
            if said != "ok":
                raise BackupFailed(f"{path.name} is damaged: {said}.")
            return set(file.execute("SELECT app, name FROM django_migrations").fetchall())
    except sqlite3.DatabaseError as error:
        raise BackupFailed(f"{path.name} is no database of Tandem: {error}.") from None


def migrations_of_postgres(path: Path) -> set[tuple[str, str]]:
    """What the tables of the file have been through."""
    told = run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(path))
    rows = [line.split("\t") for line in told.splitlines()]
    return {(row[1], row[2]) for row in rows if len(row) == 4}


def copy_sqlite(path: Path) -> None:
    if connection.in_atomic_block:
        raise BackupFailed("A backup cannot be made inside a transaction.")  # it would wait for its own end
    connection.ensure_connection()
    with closing(sqlite3.connect(path)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without -wal and -shm beside it


def restore_sqlite(path: Path) -> None:
    connection.ensure_connection()
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        file.backup(connection.connection)
    connection.close()


def dump_postgres(path: Path) -> None:
    run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={path}", database())


def restore_postgres(path: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA IF EXISTS public CASCADE")
        cursor.execute("CREATE SCHEMA public")
    connection.close()
    words = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
    # A dump of the whole database makes the schema itself.
    listed = run("pg_restore", "--list", str(path)).splitlines()
    chosen = path.parent / f".{path.name}.list"
    try:
        chosen.write_text("\n".join(line for line in listed if " SCHEMA - public " not in line))
        run("pg_restore", *words, f"--use-list={chosen}", f"--dbname={database()}", str(path))
    finally:
        chosen.unlink(missing_ok=True)


def database() -> str:
    """Where the database is, without its password."""
    told = connection.settings_dict
    parts = {"host": told["HOST"], "port": told["PORT"], "user": told["USER"], "dbname": told["NAME"]}
    return " ".join(f"{name}='{value}'" for name, value in parts.items() if value)


def run(name: str, *words: str) -> str:
    """What one of PostgreSQL's programs says; its password is in no list of processes."""
    environment = {**os.environ, "PGPASSWORD": str(connection.settings_dict["PASSWORD"])}
    done = subprocess.run([program(name), *words], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise BackupFailed(f"{name} failed: {done.stderr.strip()[-500:]}")
    return done.stdout


def program(name: str) -> str:
    """The newest of this name: it reads every older server and file."""
    installed = sorted(Path("/").glob(f"{PROGRAMS}/{name}"), key=lambda path: float(path.parts[4]))
    found = str(installed[-1]) if installed else shutil.which(name)
    if found is None:
        raise BackupFailed(f"{name} is not installed: sudo apt-get install postgresql-client")
    return found


def what_is_there() -> str:
    """One line about what the database holds, for whoever has just restored it."""
    try:
        return f"{Tournament.objects.count()} tournaments, {Deed.objects.count()} deeds"
    except DatabaseError as error:
        raise BackupFailed(f"The database cannot be read: {str(error).splitlines()[0]}") from None
