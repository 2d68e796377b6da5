"""Learn in a real browser: patterns and puzzles, solved on the board, with progress that stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import mineproof as mp
from mineproof.generation.patterns import PATTERNS
from mineproof.generation.puzzle_files import shipped_index
from mineproof.generation.puzzles import TeachingPuzzle

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def puzzle_of(pattern: str, at: int = 0) -> TeachingPuzzle:
    names = [mark.name for mark in shipped_index() if mark.pattern == pattern]
    puzzle = shipped_index().find(names[at])
    assert puzzle is not None
    return puzzle


def go(visit: Visiting, place: str, puzzle: TeachingPuzzle, **options: Any) -> Visit:
    return visit(f"learn?{place}", shows=shown(puzzle), **options)


def shown(puzzle: TeachingPuzzle) -> str:
    return f".stage[data-puzzle='{puzzle.name}'] [data-cell='0']"


def titled(pattern: str, number: int) -> str:
    title = PATTERNS[pattern].title
    return f"{title[0].upper()}{title[1:]} · {number} of 10"


def card(page: Page) -> tuple[Any, Any]:
    return page.locator(".view-learn .voice h2"), page.locator(".view-learn .voice-text")


def on(tab: Visit, cell: int) -> Any:
    """A cell of the puzzle, not of the picture."""
    return tab.page.locator(f".view-learn .stage[data-puzzle] [data-cell='{cell}']")


def solve(tab: Visit, puzzle: TeachingPuzzle) -> None:
    for cell in puzzle.safe:
        on(tab, cell).click()
        expect(on(tab, cell)).to_have_attribute("aria-label", re.compile("open, no clue"))
    for cell in puzzle.mines:
        on(tab, cell).click(button="right")
        expect(on(tab, cell)).to_have_attribute("aria-label", re.compile("flagged"))


def first_lessons() -> list[tuple[mp.View, list[int], list[int]]]:
    """The lessons of the page: each position, and what it says is safe and is a mine."""
    script = Path(mp.__file__).parent / "web" / "static" / "views" / "learn.js"
    found = re.findall(
        r'position: ("square .*"),\n +text: ".*",\n +safe: (\[.*\]),\n +mines: (\[.*\]),',
        script.read_text(),
    )
    return [
        (mp.View.parse(json.loads(text)), json.loads(safe), json.loads(mines))
        for text, safe, mines in found
    ]


def test_the_first_lessons_say_what_is_certain() -> None:
    lessons = first_lessons()
    assert len(lessons) == 5
    for view, safe, mines in lessons:
        chances = mp.analyze(view).p
        hidden = [
            cell for cell, mark in enumerate("".join(view.text.split("\n")[1:])) if mark == "."
        ]
        assert [cell for cell in hidden if chances[cell] == 0] == safe
        assert [cell for cell in hidden if chances[cell] == 1] == mines
        # Few numbers are enough: these are lessons for beginners.
        for cell in [*safe, *mines]:
            proof = mp.explain(view, cell)
            assert isinstance(proof, mp.Proof)
            assert len(proof.clues) <= 3


def test_a_newcomer_begins_with_what_a_number_means(visit: Visiting) -> None:
    at = ".stage[data-puzzle='00000000000{}'] [data-cell='0']"
    tab = visit("learn", shows=at.format(0))
    page = tab.page
    title, text = card(page)
    expect(page.locator(".learn-title")).to_have_text("What a number means · 1 of 5")
    expect(text).to_contain_text("A number counts the mines in the eight cells around it.")
    for number, (_, safe, mines) in enumerate(first_lessons()):
        page.wait_for_selector(at.format(number))
        for cell in safe:
            on(tab, cell).click()
            expect(on(tab, cell)).to_have_attribute("aria-label", re.compile("open, no clue"))
        for cell in mines:
            on(tab, cell).click(button="right")
            expect(on(tab, cell)).to_have_attribute("aria-label", re.compile("flagged"))
        expect(title).to_have_text("Solved without a slip")
        page.get_by_role("button", name="Show why").click()
        expect(title).to_have_text(re.compile("^Why "))
        page.get_by_role("button", name="Next", exact=True).click()
    page.wait_for_selector(shown(puzzle_of("B1")))
    # Who comes again goes on there.
    tab.go("learn", shown(puzzle_of("B1")))


def test_a_pattern_is_explained_and_its_puzzles_solved(visit: Visiting) -> None:
    puzzle = puzzle_of("1-2-1")
    tab = go(visit, "pattern=1-2-1&n=1", puzzle)
    page = tab.page
    title, text = card(page)
    expect(page.locator(".learn-title")).to_have_text(titled("1-2-1", 1))
    expect(page.locator(".lesson p")).to_have_text(PATTERNS["1-2-1"].explanation)
    expect(page.locator(".lesson-picture figcaption")).to_contain_text("Example of 1-2-1: ")
    expect(page.locator(".lesson-picture .layer.premise .ring")).not_to_have_count(0)
    expect(page.locator(".puzzle-numbers li")).to_have_count(10)
    expect(title).to_have_text("What is certain?")
    solve(tab, puzzle)
    expect(title).to_have_text("Solved without a slip")
    expect(page.locator(".puzzle-numbers a[data-solved='2']")).to_have_count(1)
    expect(page.locator(".chapters a[aria-current] .chapter-done")).to_have_text("1 / 10")
    # The proof of what was found, step by step as everywhere.
    page.get_by_role("button", name="Show why").click()
    expect(title).to_have_text(re.compile("^Why "))
    last = (*puzzle.safe, *puzzle.mines)[-1]
    [proof] = [one for one in puzzle.proofs if one.cell == last]
    expect(text).to_have_text(proof.summary if len(proof.steps) > 1 else str(proof))
    # Pointing at a cell's name in the proof lights the cell.
    page.locator(".view-learn .voice .phrase").last.hover()
    expect(page.locator(".view-learn .stage[data-puzzle] .layer.point .ring")).to_have_count(1)
    steps = page.locator(".view-learn .voice-list li")
    expect(steps.filter(has=page.locator(".phrase"))).to_have_count(steps.count())
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator(".learn-title")).to_have_text(titled("1-2-1", 2))
    expect(page).to_have_url(re.compile(r"learn\?pattern=1-2-1&n=2$"))
    page.go_back()
    expect(page.locator(".learn-title")).to_have_text(titled("1-2-1", 1))
    # It is remembered.
    page.reload()
    page.wait_for_selector(shown(puzzle))
    expect(page.locator(".puzzle-numbers a[data-solved='2']")).to_have_count(1)


def test_a_wrong_claim_is_told_at_once_and_why(visit: Visiting) -> None:
    at, puzzle = next(
        (at, one)
        for at in range(10)
        for one in [puzzle_of("1-2", at)]
        if one.mines and len(one.safe) + len(one.mines) < one.view.hidden_count
    )
    tab = go(visit, f"pattern=1-2&n={at + 1}", puzzle)
    page = tab.page
    title, text = card(page)
    name = puzzle.view.topology.cell_name
    mine = puzzle.mines[0]
    on(tab, mine).click()
    expect(title).to_have_text("Not so")
    expect(text).to_have_text(f"{name(mine)} is certain, but it is not safe.")
    where = page.locator(".view-learn .where")
    expect(where).to_have_text(re.compile("hidden, part of the clash$"))
    assert "hidden" in str(on(tab, mine).get_attribute("aria-label"))
    doubtful = next(
        cell for cell in puzzle.view.hidden if cell not in puzzle.safe and cell not in puzzle.mines
    )
    on(tab, doubtful).click(button="right")
    expect(text).to_have_text(
        f"{name(doubtful)} is not certain: it may be safe, and it may be a mine."
    )
    page.get_by_role("button", name="Show why").click()
    expect(text).to_contain_text("Layout 1 of 2")
    page.get_by_role("button", name="Close").click()
    solve(tab, puzzle)
    expect(title).to_have_text("Solved")
    expect(page.locator(".puzzle-numbers a[data-solved='1']")).to_have_count(1)
    # Again, without a mistake: the better try counts.
    page.get_by_role("button", name="Again").click()
    expect(title).to_have_text("What is certain?")
    expect(where).to_have_text("")
    solve(tab, puzzle)
    expect(title).to_have_text("Solved without a slip")
    expect(page.locator(".puzzle-numbers a[data-solved='2']")).to_have_count(1)


def test_keys_alone_solve_a_puzzle(visit: Visiting) -> None:
    puzzle = puzzle_of("1-2C")
    tab = go(visit, "pattern=1-2C&n=1", puzzle)
    page = tab.page
    title, text = card(page)
    on(tab, next(iter(puzzle.view.hidden))).focus()
    page.keyboard.press("h")
    expect(text).to_contain_text("Look at the lit clues")
    expect(page.locator(".stage[data-puzzle] .layer.premise .ring")).not_to_have_count(0)
    page.keyboard.press("h")
    expect(title).to_have_text(re.compile("^Why "))
    page.keyboard.press("Escape")
    expect(title).to_have_text("What is certain?")
    for cells, key in ((puzzle.safe, "Enter"), (puzzle.mines, "f")):
        for cell in cells:
            on(tab, cell).focus()
            page.keyboard.press(key)
            expect(on(tab, cell)).not_to_have_attribute("aria-label", re.compile("hidden"))
    expect(title).to_have_text("Solved")
    page.keyboard.press("n")
    expect(page.locator(".learn-title")).to_have_text(titled("1-2C", 2))


def test_a_guess_is_judged_by_its_chance_to_win(visit: Visiting) -> None:
    puzzle = puzzle_of("best guess")
    tab = go(visit, "pattern=best+guess&n=1", puzzle)
    page = tab.page
    title, text = card(page)
    expect(title).to_have_text("The best guess")
    worse = next(one for one in puzzle.choices if one.cell not in puzzle.best)
    on(tab, worse.cell).click()
    expect(title).to_have_text("Not so")
    expect(text).to_contain_text(f"the game is won in {100 * float(worse.win):.1f} % of cases")
    on(tab, puzzle.best[0]).click()
    expect(title).to_have_text("Solved")
    label = re.compile("win chance")
    expect(on(tab, puzzle.best[0])).to_have_attribute("aria-label", label)


def test_puzzles_by_level_and_where_to_go_on(visit: Visiting) -> None:
    first = puzzle_of("B1")
    tab = go(visit, "pattern=B1", first)
    page = tab.page
    expect(page.locator(".learn-title")).to_have_text(titled("B1", 1))
    expect(page.locator(".chapters li")).to_have_count(len(PATTERNS) + 6)
    page.get_by_role("link", name=re.compile("^Level 5")).click()
    expect(page.locator(".learn-title")).to_have_text("Level 5 · 1 of 100")
    expect(page.locator(".puzzle-numbers li")).to_have_count(100)
    page.get_by_role("link", name="Puzzle 100", exact=True).click()
    expect(page.locator(".learn-title")).to_have_text("Level 5 · 100 of 100")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("That was the last puzzle.")
    # What an address says wrong leads to where one goes on.
    numbers = ".stage[data-puzzle='000000000000'] [data-cell='0']"
    tab.go("learn?pattern=nothing&n=7", numbers)
    tab.go("learn?pattern=B1&n=999", shown(first))
    # And what others wrote into the store is not believed.
    page.evaluate('localStorage.setItem(\'mineproof.learn\', \'{"solved": {"x": 2, "<b>": 1}}\')')
    tab.go("learn", numbers)
    expect(page.locator(".chapters .chapter-done").first).to_have_text("0 / 5")


def test_a_phone_solves_by_touch(visit: Visiting) -> None:
    puzzle = puzzle_of("1-2-1")
    tab = go(visit, "pattern=1-2-1&n=1", puzzle, **PHONE)
    page = tab.page
    for cell in puzzle.safe:
        on(tab, cell).tap()
        expect(on(tab, cell)).to_have_attribute("aria-label", re.compile("open"))
    page.get_by_role("button", name="Flag", exact=True).tap()
    for cell in puzzle.mines:
        on(tab, cell).tap()
        expect(on(tab, cell)).to_have_attribute("aria-label", re.compile("flagged"))
    expect(card(page)[0]).to_have_text("Solved without a slip")
    wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide, "the page scrolls sideways"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_in_anyones_way(
    visit: Visiting, audit: Callable[[Page], list[str]], scheme: str
) -> None:
    puzzle = puzzle_of("1-2-1")
    tab = go(visit, "pattern=1-2-1&n=1", puzzle, color_scheme=scheme)
    page = tab.page
    expect(page.locator(".lesson-picture .layer.premise .ring")).not_to_have_count(0)
    assert audit(page) == []
    solve(tab, puzzle)
    expect(card(page)[0]).to_have_text("Solved without a slip")
    assert audit(page) == []
