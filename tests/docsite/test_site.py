"""The site of the docs: every page, name, command and endpoint; its notebooks; the start page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import mineproof
from mineproof.cli.main import COMMANDS, run
from mineproof.web.answers import SCHEMAS
from mineproof.web.api import ENDPOINTS
from tests.core import needs_core
from tools.docsite.checking import complaints
from tools.docsite.command_page import command_page
from tools.docsite.console import BLOCK, steps
from tools.docsite.endpoint_page import endpoint_page
from tools.docsite.navigation import REST, SECTIONS, listed, navigation
from tools.docsite.notebook_page import notebook_page, run_notebook
from tools.docsite.staging import ELSEWHERE, ROOT

# --------------------------------------------------------------------------- what make docs builds


DOCS = ROOT / "docs"
MADE = {"http.md"}
"""Pages that no file holds."""


def test_no_page_has_two_places() -> None:
    pages = [page for own in SECTIONS.values() for page in own]
    assert len(pages) == len(set(pages))


def test_every_listed_page_is_there() -> None:
    sources = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    there = {path.relative_to(DOCS).with_suffix(".md").as_posix() for path in sources}
    there |= set(ELSEWHERE.values()) | MADE
    assert listed() <= there


def test_a_new_page_stands_in_the_guides() -> None:
    found = navigation(["index.md", "coach.md", "zebra.md"])
    assert found == {"Start": ["index.md"], REST: ["coach.md", "zebra.md"]}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_options_of_its_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = command_page((DOCS / "commands.md").read_text(encoding="utf-8"))
    section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert f"`mineproof {name}" in section
    assert run([name, "--help"]) == 0
    options = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", capsys.readouterr().out, re.MULTILINE))
    assert "--help" in options
    assert options <= set(re.findall(r"--[\w-]+", section))


def test_every_endpoint_and_answer_has_its_section() -> None:
    page = endpoint_page()
    for endpoint in ENDPOINTS:
        assert f"\n## {endpoint.method} {endpoint.path}\n" in page
        for field in endpoint.fields:
            assert f"| `{field.name}` |" in page
    for name in SCHEMAS:
        assert f"\n### {name}\n" in page


@needs_core
class TestBuilt:
    def test_every_page_is_built_and_in_the_navigation(self, site: Path) -> None:
        start = (site / "index.html").read_text(encoding="utf-8")
        for path in DOCS.rglob("*.md"):
            place = path.relative_to(DOCS).with_suffix(".html").as_posix()
            assert (site / place).is_file()
            assert re.search(rf'href="(?:\./)?{re.escape(place)}"', start), f"{place} has no link"

    def test_search_knows_every_exported_name(self, site: Path) -> None:
        items = json.loads((site / "search.json").read_text(encoding="utf-8"))["items"]
        titles = {re.sub(r"<.*?>", "", item["title"]) for item in items}
        assert set(mineproof.__all__) <= titles

    def test_a_broken_site_is_complained_of(self, tmp_path: Path) -> None:
        (tmp_path / "index.html").write_text(
            '<h1 id="top">x</h1><a href="#nowhere">a</a><a href="gone.html">b</a>'
            '<a href="#top">c</a><a href="https://example.org/">d</a>'
            '<script src="https://example.org/x.js"></script><img src="lost.svg">'
            '<link rel="stylesheet" href="//example.org/y.css">'
        )
        assert [line.split(" ", 1)[1] for line in complaints(tmp_path)] == [
            "fetches https://example.org/x.js",
            "needs lost.svg, which is not there",
            "fetches //example.org/y.css",
            "links to #nowhere, which has no such anchor",
            "links to gone.html, which is not there",
        ]


# ----------------------------------------------------------------------------------- the notebooks


NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_two() -> None:
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(ids) == len(set(ids))


@needs_core
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_draws(path: Path) -> None:
    cells = list(run_notebook(path))
    assert cells[0].kind == "markdown"
    assert sum(cell.drawn is not None for cell in cells) >= 3


def test_a_page_has_what_cells_print_and_show(tmp_path: Path) -> None:
    class_cell = "class Drawn:\n    def _repr_svg_(self):\n        return '<svg/>'\nDrawn()"
    cells = [
        {"cell_type": "markdown", "source": ["# A title"]},
        {"cell_type": "code", "source": ["print('said')\n", "6 * 7"]},
        {"cell_type": "code", "source": [class_cell]},
    ]
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    page = notebook_page(path, tmp_path / "pictures")
    assert page.startswith(
        "# A title\n\n```python\nprint('said')\n6 * 7\n```\n\n```text\nsaid\n```"
    )
    assert "```text\n42\n```" in page
    assert "![What the cell shows](one-2.svg)" in page
    assert (tmp_path / "pictures" / "one-2.svg").read_text() == "<svg/>"


# ------------------------------------------------------- the start page and the README, as printed


FIRST = ("README.md", "docs/index.md", "docs/tutorials/solve.md")
LINES = [
    (page, command)
    for page in FIRST
    for block in BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    for command, _ in steps(block[1])
]


@pytest.mark.parametrize("page", FIRST)
def test_a_first_page_shows_what_its_commands_print(page: str) -> None:
    found = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    said = [text for block in found for _, text in steps(block[1])]
    assert len(said) >= 2
    assert all(said)


@needs_core
@pytest.mark.parametrize(("page", "line"), LINES)
def test_a_command_of_a_first_page(page: str, line: str, tmp_path: Path) -> None:
    """Away from the repository: whoever installed a wheel has no examples."""
    folder = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-ec", f"set -o pipefail; {line}"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_readme_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "\nmake run " in readme
    assert "\nmake test " in readme
    assert "docs/pictures/game.svg" in readme


# -------------------------------------------------- the version, the citation, the issue templates


TEMPLATES = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
FORMS = [path for path in TEMPLATES if path.stem != "config"]
KINDS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}


def test_the_version_has_its_changes_and_the_citation_its_day() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(r"^## \[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", changes, re.MULTILINE)
    assert found
    assert found[1] == mineproof.__version__
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == found[1]
    assert str(citation["date-released"]) == found[2]
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)


def test_there_are_templates_for_what_people_come_with() -> None:
    assert {path.stem for path in FORMS} >= {"wrong-answer", "bug", "idea"}


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_template_is_a_form(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(form) <= {"name", "description", "labels", "body"}
    ids = [field["id"] for field in form["body"] if field["type"] != "markdown"]
    assert len(ids) == len(set(ids))
    for field in form["body"]:
        assert field["type"] in KINDS
        assert field["attributes"].get("label") or field["attributes"].get("value")
    assert any(field.get("validations", {}).get("required") for field in form["body"])


def test_the_promised_exit_statuses_are_those_of_the_table() -> None:
    promised = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| exit statuses \| .*?: ([\d, ]+) \|$", promised, re.MULTILINE)
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| (\d+) \|", page.partition("## Exit status")[2], re.MULTILINE)
    assert row.split(", ") == told


def test_pages_for_people_are_there() -> None:
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md", "LICENSE", "CITATION.cff"):
        assert len((ROOT / name).read_text(encoding="utf-8")) > 300
