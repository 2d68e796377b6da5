"""The look of the coach in a real browser: what is seen where, phones, skins, motion and sound."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from mineproof.board.layout import deal
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


# -- on a phone: the board's room, and what is seen unscrolled --


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
        above_the_tools(page, "Take it back", "Why was it a mine?", "Review")
    else:
        go_on = page.get_by_role("button", name="Take it back")
        expect(go_on).to_be_in_viewport(ratio=0.99)
    page.get_by_role("button", name="Take it back").tap()
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


# -- skins, digits, motion and sound: each is readable, and nothing moves or sounds unasked --


SKINS = ("modern", "classic", "contrast")
THEMES = ("light", "dark")
CONTRAST = """(pairs) => {
  const probe = document.createElement("i");
  document.body.append(probe);
  const light = (name) => {
    probe.style.color = `var(--${name})`;
    const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratios = pairs.map((pair) => {
    const [low, high] = pair.map(light).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });
  probe.remove();
  return ratios;
}"""
# A hidden cell's colour, and that of a 1.
COLOURS = """() => ["--covered", "--n1"].map(
  (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim())"""
SHEETS = "() => [...document.styleSheets].map(({ href }) => href)"
# Notes what is animated, by its class, and every tone.
NOTES = """
window.moved = [];
window.tones = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  window.moved.push(this.getAttribute("class"));
  return animate.apply(this, given);
};
window.OscillatorNode = class extends OscillatorNode {
  constructor(...given) {
    super(...given);
    window.tones += 1;
  }
};
"""


def keep(page: Page, chosen: dict[str, Any]) -> None:
    """Settings that were chosen before."""
    page.evaluate("given => localStorage.setItem('mineproof.coach', given)", json.dumps(chosen))


def contrasts(page: Page, pairs: list[tuple[str, str]]) -> list[float]:
    found: list[float] = page.evaluate(CONTRAST, [list(pair) for pair in pairs])
    return found


@pytest.mark.parametrize("skin", SKINS)
def test_a_hidden_cell_under_the_pointer_is_lit_and_not_black(visit: Visiting, skin: str) -> None:
    tab = visit("play?board=8x8/10&first=opening&seed=4")
    page = tab.page
    keep(page, {"skin": skin})
    tab.go("play?board=8x8/10&first=opening&seed=4")
    expect(page.locator("html")).to_have_attribute("data-skin", skin)
    tab.cell(0).hover()
    # A probe beside the tile has the colour that the skin names; one of bevels falls back to it.
    page.wait_for_function(
        """() => {
          const tile = document.querySelector(".view-play [data-cell='0'] .tile");
          if (!tile.matches(".covered.over .tile")) return false;
          const probe = tile.ownerSVGElement.appendChild(tile.cloneNode());
          probe.style.fill = "var(--covered-over)";
          const [over, now] = [probe, tile].map((one) => getComputedStyle(one).fill);
          probe.remove();
          return now.endsWith(over);
        }"""
    )


@pytest.mark.parametrize("skin", SKINS)
@pytest.mark.parametrize("theme", THEMES)
def test_every_skin_is_readable(visit: Visiting, audit: Any, skin: str, theme: str) -> None:
    tab = visit("play?board=8x8/10&first=opening&seed=4", color_scheme=theme)
    page = tab.page
    page.get_by_role("button", name="Keys and settings").click()
    name = {"modern": "Modern", "classic": "Classic", "contrast": "High contrast"}[skin]
    page.get_by_role("dialog").get_by_text(name, exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-skin", skin)
    assert audit(page) == []
    digits = [(f"n{number}", "open") for number in range(1, 9)]
    least = 7 if skin == "contrast" else 4.5
    for text, setting in (("Colour-blind safe", "safe"), ("Warm", "plain")):
        page.get_by_role("dialog").get_by_text(text, exact=True).click()
        expect(page.locator("html")).to_have_attribute("data-digits", setting)
        bound = least if setting == "plain" else 4.5
        assert min(contrasts(page, digits)) >= bound
    page.get_by_role("button", name="Done").click()
    tab.cell(36).click()
    page.get_by_text("Mine chance", exact=True).click()
    page.get_by_role("checkbox", name="Best move").check()
    expect(page.locator(".layer.best .ring")).to_have_count(1)
    assert audit(page) == []
    # Flags, mines and proofs on a covered cell are signs: three to one.
    assert min(contrasts(page, [("flag", "covered"), ("on-covered", "covered")])) >= 3
    if theme == "light" and skin != "classic":
        # Classic tiles are told apart by their bevel.
        hidden, frame, rim = contrasts(
            page, [("covered", "open"), ("bed", "open"), ("bed", "covered")]
        )
        assert hidden >= 3
        assert min(frame, rim) >= 1.5 or skin == "contrast"


def test_a_look_is_kept_and_in_force_before_the_first_paint(visit: Visiting) -> None:
    tab = visit("play?board=5x5/3&seed=1")
    page = tab.page
    page.get_by_role("button", name="Keys and settings").click()
    page.get_by_text("Classic", exact=True).click()
    page.get_by_text("Colour-blind safe", exact=True).click()
    page.get_by_role("button", name="Done").click()
    # What is set when the page's own script has not yet run.
    page.route("**/app.js", lambda route: route.abort())
    tab.forgiven = "ERR_FAILED"
    page.reload()
    root = page.locator("html")
    expect(root).to_have_attribute("data-skin", "classic")
    expect(root).to_have_attribute("data-digits", "safe")
    assert page.locator("[data-cell]").count() == 0
    assert page.evaluate(COLOURS) == ["#c4c4c4", "#0058a3"]


def test_the_colours_of_a_kept_skin_are_waited_for_before_the_first_paint(visit: Visiting) -> None:
    tab = visit("play?board=5x5/3&seed=1")
    page = tab.page
    keep(page, {"skin": "classic", "theme": "light"})
    tab.go("play?board=5x5/3&seed=1")
    waited = page.evaluate(
        """() => performance.getEntriesByType("resource")
          .filter(({ name }) => name.endsWith("colours.css"))
          .map((one) => one.renderBlockingStatus)"""
    )
    assert waited == ["blocking"]
    assert page.evaluate(COLOURS)[0] == "#c4c4c4"


def test_another_skin_needs_no_other_style_sheet(visit: Visiting) -> None:
    page = visit("play?board=5x5/3&seed=1", color_scheme="light").page
    page.get_by_role("button", name="Keys and settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    sheets = page.evaluate(SHEETS)
    assert page.evaluate(COLOURS)[0] == "#3d7674"
    page.get_by_text("Classic", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-skin", "classic")
    assert page.evaluate(COLOURS)[0] == "#c4c4c4"
    page.get_by_text("Modern", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-skin", "modern")
    assert page.evaluate(COLOURS)[0] == "#3d7674"
    assert page.evaluate(SHEETS) == sheets


# Whatever the last move sets going has begun: it is loaded with the first move, and then plays.
SETTLED = """() => Promise.all([import("/static/views/effects.js"), import("/static/sound.js")])
  .then(() => new Promise(requestAnimationFrame))"""


def play_through(visit: Visiting, **options: Any) -> Page:
    """A page on which cells were opened, one was flagged, and games were won and lost."""
    board = Board.parse("square:4x5/4")
    layout = deal(board.topology, board.mines, 3, 0, ())
    safe = [cell for cell in board.topology.cells if not layout.is_mine(cell)]
    tab = visit("play?board=square:4x5/4&first=any&seed=3", **options)
    page = tab.page
    page.add_init_script(NOTES)
    tab.go("play?board=square:4x5/4&first=any&seed=3")
    mine = min(layout.cells)
    tab.cell(mine).click(button="right")
    expect(tab.page.locator("#announcer")).to_have_text(re.compile("flagged"))
    page.evaluate(SETTLED)
    tab.cell(mine).click(button="right")
    expect(tab.page.locator("#announcer")).to_have_text(re.compile("hidden"))
    for cell in safe:
        if "hidden" in tab.label(cell):
            tab.cell(cell).click()
            expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
    expect(page.locator(".state")).to_have_text("Won")
    page.evaluate(SETTLED)
    page.get_by_role("button", name="Same board").click()
    expect(page.locator(".state")).to_have_text("Ready · practice")
    tab.cell(mine).click()
    expect(page.locator(".state")).to_have_text("Lost · practice")
    page.evaluate(SETTLED)
    return page


def test_moves_are_animated_unless_less_motion_is_wanted(visit: Visiting) -> None:
    page = play_through(visit, reduced_motion="no-preference")
    page.wait_for_function(
        "(kinds) => kinds.every((kind) => window.moved.includes(kind))",
        arg=["effect", "sign-flag", "beam", "wave", "board"],
    )
    assert play_through(visit, reduced_motion="reduce").evaluate("window.moved") == []


def test_sounds_are_off_until_they_are_wanted(visit: Visiting) -> None:
    tab = visit("play?board=6x6/6&first=opening&seed=1")
    page = tab.page
    page.add_init_script(NOTES)
    tab.go("play?board=6x6/6&first=opening&seed=1")
    tab.cell(14).click()
    expect(page.locator(".state")).to_have_text("Playing")
    page.evaluate(SETTLED)
    assert page.evaluate("window.tones") == 0
    keep(page, {"sound": True})
    page.evaluate("sessionStorage.clear()")
    tab.go("play?board=6x6/6&first=opening&seed=1")
    expect(page.locator(".state")).to_have_text("Ready")
    tab.cell(14).click()
    expect(page.locator(".state")).to_have_text("Playing · practice")
    page.wait_for_function("() => window.tones > 0")
