"""Keys of the coach in a real browser: from anywhere, along the frontier, flags, names of cells."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mineproof.board.layout import Layout, deal
from mineproof.board.presets import Board

pytestmark = pytest.mark.browser
Visiting = Any
Visit = Any
BOARD = "square:4x5/4"
SEED = 2
GAME = f"play?board={BOARD}&first=any&seed={SEED}"


def layout_of(seed: int = SEED) -> Layout:
    read = Board.parse(BOARD)
    return deal(read.topology, read.mines, seed, 0, ())


def safe_cells(layout: Layout) -> list[int]:
    return [cell for cell in layout.topology.cells if not layout.is_mine(cell)]


def opened_by(layout: Layout, cell: int) -> set[int]:
    found, rest = set(), [cell]
    while rest:
        here = rest.pop()
        if here in found:
            continue
        found.add(here)
        if layout.counts[here] == 0:
            rest += layout.topology.neighbours(here)
    return found


def mine_counts(layout: Layout, opened: set[int]) -> tuple[dict[int, int], int]:
    """How many of all layouts that explain the opened cells have a mine in each, one by one."""
    near = layout.topology.neighbours
    hidden = [cell for cell in layout.topology.cells if cell not in opened]
    fits = [
        set(mines)
        for mines in combinations(hidden, 4)
        if all(len(set(near(cell)) & set(mines)) == layout.counts[cell] for cell in opened)
    ]
    return {cell: sum(cell in mines for mines in fits) for cell in hidden}, len(fits)


def overlay(page: Page) -> Any:
    return page.locator(".view-play .see input[name=overlay]:checked")


def card(page: Page) -> tuple[Any, Any]:
    return page.locator(".view-play .voice h2"), page.locator(".view-play .voice-text")


def focused(page: Page) -> Any:
    return page.locator(".view-play [data-cell]:focus")


def start(visit: Visiting, **options: Any) -> tuple[Visit, Layout, set[int]]:
    """A game in which a cell was opened, with the mouse off the board."""
    layout = layout_of()
    first = next(c for c in safe_cells(layout) if layout.counts[c] == 0)
    tab = visit(GAME, **options)
    tab.cell(first).click()
    expect(tab.page.locator(".view-play .state")).to_have_text("Playing")
    return tab, layout, opened_by(layout, first)


def test_keys_work_after_a_click_on_a_card_and_after_a_reload(visit: Visiting) -> None:
    tab, _, _ = start(visit)
    page = tab.page
    card(page)[0].click()
    page.keyboard.press("m")
    expect(overlay(page)).to_have_value("mine")
    page.get_by_text("Certain", exact=True).click()  # the focus is on the choice
    expect(overlay(page)).to_have_value("sure")
    page.keyboard.press("o")
    expect(overlay(page)).to_have_value("none")
    page.keyboard.press("w")
    expect(page.get_by_role("button", name="Why", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("Escape")
    page.reload()
    page.wait_for_selector("[data-cell]")
    expect(page.locator(".view-play .state")).to_have_text("Playing")
    page.keyboard.press("h")
    expect(card(page)[0]).to_have_text(re.compile("^Hint"))
    page.keyboard.press("n")
    expect(page.locator(".view-play .state")).to_have_text("Ready")
    # Letters in a field are text.
    page.locator(".new-game summary").click()
    field = page.get_by_placeholder("random")
    field.click()
    field.press_sequentially("mn7")
    expect(field).to_have_value("mn7")
    expect(overlay(page)).to_have_value("none")


@pytest.mark.parametrize("view", ["play", "learn", "review", "history"])
def test_a_question_mark_lists_the_keys(visit: Visiting, view: str) -> None:
    page = visit("play").page
    page.evaluate("view => { location.hash = `#/${view}`; }", view)
    page.wait_for_selector(f".view-{view}:not([hidden])")
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    expect(page.locator("#settings-keys")).to_be_in_viewport()
    expect(page.locator("dialog dt", has_text="?")).to_have_count(1)


def test_flag_and_why_are_never_both_on_and_end_with_a_new_game(visit: Visiting) -> None:
    tab, _, _ = start(visit, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = tab.page
    flag = page.locator(".view-play .tool-flag")
    why = page.locator(".view-play .tool-why")
    for one, other in ((flag, why), (why, flag), (flag, why)):
        one.tap()
        expect(one).to_have_attribute("aria-pressed", "true")
        expect(other).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="New", exact=True).tap()
    expect(page.locator(".view-play .state")).to_have_text("Ready")
    expect(flag).to_have_attribute("aria-pressed", "false")


def test_the_frontier_is_walked_by_key_and_read_aloud(visit: Visiting) -> None:
    tab, layout, opened = start(visit)
    page = tab.page
    near = layout.topology.neighbours
    clues = {cell for cell in opened if layout.counts[cell]}
    frontier = sorted(c for c in layout.topology.cells if c not in opened and clues & set(near(c)))
    assert 1 < len(frontier) < len(layout.topology.cells) - len(opened) + 1
    tab.cell(0).focus()
    walked = []
    for _ in range(len(frontier) + 1):
        before = focused(page).get_attribute("data-cell")
        page.keyboard.press("x")
        expect(focused(page)).not_to_have_attribute("data-cell", str(before))
        walked.append(int(focused(page).get_attribute("data-cell")))
    begin = frontier.index(walked[0])
    assert walked == [*frontier[begin:], *frontier[:begin], walked[0]]
    page.keyboard.press("Shift+X")
    expect(focused(page)).to_have_attribute("data-cell", str(walked[-2]))
    cell = walked[-2]
    hidden = sum(other not in opened for other in near(cell))
    page.keyboard.press("r")
    expect(page.locator("#announcer")).to_contain_text(f"around it {hidden} hidden, 0 flagged")


def test_flags_are_checked_by_what_is_certain(visit: Visiting) -> None:
    tab, layout, opened = start(visit)
    page = tab.page
    counts, layouts = mine_counts(layout, opened)
    safe = [cell for cell, count in counts.items() if count == 0]
    mines = [cell for cell, count in counts.items() if count == layouts]
    doubtful = [cell for cell, count in counts.items() if 0 < count < layouts]
    assert all([safe, mines, doubtful])
    title, text = card(page)
    flagged = [safe[0], mines[0], doubtful[0]]
    for cell in flagged:
        tab.cell(cell).click(button="right")
        expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("flagged"))
    page.get_by_role("button", name="Check flags").click()
    expect(title).to_have_text("1 of 3 flags wrong")
    expect(text).to_contain_text("1 is certainly a mine. 1 is not certain either way.")
    expect(page.locator(".view-play .layer.clash .ring")).to_have_count(0)
    page.get_by_role("button", name="Show which").click()
    expect(page.locator(".view-play .layer.clash .ring")).to_have_count(1)
    expect(tab.cell(safe[0])).to_have_attribute("aria-label", re.compile("part of the clash"))
    tab.cell(safe[0]).click(button="right")
    expect(tab.cell(safe[0])).to_have_attribute("aria-label", re.compile("hidden"))
    page.keyboard.press("k")
    expect(title).to_have_text("No flag is wrong")


def test_cells_may_be_named_by_letters_and_numbers_from_1(visit: Visiting) -> None:
    tab, layout, opened = start(visit)
    page = tab.page
    counts, layouts = mine_counts(layout, opened)
    cell = next(cell for cell, count in counts.items() if count in (0, layouts))
    name = "ABCDE"[cell % 5] + str(cell // 5 + 1)
    tab.cell(cell).focus()
    page.keyboard.press("w")
    title, text = card(page)
    expect(title).to_have_text(f"Why {cell // 5},{cell % 5}?")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_label(re.compile("^Cells as letters")).check()
    page.get_by_role("button", name="Done").click()
    assert tab.label(cell).startswith(f"{name}, hidden")
    expect(page.locator(".view-play .ruler-top")).to_have_text("ABCDE")
    expect(page.locator(".view-play .ruler-left")).to_have_text("1234")
    tab.cell(cell).focus()
    page.keyboard.press("w")
    expect(title).to_have_text(f"Why {name}?")
    expect(text).to_contain_text(name)
    told = page.locator(".view-play .voice").inner_text()
    assert not re.search(r"\d,\d", told), told
    phrase = page.locator(".view-play .voice .phrase").first
    phrase.hover()
    expect(page.locator(".view-play .layer.point .ring")).not_to_have_count(0)
