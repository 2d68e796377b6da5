"""Nothing is lost: New and Undo, the browser's Back, a reload, a server that is killed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from mineproof.board.deal import deal
from mineproof.board.presets import Board

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

BOARD = "square:6x7/6"
SEED = 4
NO_SERVER = "ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 404"


def mines_of(board: str = BOARD, seed: int = SEED) -> list[int]:
    read = Board.parse(board)
    return sorted(deal(read.topology, read.mines, seed, 0, ()).cells)


def play(board: str = BOARD, seed: int = SEED) -> str:
    return f"play?board={board}&first=any&seed={seed}"


def state(page: Page) -> Any:
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
    expect(state(tab.page)).to_have_text("Playing")
    # A flag is drawn at once; it is counted when the server knows of it.
    expect(tab.page.locator(".view-play .count .value").first).to_have_text(str(len(mines) - flags))
    return dict(tab.labels())


def is_back(tab: Visit, labels: dict[int, str]) -> None:
    flagged = next(cell for cell, label in labels.items() if "flagged" in label)
    expect(tab.cell(flagged)).to_have_attribute("aria-label", re.compile("flagged"))
    expect(state(tab.page)).to_have_text("Playing")
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
    expect(state(page)).to_have_text("Ready")
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
    expect(state(page)).to_have_text("Ready")
    expect(badge).to_be_hidden()


def test_the_browsers_back_goes_back_inside_the_coach(visit: Visiting) -> None:
    tab = visit(play())
    page = tab.page
    labels = begin(tab)
    page.get_by_role("button", name="New", exact=True).click()
    expect(state(page)).to_have_text("Ready")
    page.go_back()
    is_back(tab, labels)
    page.go_forward()
    expect(state(page)).to_have_text("Ready")
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
    expect(state(page)).to_have_text("Playing")
    assert seconds(page) >= 2
    mine = mines_of()[-1]
    tab.cell(mine).click()
    expect(state(page)).to_have_text("Lost")
    clock = page.locator(".count .value").nth(1)
    expect(clock).to_have_text(re.compile(r"^\d+:\d\d\.\d$"))
    stood = seconds(page)
    # The clock stands while the game is over, and goes on from there.
    page.evaluate("() => { window.stood = performance.now(); }")
    page.wait_for_function("() => performance.now() > window.stood + 2000")
    assert seconds(page) == stood
    went_on = page.evaluate("() => performance.now()")
    page.get_by_role("button", name="Go on from before the mine").click()
    expect(state(page)).to_have_text("Playing · practice")
    tab.cell(mine).click()
    expect(state(page)).to_have_text("Lost · practice")
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
    expect(state(page)).to_have_text("Playing")
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
    expect(state(page)).to_have_text("Possible")


@pytest.mark.parametrize("file", ["views/analyse.js", "views/analyse-live.js", "css/analyse.css"])
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
