"""What every test may ask for: a signed-in client, a browser, real threads, the test services."""

import gc
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import TransactionTestCase, override_settings
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from scripts import system
from tournaments.pages.kept import forget_all

TESTS = Path(__file__).resolve().parent
ROOMS_WITH_ROWS = ("journal", "teams", "matches", "notices", "integrations")
# Of the large room as many as reach every kind of row and lock; the others say the same on both databases.
ON_SQLITE_TOO = (
    *("test_cutting.py", "test_playoff_pods.py", "test_registration.py", "test_repairing.py"),
    *("test_rounds.py", "test_team_import.py", "test_whole_life.py"),
)
NEEDS_SERVICE = 'This test needs {}: run it by `make test`, or after eval "$(scripts/services up)".'
BROWSER_SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# No test changes them, and to make them again after each test that empties the tables took half a second.
NEVER_EMPTIED = {"django_content_type", "auth_permission", "django_migrations"}

# Nothing that is loaded is ever garbage: it is not looked through while it is loaded, nor by any test.
gc.disable()

# Playwright keeps an event loop in the main thread, where Django then refuses the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# Two cores are shared by the workers, a browser and a database: a slow example is no defect.
hypothesis_settings.register_profile("tandem", deadline=None, print_blob=True)
hypothesis_settings.load_profile("tandem")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Races are marked postgres, tests of the rooms that save rows are marked sqlite, before any is chosen by
    its mark; of those that are chosen the long ones begin."""
    for item in items:
        room = item.path.relative_to(TESTS).parts[0] if item.path.is_relative_to(TESTS) else ""
        if room == "races":
            item.add_marker("postgres")
        is_there_too = room in ROOMS_WITH_ROWS or (room == "tournaments" and item.path.name in ON_SQLITE_TOO)
        if is_there_too and item.get_closest_marker("postgres") is None:
            item.add_marker("sqlite")
    yield
    items[:] = long_ones_first(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def long_ones_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Each worker's share of the tests (all of the same size, as `--dist worksteal` deals them) begins with
    some of the long ones: one of them at the end would leave the other worker idle."""
    longs = [item for item in items if item.get_closest_marker("long")]
    others = [item for item in items if not item.get_closest_marker("long")]
    dealt: list[pytest.Item] = []
    for turn in range(workers):
        mine = longs[turn::workers]
        until = max(0, len(items) * (turn + 1) // workers - len(dealt) - len(mine))
        dealt += mine + others[:until]
        others = others[until:]
    return dealt


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """All modules are loaded: what there is stays, and the collector looks through what tests make."""
    gc.freeze()
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("postgres") is None:
        return
    if not os.environ.get("TEST_DATABASE_URL", "").startswith(("postgres://", "postgresql://")):
        pytest.fail(NEEDS_SERVICE.format("PostgreSQL"), pytrace=False)


def is_superuser() -> bool:
    """Whoever brings a server of his own may be less, and empties the tables in the slow way."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('is_superuser')")
        return bool(cursor.fetchone()[0] == "on")


def empty_tables(case: TransactionTestCase) -> None:
    """The tables with rows are empty again, whatever refuses to delete from them or points to their rows."""
    if connection.vendor != "postgresql" or not is_superuser():
        flush(case)
        return
    tables = set(connection.introspection.django_table_names(include_views=False)) - NEVER_EMPTIED
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT '{one}' WHERE EXISTS (TABLE {one})" for one in tables))
        filled = [name for (name,) in cursor.fetchall()]
        deletes = "".join(f"DELETE FROM {name};" for name in filled)
        cursor.execute(
            f"SET session_replication_role = replica; {deletes} SET session_replication_role = origin"
        )


flush = TransactionTestCase._fixture_teardown
TransactionTestCase._fixture_teardown = empty_tables


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """The tables are made from the models at once (the gate holds that migrations say the same, and the demo
    runs them), which are noted as done; the trigger, which no model knows, is made by the code of its own."""
    deeds_stay = import_module("journal.migrations.0003_deeds_stay")
    with override_settings(MIGRATION_MODULES={}), django_db_blocker.unblock():
        with connection.schema_editor() as editor:
            deeds_stay.refuse_changes(apps, editor)
        recorder, known = MigrationRecorder(connection), MigrationLoader(None).disk_migrations
        recorder.ensure_schema()
        recorder.migration_qs.bulk_create([recorder.Migration(app=app, name=name) for app, name in known])


@pytest.fixture(scope="module")
def rows_of_module(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """What the fixtures of a module save after this is there for each of its tests, and gone after the last.

    A test's own changes are rolled back as ever; it takes copies of the objects. Not for a module with a test
    that commits."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """No page that an earlier test rendered is shown in this one, nor its counts held against it, nor is the
    language of its last reader spoken."""
    cache.clear()
    forget_all()
    translation.deactivate()


@pytest.fixture
def redis_url() -> str:
    """The address of a real Redis."""
    url = os.environ.get("TEST_REDIS_URL", "")
    if not url:
        pytest.fail(NEEDS_SERVICE.format("Redis"), pytrace=False)
    return url


@pytest.fixture
def signed_in() -> Callable[..., Any]:
    """signed_in(user) is a client with that user's session, made without the login form that axes guards."""
    from django.test import Client

    def sign_in(user: Any) -> Any:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return sign_in


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium, which makes no call of its own to the outside."""
    path = system.chromium()
    if path is None:
        pytest.fail("Chromium is not installed: " + system.how_to_install(), pytrace=False)
    return {**browser_type_launch_args, "executable_path": path, "args": list(BROWSER_SWITCHES)}


@pytest.fixture
def browser_as(
    live_server: Any, new_context: Callable[..., Any], signed_in: Callable[..., Any]
) -> Callable[..., Any]:
    """browser_as(user, **context) is a page in a fresh browser window where that user is signed in.

    `page.goto("/admin/")` works; context takes Playwright's words, e.g. viewport or locale.
    """
    from django.conf import settings

    def open_page(user: Any, **context: Any) -> Any:
        session = signed_in(user).cookies[settings.SESSION_COOKIE_NAME]
        window = new_context(**{"base_url": live_server.url, **context})
        window.add_cookies([{"name": session.key, "value": session.value, "url": live_server.url}])
        return window.new_page()

    return open_page


@pytest.fixture
def run_threads() -> Iterator[Callable[..., list[Any]]]:
    """run_threads(a, b, ...) calls all at one moment, each on its own connection; an error is its result.

    The threads and their connections live as long as the test, so that two hundred tries measure the race.
    """
    from django.db import connections

    pools: dict[int, ThreadPoolExecutor] = {}

    def together(count: int, deeds: Sequence[Callable[[], Any]]) -> list[Any]:
        barrier = threading.Barrier(count)

        def call(deed: Callable[[], Any]) -> Any:
            barrier.wait(timeout=30)
            try:
                return deed()
            except Exception as error:
                return error

        pool = pools.setdefault(count, ThreadPoolExecutor(max_workers=count))
        return [future.result(timeout=120) for future in [pool.submit(call, deed) for deed in deeds]]

    def run(*deeds: Callable[[], Any]) -> list[Any]:
        return together(len(deeds), deeds)

    yield run
    for count in tuple(pools):
        together(count, [connections.close_all] * count)
        pools[count].shutdown()
