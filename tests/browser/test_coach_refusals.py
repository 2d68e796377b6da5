"""What cannot be read: one clear line, where it was done, in the words of the form."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

Visiting = Any

REFUSED = "status of 400"  # the browser notes a refusal in its console
SIZES = {
    "desk": {"viewport": {"width": 1280, "height": 720}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
SIDEWAYS = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}


# Whether what is at the middle of an element is that element.
ON_TOP = """(one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def seen(page: Page, line: Locator) -> None:
    """The line is inside the window, without scrolling."""
    expect(line).to_be_in_viewport(ratio=0.99)
    expect(line).not_to_have_text(re.compile("accepted:|\\\\U000"))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("play?board=banana", "There is no board “banana”."),
        ("play?board=8x8/99", "99 mines on 64 cells are too many"),
        ("play?board=9x9/10&seed=abc", "The seed “abc” is no whole number"),
        ("play?board=9x9/10&first=never", "There is no first click “never”"),
        ("play?board=😀", "There is no board “😀”."),
        ("play?board=hexx:9x9/10", "There is no shape “hexx”: did you mean hex or hexagon?"),
        ("play?board=cube:3x3/2", "“3x3” is no size of cube: write such as 4x4x4."),
        ("play?board=9x9/10&clues=within:1", "There are no clues “within”: they are exact,"),
        ("play?board=9x9/10&clues=withheld:9", "“9” is no share of clues withheld"),
        ("nowhere?x=1", "There is no view “nowhere”"),
        ("analyse?p=banana", "“banana” begins no position"),
        (
            "play?board=9x9/10&seed=1&mines=5",
            "“mines” in the address is ignored: Play knows board,",
        ),
        (
            "play?board=9x9/10&seed=1&mines=5&colour=red",
            "“mines” and “colour” in the address are ignored: Play knows board,",
        ),
        ("watch?agent=exact", "“agent” in the address is ignored: Watch knows a, b, board,"),
    ],
)
def test_a_bad_address_is_told_in_one_line(
    visit: Visiting, size: str, address: str, said: str
) -> None:
    tab = visit("play?board=5x5/3&seed=1", **SIZES[size])
    tab.forgiven = REFUSED
    page = tab.page
    page.goto("about:blank")
    page.goto(f"{tab.address}/#/{address}")
    line = page.locator(".toast-text")
    expect(line).to_contain_text(said)
    seen(page, line)
    # There is a board to go on with.
    expect(page.locator(".view:not([hidden]) [data-cell]").first).to_be_visible()
    page.get_by_role("button", name="Close this message").click()
    expect(line).to_be_hidden()


@pytest.mark.parametrize("options", [*SIZES.values(), SIDEWAYS], ids=[*SIZES, "sideways"])
def test_a_form_that_cannot_be_played_says_so_beside_it(visit: Visiting, options: Any) -> None:
    tab = visit("play?board=5x5/3&seed=1", **options)
    tab.forgiven = REFUSED
    page = tab.page
    if options is SIDEWAYS:
        page.get_by_role("button", name="Panel").tap()
    form = page.get_by_role("form", name="New game")
    form.get_by_text("Custom", exact=True).click()
    form.get_by_label("Rows").fill("8")
    form.get_by_label("Columns").fill("8")
    form.get_by_label("Mines", exact=True).fill("99")
    form.get_by_role("button", name="Start").click()
    line = form.get_by_role("alert")
    expect(line).to_have_text("99 mines on 64 cells are too many: at most one on each cell.")
    seen(page, line)
    # The button that tries again is in sight too, and nothing lies over it.
    start = form.get_by_role("button", name="Start")
    expect(start).to_be_in_viewport(ratio=0.99)
    assert start.evaluate(ON_TOP)
    form.get_by_label("Mines", exact=True).fill("64")
    form.get_by_role("button", name="Start").click()
    expect(line).to_have_text("64 mines on 64 cells leave no room for the first click: at most 60.")
    form.get_by_role("combobox", name="Board").select_option("text")
    form.get_by_label("Text of the board").fill("banana")
    form.get_by_role("button", name="Start").click()
    expect(line).to_contain_text("There is no board “banana”. Write a name such as expert")
    seen(page, line)
    # What was right stays: the game goes on.
    expect(page.locator(".view:not([hidden]) [data-cell]")).to_have_count(25)
    form.get_by_label("Text of the board").fill("hex:4x4/3")
    form.get_by_role("button", name="Start").click()
    expect(page.locator(".view:not([hidden]) [data-cell]")).to_have_count(16)
    expect(line).to_be_hidden()


