"""The coach does not contradict itself: what is best, what is certain, and how clues are taken."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import mineproof as mp
from mineproof.match.referee import Referee
from mineproof.percentages import percent

pytestmark = pytest.mark.browser

Visiting = Any

NUMBER = re.compile(r"(\d+\.\d)±(\d+\.\d)")
SAID = re.compile(r"(\d+\.\d) ± (\d+\.\d)\s%")


def test_the_best_move_is_one_of_the_tied_best_and_says_why(visit: Visiting) -> None:
    tab = visit("play?board=9x9/10&first=safe&seed=9")
    page = tab.page
    tab.cell(0).click()
    expect(tab.cell(0)).to_have_attribute("aria-label", re.compile("open, 1"))
    page.get_by_role("checkbox", name="Best move").check()
    tab.cell(0).focus()
    page.keyboard.press("v")
    expect(page.locator(".see-note")).to_contain_text("± error")
    shown: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("[data-cell]")].map((cell) =>
          [cell.dataset.cell,
           [...cell.querySelectorAll(".chance")].map((one) => one.textContent).join("")]))"""
    )
    found = {int(c): NUMBER.fullmatch(text) for c, text in shown.items() if text}
    assert len(found) > 2
    assert all(found.values())
    chances = {c: (float(m[1]), float(m[2])) for c, m in found.items() if m}
    lit = {
        layer: [
            int(cell)
            for cell in page.evaluate(
                """(words) => [...document.querySelectorAll("[data-cell]")]
                  .filter((cell) => cell.getAttribute("aria-label").includes(words))
                  .map((cell) => cell.dataset.cell)""",
                words,
            )
        ]
        for layer, words in (("best", "best move"), ("tied", "as good as the best move"))
    }
    tied = set(lit["tied"])
    (best,) = set(lit["best"]) - tied
    # No chance that is shown lies above the best move's by more than both errors.
    top, error = max(chances.values())
    assert chances[best][0] + chances[best][1] >= top - error - 0.2
    for cell, (chance, off) in chances.items():
        if chance + off < top - error - 0.2:
            assert cell not in tied
    text = page.locator(".voice-text").inner_text()
    assert SAID.search(text)
    assert SAID.search(page.locator(".voice-chips").inner_text())
    if tied:
        assert "within the error" in text
        assert "is preferred" in text
    # A cell that was not estimated says so, and looks like neither.
    hidden = next(cell for cell in range(81) if not shown[str(cell)] and cell)
    assert tab.label(hidden).endswith("win chance not estimated")
    expect(tab.cell(hidden).locator(".absent")).to_have_count(1)


def test_cells_that_are_all_safe_show_one_chance_to_win(visit: Visiting) -> None:
    game = Referee("expert", 5, first_click="opening")
    centre = game.view.topology.centre
    analysis = mp.analyze(game.open(centre))
    safe = list(analysis.safe)
    assert len(safe) > 1
    tab = visit("play?board=expert&first=opening&seed=5")
    page = tab.page
    tab.cell(centre).click()
    expect(tab.cell(centre)).to_have_attribute("aria-label", re.compile("open"))
    page.get_by_role("checkbox", name="Best move").check()
    page.get_by_text("Win chance", exact=True).click()
    # One number for all of them, in the note and on the card; on the board they look the same.
    note = page.locator(".see-note")
    expect(note).to_contain_text("✓ certainly safe: ")
    told = re.search(r"certainly safe: (\d+\.\d ± \d+\.\d %) each", note.inner_text())
    assert told
    expect(page.locator(".voice-chips")).to_contain_text(told[1])
    expect(page.locator(".sign-sure.safe")).to_have_count(len(safe))
    for cell in safe:
        assert "certainly safe" in tab.label(cell)


def test_the_first_cell_is_safe_by_the_rules_and_has_no_other_chance(visit: Visiting) -> None:
    tab = visit("play?board=8x8/10&first=safe&seed=3")
    page = tab.page
    page.evaluate("localStorage.setItem('mineproof.coach', JSON.stringify({met: true}))")
    page.reload()
    page.wait_for_selector("[data-cell]")
    page.get_by_text("Mine chance", exact=True).click()
    page.get_by_role("checkbox", name="Best move").check()
    expect(page.locator(".voice-chips .chip")).to_have_text(["safe by the rules"])
    expect(page.locator(".see-note")).to_contain_text("safe by the rules")
    expect(page.locator(".chance")).to_have_count(0)
    expect(page.locator(".voice")).not_to_contain_text("certainly safe")
    # The same in Analyse.
    page.get_by_role("button", name="Analyse this position").click()
    title = page.locator(".view:not([hidden]) .voice h2")
    expect(title).to_have_text(re.compile("safe by the rules$"))
    expect(page.locator(".view:not([hidden]) .chance")).to_have_count(0)


