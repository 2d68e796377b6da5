"""Take the pictures of the coach's page: `python docs/pictures/coach.py [SCENE ...]`.

Each scene is taken on a desktop and a phone, light and dark, with a real server and browser; the
scene `skins` is one picture. It needs chromium, playwright and Pillow (matplotlib brings it).
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
DEVICES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 1.5,
    },
}

PLAIN = Image.Dither.NONE

Scene = Callable[[Page, str], None]

# Opens the best cell of a game again and again, like a player who always asks.
PLAY_ON = """async (moves) => {
  const api = await import("/static/api.js");
  const { id } = JSON.parse(sessionStorage.getItem("mineproof.game"));
  for (let move = 0; move < moves; move += 1) {
    const { best } = await api.analysis(id, false);
    const { state } = await api.move(id, "open", { cell: best.cell });
    if (state !== "running") break;
  }
}"""

# Plays on, with a needless risk at every fifth move, until the game ends.
PLAY_BADLY = """async () => {
  const api = await import("/static/api.js");
  const { id } = JSON.parse(sessionStorage.getItem("mineproof.game"));
  let state = "ready";
  for (let move = 1; state === "ready" || state === "running"; move += 1) {
    const { p, best } = await api.analysis(id, false);
    const risky = p.reduce((least, risk, cell) =>
      (risk > 0 && (least === null || risk < p[least]) ? cell : least), null);
    ({ state } = await api.move(id, "open", { cell: move % 5 ? best.cell : (risky ?? best.cell) }));
  }
  return id;
}"""

# Chooses a skin, as the settings do.
CHOOSE = """(skin) => {
  const kept = JSON.parse(localStorage.getItem("mineproof.coach") ?? "{}");
  localStorage.setItem("mineproof.coach", JSON.stringify({ ...kept, skin, overlay: "none" }));
}"""

CLASH = """square 9x9 mines=10
...201.10
...311110
....31000
.1...1000
..3221000
..1000000
..1000000
..1000000
..1000000
"""


def play(page: Page, address: str) -> None:
    """An Expert game with every chance and the best move."""
    begin(page, f"{address}/#/play?board=expert&first=opening&seed=7", 60)
    page.get_by_text("Mine chance", exact=True).click()
    page.get_by_role("checkbox", name="Best move").check()
    page.wait_for_selector(".chance")
    page.wait_for_selector(".layer.best .ring")


def why(page: Page, address: str) -> None:
    """The proof of a cell on hexagons."""
    begin(page, f"{address}/#/play?board=hex:9x9/12&first=opening&seed=7", 1)
    page.get_by_text("Mine chance", exact=True).click()
    page.wait_for_selector(".sure-safe")
    cell = page.locator(".sure-safe").last
    cell.focus()
    cell.press("w")
    page.wait_for_selector(".layer.premise .ring")


def analyse(page: Page, address: str) -> None:
    """A position in the editor, with its chances."""
    page.goto(f"{address}/#/analyse")
    page.wait_for_selector(".layer.best .ring")


def clash(page: Page, address: str) -> None:
    """A position that has no solution."""
    page.goto(f"{address}/#/analyse?p={quote(CLASH)}")
    page.wait_for_selector(".layer.clash .ring")
    page.wait_for_selector(".view-analyse .state[data-state=impossible]")
    page.wait_for_timeout(1500)


def review(page: Page, address: str) -> None:
    """A lost game at its costliest move."""
    page.goto(f"{address}/#/play?board=intermediate&first=opening&seed=1")
    page.wait_for_selector("[data-cell]")
    game = page.evaluate(PLAY_BADLY)
    page.goto(f"{address}/#/review?game={game}")
    page.wait_for_selector(".moves [aria-selected=true]")
    page.locator(".view-review .tool-see").click()
    page.wait_for_selector(".view-review .chance")


def watch(page: Page, address: str) -> None:
    """Two agents on hexagons, some steps into the same deal."""
    board = "hexagon:5/9&first=opening&seed=3"
    page.goto(f"{address}/#/watch?a=exact&b=single-point&board={board}")
    page.wait_for_selector(".seat:last-child [data-cell]")
    for _ in range(6):
        page.locator(".view-watch .tool-next").click()
    page.wait_for_selector(".layer.premise .ring")
    page.wait_for_timeout(1500)


def learn(page: Page, address: str) -> None:
    """A puzzle of the pattern 1-2-1, with its lesson."""
    page.goto(f"{address}/#/learn?pattern=1-2-1&n=3")
    page.wait_for_selector(".stage[data-puzzle] [data-cell]")
    page.wait_for_selector(".lesson-picture:not([hidden]) .layer.premise .ring")


def skins(browser: Browser, address: str) -> Image.Image:
    """A game in the classic skin, and in high contrast in the dark, side by side."""
    halves = []
    for skin, theme in (("classic", "light"), ("contrast", "dark")):
        context = browser.new_context(
            viewport={"width": 1040, "height": 640}, color_scheme=theme, reduced_motion="reduce"
        )
        page = context.new_page()
        begin(page, f"{address}/#/play?board=intermediate&first=opening&seed=2", 30)
        page.evaluate(CHOOSE, skin)
        page.reload()
        page.wait_for_selector("[data-cell]")
        for cell in page.locator(".covered").all()[:5]:
            cell.click(button="right")
        page.wait_for_selector(".sign-flag")
        page.wait_for_timeout(300)
        halves.append(Image.open(io.BytesIO(page.locator(".field").screenshot())).convert("RGB"))
        context.close()
    both = Image.new("RGB", (sum(half.width for half in halves), halves[0].height))
    for number, half in enumerate(halves):
        both.paste(half, (number * halves[0].width, 0))
    return both


SCENES: dict[str, Scene] = {
    "play": play,
    "why": why,
    "analyse": analyse,
    "analyse-clash": clash,
    "review": review,
    "watch": watch,
    "learn": learn,
}


def begin(page: Page, game: str, moves: int) -> None:
    """A game after some moves."""
    page.goto(game)
    page.wait_for_selector("[data-cell]")
    page.evaluate(PLAY_ON, moves)
    page.reload()
    page.wait_for_selector("[data-cell]")


@contextmanager
def coach() -> Iterator[str]:
    """The address of a server."""
    command = [sys.executable, "-m", "mineproof", "coach", "--port", "0", "--no-open"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        said = server.stdout.readline() if server.stdout else ""
        found = re.search(r"http://\S+:\d+", said)
        if found is None:
            raise SystemExit(f"the coach does not start: {said}")
        yield found[0]
    finally:
        server.terminate()
        server.wait(10)


def save(picture: Image.Image, file: Path) -> None:
    """A small file: 256 colours are enough."""
    few = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=PLAIN)
    few.save(file, optimize=True)
    print(file.name, f"{file.stat().st_size / 1000:.0f} kB")


def main(names: list[str]) -> None:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit("no chromium")
    with coach() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name in names or [*SCENES, "skins"]:
            if name == "skins":
                save(skins(browser, address), HERE / "coach-skins.png")
                continue
            for device, options in DEVICES.items():
                for theme in ("light", "dark"):
                    context = browser.new_context(
                        color_scheme=theme, reduced_motion="reduce", **options
                    )
                    page = context.new_page()
                    SCENES[name](page, address)
                    page.wait_for_timeout(300)
                    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                    save(picture, HERE / f"coach-{name}-{device}-{theme}.png")
                    context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
