"""resolution: the clauses of a hint, insertion, matching, and the total by counting."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

import pytest

from mineproof.errors import InconsistentPosition
from mineproof.inference.logics.resolution import Resolution, hint_clauses
from mineproof.inference.verdict import infer
from mineproof.match import play
from mineproof.view.view import View


@pytest.mark.parametrize(("m", "n"), [(5, 2), (8, 3), (8, 1), (4, 4), (4, 0)])
def test_a_hint_has_the_clauses_of_the_report(m: int, n: int) -> None:
    clauses = list(hint_clauses(tuple(range(m)), n, n))
    positive = [clause for clause in clauses if min(clause) > 0]
    negative = [clause for clause in clauses if max(clause) < 0]
    assert len(positive) == (comb(m, m - n + 1) if n else 0)
    assert len(negative) == (comb(m, n + 1) if n < m else 0)
    assert {len(clause) for clause in positive} <= {m - n + 1}
    assert {len(clause) for clause in negative} <= {n + 1}


def test_two_literal_clauses_are_resolved() -> None:
    verdict = infer(Resolution(), View.parse("square 2x3 mines=unknown density=0.5\n121\n..."))
    assert sorted(verdict.mines) == [3, 5]
    assert sorted(verdict.safe) == [4]


def test_the_knowledge_base_is_clauses_and_marks() -> None:
    view = View.parse("square 1x4 mines=1\n.1.0")
    logic = Resolution()
    infer(logic, view)
    assert logic.knowledge(view).splitlines() == ["safe: 0,2", "mines: 0,0"]
    view = View.parse("square 1x3 mines=unknown density=0.5\n.1.")
    infer(logic, view)
    assert logic.knowledge(view).splitlines() == [
        "-0,0 or -0,2",
        "+0,0 or +0,2",
        "safe: none",
        "mines: none",
    ]


def test_a_weaker_clause_gives_way() -> None:
    """1 in {a b} subsumes the positive clause of 1 in {a b c}."""
    logic = Resolution()
    view = View.parse("graph 3-0,3-1,4-0,4-1,4-2 mines=unknown density=0.5\n...??")
    logic.begin(view)
    assert not logic.learn(view)
    view = View.parse("graph 3-0,3-1,4-0,4-1,4-2 mines=unknown density=0.5\n...11")
    verdict = infer(logic, view)
    assert sorted(verdict.safe) == [2]
    assert "or +0 or" not in logic.knowledge(view)


def test_the_empty_clause_is_a_contradiction() -> None:
    view = View.parse("graph 0-3,1-3,1-4,2-4,0-5,2-5 mines=unknown density=0.5\n...111")
    with pytest.raises(InconsistentPosition, match="empty clause") as raised:
        infer(Resolution(), view)
    assert raised.value.clues == (3, 4, 5)


def test_the_total_comes_in_when_few_cells_are_unmarked() -> None:
    view = View.parse("square 1x9 mines=2\n.1.....1.")
    assert not infer(Resolution(total_cells=0), view)
    assert not infer(Resolution(total_cells=6), view)
    verdict = infer(Resolution(total_cells=7), view)
    assert sorted(verdict.safe) == [3, 4, 5]
    assert all(why.total for why in verdict.safe.values())


def test_unmarked_cells_are_those_neither_safe_nor_mines() -> None:
    """The report added the mines instead of taking them away."""
    view = View.parse("square 1x12 mines=5\n**.1.....1.*")
    assert sorted(infer(Resolution(total_cells=7), view).safe) == [5, 6, 7]


@pytest.fixture
def inserted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of all clauses that are inserted: the work, whatever the machine."""
    lengths: list[int] = []
    insert = Resolution._insert

    def counting(self: Resolution, clause: Iterable[int], clues: frozenset[int]) -> None:
        literals = tuple(clause)
        lengths.append(len(literals))
        insert(self, literals, clues)

    monkeypatch.setattr(Resolution, "_insert", counting)
    return lengths


def test_many_unmarked_cells_are_counted_not_spelt_out(inserted: list[int]) -> None:
    """C(25, 10) is over three million clauses; the counting argument needs none."""
    view = View.parse("square 2x15 mines=2\n.1...........1.\n.1...........1.")
    verdict = infer(Resolution(total_cells=26), view)
    assert 0 < len(inserted) < 100, len(inserted)
    assert sorted(verdict.safe) == [c for row in (0, 15) for c in range(row + 3, row + 12)]


@pytest.mark.parametrize(("board", "most"), [("16x16/25", 0), ("12x12/28", 20_000)])
def test_games_with_the_total_at_25_cells_take_no_minutes(
    inserted: list[int], board: str, most: int
) -> None:
    for index in range(10):
        game = play(
            board,
            "resolution[global=25]",
            4,
            index=index,
            given="random:8",
            goal="mark-all",
        )
        assert game.outcome.termination.value in ("marked", "stuck")
    assert most / 10 <= len(inserted) <= most
