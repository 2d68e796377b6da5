"""`make docs`: one site, without a warning, with every page, name, command and endpoint in it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import mineproof
from mineproof.surfaces.cli.main import COMMANDS, run
from mineproof.surfaces.web.openapi import ENDPOINTS
from mineproof.surfaces.web.schemas import SCHEMAS
from tests.core import needs_core
from tools.docsite.checking import complaints
from tools.docsite.command_page import command_page
from tools.docsite.endpoint_page import endpoint_page
from tools.docsite.navigation import REST, SECTIONS, listed, navigation
from tools.docsite.staging import ELSEWHERE, ROOT

DOCS = ROOT / "docs"
MADE = {"command-options.md", "http.md"}
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
    section = command_page().partition(f"\n## {name}\n")[2].partition("\n## ")[0]
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
