"""Throwaway PostgreSQL and Redis for the tests, on free ports of 127.0.0.1, in a temporary folder.

    eval "$(scripts/services up)"    starts what is not up and exports TEST_DATABASE_URL and TEST_REDIS_URL
    scripts/services env             prints the exports of what is up
    scripts/services down            stops it and removes its folder

`make test` uses `running()`: its own pair, stopped at the end. A server that answers at TEST_DATABASE_URL or
TEST_REDIS_URL is used as it is, and never stopped.
"""

import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from scripts import system

STATE = Path(__file__).resolve().parent.parent / "var" / "services.json"
POSTGRES_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    # Analysed while every row of it was rolled back, a table looks empty, and the planner walks through the
    # whole of it for each row of another: 124 s instead of 7 for one test.
    "autovacuum": "off",
    "max_connections": "200",
    "timezone": "UTC",
}
Urls = dict[str, str]


class ServiceFailed(Exception):
    """A service cannot be started; the message says what to do or what it said."""


def answers(url: str) -> bool:
    """Whether something listens at the host and port of this address."""
    parts = urlsplit(url)
    port = parts.port or (6379 if parts.scheme.startswith("redis") else 5432)
    try:
        with socket.create_connection((parts.hostname or "127.0.0.1", port), timeout=2):
            return True
    except OSError:
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def as_postgres() -> list[str]:
    """The words before a command that PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    return ["runuser", "-u", postgres_user(), "--"]


def postgres_user() -> str:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def call(command: list[str], cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise ServiceFailed(
            f"{' '.join(command[:6])} ... failed:\n{done.stdout[-1500:]}{done.stderr[-1500:]}"
        )


def start_postgres(folder: Path) -> str:
    """A new cluster serves from the folder; the address holds its own user, password and database."""
    programs = postgres_programs()
    cluster, password = folder / "postgres", secrets.token_hex(12)
    cluster.mkdir()
    if os.geteuid() == 0:
        folder.chmod(0o755)
    make_cluster(programs, cluster, password, "--no-sync")
    server = serve_cluster(programs, cluster, password, POSTGRES_OPTIONS)
    return made_database(programs, cluster, server)


def postgres_programs() -> Path:
    """Where the programs of the installed PostgreSQL are."""
    found = system.postgres_programs()
    if found is None:
        raise ServiceFailed("PostgreSQL is not installed: " + system.how_to_install())
    return found


def make_cluster(programs: Path, cluster: Path, password: str, *more: str) -> None:
    """The folder holds a new cluster of the user tandem."""
    secret = cluster / "password"
    secret.touch(mode=0o600)
    secret.write_text(password)
    if os.geteuid() == 0:
        for path in (cluster, secret):
            shutil.chown(path, postgres_user())
    words = f"--username=tandem --pwfile={secret} --auth=scram-sha-256 --encoding=UTF8 --locale=C".split()
    initdb = [str(programs / "initdb"), "-D", str(cluster / "data"), *words, *more]
    try:
        call([*as_postgres(), *initdb], cluster)
    finally:
        secret.unlink()


def serve_cluster(programs: Path, cluster: Path, password: str, options: dict[str, str]) -> str:
    """The cluster serves at a free port; the address has no database yet."""
    port = first_that_starts(lambda port: start_cluster(programs, cluster, port, options))
    return f"postgres://tandem:{password}@127.0.0.1:{port}"


def made_database(programs: Path, cluster: Path, server: str) -> str:
    """The server has the database tandem now; its address."""
    call([str(programs / "psql"), "-q", f"{server}/postgres", "-c", "create database tandem"], cluster)
    return f"{server}/tandem"


def start_cluster(programs: Path, cluster: Path, port: int, options: dict[str, str]) -> None:
    told = " ".join(f"-c {name}={value}" for name, value in options.items())
    files = ["-D", str(cluster / "data"), "-l", str(cluster / "log")]
    # Reached by the port alone: the path of a socket may have 107 bytes, and the folder may be deep.
    server = f"-p {port} -c unix_socket_directories= {told}"
    command = [str(programs / "pg_ctl"), *files, "-w", "-t", "60", "-o", server, "start"]
    call([*as_postgres(), *command], cluster)


def stop_cluster(cluster: Path, mode: str) -> None:
    """Nothing serves from the cluster; `fast` leaves everything on the disk, `immediate` does not care."""
    programs, data = system.postgres_programs(), cluster / "data"
    if programs and (data / "postmaster.pid").exists():
        command = [str(programs / "pg_ctl"), "-D", str(data), "-m", mode, "-w", "-t", "60", "stop"]
        subprocess.run([*as_postgres(), *command], cwd=cluster, capture_output=True)


def start_redis(folder: Path) -> str:
    """A Redis without persistence serves in the folder; the answer is its address."""
    program = redis_program()
    port = first_that_starts(lambda port: start_redis_at(program, folder, port))
    return f"redis://127.0.0.1:{port}/0"


def redis_program() -> str:
    """The installed Redis."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        raise ServiceFailed("Redis is not installed: " + system.how_to_install())
    return program


