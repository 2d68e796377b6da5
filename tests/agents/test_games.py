"""One short game of every listed agent, in plain text that a person can follow.

Each step stands with its reason and the board after it; before a guess stands what the agent knew.
To write the files anew after a change: `python tests/agents/test_games.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mineproof.agents import AGENTS, Decision, Guessed, make_agent
from mineproof.agents.decision import Action
from mineproof.agents.logic_agent import LogicAgent
from mineproof.match import Transcript, play
from mineproof.rng import Stream
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


if __name__ == "__main__":
    for chosen in CHOSEN:
        (GAMES / f"{chosen}.txt").write_text(readable(chosen), encoding="utf-8")
