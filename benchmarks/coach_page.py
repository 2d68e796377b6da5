"""The coach's page in a real browser: from a click to the painted cells, to the chances, and from
the address to the board; beside the page as it was before it was made anew, in the same run."""

from __future__ import annotations

import io
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.result import Result, UnavailableError
from mineproof.board.layout import deal
from mineproof.board.presets import Board

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
GAMES = 3
LOADS = 7
CLICKS = 60
PAUSE = 70
"""Milliseconds between pointing, pressing and releasing."""
LARGE, LARGE_CLICKS = "100x100/2000", 40
BEFORE = "4356079"
"""The commit whose page is the other one."""
STATIC = "src/mineproof/web/static"
SERVER = """
import sys
from functools import partial
from pathlib import Path
from mineproof.web import app, app as statics
files = sys.argv.pop()
if files:
    app.StaticFiles = partial(statics.StaticFiles, Path(files))
from mineproof.cli.main import main
main()
"""


@dataclass
class Times:
    """Seconds that one page took, by what was measured."""

    address: str
    cells: list[float] = field(default_factory=list)
    at_once: list[float] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    large_cells: list[float] = field(default_factory=list)
    large_chances: list[float] = field(default_factory=list)
    loads: list[float] = field(default_factory=list)


def bench() -> Iterator[Result]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise UnavailableError("no chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise UnavailableError("no playwright") from None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        before = _page_before(Path(folder))
        with _coach("") as address, _coach(str(before or "")) as old:
            pages = [Times(address), *([Times(old)] if before else [])]
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            for seed in range(GAMES):
                for times in pages:
                    opened, chances = _play(browser, times.address, "expert", seed, CLICKS)
                    times.cells += opened
                    times.chances += chances
            for times in pages:
                times.at_once, _ = _play(browser, times.address, "expert", GAMES, CLICKS, 0)
            for times in pages:
                found = _play(browser, times.address, LARGE, 1, LARGE_CLICKS)
                times.large_cells, times.large_chances = found
            for seed in range(LOADS):
                for times in pages:
                    times.loads.append(_load(browser, times.address, seed))
            browser.close()
    yield from _results(*pages)


def _results(now: Times, before: Times | None = None) -> Iterator[Result]:
    def row(work: str, kind: str, share: float, promised: float) -> Result:
        times = getattr(now, kind)
        peer = None if before is None else _share(getattr(before, kind), share)
        many = f"{work} of {len(times)}"
        return Result(many, "clicks", 1, _share(times, share), promised=1 / promised, peer=peer)

    yield row("expert: click to painted cells, p50", "cells", 0.5, 0.025)
    yield row("expert: click to painted cells, p99", "cells", 0.99, 0.060)
    yield row("expert: click to painted chances, p50", "chances", 0.5, 0.040)
    yield row("expert: click to painted chances, p99", "chances", 0.99, 0.100)
    yield row("expert: the same without a pause, to cells, p50", "at_once", 0.5, 0.025)
    yield row("expert: the same without a pause, to cells, p99", "at_once", 0.99, 0.060)
    yield row(f"{LARGE}: click to painted cells, p50", "large_cells", 0.5, 0.060)
    yield row(f"{LARGE}: click to painted chances, p50", "large_chances", 0.5, 0.060)
    yield row("first load to a board that can be played, p50", "loads", 0.5, 0.4)


def _page_before(folder: Path) -> Path | None:
    """The files of the other page, from this repository's history; None where there is none."""
    root = Path(__file__).parent.parent
    command = ["git", "-C", str(root), "archive", BEFORE, STATIC]
    try:
        packed = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        files.extractall(folder, filter="data")
    return folder / STATIC


@contextmanager
def _coach(files: str) -> Iterator[str]:
    """The address of a coach whose page has these files; its own, if none are named."""
    command = [sys.executable, "-c", SERVER, "coach", "--port", "0", "--no-open", files]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        found = re.search(r"http://\S+:\d+", server.stdout.readline() if server.stdout else "")
        if found is None:
            raise UnavailableError("the coach does not start")
        yield found[0]
    finally:
        server.terminate()
        server.wait(10)


def _play(
    browser: Any, address: str, name: str, seed: int, clicks: int, pause: int = PAUSE
) -> tuple[list[float], list[float]]:
    """Click on safe cells in a random order; the seconds that the page measured."""
    board = Board.parse(name)
    layout = deal(board.topology, board.mines, seed, 0, ())
    safe = [cell for cell in board.topology.cells if not layout.is_mine(cell)]
    random.Random(seed).shuffle(safe)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(f"{address}/#/play?board={name}&first=any&seed={seed}")
    page.wait_for_selector("[data-cell]")
    page.get_by_text("Mine chance").click()
    _wait_for_chances(page, 0)
    clicked = 0
    for cell in safe:
        target = page.locator(f"[data-cell='{cell}']")
        if clicked < clicks and "hidden" in (target.get_attribute("aria-label") or ""):
            count = len(_measures(page, "overlay"))
            _click(page, target, pause)
            clicked += 1
            _wait_for_chances(page, count)
    found = _measures(page, "open-to-paint"), _measures(page, "overlay")[1:]
    context.close()
    return found


def _click(page: Any, target: Any, pause: int) -> None:
    """Click as a hand does, with pauses between pointing, pressing and releasing."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(pause)
    page.mouse.down()
    page.wait_for_timeout(pause)
    page.mouse.up()


def _wait_for_chances(page: Any, count: int) -> None:
    """Wait until chances were painted more than `count` times."""
    page.wait_for_function(
        "count => performance.getEntriesByName('overlay').length > count",
        arg=count,
        polling=50,  # polling in every frame would itself slow the page down
    )


def _load(browser: Any, address: str, seed: int) -> float:
    """Open the page in a browser that has nothing of it."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/#/play?board=expert&seed={seed}")
    page.wait_for_function("() => performance.getEntriesByName('load-to-board').length")
    [took] = _measures(page, "load-to-board")
    context.close()
    return took


def _measures(page: Any, name: str) -> list[float]:
    """The durations, in seconds, that the page measured under a name."""
    found = page.evaluate(
        "name => performance.getEntriesByName(name).map((entry) => entry.duration)", name
    )
    return [ms / 1000 for ms in found]


def _share(times: Sequence[float], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
