"""PostgreSQL and Redis of a production on one machine: from the installed programs, in a folder that stays.

Unlike the throwaway pair of scripts/services.py this cluster keeps what it was told (fsync is on) and is
found again at the next start. A server that DATABASE_URL or REDIS_URL names is used as it is, never stopped.
"""

import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts import services, system
from scripts.services import ServiceFailed

# Reached by the port alone: the path of a socket may have 107 bytes, and the folder may be deep.
POSTGRES_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "timezone": "UTC",
}


def kept_secret(path: Path, make: int = 48) -> str:
    """The secret in this file, readable by its owner alone; made once."""
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(make))
    return path.read_text().strip()


@contextmanager
def running(folder: Path) -> Iterator[dict[str, str]]:
    """DATABASE_URL and REDIS_URL answer for the length of a block; what was started here is stopped."""
    given = {name: os.environ.get(name, "") for name in ("DATABASE_URL", "REDIS_URL")}
    own_database = not given["DATABASE_URL"]
    try:
        yield {
            "DATABASE_URL": given["DATABASE_URL"] or start_postgres(folder / "postgres"),
            "REDIS_URL": given["REDIS_URL"] or start_redis(folder / "redis"),
        }
    finally:
        if not given["REDIS_URL"]:
            services.stop_redis(folder / "redis")
        if own_database:
            stop_postgres(folder / "postgres")


def start_postgres(cluster: Path) -> str:
    """The cluster of this folder serves, made when there is none; the address holds its user and database."""
    programs = system.postgres_programs()
    if programs is None:
        raise ServiceFailed("PostgreSQL is not installed: " + system.how_to_install())
    cluster.mkdir(parents=True, exist_ok=True)
    password = kept_secret(cluster.parent / "database_password", 24)
    is_new = not (cluster / "data" / "PG_VERSION").exists()
    if is_new:
        make_cluster(programs, cluster, password)
    stop_postgres(cluster)  # one that outlived a killed launcher
    port = services.first_that_starts(lambda port: start_cluster(programs, cluster, port))
    address = f"postgres://tandem:{password}@127.0.0.1:{port}"
    if is_new:
        services.call(
            [str(programs / "psql"), "-q", f"{address}/postgres", "-c", "create database tandem"], cluster
        )
    return f"{address}/tandem"


def make_cluster(programs: Path, cluster: Path, password: str) -> None:
    secret = cluster / "password"
    secret.touch(mode=0o600)
    secret.write_text(password)
    if os.geteuid() == 0:
        for path in (cluster, secret):
            shutil.chown(path, services.postgres_user())
    words = f"--username=tandem --pwfile={secret} --auth=scram-sha-256 --encoding=UTF8 --locale=C".split()
    try:
        services.call(
            [*services.as_postgres(), str(programs / "initdb"), "-D", str(cluster / "data"), *words], cluster
        )
    finally:
        secret.unlink()


def start_cluster(programs: Path, cluster: Path, port: int) -> None:
    options = " ".join(f"-c {name}={value}" for name, value in POSTGRES_OPTIONS.items())
    files = ["-D", str(cluster / "data"), "-l", str(cluster / "log")]
    command = [str(programs / "pg_ctl"), *files, "-w", "-t", "60", "-o", f"-p {port} {options}", "start"]
    services.call([*services.as_postgres(), *command], cluster)


def stop_postgres(cluster: Path) -> None:
    """The cluster of this folder is at rest, everything on the disk."""
    programs, data = system.postgres_programs(), cluster / "data"
    if programs and (data / "postmaster.pid").exists():
        command = [str(programs / "pg_ctl"), "-D", str(data), "-m", "fast", "-w", "-t", "60", "stop"]
        subprocess.run([*services.as_postgres(), *command], cwd=cluster, capture_output=True)


def start_redis(folder: Path) -> str:
    """A Redis without persistence: cache, wake-up calls and the broker's ticks are all worthless tomorrow."""
    folder.mkdir(parents=True, exist_ok=True)
    services.stop_redis(folder)
    return services.start_redis(folder)
