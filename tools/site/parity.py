"""`make test-wasm`: Python's own tests, run by Pyodide under node with the core in WebAssembly.

It is the Python, the module and the libraries of the site. Tests that need what a browser has not,
such as processes and threads, are listed with their reason in `parity_left_out.toml`; an entry that
stands for no test is an error.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.site.core_module import MODULE, core_module
from tools.site.downloads import numpy_wheel, pyodide_folder, sat_wheel
from tools.site.emscripten import ROOT

__all__ = ["main"]

BUILD = ROOT / "build" / "parity"
TESTS = (
    *("tests/proofs", "tests/engine", "tests/logics", "tests/game", "tests/sandbox"),
    *("tests/agents", "tests/board", "tests/search", "tests/view"),
)
"""Those that take longest first."""
_NEEDED = (
    *("pytest", "iniconfig", "packaging", "pluggy", "pygments", "sortedcontainers"),
    *("rich", "markdown-it-py", "mdurl", "click", "typing_extensions"),
)
"""What the tests import beside the package: pure Python, from PyPI, in the pinned versions."""
_OLDER = ("hypothesis==6.155.7",)
"""The last version in pure Python."""
SCRIPT = Path(__file__).with_suffix(".mjs")


def packages(numpy: Path | None = None) -> Path:
    """A folder of wheels: the package with its module, numpy, python-sat, what tests need."""
    module = core_module()
    folder = BUILD / "packages"
    pure = BUILD / "pure"
    pinned = _pins()
    wanted = [*_OLDER, *(f"{name}=={pinned[name]}" for name in _NEEDED)]
    said = pure / "downloaded"
    if not said.exists() or said.read_text() != " ".join(wanted):
        shutil.rmtree(pure, ignore_errors=True)
        tags = ["--no-deps", "--only-binary", ":all:", "--python-version", "3.13"]
        tags += ["--platform", "any"]
        command = [sys.executable, "-m", "pip", "-q", "download", *tags, "-d", str(pure)]
        if subprocess.run([*command, *wanted], stderr=subprocess.DEVNULL).returncode:
            sys.exit("mineproof: what the tests need could not be downloaded from PyPI")
        said.write_text(" ".join(wanted))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for wheel in (*pure.glob("*.whl"), numpy_wheel(numpy), sat_wheel()):
        shutil.copy(wheel, folder)
    with zipfile.ZipFile(folder / "mineproof-0-py3-none-any.whl", "w") as ours:
        source = ROOT / "src"
        for path in sorted((source / "mineproof").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so":
                ours.write(path, path.relative_to(source))
        ours.write(module, f"mineproof/{MODULE}")
    return folder


def _pins() -> dict[str, str]:
    lines = (ROOT / "pins.txt").read_text().splitlines()
    pins = (line.split("==") for line in lines if "==" in line)
    return {name.lower(): version for name, version in pins}


def run(wheels: Path, log: Path, *given: str) -> int:
    """One run of Pyodide under node; what it prints goes into a file."""
    node = ["node", "--stack-size=6000", str(SCRIPT)]
    with log.open("w") as file:
        command = [*node, str(pyodide_folder()), str(ROOT), str(wheels), *given]
        return subprocess.run(command, stdout=file, stderr=subprocess.STDOUT).returncode


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.site.parity", description=__doc__)
    parser.add_argument("--numpy", type=Path, help="numpy's wheel for Pyodide")
    parser.add_argument("tests", nargs="*", default=TESTS)
    told = parser.parse_args()
    wheels = packages(told.numpy)
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 2)

    def timed(path: str) -> bool:
        begin, log = time.monotonic(), BUILD / f"{path.replace('/', '-')}.log"
        status = run(wheels, log, "-q", "--again", "--tb=short", "-p", "no:cacheprovider", path)
        print(f"-- {path}, {time.monotonic() - begin:.0f} s\n{log.read_text()}", flush=True)
        return status == 0

    with ThreadPoolExecutor(jobs) as pool:
        return 0 if all(list(pool.map(timed, told.tests))) else 1


if __name__ == "__main__":
    sys.exit(main())
