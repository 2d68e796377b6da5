"""The boards of the day: played in Play, counted, told as a text, reviewed the day after."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import mineproof as mp
from mineproof.generation.no_guess import daily_seed

pytestmark = pytest.mark.browser
Visiting = Any
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def card(page: Page) -> Any:
    return page.locator(".daily")


def begin(visit: Visiting, **options: Any) -> Any:
    """Somebody who has played before, so that all cards are shown."""
    tab = visit("play?board=5x5/3&first=safe&seed=1", **options)
    tab.cell(12).click()
    expect(card(tab.page).locator(".daily-board")).to_have_count(3)
    return tab


def win(tab: Any, mines: Any) -> None:
    for cell in range(81):
        if cell not in mines and "hidden" in tab.label(cell):
            tab.cell(cell).click()
            expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
    expect(tab.page.locator(".view-play .state")).to_have_text("Won")


def daily(page: Page) -> tuple[str, Any]:
    """The day that the page shows, and the mines of its easiest board."""
    day = page.evaluate(
        """async () => {
          const api = await import("/static/api.js");
          return (await api.daily("")).today.day;
        }"""
    )
    [made] = mp.generate("beginner", seed=daily_seed(datetime.fromisoformat(day).date()))
    return day, made.layout.cells


@pytest.mark.parametrize("device", [{}, PHONE])
def test_a_board_of_the_day_is_played_and_told(
    visit: Visiting, audit: Any, device: dict[str, Any]
) -> None:
    tab = begin(visit, **device)
    page = tab.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    day, mines = daily(page)
    card(page).get_by_role("button", name="Daily Beginner: not played yet").click()
    # It is open where it begins for everybody, and the clock runs.
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    expect(page.locator(".view-play .state")).to_have_text("Playing")
    expect(card(page).get_by_role("button", name="not finished")).to_be_visible()
    win(tab, mines)
    expect(card(page)).to_contain_text("Streak 1 (best 1)")
    page.locator(".voice").get_by_role("button", name="Copy result").click()
    expect(page.locator(".toast-text")).to_have_text("The result is copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(
        rf"mineproof daily {day}\nBeginner ✓ \d+:\d\d\.\d\nIntermediate .\nExpert .\nStreak: 1 day",
        copied,
    )
    assert audit(page) == []
    # A second try is practice, and the first stays the result.
    page.get_by_role("button", name="Same board").click()
    expect(page.locator(".view-play .state")).to_have_text("Ready · practice")
    card(page).get_by_role("button", name=re.compile("Daily Beginner: won")).click()
    expect(page.locator(".view-review .state")).to_have_text("Won")


def test_yesterday_is_reviewed_and_keeps_the_streak(visit: Visiting) -> None:
    tab = begin(visit)
    page = tab.page
    day, mines = daily(page)
    card(page).get_by_role("button", name="Daily Beginner").click()
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    win(tab, mines)
    expect(card(page)).to_contain_text("Streak 1 (best 1)")
    # As if it had been yesterday.
    yesterday = datetime.fromisoformat(day).replace(tzinfo=UTC) - timedelta(days=1)
    page.evaluate(
        """([from, seed, began]) => {
          for (const key of Object.keys(localStorage)) {
            if (!key.startsWith("mineproof.played.")) continue;
            const game = JSON.parse(localStorage.getItem(key));
            if (game.seed !== from) continue;
            localStorage.removeItem(key);
            const name = `${began.toString(36).padStart(9, "0")}-${seed.toString(36)}`;
            const moved = { ...game, key: name, seed, began };
            localStorage.setItem(`mineproof.played.${name}`, JSON.stringify(moved));
          }
          sessionStorage.clear();
        }""",
        [
            int(day.replace("-", "")),
            daily_seed(yesterday.date()),
            round(1000 * yesterday.timestamp()),
        ],
    )
    tab.go("play?board=5x5/3&first=safe&seed=2")
    expect(card(page)).to_contain_text("Streak 1 (best 1)")
    expect(card(page).get_by_role("button", name="Daily Beginner: not played")).to_be_visible()
    expect(card(page).get_by_role("button", name="Yesterday's Expert: play")).to_be_visible()
    card(page).get_by_role("button", name="Yesterday's Beginner, won: review").click()
    expect(page).to_have_url(re.compile("review"))


def test_guesses_can_be_fair(visit: Visiting, audit: Any) -> None:
    tab = visit("play?board=4x4/5&first=any&seed=3")
    page = tab.page
    page.locator(".more summary").click()
    page.get_by_role("combobox", name="Guesses").select_option("fair")
    page.get_by_role("textbox", name="Seed").fill("3")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("guesses=fair"))
    expect(page.locator(".view-play .bar")).to_contain_text("fair guesses")
    page.get_by_label("Best move").check()
    for opened in range(12):
        if page.locator(".view-play .state").inner_text() == "Won":
            break
        cell = page.evaluate(
            """async () => {
              const api = await import("/static/api.js");
              const { id } = JSON.parse(sessionStorage.getItem("mineproof.game"));
              return (await api.analysis(id, false)).best.cell;
            }"""
        )
        tab.cell(cell).click()
        expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
        if opened == 0:
            expect(page.locator(".voice-text")).to_contain_text("forgiven. The true chance of a")
    expect(page.locator(".view-play .state")).to_have_text("Won")
    # Statistics keep it apart, and a reload goes on under the same rule.
    page.get_by_role("link", name="History").click()
    expect(page.locator(".game").first).to_contain_text("fair guesses")
