"""The recipes of CONTRIBUTING.md, followed block by block in a copy of the tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"```python\n# (?:(at the end|in (\w+)) of )?(\S+)\n(.*?)```", re.DOTALL)

# An editable install finds the package before the path is asked: leave only the plain finders.
START = """\
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "frozen" in str(finder)]
sys.path.insert(0, "src")
import mineproof
assert mineproof.__file__.startswith(sys.argv[1]), mineproof.__file__
"""


def section(title: str) -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {title}$(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, f"no section {title}"
    return found[1]


def follow(recipe: str, tree: Path) -> list[str]:
    """Do what the blocks of a recipe say; the paths they name."""
    paths = []
    for at_end, name, path, code in BLOCK.findall(recipe):
        file = tree / path
        if not at_end:
            assert not file.exists(), f"{path} is there already"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(code)
        elif name:
            text = file.read_text()
            head = re.search(rf"^{name}\b[^=\n]*= \{{\n", text, re.MULTILINE)
            assert head, f"no {name} in {path}"
            file.write_text(text[: head.end()] + code + text[head.end() :])
        else:
            file.write_text(file.read_text() + "\n" + code)
        paths.append(path)
    return paths


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    ignore = shutil.ignore_patterns("__pycache__", "*.orig")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignore)
    shutil.copytree(ROOT / "tests" / "board", tmp_path / "tests" / "board", ignore=ignore)
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(tree: Path, code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", START + code, str(tree)],
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def pytest_run(*arguments: str) -> str:
    given = ["-q", "-p", "no:cacheprovider", *arguments]
    return f"import pytest\nsys.exit(pytest.main({given!r}))\n"


def command_run(*arguments: str) -> str:
    return f"from mineproof.surfaces.cli.main import run\nsys.exit(run({list(arguments)!r}))\n"


def test_add_a_topology(tree: Path) -> None:
    paths = follow(section("Add a topology"), tree)
    assert len(paths) == 4
    run(tree, pytest_run("tests/board/test_topology.py", "-k", "knight or samples"))
    run(tree, command_run("play", "--board", "knight:8x8/10"))


def test_add_an_agent(tree: Path) -> None:
    paths = follow(section("Add an agent"), tree)
    assert len(paths) == 4
    run(tree, pytest_run("tests/agents/test_edge_first.py"))
    for agent in ("edge-first", "sat+fewest-neighbours"):
        run(tree, command_run("play", "--board", "beginner", "--agent", agent))
