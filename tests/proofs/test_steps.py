"""Steps follow from what they rest on, by brute force; the checker refuses any that does not."""

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
from mineproof.proofs.explainer import explain, explain_all, explain_clash
from mineproof.proofs.premises import Evidence
from mineproof.proofs.proof import Claim, Proof
from mineproof.proofs.steps import Conclusion, ProofStep, StepKind, decided, joined
from mineproof.proofs.techniques import Ladder
from mineproof.testing.strategies import views
from mineproof.view import View
from tests.proofs.positions import BOARDS, CHANNELS, random_view

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
    assert proof.text == joined(proof.steps)
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
            other = replace(first, conclusions=(decided([cell], not mine),))
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
        "", kind=StepKind.SUPPOSITION, cells=(2,), conclusions=(decided([2], False),)
    )
    outside = ProofStep("", rests_on=(1,), cells=(2,), conclusions=(decided([2], False),))
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
