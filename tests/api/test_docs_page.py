"""The API's browsable page in a real browser, under the site's content policy."""

from typing import Any

import pytest
from playwright.sync_api import expect


@pytest.mark.django_db(transaction=True)
def test_the_page_shows_every_address_and_the_browser_refuses_nothing(page: Any, live_server: Any) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    outside: list[str] = []
    page.on(
        "request",
        lambda asked: (
            outside.append(asked.url) if not asked.url.startswith((live_server.url, "data:")) else None
        ),
    )
    page.goto(f"{live_server.url}/api/docs/")
    pairings = page.locator(".opblock").filter(has_text="/api/v1/rounds/{id}/pairings/").first
    page.locator("#operations-tag-rounds").click(timeout=30_000)
    expect(pairings).to_be_visible(timeout=30_000)
    pairings.locator("button").first.click()
    expect(pairings.get_by_text("Try it out")).to_be_visible(timeout=30_000)
    assert complaints == []
    assert outside == []
