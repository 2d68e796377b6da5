"""Review in a real browser: a lost game looked at again, move by move."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import expect

import mineproof as mp
from mineproof.board.layout import deal
from mineproof.board.presets import Board
from mineproof.game.referee import Referee

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

BOARDS = ["square:7x7/7", "hex:7x7/7"]
SEED = 5
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES = [(320, 640), (640, 400)]


@dataclass(frozen=True)
class Move:
    """A move as the review should tell it."""

    action: str
    cell: int
    risk: float | None
    lost: float


def lost_game(board: str) -> list[Move]:
    """A good opening, a certain cell, a flag, a needless risk that holds, and a mine."""
    read = Board.parse(board)
    layout = deal(read.topology, read.mines, SEED, 0, ())
    game = Referee(read, SEED, first_click="any")
    moves: list[Move] = []

    def go(action: str, cell: int) -> None:
        analysis = mp.analyze(game.view)
        best = analysis.least_risk
        assert best is not None
        risk = analysis.p[cell] if action == "open" else None
        moves.append(Move(action, cell, risk, 0.0 if risk is None else max(risk - best.p, 0.0)))
        if action == "open":
            game.open(cell)
        else:
            game.flag(cell)

    empty = [
        cell
        for cell in read.topology.cells
        if not layout.is_mine(cell) and not any(map(layout.is_mine, read.topology.neighbours(cell)))
    ]
    go("open", empty[0])
    go("open", min(mp.analyze(game.view).safe))
    analysis = mp.analyze(game.view)
    go("flag", min(analysis.mines))
    unsure = [cell for cell in analysis.view.hidden if 0 < analysis.p[cell] < 1]
    go("open", next(cell for cell in unsure if not layout.is_mine(cell)))
    analysis = mp.analyze(game.view)
    go("open", next(c for c in analysis.view.hidden if layout.is_mine(c) and analysis.p[c] < 1))
    assert game.over
    return moves


def played(visit: Visiting, board: str, **options: Any) -> tuple[Visit, list[Move]]:
    """The game lost on the page, and the step from its end to its review."""
    tab = visit(f"play?board={board}&first=any&seed={SEED}", **options)
    moves = lost_game(board)
    for number, move in enumerate(moves, 1):
        tab.cell(move.cell).focus()
        tab.page.keyboard.press("f" if move.action == "flag" else "Enter")
        done = "flagged" if move.action == "flag" else "mine" if number == len(moves) else "open"
        expect(tab.cell(move.cell)).to_have_attribute("aria-label", re.compile(done))
    tab.page.get_by_role("button", name="Review").click()
    expect(tab.page.get_by_role("listbox", name="Moves")).to_be_visible()
    return tab, moves


def chance(value: float) -> str:
    return f"{int(value)}" if value in (0.0, 1.0) else f"{100 * value:.1f}"


@pytest.mark.parametrize("board", BOARDS)
def test_a_lost_game_is_gone_through(visit: Visiting, board: str) -> None:
    tab, moves = played(visit, board)
    page = tab.page
    names = Board.parse(board).topology.cell_name
    options = page.get_by_role("option")
    expect(options).to_have_count(len(moves))
    for option, move in zip(options.all(), moves, strict=True):
        label = str(option.get_attribute("aria-label"))
        assert f"{move.action}s {names(move.cell)}: " in label
        if move.risk is not None:
            assert f"risk {chance(move.risk)} %" in label
        assert (f"lost {chance(move.lost)} %" in label) == (move.lost > 0)
        assert ("blunder" in label) == (move.lost >= 0.05)
        assert ("??" in option.inner_text()) == (move.lost >= 0.05)
    # The costliest move is looked at first; the board stands before it.
    worst = max(range(len(moves)), key=lambda number: moves[number].lost)
    counted = page.locator(".view-review .move-count")
    expect(counted).to_have_text(f"Move {worst + 1} of {len(moves)}")
    assert "hidden" in tab.label(moves[worst].cell)
    expect(page.locator(".view-review .layer.step .ring")).to_have_count(1)
    expect(page.locator(".view-review .layer.best .ring")).to_have_count(1)
    # The mistake is told from the best move by its colour.
    stroke = "(ring) => getComputedStyle(ring).stroke"
    rings = [f".view-review .layer.{layer} .ring" for layer in ("step", "best")]
    assert page.locator(rings[0]).evaluate(stroke) != page.locator(rings[1]).evaluate(stroke)
    expect(page.locator(".view-review .stage")).to_have_attribute("data-kind", "blunder")
    blunders = [str(number) for number, move in enumerate(moves, 1) if move.lost >= 0.05]
    chart = page.get_by_role("img", name=f"Blunders: moves {', '.join(blunders)}.")
    expect(chart).to_be_visible()
    # A blunder is large enough to hit in the chart.
    spot = page.locator(".bar-spot").first.bounding_box()
    assert min(spot["width"], spot["height"]) >= 18
    page.get_by_role("listbox").focus()
    page.keyboard.press("Home")
    expect(counted).to_have_text(f"Move 1 of {len(moves)}")
    page.mouse.click(spot["x"] + spot["width"] / 2 + 5, spot["y"] + spot["height"] / 2)
    expect(counted).to_have_text(f"Move {blunders[0]} of {len(moves)}")
    # By keys: the first move, then on; before and after.
    page.get_by_role("listbox").focus()
    page.keyboard.press("Home")
    expect(counted).to_have_text(f"Move 1 of {len(moves)}")
    assert all("hidden" in tab.label(move.cell) for move in moves)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(options.nth(2)).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="After", exact=True).click()
    assert "flagged" in tab.label(moves[2].cell)
    page.keyboard.press("ArrowRight")
    assert "open" in tab.label(moves[3].cell)
    options.last.click()
    assert "exploded mine" in tab.label(moves[4].cell)
    expect(page.locator(".view-review .state")).to_have_text("Lost")
    expect(page).to_have_url(re.compile(r"review\?game=.+&move=5"))


def test_why_chances_and_the_address_of_a_move(visit: Visiting) -> None:
    tab, moves = played(visit, BOARDS[0])
    page = tab.page
    page.get_by_role("option").nth(1).click()
    page.get_by_role("button", name="Chances").last.click()
    expect(tab.cell(moves[1].cell)).to_have_attribute("aria-label", re.compile("certainly safe"))
    page.locator(".view-review").get_by_role("button", name=re.compile("^Why")).click()
    expect(page.locator(".view-review .layer.premise .ring").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".view-review .layer.premise .ring")).to_have_count(0)
    expect(page).to_have_url(re.compile("move=2"))
    tab.go(page.url.split("#/")[1])
    expect(page.locator(".view-review .move-count")).to_have_text("Move 2 of 5")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator(".view-analyse .state")).to_have_text("Possible")
    assert "hidden" in tab.label(moves[1].cell)


def test_without_a_game_the_way_to_one_is_shown(visit: Visiting) -> None:
    tab = visit("play?board=5x5/3&seed=1")
    tab.forgiven = "status of 404"
    tab.page.evaluate("location.hash = '#/review?game=nothing'")
    expect(tab.page.get_by_role("heading", name="This game is gone")).to_be_visible()
    tab.page.get_by_role("link", name="Play", exact=True).click()
    tab.page.evaluate("location.hash = '#/review'")
    expect(tab.page.get_by_role("heading", name="Nothing has been played yet")).to_be_visible()


def test_a_game_is_replayed_by_itself(visit: Visiting) -> None:
    tab, moves = played(visit, BOARDS[0])
    page = tab.page
    count = page.locator(".view-review .move-count")
    page.get_by_role("button", name="Replay", exact=True).click()
    # It comes to its end by itself, after the last move.
    expect(tab.cell(moves[-1].cell)).to_have_attribute("aria-label", re.compile("exploded"))
    expect(count).to_have_text(f"Move {len(moves)} of {len(moves)}")
    expect(page.get_by_role("button", name="Replay", exact=True)).to_be_visible()
    # From the history too; a move that is chosen ends it, whether it still goes on or not.
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_role("button", name=re.compile("^Replay:")).first.click()
    expect(page).to_have_url(re.compile("review"))
    page.get_by_role("listbox", name="Moves").get_by_role("option").nth(1).click()
    expect(page.get_by_role("button", name="Replay", exact=True)).to_be_visible()
    expect(count).to_have_text(f"Move 2 of {len(moves)}")


@pytest.mark.parametrize(("device", "scheme"), [({}, "light"), (PHONE, "dark")])
def test_an_audit_finds_nothing_serious(
    visit: Visiting, audit: Any, device: Any, scheme: str
) -> None:
    tab, _ = played(visit, BOARDS[1], color_scheme=scheme, **device)
    assert audit(tab.page) == []
    for width, height in SIZES:
        tab.page.set_viewport_size({"width": width, "height": height})
        fits = "(width) => document.documentElement.scrollWidth <= width"
        tab.page.wait_for_function(fits, arg=width)


@pytest.mark.parametrize(("width", "height"), [(320, 640), (390, 844), (844, 390)])
def test_every_tool_is_one_word_in_one_line(visit: Visiting, width: int, height: int) -> None:
    tab = visit("play?board=5x5/3&seed=1&first=safe", viewport={"width": width, "height": height})
    page = tab.page
    tab.cell(12).click()
    expect(tab.cell(12)).to_have_attribute("aria-label", re.compile("open"))
    page.evaluate("location.hash = '#/review'")
    words = page.locator(".view-review .tool span")
    expect(words).to_have_text(["First", "Back", "Replay", "Next", "Last", "After", "Chances"])
    expect(words.last).to_be_visible()
    heights = {round(word.bounding_box()["height"]) for word in words.all()}
    assert len(heights) == 1
