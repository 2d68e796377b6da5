"""Every table and figure of the five reports again, beside what was published.

Here are the reproductions by number, and the page that shows them all.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version

import mineproof
from mineproof import kernel
from mineproof.lab.figures import check_matplotlib
from mineproof.lab.report import Page, Section
from mineproof.registry import Catalog
from mineproof.reports import report_0, report_1, report_2, report_3, report_4
from mineproof.reports.workshop import FULL, QUICK, Scale, Workshop

__all__ = ["FULL", "QUICK", "REPRODUCTIONS", "Scale", "Workshop", "reproduce"]

Reproduction = Callable[[Workshop], Section]

REPRODUCTIONS: Catalog[Reproduction] = Catalog("report")
REPRODUCTIONS.add("000", report_0.report)
REPRODUCTIONS.add("001", report_1.report)
REPRODUCTIONS.add("002", report_2.report)
REPRODUCTIONS.add("003", report_3.report)
REPRODUCTIONS.add("004", report_4.report)

_LIBRARIES = ("numpy", "python-sat", "duckdb", "matplotlib")


def reproduce(names: Sequence[str], workshop: Workshop, command: str) -> Page:
    """Run these reproductions. Raises UnknownName for another, and what the runner raises.

    `command` is the line that makes the same page again.
    """
    # Unknown names and a missing library are refused before hours of games, not after.
    chosen = [(name, REPRODUCTIONS[name]) for name in names]
    check_matplotlib()
    sections = tuple(reproduction(workshop) for _, reproduction in chosen)
    return Page(
        "Five Minesweeper reports, reproduced",
        (
            "Five student reports on Minesweeper inference, played again by mineproof: what each"
            f" asks, what it found, and what comes out here. {_scale_text(workshop)}",
        ),
        sections,
        (
            ("command", command),
            ("mineproof", f"{mineproof.__version__} ({kernel.describe()})"),
            ("Python", f"{platform.python_version()} on {sys.platform}"),
            *((name, _version(name)) for name in _LIBRARIES),
            ("scale", workshop.scale.name),
            ("seed", str(workshop.seed)),
            (
                "games",
                "the rows of every experiment are Parquet files in the folder games beside this"
                " page; mineproof sql reads them",
            ),
        ),
        tuple(workshop.specs),
    )


def _scale_text(workshop: Workshop) -> str:
    given = [
        f"the {what} of the given file beside ours"
        for what, some in (("worlds", workshop.worlds), ("puzzles", workshop.puzzles))
        if some
    ]
    files = f" It has {' and '.join(given)}." if given else ""
    if workshop.scale.in_full:
        return f"The full run: at least as many games as the reports played.{files}"
    return (
        "The quick run: as many games as decide each claim nine times in ten; --full plays at least"
        f" as many as the reports did.{files}"
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
