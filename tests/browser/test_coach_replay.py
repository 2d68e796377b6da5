"""A replay that a choice ends before it began."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.test_coach_review import BOARDS, played

pytestmark = pytest.mark.browser


def test_a_move_chosen_while_the_game_is_fetched_ends_its_replay(visit: Any) -> None:
    tab, moves = played(visit, BOARDS[0])
    page = tab.page
    held: list[Route] = []
    page.route(re.compile("/review"), lambda route: held.append(route))
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_role("button", name=re.compile("^Replay:")).first.click()
    options = page.get_by_role("listbox", name="Moves").get_by_role("option")
    options.first.evaluate("option => option.dataset.before = 'yes'")
    options.nth(1).click()
    expect(page.locator(".view-review .move-count")).to_have_text(f"Move 2 of {len(moves)}")
    while not held:
        page.wait_for_timeout(10)
    for route in held:
        route.continue_()
    # The list is made anew as the game arrives, and a replay would begin with it.
    expect(page.locator(".view-review [data-before]")).to_have_count(0)
    expect(page.get_by_role("button", name="Replay", exact=True)).to_be_visible()
    expect(page.locator(".view-review .move-count")).to_have_text(f"Move 2 of {len(moves)}")
