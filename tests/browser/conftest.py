"""A real browser for tests; `make test` leaves this folder out where there is none."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

PATIENCE = 120_000
"""Milliseconds after which what should appear is no longer waited for, also on a slow machine."""
expect.set_options(timeout=PATIENCE)

# The coach as it is, but for its limits of time: on a slow machine the same is answered, later.
COACH = """
from functools import partial
from mineproof.cli.main import main
from mineproof.web import coach as service
from mineproof.web.requests import CoachLimits
service.CoachLimits = partial(
    CoachLimits,
    proof_seconds=60.0,
    win_grace=60.0,
    review_seconds=60.0,
    watch_seconds=60.0,
    no_guess_seconds=60.0,
    certificate_seconds=60.0,
)
main()
"""
WATCH_SHIFTS = """() => {
  window.shifts = [];
  const note = (list) => window.shifts.push(...list.getEntries().map((entry) => entry.value));
  new PerformanceObserver(note).observe({type: "layout-shift", buffered: true});
}"""
LATE = int(os.environ.get("MINEPROOF_LATE", "0"))
"""Milliseconds by which all that a page may get later comes later: finds tests that do not wait."""
COME_LATE = """(() => {
  const later = (act) => setTimeout(act, LATE);
  const fetched = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await fetched(...asked);
    await new Promise(later);
    return answer;
  };
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...sent) { later(() => post.apply(this, sent)); };
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, heard, ...options) {
    const late = ["hashchange", "popstate"].includes(type) && typeof heard === "function";
    const told = late ? (event) => later(() => heard.call(this, event)) : heard;
    return listen.call(this, type, told, ...options);
  };
})()""".replace("LATE", str(LATE))
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path is not None, (
        "no chromium: apt-get install chromium, or leave these out with --ignore=tests/browser"
    )
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=PATIENCE)
        yield started
        started.close()


class CoachServer:
    """A real `mineproof coach` in a process of its own, which can be killed and started again."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.start()

    def start(self) -> None:
        """Start on the port it had, or on a free one the first time."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", COACH, "coach", "--port", str(self.port), "--no-open"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", said)
        assert found, said
        self.address, self.port = found[0], int(found[1])

    def stop(self, *, kill: bool = False) -> None:
        (self._process.kill if kill else self._process.terminate)()
        self._process.wait(PATIENCE / 1000)
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture(scope="session")
def coach() -> Iterator[str]:
    """The address of a real `mineproof coach`, in a process of its own."""
    server = CoachServer()
    yield server.address
    server.stop()


@pytest.fixture
def mortal() -> Iterator[CoachServer]:
    """A coach of the test's own, to be killed and started again on the same port."""
    server = CoachServer()
    yield server
    server.stop()


@dataclass
class Visit:
    """A tab at the coach's page, and what went wrong there."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)
    forgiven: str = "(?!)"
    """A pattern of complaints that belong to the test, whenever they come."""

    def go(self, view: str, shows: str = "[data-cell]") -> None:
        """Go to a view such as `play?board=5x5/3&seed=1` as if its address were opened anew."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}/#/{view}")
        self.page.wait_for_selector(f".view:not([hidden]) {shows}")

    def cell(self, number: int) -> Any:
        return self.page.locator(f".view:not([hidden]) [data-cell='{number}']")

    def label(self, number: int) -> str:
        return str(self.cell(number).get_attribute("aria-label"))

    def labels(self, within: str = ".view:not([hidden])") -> dict[int, str]:
        """What every cell says, in one question."""
        said: dict[str, str] = self.page.evaluate(
            """(within) => Object.fromEntries(
              [...document.querySelectorAll(`${within} [data-cell]`)]
                .map((cell) => [cell.dataset.cell, cell.getAttribute("aria-label")]))""",
            within,
        )
        return {int(cell): label for cell, label in said.items()}

    def watch_shifts(self) -> None:
        """Note from now on whatever moves on the page, also long after the input that moved it."""
        self.page.evaluate(WATCH_SHIFTS)

    def shifted(self) -> float:
        """How much moved, once all that is known has been painted."""
        return float(
            self.page.evaluate(
                """() => new Promise((tell) => requestAnimationFrame(() =>
                  requestAnimationFrame(() => setTimeout(() =>
                    tell(window.shifts.reduce((sum, shift) => sum + shift, 0)), 0))))"""
            )
        )


Visiting = Callable[..., Visit]


@pytest.fixture
def visit(browser: Browser, coach: str) -> Iterator[Visiting]:
    """Open the coach in a tab of its own: `visit("play?seed=1", color_scheme="dark")`.

    Whatever the page complains of, and any request to another host, fails the test at its end.
    """
    contexts: list[BrowserContext] = []
    visits: list[Visit] = []

    def start(
        view: str = "play", address: str = coach, shows: str = "[data-cell]", **options: Any
    ) -> Visit:
        options.setdefault("viewport", {"width": 1280, "height": 800})
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        if LATE:
            context.add_init_script(COME_LATE)
        contexts.append(context)
        page = context.new_page()
        visit = Visit(page, address)
        visits.append(visit)

        def note(text: str) -> None:
            visit.complaints.append(text)

        def told(message: ConsoleMessage) -> None:
            # A browser itself tells of refusals; a position that is being written meets some.
            if not message.location["url"].startswith(f"{address}/api/positions"):
                note(message.text)

        page.on("console", told)
        page.on("pageerror", lambda error: note(str(error)))
        page.on("dialog", lambda dialog: note(dialog.message))
        page.on(
            "request",
            lambda request: None if request.url.startswith(address) else note(request.url),
        )
        visit.go(view, shows)
        return visit

    yield start
    for context in contexts:
        context.close()
    for visit in visits:
        assert [text for text in visit.complaints if not re.search(visit.forgiven, text)] == []


@pytest.fixture(scope="session")
def audit() -> Callable[[Page], list[str]]:
    """What axe-core finds wrong with a page, down to the moderate."""

    def run(page: Page) -> list[str]:
        return [
            f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}"
            for one in Axe().run(page)["violations"]
            if one["impact"] in ("serious", "critical", "moderate")
        ]

    return run
