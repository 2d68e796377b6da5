"""Where things are in the coach, in a real browser: what a first visitor sees, the room of the
board, rulers, one control for one thing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from mineproof.board.deal import deal
from mineproof.board.presets import Board

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

LANDSCAPE = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
INSIDE = """([inner, outer]) => {
  const [one, two] = [inner, outer].map((name) => document.querySelector(name));
  if (!one || !two) return false;
  const [a, b] = [one, two].map((part) => part.getBoundingClientRect());
  return a.left >= b.left - 1 && a.top >= b.top - 1 && a.right <= b.right + 1
    && a.bottom <= b.bottom + 1;
}"""


def seen(page: Page, inner: str, outer: str = ".view:not([hidden]) .stage") -> None:
    """Wait until a part lies within another."""
    page.wait_for_function(INSIDE, arg=[inner, outer])


def in_window(page: Page, part: Locator) -> bool:
    box = part.bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    ends = box["x"] + box["width"], box["y"] + box["height"]
    return (
        box["x"] >= 0 and box["y"] >= 0 and ends[0] <= size["width"] and ends[1] <= size["height"]
    )


def centre(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_first_visitor_sees_what_it_is_and_a_board(visit: Visiting) -> None:
    tab = visit("play")
    page = tab.page
    expect(page.locator(".voice h2")).to_have_text("Minesweeper, proved")
    expect(page.locator(".voice-text")).to_contain_text("Click any cell to begin.")
    for part in (".see", ".toolbar", ".readout", ".more"):
        expect(page.locator(f".view-play {part}")).to_be_hidden()
    tab.cell(40).click()
    expect(page.locator(".view-play .see")).to_be_visible()
    expect(page.get_by_role("button", name="Why", exact=True)).to_be_visible()
    expect(page.locator(".voice h2")).not_to_have_text("Minesweeper, proved")
    # The next time nothing is explained again.
    page.evaluate("sessionStorage.clear()")
    tab.go("play")
    expect(page.locator(".view-play .see")).to_be_visible()
    expect(page.locator(".state")).to_have_text("Ready")


def test_a_first_visitor_can_start_a_board_of_their_own(visit: Visiting) -> None:
    page = visit("play").page
    page.get_by_text("Custom", exact=True).click()
    page.locator(".new-game .inputs input").first.fill("5")
    page.locator(".new-game").get_by_role("button", name="Start").click()
    expect(page.locator("[data-cell]")).to_have_count(45)


def test_choosing_a_level_starts_it(visit: Visiting) -> None:
    tab = visit("play?board=beginner&seed=1")
    page = tab.page
    for level, cells in (("Expert", 480), ("Intermediate", 256)):
        page.get_by_text(level, exact=True).click()
        expect(page.locator("[data-cell]")).to_have_count(cells)
        expect(page).to_have_url(re.compile(f"board={level.lower()}&"))
    # A shape that was chosen before is that of the level.
    page.locator(".more summary").click()
    page.get_by_role("combobox", name="Board").select_option("hex")
    page.get_by_text("Beginner", exact=True).click()
    expect(page.locator("[data-cell]")).to_have_count(81)
    expect(page).to_have_url(re.compile("board=hex%3A9x9%2F12&"))


def test_all_that_is_needed_is_inside_a_small_desktop(visit: Visiting) -> None:
    tab = visit("play?board=expert&seed=1", viewport={"width": 1280, "height": 720})
    page = tab.page
    view = page.locator(".view-play")
    for name in ("Why", "Undo", "New", "Analyse this position", "Fit the board"):
        assert in_window(page, view.get_by_role("button", name=name, exact=True)), name
    for text in ("Mine chance", "Win chance", "Best move", "Expert", "Custom"):
        assert in_window(page, view.get_by_text(text, exact=True)), text
    seen(page, ".board", ".stage")
    page.get_by_text("Custom", exact=True).click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    assert in_window(page, page.get_by_role("button", name="Start"))
    assert page.evaluate("document.documentElement.scrollHeight") <= 720


def test_another_game_can_be_chosen_below_the_end_of_one(visit: Visiting) -> None:
    tab = visit("play?board=5x5/3&first=any&seed=1", viewport={"width": 1280, "height": 720})
    page = tab.page
    board = Board.parse("5x5/3")
    mine = min(deal(board.topology, board.mines, 1, 0, ()).cells)
    tab.cell(mine).click()
    expect(page.locator(".voice-text")).to_contain_text("Was this avoidable?")
    for text in ("Review", "Beginner", "No guess: logic alone solves it", "Shape, rules and seed"):
        expect(page.locator(".side").get_by_text(text, exact=True)).to_be_in_viewport(ratio=0.99)


def test_analyse_offers_boards_and_examples_without_scrolling(visit: Visiting) -> None:
    page = visit("analyse", viewport={"width": 1280, "height": 720}).page
    boxes = page.locator(".new-position").get_by_role("combobox")
    expect(boxes).to_have_count(3)
    for n in range(3):
        expect(boxes.nth(n)).to_be_in_viewport(ratio=0.99)


def test_fit_shows_all_of_a_huge_board(visit: Visiting) -> None:
    tab = visit("play?board=100x100/2000&seed=1", viewport={"width": 1280, "height": 720})
    page = tab.page
    assert page.evaluate("document.querySelector('.stage').scrollHeight") > 2000
    page.get_by_role("button", name="Fit the board").click()
    seen(page, ".board", ".stage")
    page.wait_for_function(
        """() => {
          const stage = document.querySelector(".stage");
          return stage.scrollHeight <= stage.clientHeight
            && stage.scrollWidth <= stage.clientWidth;
        }"""
    )
    # The next larger cells are those that can be played.
    page.get_by_role("button", name="Larger").click()
    page.wait_for_function("() => document.querySelector('.stage').scrollHeight > 2000")


def test_a_large_screen_is_filled(visit: Visiting) -> None:
    tab = visit("play?board=expert&seed=1", viewport={"width": 2560, "height": 1440})
    page = tab.page
    board, stage = page.locator(".board"), page.locator(".stage")
    wide, room = board.bounding_box(), stage.bounding_box()
    assert wide["width"] > 0.93 * room["width"]
    page.get_by_text("Beginner", exact=True).click()
    expect(page.locator("[data-cell]")).to_have_count(81)
    # Cells of 80 pixels, and the rim around them.
    page.wait_for_function(
        "() => document.querySelector('.board').getAttribute('width') === '739.2'"
    )


def test_the_best_move_and_named_cells_come_into_sight(visit: Visiting) -> None:
    tab = visit(
        "play?board=60x60/420&first=opening&seed=2", viewport={"width": 1000, "height": 640}
    )
    page = tab.page
    tab.cell(30 * 60 + 30).click()
    expect(tab.cell(30 * 60 + 30)).to_have_attribute("aria-label", re.compile("open"))
    page.evaluate("document.querySelector('.stage').scrollTo(0, 0)")
    page.get_by_role("checkbox", name="Best move").check()
    expect(page.locator(".layer.best .ring")).to_have_count(1)
    seen(page, ".layer.best .ring")
    name = page.locator(".voice .phrase").first
    expect(name).to_be_visible()
    page.evaluate("document.querySelector('.stage').scrollTo(0, 0)")
    name.hover()
    expect(page.locator(".layer.point .ring")).to_have_count(1)
    seen(page, ".layer.point .ring")


def test_rulers_number_rows_and_columns(visit: Visiting) -> None:
    tab = visit("play?board=expert&seed=1", viewport={"width": 900, "height": 600})
    page = tab.page
    for ruler, axis, numbers, cells in (
        ("top", 0, range(30), lambda number: number),
        ("left", 1, range(16), lambda number: 30 * number),
    ):
        marks = page.locator(f".ruler-{ruler} text")
        assert marks.all_text_contents() == [str(number) for number in numbers]
        for number in (0, 7, 15):
            there = centre(marks.nth(number))[axis]
            where = centre(tab.cell(cells(number)))[axis]
            assert abs(there - where) < 2
    # They stay while the board scrolls, and the cell's own numbers stand out.
    page.evaluate("document.querySelector('.stage').scrollTo(200, 0)")
    stage, left = page.locator(".stage").bounding_box(), page.locator(".ruler-left").bounding_box()
    assert left["x"] - stage["x"] < 2
    tab.cell(2 * 30 + 14).hover()
    expect(page.locator(".ruler .here")).to_have_text(["14", "2"])
    page.get_by_role("button", name="Keys and settings").click()
    page.get_by_label(re.compile("^Rulers")).uncheck()
    expect(page.locator(".ruler-top")).to_be_hidden()


def test_there_is_one_control_for_one_thing(visit: Visiting) -> None:
    tab = visit("play?board=8x8/10&first=opening&seed=4")
    page = tab.page
    for view in ("play", "analyse"):
        page.evaluate("view => { location.hash = `#/${view}`; }", view)
        here = page.locator(f".view-{view}")
        expect(here.get_by_role("checkbox", name="Best move")).to_have_count(1)
        expect(here.get_by_role("radio", name="Mine chance")).to_have_count(1)
        expect(here.get_by_role("button", name=re.compile("Chances|^Best"))).to_have_count(0)
    page.evaluate("location.hash = '#/play'")
    expect(page.get_by_role("button", name="Analyse this position")).to_have_text("Analyse")
    tab.cell(36).click()
    expect(tab.cell(36)).to_have_attribute("aria-label", re.compile("open"))
    # Why ends when its answer is closed.
    why = page.locator(".view-play .tool-why")
    why.click()
    expect(why).to_have_attribute("aria-pressed", "true")
    page.locator(".view-play .covered").first.click()
    expect(page.locator(".voice h2").first).to_have_text(re.compile("^Why"))
    page.locator(".view-play .voice").get_by_role("button", name="Close").click()
    expect(why).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".view-play .stage")).not_to_have_class(re.compile("asking"))


def test_a_phone_on_its_side_gives_the_board_the_room(visit: Visiting, audit: Any) -> None:
    tab = visit("play?board=beginner&seed=1", **LANDSCAPE)
    page = tab.page
    # The board has nearly all the room; the rest is a strip of what every move needs.
    tab.cell(40).tap()
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    expect(page.locator(".workspace")).to_have_class(re.compile("slim"))
    room = page.locator(".stage").bounding_box()
    assert room["height"] == 390
    assert room["width"] >= 0.9 * 844
    seen(page, ".board", ".stage")
    assert tab.cell(0).bounding_box()["height"] > 34
    for name in ("Flag", "Hint", "Why", "Undo", "New", "Panel", "Fit the board"):
        assert in_window(page, page.get_by_role("button", name=name, exact=True)), name
    assert audit(page) == []
    # What is asked for is read beside the board; the panel comes when it is wanted, and stays.
    page.get_by_role("button", name="Hint").tap()
    expect(page.locator(".voice h2")).to_have_text(re.compile("^Hint"))
    expect(page.locator(".voice-text")).to_be_in_viewport(ratio=0.99)
    page.get_by_role("button", name="Close", exact=True).tap()
    expect(page.locator(".voice")).to_be_hidden()
    panel = page.get_by_role("button", name="Panel")
    panel.tap()
    expect(panel).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(panel).to_have_attribute("aria-pressed", "true")
    assert in_window(page, page.get_by_text("Mine chance"))
    assert page.evaluate("document.documentElement.scrollHeight") <= 390
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).length"
    assert page.locator(".tabs, .side .card").evaluate_all(cut) == 0
    assert audit(page) == []


def test_a_phone_on_its_side_shows_all_of_expert_at_a_touch(visit: Visiting) -> None:
    tab = visit("play?board=expert&seed=5&first=opening", **LANDSCAPE)
    page = tab.page
    expect(tab.cell(0)).to_be_in_viewport(ratio=0.99)
    # At first in cells for a finger, of which more than two thirds of a row are in sight.
    assert tab.cell(0).bounding_box()["height"] > 30
    expect(tab.cell(21)).to_be_in_viewport(ratio=0.99)
    expect(tab.cell(29)).not_to_be_in_viewport()
    page.get_by_role("button", name="Fit the board").tap()
    for corner in (0, 29, 450, 479):
        expect(tab.cell(corner)).to_be_in_viewport(ratio=0.99)
    assert page.locator(".view-play [data-cell='40'] .tile").bounding_box()["height"] >= 20
    tab.cell(8 * 30 + 15).tap()
    expect(tab.cell(8 * 30 + 15)).to_have_attribute("aria-label", re.compile("open"))
    page.get_by_role("button", name="Larger").tap()
    expect(tab.cell(29)).not_to_be_in_viewport()


def test_turning_a_phone_gives_what_it_would_have_begun_with(visit: Visiting) -> None:
    tab = visit("play?board=expert&seed=5&first=opening", **LANDSCAPE)
    page = tab.page
    sheets = """() => performance.getEntriesByType("resource")
      .filter(({ name }) => name.endsWith("sideways.css")).map((one) => one.renderBlockingStatus)"""
    assert page.evaluate(sheets) == ["blocking"]  # it is waited for before the first paint
    room = page.locator(".stage").bounding_box()
    page.set_viewport_size({"width": 390, "height": 844})
    tab.go("play?board=expert&seed=5&first=opening")
    assert page.evaluate(sheets) == []
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_function(
        """(room) => {
          const { x, y, width, height } = document.querySelector(".stage").getBoundingClientRect();
          return [x, y, width, height].join() === [room.x, room.y, room.width, room.height].join();
        }""",
        arg=room,
    )


def test_a_flag_is_announced(visit: Visiting) -> None:
    tab = visit("play?board=5x5/3&seed=1")
    said = tab.page.locator("#announcer")
    tab.cell(7).focus()
    tab.page.keyboard.press("f")
    expect(said).to_have_text("row 1, column 2, flagged")
    tab.page.keyboard.press("f")
    expect(said).to_have_text("row 1, column 2, hidden")


def test_the_layers_of_a_cube_are_named_and_stand_in_lines(visit: Visiting) -> None:
    tab = visit("play?board=cube:6x4x4/10&seed=1", viewport={"width": 1280, "height": 720})
    page = tab.page
    names = page.locator(".board .caption")
    assert names.all_text_contents() == [f"Layer {layer}" for layer in range(6)]
    tops = [centre(names.nth(layer))[1] for layer in range(6)]
    assert tops == sorted(tops)
    assert len(set(tops)) > 1
    for layer in range(6):
        box, first = names.nth(layer).bounding_box(), tab.cell(16 * layer).bounding_box()
        assert abs(box["x"] - first["x"]) < 5
        assert box["y"] < first["y"]
    # A narrow window has fewer in a line.
    page.set_viewport_size({"width": 320, "height": 900})
    page.wait_for_function(
        """(before) => {
          const tops = [...document.querySelectorAll(".board .caption")]
            .map((name) => name.getBoundingClientRect().top);
          return new Set(tops).size > before;
        }""",
        arg=len(set(tops)),
    )


def test_a_torus_shows_its_ghost_edges(visit: Visiting) -> None:
    tab = visit("play?board=torus:5x6/3&seed=1")
    page = tab.page
    ghosts = page.locator(".ghosts > g")
    expect(ghosts).to_have_count(2 * (5 + 6) + 4)
    tab.cell(0).click(button="right")
    expect(page.locator(".ghosts .sign-flag")).to_have_count(3)
    tab.cell(14).click(button="right")
    expect(tab.cell(14)).to_have_attribute("aria-label", re.compile("flagged"))
    expect(page.locator(".ghosts .sign-flag")).to_have_count(3)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
def test_on_a_phone_a_hint_and_a_proof_are_seen_at_once(
    visit: Visiting, width: int, height: int
) -> None:
    tab = visit(
        "play?board=expert&first=opening&seed=5",
        viewport={"width": width, "height": height},
        has_touch=True,
        is_mobile=True,
    )
    page = tab.page
    tab.cell(8 * 30 + 15).tap()
    expect(page.locator(".state")).to_have_text("Playing")
    page.get_by_role("button", name="Hint", exact=True).tap()
    words = page.locator(".view-play .voice-text")
    expect(words).to_contain_text("a cell there is certainly safe")
    expect(words).to_be_in_viewport(ratio=0.99)
    page.get_by_role("button", name="Show the clues").tap()
    page.get_by_role("button", name="Show the cell").tap()
    page.get_by_role("button", name="Show the proof").tap()
    expect(page.get_by_role("heading", name="Why 7,12?")).to_be_in_viewport(ratio=0.99)
    # Closed, See is there again.
    page.get_by_role("button", name="Close", exact=True).tap()
    expect(page.get_by_text("Mine chance")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
