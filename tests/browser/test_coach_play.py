"""Play in a real browser: seeded games won and lost by mouse, by keys alone and by touch."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mineproof.board.deal import deal
from mineproof.board.layout import Layout
from mineproof.board.presets import Board

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

# A square and a hexagonal board; with "any" the seed alone decides the mines.
BOARDS = ["square:4x5/4", "hex:4x4/3"]
SEED = 3
REFUSED = "status of 400"  # the browser notes a refusal in its console
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


def layout_of(board: str, seed: int = SEED) -> Layout:
    read = Board.parse(board)
    return deal(read.topology, read.mines, seed, 0, ())


def address(board: str, seed: int = SEED, first: str = "any") -> str:
    return f"play?board={board}&first={first}&seed={seed}"


def safe_cells(layout: Layout) -> list[int]:
    return [cell for cell in layout.topology.cells if not layout.is_mine(cell)]


def state(page: Page) -> Any:
    return page.locator(".state")


def hold(page: Page, visit: Visit, cell: int) -> None:
    """A long press, by touch: it ends when it has done what it does."""
    box = visit.cell(cell).bounding_box()
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(visit.cell(cell)).to_have_attribute("aria-label", re.compile("flagged"))
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


@pytest.mark.parametrize("board", BOARDS)
def test_a_game_is_won_by_mouse(visit: Visiting, board: str) -> None:
    layout = layout_of(board)
    tab = visit(address(board))
    page = tab.page
    for mine in layout.cells:
        tab.cell(mine).click(button="right")
        expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("flagged"))
    expect(page.locator(".count .value").first).to_have_text("0")
    for cell in safe_cells(layout):
        if "hidden" in tab.label(cell):
            tab.cell(cell).click()
            expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
    expect(state(page)).to_have_text("Won")
    expect(page.locator(".voice-chips")).to_contain_text("3BV")


@pytest.mark.parametrize("board", BOARDS)
def test_a_lost_game_goes_on_from_before_the_mistake(visit: Visiting, board: str) -> None:
    layout = layout_of(board)
    tab = visit(address(board))
    page = tab.page
    first, mine = safe_cells(layout)[0], min(layout.cells)
    tab.cell(first).click()
    expect(state(page)).to_have_text("Playing")
    tab.cell(mine).click()
    expect(state(page)).to_have_text("Lost")
    assert "exploded mine" in tab.label(mine)
    for other in set(layout.cells) - {mine}:
        assert ", mine" in tab.label(other)
    page.get_by_role("button", name="Go on from before the mine").click()
    expect(state(page)).to_have_text("Playing · practice")
    assert "hidden" in tab.label(mine)
    assert "open" in tab.label(first)


def test_a_satisfied_number_opens_around_it(visit: Visiting) -> None:
    board = "square:5x6/5"
    layout = layout_of(board)
    near = layout.topology.neighbours
    clue = next(
        cell
        for cell in safe_cells(layout)
        if layout.counts[cell] == 1 and sum(not layout.is_mine(c) for c in near(cell)) >= 3
    )
    mine = next(cell for cell in near(clue) if layout.is_mine(cell))
    hidden = next(cell for cell in near(clue) if not layout.is_mine(cell))

    def chord(tab: Visit, way: str) -> None:
        if way != "both":
            tab.cell(clue).click(button="middle" if way == "middle" else "left")
            return
        tab.cell(clue).hover()
        tab.page.mouse.down(button="left")
        tab.page.mouse.down(button="right")
        tab.page.mouse.up(button="right")
        tab.page.mouse.up(button="left")

    tab = visit(address(board))
    page = tab.page
    chords: list[str] = []
    page.on("request", lambda sent: chords.append(sent.url) if "/chord" in sent.url else None)

    def switch(way: str, on: bool) -> None:
        names = {"click": "A click or tap", "middle": "The middle", "both": "Left and right"}
        page.get_by_role("button", name="Keys and settings").click()
        page.get_by_label(re.compile(names[way])).set_checked(on)
        page.get_by_role("button", name="Done").click()

    tab.cell(clue).click()
    expect(tab.cell(clue)).to_have_attribute("aria-label", re.compile("open, 1"))
    tab.cell(mine).click(button="right")
    expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("flagged"))
    for way in ("click", "middle", "both"):
        switch(way, False)
        chord(tab, way)
        switch(way, True)
        assert "hidden" in tab.label(hidden)
        chord(tab, way)
        expect(tab.cell(hidden)).to_have_attribute("aria-label", re.compile("open"))
        page.get_by_role("button", name="Undo").click()
        expect(tab.cell(hidden)).to_have_attribute("aria-label", re.compile("hidden"))
    # Moves are sent one after the other: none was sent by a way that was switched off.
    assert len(chords) == 3


class Keys:
    """A player without a mouse: finds the way by arrow keys alone."""

    def __init__(self, visit: Visit) -> None:
        self.visit, self.page = visit, visit.page
        while not self.at().isdigit():
            self.page.keyboard.press("Tab")

    def at(self) -> str:
        return str(self.page.evaluate("document.activeElement?.dataset?.cell ?? ''"))

    def to(self, row: int, column: int) -> None:
        """Rows first, then along the row from its beginning."""
        for key, way in (("ArrowUp", -1), ("ArrowDown", 1)):
            while (self.row() - row) * way < 0:
                before = self.at()
                self.page.keyboard.press(key)
                assert self.at() != before
        self.page.keyboard.press("Home")
        for _ in range(column):
            self.page.keyboard.press("ArrowRight")

    def row(self) -> int:
        found = re.match(r"row (\d+), column (\d+)", self.visit.label(int(self.at())))
        assert found
        return int(found[1])

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)


@pytest.mark.parametrize("board", BOARDS)
def test_a_game_is_won_and_lost_by_keys_alone(visit: Visiting, board: str) -> None:
    layout = layout_of(board)
    tab = visit(address(board))
    keys = Keys(tab)
    topology = layout.topology
    mine = min(layout.cells)
    keys.to(*topology.coordinates(mine))
    assert keys.at() == str(mine)
    keys.press("f")
    expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("flagged"))
    for number, cell in enumerate(safe_cells(layout)):
        if "hidden" in tab.label(cell):
            keys.to(*topology.coordinates(cell))
            keys.press("Enter" if number % 2 else "Space")
            expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
    expect(state(tab.page)).to_have_text("Won")
    keys.press("u")
    expect(state(tab.page)).to_have_text("Playing · practice")
    keys.to(*topology.coordinates(mine))
    keys.press("f")
    expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("hidden"))
    keys.press("Enter")
    expect(state(tab.page)).to_have_text("Lost · practice")


def test_a_board_is_one_tab_stop(visit: Visiting) -> None:
    tab = visit(address("triangle:4x8/3"))
    page = tab.page
    assert page.locator("[role=gridcell][tabindex='0']").count() == 1
    keys = Keys(tab)
    assert keys.at() == "0"
    keys.press("ArrowDown")
    assert tab.label(int(keys.at())).startswith("row 1, column 0")
    keys.press("End")
    assert tab.label(int(keys.at())).startswith("row 1, column 7")
    keys.press("Control+End")
    assert keys.at() == "31"
    keys.press("Control+Home")
    assert keys.at() == "0"
    keys.press("Tab")
    assert keys.at() == ""
    keys.press("Shift+Tab")
    assert keys.at() == "0"


@pytest.mark.parametrize("board", BOARDS)
def test_a_game_is_won_and_lost_by_touch(visit: Visiting, board: str) -> None:
    layout = layout_of(board)
    tab = visit(address(board), **PHONE)
    page = tab.page
    mine, second = sorted(layout.cells)[:2]
    hold(page, tab, mine)
    expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("flagged"))
    page.get_by_role("button", name="Flag", exact=True).tap()
    tab.cell(second).tap()
    expect(tab.cell(second)).to_have_attribute("aria-label", re.compile("flagged"))
    tab.cell(second).tap()
    expect(tab.cell(second)).to_have_attribute("aria-label", re.compile("hidden"))
    page.get_by_role("button", name="Flag", exact=True).tap()
    for cell in safe_cells(layout):
        if "hidden" in tab.label(cell):
            tab.cell(cell).tap()
            expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
    expect(state(page)).to_have_text("Won")
    page.get_by_role("button", name="Same board").tap()
    expect(state(page)).to_have_text("Ready · practice")
    tab.cell(mine).tap()
    expect(state(page)).to_have_text("Lost · practice")


def test_a_game_is_shared_by_its_address(visit: Visiting) -> None:
    one = visit("play?board=square:6x6/6&first=opening")
    one.cell(14).click()
    expect(state(one.page)).not_to_have_text("Ready")
    labels = [one.label(cell) for cell in range(36)]
    expect(one.page).to_have_url(re.compile("seed="))
    shared = one.page.url.split("#/")[1]
    # The same tab goes on with the game; another deals it anew.
    one.page.reload()
    expect(state(one.page)).not_to_have_text("Ready")
    assert [one.label(cell) for cell in range(36)] == labels
    other = visit(shared)
    expect(state(other.page)).to_have_text("Ready")
    other.cell(14).click()
    expect(state(other.page)).not_to_have_text("Ready")
    assert [other.label(cell) for cell in range(36)] == labels


def test_a_new_game_is_made_by_the_form(visit: Visiting) -> None:
    tab = visit("play?board=beginner&seed=1")
    tab.forgiven = REFUSED
    page = tab.page
    page.get_by_text("Custom", exact=True).click()
    page.get_by_role("combobox", name="Board").select_option("hexagon")
    page.get_by_label("Side").fill("3")
    page.get_by_label("Mines", exact=True).fill("4")
    page.get_by_label("Seed").fill("12")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("[data-cell]")).to_have_count(19)
    expect(page).to_have_url(re.compile("board=hexagon%3A3%2F4&first=safe&seed=12$"))
    page.get_by_label("Mines", exact=True).fill("40")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_contain_text("40 mines on 19 cells")
    expect(page.locator("[data-cell]")).to_have_count(19)


def test_hostile_addresses_are_text(visit: Visiting) -> None:
    tab = visit("play?board=beginner&seed=1")
    tab.forgiven = REFUSED
    tab.page.goto("about:blank")
    tab.page.goto(f"{tab.address}/#/play?board=<img src=x onerror=alert(1)>&clues=<b>")
    expect(tab.page.get_by_role("alert")).to_contain_text("<img")
    assert tab.page.locator("main img, main b").count() == 0


def test_every_topology_is_drawn_and_played(visit: Visiting) -> None:
    # Each board has another number of cells than the one before: a new count means a new game.
    tab = visit("play?board=3x3/2")
    for board in ("torus:4x5/3", "hexagon:3/3", "cube:3x3x3/3", "graph:0-1,1-2,2-0,2-3/1"):
        layout = layout_of(board)
        tab.page.evaluate("address => { location.hash = address; }", f"#/{address(board)}")
        expect(tab.page.locator("[data-cell]")).to_have_count(len(layout.topology))
        expect(state(tab.page)).to_have_text("Ready")
        first = safe_cells(layout)[0]
        tab.cell(first).click()
        expect(tab.cell(first)).to_have_attribute("aria-label", re.compile("open"))


def test_fingers_zoom_and_scroll_without_playing(visit: Visiting) -> None:
    tab = visit("play?board=expert&seed=1", **PHONE)
    page = tab.page
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[int, int]) -> None:
        at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    def wait_for_width(test: str, bound: float) -> None:
        script = f"(bound) => Number(document.querySelector('.board').getAttribute('width')) {test}"
        page.wait_for_function(f"{script} bound", arg=bound)

    before = float(str(page.locator(".board").get_attribute("width")))
    touch("touchStart", (150, 250))
    touch("touchStart", (150, 250), (210, 250))
    for step in range(1, 6):
        touch("touchMove", (150 - 10 * step, 250), (210 + 10 * step, 250))
    touch("touchEnd")
    wait_for_width(">", 1.5 * before)
    # All of the board; then cells that can be tapped, as at first.
    page.get_by_role("button", name="Fit the board").tap()
    wait_for_width("<", 390)
    page.get_by_role("button", name="Larger").tap()
    wait_for_width("===", before)
    touch("touchStart", (300, 250))
    for step in range(1, 11):
        touch("touchMove", (300 - 20 * step, 250))
    touch("touchEnd")
    page.wait_for_function("() => document.querySelector('.stage').scrollLeft > 50")
    expect(state(page)).to_have_text("Ready")
    tab.cell(0).focus()
    page.keyboard.press("End")
    page.wait_for_function(
        """() => {
          const [cell, stage] = [document.activeElement, document.querySelector(".stage")]
            .map((one) => one.getBoundingClientRect());
          return cell.right <= stage.right && cell.left >= stage.left;
        }"""
    )
