"""Watch in a real browser: agents at work, alone and side by side, with their reasons."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import mineproof as mp
from mineproof.agents.catalog import make_agent
from mineproof.game.play import play
from mineproof.game.transcript import Transcript
from tests.browser.conftest import WATCH_SHIFTS

pytestmark = pytest.mark.browser

Visiting = Any
Visit = Any

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES = [(320, 640), (640, 400)]


def game_of(agent: str, board: str, seed: int) -> Transcript:
    return play(board, make_agent(agent), seed, first_click="any")


def labels(tab: Visit, seat: int, view: mp.View, won: bool = False) -> None:
    """The seat's board shows this view; after a win its mines are flagged."""
    said = tab.labels(f".seat:nth-child({seat + 1})")
    for cell in view.topology.cells:
        clue = view.clue(cell) if view.is_open(cell) else None
        if view.is_hidden(cell):
            word = "flag" if won or view.is_flagged(cell) else "hidden|mine"
        elif cell in set(view.opened_mines):
            word = "exploded"
        else:
            word = "no mines around" if clue == 0 else f"open, {clue}"
        assert re.search(word, said[cell]), (cell, said[cell])


def test_an_address_without_an_agent_fills_the_form(visit: Visiting) -> None:
    tab = visit("watch?board=hex:5x5/4&first=any")
    page = tab.page
    expect(page.locator(".view-watch [data-cell]")).to_have_count(25)
    expect(page.get_by_label("Agent", exact=True)).to_have_value("champion")
    expect(page.get_by_label("The first click")).to_have_value("any")
    play_ = page.get_by_role("button", name="Play", exact=True)
    play_.click()
    expect(page).to_have_url(re.compile(r"a=champion&board=hex%3A5x5%2F4&first=any&seed=\d+"))
    expect(page.get_by_role("button", name="Pause", exact=True).or_(play_)).to_be_enabled()
    # A board that there is not is named beside the form.
    tab.forgiven = "400"
    tab.go("watch?board=foo", ".problem")
    expect(page.locator(".view-watch .problem")).to_contain_text("foo")


def test_an_agent_is_chosen_and_stepped_through(visit: Visiting) -> None:
    board, seed = "square:6x6/6", 3
    game = game_of("sat", board, seed)
    views = list(game.views())
    tab = visit("watch", reduced_motion="reduce")
    page = tab.page
    page.get_by_label("Agent", exact=True).select_option("sat")
    page.get_by_label("Shape of the board").select_option("text")
    page.get_by_label("Board, as text").fill(board)
    page.get_by_label("The first click").select_option("any")
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Watch", exact=True).click()
    count = page.locator(".seat .move-count").first
    expect(count).to_have_text(f"Step 0 of {len(game.steps)}")
    # Steps by keys, with the reason in words, in the list and on the board.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text(f"Step 2 of {len(game.steps)}")
    labels(tab, 0, views[2])
    options = page.get_by_role("listbox", name="Steps of sat").get_by_role("option")
    expect(options).to_have_count(len(game.steps))
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    for option, step in zip(options.all(), game.steps, strict=True):
        proved = "because of|would clash with|certainly"
        words = {"Proved": proved, "Guessed": "a guess|the first cell"}
        said = str(option.get_attribute("aria-label"))
        assert re.search(words[type(step.decision.reason).__name__], said), said
        assert not re.search("proved|among|risk 0", said)
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text(f"Step 1 of {len(game.steps)}")
    labels(tab, 0, views[1])
    # Played to its end, quickly.
    page.get_by_label("Speed").fill("5")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(count).to_have_text(f"Step {len(game.steps)} of {len(game.steps)}")
    end = page.locator(".seat .state").first
    expect(end).to_have_text(re.compile("^Won" if game.outcome.won else "^Lost"))
    labels(tab, 0, views[-1], game.outcome.won)
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_disabled()
    # The address brings the same game back; a step leads to Analyse.
    expect(page).to_have_url(re.compile(f"seed={seed}"))
    tab.go(page.url.split("#/")[1])
    expect(count).to_have_text(f"Step 0 of {len(game.steps)}")
    options.nth(2).click()
    labels(tab, 0, views[3])
    page.get_by_role("button", name="Analyse this position").first.click()
    expect(page.locator(".view-analyse .state")).to_have_text("Possible")


