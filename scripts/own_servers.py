"""PostgreSQL and Redis of a production on one machine: from the installed programs, in a folder that stays.

Unlike the throwaway pair of scripts/services.py this cluster keeps what it was told (fsync is on) and is
found again at the next start. A server that DATABASE_URL or REDIS_URL names is used as it is, never stopped.
"""

import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from scripts import services

POSTGRES_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "100",
    "timezone": "UTC",
}


@dataclass(frozen=True)
class Server:
    """A server that was started here, and how it starts again at its port."""

    port: int
    start: Callable[[int], None]

    def has_fallen(self) -> bool:
        """Nobody listens at its port; one that is only slow has not fallen."""
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
        return False

    def start_again(self) -> None:
        self.start(self.port)


def started(folder: Path, urls: dict[str, str]) -> dict[str, Server]:
    """The servers behind these addresses that `running` started in the folder, by name."""
    programs, cluster = services.postgres_programs, folder / "postgres"
    starts: dict[str, tuple[str, Callable[[int], None]]] = {
        "DATABASE_URL": (
            "PostgreSQL",
            lambda port: services.start_cluster(programs(), cluster, port, POSTGRES_OPTIONS),
        ),
        "REDIS_URL": (
            "Redis",
            lambda port: services.start_redis_at(services.redis_program(), folder / "redis", port),
        ),
    }
    return {
        word: Server(urlsplit(urls[name]).port or 0, start)
        for name, (word, start) in starts.items()
        if not os.environ.get(name)
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
    programs = services.postgres_programs()
    cluster.mkdir(parents=True, exist_ok=True)
    password = kept_secret(cluster.parent / "database_password", 24)
    is_new = not (cluster / "data" / "PG_VERSION").exists()
    if is_new:
        services.make_cluster(programs, cluster, password)
    stop_postgres(cluster)  # one that outlived a killed launcher
    server = services.serve_cluster(programs, cluster, password, POSTGRES_OPTIONS)
    return services.made_database(programs, cluster, server) if is_new else f"{server}/tandem"


def stop_postgres(cluster: Path) -> None:
    """The cluster of this folder is at rest, everything on the disk."""
    services.stop_cluster(cluster, "fast")


def start_redis(folder: Path) -> str:
    """A Redis without persistence: cache, wake-up calls and the broker's ticks are all worthless tomorrow."""
    folder.mkdir(parents=True, exist_ok=True)
    services.stop_redis(folder)
    return services.start_redis(folder)
