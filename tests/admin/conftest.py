from copy import deepcopy

import pytest

from journal.clock import reset_clock
from teams.models import User
from tests.admin.hall import Hall, full_hall, superuser


@pytest.fixture(autouse=True)
def _real_time_again():
    yield
    reset_clock()


@pytest.fixture
def root(db) -> User:
    return superuser()


@pytest.fixture(scope="module")
def full_halls(rows_of_module, django_db_blocker) -> dict[str, Hall]:
    with django_db_blocker.unblock():
        return {name: full_hall(name) for name in ("North", "South")}


@pytest.fixture
def north(full_halls, db) -> Hall:
    return deepcopy(full_halls["North"])


@pytest.fixture
def south(full_halls, db) -> Hall:
    return deepcopy(full_halls["South"])
