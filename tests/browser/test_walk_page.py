"""The page of a game in a real browser: buttons, keys, narrow screens, nothing from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from mineproof.agents.catalog import parse_agent
from mineproof.lab.report.walk_page import walk_page
from mineproof.match import Transcript, play
from mineproof.match.frames import frames
from mineproof.match.naming_premises import NamingPremises

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def game() -> Transcript:
    return play("9x9/10", NamingPremises(parse_agent("reductio").make()), 1)


@pytest.fixture
def page(
    browser: Browser, game: Transcript, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The page in a tab as wide as asked; whatever goes wrong there fails the test."""
    file = tmp_path / "game.html"
    file.write_text(walk_page(game, "a <game>"), encoding="utf-8")
    tab = browser.new_page(viewport={"width": getattr(request, "param", 1000), "height": 900})
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("request", lambda asked: wrong.append(asked.url) if asked.url != file.as_uri() else None)
    tab.goto(file.as_uri())
    yield tab
    tab.close()
    assert [one for one in wrong if one != "data:,"] == []


def shown(page: Page) -> list[str]:
    """What every cell shows, by its number."""
    told: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".board g")].map((cell) =>
          [cell.querySelector("title").textContent.split(":")[0],
           cell.querySelector("text").textContent]))"""
    )
    return [told[f"{row},{column}"] for row in range(9) for column in range(9)]


def test_keys_and_buttons_walk_through_the_game(page: Page, game: Transcript) -> None:
    all_frames = list(frames(game))
    assert page.text_content("#said") == "the start"
    for frame in all_frames[1:4]:
        page.keyboard.press("ArrowRight")
        assert page.text_content("#said") == frame.text
        assert shown(page) == [
            "F" if frame.view.is_flagged(cell) else str(frame.view.clue(cell) or "")
            for cell in range(81)
        ]
    page.keyboard.press("ArrowLeft")
    assert page.text_content("#said") == all_frames[2].text
    page.click("text=Next")
    assert page.text_content("#number") == "3"
    page.keyboard.press("End")
    assert str(page.text_content("#said")).startswith("won: every safe cell is open")
    assert page.is_disabled("#next")
    page.click("text=First")
    assert shown(page) == [""] * 81
    page.focus("#step")
    page.keyboard.press("ArrowRight")
    assert page.text_content("#number") == "1"


@pytest.mark.parametrize("page", [360], indirect=True)
def test_a_phone_shows_it_without_scrolling_sideways(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("#next").bounding_box()["height"] >= 40


def test_it_is_accessible(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    found = Axe().run(page)
    assert [one["id"] for one in found["violations"]] == []
