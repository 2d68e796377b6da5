"""The example page in chromium, served as plain files: a game with chances, and a worker."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from tools.browser import find_browser

PATIENCE = 120_000
ASK_THE_WORKER = """() => new Promise((resolve) => {
  const worker = new Worker("/examples/worker.js", { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
  const description = { rows: 9, cols: 9, mines: 10 };
  worker.postMessage({ id: 5, description, method: "generate", given: [{ seed: 1, count: 2 }] });
})"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_request(self, *_: object) -> None:
        return


@pytest.fixture(scope="module")
def address(package: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(package)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox"], timeout=PATIENCE
        )
        opened = browser.new_page()
        opened.set_default_timeout(PATIENCE)
        yield opened
        browser.close()


def test_the_page_plays_a_game(address: str, page: Page) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{address}/examples/page.html")
    page.wait_for_selector("td")
    for _ in range(81):
        said = page.inner_text("output")
        if said == "over":
            break
        assert said.endswith("certain"), said
        row, col = map(int, said.removeprefix("best: ").partition(", ")[0].split(","))
        page.click(f"td[data-cell='{9 * row + col}']")
    assert page.inner_text("output") == "over"
    left = page.locator("td", has_text="%").all_inner_texts()
    assert left == ["100 %"] * 10
    assert not errors


def test_a_worker_answers(address: str, page: Page) -> None:
    page.goto(f"{address}/examples/page.html")
    answer = page.evaluate(ASK_THE_WORKER)
    assert answer["id"] == 5
    assert len(answer["answer"]["boards"]) == 2
