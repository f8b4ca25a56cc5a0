"""What the tests of the pages share: a client with a role at the desk, and one that opens personal links."""

from typing import Any

import pytest
from django.test import Client

from tests.pages import halls
from tournaments.models import Tournament


class Phone(Client):
    """Goes where a personal link leads, as a browser does."""

    def get(self, path: str, *args: Any, **more: Any) -> Any:  # type: ignore[override]
        return super().get(path, *args, **{"follow": path.startswith("/me/"), **more})


@pytest.fixture
def client() -> Client:
    return Phone()


@pytest.fixture
def at_desk(signed_in: Any) -> Any:
    """at_desk(tournament, role) is a client of that role."""

    def client(tournament: Tournament, role: str = "organizer") -> Any:
        return signed_in(halls.person(role, role, tournament))

    return client