def test_all_that_is_certain_is_shown_at_once(visit: Visiting) -> None:
    game = Referee("square:8x8/10", 4, first_click="opening")
    centre = game.view.topology.centre
    analysis = mp.analyze(game.open(centre))
    tab = visit("play?board=square:8x8/10&first=opening&seed=4")
    page = tab.page
    tab.cell(centre).click()
    expect(tab.cell(centre)).to_have_attribute("aria-label", re.compile("open"))
    page.get_by_label("Certain", exact=True).check(force=True)
    safe, mines = list(analysis.safe), list(analysis.mines)
    expect(page.locator(".sign-sure.safe")).to_have_count(len(safe))
    expect(page.locator(".sign-sure.mine")).to_have_count(len(mines))
    expect(page.locator(".chance")).to_have_count(0)
    expect(page.locator(".see-note")).to_contain_text(f"Here {len(safe)} cells are safe")
    for cell in safe:
        assert tab.label(cell).endswith("certainly safe")
    tab.cell(centre).focus()
    page.keyboard.press("s")
    expect(page.locator(".sign-sure")).to_have_count(0)


def test_the_board_and_the_sentence_write_one_number(visit: Visiting) -> None:
    tab = visit("play?board=9x9/10&first=safe&seed=9")
    page = tab.page
    tab.cell(0).click()
    expect(tab.cell(0)).to_have_attribute("aria-label", re.compile("open, 1"))
    game = Referee("9x9/10", 9, first_click="safe")
    view = game.open(0)
    best = mp.advise(view)
    assert best is not None
    page.get_by_role("checkbox", name="Best move").check()
    page.get_by_text("Mine chance", exact=True).click()
    number = percent(best.risk)
    expect(page.locator(".voice-text")).to_contain_text(number)
    expect(page.locator(".voice-chips .chip").first).to_have_text(f"mine chance {number}")
    expect(tab.cell(best.cell)).to_have_attribute(
        "aria-label", re.compile(f"mine chance {re.escape(number)}")
    )


@pytest.mark.parametrize("clues", ["optimistic", "withheld:0.3"])
def test_uncertain_clues_look_uncertain(visit: Visiting, clues: str) -> None:
    tab = visit(f"play?board=9x9/10&first=opening&seed=2&clues={clues}")
    page = tab.page
    tab.cell(40).click()
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    badge = page.locator(".view:not([hidden]) .doubt")
    board = page.locator(".view:not([hidden]) svg.board")
    labels = [label for label in tab.labels().values() if ", open" in label]
    if clues.startswith("withheld"):
        # What is shown is true, and looks it; what is withheld shows no number.
        expect(badge).to_have_text("? 30 % withheld")
        expect(badge).to_be_in_viewport(ratio=0.99)
        expect(badge).to_have_attribute("title", re.compile("^The numbers on the board are true"))
        expect(board).to_have_attribute("data-clues", "")
        assert not any("which may be wrong" in label for label in labels)
        assert any(label.endswith("open, no clue") for label in labels)
        page.get_by_role("button", name="Analyse this position").click()
        expect(page.locator(".view-analyse .doubt")).to_have_text("? 30 % withheld")
        return
    expect(badge).to_have_text("≈ optimistic")
    expect(board).to_have_attribute("data-clues", "unsure")
    assert labels
    assert all(label.endswith("which may be wrong") for label in labels)
    assert not any("no mines around" in label for label in labels)
    ground = "(cell) => getComputedStyle(cell.querySelector('.tile')).fill"
    unsure = tab.cell(40).evaluate(ground)
    tab.go("play?board=9x9/10&first=opening&seed=2&clues=exact")
    tab.cell(40).click()
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    assert tab.cell(40).evaluate(ground) != unsure
    expect(badge).to_be_hidden()
