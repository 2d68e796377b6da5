"""The house: one word has one meaning, rooms are small, and every room has a domain noun."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "mineproof"
SOURCES = sorted(PACKAGE.rglob("*.py"))
COMMANDS = PACKAGE / "surfaces" / "cli"
NO_ROOMS = {"utils", "util", "common", "helpers", "misc", "stuff"}
MOST_LINES = 500


def places(names: dict[str, list[Path]]) -> dict[str, list[str]]:
    """The names that stand in more than one place."""
    return {
        name: [str(path.relative_to(PACKAGE)) for path in found]
        for name, found in names.items()
        if len(found) > 1
    }


def test_no_two_classes_share_a_name() -> None:
    found: dict[str, list[Path]] = defaultdict(list)
    for path in SOURCES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path)
    assert not places(found)


def test_no_two_modules_share_a_name() -> None:
    """A command lives in the module of its name: it may share it with what it calls."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in SOURCES:
        if not path.name.startswith("__") and path.parent != COMMANDS:
            found[path.stem].append(path)
    assert not places(found)


def test_every_room_is_a_domain_noun() -> None:
    names = {path.stem for path in PACKAGE.rglob("*") if path.is_dir() or path.suffix == ".py"}
    assert not names & NO_ROOMS


@pytest.mark.parametrize("folder", ["src", "cpp", "js", "tests", "tools", "benchmarks"])
def test_no_file_is_two_rooms_in_one(folder: str) -> None:
    kinds = {".py", ".cpp", ".hpp", ".js", ".css"}
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    assert files
    long = {
        str(path.relative_to(ROOT)): lines
        for path in files
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }
    assert not long


def test_contributing_lists_the_layers_that_are_checked() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    checked = [set(re.findall(r"\((\w+)\)", layer)) for layer in contracts[0]["layers"]]
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("## Layers")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    listed = [set(re.findall(r"`(\w+)(?:/|\.py)`", row)) for row in rows]
    assert [{"__main__"}, *listed] == checked
