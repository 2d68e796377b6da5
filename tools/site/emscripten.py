"""Debian's Emscripten: which sources are compiled to WebAssembly, and with which flags.

The site and the package for JavaScript compile the same core. The site's is a side module with the
bindings, loaded by Pyodide, whose ABI asks for PIC and for WebAssembly's own exceptions.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.debian import in_ci, install

__all__ = [
    "FLAGS",
    "binding_sources",
    "compiled",
    "core_sources",
    "link",
    "need_emscripten",
    "version",
]

ROOT = Path(__file__).resolve().parent.parent.parent
CPP = ROOT / "cpp"
COMPILER = "em++"
FLAGS = (
    "-std=c++20",
    "-O3",
    "-fwasm-exceptions",
    "-ffp-contract=off",
    "-fvisibility=hidden",
    "-DMINEPROOF_NO_THREADS",
    "-Wall",
    "-Wextra",
    f"-I{CPP}",
)
"""For every source: exceptions by WebAssembly, and floating point as on every other machine."""
_FOLDERS = (".", "exact", "search", "batch", "generation")


def core_sources() -> list[Path]:
    """The core, which knows nothing of Python."""
    found = (path for folder in _FOLDERS for path in sorted((CPP / folder).glob("*.cpp")))
    return [path for path in found if path.name != "bindings.cpp"]


def binding_sources() -> list[Path]:
    """What Python imports of it."""
    return [CPP / "bindings.cpp", *sorted((CPP / "bindings").glob("*.cpp"))]


def version() -> str:
    """The version of mineproof, which is that of all that is built from it."""
    text = (ROOT / "src" / "mineproof" / "__init__.py").read_text()
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    assert found, "the package says its version"
    return found[1]


def need_emscripten() -> None:
    """Have the compiler: with CI=true a missing one is installed with apt. Raises SystemExit."""
    if shutil.which(COMPILER) is not None:
        return
    if not in_ci():
        sys.exit("mineproof: needs Emscripten (Debian: apt-get install emscripten)")
    install("emscripten", "WebAssembly")


def compiled(
    sources: Iterable[Path], build: Path, flags: Sequence[str] = (), jobs: int | None = None
) -> list[Path]:
    """The objects of the sources, compiled with FLAGS and `flags` into a folder of their own.

    What has not changed since is not compiled again. Raises SystemExit.
    """
    build.mkdir(parents=True, exist_ok=True)
    said = build / "flags"
    wanted = " ".join((*FLAGS, *flags))
    if not said.exists() or said.read_text() != wanted:
        for old in build.glob("*.o"):
            old.unlink()
        said.write_text(wanted)
    jobs = jobs or int(os.environ.get("JOBS") or os.cpu_count() or 2)
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda source: _compile(source, build, flags), sources))


def link(objects: Iterable[Path], made: Path, flags: Sequence[str]) -> Path:
    """Link objects, with FLAGS and `flags`, into `made`, whose suffix says what it is to be."""
    made.parent.mkdir(parents=True, exist_ok=True)
    # Debian's Emscripten finds acorn and others there.
    search = os.pathsep.join(filter(None, ("/usr/share/nodejs", os.environ.get("NODE_PATH"))))
    command = [COMPILER, *FLAGS, *flags, *map(str, objects), "-o", str(made)]
    _run(command, f"{made.name} could not be linked", {**os.environ, "NODE_PATH": search})
    return made


def _compile(source: Path, build: Path, flags: Sequence[str]) -> Path:
    inside = source.is_relative_to(CPP)
    name = str(source.relative_to(CPP).with_suffix("")).replace("/", "-") if inside else source.stem
    made = build / f"{name}.o"
    if not _is_fresh(made):
        print(f"compiling {source.relative_to(CPP) if inside else source.name}", flush=True)
        command = [COMPILER, *FLAGS, *flags, "-MMD", "-c", str(source), "-o", str(made)]
        _run(command, f"{source.name} could not be compiled", None)
    return made


def _is_fresh(made: Path) -> bool:
    """Whether an object is newer than all it was made from."""
    listed = made.with_suffix(".d")
    if not made.exists() or not listed.exists():
        return False
    names = listed.read_text().replace("\\\n", " ").split()[1:]
    since = made.stat().st_mtime
    return all(Path(name).exists() and Path(name).stat().st_mtime <= since for name in names)


def _run(command: Sequence[str], failed: str, environment: dict[str, str] | None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    sys.stderr.write(done.stderr)
    if done.returncode:
        sys.exit(f"mineproof: {failed}")


if __name__ == "__main__":
    need_emscripten()
