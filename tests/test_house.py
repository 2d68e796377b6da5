"""The house: a module is one subject with a noun of the field as its name, and there are few."""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import re
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest

import mineproof
from mineproof.errors import MineproofError

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "mineproof"
STATIC = PACKAGE / "web" / "static"
SOURCES = sorted(PACKAGE.rglob("*.py"))
NO_ROOMS = {"utils", "util", "common", "helpers", "misc", "stuff"}
MOST_LINES = 1000
SMALL = 100
NOUNS = {
    "encoding",
    "rating",
    "reading",
    "recording",
    "rendering",
    "sampling",
    "seed",
    "setting",
    "standing",
    "string",
    "testing",
}
"""Words that end in -ing or -ed and name things."""
MOST_PACKAGE_LINES = 66_350
"""The house as it was merged had 171 files and 49,999 lines. Rooms that come after it may raise
these limits, in a commit that says which room needs it."""
MOST = {
    "C++ files without tests and fuzzing": (90, ROOT / "cpp", "*.?pp"),
    "Python files of the package": (222, PACKAGE, "*.py"),
    "scripts of the page": (45, STATIC, "*.js"),
    "style sheets of the page": (12, STATIC, "*.css"),
    "Python files of the tests": (195, ROOT / "tests", "*.py"),
}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def classes() -> Iterator[tuple[str, Path]]:
    """The names of all classes of the package, each with its file."""
    for path in SOURCES:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef):
                yield node.name, path


# ------------------------------------------------------------------------------------------ names


def test_no_other_class_has_the_name_of_an_exported_one() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for name, path in classes():
        if name in mineproof.__all__:
            found[name].append(str(path.relative_to(PACKAGE)))
    assert found
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_every_room_is_a_noun_of_the_field() -> None:
    names = {path.stem for path in PACKAGE.rglob("*") if path.is_dir() or path.suffix == ".py"}
    assert not names & NO_ROOMS
    assert [name for name in names if is_participle(name.rpartition("_")[2])] == []


SAVED_MOVES = re.compile(r"([ofuc]\d+)+")
FOREIGN_NAMES = {
    "clone": "the system call",
    "WIDTHxHEIGHTxMINES": "a line of a notation",
    "createClause": "a function of report 2",
    "datasets": "a library",
    "env_end": "a field of /proc",
    "final_": "the prefix of some of Gymnasium's keys",
    "gym": "the old name of Gymnasium",
    "gymnasium.make_vec": "a function of Gymnasium",
    "reject": "a function of report 3",
}
"""Names in backticks that are not of this package."""


def test_every_public_class_is_named_by_a_noun() -> None:
    """Exported names and errors keep theirs: errors are named after what happened."""
    exported = {*mineproof.__all__, *mineproof._MOVED, *mineproof.chains.__all__, "Unstated"}
    errors = {one.__name__ for one in subclasses(MineproofError)}
    wrong = [
        name
        for name, _ in classes()
        if not name.startswith("_")
        and is_participle(re.findall("[A-Z][^A-Z]*", name)[-1])
        and name not in errors | exported
    ]
    assert wrong == []


def subclasses(kind: type) -> Iterator[type]:
    yield kind
    for below in kind.__subclasses__():
        yield from subclasses(below)


def test_names_in_docstrings_and_comments_exist() -> None:
    known = {*dir(builtins), *keyword.kwlist}
    for path in SOURCES:
        known |= {path.stem, path.parent.name}
        known.update(word for node in ast.walk(parsed(path)) for word in words_of(node))
    others = [path for path in (ROOT / "cpp").rglob("*.?pp") if not is_test_of_core(path)]
    for path in [*others, *STATIC.rglob("*.js")]:
        known.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    stale = []
    for path in SOURCES:
        for text in prose_of(path):
            for name in re.findall(r"`([A-Za-z_]\w*(?:\.\w+)*)(?:\([^`]*\))?`", text):
                unknown = set(name.split(".")) - known
                if unknown and name not in FOREIGN_NAMES and not SAVED_MOVES.fullmatch(name):
                    stale.append(f"{path.relative_to(PACKAGE)}: {name}")
    assert stale == []


def words_of(node: ast.AST) -> Iterator[str]:
    """The identifiers that a node of a module mentions."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            yield name
        case ast.keyword(arg=str(name)):
            yield name
        case ast.alias(name=name):
            yield from name.split(".")
        case ast.Constant(value=str(text)) if len(text) < 60:  # a key, an option, a file name
            yield from re.findall(r"\w+", text)


def prose_of(path: Path) -> Iterator[str]:
    """The docstrings and comments of a file."""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def is_participle(word: str) -> bool:
    return word.lower().endswith(("ing", "ed")) and word.lower() not in NOUNS


# ------------------------------------------------------------------------------------------- size


@pytest.mark.parametrize(
    "folder", ["src", "cpp", "js", "site", "tests", "tools", "benchmarks", "docs"]
)
def test_no_file_is_too_long(folder: str) -> None:
    kinds = {".py", ".cpp", ".hpp", ".js", ".mjs", ".css"}
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in kinds]
    assert files
    assert {str(path.relative_to(ROOT)) for path in files if lines(path) > MOST_LINES} == set()


@pytest.mark.parametrize("what", MOST)
def test_there_are_few_files(what: str) -> None:
    most, folder, pattern = MOST[what]
    files = [
        path for path in folder.rglob(pattern) if folder.name != "cpp" or not is_test_of_core(path)
    ]
    assert 0 < len(files) <= most


def is_test_of_core(path: Path) -> bool:
    return path.relative_to(ROOT / "cpp").parts[0] in {"tests", "fuzz"}


def test_the_package_has_few_lines() -> None:
    assert sum(map(lines, SOURCES)) <= MOST_PACKAGE_LINES


def test_a_small_module_with_one_importer_says_why_it_stands_alone() -> None:
    graph = grimp.build_graph("mineproof", cache_dir=None)
    wrong = []
    for path in SOURCES:
        module = ".".join(("mineproof", *path.relative_to(PACKAGE).with_suffix("").parts))
        text = path.read_text(encoding="utf-8")
        if path.stem == "__init__" or path.parent.name == "cli" or "__main__" in text:
            continue
        if lines(path) >= SMALL:
            continue
        importers = graph.find_modules_that_directly_import(module)
        told = " ".join((ast.get_docstring(parsed(path)) or "").split())
        if len(importers) <= 1 and "a module of its own" not in told:
            wrong.append(module)
    assert wrong == []


# ------------------------------------------------------------------------------------------ layers


def test_the_table_of_packages_lists_the_layers_that_are_checked() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    checked = [set(re.findall(r"\((\w+)\)", layer)) for layer in contracts[0]["layers"]]
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition("| package |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE)
    listed = [
        set(re.findall(r"`(\w+)/`", package) or re.findall(r"`(\w+)`", what))
        for package, what in rows
    ]
    assert [{"__main__"}, *listed] == checked
