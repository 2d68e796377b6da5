"""Logics that refute assumptions, reductio and sat, and the knowledge base as a sentence."""

from __future__ import annotations

import re
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from mineproof.engine.analysis import infer
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.logics import reductio
from mineproof.logics.partition import Partition
from mineproof.logics.reductio import (
    AssignmentSearch,
    BoxSums,
    PlainSearch,
    Reductio,
    SearchIdeas,
    Sum,
    boxes_of,
    combine,
)
from mineproof.logics.sat import UNICODE_SIGNS, Sat, sentence, sum_clauses, to_dimacs
from mineproof.testing import strategies
from mineproof.view import View

# ------------------------------------ reductio: search, backtracking and box counts by brute force

CELLS = 7


@st.composite
def systems(draw: st.DrawFn) -> list[Sum]:
    """A few ranges over the cells 0..6."""
    sums: list[Sum] = []
    for _ in range(draw(st.integers(1, 5))):
        cells = tuple(sorted(draw(st.sets(st.integers(0, CELLS - 1), min_size=1, max_size=5))))
        low = draw(st.integers(0, len(cells)))
        sums.append((cells, low, draw(st.integers(low, len(cells)))))
    return sums


def solutions(sums: list[Sum]) -> list[dict[int, bool]]:
    cells = sorted({cell for group, _, _ in sums for cell in group})
    found = []
    for values in product((False, True), repeat=len(cells)):
        layout = dict(zip(cells, values, strict=True))
        if all(low <= sum(layout[c] for c in group) <= high for group, low, high in sums):
            found.append(layout)
    return found


@given(systems())
def test_search_finds_a_solution_exactly_where_there_is_one(sums: list[Sum]) -> None:
    every = solutions(sums)
    found = AssignmentSearch(sums).solve()
    assert (found in every) if every else (found is None)


@given(systems(), st.data())
def test_search_under_an_assumption(sums: list[Sum], data: st.DataObject) -> None:
    search = AssignmentSearch(sums)
    cell, mine = data.draw(st.sampled_from(search.cells)), data.draw(st.booleans())
    hint = data.draw(st.dictionaries(st.integers(0, CELLS - 1), st.booleans()))
    found = search.solve((cell, mine), hint)
    every = [layout for layout in solutions(sums) if layout[cell] == mine]
    assert (found in every) if every else (found is None)


IDEAS = [SearchIdeas(*on) for on in product((False, True), repeat=4)]


@given(systems(), st.sampled_from(IDEAS), st.data())
def test_search_without_some_ideas_finds_what_it_finds_with_them(
    sums: list[Sum], ideas: SearchIdeas, data: st.DataObject
) -> None:
    search = PlainSearch(sums, ideas)
    cell, mine = data.draw(st.sampled_from(search.cells)), data.draw(st.booleans())
    hint = data.draw(st.dictionaries(st.integers(0, CELLS - 1), st.booleans()))
    every = solutions(sums)
    found = search.solve()
    assert (found in every) if every else (found is None)
    under = search.solve((cell, mine), hint)
    every = [layout for layout in every if layout[cell] == mine]
    assert (under in every) if every else (under is None)


def test_a_search_with_all_ideas_assigns_the_same() -> None:
    """Node for node: the search that is measured is the one that plays."""
    sums: list[Sum] = [((c, c + 1, c + 2), 1, 2) for c in range(0, 20, 2)]
    plain, search = PlainSearch(sums, SearchIdeas()), AssignmentSearch(sums)
    for cell in range(20):
        assert plain.solve((cell, True)) == search.solve((cell, True))
        assert plain.nodes == search.nodes


