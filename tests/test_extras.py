"""What an install without extras says of them: which one is missing, and how to get it."""

from __future__ import annotations

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


def without(library: str, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a Python that does not find a library."""
    code = HIDE.format(library=library) + program
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


@pytest.mark.parametrize(
    ("library", "extra", "use"),
    NEEDED,
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_the_error_names_the_extra(
    library: str, extra: str, use: str | list[str], tmp_path: Path
) -> None:
    if isinstance(use, list):
        words = ["mineproof", *(word.format(folder=tmp_path) for word in use)]
        program = f"sys.argv = {words!r}\nfrom mineproof.surfaces.cli import main\nmain()"
    else:
        program = use
    done = without(library, program)
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
def test_plain_commands_need_no_extra(library: str) -> None:
    program = (
        "import mineproof as mp\n"
        "view = mp.View.parse('square 3x3 mines=2\\n1..\\n12.\\n01.')\n"
        "print(mp.analyze(view).solutions, mp.explain(view, (0, 2)))\n"
        "print(mp.play('4x4/2', agent='exact', seed=1).outcome is not None)\n"
        "print(mp.compare(['exact', 'sat'], board='4x4/2', games=2))\n"
        "import mineproof.surfaces.web.app\n"
    )
    done = without(library, program)
    assert (done.returncode, done.stderr) == (0, "")
