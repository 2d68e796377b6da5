"""Play in a real browser: mouse, touch and keys, alone and together; figures, question marks."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from mineproof.board.layout import Layout, deal, measure
from mineproof.board.presets import Board

pytestmark = pytest.mark.browser
Visiting = Any
Visit = Any
# A square and a hexagonal board; with "any" the seed alone decides the mines.
BOARDS = ["square:4x5/4", "hex:4x4/3"]
SEED = 3
REFUSED = "status of 400"  # the browser notes a refusal in its console
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


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
    page.get_by_role("button", name="Take it back").click()
    expect(state(page)).to_have_text("Playing · practice")
    assert "hidden" in tab.label(mine)
    assert "open" in tab.label(first)


NOTE_CARDS = """async () => {
  await import("/static/views/endings.js"); // which the first touch has asked for
  window.cards = [];
  const card = document.querySelector(".view-play .voice-text");
  new MutationObserver((changes) => changes.forEach((change) =>
    window.cards.push(...[...change.addedNodes].map((node) => node.textContent)))
  ).observe(card, {childList: true});
}"""


@pytest.mark.parametrize("ending", ["won", "lost"])
def test_the_first_card_of_an_end_is_the_whole_one(visit: Visiting, ending: str) -> None:
    board = "square:1x3/2"
    layout = layout_of(board)
    tab = visit(address(board))
    page = tab.page
    with page.expect_response(re.compile("/endings.js$")):
        tab.cell(0).hover()  # a first touch loads the card of an end
    page.evaluate(NOTE_CARDS)
    [safe] = safe_cells(layout)
    tab.cell(safe if ending == "won" else min(layout.cells)).click()
    expect(state(page)).to_have_text(ending.capitalize())
    expect(page.locator(".voice-chips")).to_contain_text("3BV")
    first = page.evaluate("window.cards")[0]
    assert first.startswith("Every safe cell is open." if ending == "won" else "That was a mine.")


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
    expect(page).to_have_url(re.compile("board=hexagon%3A3%2F4&first=opening&seed=12$"))
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


# -- one hand on the mouse and one on the keys, and a thumb far below the board --


# With "any" the seed alone decides the mines: 1, 7, 8 and 15.
GAME = "play?board=square:4x5/4&first=any&seed=3"


def says(tab: Visit, cell: int, what: str) -> None:
    expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile(what))


def shown_state(page: Page) -> Any:
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
    expect(shown_state(page)).to_have_text("Playing")
    tool(page, "fresh").click()
    expect(shown_state(page)).to_have_text("Ready")
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
    expect(shown_state(page)).to_have_text("Playing")
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
    expect(shown_state(page)).to_have_text("Playing")
    tab.cell(0).focus()
    page.keyboard.press("Shift+Tab")
    expect(tool(page, "fresh")).to_be_focused()
    tab.cell(12).hover()
    page.keyboard.press("Space")
    expect(shown_state(page)).to_have_text("Ready")
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
    expect(shown_state(page)).to_have_text("Playing")
    tab.cell(12).hover()
    page.evaluate("location.hash = '#/history'")
    expect(page.locator(".view-history")).to_be_visible()
    page.keyboard.press("f")
    page.evaluate("location.hash = '#/play'")
    expect(shown_state(page)).to_have_text("Playing")
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
    expect(shown_state(page)).to_have_text("Ready")
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


@pytest.mark.parametrize("button", ["Beginner", "Take it back", "Why was it a mine?"])
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
          const { endCard } = await import("/static/views/endings.js");
          const ended = [["won", 226.24], ["won", 37.04], ["lost", 60]];
          return ended.map(([state, seconds]) =>
            endCard({match: {state, seconds}, measures: {}, acts: {}}).title);
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
    lost = "ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE"
    tab.forgiven = f"{lost}|ERR_CONTENT_LENGTH_MISMATCH|status of 404"  # cut while it was read
    mortal.stop(kill=True)
    tab.cell(0).hover()  # which asks the server for what comes with a touch
    expect(tab.page.get_by_text("The coach's server does not answer")).to_be_visible()
    tab.cell(0).click()
    tab.cell(1).click()  # one move waits, no other
    mortal.start()
    says(tab, 0, "open")
    expect(tab.page.get_by_text("The coach's server does not answer")).to_be_hidden()
    assert "hidden" in tab.label(1)


# -- what is optional: live figures, question marks; and what a win looks like --


def switch(page: Page, name: str) -> None:
    page.get_by_role("button", name="Keys and settings").click()
    page.get_by_label(re.compile(name)).check()
    page.get_by_role("button", name="Done").click()


@pytest.mark.parametrize("board", ["square:6x7/6", "hex:5x5/4"])
def test_a_win_flags_its_mines_and_live_figures_end_at_the_3bv(visit: Visiting, board: str) -> None:
    layout = layout_of(board)
    tab = visit(f"play?board={board}&first=any&seed={SEED}")
    page = tab.page
    figures = page.locator(".live-figures")
    expect(figures).to_be_hidden()
    switch(page, "Clicks, 3BV, efficiency")
    expect(figures).to_have_text("Clicks 0 · 3BV 0")
    clicks = 0
    for cell in layout.topology.cells:
        if not layout.is_mine(cell) and "hidden" in tab.label(cell):
            tab.cell(cell).click()
            clicks += 1
            expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
            expect(figures).to_contain_text(f"Clicks {clicks} ")
    expect(page.locator(".state")).to_have_text("Won")
    need = measure(layout).three_bv
    share = f"{100 * need / clicks:.0f}"
    expect(figures).to_contain_text(f"3BV {need} of {need} · efficiency {share} %")
    labels = tab.labels()
    assert all("flagged" in labels[mine] for mine in layout.cells)
    assert page.locator(".sign-mine-sign").count() == 0
    expect(page.locator(".count .value").first).to_have_text("0")


def test_question_marks_follow_flags_if_they_are_wanted(visit: Visiting) -> None:
    board = "square:6x7/6"
    layout = layout_of(board)
    tab = visit(f"play?board={board}&first=any&seed={SEED}")
    page = tab.page
    mine = min(layout.cells)
    cell = tab.cell(mine)

    def right(says: str) -> None:
        cell.click(button="right")
        expect(cell).to_have_attribute("aria-label", re.compile(says))

    right("flagged$")
    right("hidden$")
    switch(page, "Question marks")
    right("flagged$")
    right("hidden, question mark$")
    safe = next(one for one in layout.topology.cells if not layout.is_mine(one))
    tab.cell(safe).click()
    expect(tab.cell(safe)).to_have_attribute("aria-label", re.compile("open"))
    expect(cell).to_have_attribute("aria-label", re.compile("hidden, question mark$"))
    page.reload()
    expect(cell).to_have_attribute("aria-label", re.compile("hidden, question mark$"))
    right("hidden$")
    # A question mark does not keep a cell from being opened.
    right("flagged$")
    right("hidden, question mark$")
    cell.click()
    expect(page.locator(".state")).to_have_text("Lost")


def test_an_answer_to_a_flag_does_not_undo_what_was_marked_since(visit: Visiting) -> None:
    tab = visit(f"play?board=square:6x7/6&first=any&seed={SEED}")
    page = tab.page
    switch(page, "Question marks")
    held: list[Route] = []
    page.route(re.compile("/flag$"), lambda route: held.append(route))

    def asked() -> Route:
        while not held:
            page.wait_for_timeout(10)
        return held.pop()

    cell = tab.cell(0)
    cell.click(button="right")
    cell.click(button="right")
    expect(cell).to_have_attribute("aria-label", re.compile("hidden, question mark$"))
    asked().continue_()
    second = asked()  # sent once the answer to the first is drawn
    expect(cell).to_have_attribute("aria-label", re.compile("hidden, question mark$"))
    with page.expect_response(re.compile("/flag$")):
        second.continue_()
    expect(cell).to_have_attribute("aria-label", re.compile("hidden, question mark$"))


def test_a_move_that_waits_for_its_answer_shows_it(visit: Visiting) -> None:
    tab = visit("play?board=beginner&seed=1")
    page, held = tab.page, []
    page.route("**/open", lambda route: held.append(route))
    tab.cell(40).click()
    waits = re.compile("sent, not answered yet")
    expect(tab.cell(40)).to_have_attribute("aria-label", waits)
    expect(page.locator(".layer.queued .ring")).to_have_count(1)
    held[0].continue_()
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open|no mines"))
    expect(page.locator(".layer.queued .ring")).to_have_count(0)
