"""`random` and `single-point`: even guesses, and losses only by guesses (report 2)."""

from __future__ import annotations

from collections import Counter

import pytest

from mineproof.agents import Action, Guessed, Proved, make_agent
from mineproof.match import Termination, play
from mineproof.match.soundness import SMALL_BOARDS
from mineproof.rng import Purpose, Stream
from mineproof.view import View

CHANNELS = ("exact", "withheld:0.3", "optimistic", "cautious", "noisy:0.2")


def test_random_opens_every_hidden_cell_alike() -> None:
    view = View.parse("square 2x3 mines=2\n1..\n...")
    agent = make_agent("random")
    counts: Counter[int] = Counter()
    for index in range(2000):
        agent.begin(view, Stream(1, index, Purpose.AGENT))
        decision = agent.act(view)
        assert decision.action is Action.OPEN
        assert isinstance(decision.reason, Guessed)
        assert decision.reason.among == view.hidden_count
        counts[decision.cell] += 1
    assert 0 not in counts
    expected = 2000 / len(counts)
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 18.5


@pytest.mark.parametrize("clues", CHANNELS)
def test_single_point_loses_only_by_guesses(clues: str) -> None:
    proved = lost = 0
    for board in SMALL_BOARDS:
        for index in range(12):
            game = play(board, "single-point", 4, index=index, clues=clues)
            assert game.outcome.termination in (Termination.CLEARED, Termination.EXPLODED)
            proved += sum(isinstance(step.decision.reason, Proved) for step in game.steps)
            if not game.outcome.won:
                lost += 1
                assert isinstance(game.steps[-1].decision.reason, Guessed)
    assert lost
    assert proved or clues in ("optimistic", "cautious", "noisy:0.2")


def test_single_point_tells_what_it_knows() -> None:
    view = View.parse("square 2x3 mines=2\n1..\n...")
    agent = make_agent("single-point")
    agent.begin(view, Stream(1))
    agent.act(view)
    assert agent.knowledge(view) == "0,0: 1 in {0,1 1,0 1,1}"