@pytest.mark.parametrize("options", [*SIZES.values(), SIDEWAYS], ids=[*SIZES, "sideways"])
def test_everything_that_is_wrong_with_a_form_is_told_at_once(
    visit: Visiting, options: Any
) -> None:
    tab = visit("play?board=5x5/3&seed=1", **options)
    tab.forgiven = REFUSED
    page = tab.page
    if options is SIDEWAYS:
        page.get_by_role("button", name="Panel").tap()
    form = page.get_by_role("form", name="New game")
    form.get_by_text("Custom", exact=True).click()
    rows, mines = form.get_by_label("Rows"), form.get_by_label("Mines", exact=True)
    columns, seed = form.get_by_label("Columns"), form.get_by_label("Seed")
    start = form.get_by_role("button", name="Start")
    rows.fill("0")
    columns.fill("8")
    mines.fill("-3")
    seed.fill("abc")
    start.click()
    board, seeded = page.locator("#board-problem"), page.locator("#seed-problem")
    expect(board).to_have_text(
        "Rows: a whole number from 1 to 100. Mines: a whole number from 0 to 9999."
    )
    expect(seeded).to_have_text("Seed: a whole number of up to 15 digits, or nothing.")
    for field in (rows, mines, seed):
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile("a whole number"))
    expect(columns).to_have_attribute("aria-invalid", "false")
    seen(page, board)
    expect(start).to_be_in_viewport(ratio=0.99)
    # What only the server can tell is told beside what the page knows.
    rows.fill("8")
    mines.fill("99")
    start.click()
    expect(board).to_have_text("99 mines on 64 cells are too many: at most one on each cell.")
    expect(seeded).to_be_visible()
    mines.fill("9")
    start.click()
    expect(board).to_be_hidden()
    expect(seeded).to_be_visible()
    expect(mines).to_have_attribute("aria-invalid", "false")
    seed.fill("7")
    start.click()
    expect(page.locator(".view:not([hidden]) [data-cell]")).to_have_count(64)
    expect(seeded).to_be_hidden()
    expect(seed).to_have_attribute("aria-invalid", "false")


PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}"""


@pytest.mark.parametrize("size", SIZES)
def test_a_paste_that_is_no_position_is_told_where_one_looks(visit: Visiting, size: str) -> None:
    tab = visit("analyse", **SIZES[size])
    page = tab.page
    cells = page.locator(".view:not([hidden]) [data-cell]")
    before = cells.count()
    page.evaluate(PASTE, "😀😀")
    line = page.locator(".toast-text")
    expect(line).to_contain_text("“😀😀” begins no position")
    seen(page, line)
    assert cells.count() == before
    page.evaluate(PASTE, "square 2x2 mines=1\n1.\n..")
    expect(cells).to_have_count(4)
    expect(line).to_be_hidden()
    # In the form for another position it is told there.
    form = page.get_by_role("form", name="Another position")
    form.get_by_role("combobox", name="Shape of the board").select_option("text")
    form.get_by_label("Board, as text").fill("8x8/99")
    form.get_by_role("button", name="Empty board").click()
    beside = form.get_by_role("alert")
    expect(beside).to_contain_text("99 mines on 64 cells are too many")
    seen(page, beside)
