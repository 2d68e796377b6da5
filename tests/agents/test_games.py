"""One short game of every listed agent, in plain text that a person can follow.

Each step stands with its reason and the board after it; before a guess stands what the agent knew.
To write the files anew after a change: `python tests/agents/test_games.py`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mineproof.agents.agent import Action, Decision, Guessed, LogicAgent, Proved
from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.game import Termination, Transcript, play
from mineproof.game.check import SMALL_BOARDS
from mineproof.rng import Purpose, Stream
from mineproof.view import View
from tests.core import players_need_core

GAMES = Path(__file__).parents[1] / "games"

CHOSEN: dict[str, tuple[str, int, dict[str, Any]]] = {
    "partition": ("5x5/5", 134, {}),
    "resolution": ("5x5/5", 90, {"goal": "mark-all"}),
    "reductio": ("5x5/6", 14, {"on_mine": "continue"}),
    "sat": ("hex:5x5/6", 70, {"given": "corner+centre", "first_click": "any"}),
    "sat[safe-only]": ("hex:5x5/6", 70, {"given": "corner+centre", "first_click": "any"}),
    "gauss": ("5x5/5", 145, {}),
    "exact": ("5x5/5", 60, {}),
    "swift": ("5x5/6", 60, {}),
    "champion": ("5x5/5", 60, {}),
    "naive": ("4x4/3", 41, {"clues": "noisy:0.2"}),
}
"""The board, seed and rules of each game; those of random and single-point are the match's."""


class Thinking:
    """Plays as a listed agent, and keeps what it knew before every guess and stop."""

    def __init__(self, name: str) -> None:
        agent = make_agent(name)
        assert isinstance(agent, LogicAgent)
        self.agent = agent
        self.thoughts: list[str] = []

    def begin(self, view: View, rng: Stream) -> None:
        self.agent.begin(view, rng)

    def act(self, view: View) -> Decision:
        decision = self.agent.act(view)
        guessed = isinstance(decision.reason, Guessed) or decision.action is Action.STOP
        self.thoughts.append(self.agent.knowledge(view) if guessed else "")
        return decision


def readable(name: str) -> str:
    board, seed, rules = CHOSEN[name]
    thinking = Thinking(name)
    game: Transcript = play(board, thinking, seed, **rules)
    head, *views = game.views()
    blocks = [game.text.replace("agent: Thinking", f"agent: {name}"), "the boards\n" + head.text]
    for number, (step, view, thought) in enumerate(
        zip(game.steps, views, thinking.thoughts, strict=True), 1
    ):
        if thought:
            blocks.append(f"known, and nothing new is proved:\n{thought}\n")
        blocks.append(game.step_text(number, step) + "\n" + view.text.split("\n", 1)[1])
    return "\n".join(blocks)


@pytest.mark.parametrize("name", list(AGENTS))
def test_every_agent_has_a_game(name: str) -> None:
    assert (GAMES / f"{name}.txt").is_file(), f"add a game of {name} to CHOSEN"


@pytest.mark.parametrize("name", players_need_core(CHOSEN))
def test_the_games_are_played_again(name: str) -> None:
    assert readable(name) == (GAMES / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list(CHOSEN))
def test_the_games_read_back(name: str) -> None:
    text = (GAMES / f"{name}.txt").read_text(encoding="utf-8").split("\nthe boards\n")[0]
    assert Transcript.parse(text).text == text


# ----------------------------------------------------------------------------
# `random` and `single-point`: even guesses, and losses only by guesses (report 2).

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


if __name__ == "__main__":
    for chosen in CHOSEN:
        (GAMES / f"{chosen}.txt").write_text(readable(chosen), encoding="utf-8")
