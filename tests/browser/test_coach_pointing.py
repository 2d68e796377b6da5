"""Play with one hand on the mouse and one on the keys, and with a thumb far below the board."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

# With "any" the seed alone decides the mines: 1, 7, 8 and 15.
GAME = "play?board=square:4x5/4&first=any&seed=3"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def says(tab: Visit, cell: int, what: str) -> None:
    expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile(what))


def state(page: Page) -> Any:
    return page.locator(".view:not([hidden]) .state")


def tool(page: Page, name: str) -> Any:
    return page.locator(f".view:not([hidden]) .tool-{name}")


def test_keys_act_on_the_cell_under_the_mouse(visit: Visiting) -> None:
    tab = visit(GAME)
    page = tab.page
    tab.cell(0).click()
    says(tab, 0, "open")
    tab.cell(7).hover()
    page.keyboard.press("f")
    says(tab, 7, "flagged")
    tab.cell(8).hover()
    page.keyboard.press("Space")  # the other button of a hand on the mouse
    says(tab, 8, "flagged")
    page.keyboard.press("Space")
    says(tab, 8, "hidden")
    assert "hidden" in tab.label(1)


def test_arrow_keys_take_the_keys_from_the_mouse_until_it_moves(visit: Visiting) -> None:
    tab = visit(GAME)
    page = tab.page
    tab.cell(2).click()
    says(tab, 2, "open")
    tab.cell(12).hover()
    page.keyboard.press("ArrowRight")
    expect(tab.cell(3)).to_be_focused()
    page.keyboard.press("Space")
    says(tab, 3, "open")
    assert "hidden" in tab.label(12)


def test_what_scrolls_below_a_mouse_at_rest_is_not_pointed_at(visit: Visiting) -> None:
    tab = visit("play?board=square:60x60/300&first=any&seed=1")
    page = tab.page
    tab.cell(0).hover()
    page.keyboard.press("Tab")
    tab.cell(0).focus()
    for _ in range(9):
        page.keyboard.press("PageDown")
    at = int(page.evaluate("document.activeElement.dataset.cell"))
    assert at > 60
    page.keyboard.press("f")
    says(tab, at, "flagged")


def test_a_button_that_was_clicked_leaves_the_keys_to_the_board(visit: Visiting) -> None:
    tab = visit(GAME)
    page = tab.page
    tab.cell(0).click()
    expect(state(page)).to_have_text("Playing")
    tool(page, "fresh").click()
    expect(state(page)).to_have_text("Ready")
    fresh = page.url
    tab.cell(12).hover()
    page.keyboard.press("f")
    says(tab, 12, "flagged")
    page.keyboard.press("Enter")
    assert page.url == fresh
    page.keyboard.press("F2")
    says(tab, 12, "hidden")
    assert page.url != fresh


def test_the_board_is_one_tab_stop(visit: Visiting) -> None:
    tab = visit(GAME)
    page = tab.page
    tab.cell(0).click()
    expect(state(page)).to_have_text("Playing")
    tool(page, "fresh").focus()
    page.keyboard.press("Tab")
    expect(tab.cell(0)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".view-play").get_by_title("Choose another game")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Analyse this position")).to_be_focused()


def test_a_button_that_was_reached_by_keys_keeps_them(visit: Visiting) -> None:
    tab = visit(GAME)
    page = tab.page
    tab.cell(0).click()
    expect(state(page)).to_have_text("Playing")
    tab.cell(0).focus()
    page.keyboard.press("Shift+Tab")
    expect(tool(page, "fresh")).to_be_focused()
    tab.cell(12).hover()
    page.keyboard.press("Space")
    expect(state(page)).to_have_text("Ready")
    assert "hidden" in tab.label(12)


def test_a_key_in_the_moment_a_view_is_hidden_leaves_the_game_alone(visit: Visiting) -> None:
    tab = visit(GAME)
    tab.cell(0).click()
    says(tab, 0, "open")
    tab.cell(12).hover()
    # The cell that has the focus keeps it until the next frame.
    tab.page.locator(".view-play").evaluate(
        """(view) => {
          view.hidden = true;
          const key = new KeyboardEvent("keydown", {key: "f", bubbles: true});
          view.querySelector("[data-cell='0']").dispatchEvent(key);
          view.hidden = false;
        }"""
    )
    assert "hidden" in tab.label(12)


def test_keys_in_another_view_leave_the_game_alone(visit: Visiting) -> None:
    tab = visit(GAME)
    page = tab.page
    tab.cell(0).click()
    expect(state(page)).to_have_text("Playing")
    tab.cell(12).hover()
    page.evaluate("location.hash = '#/history'")
    expect(page.locator(".view-history")).to_be_visible()
    page.keyboard.press("f")
    page.evaluate("location.hash = '#/play'")
    expect(state(page)).to_have_text("Playing")
    assert "hidden" in tab.label(12)


def test_the_line_below_the_board_says_what_the_cell_says(visit: Visiting) -> None:
    tab = visit(GAME)
    page = tab.page
    where = page.locator(".where")
    tab.cell(17).click()
    says(tab, 17, "open")
    page.keyboard.press("b")
    best = page.locator(".view:not([hidden]) [aria-label$='best move']")
    expect(best).to_have_count(1)
    cell = int(best.get_attribute("data-cell"))
    tab.cell(cell).hover()
    expect(where).to_have_text(re.compile("best move$"))
    tab.cell(cell).click()
    says(tab, cell, "open")
    expect(where).to_have_text(re.compile(r"open, [^,]*$"))
    page.keyboard.press("m")
    hidden = next(number for number, label in tab.labels().items() if "hidden" in label)
    tab.cell(hidden).hover()
    expect(where).to_have_text(re.compile("mine chance|certainly"))
    page.keyboard.press("o")
    expect(where).to_have_text(re.compile(r"hidden(, best move)?$"))


def test_the_line_below_the_board_follows_a_new_game(visit: Visiting) -> None:
    tab = visit(GAME)
    page = tab.page
    tab.cell(17).click()
    says(tab, 17, "open")
    where = page.locator(".where")
    expect(where).to_have_text(re.compile(", open"))
    page.keyboard.press("n")
    expect(state(page)).to_have_text("Ready")
    expect(where).to_have_text(re.compile("hidden$"))
    # A smaller board may not have that cell.
    page.evaluate("location.hash = '#/play?board=2x2/1&seed=1'")
    expect(page.locator(".view-play [data-cell]")).to_have_count(4)
    expect(where).to_have_text("")


def test_flag_mode_ends_the_choice_of_a_cell_to_ask_about(visit: Visiting) -> None:
    tab = visit(GAME, **PHONE)
    page = tab.page
    tab.cell(0).tap()
    says(tab, 0, "open")
    tool(page, "why").tap()
    expect(tool(page, "why")).to_have_attribute("aria-pressed", "true")
    tool(page, "flag").tap()
    expect(tool(page, "why")).to_have_attribute("aria-pressed", "false")
    tab.cell(12).tap()
    says(tab, 12, "flagged")


@pytest.mark.parametrize("button", ["Beginner", "Go on from before the mine", "Why was it a mine?"])
def test_what_is_pressed_below_the_board_brings_it_into_sight(visit: Visiting, button: str) -> None:
    tab = visit(GAME, **PHONE)
    page = tab.page
    tab.cell(17).tap()
    says(tab, 17, "open")
    tab.cell(7).tap()  # certainly a mine
    expect(page.locator(".voice")).to_contain_text("Was this avoidable?")
    pressed = page.get_by_text(button, exact=True)
    pressed.scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.evaluate("scrollY") > 60
    pressed.tap()
    page.wait_for_function("() => scrollY === 0")


def test_times_of_a_minute_and_more_read_as_the_clock_does(visit: Visiting) -> None:
    tab = visit(GAME)
    titles = tab.page.evaluate(
        """async () => {
          const { ending } = await import("/static/views/play-endings.js");
          const ended = [["won", 226.24], ["won", 37.04], ["lost", 60]];
          return ended.map(([state, seconds]) =>
            ending({match: {state, seconds}, measures: {}, acts: {}}).title);
        }"""
    )
    assert titles == ["Won in 3:46.2", "Won in 37.0 s", "Lost after 1:00.0"]


def test_rows_of_triangles_are_numbered_at_their_middle(visit: Visiting) -> None:
    page = visit("play?board=triangle:8x9/10").page
    heights = page.locator(".ruler-left text").evaluate_all(
        "(numbers) => numbers.map((text) => Number(text.getAttribute('y')))"
    )
    steps = [after - before for before, after in pairwise(heights)]
    assert len(steps) == 7
    assert max(steps) - min(steps) < 0.3


def test_a_server_that_is_gone_before_the_page_is_touched_is_told_of(
    visit: Visiting, mortal: Any
) -> None:
    tab = visit(GAME, address=mortal.address)
    tab.forgiven = "ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 404"
    mortal.stop(kill=True)
    tab.cell(0).hover()  # which asks the server for what comes with a touch
    expect(tab.page.get_by_text("The coach's server does not answer")).to_be_visible()
    tab.cell(0).click()
    tab.cell(1).click()  # one move waits, no other
    mortal.start()
    says(tab, 0, "open")
    expect(tab.page.get_by_text("The coach's server does not answer")).to_be_hidden()
    assert "hidden" in tab.label(1)
