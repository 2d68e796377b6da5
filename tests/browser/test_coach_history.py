"""What the browser keeps: History, games and figures, New and Undo, Back, a killed server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from mineproof.board.layout import Layout, deal, measure
from mineproof.board.presets import Board
from tests.browser.test_coach_review import BOARDS, played

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
    for name in ("Export", "Delete all"):
        expect(view.get_by_role("button", name=name)).to_be_disabled()
    expect(view.get_by_role("button", name="Import…")).to_be_enabled()
    lose(tab, 3)
    history(tab)
    for name in ("Export", "Delete all"):
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
    expect(figure(view, "Streak")).to_have_text("1 (best 2)")
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
    view.get_by_role("button", name="Delete all").click()
    expect(view.locator(".history-none")).to_be_visible()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(view.locator(".game")).to_have_count(2)
    # Another browser takes it in, and reviews what its own server never saw.
    other = visit("history", shows=".history")
    view = other.page.locator(".view-history")
    view.locator("input[type=file]").set_input_files(path)
    expect(view.locator(".history-note")).to_contain_text("2 games imported")
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
        f"1 game imported, {len(bad)} refused (game 1: it is no game)"
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
          const { freshGame } = await import("/static/views/match.js");
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
          const { bySetting, summary, timeline } = await import("/static/views/statistics.js");
          const { freshGame } = await import("/static/views/match.js");
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


# -- nothing is lost: New and Undo, the browser's Back, a reload, a server that is killed --


KEPT_BOARD = "square:6x7/6"
SEED = 4
NO_SERVER = "ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 404"


def mines_of(board: str = KEPT_BOARD, seed: int = SEED) -> list[int]:
    read = Board.parse(board)
    return sorted(deal(read.topology, read.mines, seed, 0, ()).cells)


def play(board: str = KEPT_BOARD, seed: int = SEED) -> str:
    return f"play?board={board}&first=any&seed={seed}"


def shown_state(page: Page) -> Any:
    return page.locator(".view:not([hidden]) .state")


def begin(tab: Visit, flags: int = 1) -> dict[int, str]:
    """Open a safe cell and flag mines: a game that is running. What it shows then."""
    mines = mines_of()
    first = next(cell for cell in range(42) if cell not in mines)
    tab.cell(first).click()
    expect(tab.cell(first)).to_have_attribute("aria-label", re.compile("open"))
    for mine in mines[:flags]:
        tab.cell(mine).click(button="right")
        expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("flagged"))
    expect(shown_state(tab.page)).to_have_text("Playing")
    # A flag is drawn at once; it is counted when the server knows of it.
    expect(tab.page.locator(".view-play .count .value").first).to_have_text(str(len(mines) - flags))
    return dict(tab.labels())


def is_back(tab: Visit, labels: dict[int, str]) -> None:
    flagged = next(cell for cell, label in labels.items() if "flagged" in label)
    expect(tab.cell(flagged)).to_have_attribute("aria-label", re.compile("flagged"))
    expect(shown_state(tab.page)).to_have_text("Playing")
    assert tab.labels() == labels


@pytest.mark.parametrize("way", ["button", "key", "level"])
def test_a_running_game_comes_back_after_new(visit: Visiting, way: str) -> None:
    tab = visit(play())
    page = tab.page
    labels = begin(tab)
    if way == "button":
        page.get_by_role("button", name="New", exact=True).click()
    elif way == "key":
        tab.cell(0).focus()
        page.keyboard.press("n")
    else:
        page.get_by_text("Beginner", exact=True).click()
    expect(shown_state(page)).to_have_text("Ready")
    expect(page.locator(".toast-text")).to_have_text(re.compile("Your game on .* is kept"))
    if way == "key":
        page.get_by_role("button", name="Resume").click()
    else:
        page.get_by_role("button", name="Undo").click()
    is_back(tab, labels)
    expect(page.locator(".toast")).to_be_hidden()


def test_an_address_without_clues_has_exact_ones_whatever_was_played_before(
    visit: Visiting,
) -> None:
    tab = visit(f"{play()}&clues=optimistic")
    page = tab.page
    badge = page.locator(".view-play").get_by_text("≈ optimistic")
    expect(badge).to_be_visible()
    tab.go(play("square:5x5/4", 1))
    expect(shown_state(page)).to_have_text("Ready")
    expect(badge).to_be_hidden()


def test_the_browsers_back_goes_back_inside_the_coach(visit: Visiting) -> None:
    tab = visit(play())
    page = tab.page
    labels = begin(tab)
    page.get_by_role("button", name="New", exact=True).click()
    expect(shown_state(page)).to_have_text("Ready")
    page.go_back()
    is_back(tab, labels)
    page.go_forward()
    expect(shown_state(page)).to_have_text("Ready")
    page.go_back()
    is_back(tab, labels)


def test_a_painted_position_comes_back_after_an_example(visit: Visiting) -> None:
    tab = visit("analyse")
    page = tab.page
    painted = tab.cell(40)
    painted.focus()
    page.keyboard.press("7")
    expect(painted).to_have_attribute("aria-label", re.compile("open, 7"))
    for step in ("undo", "back"):
        page.get_by_label("Example").select_option(label="Hexagons")
        expect(page.locator(".view:not([hidden]) [data-cell]")).to_have_count(64)
        if step == "undo":
            page.get_by_role("button", name="Undo").click()
        else:
            page.go_back()
        expect(page.locator(".view:not([hidden]) [data-cell]")).to_have_count(81)
        expect(painted).to_have_attribute("aria-label", re.compile("open, 7"))
    page.get_by_label("Example").select_option(label="1-2-1 along a wall")
    expect(page.locator(".view:not([hidden]) [data-cell]")).to_have_count(20)
    page.get_by_role("button", name="Undo").click()
    expect(painted).to_have_attribute("aria-label", re.compile("open, 7"))
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".view:not([hidden]) [data-cell]")).to_have_count(20)


def seconds(page: Page) -> float:
    minutes, rest = page.locator(".count .value").nth(1).inner_text().split(":")
    return 60 * float(minutes) + float(rest)


def test_the_clock_is_right_after_reload_and_undo(visit: Visiting) -> None:
    tab = visit(play())
    page = tab.page
    begin(tab)
    page.wait_for_function(
        "() => document.querySelectorAll('.count .value')[1].textContent >= '0:02'"
    )
    page.reload()
    expect(shown_state(page)).to_have_text("Playing")
    assert seconds(page) >= 2
    mine = mines_of()[-1]
    tab.cell(mine).click()
    expect(shown_state(page)).to_have_text("Lost")
    clock = page.locator(".count .value").nth(1)
    expect(clock).to_have_text(re.compile(r"^\d+:\d\d\.\d$"))
    stood = seconds(page)
    # The clock stands while the game is over, and goes on from there.
    page.evaluate("() => { window.stood = performance.now(); }")
    page.wait_for_function("() => performance.now() > window.stood + 2000")
    assert seconds(page) == stood
    went_on = page.evaluate("() => performance.now()")
    page.get_by_role("button", name="Take it back").click()
    expect(shown_state(page)).to_have_text("Playing · practice")
    tab.cell(mine).click()
    expect(shown_state(page)).to_have_text("Lost · practice")
    took = page.evaluate("() => performance.now()") - went_on
    kept = page.evaluate(
        """() => Object.keys(localStorage).filter((key) => key.startsWith("mineproof.played."))
             .map((key) => JSON.parse(localStorage.getItem(key)))"""
    )
    assert sorted((game["state"], game["practice"]) for game in kept) == [
        ("lost", False),
        ("lost", True),
    ]
    first, second = sorted(kept, key=lambda game: game["practice"])
    assert first["ms"] <= second["ms"] <= first["ms"] + took + 100


def test_a_game_is_kept_with_the_time_on_its_clock_not_that_of_its_last_move(
    visit: Visiting,
) -> None:
    tab = visit(play())
    page = tab.page
    begin(tab)
    page.wait_for_function(
        "() => document.querySelectorAll('.count .value')[1].textContent >= '0:02'"
    )
    page.get_by_role("link", name="History").click()
    row = page.locator(".view-history").get_by_text(re.compile(r"· \d+:\d\d\.\d")).first
    shown = re.search(r"· (\d+):(\d+\.\d)", row.inner_text())
    assert shown is not None
    assert 60 * int(shown[1]) + float(shown[2]) >= 2
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("button", name="New", exact=True).click()
    line = page.locator(".toast-text")
    expect(line).to_have_text(re.compile("Your game on .* is kept"))
    said = re.search(r"(\d+):(\d+\.\d), is kept", line.inner_text())
    assert said is not None
    assert 60 * int(said[1]) + float(said[2]) >= 2


def test_a_server_that_was_killed_goes_on_with_the_game(visit: Visiting, mortal: Any) -> None:
    tab = visit(play(), address=mortal.address)
    tab.forgiven = NO_SERVER
    page = tab.page
    labels = begin(tab, flags=2)
    mortal.stop(kill=True)
    hidden = next(
        cell for cell, label in labels.items() if "hidden" in label and cell not in mines_of()
    )
    tab.cell(hidden).click()
    expect(page.locator(".toast-text")).to_contain_text("does not answer")
    mortal.start()
    expect(page.locator(".toast")).to_be_hidden()
    expect(tab.cell(hidden)).to_have_attribute("aria-label", re.compile("open"))
    expect(shown_state(page)).to_have_text("Playing")
    for cell, label in labels.items():
        if "flagged" in label:
            assert tab.label(cell) == label
    # All that asks about the game works on, also what never met the dead server.
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".view-review .move-count")).to_have_text(re.compile(r"Move \d+ of 4"))
    assert page.evaluate("document.body.innerText").count("there is no game") == 0


def test_a_flag_the_server_never_heard_of_is_kept(visit: Visiting, mortal: Any) -> None:
    tab = visit(play(), address=mortal.address)
    tab.forgiven = NO_SERVER
    begin(tab)
    page = tab.page
    held: list[Route] = []
    page.route(re.compile("/flag$"), lambda route: held.append(route))
    second = mines_of()[1]
    with page.expect_request(re.compile("/flag$")):
        tab.cell(second).click(button="right")
    labels = dict(tab.labels())
    assert "flagged" in labels[second]
    mortal.stop(kill=True)
    mortal.start()
    page.unroute(re.compile("/flag$"))
    page.reload()
    is_back(tab, labels)


def test_a_game_goes_on_after_restart_and_reload(visit: Visiting, mortal: Any) -> None:
    tab = visit(play(), address=mortal.address)
    tab.forgiven = NO_SERVER
    labels = begin(tab, flags=2)
    mortal.stop(kill=True)
    mortal.start()
    tab.page.reload()
    is_back(tab, labels)


def test_a_view_opened_while_the_server_is_down_loads_later(visit: Visiting, mortal: Any) -> None:
    tab = visit(play(), address=mortal.address)
    tab.forgiven = NO_SERVER
    page = tab.page
    mortal.stop(kill=True)
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator(".view-analyse .notice")).to_have_text(
        "Analyse is loaded when the server is back."
    )
    mortal.start()
    expect(page.locator(".view-analyse [data-cell]")).to_have_count(81)
    expect(shown_state(page)).to_have_text("Possible")


@pytest.mark.parametrize("file", ["views/analyse.js", "views/analyse-editor.js", "css/analyse.css"])
@pytest.mark.parametrize("failures", [1, 2])
def test_a_view_whose_file_fails_is_loaded_later(visit: Visiting, file: str, failures: int) -> None:
    tab = visit(play())
    tab.forgiven = "ERR_FAILED|Failed to fetch dynamically imported module"
    page = tab.page
    asked: list[str] = []

    def fail(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) <= failures:
            route.abort()
        else:
            route.continue_()

    page.route(re.compile(f"{re.escape(file)}(\\?|$)"), fail)
    tabs = page.get_by_role("navigation", name="Views")
    tabs.get_by_role("link", name="Analyse").click()
    cells = page.locator(".view-analyse [data-cell]")
    if failures == 2 and file.endswith(".js"):
        # It says so, and the next visit tries once more.
        again = page.get_by_role("button", name="Load the page again")
        expect(again).to_be_visible()
        tabs.get_by_role("link", name="Play").click()
        expect(again).to_be_hidden()
        tabs.get_by_role("link", name="Analyse").click()
    expect(cells.first).to_be_visible()
    assert len(asked) == failures + (file.endswith(".js") or failures == 1)


# -- a replay from History that a choice ends before it began, or just then --


def fetched(visit: Any) -> tuple[Any, Callable[[], None]]:
    """A replay from History whose game is still being fetched, and what lets it arrive."""
    tab, _ = played(visit, BOARDS[0])
    page = tab.page
    held: list[Route] = []
    page.route(re.compile("/review"), lambda route: held.append(route))
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_role("button", name=re.compile("^Replay:")).first.click()
    page.locator(".view-review .chart > *").first.evaluate("part => part.dataset.before = 'yes'")

    def arrive() -> None:
        while not held:
            page.wait_for_timeout(10)
        for route in held:
            route.continue_()
        # The chart is drawn anew as the game arrives.
        expect(page.locator(".view-review [data-before]")).to_have_count(0)

    return tab, arrive


def is_second(page: Page) -> None:
    expect(page.get_by_role("button", name="Replay", exact=True)).to_be_visible()
    expect(page.locator(".view-review .move-count")).to_have_text(re.compile("^Move 2 of"))


def test_a_move_chosen_while_the_game_is_fetched_ends_its_replay(visit: Any) -> None:
    tab, arrive = fetched(visit)
    tab.page.get_by_role("listbox", name="Moves").get_by_role("option").nth(1).click()
    is_second(tab.page)
    arrive()
    is_second(tab.page)


def test_a_click_during_which_the_game_arrives_is_not_lost(visit: Any) -> None:
    tab, arrive = fetched(visit)
    tab.page.get_by_role("listbox", name="Moves").get_by_role("option").nth(1).hover()
    tab.page.mouse.down()
    arrive()
    tab.page.mouse.up()
    is_second(tab.page)


def test_a_visitor_who_comes_back_is_greeted_by_the_game(visit: Visiting) -> None:
    tab = visit("play")
    page = tab.page
    leave(tab, 3)
    labels = tab.labels(".view-play")
    page.evaluate("sessionStorage.clear()")  # another tab, another day
    tab.go("play")
    title = page.locator(".view-play .voice h2")
    expect(title).to_have_text("Welcome back")
    page.get_by_role("button", name="Continue").click()
    expect(state(page)).to_have_text("Playing")
    expect(page.locator(".view-play .game-name")).to_contain_text("seed 3")
    assert tab.labels(".view-play") == labels
    # A new game puts an end to the greeting.
    page.get_by_role("button", name="New", exact=True).click()
    expect(state(page)).to_have_text("Ready")
    expect(title).to_have_text("Coach")
    # Review begins with the last game that was played, not with one in which nothing is open.
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".view-review .move-count")).to_contain_text("Move ")
