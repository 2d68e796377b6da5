"""History in a real browser: games kept, looked at again, counted, taken out and in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mineproof.board.deal import deal
from mineproof.board.layout import Layout
from mineproof.board.measures import measure
from mineproof.board.presets import Board

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

BOARD = "square:4x5/4"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def layout_of(seed: int) -> Layout:
    read = Board.parse(BOARD)
    return deal(read.topology, read.mines, seed, 0, ())


def state(page: Page) -> Any:
    return page.locator(".view-play .state")


def go(tab: Visit, seed: int) -> Layout:
    """A game of a seed: it shows when its name does."""
    tab.page.evaluate(
        "hash => { location.hash = hash; }", f"#/play?board={BOARD}&first=any&seed={seed}"
    )
    expect(tab.page.locator(".view-play .game-name")).to_contain_text(f"seed {seed}")
    return layout_of(seed)


def win(tab: Visit, seed: int) -> None:
    layout = go(tab, seed)
    for cell in layout.topology.cells:
        if not layout.is_mine(cell) and "hidden" in tab.label(cell):
            tab.cell(cell).click()
            expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile("open"))
    expect(state(tab.page)).to_have_text("Won")


def lose(tab: Visit, seed: int) -> None:
    layout = go(tab, seed)
    tab.cell(min(layout.cells)).click()
    expect(state(tab.page)).to_have_text("Lost")


def leave(tab: Visit, seed: int) -> int:
    """Begin a game and flag a mine; the mine."""
    layout = go(tab, seed)
    clue = next(
        cell for cell in layout.topology.cells if layout.counts[cell] and not layout.is_mine(cell)
    )
    tab.cell(clue).click()
    expect(state(tab.page)).to_have_text("Playing")
    mine = min(layout.cells)
    tab.cell(mine).click(button="right")
    expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("flagged"))
    return mine


def history(tab: Visit) -> Any:
    tab.page.get_by_role("link", name="History").click()
    expect(tab.page.get_by_role("heading", name="History")).to_be_visible()
    return tab.page.locator(".view-history")


def figure(view: Any, name: str) -> Any:
    return (
        view.locator(".figures div")
        .filter(has=view.page.get_by_text(name, exact=True))
        .locator("dd")
    )


def test_an_empty_history_offers_what_can_be_done(visit: Visiting) -> None:
    tab = visit("history", shows=".history-none")
    view = tab.page.locator(".view-history")
    for name in ("Export", "Forget all"):
        expect(view.get_by_role("button", name=name)).to_be_disabled()
    expect(view.get_by_role("button", name="Import…")).to_be_enabled()
    lose(tab, 3)
    history(tab)
    for name in ("Export", "Forget all"):
        expect(view.get_by_role("button", name=name)).to_be_enabled()


def test_a_win_says_how_it_stands_among_those_before(visit: Visiting) -> None:
    tab = visit(f"play?board={BOARD}&first=any&seed=1")
    page = tab.page
    text = page.locator(".view-play .voice-text")
    win(tab, 1)
    expect(text).to_have_text("Every safe cell is open. Your first win here without help.")
    # As if all games before had taken so long.
    for seed, ms, said in (
        (2, 600_000, "A new best time here: 10:00.0 before."),
        (4, 1, "Your best time here is 0.0 s."),
    ):
        page.evaluate(
            """(ms) => Object.keys(localStorage)
              .filter((key) => key.startsWith("mineproof.played."))
              .forEach((key) => {
                const game = JSON.parse(localStorage.getItem(key));
                localStorage.setItem(key, JSON.stringify({ ...game, ms }));
              })""",
            ms,
        )
        tab.go(f"play?board={BOARD}&first=any&seed=9")
        win(tab, seed)
        expect(text).to_have_text(f"Every safe cell is open. {said}")
    # With help the time does not count, and nothing is said of it.
    go(tab, 6)
    page.get_by_text("Mine chance", exact=True).click()
    win(tab, 6)
    expect(text).to_have_text("Every safe cell is open.")


def test_every_game_is_kept_counted_and_looked_at_again(
    visit: Visiting, tmp_path: Path, audit: Any
) -> None:
    tab = visit(f"play?board={BOARD}&first=any&seed=1")
    page = tab.page
    win(tab, 1)
    win(tab, 2)
    lose(tab, 3)
    win(tab, 4)
    flagged = leave(tab, 5)
    view = history(tab)
    expect(view.locator(".game")).to_have_count(5)
    expect(figure(view, "Games")).to_have_text("4")
    expect(figure(view, "Won")).to_have_text("3 (75 %)")
    expect(figure(view, "Wins in a row")).to_have_text("1, at most 2")
    expect(figure(view, "Left")).to_have_text("1")
    row = view.get_by_role("row").nth(1)
    expect(row).to_contain_text("first click may be a mine")
    expect(row.get_by_role("cell").nth(2)).to_have_text(re.compile(r"^\d+:\d\d\.\d$"))
    expect(row.get_by_role("cell").nth(3)).to_have_text(re.compile(r"^\d+\.\d\d$"))
    # What a win cost in clicks is known: one for each cell that was clicked.
    expect(row.get_by_role("cell").nth(4)).to_have_text(re.compile(r"^\d+ %$"))
    # Every finished game is reviewed without being asked.
    expect(view.get_by_role("img", name=re.compile("Chance lost in each game"))).to_be_visible()
    expect(view.locator(".game-facts").filter(has_text="gave away ")).to_have_count(4)
    assert audit(page) == []
    # A game that was left goes on where it was.
    view.get_by_role("button", name=re.compile("^Go on")).click()
    expect(tab.cell(flagged)).to_have_attribute("aria-label", re.compile("flagged"))
    expect(state(page)).to_have_text("Playing")
    # A game that was lost is looked at move by move.
    history(tab)
    view.get_by_role("button", name=re.compile("^Review: .* lost,")).click()
    expect(page.locator(".view-review .move-count")).to_have_text("Move 1 of 1")
    # A deal that was played before is practice, and changes nothing.
    history(tab)
    view.get_by_role("button", name=re.compile("^Play again: .* lost,")).click()
    expect(state(page)).to_have_text("Ready · practice")
    tab.cell(min(layout_of(3).cells)).click()
    expect(state(page)).to_have_text("Lost · practice")
    history(tab)
    expect(figure(view, "Practice")).to_have_text("1")
    expect(figure(view, "Games")).to_have_text("4")


def test_a_history_is_one_file(visit: Visiting, tmp_path: Path) -> None:
    tab = visit(f"play?board={BOARD}&first=any&seed=1")
    page = tab.page
    win(tab, 1)
    lose(tab, 2)
    view = history(tab)
    with page.expect_download() as download:
        view.get_by_role("button", name="Export").click()
    path = tmp_path / "history.json"
    download.value.save_as(path)
    written = json.loads(path.read_text())
    assert [game["state"] for game in written["games"]] == ["lost", "won"]
    won = written["games"][1]
    assert won["three_bv"] == measure(layout_of(1)).three_bv
    assert won["clicks"] == len(re.findall("o", won["moves"]))
    view.get_by_role("button", name="Forget all").click()
    expect(view.locator(".history-none")).to_be_visible()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(view.locator(".game")).to_have_count(2)
    # Another browser takes it in, and reviews what its own server never saw.
    other = visit("history", shows=".history")
    view = other.page.locator(".view-history")
    view.locator("input[type=file]").set_input_files(path)
    expect(view.locator(".history-note")).to_contain_text("2 games are taken in")
    expect(view.locator(".game")).to_have_count(2)
    other.forgiven = "status of 404"  # that server is asked first
    view.get_by_role("button", name=re.compile("^Review: .* won,")).click()
    expect(other.page.locator(".view-review .state")).to_have_text("Won")


HOSTILE: dict[str, Any] = {
    "no json": "{",
    "another file": json.dumps({"games": []}),
    "a list": "[]",
    "another version": json.dumps({"format": "mineproof history", "version": 99, "games": []}),
}


def test_hostile_histories_are_refused(visit: Visiting, tmp_path: Path) -> None:
    tab = visit("history", shows=".history")
    page = tab.page
    view = page.locator(".view-history")
    for name, text in HOSTILE.items():
        path = tmp_path / f"{name}.json"
        path.write_text(text)
        view.locator("input[type=file]").set_input_files(path)
        expect(page.locator(".toast-text")).to_contain_text(f"{name}.json")
    good = {
        "key": "0kl2m3n4p-1",
        "game": "abc",
        "board": BOARD,
        "first_click": "any",
        "clues": "exact",
        "seed": 1,
        "began": 1,
        "state": "won",
        "moves": "o1",
        "ms": 1000,
        "clicks": 1,
        "queries": "",
        "practice": False,
        "helped": False,
        "three_bv": 3,
        "lost": 0.1,
        "luck": 0.5,
        "guesses": 1,
    }
    bad: list[object] = [
        None,
        [],
        {**good, "board": "<img src=x onerror=alert(1)>\u0000"},
        {**good, "moves": "o1;drop"},
        {**good, "ms": "1"},
        {**good, "ms": 1e300},
        {**good, "key": "__proto__"},
        {key: value for key, value in good.items() if key != "seed"},
        {"__proto__": good},
    ]
    named = {**good, "board": "<b>bold</b>", "extra": "dropped"}
    path = tmp_path / "games.json"
    games = [*bad, named]
    path.write_text(json.dumps({"format": "mineproof history", "version": 1, "games": games}))
    view.locator("input[type=file]").set_input_files(path)
    expect(view.locator(".history-note")).to_contain_text(
        f"1 game is taken in, {len(bad)} are refused (game 1: it is no game)"
    )
    expect(view.locator(".game-title")).to_contain_text("<b>bold</b>")
    expect(view.locator("dd", has_text="guess")).to_have_text("+0.5 in 1 guess")
    assert page.locator(".view-history b").count() == 0
    assert "extra" not in page.evaluate("JSON.stringify(localStorage)")


def test_the_oldest_games_make_room(visit: Visiting) -> None:
    tab = visit("history", shows=".history")
    left = tab.page.evaluate(
        """async () => {
          const { all, keep, MOST } = await import("/static/kept-games.js");
          const { freshGame } = await import("/static/kept-game.js");
          const spec = { board: "4x4/2", first_click: "any", clues: "exact", seed: 7 };
          for (let began = 1; began <= MOST + 5; began += 1) {
            keep({ ...freshGame(`g${began}`, spec, began), state: "lost", moves: "o1" });
          }
          const prefix = "mineproof.played.";
          const stored = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
          const began = stored.map((key) => parseInt(key.slice(prefix.length), 36));
          return { stored: stored.length, oldest: Math.min(...began), most: MOST };
        }"""
    )
    assert left["stored"] == left["most"]
    assert left["oldest"] == 6


def test_the_figures_are_right(visit: Visiting) -> None:
    tab = visit("history", shows=".history")
    found = tab.page.evaluate(
        """async () => {
          const { bySetting, summary, timeline } = await import("/static/views/history-figures.js");
          const { freshGame } = await import("/static/kept-game.js");
          const spec = { board: "4x4/2", first_click: "any", clues: "exact", seed: 1 };
          const game = (began, facts) => ({
            ...freshGame(`g${began}`, spec, began),
            ...{ moves: "o1", three_bv: 10, clicks: 20, ms: 5000 },
            ...{ lost: 0.25, luck: 0.5, guesses: 1 },
            ...facts,
          });
          const games = [
            game(9, { state: "running", three_bv: null, lost: null, luck: null, guesses: null }),
            game(8, { state: "won", helped: true, ms: 1000, clicks: 10 }),
            game(7, { state: "won" }),
            game(6, { state: "lost", luck: -2, lost: 0.75 }),
            game(5, { state: "won", practice: true, ms: 10 }),
            game(4, { state: "won", ms: 4000 }),
            game(3, { state: "won" }),
            game(2, { state: "won", first_click: "safe" }),
          ];
          return { sums: summary(games), rows: bySetting(games), line: timeline(games) };
        }"""
    )
    sums = found["sums"]
    assert (sums["games"], sums["won"], sums["left"], sums["practice"]) == (6, 5, 1, 1)
    assert sums["streak"] == {"now": 2, "longest": 3}
    assert sums["lost"] == pytest.approx((5 * 0.25 + 0.75) / 6)
    assert sums["luck"] == pytest.approx(5 * 0.5 - 2)
    any_click, safe_click = found["rows"]
    assert (any_click["games"], any_click["won"], any_click["best"]) == (5, 4, 4000)
    assert any_click["speed"] == pytest.approx(2.5)
    assert any_click["efficiency"] == pytest.approx(40 / 70)
    assert (safe_click["games"], safe_click["won"]) == (1, 1)
    assert [one["luck"] for one in found["line"]] == pytest.approx([0.5, 1, 1.5, -0.5, 0, 0.5])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_history_is_accessible_on_a_phone(visit: Visiting, audit: Any, scheme: str) -> None:
    tab = visit(f"play?board={BOARD}&first=any&seed=1", color_scheme=scheme, **PHONE)
    win(tab, 1)
    lose(tab, 2)
    leave(tab, 3)
    view = history(tab)
    expect(view.locator(".game-facts").filter(has_text="gave away ")).to_have_count(2)
    assert audit(tab.page) == []
    wide = tab.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