def test_what_the_ideas_save_on_a_strip_of_clues() -> None:
    """Every cell is looked at both ways. Where single equations force cells at once, there is
    nothing left for early termination to see.
    """
    strip: list[Sum] = [(tuple(range(c, c + 6)), 2, 2) for c in range(0, 12, 2)]
    nodes = {}
    for ideas in IDEAS:
        search = PlainSearch(strip, ideas)
        for cell, mine in product(search.cells, (False, True)):
            search.solve((cell, mine))
        nodes[ideas] = search.nodes
    every, none = nodes[SearchIdeas()], nodes[SearchIdeas(False, False, False, False)]
    assert 4 * every < none
    assert nodes[SearchIdeas(unit_clauses=False)] > 2 * every
    assert nodes[SearchIdeas(variable_order=False)] > every
    assert nodes[SearchIdeas(early_termination=False)] == every
    assert nodes[SearchIdeas(False, False)] > nodes[SearchIdeas(False, True)]


def test_a_search_that_nothing_cuts_back_leaves_the_cell_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = View.parse("square 4x4 mines=unknown density=0.25\n.1..\n.122\n221.\n..1.")
    options = {"no_unit_clauses": True, "no_early_termination": True}
    told, verdict = infer(Reductio(), view), infer(Reductio(**options), view)
    assert (told.safe, told.mines) == (verdict.safe, verdict.mines)
    assert verdict.effort["nodes"] > told.effort["nodes"]
    monkeypatch.setattr(reductio, "MOST_PLAIN_NODES", 3)
    assert not infer(Reductio(**options), view)
    monkeypatch.setattr(reductio, "MOST_PLAIN_NODES", 12)
    some = infer(Reductio(**options), view)
    assert set(some.safe) <= set(told.safe)
    assert set(some.mines) <= set(told.mines)


@given(systems())
def test_box_sums_are_the_possible_numbers_of_mines(sums: list[Sum]) -> None:
    every = solutions(sums)
    counted = BoxSums(sums)
    for number, box in enumerate(counted.boxes):
        for mines in range(len(box) + 1):
            fitting = [layout for layout in every if sum(layout[c] for c in box) == mines]
            expected = {sum(layout.values()) for layout in fitting}
            mask = counted.given(number, mines)
            assert {n for n in range(CELLS + 1) if mask >> n & 1} == expected


def test_box_sums_keep_their_budget() -> None:
    chain: list[Sum] = [((cell, cell + 1, cell + 2), 1, 2) for cell in range(12)]
    with pytest.raises(BudgetExceeded, match="3 branches"):
        BoxSums(chain, most_nodes=3).given(0, 0)


def test_sets_of_numbers_are_added() -> None:
    assert combine(0b101, 0b10) == 0b1010
    assert combine(0b11, 0b101) == 0b1111


def test_cells_of_a_box_are_in_the_same_sums() -> None:
    assert boxes_of([((0, 1, 2), 1, 1), ((2, 3), 1, 1)]) == [(0, 1), (2,), (3,)]


def test_it_proves_by_contradiction_what_no_pair_of_sets_tells() -> None:
    view = View.parse("square 4x4 mines=unknown density=0.25\n.1..\n.122\n221.\n..1.")
    assert not infer(Partition(), view)
    verdict = infer(Reductio(), view)
    assert sorted(verdict.safe) == [0, 15]
    assert sorted(verdict.mines) == [3, 12]


def test_components_meet_in_the_total() -> None:
    # Each end needs one mine and only two are left: the cells between are safe.
    view = View.parse("square 1x9 mines=2\n.1.....1.")
    assert not infer(Reductio(), view)
    verdict = infer(Reductio(use_total=True), view)
    assert sorted(verdict.safe) == [3, 4, 5]
    assert all(why.total for why in verdict.safe.values())


def test_an_impossible_total_is_a_contradiction() -> None:
    view = View.parse("square 1x9 mines=1\n.1.....1.")
    with pytest.raises(InconsistentPosition) as raised:
        infer(Reductio(use_total=True), view)
    assert raised.value.uses_total


def test_clues_that_clash_are_a_contradiction_to_reductio() -> None:
    view = View.parse("graph 0-3,1-3,1-4,2-4,0-5,2-5 mines=unknown density=0.5\n...111")
    with pytest.raises(InconsistentPosition, match="cannot all be met"):
        infer(Reductio(), view)


