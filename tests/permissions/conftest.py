"""What the tests of permissions share: a client with a role at the desk."""

from tests.pages.conftest import at_desk

__all__ = ["at_desk"]
