"""The page as a text: escaped, self-contained, the same every time; its data as CSV."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mineproof.errors import LabError
from mineproof.lab.figures import Curve, Point, bars, curves
from mineproof.lab.figures.svg import saved_svg
from mineproof.lab.report import (
    Agreement,
    Claims,
    Estimate,
    Figure,
    Page,
    ReportClaim,
    Section,
    Strip,
    Table,
    Text,
    render,
    write_page,
)

HOSTILE = "<script>alert('x')</script>&\"]]>"


def figure(name: str = "figure", label: str = "score") -> str:
    points = tuple(Point(x, x / 10, x / 10 - 0.05, x / 10 + 0.05) for x in range(10))
    series = [Curve(label, points), Curve("published", points[:2], published=True)]
    return curves(name, f"A <figure> of {label}", series, x_label="x", y_label=label)


def page() -> Page:
    table = Table(
        "table",
        HOSTILE,
        ("agent", HOSTILE, "rate"),
        ((HOSTILE, 3, Estimate(0.5, 0.4, 0.6, True)), ("b", None, Estimate(0.25, 0.2, 0.3, True))),
        HOSTILE,
    )
    blocks = (
        Text(HOSTILE),
        table,
        Figure("figure", HOSTILE, figure(label=HOSTILE), table),
        Claims(HOSTILE, (ReportClaim(HOSTILE, Agreement.HOLDS, HOSTILE),)),
        Strip(HOSTILE, ((HOSTILE, '<svg xmlns="http://www.w3.org/2000/svg"/>'),)),
    )
    section = Section("000", HOSTILE, blocks, ((HOSTILE, HOSTILE, HOSTILE, Agreement.OPEN),))
    return Page(HOSTILE, (HOSTILE,), (section,), ((HOSTILE, HOSTILE),), ((HOSTILE, HOSTILE),))


def test_names_are_escaped() -> None:
    text = render(page())
    assert text.count("<script>") == 1
    assert "<script>alert" not in text


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = render(page())
    names = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert set(re.findall(r"https?://[^\s\"'<>)]+", text)) <= names
    for target in re.findall(r'(?:href|src)="([^"]*)"', text):
        assert target.startswith(("#", "data:"))


def test_the_same_report_is_the_same_text() -> None:
    assert render(page()) == render(page())


def test_ids_of_figures_do_not_meet() -> None:
    first = set(re.findall(r'\bid="([^"]+)"', figure("first")))
    second = set(re.findall(r'\bid="([^"]+)"', figure("second")))
    assert first
    assert not first & second
    used = set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", figure("first")))
    assert {name for pair in used for name in pair if name} <= first


@pytest.mark.parametrize("kind", ["curves", "bars"])
def test_figures_are_wellformed_and_take_the_colours_of_the_page(kind: str) -> None:
    points = (Point(0, 0.2, 0.1, 0.3), Point(1, 0.4))
    series = [Curve("a", points), Curve("theirs", points, published=True)]
    svg = (
        curves("f", "t", series, x_label="x", y_label="y", log=True)
        if kind == "curves"
        else bars("f", "t", ["one", "two"], series, y_label="y", percent=True, y_range=(0, 1))
    )
    root = ElementTree.fromstring(saved_svg(svg).split("\n", 1)[1])
    assert root.tag.endswith("svg")
    assert "var(--ink, #1b1f24)" in svg
    assert "var(--blue, #0072b2)" in svg
    assert "<style" not in svg
    assert ">theirs<" in svg


def test_an_estimate_takes_three_columns_of_csv() -> None:
    table = Table(
        "t", "t", ("agent", "rate"), (("a,b", Estimate(0.5, 0.4, 0.6, True)), ("c", None))
    )
    rows = list(csv.reader(io.StringIO(table.csv)))
    assert rows == [
        ["agent", "rate", "rate low", "rate high"],
        ["a,b", "0.5", "0.4", "0.6"],
        ["c", "", "", ""],
    ]


def test_the_page_and_its_files_are_written(tmp_path: Path) -> None:
    path = write_page(page(), tmp_path / "new")
    assert path.read_text(encoding="utf-8") == render(page())
    assert (tmp_path / "new" / "figures" / "figure.svg").exists()
    assert (tmp_path / "new" / "data" / "table.csv").exists()
    assert not list((tmp_path / "new").rglob("*.aside"))


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot be written"):
        write_page(page(), tmp_path / "file")
