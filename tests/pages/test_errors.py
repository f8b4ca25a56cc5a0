"""Pages for what goes wrong, and what the log tells of it."""

from typing import Any

import pytest
from django.test import Client

from config.middleware import WithoutTokens
from tests.pages.test_public import text_of

ADDRESS = "/me/0123456789abcdef0123456789abcdef/confirm"


@pytest.mark.parametrize("address", ["/desk/new", ADDRESS])
def test_a_form_from_elsewhere_gets_a_page_of_ours_that_says_what_to_do(address: str) -> None:
    response = Client(enforce_csrf_checks=True).post(address, headers={"origin": "null"})
    page = response.content.decode()
    assert response.status_code == 403
    assert "load the page again" in text_of(response)
    assert 'rel="stylesheet"' in page
    assert "<style" not in page


def test_a_log_line_of_any_logger_keeps_a_personal_link_to_itself(caplog: Any) -> None:
    caplog.handler.addFilter(quiet := WithoutTokens())
    try:
        Client(enforce_csrf_checks=True).post(ADDRESS, headers={"origin": "null"})
    finally:
        caplog.handler.removeFilter(quiet)
    assert "Forbidden (Origin checking failed" in caplog.text
    assert "/me/.../confirm" in caplog.text
    assert "0123456789abcdef" not in caplog.text


def test_the_console_hides_personal_links(settings: Any) -> None:
    console = settings.LOGGING["handlers"]["console"]
    assert console["filters"] == ["without_tokens"]
    assert settings.LOGGING["filters"]["without_tokens"] == {"()": "config.middleware.WithoutTokens"}
