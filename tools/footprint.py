"""What an install costs: python3 tools/footprint.py WHEEL [PACKAGE ...], as a table.

Each package is installed into a fresh environment of this Python: what is downloaded, what it
takes on disk, how long pip takes (from files already downloaded; the bytecode that it makes of them
is part of both), and how long a new process takes to import it, to show its help and to solve one
position. Times are medians of several runs that take turns, so a busy machine is as busy for each;
compare them within a table only.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

RUNS = 7
POSITION = "square 4x4 mines=3\n....\n.22.\n.11.\n....\n"
# How to use a package, where it can do that: a program for `python -c`, or a command of its own.
IMPORTS = {"mineproof": "import mineproof", "ms_toollib": "import ms_toollib"}
SOLVES = {
    "mineproof": f"import mineproof as m; m.analyze(m.View.parse({POSITION!r}))",
    "ms_toollib": (
        "import ms_toollib as m; b = [[10] * 4, [10, 2, 2, 10], [10, 1, 1, 10], [10] * 4];"
        "m.cal_probability_onboard(b, 3)"
    ),
}


@dataclass(frozen=True)
class Installed:
    """A package in an environment of its own."""

    name: str
    python: Path
    download: int  # bytes, with all that it needs
    size: int  # bytes on disk
    seconds: float  # of pip

    def commands(self) -> dict[str, list[str]]:
        python = str(self.python)
        found = {"start of Python": [python, "-c", "pass"]}
        found["import"] = [python, "-c", IMPORTS[self.name]]
        if self.name == "mineproof":
            found["`mineproof --help`"] = [str(self.python.parent / "mineproof"), "--help"]
        found["first position solved"] = [python, "-c", SOLVES[self.name]]
        return found


def bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def timed(command: Sequence[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def install(package: str, folder: Path) -> Installed:
    """Download a package and all that it needs, then install it from there."""
    name = Path(package).name.split("-")[0]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    files, home = folder / f"{name}-files", folder / name
    subprocess.run([*pip, "download", "--dest", str(files), package], check=True)
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    before = bytes_in(home)
    offline = ["install", "--no-index", "--find-links", str(files)]
    # --python comes before the command: this pip fills another environment.
    seconds = timed([*pip, "--python", str(python), *offline, name])
    return Installed(name, python, bytes_in(files), bytes_in(home) - before, seconds)


def main(packages: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        installed = [install(package, Path(folder)) for package in packages]
        times: dict[tuple[str, str], list[float]] = {}
        for turn in range(RUNS + 1):  # the first one reads from the disk
            for one in installed:
                for what, command in one.commands().items():
                    seconds = timed(command)
                    if turn > 0:
                        times.setdefault((what, one.name), []).append(seconds)
        rows = {
            "download, MB": [f"{one.download / 1e6:.1f}" for one in installed],
            "on disk, MB": [f"{one.size / 1e6:.1f}" for one in installed],
            "pip, s": [f"{one.seconds:.1f}" for one in installed],
        }
        for what in dict.fromkeys(what for what, _ in times):
            taken = [times.get((what, one.name)) for one in installed]
            rows[f"{what}, s"] = [f"{statistics.median(t):.2f}" if t else "" for t in taken]
    print("|  | " + " | ".join(one.name for one in installed) + " |")
    print("|---|" + "---:|" * len(installed))
    for what, cells in rows.items():
        print(f"| {what} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
