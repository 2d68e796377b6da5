"""Agents that others wrote: files as they come, and CS50's interface."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from mineproof.agents.adapters import AgentSource, Cs50Agent, is_cs50
from mineproof.agents.agent import Action, Guessed, Proved
from mineproof.errors import InputError, UnknownName
from mineproof.game.play import play
from mineproof.game.referee import Termination

EXAMPLE = Path(__file__).parents[2] / "examples" / "cs50_style_minesweeper.py"


def example() -> Any:
    spec = importlib.util.spec_from_file_location("cs50_style", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.MinesweeperAI


def altered(**methods: object) -> type:
    """The example with some methods replaced."""
    return type("Altered", (example(),), methods)


def test_a_cs50_agent_proves_flags_and_guesses() -> None:
    kinds = set()
    for seed in range(10):
        game = play("beginner8", Cs50Agent(example()), seed=seed)
        assert game.outcome.termination in (Termination.CLEARED, Termination.EXPLODED)
        for step in game.steps:
            reason = step.decision.reason
            kinds.add((step.decision.action, type(reason)))
            if isinstance(reason, Proved):
                assert reason.logic == "cs50"
        if not game.outcome.won:
            assert isinstance(game.steps[-1].decision.reason, Guessed)
    assert kinds == {(Action.OPEN, Proved), (Action.OPEN, Guessed), (Action.FLAG, Proved)}


def test_a_cs50_agent_is_told_every_opened_cell_once() -> None:
    told: list[tuple[tuple[int, int], int]] = []

    def add_knowledge(self: Any, cell: tuple[int, int], count: int) -> None:
        told.append((cell, count))
        plain.add_knowledge(self, cell, count)

    plain = example()
    game = play("beginner8", Cs50Agent(altered(add_knowledge=add_knowledge)), seed=1)
    *_, before, _ = game.views()
    expected = [(before.topology.coordinates(cell), clue) for cell, clue in before.clues]
    assert told == expected


@pytest.mark.parametrize(("on_mine", "clues"), [("continue", "exact"), ("lose", "withheld:0.3")])
def test_a_cs50_agent_survives_rules_it_does_not_know(on_mine: str, clues: str) -> None:
    game = play("beginner8", Cs50Agent(example()), seed=4, on_mine=on_mine, clues=clues)
    assert game.outcome.termination is not Termination.FAILED, game.outcome.note


@pytest.mark.parametrize("board", ["hex:5x5/4", "torus:5x5/4", "square:5x5#0,0/4", "cube:3x3x3/3"])
def test_a_cs50_agent_plays_square_boards_only(board: str) -> None:
    note = play(board, Cs50Agent(example()), seed=1).outcome.note
    assert note.startswith("a CS50 agent plays square boards without blocked cells, not ")


@pytest.mark.parametrize("answer", ["(0, 0)", (0.5, 1), 7, (99, 0), (-1, 0)])
def test_nonsense_from_a_cs50_agent_is_told(answer: object) -> None:
    wrong = altered(make_safe_move=lambda self: answer)
    outcome = play("beginner8", Cs50Agent(wrong), seed=1).outcome
    assert outcome.termination is Termination.FAILED
    assert outcome.note.startswith("the agent answered")


def test_a_cs50_class_is_known_by_its_methods() -> None:
    assert is_cs50(example())
    assert not is_cs50(dict)


def test_names_of_files() -> None:
    assert AgentSource.parse(f"{EXAMPLE}:MinesweeperAI") == AgentSource(
        str(EXAMPLE), "MinesweeperAI"
    )
    assert AgentSource.parse(str(EXAMPLE)) == AgentSource(str(EXAMPLE), None)
    assert AgentSource.parse("single-point") is None
    with pytest.raises(InputError, match=r"accepted: a Python file, as path/to/file\.py"):
        AgentSource.parse("nowhere.py:Mine")


def test_the_class_may_be_left_out_where_there_is_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from mineproof import Decision, View\n"
        "class Board:\n    pass\n"
        "class Mine:\n    def act(self, view):\n        return 0\n"
    )
    assert type(AgentSource(str(file), None).load()()).__name__ == "Mine"
    with pytest.raises(InputError, match="class Board has no method `act`"):
        AgentSource(str(file), "Board").load()
    with pytest.raises(UnknownName, match="did you mean Mine"):
        AgentSource(str(file), "Mime").load()


def test_a_cs50_agent_may_open_what_it_once_held_to_be_a_mine() -> None:
    """Its own runner lets it: there a flag is only drawn."""

    class Wavers:
        def __init__(self, height: int = 2, width: int = 2) -> None:
            self.mines = {(0, 0)}
            self.moves_made: set[tuple[int, int]] = set()

        def add_knowledge(self, cell: tuple[int, int], count: int) -> None:
            self.moves_made.add(cell)

        def make_safe_move(self) -> None:
            return None

        def make_random_move(self) -> tuple[int, int]:
            return (0, 0)

    game = play("2x2/1", Cs50Agent(Wavers), seed=1)
    assert [step.decision.action.value for step in game.steps[:3]] == ["flag", "unflag", "open"]
    assert game.outcome.termination is not Termination.FAILED or "open already" in game.outcome.note
