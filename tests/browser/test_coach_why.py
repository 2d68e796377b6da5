"""Why in a real browser: a proof that keeps its thread, and two layouts where there is none."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import mineproof as mp
from mineproof.game.referee import Referee
from mineproof.proofs.proof import NoProof, Proof
from mineproof.text import percent
from mineproof.view import View

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

BOARDS = ["square:8x8/10", "hex:6x6/7"]
SEED = 4
SMALL_DESK: ViewportSize = {"width": 1280, "height": 720}


def begin(visit: Visiting, board: str, **options: Any) -> tuple[Visit, View]:
    """A game after its first click, in the tab and here."""
    game = Referee(board, SEED, first_click="opening")
    centre = game.view.topology.centre
    tab = visit(f"play?board={board}&first=opening&seed={SEED}", **options)
    tab.cell(centre).click()
    expect(tab.cell(centre)).to_have_attribute("aria-label", re.compile("open"))
    return tab, game.open(centre)


def ask(tab: Visit, cell: int) -> None:
    tab.cell(cell).focus()
    tab.page.keyboard.press("w")
    expect(tab.page.locator(".voice h2")).to_have_text(re.compile("^Why"))
    expect(tab.page.locator(".voice[data-tone=proof]")).to_be_visible()


def lit(page: Page, layer: str) -> int:
    return page.locator(f".layer.{layer} .ring").count()


def proofs(view: View) -> list[Proof]:
    analysis = mp.analyze(view)
    return [mp.explain(view, cell) for cell in (*analysis.safe, *analysis.mines)]  # type: ignore[misc]


@pytest.mark.parametrize("board", BOARDS)
def test_a_proof_is_walked_through_by_keys(visit: Visiting, board: str) -> None:
    tab, view = begin(visit, board)
    page = tab.page
    proof = max(proofs(view), key=lambda proof: len(proof.steps))
    assert proof.cell is not None
    steps = len(proof.steps)
    assert steps > 2
    ask(tab, proof.cell)
    text, count = page.locator(".voice-text"), page.locator(".voice-count")
    # First the whole of it on one picture: every clue, every conclusion, the steps in a list.
    expect(count).to_have_text(f"{steps} steps")
    expect(text).to_have_text(proof.summary)
    assert text.get_attribute("aria-live") == "polite"
    expect(page.locator(".voice-list li")).to_have_count(steps)
    expect(page.get_by_role("button", name="Whole proof on one picture")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator(".layer.premise .ring")).to_have_count(len(proof.clues))
    decided = {
        cell: mine for step in proof.steps if not step.under for cell, mine in step.decides.items()
    }
    assert lit(page, "mine") + lit(page, "safe") == len(decided)
    expect(page.locator(".corner-note")).to_have_count(len(decided))
    # Then step by step: what was concluded stays, what is used is lit, what is concluded appears.
    known: dict[int, bool] = {}
    for number, step in enumerate(proof.steps, 1):
        page.keyboard.press("ArrowRight")
        expect(count).to_have_text(f"{number} of {steps}")
        expect(text).to_have_text(step.sentence)
        for clue in step.clues:
            assert "premise" in tab.label(clue)
        assert not step.under
        known.update(step.decides)
        expect(page.locator(".layer.mine .ring")).to_have_count(sum(known.values()))
        expect(page.locator(".layer.safe .ring")).to_have_count(len(known) - sum(known.values()))
        expect(page.locator(".layer.fresh .ring")).to_have_count(len(step.decides))
        used = set(step.cells) - set(step.decides)
        expect(page.locator(".layer.used .ring")).to_have_count(len(used))
    expect(page.get_by_role("button", name="Next step")).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text(f"{steps - 1} of {steps}")
    page.keyboard.press("Home")
    expect(text).to_have_text(proof.summary)
    page.get_by_role("button", name="Go to step 2").click()
    expect(count).to_have_text(f"2 of {steps}")
    page.get_by_role("button", name="Step before").click()
    expect(count).to_have_text(f"1 of {steps}")
    page.keyboard.press("Escape")
    expect(page.locator(".layer .ring")).to_have_count(0)
    assert page.evaluate("document.activeElement.dataset.cell") == str(proof.cell)


def test_the_thread_of_a_long_proof_is_kept(visit: Visiting) -> None:
    """Seed 5 of Expert, forty best moves on: nine steps, two of which tie cells together."""
    game = Referee("expert", 5, first_click="opening")
    moves = [game.view.topology.cell((8, 15))]
    game.open(moves[0])
    for _ in range(40):
        best = mp.advise(game.view)
        assert best is not None
        moves.append(best.cell)
        game.open(best.cell)
    tab = visit("play?board=expert&first=opening&seed=5", viewport=SMALL_DESK)
    page = tab.page
    for cell in moves:
        tab.cell(cell).focus()
        page.keyboard.press("Enter")
        expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
    names = game.view.topology.cell
    proof = mp.explain(game.view, (15, 14))
    assert isinstance(proof, Proof)
    ask(tab, names((15, 14)))
    # Both sets of which one mine is known to be there are on the picture of the whole.
    expect(page.locator(".band")).to_have_count(2)
    # All of it is in sight on a small desktop; where it is not, what it concludes is.
    steps = page.locator(".voice-list li")
    for step in steps.all():
        expect(step).to_be_in_viewport(ratio=0.99)
    for width, height in ((844, 390), (1000, 560), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        expect(steps.last).to_be_in_viewport(ratio=0.99)
        expect(steps.last.locator(".phrase").last).to_be_visible()
        steps.last.locator(".phrase").last.click()  # nothing lies over it
        expect(page.locator(".layer.point .ring")).to_have_count(1)
    page.set_viewport_size(SMALL_DESK)
    page.keyboard.press("End")
    expect(page.locator(".voice-count")).to_have_text(f"{len(proof.steps)} of {len(proof.steps)}")
    expect(page.locator(".band")).to_have_count(2)
    # The last step names four cells: all of them are lit, and so are they by pointing.
    expect(page.locator(".layer.used .ring")).to_have_count(4)
    phrase = page.locator(".voice-text .phrase").nth(1)
    expect(phrase).to_have_text("13,14 14,14 15,15 and 15,16")
    phrase.hover()
    expect(page.locator(".layer.point .ring")).to_have_count(4)
    phrase.focus()
    page.mouse.move(5, 5)
    expect(page.locator(".layer.point .ring")).to_have_count(0)
    page.locator(".voice-text .phrase").first.focus()
    expect(page.locator(".layer.point .ring")).to_have_count(1)
    # And the other way round: a cell lights the phrase that speaks of it.
    tab.cell(names((14, 14))).hover()
    expect(phrase).to_have_class(re.compile("lit"))
    expect(page.locator(".voice-text .phrase.lit")).to_have_count(1)


def test_an_uncertain_cell_has_two_near_layouts(visit: Visiting) -> None:
    tab, view = begin(visit, BOARDS[0])
    page = tab.page
    chances = mp.analyze(view).p
    cell = next(cell for cell in view.hidden if 0 < chances[cell] < 1)
    found = mp.explain(view, cell)
    assert isinstance(found, NoProof)
    page.get_by_role("button", name="Why", exact=True).click()
    tab.cell(cell).click()
    text = page.locator(".voice-text")
    expect(text).to_contain_text(f"its mine chance is {percent(float(chances[cell]))}")
    expect(text).to_contain_text("Layout 1 of 2: here it is a mine")

    def ghosts() -> tuple[int, ...]:
        marks = page.locator("[aria-label*='a mine in this layout']")
        return tuple(sorted(int(str(mark.get_attribute("data-cell"))) for mark in marks.all()))

    one, two = map(set, found.solutions)
    assert ghosts() == found.solutions[0]
    expect(page.locator(".layer.differ .ring")).to_have_count(len(one ^ two))
    expect(page.locator(".layer.swap .ring")).to_have_count(len(one - two))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".voice-count")).to_have_text("2 of 2")
    expect(text).to_contain_text("Layout 2 of 2: here it is safe")
    assert ghosts() == found.solutions[1]
    expect(page.locator(".layer.swap .ring")).to_have_count(len(two - one))


def test_why_asks_for_a_cell_also_while_the_best_move_is_shown(visit: Visiting) -> None:
    tab, _ = begin(visit, BOARDS[0])
    page = tab.page
    title, text = page.locator(".view-play .voice h2"), page.locator(".view-play .voice-text")
    page.get_by_label("Best move").check()
    expect(title).to_have_text(re.compile("^Best move: "))
    why = page.locator(".view-play .toolbar").get_by_role("button", name="Why", exact=True)
    why.click()
    expect(text).to_have_text("Choose a cell: is it safe, a mine, or can nobody know?")
    why.click()
    expect(title).to_have_text(re.compile("^Best move: "))
