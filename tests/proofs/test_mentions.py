"""Phrases of a proof's sentences know which cells they speak of."""

from __future__ import annotations

import re

import pytest

import mineproof as mp
from mineproof.proofs.mentions import Mentioned
from mineproof.proofs.numbers import number_word
from mineproof.proofs.proof import Proof
from mineproof.proofs.steps import ProofStep
from mineproof.view import View
from tests.proofs.positions import BOARDS, random_view

NAME = re.compile(r"\d+(?:,\d+)+")
COUNTED = re.compile(r"(?:the|these) (\w+) (?:\w+ )?(?:cells|clues)")


def steps_of(view: View) -> list[ProofStep]:
    return [step for proof in mp.explain_all(view).proofs for step in proof.steps]


@pytest.mark.parametrize("board", [name for name in BOARDS if name != "graph"])
def test_every_named_cell_lies_in_the_phrase_that_names_it(board: str) -> None:
    named = counted = 0
    for seed in range(12):
        view = random_view(BOARDS[board], "exact", seed)
        for step in steps_of(view):
            spoken = {*step.cells, *view.opened}
            covered = [False] * len(step.sentence)
            for mention in step.mentions:
                phrase = step.sentence[mention.start : mention.end]
                assert set(mention.cells) <= spoken or "other" in phrase or "touches" in phrase
                covered[mention.start : mention.end] = [True] * len(phrase)
                names = {
                    view.topology.cell(tuple(map(int, n.split(",")))) for n in NAME.findall(phrase)
                }
                if "around" not in phrase:
                    assert names <= set(mention.cells)
                if names and "cells" not in phrase:
                    assert names == set(mention.cells)
                    named += 1
                many = COUNTED.match(phrase.lower())
                if many and "around" not in phrase:
                    assert many[1] == number_word(len(mention.cells))
                    counted += 1
            # No cell is named outside of a phrase.
            for match in NAME.finditer(step.sentence):
                assert all(covered[match.start() : match.end()]), step.sentence
    assert named


def test_a_name_within_another_is_not_found() -> None:
    mentioned = Mentioned()
    mentioned.note("0,1", [1])
    mentioned.note("the 1 at 10,15", [315])
    (found,) = mentioned.within("The 1 at 10,15 touches 10,14.", [315, 314])
    assert (found.start, found.end, found.cells) == (0, 14, (315,))


def test_of_two_sets_called_alike_the_one_of_the_step_is_meant() -> None:
    mentioned = Mentioned()
    for cells in ([1, 2], [5, 6]):
        mentioned.note("two hidden cells", cells)
    (found,) = mentioned.within("A mine lies in two hidden cells.", [1, 2, 3])
    assert found.cells == (1, 2)


def test_the_summary_says_what_is_proved_and_from_how_much() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    proof = mp.explain(view, (0, 2))
    assert isinstance(proof, Proof)
    assert proof.summary.startswith("0,2 is safe: ")
    assert proof.summary.endswith("from three clues; no fewer do.")