def start_redis_at(program: str, folder: Path, port: int) -> None:
    options = {
        "port": str(port),
        "bind": "127.0.0.1",
        "save": "",
        "appendonly": "no",
        "daemonize": "yes",
        "maxmemory-policy": "noeviction",
        "dir": str(folder),
        "pidfile": str(folder / "redis.pid"),
        "logfile": str(folder / "redis.log"),
    }
    call([program, *(word for name, value in options.items() for word in (f"--{name}", value))], folder)
    for _ in range(100):
        if answers(f"redis://127.0.0.1:{port}"):
            return
        time.sleep(0.05)
    raise ServiceFailed("Redis did not start:\n" + (folder / "redis.log").read_text()[-1500:])


def stop_redis(folder: Path, patience_s: float = 10) -> None:
    """The Redis of the folder is asked to end, and has ended: it removes the file of its number last."""
    number = folder / "redis.pid"
    try:
        os.kill(int(number.read_text()), signal.SIGTERM)
    except (OSError, ValueError):
        return
    end = time.monotonic() + patience_s
    while number.exists() and time.monotonic() < end:
        time.sleep(0.02)


def first_that_starts(start: Callable[[int], None], tries: int = 3) -> int:
    """The port at which the server came up; another one is tried when somebody took it in between."""
    for left in reversed(range(tries)):
        port = free_port()
        try:
            start(port)
        except ServiceFailed:
            if not left:
                raise
        else:
            return port
    raise AssertionError("unreachable")


def start_missing(folder: Path) -> Urls:
    """Both addresses: those of the environment where they answer, else of servers started in the folder."""
    starters = {"TEST_DATABASE_URL": start_postgres, "TEST_REDIS_URL": start_redis}
    urls = {}
    for name, start in starters.items():
        given = os.environ.get(name, "")
        urls[name] = given if given and answers(given) else start(folder)
    return urls


def stop(folder: Path) -> None:
    """Nothing in the folder runs any more, and it is gone."""
    stop_redis(folder)
    stop_cluster(folder / "postgres", "immediate")
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running() -> Iterator[Urls]:
    """Both services for the length of a block, stopped however the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="tandem-services-", dir="/tmp"))
    try:
        yield start_missing(folder)
    finally:
        stop(folder)


def remembered() -> Urls:
    """What an earlier `up` started and is still there; empty when it is not."""
    try:
        urls: Urls = json.loads(STATE.read_text())["urls"]
    except (OSError, ValueError, KeyError):
        return {}
    return urls if all(answers(url) for url in urls.values()) else {}


def up() -> Urls:
    urls = remembered()
    if urls:
        return urls
    down()
    folder = Path(tempfile.mkdtemp(prefix="tandem-services-", dir="/tmp"))
    try:
        urls = start_missing(folder)
    except BaseException:
        stop(folder)
        raise
    STATE.parent.mkdir(exist_ok=True)
    STATE.write_text(json.dumps({"folder": str(folder), "urls": urls}))
    return urls


def down() -> None:
    if STATE.exists():
        stop(Path(json.loads(STATE.read_text())["folder"]))
        STATE.unlink()


def print_exports(urls: Urls) -> None:
    for name, url in urls.items():
        print(f"export {name}={url}")


def main(words: list[str]) -> int:
    try:
        match words:
            case ["up"]:
                print_exports(up())
            case ["env"]:
                print_exports(remembered())
            case ["down"]:
                down()
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except ServiceFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
