"""See and Why in a real browser: chances to the digit, proofs step by step, and who can use it."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Page, Response, expect

import mineproof as mp
from mineproof.match.referee import Referee
from mineproof.search.win import win_chance

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

BOARDS = ["square:8x8/10", "hex:6x6/7"]
SEED = 4
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}


def game_of(board: str) -> Referee:
    return Referee(board, SEED, first_click="opening")


def begin(visit: Visiting, board: str, **options: Any) -> tuple[Visit, mp.View]:
    """A game after its first click, in the tab and here."""
    game = game_of(board)
    centre = game.view.topology.centre
    tab = visit(f"play?board={board}&first=opening&seed={SEED}", **options)
    tab.cell(centre).click()
    expect(tab.cell(centre)).to_have_attribute("aria-label", re.compile("open"))
    return tab, game.open(centre)


def written(chance: float) -> str:
    """A chance as the page writes it: one decimal, never 0 or 100."""
    text = str((Decimal(chance) * 100).quantize(Decimal("0.1"), ROUND_HALF_UP))
    return {"0.0": "<0.1", "100.0": ">99.9"}.get(text, text)


@pytest.mark.parametrize("board", BOARDS)
def test_the_overlay_says_what_the_analysis_says(visit: Visiting, board: str) -> None:
    tab, view = begin(visit, board)
    page = tab.page
    page.get_by_text("Mine chance").click()
    expect(page.locator(".chance").first).to_be_visible()
    analysis = mp.analyze(view)
    safe, mines = set(analysis.safe), set(analysis.mines)
    shown: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("[data-cell]")].map((cell) => [
          cell.dataset.cell,
          cell.querySelector(".sign-sure")?.classList[1]
            ?? cell.querySelector(".chance")?.textContent ?? "open",
        ]))"""
    )
    expected = {str(cell): "open" for cell in view.topology.cells}
    for cell in view.hidden:
        chance = float(analysis.p[cell])
        expected[str(cell)] = (
            "safe" if cell in safe else "mine" if cell in mines else written(chance)
        )
    # Cells that touch no number have one chance in common: it is written once.
    near = view.topology.neighbours
    far = [
        cell
        for cell in view.hidden
        if cell not in safe | mines and all(map(view.is_hidden, near(cell)))
    ]
    assert len(far) > 2
    common = {expected[str(cell)] for cell in far}
    told = [shown[str(cell)] for cell in far if shown[str(cell)] != "open"]
    assert {*told} == common
    assert len(told) == 1
    for cell in far:
        assert tab.label(cell).endswith(f"mine chance {told[0]} %")
    expect(page.locator(".see-note")).to_contain_text(f"{len(far)} cells touch no number")
    apart = {str(cell) for cell in far}
    assert {cell: said for cell, said in shown.items() if cell not in apart} == {
        cell: said for cell, said in expected.items() if cell not in apart
    }
    assert safe
    assert mines
    guess = next(cell for cell in view.hidden if cell not in safe | mines)
    assert tab.label(guess).endswith(f"hidden, mine chance {written(float(analysis.p[guess]))} %")
    assert tab.label(min(safe)).endswith("certainly safe")


def test_win_chances_are_those_of_best_play(visit: Visiting) -> None:
    tab, view = begin(visit, BOARDS[1])
    page = tab.page
    chances = win_chance(view)
    assert all(one.exact for one in chances)
    tab.cell(view.topology.centre).focus()
    page.keyboard.press("v")
    expect(page.locator(".see-note")).to_contain_text("exact")
    for one in chances:
        assert tab.label(one.cell).endswith(f"win chance {one.text}")
    # A certain mine has no chance to win, and does not look like a cell that was not estimated.
    mines = mp.analyze(view).mines
    assert mines
    for cell in mines:
        assert tab.label(cell).endswith("certainly a mine")
        expect(tab.cell(cell).locator(".sign-sure.mine")).to_have_count(1)
    page.keyboard.press("v")
    expect(page.locator(".chance")).to_have_count(0)


def test_a_chance_near_certainty_is_never_written_as_certain(visit: Visiting) -> None:
    tab = visit("play?board=5x5/3&seed=1")
    texts = tab.page.evaluate(
        """async () => {
          const { percent } = await import("/static/board/heat.js");
          return [1e-9, 0.00049, 0.0005, 0.125, 0.0625, 0.9994, 0.99951, 1 - 1e-12]
            .map((chance) => percent(chance));
        }"""
    )
    assert texts == ["<0.1", "<0.1", "0.1", "12.5", "6.3", "99.9", ">99.9", ">99.9"]


