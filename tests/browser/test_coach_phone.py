"""The coach on a phone, in a real browser: the board's room, and what is seen unscrolled."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

UPRIGHT = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIDEWAYS = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
COLUMNS = 30
IN_SIGHT = """(cells) => cells.every((cell) => {
  const stage = document.querySelector(".view-play .stage").getBoundingClientRect();
  const place = document.querySelector(`.view-play [data-cell='${cell}'] .tile`);
  const tile = place.getBoundingClientRect();
  return tile.left >= stage.left && tile.right <= stage.right + 1 && tile.top >= stage.top
    && tile.bottom <= Math.min(stage.bottom, innerHeight) + 1;
})"""
KEPT = """(games) => Object.keys(localStorage)
  .filter((key) => key.startsWith("mineproof.played.")).length === games"""
MINES = """async () => {
  const { id } = JSON.parse(sessionStorage.getItem("mineproof.game"));
  const { certain } = await (await fetch(`/api/games/${id}/analysis`)).json();
  return certain.flatMap((sure, cell) => (sure === "mine" ? [cell] : []));
}"""


def begin(visit: Visiting, **phone: Any) -> Visit:
    """An Expert game whose first cell opened an area, on a phone."""
    tab = visit("play?board=expert&first=opening&seed=5", **phone)
    tab.cell(8 * COLUMNS + 15).tap()
    expect(tab.page.locator(".state")).to_have_text("Playing")
    return tab


def stage_height(page: Page) -> float:
    return float(page.evaluate("document.querySelector('.view-play .stage').clientHeight"))


def above_the_tools(page: Page, *names: str) -> None:
    """Buttons of the coach's card are seen as a whole, above the tools at the bottom."""
    tools = page.locator(".view-play .toolbar").bounding_box()
    for name in names:
        button = page.locator(".view-play .voice").get_by_role("button", name=name)
        expect(button).to_be_in_viewport(ratio=0.99)
        box = button.bounding_box()
        assert box["y"] + box["height"] <= tools["y"], name


def test_a_card_that_says_nothing_leaves_its_room_to_the_board(visit: Visiting) -> None:
    tab = begin(visit, **UPRIGHT)
    page = tab.page
    expect(page.locator(".view-play .voice")).to_be_hidden()
    tall = stage_height(page)
    assert tall > 520
    cell = tab.cell(8 * COLUMNS + 15)
    before = cell.bounding_box()
    page.get_by_role("button", name="Why", exact=True).tap()
    expect(page.locator(".view-play .voice-text")).to_have_text(re.compile("^Choose a cell"))
    # The stage is cut below; the cells stay where they are.
    assert stage_height(page) < tall - 100
    assert cell.bounding_box() == before
    page.get_by_role("button", name="Why", exact=True).tap()
    expect(page.locator(".view-play .voice")).to_be_hidden()
    assert stage_height(page) == tall
    assert cell.bounding_box() == before


def test_a_small_board_stays_where_it_is_and_the_levels_are_in_sight(visit: Visiting) -> None:
    tab = visit("play?board=beginner&first=opening&seed=1", **UPRIGHT)
    page = tab.page
    tab.cell(40).tap()
    expect(page.locator(".state")).to_have_text("Playing")
    tools = page.locator(".view-play .toolbar").bounding_box()
    for level in ("Beginner", "Intermediate", "Expert", "Evil", "Custom"):
        box = page.locator(".new-game").get_by_text(level, exact=True).bounding_box()
        assert box["y"] + box["height"] <= tools["y"], level
    before = [tab.cell(cell).bounding_box() for cell in (0, 80)]
    page.get_by_role("button", name="Hint", exact=True).tap()
    expect(page.locator(".voice h2")).to_have_text(re.compile("^Hint"))
    assert [tab.cell(cell).bounding_box() for cell in (0, 80)] == before


def test_the_name_of_the_game_leads_to_the_levels(visit: Visiting) -> None:
    tab = begin(visit, **UPRIGHT)
    page = tab.page
    name = page.get_by_role("button", name=re.compile("^Expert"))
    name.tap()
    expect(page.get_by_role("radio", name="Expert")).to_be_focused()
    page.locator(".new-game").get_by_text("Intermediate", exact=True).tap()
    expect(page.get_by_role("button", name=re.compile("^Intermediate"))).to_be_visible()
    expect(page.locator(".view-play [data-cell]")).to_have_count(256)
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("phone", [UPRIGHT, SIDEWAYS], ids=["upright", "sideways"])
def test_after_a_loss_the_mine_and_the_way_on_are_in_sight(
    visit: Visiting, phone: dict[str, Any]
) -> None:
    tab = begin(visit, **phone)
    page = tab.page
    mine = max(page.evaluate(MINES), key=lambda cell: cell % COLUMNS)
    tab.cell(mine).tap()
    expect(page.locator(".voice-text")).to_contain_text("Was this avoidable? Yes.")
    expect(page.locator(".layer.best .ring")).to_have_count(1)  # what was better is shown by then
    page.wait_for_function(IN_SIGHT, arg=[mine])
    expect(page.locator(".view-play .see")).to_be_hidden()
    if phone is UPRIGHT:
        above_the_tools(page, "Go on from before the mine", "Why was it a mine?", "Review")
    else:
        go_on = page.get_by_role("button", name="Go on from before the mine")
        expect(go_on).to_be_in_viewport(ratio=0.99)
    page.get_by_role("button", name="Go on from before the mine").tap()
    expect(page.locator(".state")).to_have_text("Playing · practice")
    expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("hidden"))


