"""One position asked by several threads at once: every answer is the one of a single thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

import mineproof as mp
from tests.core import needs_core

SIDE = 16


def lattice() -> mp.View:
    """A position whose questions take long enough for threads to meet in them."""
    rows = (
        "".join("2" if row % 2 and column % 2 else "." for column in range(SIDE))
        for row in range(SIDE)
    )
    return mp.View.parse(f"square {SIDE}x{SIDE} mines=40\n" + "\n".join(rows))


def together(work: Callable[[], None], threads: int = 4) -> None:
    """Let threads begin the same work at the same time."""
    begin = threading.Barrier(threads)

    def one_of_them() -> None:
        begin.wait()
        work()

    crew = [threading.Thread(target=one_of_them) for _ in range(threads)]
    for one in crew:
        one.start()
    for one in crew:
        one.join()


@needs_core
def test_one_analysis_asked_by_many_threads() -> None:
    analysis = mp.analyze(lattice())
    expected = mp.analyze(lattice()).solutions
    found: list[int] = []
    together(lambda: found.append(analysis.solutions))
    assert found == [expected] * 4


@needs_core
def test_a_session_turns_a_second_thread_away_or_answers_it() -> None:
    session = mp.Session(lattice())
    expected = list(mp.analyze(lattice()).p)
    found: list[list[float]] = []
    refusals: list[str] = []

    def ask() -> None:
        try:
            found.append(list(session.p))
        except RuntimeError as error:
            refusals.append(str(error))

    together(ask)
    assert found
    assert len(found) + len(refusals) == 4
    assert all("another thread" in refusal for refusal in refusals)
    for answer in found:
        assert answer == pytest.approx(expected)