def test_the_best_move_is_lit_and_follows_the_game(visit: Visiting) -> None:
    tab, view = begin(visit, BOARDS[0])
    page = tab.page
    page.get_by_role("checkbox", name="Best move").check()
    expect(page.locator(".layer.best .ring")).to_have_count(1)
    title = page.locator(".voice h2")
    expect(title).to_contain_text("Best move")
    name = title.inner_text().split(": ")[1]
    cell = view.topology.cell(tuple(map(int, name.split(","))))
    assert cell in set(mp.analyze(view).safe)
    assert "best move" in tab.label(cell)
    tab.cell(cell).click()
    expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
    expect(title).not_to_contain_text(name)


@pytest.mark.parametrize(("device", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_an_audit_finds_nothing_serious(visit: Visiting, device: Any, scheme: str) -> None:
    tab, view = begin(visit, BOARDS[1], color_scheme=scheme, **device)
    page = tab.page

    def audit() -> list[str]:
        found = Axe().run(page)["violations"]
        return [
            f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:120]}"
            for one in found
            if one["impact"] in ("serious", "critical", "moderate")
        ]

    page.get_by_text("Mine chance").click()
    page.get_by_role("checkbox", name="Best move").check()
    expect(page.locator(".layer.best .ring")).to_have_count(1)
    assert audit() == []
    if device is PHONE:
        page.get_by_role("button", name="Keys and settings").click()
        assert audit() == []
        return
    tab.cell(min(mp.analyze(view).safe)).focus()
    page.keyboard.press("w")
    expect(page.locator(".layer.premise .ring").first).to_be_visible()
    assert audit() == []


def contrast(page: Page) -> float:
    """The least contrast of a chance with its tile, and of a number with its own."""
    return float(
        page.evaluate(
            """() => {
              const light = (colour) => {
                const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
                  const share = part / 255;
                  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
                });
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              return Math.min(...[...document.querySelectorAll(".board text")].map((text) => {
                const tile = text.parentNode.querySelector(".tile");
                const fills = [text, tile].map((one) => light(getComputedStyle(one).fill));
                const [low, high] = fills.sort((a, b) => a - b);
                return (high + 0.05) / (low + 0.05);
              }));
            }"""
        )
    )


def test_numbers_and_chances_stand_out(visit: Visiting) -> None:
    tab, _ = begin(visit, BOARDS[0])
    page = tab.page
    page.evaluate(
        """async () => {
          const { Board } = await import("/static/board/board.js");
          const names = [...Array(100).keys()].map((cell) => `0,${cell}`);
          const board = new Board(document.querySelector(".stage"));
          board.show({name: "scale", topology: "square", cells: 100, names, polygons: null,
            coordinates: names.map((_, cell) => [0, cell]), neighbours: names.map(() => [])},
            names.map((_, cell) => (cell < 9 ? cell : null)));
          board.overlay({name: "mine chance", values: names.map((_, cell) => cell / 100)});
        }"""
    )
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        page.wait_for_function("() => document.querySelectorAll('.stage .chance').length === 91")
        assert contrast(page) >= 4.5


def test_a_narrow_or_zoomed_page_needs_no_sideways_scrolling(visit: Visiting) -> None:
    tab = visit("play?board=expert&seed=1")
    for width, height in ((320, 640), (640, 400), (390, 844)):
        tab.page.set_viewport_size({"width": width, "height": height})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    tab.cell(479).click()
    expect(tab.cell(479)).to_have_attribute("aria-label", re.compile("open"))


def test_the_first_load_is_small_and_nothing_shifts(visit: Visiting) -> None:
    tab = visit("play?board=beginner&seed=1")
    page = tab.page
    page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")  # what the page before has under way breaks off here
    answers: list[Response] = []

    def note(answer: Response) -> None:
        answers.append(answer)

    page.on("response", note)
    tab.go("play?board=expert&seed=1&first=opening")
    page.remove_listener("response", note)
    assert 0 < sum(len(answer.body()) for answer in answers) < 200_000
    tab.watch_shifts()
    tab.cell(200).click()
    page.get_by_role("checkbox", name="Best move").check()
    page.get_by_text("Mine chance").click()
    expect(page.locator(".layer.best .ring")).to_have_count(1)
    expect(page.locator(".chance").first).to_be_visible()
    page.get_by_role("button", name="New", exact=True).click()
    expect(page.locator(".state")).to_have_text("Ready")
    assert tab.shifted() < 0.001
