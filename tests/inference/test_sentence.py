"""The knowledge base as a sentence: read back, it has exactly the solutions of the position."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import given, settings

from mineproof.inference.enumerate import enumerate_layouts
from mineproof.inference.logics.sentence import UNICODE_SIGNS, sentence
from mineproof.testing import strategies
from mineproof.view.view import View


def holds(formula: str, mines: set[str], hidden: int) -> bool:
    """What a reader makes of a formula: disjunctions of conjunctions of literals, or numbers."""
    if formula in ("true", "false"):
        return formula == "true"
    if found := re.fullmatch(rf"exactly (\d+) of the {hidden} hidden cells", formula):
        return len(mines) == int(found[1])
    if found := re.fullmatch(r"(?:exactly (\d+)|(\d+) to (\d+)) of \{(.*)\}", formula):
        count = sum(cell in mines for cell in re.findall(r"M\[([\d,]+)\]", found[4]))
        low, high = (found[1], found[1]) if found[1] else (found[2], found[3])
        return int(low) <= count <= int(high)
    return any(
        all(literal_holds(literal, mines) for literal in way.strip("()").split(" & "))
        for way in formula.split(" | ")
    )


def literal_holds(literal: str, mines: set[str]) -> bool:
    found = re.fullmatch(r"(~?)M\[([\d,]+)\]", literal)
    assert found, literal
    return (found[2] in mines) != bool(found[1])


@settings(max_examples=60)
@given(strategies.views(clues=["exact"]))
def test_the_sentence_has_the_solutions_of_the_position(view: View) -> None:
    hidden = list(view.hidden)
    # Where the total is unknown, what is dealt may rule layouts out, which no clue says.
    dealt = view.total is not None or view.density not in (None, 0, 1)
    if len(hidden) > 14 or not dealt:
        return
    name = view.topology.cell_name
    lines = [line.formula for line in sentence(view)]
    found = {
        frozenset(chosen)
        for size in range(len(hidden) + 1)
        for chosen in combinations(hidden, size)
        if all(holds(line, {name(cell) for cell in chosen}, len(hidden)) for line in lines)
    }
    assert found == {mines for mines, _ in enumerate_layouts(view)}


def test_how_it_is_written() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    assert [str(line) for line in sentence(view)] == [
        "the 1 at 0,0: M[0,1]",
        "the 1 at 1,0: M[0,1]",
        "the 2 at 1,1: (M[0,1] & M[0,2] & ~M[1,2] & ~M[2,2]) | (M[0,1] & ~M[0,2] & M[1,2] &"
        " ~M[2,2]) | (M[0,1] & ~M[0,2] & ~M[1,2] & M[2,2]) | (~M[0,1] & M[0,2] & M[1,2] & ~M[2,2])"
        " | (~M[0,1] & M[0,2] & ~M[1,2] & M[2,2]) | (~M[0,1] & ~M[0,2] & M[1,2] & M[2,2])",
        "the 1 at 2,1: (M[1,2] & ~M[2,2]) | (~M[1,2] & M[2,2])",
        "the total of 2: exactly 2 of {M[0,1], M[0,2], M[1,2], M[2,2]}",
    ]
    last = list(sentence(view, UNICODE_SIGNS))[3].formula
    assert last == "(M[1,2] \u2227 \u00acM[2,2]) \u2228 (\u00acM[1,2] \u2227 M[2,2])"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("square 2x2 mines=1\n0.\n..", "the 0 at 0,0: ~M[0,1] & ~M[1,0] & ~M[1,1]"),
        ("square 1x3 mines=1\n10.", "the 1 at 0,0: false"),
        ("square 1x3 mines=1\n0*.", "the 0 at 0,0: false"),
        ("square 3x3 mines=3\n...\n.3.\n...", "the 3 at 1,1: exactly 3 of {M[0,0], M[0,1],"),
        (
            "square 1x3 mines=unknown density=0.2 clues=optimistic\n.1.",
            "the 1 at 0,1: (M[0,0] & ~M[0,2]) | (~M[0,0] & M[0,2]) | (M[0,0] & M[0,2])",
        ),
        ("square 1x3 mines=unknown density=0.2 clues=optimistic\n.0.", "the 0 at 0,1: true"),
        ("cube 1x2x2 mines=1\n1.\n..", "the 1 at 0,0,0: (M[0,0,1] & ~M[0,1,0] & ~M[0,1,1])"),
        ("square 6x6 mines=9\n" + "......\n" * 6, "the total of 9: exactly 9 of the 36 hidden"),
        ("square 1x3 mines=1\n**.", "the total of 1: false"),
    ],
)
def test_other_lines(text: str, said: str) -> None:
    assert any(str(line).startswith(said) for line in sentence(View.parse(text)))


def test_flags_count_where_they_are_trusted() -> None:
    view = View.parse("square 1x3 mines=1\nF1.")
    assert "the flag at 0,0: M[0,0]" in map(str, sentence(view, trust_flags=True))
    assert not any("flag" in str(line) for line in sentence(view))


def test_it_stays_small() -> None:
    rows = "\n".join("." * 30 if row % 2 else ".3" * 15 for row in range(16))
    text = "\n".join(map(str, sentence(View.parse(f"square 16x30 mines=99\n{rows}"))))
    assert max(map(len, text.splitlines())) < 400