def test_two_agents_side_by_side_on_the_same_deal(visit: Visiting) -> None:
    board, seed, agents = "hex:6x6/6", 2, ("exact", "random")
    games = [game_of(agent, board, seed) for agent in agents]
    tab = visit(f"watch?a={agents[0]}&b={agents[1]}&board={board}&first=any&seed={seed}")
    page = tab.page
    counts = page.locator(".seat .move-count")
    expect(counts.nth(1)).to_have_text(f"Step 0 of {len(games[1].steps)}")
    expect(page.locator(".view-watch .game-name")).to_contain_text("the same mines")
    places = [seat.bounding_box() for seat in page.locator(".seat").all()]
    assert places[0]["y"] == places[1]["y"]
    assert places[0]["x"] < places[1]["x"]
    # Of what an agent calls proved without naming clues, the clues are named here.
    proved = next(
        number
        for number, step in enumerate(games[0].steps, 1)
        if type(step.decision.reason).__name__ == "Proved" and step.decision.cell is not None
    )
    page.get_by_role("listbox", name="Steps of exact").get_by_role("option").nth(proved - 1).click()
    cell = games[0].steps[proved - 1].decision.cell
    assert cell is not None
    name = games[0].topology.cell_name(cell)
    reason = page.locator(".seat .reason").first
    expect(reason).to_contain_text(
        re.compile(f"Opened {name}: safe because of (the \\d at|\\d+ clues)")
    )
    expect(page.locator(".seat").first.locator(".layer.premise .ring").first).to_be_visible()
    page.get_by_role("button", name="End", exact=True).click()
    for seat, game in enumerate(games):
        expect(counts.nth(seat)).to_have_text(f"Step {len(game.steps)} of {len(game.steps)}")
        labels(tab, seat, list(game.views())[-1], game.outcome.won)
        end = page.locator(".seat .state").nth(seat)
        expect(end).to_have_text(re.compile("^Won" if game.outcome.won else "^Lost"))


def test_nothing_moves_when_the_games_arrive(visit: Visiting) -> None:
    tab = visit("watch")
    tab.page.add_init_script(f"({WATCH_SHIFTS})()")
    tab.go("watch?a=sat&b=partition&board=5x5/3&seed=1")
    expect(tab.page.locator(".seat .move-count").nth(1)).to_have_text(re.compile("Step 0"))
    tab.page.get_by_role("button", name="End", exact=True).click()
    assert tab.shifted() < 0.001
    tab.go("analyse")
    expect(tab.page.locator(".layer.best .ring")).to_have_count(1)
    assert tab.shifted() < 0.001


def test_a_wish_that_cannot_be_met_is_told(visit: Visiting) -> None:
    tab = visit("watch?a=nobody-knows-it&board=5x5/3&seed=1")
    tab.forgiven = "status of 400"
    expect(tab.page.get_by_role("alert")).to_contain_text("unknown agent 'nobody-knows-it'")


@pytest.mark.parametrize(("device", "scheme"), [({}, "light"), (PHONE, "dark")])
def test_an_audit_finds_nothing_serious(
    visit: Visiting, audit: Any, device: Any, scheme: str
) -> None:
    tab = visit("watch?a=sat&b=partition&board=hex:4x4/3&seed=2", color_scheme=scheme, **device)
    page = tab.page
    expect(page.locator(".seat .move-count").nth(1)).to_have_text(re.compile("Step 0"))
    page.get_by_role("button", name="Next", exact=True).click()
    page.locator(".setup summary").click()
    assert audit(page) == []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        fits = "(width) => document.documentElement.scrollWidth <= width"
        page.wait_for_function(fits, arg=width)
