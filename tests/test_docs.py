"""The blocks of the README and the docs run, every one of them.

Python runs as a doctest or, without prompts, as plain code; console lines run as commands; TOML is
read as an experiment; JavaScript (`js`) runs by `make test-js`. What is not to be run says so: `sh`
is for a shell, `text` is to be read.
"""

from __future__ import annotations

import doctest
import re
import shlex
import textwrap
from pathlib import Path

import pytest

import mineproof
from mineproof.lab.experiment import Experiment
from mineproof.surfaces.cli.main import COMMANDS as ALL_COMMANDS
from mineproof.surfaces.cli.main import run
from tests.core import needs_core

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# A block in a tab is indented.
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)
KINDS = {"python", "console", "toml", "js", "sh", "text"}
FLAGS = doctest.ELLIPSIS


def blocks(page: Path, kind: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [textwrap.dedent(text) for _, language, text in found if language == kind]


COMMANDS = [
    (page.name, line)
    for page in PAGES
    for block in blocks(page, "console")
    for line in block.splitlines()
]


def runs(text: str, *values: object) -> object:
    """Values as a parameter; what the text runs may be what only the core has."""
    lacking = re.search(
        r"\b(swift|champion|best guess|mineproof bench|mp\.(advise|review|win_chance))\b", text
    )
    return pytest.param(*values, marks=needs_core if lacking else ())


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_every_block_says_what_it_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    kinds = [kind for _, kind, _ in BLOCK.findall(text)]
    assert len(FENCE.findall(text)) == 2 * len(kinds), "a fence that is no block is never run"
    assert set(kinds) <= KINDS, f"accepted: {', '.join(sorted(KINDS))}"


@pytest.mark.parametrize(
    "page",
    [runs("".join(blocks(page, "python")), page) for page in PAGES],
    ids=lambda page: page.name,
)
def test_python_blocks(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those with prompts go on where the one before ended; the others stand alone."""
    monkeypatch.chdir(ROOT)
    told = [block for block in blocks(page, "python") if ">>>" in block]
    parsed = doctest.DocTestParser().get_doctest("\n".join(told), {}, page.name, str(page), 0)
    said: list[str] = []
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(parsed, out=said.append).failed
    assert not failed, "".join(said)
    for block in blocks(page, "python"):
        if ">>>" not in block:
            exec(compile(block, str(page), "exec"), {"__name__": page.stem})


@pytest.mark.parametrize(
    ("page", "line"),
    [runs(line, page, line) for page, line in COMMANDS],
    ids=lambda value: str(value)[:60],
)
def test_console_lines(
    page: str,
    line: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    prompt, *words = shlex.split(line)
    assert [prompt, words[0]] == ["$", "mineproof"], "a console line is a command of mineproof"
    assert run(words[1:]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_toml_blocks_are_experiments(page: Path) -> None:
    for block in blocks(page, "toml"):
        experiment = Experiment.parse(block)
        assert Experiment.parse(experiment.text) == experiment


@pytest.mark.parametrize("name", ALL_COMMANDS)
def test_every_command_has_its_section(name: str) -> None:
    assert f"\n## {name}\n" in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def test_there_is_something_to_run() -> None:
    assert len(COMMANDS) >= 8
    assert blocks(ROOT / "README.md", "python")


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_walks_name_files_that_are_there_and_none_twice() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "mineproof"
    places = [package, package / "surfaces" / "web" / "static", ROOT / "cpp"]
    walks = text.split("\n## ")[1:]
    assert len(walks) == 2
    for walk in walks:
        rows = re.findall(r"^\| `(\S+)` \|", walk, re.MULTILINE)
        assert len(rows) > 10
        assert len(rows) == len(set(rows))
    for name in re.findall(r"`([\w/-]+/[\w-]+\.\w+)`", text):
        assert any((place / name).is_file() for place in places), name


@pytest.mark.parametrize("name", mineproof.__all__)
def test_public_names_are_there_and_documented(name: str) -> None:
    assert (getattr(mineproof, name).__doc__ or "").strip()
    assert name in dir(mineproof)


def test_public_names_agree() -> None:
    """The list, the table of homes and the imports for type checkers name the same things."""
    homes = mineproof._HOMES
    named = {(home, name) for home, names in homes.items() for name in names}
    named |= {tuple(home.rsplit(".", 1)) for home, names in homes.items() if not names}
    assert sorted(mineproof.__all__) == sorted(name for _, name in named)
    source = Path(str(mineproof.__file__)).read_text(encoding="utf-8")
    typed = re.findall(r"^    from (\S+) import (\w+) as \2$", source, re.MULTILINE)
    assert set(typed) == named


def test_the_package_says_hello() -> None:
    assert doctest.testmod(mineproof).failed == 0


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        mineproof.__getattr__("nothing")
