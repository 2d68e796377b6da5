"""The coach's page in a real browser on Expert boards: from a click to the painted cells, to the
chances, and from the address to the board."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from benchmarks.result import Result, UnavailableError
from mineproof.board.deal import deal
from mineproof.board.presets import Board

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
GAMES = 3
LOADS = 5
CLICKS = 90


def bench() -> Iterator[Result]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise UnavailableError("no chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise UnavailableError("no playwright") from None
    with _coach() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        opened: list[float] = []
        chances: list[float] = []
        for seed in range(GAMES):
            _play(page, address, seed)
            opened += _measures(page, "open-to-paint")
            chances += _measures(page, "overlay")
        yield Result("click to painted cells, p50", "clicks", 1, _share(opened, 0.5))
        yield Result(
            f"click to painted cells, p99 of {len(opened)}",
            "clicks",
            1,
            _share(opened, 0.99),
            promised=1 / 0.05,
        )
        yield Result("click to painted chances, p50", "clicks", 1, _share(chances, 0.5))
        yield Result(
            f"click to painted chances, p99 of {len(chances)}",
            "clicks",
            1,
            _share(chances, 0.99),
            promised=1 / 0.1,
        )
        loads = []
        for seed in range(LOADS):
            fresh = browser.new_context()
            tab = fresh.new_page()
            tab.goto(f"{address}/#/play?board=expert&seed={seed}")
            tab.wait_for_selector("[data-cell]")
            loads += _measures(tab, "load-to-board")
            fresh.close()
        yield Result("first load to board, slowest", "loads", 1, max(loads), promised=1.0)
        browser.close()


@contextmanager
def _coach() -> Iterator[str]:
    command = [sys.executable, "-m", "mineproof", "coach", "--port", "0", "--no-open"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        found = re.search(r"http://\S+:\d+", server.stdout.readline() if server.stdout else "")
        if found is None:
            raise UnavailableError("the coach does not start")
        yield found[0]
    finally:
        server.terminate()
        server.wait(10)


def _play(page: Any, address: str, seed: int) -> None:
    """Click on safe cells in a random order, as fast as the page answers."""
    board = Board.parse("expert")
    layout = deal(board.topology, board.mines, seed, 0, ())
    safe = [cell for cell in board.topology.cells if not layout.is_mine(cell)]
    random.Random(seed).shuffle(safe)
    page.goto("about:blank")
    page.goto(f"{address}/#/play?board=expert&first=any&seed={seed}")
    page.wait_for_selector("[data-cell]")
    page.get_by_text("Mine chance").click()
    clicked = 0
    for cell in safe:
        target = page.locator(f"[data-cell='{cell}']")
        if clicked < CLICKS and "hidden" in (target.get_attribute("aria-label") or ""):
            count = len(_measures(page, "overlay"))
            target.click()
            clicked += 1
            page.wait_for_function(
                "count => performance.getEntriesByName('overlay').length > count",
                arg=count,
                polling=50,  # polling in every frame would itself slow the page down
            )


def _measures(page: Any, name: str) -> list[float]:
    """The durations, in seconds, that the page measured under a name."""
    found = page.evaluate(
        "name => performance.getEntriesByName(name).map((entry) => entry.duration)", name
    )
    return [ms / 1000 for ms in found]


def _share(times: Sequence[float], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
