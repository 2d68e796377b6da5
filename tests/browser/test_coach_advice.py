"""Advice in a real browser: games without guesses, hints, and what the coach says after a loss."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import mineproof as mp
from mineproof.advice.hints import hint
from mineproof.agents.agent import Proved
from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.game.play import play
from mineproof.game.referee import Referee
from mineproof.generation.certificate import check_certificate, read_certificates
from mineproof.proofs.proof import Proof
from mineproof.view.view import View
from tests.core import needs_core

pytestmark = pytest.mark.browser
Visiting = Any
Visit = Any
SEED = 7


def open_cell(tab: Visit, cell: int) -> None:
    """Open a cell by its key, and wait until it is open."""
    tab.cell(cell).focus()
    tab.page.keyboard.press("Enter")
    expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))


def win(tab: Visit, board: str, first: int) -> None:
    """Play what is certain to the end, as the layout that the seed makes shows it."""
    layout = mp.generate(board, first=first, seed=SEED)[0].layout
    game = Referee(layout)
    cells = [first]
    game.open(first)
    while not game.over:
        cells.append(next(iter(mp.analyze(game.view).safe)))
        game.open(cells[-1])
    for cell in cells:
        open_cell(tab, cell)
    expect(tab.page.locator(".state")).to_have_text(re.compile("^Won"))


@needs_core
def test_no_guess_is_chosen_and_played(visit: Visiting) -> None:
    tab = visit("play?board=beginner&seed=1")
    page = tab.page
    badge = page.locator(".chip.no-guess")
    expect(badge).to_be_hidden()
    page.get_by_label("No guess: logic alone solves it").check()
    expect(badge).to_be_visible()
    expect(badge).to_have_text("no guess")
    expect(page).to_have_url(re.compile(r"no-guess=1&seed=\d+$"))
    page.get_by_text("Evil", exact=True).click()
    expect(page.locator(".view-play [data-cell]")).to_have_count(600)
    expect(badge).to_be_visible()
    open_cell(tab, 315)
    expect(page).to_have_url(
        re.compile(r"board=square%3A20x30%2F130&no-guess=1&seed=\d+&start=315$")
    )
    # The next visit begins with it, and without it where it is taken away.
    tab.go("play?board=beginner&seed=2")
    expect(badge).to_be_hidden()


@needs_core
def test_the_address_brings_the_same_game(visit: Visiting) -> None:
    tab = visit(f"play?board=beginner&no-guess=1&seed={SEED}")
    page = tab.page
    open_cell(tab, 40)
    expect(page).to_have_url(re.compile("start=40$"))
    shown = tab.labels()
    address = page.evaluate("location.hash.slice(2)")
    other = visit(address)
    expect(other.page.locator(".voice-text")).to_contain_text("made for a first click at 4,4")
    expect(other.page.locator(".layer.step .ring")).to_have_count(1)
    open_cell(other, 40)
    assert other.labels() == shown
    # Undo marks the cell again, and the same click brings the same board.
    page.keyboard.press("u")
    expect(page.locator(".state")).to_have_text("Ready · practice")
    expect(page.locator(".layer.step .ring")).to_have_count(1)
    open_cell(tab, 40)
    assert tab.labels() == shown


@needs_core
def test_a_game_is_won_and_its_certificate_saved(visit: Visiting) -> None:
    tab = visit(f"play?board=6x6/6&no-guess=1&seed={SEED}")
    page = tab.page
    win(tab, "6x6/6", 14)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Certificate").click()
    assert saved.value.suggested_filename == f"mineproof-6x6-6-{SEED}.certificate.json"
    [certificate] = read_certificates(saved.value.path().read_text())
    assert check_certificate(certificate)
    assert certificate.beginning.first == 14
    expect(page.locator(".toast")).to_contain_text("check-certificate checks it")


@needs_core
def test_history_knows_it_and_goes_on_with_it(visit: Visiting) -> None:
    tab = visit(f"play?board=beginner&no-guess=1&seed={SEED}")
    page = tab.page
    open_cell(tab, 40)
    shown = tab.labels()
    # What keeps games is loaded with the first touch, and may come after the first answer.
    page.wait_for_function(
        "() => Object.keys(localStorage).some((name) => name.startsWith('mineproof.played.'))"
    )
    tab.go("history", ".game")
    expect(page.locator(".game-title")).to_contain_text("no guess")
    page.get_by_role("button", name=re.compile("^Go on")).click()
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    assert tab.labels() == shown


def begin(visit: Visiting) -> tuple[Visit, View]:
    game = Referee("8x8/10", 4, first_click="opening")
    tab = visit("play?board=8x8/10&first=opening&seed=4")
    open_cell(tab, 27)
    return tab, game.open(27)


def lit(page: Page, layer: str) -> Any:
    return page.locator(f".view-play .layer.{layer} .ring")


@pytest.mark.parametrize("by", ["key", "button"])
def test_each_press_of_hint_tells_one_thing_more(visit: Visiting, by: str) -> None:
    tab, view = begin(visit)
    page = tab.page
    region, clues, cell, proof = (hint(view, level) for level in (1, 2, 3, 4))
    assert proof.proof is not None

    def press() -> None:
        if by == "key":
            page.keyboard.press("h")
        else:
            page.get_by_role("button", name="Hint", exact=True).click()

    title, text = page.locator(".voice h2"), page.locator(".voice-text")
    press()
    expect(title).to_have_text("Hint 1 of 4")
    expect(text).to_have_text(region.text)
    expect(lit(page, "region")).to_have_count(len(region.region))
    for layer in ("premise", "safe", "subject"):
        expect(lit(page, layer)).to_have_count(0)
    press()
    expect(title).to_have_text("Hint 2 of 4")
    expect(text).to_have_text(clues.text)
    expect(lit(page, "premise")).to_have_count(len(clues.clues))
    expect(lit(page, "region")).to_have_count(0)
    expect(lit(page, "safe")).to_have_count(0)
    page.get_by_role("button", name="Show the cell").click()
    expect(title).to_have_text("Hint 3 of 4")
    expect(text).to_have_text(cell.text)
    expect(lit(page, "safe")).to_have_count(1)
    page.get_by_role("button", name="Show the proof").click()
    expect(title).to_have_text(re.compile("^Why "))
    expect(text).to_have_text(proof.proof.summary if len(proof.proof.steps) > 1 else str(proof))
    # A move ends it, and the next hint begins with the region again.
    assert cell.cell is not None
    page.keyboard.press("Escape")
    open_cell(tab, cell.cell)
    expect(page.locator(".view-play .layer .ring")).to_have_count(0)
    page.keyboard.press("h")
    expect(title).to_have_text(re.compile("^Hint( 1 of 4)?$"))


def test_where_nothing_is_certain_a_guess_is_told_only_when_asked_again(visit: Visiting) -> None:
    game = Referee("6x6/9", 1, first_click="safe")
    seed = next(
        seed
        for seed in range(100)
        if not mp.analyze(Referee("6x6/9", seed, first_click="safe").open(14)).safe
    )
    game = Referee("6x6/9", seed, first_click="safe")
    view = game.open(14)
    tab = visit(f"play?board=6x6/9&first=safe&seed={seed}")
    page = tab.page
    open_cell(tab, 14)
    page.keyboard.press("h")
    expect(page.locator(".voice-text")).to_have_text(hint(view).text)
    expect(page.locator(".view-play .layer .ring")).to_have_count(0)
    page.get_by_role("button", name="Show the best guess").click()
    expect(lit(page, "best")).to_have_count(1)
    best = hint(view, 2).cell
    assert best is not None
    assert "best move" in tab.label(best)
    page.get_by_role("button", name="Close").click()
    expect(lit(page, "best")).to_have_count(0)


def test_a_game_with_a_hint_was_helped(visit: Visiting) -> None:
    tab, _ = begin(visit)
    tab.page.keyboard.press("h")
    expect(tab.page.locator(".voice h2")).to_have_text("Hint 1 of 4")
    kept = tab.page.evaluate(
        "Object.keys(localStorage).filter((key) => key.startsWith('mineproof.played.'))"
        ".map((key) => localStorage.getItem(key))"
    )
    assert [json.loads(game)["helped"] for game in kept] == [True]


# -- after a loss, in Review and in Watch --


BOARD = "square:8x8/10"
LOSS_SEED = 4


def lose_needlessly(visit: Visiting) -> tuple[Visit, mp.View, int]:
    """A game that opens a cell which was certainly a mine; the view before it, and the cell."""
    game = Referee(BOARD, LOSS_SEED, first_click="opening")
    centre = game.view.topology.centre
    view = game.open(centre)
    mine = max(mp.analyze(view).mines)
    tab = visit(f"play?board={BOARD}&first=opening&seed={LOSS_SEED}")
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
    expect(page.locator(".voice-chips .chip").first).to_have_text(
        re.compile(r"^lost [\d.]+ % of the chance to win$")
    )
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
    page.get_by_role("button", name="Take it back").click()
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
    page.get_by_role("button", name="Was it knowable?").click()
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
