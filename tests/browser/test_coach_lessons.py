"""After a loss, in Review and in Watch: what the coach says to people."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import mineproof as mp
from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.agents.decision import Proved
from mineproof.match.game import play
from mineproof.match.referee import Referee
from mineproof.proofs.proof import Proof

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

BOARD = "square:8x8/10"
SEED = 4


def lose_needlessly(visit: Visiting) -> tuple[Visit, mp.View, int]:
    """A game that opens a cell which was certainly a mine; the view before it, and the cell."""
    game = Referee(BOARD, SEED, first_click="opening")
    centre = game.view.topology.centre
    view = game.open(centre)
    mine = max(mp.analyze(view).mines)
    tab = visit(f"play?board={BOARD}&first=opening&seed={SEED}")
    tab.cell(centre).click()
    expect(tab.cell(centre)).to_have_attribute("aria-label", re.compile("open"))
    tab.cell(mine).click()
    expect(tab.page.locator(".voice-text")).to_contain_text("Was this avoidable?")
    return tab, view, mine


def test_a_needless_loss_was_avoidable_and_the_mine_is_proved(visit: Visiting) -> None:
    tab, view, mine = lose_needlessly(visit)
    page = tab.page
    name = view.topology.cell_name(mine)
    expect(page.locator(".voice-text")).to_contain_text(f"Yes. {name} was certainly a mine")
    expect(page.locator(".voice-chips .chip").first).to_have_text("lost 100 % in needless risk")
    page.get_by_role("button", name="Why was it a mine?").click()
    proof = mp.explain(view, mine)
    assert isinstance(proof, Proof)
    expect(page.locator(".voice h2")).to_have_text(f"Why {name}?")
    said = proof.summary if len(proof.steps) > 1 else proof.text
    expect(page.locator(".voice-text")).to_have_text(said)
    expect(page.locator(".layer.premise .ring")).to_have_count(len(proof.clues))
    # The other mines are not given away while the proof is read.
    expect(page.locator(".cell.mined")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".voice-text")).to_contain_text("Was this avoidable?")
    expect(page.locator(".cell.mined").first).to_be_visible()
    page.get_by_role("button", name="Go on from before the mine").click()
    expect(page.locator(".view-play .state")).to_have_text("Playing · practice")
    expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("hidden"))


def test_the_lesson_of_a_loss_is_there_again_after_a_reload(visit: Visiting) -> None:
    tab, view, mine = lose_needlessly(visit)
    page = tab.page
    page.reload()
    page.wait_for_selector(".view-play [data-cell='0']")
    name = view.topology.cell_name(mine)
    expect(page.locator(".voice-text")).to_contain_text(f"{name} was certainly a mine")
    page.get_by_role("button", name="Why was it a mine?").click()
    expect(page.locator(".voice h2")).to_have_text(f"Why {name}?")


def test_a_loss_without_a_better_move_was_not_avoidable(visit: Visiting) -> None:
    board = "square:2x2/1"
    seed = next(n for n in range(50) if lost_at_once(board, n))
    tab = visit(f"play?board={board}&first=any&seed={seed}")
    page = tab.page
    tab.cell(0).click()
    expect(page.locator(".voice-text")).to_contain_text("Was this avoidable? No.")
    expect(page.locator(".voice-text")).to_contain_text("0,0 risked 25.0 %")
    page.get_by_role("button", name="Could it be known?").click()
    expect(page.locator(".voice-text")).to_contain_text("its mine chance is 25.0 %")
    expect(page.locator(".layer.differ .ring")).to_have_count(2)


def lost_at_once(board: str, seed: int) -> bool:
    game = Referee(board, seed, first_click="any")
    game.open(0)
    return bool(game.view.opened_mines)


def test_blunders_are_red_and_large_enough_to_hit(visit: Visiting) -> None:
    tab, _, _ = lose_needlessly(visit)
    page = tab.page
    page.get_by_role("button", name="Review", exact=True).click()
    spot = page.locator(".chart .bar-spot")
    expect(spot).to_have_count(1)
    expect(page.locator(".view-review .move-count")).to_have_text("Move 2 of 2")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".view-review .move-count")).to_have_text("Move 1 of 2")
    box = spot.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 18
    # Its edge belongs to it, not to the move beside it.
    page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    expect(page.locator(".view-review .move-count")).to_have_text("Move 2 of 2")
    red, green, blue = (
        int(part)
        for part in re.findall(r"\d+", spot.evaluate("(one) => getComputedStyle(one).fill"))[:3]
    )
    assert red > 1.5 * max(green, blue)


@pytest.mark.parametrize("agent", ["single-point", "exact"])
def test_watch_says_why_in_plain_words(visit: Visiting, agent: str) -> None:
    board, seed = "square:9x9/10", 7
    game = play(board, make_agent(agent), seed, first_click="opening")
    tab = visit(f"watch?a={agent}&board={board}&first=opening&seed={seed}")
    page = tab.page
    count = page.locator(".seat .move-count").first
    expect(count).to_have_text(f"Step 0 of {len(game.steps)}")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"Step 1 of {len(game.steps)}")
    reason = page.locator(".seat .reason").first
    expect(reason).to_contain_text("the first cell, safe by the rules")
    step = next(
        number
        for number, one in enumerate(game.steps, 1)
        if isinstance(one.decision.reason, Proved) and one.decision.action.value == "open"
    )
    page.locator(".move").nth(step - 1).click()
    cell = game.steps[step - 1].decision.cell
    assert cell is not None
    name = game.topology.cell_name(cell)
    expect(reason).to_contain_text(re.compile(rf"Opened {name}: safe because of "))
    named = reason.locator(".phrase").all_inner_texts()
    lit = page.locator(".seat").first.locator(".layer.premise .ring")
    expect(lit).to_have_count(len(named) - 1)
    assert all(
        "premise" in tab.label(game.topology.cell(tuple(map(int, one.split(",")))))
        for one in named[1:]
    )
    said = page.locator(".moves").first.inner_text()
    assert not re.search(r"among \d|risk 0|policy|guessed:", said)


def test_every_agent_is_described(visit: Visiting) -> None:
    tab = visit("watch")
    page = tab.page
    choice = page.get_by_label("Agent", exact=True)
    hint = page.locator(".agent-hint").first
    for name in AGENTS:
        assert AGENTS[name].about
        choice.select_option(name)
        expect(hint).to_have_text(AGENTS[name].about)
