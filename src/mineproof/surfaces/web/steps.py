"""The sentences of a proof one by one, each with the cells it speaks of.

Sentences name a premise as `the 2 at 3,4` and cells by their coordinates, so that the board can
light up what is being said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mineproof.board.topology import Topology, parse_coordinates
from mineproof.errors import InputError

__all__ = ["steps_json"]

_END = re.compile(r"(?<=[.:])\s+(?=[A-Z(\-])|\n")
_NAMES = r"\d+(?:,\d+)*(?:(?: and| or)? \d+(?:,\d+)+)*"
_PREMISE = re.compile(r"\b[Tt]he (?:\d+|open cell) at (\d+(?:,\d+)*)")
_PLACE = re.compile(r"\d+(?:,\d+)+")
_CONCLUSION = re.compile(
    rf"(?:\bso |^So |: )(?P<cells>{_NAMES}) (?:is|are) (?P<what>a mine|mines|safe)\b"
)
_SUPPOSED = re.compile(r"^[\s-]*(?:Suppose|If) ")
_CASES = "case split"


def steps_json(text: str, technique: str, topology: Topology) -> list[dict[str, Any]]:
    """The steps of a proof's text; inside a supposition nothing is concluded for good."""
    sentences = list(_sentences(text))
    steps = []
    for place, sentence in enumerate(sentences):
        supposed = technique == _CASES and place < len(sentences) - 1
        cells = _cells(sentence, topology)
        premises = _found(_PREMISE.findall(sentence), topology)
        steps.append(
            {
                "text": sentence.strip(),
                "depth": _depth(sentence),
                "premises": premises,
                "cells": [cell for cell in cells if cell not in premises],
                "concludes": [] if supposed else _concluded(sentence, topology),
            }
        )
    return steps


def _sentences(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        for part in _END.split(line.strip()):
            if part.strip():
                yield indent + part.strip()


def _depth(sentence: str) -> int:
    """How many suppositions deep a line of cases stands."""
    return (len(sentence) - len(sentence.lstrip())) // 2


def _cells(sentence: str, topology: Topology) -> list[int]:
    return _found(_PLACE.findall(sentence), topology)


def _concluded(sentence: str, topology: Topology) -> list[list[int | str]]:
    if _SUPPOSED.match(sentence) and ", so " not in sentence:
        return []
    found: list[list[int | str]] = []
    for match in _CONCLUSION.finditer(sentence):
        what = "safe" if match["what"] == "safe" else "mine"
        names = re.findall(r"\d+(?:,\d+)*", match["cells"])
        found += [[cell, what] for cell in _found(names, topology)]
    return found


def _found(names: list[str], topology: Topology) -> list[int]:
    """The cells that some names stand for, each once."""
    cells: dict[int, None] = {}
    for name in names:
        try:
            cells[topology.cell(parse_coordinates(name))] = None
        except InputError:
            continue
    return list(cells)
