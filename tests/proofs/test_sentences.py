"""Steps follow from what they rest on, and their sentences say which cells they mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings

import mineproof as mp
from mineproof.board.lattices import LATTICES
from mineproof.errors import InconsistentPosition
from mineproof.proofs.checker import check_proof
from mineproof.proofs.explanation import explain, explain_all, explain_clash
from mineproof.proofs.premises import Evidence
from mineproof.proofs.proof import (
    Claim,
    Conclusion,
    MentionIndex,
    Proof,
    ProofStep,
    StepKind,
    certain_conclusion,
    steps_text,
)
from mineproof.proofs.sentences import region_phrase, untouched_cells
from mineproof.proofs.techniques import Ladder
from mineproof.testing.strategies import views
from mineproof.text import number_word
from mineproof.view import View
from tests.proofs.positions import BOARDS, CHANNELS, random_view

# ----------------------------------------------------------------------------
# Steps follow from what they rest on, by brute force; the checker refuses any that does not.

MOST_BRUTE = 18
MOST_NAMED = 8
NAME = re.compile(r"(?<![\d,])\d+(?:,\d+)+")


def reads(view: View) -> dict[int | None, tuple[tuple[int, ...], int]]:
    return {one.clue: (one.cells, one.allowed) for one in Evidence(view).premises}


def sum_of(conclusion: Conclusion) -> tuple[tuple[int, ...], int]:
    return conclusion.cells, sum(1 << count for count in conclusion.counts)


def above(proof: Proof, number: int) -> tuple[int, ...]:
    step = proof.steps[number - 1]
    return (*step.under, number) if step.kind.assumes else step.under


def follows(proof: Proof, step: ProofStep, view: View) -> bool | None:
    """Whether every layout of a step's cells that meets what it rests on meets what it concludes.

    Suppositions it stands under are met too; those a contradiction stood under are not all met.
    None where there are too many layouts.
    """
    told = reads(view)
    if step.kind.assumes:
        return True
    sums = [told[clue] for clue in step.clues] + ([told[None]] if step.uses_total else [])
    clauses: list[list[tuple[int, bool]]] = []
    for number in step.rests_on:
        earlier = proof.steps[number - 1]
        beyond = [one for one in above(proof, number) if one not in step.under]
        if beyond:
            assert earlier.contradicts
            clauses.append([*(pair for n in beyond for pair in proof.steps[n - 1].decides.items())])
        else:
            sums += map(sum_of, earlier.conclusions)
    wanted = list(map(sum_of, step.conclusions))
    cells = sorted(
        {cell for some, _ in (*sums, *wanted) for cell in some}
        | {cell for clause in clauses for cell, _ in clause}
    )
    if len(cells) > MOST_BRUTE:
        return None
    for values in product((False, True), repeat=len(cells)):
        mines = {cell for cell, mine in zip(cells, values, strict=True) if mine}

        def meets(some: list[tuple[tuple[int, ...], int]], mines: set[int] = mines) -> bool:
            return all(allowed >> len(mines.intersection(of)) & 1 for of, allowed in some)

        free = all(any((cell in mines) is not mine for cell, mine in one) for one in clauses)
        if free and meets(sums) and not meets(wanted):
            return False
    return True


def check_steps(proof: Proof, view: View) -> int:
    """Every step of a proof follows; how many were tried by brute force."""
    assert check_proof(proof, view), (view.text, proof)
    assert proof.text == steps_text(proof.steps)
    hidden = set(view.hidden)
    tried = 0
    for number, step in enumerate(proof.steps, 1):
        sound = follows(proof, step, view)
        assert sound is not False, (view.text, number, str(proof))
        tried += sound is not None
        assert set(step.clues) <= set(proof.clues)
        assert step.sentence
        assert set(step.cells) <= hidden
        assert {cell for one in step.conclusions for cell in one.cells} <= set(step.cells)
        if view.topology.name != "graph":
            assert len(NAME.findall(step.sentence)) <= MOST_NAMED, step.sentence
    last = proof.steps[-1]
    assert not last.under
    if proof.cell is None:
        assert last.contradicts
    else:
        assert last.decides[proof.cell] is (proof.claim is Claim.MINE)
    assert {clue for step in proof.steps for clue in step.clues} == set(proof.clues)
    assert any(step.uses_total for step in proof.steps) == proof.uses_total
    return tried


@pytest.mark.parametrize("name", LATTICES)
def test_steps_follow_on_every_topology(name: str) -> None:
    tried = 0
    for seed in range(6):
        view = random_view(BOARDS[name], "exact", seed)
        tried += sum(check_steps(proof, view) for proof in explain_all(view).proofs)
    assert tried > 20


@pytest.mark.parametrize("clues", CHANNELS)
def test_steps_follow_with_every_channel(clues: str) -> None:
    tried = 0
    for board in ("square:4x5", "hex:4x4"):
        for seed in range(4):
            view = random_view(board, clues, seed)
            tried += sum(check_steps(proof, view) for proof in explain_all(view).proofs)
    assert tried


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(views())
def test_steps_follow_in_any_position_of_a_game(view: View) -> None:
    try:
        mp.analyze(view)
    except InconsistentPosition:
        clash = explain_clash(view)
        assert clash is not None
        check_steps(clash, view)
        return
    for proof in explain_all(view).proofs:
        check_steps(proof, view)


def samples() -> Iterator[tuple[View, Proof]]:
    """Proofs of every rung of the ladder."""
    for board in ("square:5x5", "torus:5x5", "hexagon:3", "cube:2x3x3"):
        for seed in range(12):
            view = random_view(board, "exact", seed)
            for proof in explain_all(view).proofs:
                if proof.size > 1:
                    yield view, proof


def exchanged(proof: Proof, number: int, step: ProofStep) -> Proof:
    """A proof with another step in a place."""
    return replace(proof, steps=(*proof.steps[: number - 1], step, *proof.steps[number:]))


def damaged(step: ProofStep) -> Iterator[ProofStep]:
    """A step that says something else, or rests on less."""
    for place, conclusion in enumerate(step.conclusions):
        others = [n for n in range(len(conclusion.cells) + 1) if n not in conclusion.counts]
        for counts in (tuple(others), conclusion.counts[1:]):
            changed = replace(conclusion, counts=counts)
            rest = step.conclusions[place + 1 :]
            yield replace(step, conclusions=(*step.conclusions[:place], changed, *rest))
    for place in range(len(step.clues)):
        yield replace(step, clues=(*step.clues[:place], *step.clues[place + 1 :]))
    for place in range(len(step.rests_on)):
        yield replace(step, rests_on=(*step.rests_on[:place], *step.rests_on[place + 1 :]))
    if step.uses_total:
        yield replace(step, uses_total=False)


def test_the_checker_refuses_a_broken_step_and_nothing_else() -> None:
    """It agrees with brute force on every step that was damaged, and names the step.

    A step may still follow; then one that rests on it may not.
    """
    rungs: Counter[Ladder] = Counter()
    tried = 0
    for view, proof in samples():
        for number, step in enumerate(proof.steps, 1):
            for other in () if step.kind.assumes else damaged(step):
                tried += 1
                changed = exchanged(proof, number, other)
                found, sound = check_proof(changed, view), follows(changed, other, view)
                if found:
                    assert sound is not False, (view.text, number, str(proof))
                    continue
                rungs[proof.technique.rung] += 1
                named = re.match(r"step (\d+) ", found.reason)
                assert named is not None, found.reason
                assert int(named[1]) >= number
                if found.reason == f"step {number} does not follow from what it rests on":
                    assert sound is not True, (view.text, number, str(proof))
    assert set(rungs) == {*Ladder} - {Ladder.SINGLE_CLUE}
    assert tried > rungs.total() > 0.8 * tried


def test_the_opposite_supposition_is_refused() -> None:
    seen = 0
    for view, proof in samples():
        first = proof.steps[0]
        if first.kind is StepKind.SUPPOSITION:
            seen += 1
            ((cell, mine),) = first.decides.items()
            other = replace(first, conclusions=(certain_conclusion([cell], not mine),))
            assert re.match(r"step \d+ ", check_proof(exchanged(proof, 1, other), view).reason)
            assert not check_proof(exchanged(proof, 1, other), view)
    assert seen


EXAMPLE = View.parse("square 3x3 mines=2\n1..\n12.\n01.")


@pytest.mark.parametrize(
    ("number", "change", "reason"),
    [
        (1, {"conclusions": (Conclusion((1,), (0,)),)}, "step 1 does not follow"),
        (2, {"conclusions": (Conclusion((5, 8), (0, 2)),)}, "step 2 does not follow"),
        (2, {"conclusions": (Conclusion((5, 8), (3,)),)}, "step 2 counts more mines"),
        (2, {"conclusions": ()}, "step 2 concludes nothing"),
        (2, {"conclusions": (Conclusion((5, 5), (1,)),)}, "step 2 names a cell twice"),
        (3, {"rests_on": (1,)}, "step 3 does not follow"),
        (3, {"rests_on": (1, 3)}, "step 3 names a step that does not come before"),
        (3, {"rests_on": (0,)}, "step 3 names a step that does not come before"),
        (3, {"clues": (8,)}, "step 3 rests on what is no premise"),
        (3, {"uses_total": True}, "step 3 rests on what is no premise"),
        (3, {"cells": (0, 1, 2)}, "step 3 speaks of an open cell"),
        (3, {"cells": (1,)}, "step 3 concludes something of a cell it does not speak of"),
        (3, {"under": (1,)}, "step 3 does not stand under step 1"),
        (3, {"conclusions": (Conclusion((5, 8), (1,)),)}, "step 3 is the last and does not say"),
        (1, {"kind": StepKind.SUPPOSITION}, "step 1 supposes something else"),
    ],
)
def test_reasons(number: int, change: dict[str, object], reason: str) -> None:
    proof = explain(EXAMPLE, 2)
    assert isinstance(proof, Proof)
    step = replace(proof.steps[number - 1], **change)
    found = check_proof(exchanged(proof, number, step), EXAMPLE)
    assert not found
    assert found.reason.startswith(reason)


def test_a_supposition_does_not_leave_its_case() -> None:
    """What holds in a case is no news outside of it."""
    proof = explain(EXAMPLE, 2)
    assert isinstance(proof, Proof)
    supposed = ProofStep(
        "", kind=StepKind.SUPPOSITION, cells=(2,), conclusions=(certain_conclusion([2], False),)
    )
    outside = ProofStep(
        "", rests_on=(1,), cells=(2,), conclusions=(certain_conclusion([2], False),)
    )
    found = check_proof(replace(proof, steps=(supposed, outside)), EXAMPLE)
    assert found.reason == "step 2 rests on step 1, which holds only in a case of its own"
    inside = replace(outside, under=(1,))
    found = check_proof(replace(proof, steps=(supposed, inside)), EXAMPLE)
    assert found.reason == "step 2 is the last and does not say the claim"


def test_a_case_that_is_left_out_is_missed() -> None:
    seen = 0
    for view, proof in samples():
        last = proof.steps[-1]
        if proof.technique.rung is Ladder.CASE_SPLIT and len(last.rests_on) > 1:
            seen += 1
            for dropped in last.rests_on:
                fewer = tuple(number for number in last.rests_on if number != dropped)
                steps = (*proof.steps[:-1], replace(last, rests_on=fewer))
                found = check_proof(replace(proof, steps=steps), view)
                assert found.reason == f"step {len(steps)} does not follow from what it rests on"
    assert seen


# ----------------------------------------------------------------------------
# Phrases of a proof's sentences know which cells they speak of.

NAMED_CELL = re.compile(r"\d+(?:,\d+)+")
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
                    view.topology.cell(tuple(map(int, n.split(","))))
                    for n in NAMED_CELL.findall(phrase)
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
            for match in NAMED_CELL.finditer(step.sentence):
                assert all(covered[match.start() : match.end()]), step.sentence
    assert named


def test_a_name_within_another_is_not_found() -> None:
    mentioned = MentionIndex()
    mentioned.note("0,1", [1])
    mentioned.note("the 1 at 10,15", [315])
    (found,) = mentioned.within("The 1 at 10,15 touches 10,14.", [315, 314])
    assert (found.start, found.end, found.cells) == (0, 14, (315,))


def test_of_two_sets_called_alike_the_one_of_the_step_is_meant() -> None:
    mentioned = MentionIndex()
    for cells in ([1, 2], [5, 6]):
        mentioned.note("two hidden cells", cells)
    (found,) = mentioned.within("A mine lies in two hidden cells.", [1, 2, 3])
    assert found.cells == (1, 2)


def test_the_summary_says_what_is_proved_and_from_how_much() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    proof = mp.explain(view, (0, 2))
    assert isinstance(proof, Proof)
    assert proof.summary.startswith("0,2 is safe. Shortest proof: ")
    assert proof.summary.endswith(", 3 clues.")


# ----------------------------------------------------------------------------
# What many cells are called: true on any board, and more exact where coordinates allow it.

BOARD = """square 5x9 mines=9
.........
.1.......
......2..
...0.....
........."""
HIDDEN_EDGES = "square 4x9 mines=9\n.........\n111111111\n000000000\n11.......\n"


@pytest.mark.parametrize(
    ("text", "cells", "said"),
    [
        (BOARD, range(36, 45), "the nine cells of the bottom edge"),
        (BOARD, range(9), "the nine cells of the top edge"),
        (BOARD, range(36, 43), "seven cells of the bottom edge"),
        (BOARD, [9, *range(11, 18)], "the eight hidden cells of row 1"),
        (BOARD, range(0, 45, 9), "the five cells of the left edge"),
        (BOARD, range(8, 45, 9), "the five cells of the right edge"),
        (BOARD, range(2, 45, 9), "the five cells of column 2"),
        (BOARD, [0, 1, 2, 9, 11, 18, 19, 20], "the eight cells around 1,1"),
        (
            BOARD,
            [0, 1, 2, 9, 11, 18, 19, 20, 14, 15, 16, 23, 25, 32, 33, 34],
            "the 16 cells around 1,1 and 2,6",
        ),
        (BOARD, [0, 1, 2, 9, 11, 18, 19], "seven of the cells around 1,1"),
        (BOARD, [0, 44, 20, 11, 39, 17, 3], "seven hidden cells"),
        (HIDDEN_EDGES, range(9), "the nine cells of the top edge"),
        (HIDDEN_EDGES, range(29, 36), "the seven hidden cells of the bottom edge"),
        (HIDDEN_EDGES, [*range(9), *range(29, 36)], "the 16 hidden cells"),
        (HIDDEN_EDGES.replace("square", "torus"), range(9), "the nine cells of row 0"),
        (
            "cube 2x3x3 mines=4\n...\n.1.\n...\n\n...\n...\n...",
            range(9, 18),
            "the nine cells of layer 1",
        ),
        (
            "graph 0-1,0-2,0-3,0-4,0-5,0-6,0-7,8-9 mines=2\n1.........",
            range(1, 8),
            "the seven cells around 0",
        ),
        (
            "graph 0-1,1-2,3-4,4-5,5-6 mines=2\n1......",
            [2, 3, 4, 5, 6],
            "the five cells that no clue touches",
        ),
        ("square 1x12 mines=2\n............", range(12), "the 12 hidden cells"),
    ],
)
def test_regions(text: str, cells: list[int], said: str) -> None:
    assert region_phrase(View.parse(text), list(cells)) == said


@pytest.mark.parametrize("name", LATTICES)
def test_what_no_clue_touches(name: str) -> None:
    for seed in range(12):
        view = random_view(BOARDS[name], "exact", seed)
        touched = {near for cell, _ in view.clues for near in view.topology.neighbours(cell)}
        assert untouched_cells(view) == set(view.hidden) - touched


def test_a_region_stands_in_a_sentence_and_its_cells_in_the_data() -> None:
    view = View.parse("cube 3x3x3 mines=unknown\n...\n.1.\n...\n\n...\n1..\n...\n\n...\n0..\n...")
    told = [step for proof in explain_all(view).proofs for step in proof.steps]
    among = [step for step in told if "cells around" in step.sentence]
    assert among
    for step in among:
        assert len(step.cells) > 6
