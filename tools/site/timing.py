"""How fast the built site is in chromium: .venv/bin/python -m tools.site.timing [visits]

A first visit starts with an empty profile, a returning one with all files kept. `board` is the time
until cells can be clicked, `playable` until the first click is answered, `loaded` until every view
works; then what single questions take, the least of five. Seconds, from the start of navigation;
the files come from this machine, so this is all but the network, except in the last line, where the
line has 9 Mbit/s.
"""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from threading import Thread
from typing import Any

from playwright.sync_api import sync_playwright

from tools.browser import find_browser
from tools.site.__main__ import SITE

PATIENCE = 120_000
CLICK = """() => new Promise((done) => {
  const look = () => {
    const cell = document.querySelector("[data-cell='40']");
    if (!cell) return requestAnimationFrame(look);
    const board = performance.now();
    cell.dispatchEvent(new PointerEvent("pointermove", { bubbles: true }));
    done(board);
  };
  look();
})"""
OPENED = """() => {
  const cell = document.querySelector("[data-cell='40']");
  return cell?.getAttribute("aria-label").includes("open") && performance.now();
}"""
LOADED = "() => performance.getEntriesByName('engine-loaded')[0]?.startTime"
QUESTIONS = """async () => {
  const api = await import("./static/api.js");
  const least = async (ask, times = 5) => {
    let best = Infinity;
    for (let i = 0; i < times; i += 1) {
      const start = performance.now();
      await ask(i);
      best = Math.min(best, performance.now() - start);
    }
    return best;
  };
  const { game } = await api.newGame({ board: "expert", seed: 7, first_click: "opening" });
  await api.move(game, "open", { cell: 200 });
  const { certain } = await api.analysis(game, false);
  const safe = certain.flatMap((one, cell) => (one === "safe" ? [cell] : []));
  const watched = { board: "expert", agents: ["swift"] };
  return {
    "open a cell": await least((i) => api.move(game, "open", { cell: safe[i] }), safe.length),
    "analyse": await least(() => api.analysis(game, false)),
    "prove a cell": await least(() => api.explain(game, certain.indexOf("mine"))),
    "chance to win": await least(() => api.analysis(game, true), 2),
    "review": await least(() => api.review(game)),
    "watch swift on Expert": await least((i) => api.watch({ ...watched, seed: i }), 2),
  };
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


def visited(page: Any, address: str, line: dict[str, float] | None = None) -> dict[str, float]:
    """The times of one visit, over a throttled line if one is given."""
    if line is not None:
        session = page.context.new_cdp_session(page)
        session.send("Network.emulateNetworkConditions", {"offline": False, **line})
    page.goto(f"{address}/#/play?board=20x20/80&seed=1", wait_until="commit")
    board = page.evaluate(CLICK)
    page.locator("[data-cell='40']").click()
    playable = page.wait_for_function(OPENED, timeout=PATIENCE).json_value()
    loaded = page.wait_for_function(LOADED, timeout=PATIENCE).json_value()
    return {"board": board / 1e3, "playable": playable / 1e3, "loaded": loaded / 1e3}


LINE = {"downloadThroughput": 9e6 / 8, "uploadThroughput": 1e6 / 8, "latency": 20.0}
"""9 Mbit/s, and 20 ms to the host and back: bytes a second and milliseconds, as browsers take them.
Chromium throttles the page, not its workers: they only compile what the page has fetched."""


def main(visits: int) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=SITE))
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    kinds = ("first visit", "returning", "first visit at 9 Mbit/s")
    times: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        for _ in range(visits):
            context = browser.new_context()
            page = context.new_page()
            times["first visit"].append(visited(page, address))
            page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
            page.close()
            page = context.new_page()
            times["returning"].append(visited(page, address))
            questions = page.evaluate(QUESTIONS)
            context.close()
            context = browser.new_context()
            times["first visit at 9 Mbit/s"].append(visited(context.new_page(), address, LINE))
            context.close()
        browser.close()
    for kind, found in times.items():
        said = ", ".join(f"{name} {median(one[name] for one in found):.2f}" for name in found[0])
        print(f"{kind}: {said} s (median of {visits})")
    for name, milliseconds in questions.items():
        print(f"{name}: {milliseconds:.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
