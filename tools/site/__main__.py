"""Build the coach as static files into build/site: `python -m tools.site`, or `make site`.

--numpy FILE takes numpy's wheel for Pyodide from a file instead of PyPI.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from mineproof.generation.puzzle_files import shipped_index
from mineproof.web.answers import PuzzleAnswer
from mineproof.web.coach import Coach
from tools.site.bundle import bundle
from tools.site.downloads import pyodide_folder
from tools.site.emscripten import ROOT
from tools.site.javascript import WASM, build_package

SITE = ROOT / "build" / "site"
SOURCES = ROOT / "site"
STATIC = ROOT / "src" / "mineproof" / "web" / "static"
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data: blob:; base-uri 'none'; form-action 'self'"
)
"""What the page may load: its own files only."""
PRELOADED = "\n".join(
    f'<link rel="modulepreload" href="static/{name}.js">'
    for name in (
        *("api", "transport", "site/engine", "site/parts", "site/pack", "site/small"),
        *("site/core/index", "site/core/board", "site/core/core", "site/core/errors"),
        *("site/core/marks", "site/core/advice", "site/core/clues", "site/core/generation"),
    )
)
"""What a move before Python needs: found in the page itself, not one import after the other."""
HEAD = f"""<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="theme-color" content="#0d6467">
<link rel="manifest" href="manifest.webmanifest">
<link rel="stylesheet" href="static/site/page.css">
<script type="module" src="static/site/page.js"></script>
<link rel="preload" as="fetch" crossorigin href="static/site/core/mineproof.bin">
{PRELOADED}
</head>"""


def build(numpy: Path | None = None, site: Path = SITE) -> Path:
    """Build the whole site. Raises SystemExit."""
    engine = _engine(numpy)
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(STATIC, site / "static")
    _write_engine(site, engine)
    ours = site / "static" / "site"
    for name in ("engine.js", "page.js", "page.css", "pack.js", "small.js", "worker.js"):
        shutil.copy(SOURCES / name, ours / name)
    shutil.copy(SOURCES / "transport.js", site / "static" / "transport.js")
    for name in ("manifest.webmanifest", "service-worker.js"):
        shutil.copy(SOURCES / name, site / name)
    page = site / "static" / "index.html"
    text = page.read_text(encoding="utf-8")
    assert text.count("</head>") == 1
    (site / "index.html").write_text(text.replace("</head>", HEAD), encoding="utf-8")
    page.unlink()
    _write_answers(ours / "answers")
    _write_core(ours / "core")
    _write_list(site)
    return site


def _engine(numpy: Path | None) -> dict[str, bytes]:
    """Pyodide and all that runs in it, by the names of their files."""
    folder = pyodide_folder()
    wasm = (folder / "pyodide.asm.wasm").read_bytes()
    scripts = {name: (folder / name).read_bytes() for name in ("pyodide.mjs", "pyodide.asm.js")}
    # Maps for debuggers are not shipped.
    for name, data in scripts.items():
        scripts[name] = re.sub(rb"\n//# sourceMappingURL=\S*\s*$", b"\n", data)
    return {**scripts, "pyodide.wasm.bin": gzip.compress(wasm, 9, mtime=0), **bundle(numpy)}


def _write_engine(site: Path, engine: dict[str, bytes]) -> None:
    """The engine's files in a folder that is named after what is in it."""
    tag = hashlib.sha256(b"".join(engine.values())).hexdigest()[:12]
    folder = site / f"engine-{tag}"
    folder.mkdir()
    for name, data in engine.items():
        (folder / name).write_bytes(data)
    sizes = {name: len(data) for name, data in engine.items() if name.endswith(".bin")}
    listed = json.loads((pyodide_folder() / "pyodide-lock.json").read_text())
    lock = {"info": listed["info"], "packages": {}}
    parts = site / "static" / "site" / "parts.js"
    parts.parent.mkdir()
    parts.write_text(
        "// Written by tools/site: the engine's files with their sizes, and where they are.\n\n"
        f'export const FOLDER = "../../{folder.name}/";\n'
        f"export const FILES = {json.dumps(sizes, indent=2)};\n"
        f"export const LOCK = {json.dumps(json.dumps(lock))};\n"
    )


def _write_answers(folder: Path) -> None:
    """What the coach answers at the beginning, so that the page need not wait for the engine."""
    coach = Coach()
    answers: dict[str, Any] = {
        "boards": coach.boards(),
        "agents": coach.agents(),
        "lessons": coach.lessons(),
    }
    folder.mkdir()
    for name, answer in answers.items():
        (folder / f"{name}.json").write_text(json.dumps(answer, separators=(",", ":")))
    # Puzzles are on square boards, which the page describes itself.
    puzzles = {one.name: _without_board(coach.puzzle(one.name)) for one in shipped_index()}
    told = json.dumps(puzzles, separators=(",", ":")).encode()
    (folder / "puzzles.bin").write_bytes(gzip.compress(told, 9, mtime=0))


def _without_board(puzzle: PuzzleAnswer) -> dict[str, Any]:
    board = puzzle["board"]
    assert (board["topology"], board["polygons"]) == ("square", None)
    return {**puzzle, "board": [board["name"], board["rows"], board["cols"], board["mines"]]}


def _write_core(folder: Path) -> None:
    """The package for JavaScript, whose core answers until Python is there."""
    package = build_package()
    folder.mkdir()
    for script in package.glob("*.js"):
        shutil.copy(script, folder / script.name)
    wasm = (package / WASM).read_bytes()
    (folder / "mineproof.bin").write_bytes(gzip.compress(wasm, 9, mtime=0))


def _write_list(site: Path) -> None:
    """All files, for the service worker; the version changes when any of them does."""
    files = sorted(path for path in site.rglob("*") if path.is_file())
    names = [str(path.relative_to(site)) for path in files]
    everything = hashlib.sha256()
    for name, path in zip(names, files, strict=True):
        everything.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    listed = [name for name in names if name != "service-worker.js"]
    (site / "service-files.js").write_text(
        "// Written by tools/site.\n"
        f'const VERSION = "{everything.hexdigest()[:16]}";\n'
        f"const FILES = {json.dumps(listed, indent=2)};\n"
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("--numpy", type=Path, help="numpy's wheel for the pinned Pyodide")
    site = build(parser.parse_args(arguments).numpy)
    sizes = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
    print(
        f"site: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB: {site.relative_to(ROOT)};"
        f" to try it: python3 -m http.server -d {site.relative_to(ROOT)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
