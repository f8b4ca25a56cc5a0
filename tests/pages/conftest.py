"""What the tests of the pages share: a client with a role at the desk."""

from typing import Any

import pytest

from tests.pages import halls
from tournaments.models import Tournament


@pytest.fixture
def at_desk(signed_in: Any) -> Any:
    """at_desk(tournament, role) is a client of that role."""

    def client(tournament: Tournament, role: str = "organizer") -> Any:
        return signed_in(halls.person(role, role, tournament))

    return client
