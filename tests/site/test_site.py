"""The built site in a browser: played, explained, reviewed and watched as with a server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import expect

import mineproof as mp
from mineproof.agents.catalog import make_agent
from mineproof.game.play import play
from mineproof.game.referee import Referee
from mineproof.lab import signature
from tests.site.conftest import SITE, Host
from tools.docsite.__main__ import build

LOADED = "() => document.documentElement.dataset.engine === 'loaded'"
KEPT = "() => navigator.serviceWorker.ready.then(() => true)"
"""All files are kept: the next visit needs no network."""


def loaded(page: Any) -> None:
    page.wait_for_function(LOADED)


def opened(tab: Any, view: mp.View) -> None:
    """The board shows what the player sees in a view."""
    for cell in view.topology.cells:
        if view.is_open(cell):
            clue = view.clue(cell)
            word = "no mines around" if clue == 0 else f"open, {clue}"
            expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile(word))


def test_a_game_is_the_same_as_here_and_is_explained_and_reviewed(visit: Any) -> None:
    game = play("9x9/10", make_agent("exact"), 1, first_click="safe")
    views = list(game.views())
    tab = visit("play?board=9x9/10&seed=1&first=safe")
    page = tab.page
    for number, step in enumerate(game.steps):
        tab.cell(step.decision.cell).click()
        opened(tab, views[number + 1])
        if number == 0:
            cell = next(
                cell
                for cell in views[1].topology.cells
                if views[1].is_hidden(cell) and mp.analyze(views[1]).p[cell] in (0, 1)
            )
            page.get_by_role("button", name="Why", exact=True).click()
            tab.cell(cell).click()
            first = str(mp.explain(views[1], views[1].topology.coordinates(cell)).steps[0].sentence)
            expect(page.locator(".view-play .voice")).to_contain_text(first[:40])
            page.keyboard.press("Escape")
    page.get_by_role("link", name="Review", exact=True).click()
    expect(page.locator(".view-review .move-count").first).to_contain_text(str(len(game.steps)))


def test_chances_and_the_chance_to_win_are_those_of_the_engine_here(visit: Any) -> None:
    text = "square 3x3 mines=2\n1..\n12.\n01."
    tab = visit("play")
    asked = """async (text) => {
      const api = await import("./static/api.js");
      return api.positionAnalysis(text, true);
    }"""
    told = tab.page.evaluate(asked, text)
    analysis = mp.analyze(mp.View.parse(text))
    assert [p for p in told["p"] if p is not None] == [
        analysis.p[cell] for cell in analysis.view.hidden
    ]
    assert told["win"]["method"] == "endgame"


def held_back(tab: Any) -> list[Any]:
    """From now on Python does not come: the requests for it, to be continued."""
    held: list[Any] = []
    tab.page.context.route("**/start.bin", lambda route: held.append(route))
    return held


def let_go(page: Any, held: list[Any]) -> None:
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()


def test_before_python_is_there_the_board_plays_counts_and_says_so(visit: Any) -> None:
    tab = visit("play", service_workers="block")
    tab.forgiven = "blocked by Playwright"
    page, held = tab.page, held_back(tab)
    tab.go("play?board=9x9/10&first=opening&seed=7")
    tab.cell(40).click()
    game = Referee("9x9/10", 7, first_click="opening")
    opened(tab, view := game.open(40))
    expect(page.locator(".engine-words")).to_contain_text("You can play meanwhile")
    page.get_by_text("Mine chance", exact=True).click()
    analysis = mp.analyze(view)
    for cell in view.hidden:
        word = {0.0: "certainly safe", 1.0: "certainly a mine"}.get(analysis.p[cell], "mine chance")
        expect(tab.cell(cell)).to_have_attribute("aria-label", re.compile(word))
    mine = next(iter(analysis.mines))
    tab.cell(mine).click(button="right")
    expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("flag"))
    page.get_by_role("button", name="Hint").click()
    let_go(page, held)
    # The hint comes with Python, which goes on with the same game.
    expect(page.locator(".view-play .voice-text")).to_contain_text("Look at")
    safe = next(iter(analysis.safe))
    tab.cell(safe).click()
    opened(tab, game.open(safe))
    expect(tab.cell(mine)).to_have_attribute("aria-label", re.compile("flag"))


def test_before_python_is_there_puzzles_and_positions_are_shown(visit: Any) -> None:
    tab = visit("play", service_workers="block")
    tab.forgiven = "blocked by Playwright"
    page = tab.page
    held_back(tab)
    tab.go("learn")
    expect(page.locator(".view-learn [data-cell]").first).to_be_visible()
    text = "square 4x4 mines=3\n.100\n.310\nFF10\n2210"
    tab.go("analyse?" + urlencode({"p": text}))
    expect(page.locator(".view-analyse .layouts")).to_have_text("2 layouts")
    expect(tab.cell(0)).to_have_attribute("aria-label", re.compile("mine chance 50.0 %"))


def test_the_small_core_answers_as_python_does(visit: Any) -> None:
    tab = visit("play")
    loaded(tab.page)
    for board, rule in product(("beginner", "7x12/14", "expert"), RULES):
        assert tab.page.evaluate(SAME_GAMES, [board, rule]) == [], (board, rule)


RULES = ("safe", "opening", "any", "no guess")


SAME_GAMES = """async ([board, rule]) => {
  const small = await import("./static/site/small.js");
  const { engine } = await import("./static/site/engine.js");
  await small.load();
  const differences = [];
  const asks = async (path, body) => {
    const told = await engine.ask(path, body === undefined ? null : JSON.stringify(body));
    if (told.error) throw new Error(told.error.message);
    return told.answer;
  };
  const plain = (value) => JSON.stringify(value, (key, one) => {
    if (key === "elapsed_ms" || key === "elapsed_us" || key === "game") return undefined;
    if (key === "changed") return [...one].sort(([here], [there]) => here - there);
    if (key === "best" && one && !["certain", "first-click"].includes(one.basis)) return null;
    if (one && typeof one === "object" && !Array.isArray(one)) {
      return Object.fromEntries(Object.keys(one).sort().map((name) => [name, one[name]]));
    }
    return one;
  });
  const same = (what, here, there) => {
    if (plain(here) !== plain(there)) differences.push([what, plain(here), plain(there)]);
  };
  for (let seed = 1; seed <= 3; seed += 1) {
    const first_click = rule === "no guess" ? null : rule;
    const request = { board, seed, first_click, clues: "exact", no_guess: rule === "no guess" };
    const game = small.SmallGame.of(request, seed);
    const { game: name, ...begun } = await asks("/api/games", request);
    same("begun", game.toJSON(), begun);
    same("fresh", game.analysis(), await asks(`/api/games/${name}/analysis?win=0`));
    const move = async (action, body) => {
      const there = await asks(`/api/games/${name}/${action}`, body);
      same(`${action} ${body.cell}`, game.move(action, body), there);
      return there;
    };
    let state = (await move("open", { cell: game.board.cells >> 1 })).state;
    for (let turn = 0; turn < 12 && state === "running"; turn += 1) {
      const analysis = await asks(`/api/games/${name}/analysis?win=0`);
      same("analysis", game.analysis(), analysis);
      const hidden = (sure) => (one, cell) => one === sure && game.shown[cell] === null;
      const mine = analysis.certain.findIndex(hidden("mine"));
      if (mine >= 0) await move("flag", { cell: mine, on: true });
      const ready = game.shown.findIndex((clue, cell) => {
        const near = game.board.neighbours[cell].map((one) => game.shown[one]);
        return clue > 0 && near.includes(null) && near.filter((one) => one === "F").length === clue;
      });
      if (ready >= 0) state = (await move("chord", { cell: ready, see: true })).state;
      const safe = analysis.certain.findIndex(hidden("safe"));
      if (state !== "running") break;
      state = (await move("open", { cell: safe >= 0 ? safe : analysis.best.cell })).state;
    }
    const { game: _, ...whole } = await asks(`/api/games/${name}`);
    same("whole", game.toJSON(), whole);
    const { game: __, ...undone } = await asks(`/api/games/${name}/undo`, { moves: 1 });
    const after = game.undo({ moves: 1 });
    same("undone", { ...after, version: 0 }, { ...undone, version: 0 });
  }
  return differences.slice(0, 3);
}"""


def test_a_part_that_could_not_be_loaded_is_fetched_when_it_is_needed(visit: Any) -> None:
    tab = visit("play", service_workers="block")
    tab.forgiven = "rest.bin|Failed to (load|fetch)|blocked by Playwright"
    page, refused = tab.page, []

    def refuse_once(route: Any) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.abort()

    page.context.route("**/rest.bin", refuse_once)
    tab.go("play?board=beginner&seed=7")
    tab.cell(40).click()
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    while not refused:
        page.wait_for_timeout(20)
    asked = """async () => {
      const api = await import("./static/api.js");
      const told = await api.positionAnalysis("square 3x3 mines=2\\n1..\\n12.\\n01.", true);
      return told.win.method;
    }"""
    assert page.evaluate(asked) == "endgame"
    loaded(page)


def test_an_engine_that_cannot_be_loaded_is_told_without_a_word_of_a_server(visit: Any) -> None:
    tab = visit("play", service_workers="block")
    tab.forgiven = "start.bin|Failed to (load|fetch)|blocked by Playwright"
    page, away = tab.page, [True]
    page.context.route(
        "**/start.bin", lambda route: route.abort() if away[0] else route.continue_()
    )
    tab.go("play?board=beginner&seed=7")
    tab.cell(40).click()
    line = page.locator(".toast-text")
    expect(line).to_contain_text("The engine could not be loaded. Nothing is lost")
    expect(line).not_to_contain_text("server")
    away[0] = False
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    expect(line).to_be_hidden()


def test_what_takes_too_long_is_ended_and_the_board_goes_on(visit: Any) -> None:
    tab = visit("play?board=9x9/10&seed=1")
    loaded(tab.page)
    told = tab.page.evaluate(
        """async () => {
          const { engine } = await import("./static/site/engine.js");
          const api = await import("./static/api.js");
          const asked = { board: "expert", agents: ["champion"], seed: 1, rules: "", seconds: 60 };
          const endless = { task: "watch", asked, seconds: 0.05 };
          const ended = engine._tasks.do(endless);
          const begun = await api.newGame({ board: "9x9/10", seed: 2 });
          const moved = await api.move(begun.game, "open", { cell: 40 });
          const first = await ended;
          const again = await engine._tasks.do({ task: "hello", asked: {}, seconds: 60 });
          return [first, moved.state, again];
        }"""
    )
    assert told[0] == "null"
    assert told[1] in ("running", "won")
    assert told[2] == '{"answer": "hello"}'


def test_offline_after_the_first_visit_on_a_phone(visit: Any, tmp_path: Path) -> None:
    host = Host(SITE)
    try:
        phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
        tab = visit("play?board=beginner&seed=11", address=host.address, **phone)
        page = tab.page
        tab.cell(40).tap()
        expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
        loaded(page)
        page.evaluate(KEPT)
        host.stop()
        page.reload()
        # The game goes on where it was, and every view is there.
        expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
        loaded(page)
        for name in ("Learn", "Analyse", "Watch", "History", "Play"):
            page.get_by_role("link", name=name, exact=True).click()
            expect(page.locator(f".view-{name.lower()}")).to_be_visible()
    finally:
        host.stop()


def test_a_new_version_waits_until_the_game_is_left(visit: Any, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(SITE, folder)
    host = Host(folder)
    tab = visit("play?board=beginner&seed=11", address=host.address)
    page = tab.page
    tab.cell(40).click()
    loaded(page)
    page.evaluate(KEPT)
    listed = folder / "service-files.js"
    listed.write_text(re.sub(r'VERSION = "\w+"', 'VERSION = "next"', listed.read_text()))
    state = page.evaluate(
        """async () => {
          const found = await navigator.serviceWorker.ready;
          await found.update();
          const next = found.installing ?? found.waiting;
          await new Promise((done) => {
            if (next.state === "installed") done();
            next.addEventListener("statechange", () => next.state === "installed" && done());
          });
          return [found.active.state, next.state];
        }"""
    )
    assert state == ["activated", "installed"]
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    page.reload()
    expect(tab.cell(40)).to_have_attribute("aria-label", re.compile("open"))
    host.stop()


def test_it_can_be_installed_and_may_load_nothing_else(visit: Any) -> None:
    tab = visit("play")
    tab.forgiven = "Content Security Policy"  # the browser says what it has blocked
    page = tab.page
    policy = page.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content")
    assert policy.startswith("default-src 'self';")
    manifest = page.evaluate(
        "() => fetch(document.querySelector('link[rel=manifest]').href).then((one) => one.json())"
    )
    assert manifest["display"] == "standalone"
    icon = page.evaluate(
        "(name) => fetch(name).then((one) => one.status)", manifest["icons"][0]["src"]
    )
    assert icon == 200
    blocked = page.evaluate("() => fetch('https://example.org').then(() => false, () => true)")
    assert blocked


def test_it_plays_the_same_games_as_this_core() -> None:
    """Every part of the signature."""
    (pyodide,) = (SITE.parent / "site-parts").glob("pyodide-*")
    script = SITE.parents[1] / "tools" / "site" / "signature.mjs"
    done = subprocess.run(["node", script, SITE, pyodide], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    here = {part.name: part.digits for part in signature.sign()}
    assert json.loads(done.stdout.splitlines()[-1]) == here


def test_the_documentation_has_it_and_links_to_it(tmp_path: Path) -> None:
    assert build(tmp_path, SITE) == []
    assert 'href="play/index.html"' in (tmp_path / "site" / "index.html").read_text()
    assert (tmp_path / "site" / "play" / "service-worker.js").exists()
