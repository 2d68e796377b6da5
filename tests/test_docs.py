"""The README and the docs: every block runs, every link leads somewhere, the recipes work.

Python runs as a doctest or, without prompts, as plain code; console lines run as commands; TOML is
read as an experiment; JavaScript (`js`) runs by `make test-js`; `sh` and `text` do not run.
"""

from __future__ import annotations

import doctest
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import pytest

import mineproof
from benchmarks import record
from mineproof.agents.catalog import LOGICS
from mineproof.agents.players import PLAYERS
from mineproof.cli.main import COMMANDS as ALL_COMMANDS
from mineproof.cli.main import run
from mineproof.courses import Course
from mineproof.lab.experiment import Experiment
from mineproof.replay.statistics import DEFINITIONS
from tests.core import needs_core
from tools.docsite.console import steps

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
    (page.name, line, said)
    for page in PAGES
    for block in blocks(page, "console")
    for line, said in steps(block)
]


def runs(text: str, *values: object) -> object:
    """Values as a parameter; what the text runs may be what only the core has."""
    lacking = re.search(
        r"\b(swift|champion|best guess|mineproof bench|mp\.(advise|review|win_chances))\b", text
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
    ("page", "line", "said"),
    [runs(line, page, line, said) for page, line, said in COMMANDS],
    ids=lambda value: str(value).partition("\n")[0][:60],
)
def test_console_lines(
    page: str,
    line: str,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They succeed, and print what stands below them."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    given, _, command = line.rpartition(" | ")
    if given:
        echo, text = shlex.split(given)
        assert echo == "printf"
        data = text.encode().decode("unicode_escape").encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    program, *words = shlex.split(command)
    assert program == "mineproof", "a console line is a command of mineproof"
    assert run(words) == 0
    printed = capsys.readouterr().out
    assert printed
    if said:
        printed = "".join(f"{one.rstrip()}\n" for one in printed.splitlines())
        assert doctest.OutputChecker().check_output(said, printed, FLAGS), printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_toml_blocks_are_experiments_or_courses(page: Path) -> None:
    for block in blocks(page, "toml"):
        if "mineproof-course" in block:
            assert Course.parse(block).most_points
            continue
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


# ------------------------------------------------------- the champion's figures: a record of games


def batch(rule: str, start: int, won: int, luckless: float, games: int = 10_000) -> record.Batch:
    return record.Batch(
        7, "champion", "expert", rule, 1, start, games, won, luckless, luckless * 0.6, 1.0
    )


@pytest.mark.parametrize("name", record.PAGES)
def test_a_page_prints_the_sum_of_the_record(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    parts = record.printed(record.sums(record.batches(record.FOLDER.glob("*.jsonl"))))
    assert record.MARKED.search(text)
    assert record.filled(text, parts) == text, "run python -m benchmarks.record write"
    for other in ("41.", "54."):  # no share of the champion but those on record
        assert not re.search(rf"`champion`[^|\n]* {other}\d", record.MARKED.sub("", text))


def test_a_sum_says_ahead_level_or_behind_by_the_interval() -> None:
    for luckless, verdict in ((0.50, "ahead"), (0.41, "level"), (0.30, "behind")):
        (each,) = record.sums([batch("safe", 0, 4_000, luckless * 10_000)])
        assert each.verdict == verdict
        assert f"{luckless * 100:.2f} ± {each.half:.2f}" in each.text
        assert each.text.endswith(f"| {verdict} |")
    two = [batch("safe", 0, 4_000, 4_100), batch("safe", 10_000, 4_200, 4_300)]
    (each,) = record.sums(two)
    assert (each.games, each.won, round(each.share, 6)) == (20_000, 8_200, 42.0)


def test_games_are_on_record_once(tmp_path: Path) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for file, start in zip(files, (0, 9_999), strict=True):
        file.write_text(json.dumps(asdict(batch("safe", start, 1, 1.0))) + "\n")
    assert len(record.batches(files[:1])) == 1
    with pytest.raises(SystemExit, match="on record twice"):
        record.batches(files)


@needs_core
def test_batches_of_a_record_add_up() -> None:
    whole, first, second = (record.played("opening", *span, 7) for span in ((0, 6), (0, 3), (3, 3)))
    assert whole.won == first.won + second.won
    assert whole.without_luck == pytest.approx(first.without_luck + second.without_luck, abs=1e-5)
    assert whole.squares == pytest.approx(first.squares + second.squares, abs=1e-5)


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src" / "mineproof"
PLACES = (PACKAGE, PACKAGE / "web" / "static", ROOT / "cpp")


def find(name: str) -> Path:
    """The file that the page calls by this name."""
    found = [place / name for place in PLACES if (place / name).is_file()]
    assert len(found) == 1, name
    return found[0]


def test_the_house_lists_every_package_and_module_beside_them() -> None:
    table = ARCHITECTURE.partition("| package |")[2].partition("\n\n")[0]
    packages = re.findall(r"`(\w+)/`", table)
    assert sorted(packages) == sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
    base = table.rpartition("| the modules beside them |")[2]
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert set(re.findall(r"`(\w+)`", base)) == modules


def test_the_places_to_find_things_hold_them() -> None:
    table = ARCHITECTURE.partition("## Where to find")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| [^|]+ \| `(\S+)` \| `([^`]+)` \|$", table, re.MULTILINE)
    assert len(rows) >= 10
    for name, wanted in rows:
        assert wanted in find(name).read_text(encoding="utf-8"), f"{name} holds no {wanted}"


def test_the_short_recipes_name_files_that_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipes = text.partition("## Add a rule,")[2].partition("\n## ")[0]
    names = re.findall(r"`([\w/-]+\.\w+)`", recipes)
    assert len(names) > 10
    for name in names:
        find(name)


def test_the_walks_name_files_that_are_there_and_none_twice() -> None:
    walks = [part for part in ARCHITECTURE.split("\n## ") if part.startswith("From ")]
    assert len(walks) == 2
    for walk in walks:
        rows = re.findall(r"^\| `(\S+)` \|", walk, re.MULTILINE)
        assert len(rows) > 10
        assert len(rows) == len(set(rows))
    for name in re.findall(r"`((?!docs/)[\w/-]+/[\w-]+\.\w+)`", ARCHITECTURE):
        find(name)


def test_the_glossary_has_every_statistic_as_the_coach_says_it() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for name, meaning in DEFINITIONS.values():
        assert f"| {name} | {meaning} |" in text


def test_the_glossary_has_every_public_class_and_logic() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = "".join(re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE))
    public = {name: getattr(mineproof, name) for name in mineproof.__all__}
    for home in ("agents.Premises", "board.World", "rules.Given", "generation.Certificate"):
        module, _, name = home.rpartition(".")
        public[name] = getattr(import_module(f"mineproof.{module}"), name)
    for name in ("Generated", "TeachingPuzzle"):
        public[name] = getattr(import_module("mineproof.generation"), name)
    concepts = {
        name
        for name, found in public.items()
        if isinstance(found, type) and not issubclass(found, Exception)
    }
    assert set(re.findall(r"`([A-Z]\w+)`", words)) == concepts
    (logics,) = re.findall(r"^\| logic \| [^:|]*: ([^|]*) \|$", text, re.MULTILINE)
    assert set(re.findall(r"`([\w-]+)`", logics)) == set(LOGICS) - {*PLAYERS, "naive", "none"}


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


# ------------------------------------------- the recipes of CONTRIBUTING.md, in a copy of the tree


RECIPE_BLOCK = re.compile(r"```python\n# (?:(at the end|in (\w+)) of )?(\S+)\n(.*?)```", re.DOTALL)

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
    for at_end, name, path, code in RECIPE_BLOCK.findall(recipe):
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
    for name in ("conftest.py", "once.toml"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run_python(tree: Path, code: str) -> None:
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
    return f"from mineproof.cli.main import run\nsys.exit(run({list(arguments)!r}))\n"


def test_add_a_topology(tree: Path) -> None:
    paths = follow(section("Add a topology"), tree)
    assert len(paths) == 3
    run_python(tree, pytest_run("tests/board/test_topology.py", "-k", "knight or samples"))
    run_python(tree, command_run("play", "--board", "knight:8x8/10"))


def test_add_an_agent(tree: Path) -> None:
    paths = follow(section("Add an agent"), tree)
    assert len(paths) == 3
    run_python(tree, pytest_run("tests/agents/test_edge_first.py"))
    for agent in ("edge-first", "sat+fewest-neighbours"):
        run_python(tree, command_run("play", "--board", "beginner", "--agent", agent))
