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


@pytest.fixture
def north(db) -> Hall:
    return full_hall("North")


@pytest.fixture
def south(db) -> Hall:
    return full_hall("South")
