"""The order of the site's pages: tutorials, guides, explanation, reference, results, project.

A page under docs/ that is not listed here is not lost: it stands at the end of the guides.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

__all__ = ["REST", "SECTIONS", "listed", "navigation", "toml"]

REST = "Guides"
"""The section of pages that are not listed."""

SECTIONS: dict[str, tuple[str, ...]] = {
    "Start": ("index.md", "install.md"),
    "Tutorials": (
        "tutorials/solve.md",
        "tutorials/agent.md",
        "tutorials/cluster.md",
        "tutorials/learner.md",
        "notebooks/positions.md",
        "notebooks/comparisons.md",
    ),
    "Guides": (
        "coach.md",
        "replays.md",
        "reading-pictures.md",
        "patterns.md",
        "no-guess.md",
        "advice.md",
        "games.md",
        "laboratory.md",
        "environment.md",
        "language-models.md",
        "notebooks.md",
        "javascript.md",
        "puzzles.md",
    ),
    "Teaching": ("courses.md", "teaching.md"),
    "Explanation": (
        "concepts.md",
        "counting.md",
        "proofs.md",
        "champion.md",
        "uncertain-clues.md",
        "chains.md",
    ),
    "Reference": ("reference.md", "commands.md", "http.md", "compatibility.md", "glossary.md"),
    "Results": ("leaderboard.md", "gallery.md", "benchmarks.md", "reports.md"),
    "Project": (
        "architecture.md",
        "changelog.md",
        "contributing.md",
        "security.md",
        "code-of-conduct.md",
    ),
}


def listed() -> set[str]:
    """Every page that has a place of its own."""
    return {page for pages in SECTIONS.values() for page in pages}


def navigation(pages: Iterable[str]) -> dict[str, list[str]]:
    """The sections with those of their pages that are there, and all others in their place."""
    there = set(pages)
    sections = {name: [page for page in own if page in there] for name, own in SECTIONS.items()}
    sections[REST] += sorted(there - listed())
    return {name: own for name, own in sections.items() if own}


def toml(pages: Iterable[str]) -> str:
    """The navigation as Zensical reads it: an array of tables, pages named by their headings."""
    return "nav = [\n" + "".join(f"  {line},\n" for line in _lines(navigation(pages))) + "]\n"


def _lines(sections: dict[str, list[str]]) -> Iterator[str]:
    for name, pages in sections.items():
        yield f"{{ {json.dumps(name)} = {json.dumps(pages)} }}"
