"""Proofs of mid-game Expert positions: one cell, every cell, and how many are proved smallest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmarks.positions import expert_positions
from benchmarks.result import Result
from mineproof.inference.engine.exact import analyze
from mineproof.proofs.checker import check_proof
from mineproof.proofs.explainer import explain, explain_all
from mineproof.proofs.proof import Proof
from mineproof.view import View

GAMES = 60
CELLS_A_POSITION = 12


def bench() -> Iterator[Result]:
    views = expert_positions(GAMES)
    singles = sorted(
        _seconds(partial(explain, view, cell)) for view in views for cell in _some_certain(view)
    )
    yield Result("one proof, p50", "proofs", 1, _share(singles, 0.50), promised=1 / 0.005)
    yield Result("one proof, p99", "proofs", 1, _share(singles, 0.99), promised=1 / 0.1)
    wholes = []
    proofs: list[tuple[View, Proof]] = []
    for view in views:
        start = time.process_time()
        found = explain_all(view)
        wholes.append(time.process_time() - start)
        proofs += [(view, proof) for proof in found.proofs]
    wholes.sort()
    yield Result("every cell of a position, p50", "positions", 1, _share(wholes, 0.50))
    yield Result("every cell of a position, slowest", "positions", 1, wholes[-1], promised=1 / 0.5)
    smallest = sum(proof.smallest for _, proof in proofs)
    share = smallest / len(proofs)
    yield Result(
        f"proofs of every cell, {100 * share:.2f} % of {len(proofs)} proved smallest",
        "proofs",
        len(proofs),
        sum(wholes),
        promised=None if share >= 0.99 else float("inf"),
    )
    checking = _seconds(lambda: [check_proof(proof, view) for view, proof in proofs])
    yield Result("checking a proof", "proofs", len(proofs), checking)


def _some_certain(view: View) -> list[int]:
    """Certain cells spread over the board; safe cells and mines alike."""
    analysis = analyze(view)
    cells = sorted([*analysis.safe, *analysis.mines])
    return cells[:: max(1, len(cells) // CELLS_A_POSITION)]


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _share(times: Sequence[float], share: float) -> float:
    return times[min(len(times) - 1, int(len(times) * share))]
