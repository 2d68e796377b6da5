"""Proofs of Expert positions: one cell, every cell, and how many are proved smallest.

Mid-game positions first, then endgames where a cell is certain by the mine total.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmarks.positions import EXPERT, endgames, expert_positions
from benchmarks.result import Result
from mineproof.board import Topology
from mineproof.engine.exact import analyze
from mineproof.proofs.checker import check_proof
from mineproof.proofs.explanation import explain, explain_all
from mineproof.proofs.proof import Proof
from mineproof.view import View

GAMES = 60
CELLS_A_POSITION = 12
ENDGAMES = 400
"""Games played to their end; in half of them a cell needs the total."""
MANY = 20
"""Premises of a proof that counts the mines of the whole board, at least."""


def bench(seed: int = 1) -> Iterator[Result]:
    """All rows; the positions are drawn from a seed."""
    yield from _middle(seed)
    yield from _ends(seed)


def _middle(seed: int) -> Iterator[Result]:
    views = expert_positions(GAMES, seed)
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


def _ends(seed: int) -> Iterator[Result]:
    """Proofs by the total with at least so many premises, of one cell of each position."""
    rows, cols, mines = EXPERT
    positions = endgames(Topology.parse(f"{rows}x{cols}"), mines, ENDGAMES, seed)
    times: list[float] = []
    proofs: list[tuple[View, Proof]] = []
    for view, cells in positions:
        start = time.process_time()
        proof = explain(view, cells[len(view.hidden) % len(cells)])
        took = time.process_time() - start
        if isinstance(proof, Proof) and proof.uses_total and proof.size >= MANY:
            times.append(took)
            proofs.append((view, proof))
    times.sort()
    yield Result("one endgame proof by the total, p50", "proofs", 1, _share(times, 0.50))
    slowest = "one endgame proof by the total, slowest"
    yield Result(slowest, "proofs", 1, times[-1], promised=1 / 0.2)
    share = sum(proof.smallest for _, proof in proofs) / len(proofs)
    sizes = sorted(proof.size for _, proof in proofs)
    accepted = all(check_proof(proof, view) for view, proof in proofs)
    yield Result(
        f"endgame proofs, {100 * share:.2f} % of {len(proofs)} proved smallest, median of"
        f" {sizes[len(sizes) // 2]} premises, {'all' if accepted else 'NOT all'} accepted",
        "proofs",
        len(proofs),
        sum(times),
        promised=None if share >= 0.95 and accepted else float("inf"),
    )


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
