"""A replay from History that a choice ends before it began, or just then."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_coach_review import BOARDS, played

pytestmark = pytest.mark.browser


def fetched(visit: Any) -> tuple[Any, Callable[[], None]]:
    """A replay from History whose game is still being fetched, and what lets it arrive."""
    tab, _ = played(visit, BOARDS[0])
    page = tab.page
    held: list[Route] = []
    page.route(re.compile("/review"), lambda route: held.append(route))
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_role("button", name=re.compile("^Replay:")).first.click()
    page.locator(".view-review .chart > *").first.evaluate("part => part.dataset.before = 'yes'")

    def arrive() -> None:
        while not held:
            page.wait_for_timeout(10)
        for route in held:
            route.continue_()
        # The chart is drawn anew as the game arrives.
        expect(page.locator(".view-review [data-before]")).to_have_count(0)

    return tab, arrive


def is_second(page: Page) -> None:
    expect(page.get_by_role("button", name="Replay", exact=True)).to_be_visible()
    expect(page.locator(".view-review .move-count")).to_have_text(re.compile("^Move 2 of"))


def test_a_move_chosen_while_the_game_is_fetched_ends_its_replay(visit: Any) -> None:
    tab, arrive = fetched(visit)
    tab.page.get_by_role("listbox", name="Moves").get_by_role("option").nth(1).click()
    is_second(tab.page)
    arrive()
    is_second(tab.page)


def test_a_click_during_which_the_game_arrives_is_not_lost(visit: Any) -> None:
    tab, arrive = fetched(visit)
    tab.page.get_by_role("listbox", name="Moves").get_by_role("option").nth(1).hover()
    tab.page.mouse.down()
    arrive()
    tab.page.mouse.up()
    is_second(tab.page)
