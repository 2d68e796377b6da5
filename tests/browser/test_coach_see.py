"""See and Why in a real browser: chances to the digit, proofs step by step, no contradictions."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import mineproof as mp
from mineproof.advice.adviser import JUDGED_SAMPLES
from mineproof.game.referee import Referee
from mineproof.search.win import cell_win_chances
from mineproof.text import percent

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
    chances = cell_win_chances(view)
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
          const { percent } = await import("/static/board/face.js");
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
        fits = "(width) => document.documentElement.scrollWidth <= width"
        tab.page.wait_for_function(fits, arg=width)
    tab.cell(479).click()
    expect(tab.cell(479)).to_have_attribute("aria-label", re.compile("open"))


def test_the_first_load_is_small_and_nothing_shifts(visit: Visiting) -> None:
    tab = visit("play?board=beginner&seed=1")
    page = tab.page
    page.evaluate("sessionStorage.clear()")
    tab.go("play?board=expert&seed=1&first=opening")
    page.wait_for_function("performance.getEntriesByName('load-to-board').length")
    # What the first board waits for: the boards of the day and what comes with moves are later.
    asked = page.evaluate(
        """() => {
          const [{duration: board}] = performance.getEntriesByName("load-to-board");
          return ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
            .filter(({startTime}) => startTime < board)
            .map(({name, decodedBodySize}) => [name, decodedBodySize]);
        }"""
    )
    assert any(name.endswith("/play.js") for name, _ in asked)
    assert all(size > 0 for _, size in asked), asked
    assert sum(size for _, size in asked) < 200_000
    tab.watch_shifts()
    tab.cell(200).click()
    page.get_by_role("checkbox", name="Best move").check()
    page.get_by_text("Mine chance").click()
    expect(page.locator(".layer.best .ring")).to_have_count(1)
    expect(page.locator(".chance").first).to_be_visible()
    page.get_by_role("button", name="New", exact=True).click()
    expect(page.locator(".state")).to_have_text("Ready")
    assert tab.shifted() < 0.001


# -- what is best, what is certain, and how clues are taken --


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
    best = mp.advise(view, wins=mp.win_chances(view, samples=JUDGED_SAMPLES))
    assert best is not None
    assert best.win is not None
    page.get_by_role("checkbox", name="Best move").check()
    page.get_by_text("Mine chance", exact=True).click()
    number = percent(best.risk)
    expect(page.locator(".voice-text")).to_contain_text(best.win.text)
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


def test_the_best_move_is_the_same_whatever_is_shown(visit: Visiting) -> None:
    """A guess gets its star once games were played out, and keeps it under every overlay."""
    tab = visit("play?board=expert&first=safe&seed=3454994905")
    page = tab.page
    tab.cell(8 * 30 + 15).click()
    expect(tab.cell(8 * 30 + 15)).to_have_attribute("aria-label", re.compile("open"))
    page.get_by_role("checkbox", name="Best move").check()
    title = page.locator(".view-play .voice h2")
    expect(title).to_have_text(re.compile(r"^Best move: \d+,\d+$"))
    said = title.text_content()
    assert said is not None
    for overlay in ("Win chance", "Mine chance", "Off"):
        page.get_by_text(overlay, exact=True).click()
        expect(page.get_by_role("radio", name=overlay)).to_be_checked()
        expect(title).to_have_text(said)
    name = said.removeprefix("Best move: ")
    page.get_by_text("Win chance", exact=True).click()
    expect(page.locator("[data-cell][aria-label*='win chance']").first).to_be_attached()
    expect(title).to_have_text(said)
    game = Referee("expert", 3454994905, first_click="safe")
    best = mp.advise(view := game.open((8, 15)), wins=mp.win_chances(view, samples=JUDGED_SAMPLES))
    assert best is not None
    assert view.topology.cell_name(best.cell) == name