def test_effort_counts_the_knowledge_base_and_the_tree() -> None:
    view = View.parse("square 1x9 mines=2\n.1.....1.")
    logic = Reductio()
    logic.begin(view)
    effort = logic.learn(view).effort
    assert effort["equations"] == 2
    assert effort["nodes"] > 0


# ------------------------------------------ sat: cardinality clauses, and DIMACS for other solvers


@given(st.integers(1, 6), st.data())
@settings(max_examples=50)
def test_the_clauses_of_a_sum_mean_the_sum(size: int, data: st.DataObject) -> None:
    low = data.draw(st.integers(0, size))
    high = data.draw(st.integers(low, size))
    clauses, top = sum_clauses(range(1, size + 1), low, high, 10)
    assert all(0 < abs(lit) <= size or 10 < abs(lit) <= top for c in clauses for lit in c)
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        for values in product((False, True), repeat=size):
            assumptions = [n if value else -n for n, value in enumerate(values, 1)]
            assert solver.solve(assumptions=assumptions) == (low <= sum(values) <= high)


@given(strategies.views(clues=("exact", "optimistic", "cautious")), st.booleans())
@settings(max_examples=60)
def test_dimacs_has_the_models_that_are_layouts(view: View, use_total: bool) -> None:
    text = to_dimacs(view, use_total=use_total and view.total is not None)
    hidden = list(view.hidden)
    cnf = CNF(from_string=text)
    layouts = set()
    with Solver(name="minisat22", bootstrap_with=cnf.clauses) as solver:
        for values in product((False, True), repeat=min(len(hidden), 8)):
            chosen = [n if value else -n for n, value in enumerate(values, 1)]
            if solver.solve(assumptions=chosen):
                layouts.add(values)
    if use_total and view.total is not None and len(hidden) <= 8:
        expected = {tuple(cell in mines for cell in hidden) for mines, _ in enumerate_layouts(view)}
        assert layouts == expected


def test_dimacs_says_which_variable_is_which_cell() -> None:
    assert to_dimacs(View.parse("square 1x3 mines=1\n.1."), use_total=False).splitlines()[:3] == [
        "c square:1x3 mines=1 clues=exact",
        "c variable 1 cell 0,0",
        "c variable 2 cell 0,2",
    ]


def test_dimacs_of_a_clue_that_cannot_be_met_is_unsatisfiable() -> None:
    text = to_dimacs(View.parse("square 1x3 mines=1\n11."))
    assert "0" in text.splitlines()


def test_both_safe_cells_and_mines_are_proved() -> None:
    verdict = infer(Sat(), View.parse("square 2x3 mines=2\n121\n..."))
    assert sorted(verdict.mines) == [3, 5]
    assert sorted(verdict.safe) == [4]


def test_safe_only_says_nothing_of_mines() -> None:
    verdict = infer(Sat(safe_only=True), View.parse("square 2x3 mines=2\n121\n..."))
    assert not verdict.mines
    assert sorted(verdict.safe) == [4]


def test_the_total_settles_cells_that_no_clue_touches() -> None:
    view = View.parse("square 1x9 mines=2\n.1.....1.")
    assert not infer(Sat(), view)
    assert sorted(infer(Sat(use_total=True), view).safe) == [3, 4, 5]


def test_clues_that_clash_are_a_contradiction_to_sat() -> None:
    view = View.parse("graph 0-3,1-3,1-4,2-4,0-5,2-5 mines=unknown density=0.5\n...111")
    with pytest.raises(InconsistentPosition, match="cannot all be met"):
        infer(Sat(), view)


def test_a_model_answers_many_queries() -> None:
    """Ten cells that may be either way take far fewer than twenty queries."""
    view = View.parse("graph " + ",".join(f"{c}-10" for c in range(10)) + " mines=5\n..........5")
    logic = Sat()
    logic.begin(view)
    verdict = logic.learn(view)
    assert not verdict
    assert verdict.effort["queries"] <= 5


# ------------------------------ the sentence, read back, has exactly the solutions of the position


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
