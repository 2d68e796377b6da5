"""The package for JavaScript: as npm installs it, in node, and its example page in chromium."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

import mineproof
from tools.browser import find_browser
from tools.site.emscripten import ROOT

# ------------------------------------------------------------------------------ as npm installs it


PAGES = (ROOT / "docs" / "javascript.md", ROOT / "js" / "README.md")
HOSTILE = Path(__file__).with_name("hostile.mjs")
BLOCK = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAID = re.compile(r"// (.*)$")


def node(folder: Path, script: str, *given: str) -> str:
    (folder / "script.mjs").write_text(script)
    command = ["node", "script.mjs", *given]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the packed package is installed."""
    folder = tmp_path_factory.mktemp("installed")
    pack = ["npm", "pack", "--silent", "--offline", str(package), "--pack-destination", str(folder)]
    subprocess.run(pack, check=True, capture_output=True, timeout=120)
    (packed,) = folder.glob("mineproof-*.tgz")
    assert packed.name == f"mineproof-{mineproof.__version__}.tgz"
    with tarfile.open(packed) as archive:
        archive.extractall(folder / "node_modules", filter="data")
    (folder / "node_modules" / "package").rename(folder / "node_modules" / "mineproof")
    return folder


def test_the_packed_file_is_small_and_has_what_is_needed(installed: Path) -> None:
    home = installed / "node_modules" / "mineproof"
    names = {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}
    needed = {"index.js", "index.d.ts", "mineproof.wasm", "package.json", "README.md", "LICENSE"}
    assert needed | {"examples/page.html", "examples/worker.js", "examples/node.js"} <= names
    (packed,) = installed.glob("*.tgz")
    assert packed.stat().st_size < 300_000
    module = (home / "mineproof.wasm").read_bytes()
    told = re.search(r"WebAssembly \((\d+) kB, (\d+) kB with gzip", PAGES[0].read_text("utf-8"))
    assert told
    for kilobytes, size in zip(
        told.groups(), (len(module), len(gzip.compress(module))), strict=True
    ):
        assert int(kilobytes) == pytest.approx(size / 1000, rel=0.03)
    description = json.loads((home / "package.json").read_text())
    assert "dependencies" not in description


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_say_what_they_print(page: Path, installed: Path) -> None:
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    for block in blocks:
        wanted = [found[1] for line in block.splitlines() if (found := SAID.search(line))]
        assert node(installed, block).splitlines() == wanted


def test_the_example_for_node_plays_a_game(installed: Path) -> None:
    home = installed / "node_modules" / "mineproof"
    printed = node(installed, (home / "examples" / "node.js").read_text()).splitlines()
    assert printed[-1] in ("won", "lost")
    assert printed[:-17]  # guesses, before the sixteen rows
    assert all(re.fullmatch(r"\d+,\d+: [a-z-]+, risk 0\.\d{3}", line) for line in printed[:-17])


def test_all_that_is_exported_is_described(installed: Path) -> None:
    script = """
    import * as all from "mineproof";
    const board = (await all.load()).board({ rows: 2, cols: 2, mines: 1 });
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(board));
    console.log(JSON.stringify([Object.keys(all), methods]));
    """
    exported, methods = json.loads(node(installed, script))
    home = installed / "node_modules" / "mineproof"
    described = (home / "index.d.ts").read_text()
    named = re.findall(r"^export (?:class|function) (\w+)", described, re.MULTILINE)
    assert sorted(exported) == sorted(named)
    inside = {"constructor", "ask", "degree", "solve", "keptFree", "excluded"}
    board = described.partition("export interface Board {")[2].partition("\n}")[0]
    assert set(methods) - inside == set(re.findall(r"^  (\w+)\(", board, re.MULTILINE))


def test_hostile_input_is_refused_in_one_line_and_the_core_goes_on(installed: Path) -> None:
    answers, after = json.loads(node(installed, HOSTILE.read_text()))
    assert after == "2"
    refused = [answer for answer in answers if answer[1] is not None]
    assert len(refused) > 0.8 * len(answers)
    for name, message, good in refused:
        assert good, (name, message)
        assert "\n" not in message, (name, message)
        assert len(message) < 300, (name, message)


def test_a_broken_module_is_refused(installed: Path) -> None:
    script = """
    import { load } from "mineproof";
    for (const wasm of [new Uint8Array(8), new URL("file:///nowhere/mineproof.wasm")]) {
      await load({ wasm }).then(() => console.log("loaded"), (error) => console.log("refused"));
    }
    """
    assert node(installed, script).split() == ["refused", "refused"]


# -------------------------------------------------------------------- the example page in chromium


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