def test_sideways_a_hint_is_in_sight_beside_its_card(visit: Visiting) -> None:
    tab = begin(visit, **SIDEWAYS)
    page = tab.page
    page.get_by_role("button", name="Hint", exact=True).tap()
    expect(page.locator(".voice-text")).to_be_in_viewport(ratio=0.99)
    region = page.evaluate(
        """() => [...document.querySelectorAll(".view-play [data-cell]")]
          .filter((cell) => cell.getAttribute("aria-label").includes("region of the hint"))
          .map((cell) => Number(cell.dataset.cell))"""
    )
    assert len(region) > 5
    page.wait_for_function(IN_SIGHT, arg=region)


def test_every_view_is_named_at_every_width(visit: Visiting) -> None:
    tab = visit("play?board=beginner&seed=1")
    page = tab.page
    for width in (320, 360, 375, 390, 430, 431, 500, 559, 560, 600, 860, 861):
        page.set_viewport_size({"width": width, "height": 800})
        cut = page.evaluate(
            """() => {
              const tabs = document.querySelector(".tabs");
              return tabs.scrollWidth - tabs.clientWidth;
            }"""
        )
        assert cut == 0, width


def test_a_tablet_on_its_side_has_all_tools_in_sight(visit: Visiting) -> None:
    tablet = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}
    tab = visit("play?board=expert&first=opening&seed=5&clues=withheld:0.2", **tablet)
    page = tab.page
    tab.cell(8 * COLUMNS + 15).tap()
    expect(page.locator(".state")).to_have_text("Playing")
    bar = page.locator(".view-play .bar").bounding_box()
    for name in ("Flag", "Hint", "Why", "Undo", "New"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["x"] + box["width"] <= bar["x"] + bar["width"], name


def test_what_was_tapped_does_not_stay_lit(visit: Visiting) -> None:
    tab = begin(visit, **UPRIGHT)
    page = tab.page
    hint = page.get_by_role("button", name="Hint", exact=True)
    plain = hint.evaluate("(tool) => getComputedStyle(tool).backgroundColor")
    hint.tap()
    expect(page.locator(".voice h2")).to_have_text(re.compile("^Hint"))
    assert hint.evaluate("(tool) => getComputedStyle(tool).backgroundColor") == plain


def test_a_long_name_in_the_history_does_not_widen_the_page(visit: Visiting) -> None:
    tab = visit("play?board=hexagon:5/9&first=opening&seed=1", **UPRIGHT)
    page = tab.page
    for games, first in enumerate(("opening", "safe"), 1):
        tab.go(f"play?board=hexagon:5/9&first={first}&seed=1")
        tab.cell(30).tap()
        page.wait_for_function(KEPT, arg=games)  # what keeps games is loaded with the first touch
    tab.go("history", ".game")
    expect(page.locator(".game")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    acts = page.locator(".game").first.get_by_role("button")
    assert len({acts.nth(n).bounding_box()["y"] for n in range(acts.count())}) == 1


def test_watch_begins_with_play_and_shows_the_board(visit: Visiting) -> None:
    tab = visit("watch?board=beginner&first=opening", **UPRIGHT)
    page = tab.page
    expect(page.locator(".view-watch .reason").first).to_have_text(re.compile("^Press Play"))
    play = page.locator(".view-watch .tool-play")
    expect(play).to_be_in_viewport(ratio=0.99)
    play.tap()
    expect(page).to_have_url(re.compile(r"a=champion&board=beginner&first=opening&seed=\d+"))
    # From the form below, the board comes back into sight.
    page.locator(".setup summary").tap()
    start = page.get_by_role("button", name="Watch", exact=True)
    start.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 0
    start.tap()
    expect(page.locator(".view-watch .setup")).not_to_have_attribute("open", "")
    page.wait_for_function("() => scrollY === 0")
    expect(tab.cell(0)).to_be_in_viewport(ratio=0.99)
