"""The pages about the project: the version and its changes, the citation, the issue templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import mineproof
from tools.docsite.staging import ROOT

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
