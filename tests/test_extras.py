"""What an install without extras says of them: which one is missing, and how to get it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HIDE = """
import sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {library!r}:
            return None
        return self.finder.find_spec(name, path, target)
    def __getattr__(self, name):
        return getattr(self.finder, name)
sys.meta_path[:] = map(Without, sys.meta_path)
"""
# Library, extra, a command line or a program that needs it.
NEEDED = [
    ("duckdb", "lab", ["sql", "{folder}", "select 1"]),
    (
        "matplotlib",
        "lab",
        ["compare", "--agents", "exact", "--games", "2", "--plot", "{folder}/p.svg"],
    ),
    (
        "distributed",
        "cluster",
        [
            "compare",
            "--agents",
            "exact",
            "--games",
            "2",
            "--engine",
            "dask://127.0.0.1:1",
            "--out",
            "{folder}/out",
        ],
    ),
    ("gymnasium", "gym", "import mineproof.envs.single"),
    ("gymnasium", "gym", "import mineproof.envs.vector"),
]
POSITION = "square 3x3 mines=2\n1..\n12.\n01.\n"
GAME = ["--board", "4x4/3", "--seed", "1"]
# What proofs and the logic sat need comes with the package; an install may lack it all the same.
NEED_SAT = [
    ["explain", "{folder}/position.txt", "--cell", "0,2"],
    ["explain", "{folder}/position.txt", "--all", "--json"],
    ["solve", "{folder}/position.txt", "--dimacs", "-"],
    ["play", "--agent", "sat", *GAME],
    ["play", "--agent", "sat[global]+corner-first", *GAME],
    ["play", "--agent", "exact", "--proofs", *GAME],
    ["compare", "--agents", "exact,sat", "--games", "4", "--jobs", "1", *GAME],
    ["compare", "--agents", "exact,sat", "--games", "4", "--jobs", "2", *GAME],
    ["check", "sat", "--games", "4", *GAME],
]


def without(library: str, program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a Python that does not find a library; its child processes do not either."""
    hidden = folder / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(HIDE.format(library=library))
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(hidden)},
    )


def command(words: list[str], folder: Path) -> str:
    """The program that is a command line."""
    given = ["mineproof", *(word.format(folder=folder) for word in words)]
    return f"import sys\nsys.argv = {given!r}\nfrom mineproof.surfaces.cli import main\nmain()"


@pytest.mark.parametrize(
    ("library", "extra", "use"),
    NEEDED,
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_the_error_names_the_extra(
    library: str, extra: str, use: str | list[str], tmp_path: Path
) -> None:
    program = use if isinstance(use, str) else command(use, tmp_path)
    done = without(library, program, tmp_path)
    assert done.returncode != 0
    assert done.stdout == ""  # nothing was played before it was said
    line = done.stderr.splitlines()[-1]
    assert library in line.lower()
    assert line.endswith(
        f"which is not installed; accepted: after pip install 'mineproof[{extra}]'"
    )


def test_every_extra_for_users_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {name for name, needs in project["optional-dependencies"].items() if needs}
    assert extras - {"dev", "docs"} == {extra for _, extra, _ in NEEDED}


@pytest.mark.parametrize("library", ["duckdb", "matplotlib", "distributed", "gymnasium"])
def test_plain_commands_need_no_extra(library: str, tmp_path: Path) -> None:
    program = (
        "import mineproof as mp\n"
        "view = mp.View.parse('square 3x3 mines=2\\n1..\\n12.\\n01.')\n"
        "print(mp.analyze(view).solutions, mp.explain(view, (0, 2)))\n"
        "print(mp.play('4x4/2', agent='exact', seed=1).outcome is not None)\n"
        "print(mp.compare(['exact', 'sat'], board='4x4/2', games=2))\n"
        "import mineproof.surfaces.web.app\n"
    )
    done = without(library, program, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", NEED_SAT, ids=lambda words: " ".join(words[:4]))
def test_without_python_sat_a_command_says_so_in_one_line(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "position.txt").write_text(POSITION)
    done = without("pysat", command(words, tmp_path), tmp_path)
    assert done.stderr == (
        "mineproof: smallest proofs and the logic sat need python-sat, which is not installed;"
        " accepted: after pip install python-sat\n"
    )
    assert done.returncode == 2


def test_without_python_sat_everything_else_works(tmp_path: Path) -> None:
    program = (
        "import mineproof as mp\n"
        f"view = mp.View.parse({POSITION!r})\n"
        "print(mp.analyze(view).safe.names)\n"
        "print(mp.play('4x4/3', agent='exact', seed=1).outcome is not None)\n"
        "print(mp.compare(['exact', 'single-point'], board='4x4/3', games=2).games)\n"
        "import mineproof.surfaces.web.app\n"
        "print(mp.play('4x4/3', agent='sat', seed=1))\n"
    )
    done = without("pysat", program, tmp_path)
    assert done.stdout.splitlines() == ["('0,2',)", "True", "2"]
    assert done.stderr.splitlines()[-1].startswith("mineproof.errors.MissingLibrary: smallest")
