"""`mineproof solve --dimacs FILE`: the CNF has a model exactly where the position has a layout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

POSITION = "square 3x3 mines=2\n1..\n12.\n01.\n"


def written(command: Callable[..., Any], folder: Path, position: str) -> CNF:
    source, target = folder / "position.txt", folder / "position.cnf"
    source.write_text(position, encoding="utf-8")
    command("solve", str(source), "--dimacs", str(target), "--json")
    return CNF(from_file=str(target))


def test_its_models_are_the_layouts(command: Callable[..., Any], tmp_path: Path) -> None:
    cnf = written(command, tmp_path, POSITION)
    assert cnf.comments[:3] == [
        "c square:3x3 mines=2 clues=exact",
        "c variable 1 cell 0,1",
        "c variable 2 cell 0,2",
    ]
    with Solver(bootstrap_with=cnf.clauses) as solver:
        layouts = {tuple(literal > 0 for literal in model[:4]) for model in solver.enum_models()}
    assert layouts == {(True, False, True, False), (True, False, False, True)}


@pytest.mark.parametrize("total", [0, 4])
def test_a_wrong_total_has_no_model(
    command: Callable[..., Any], tmp_path: Path, total: int
) -> None:
    cnf = written(command, tmp_path, POSITION.replace("mines=2", f"mines={total}"))
    with Solver(bootstrap_with=cnf.clauses) as solver:
        assert not solver.solve()


def test_a_file_that_cannot_be_written(command: Callable[..., Any], tmp_path: Path) -> None:
    source = tmp_path / "position.txt"
    source.write_text(POSITION, encoding="utf-8")
    ran = command("solve", str(source), "--dimacs", str(tmp_path / "no" / "file.cnf"))
    assert ran.status == 2
    assert "--dimacs" in ran.err
