"""What is optional in Play: live figures, question marks; and what a win looks like."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from mineproof.board.deal import deal
from mineproof.board.layout import Layout
from mineproof.board.measures import measure
from mineproof.board.presets import Board

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

SEED = 3


def layout_of(board: str) -> Layout:
    read = Board.parse(board)
    return deal(read.topology, read.mines, SEED, 0, ())


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
