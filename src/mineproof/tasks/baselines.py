"""What our own players score on the tasks: the scale on which to read a model's scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

from mineproof.agents.agent import Action, as_decision
from mineproof.agents.catalog import LOGICS, make_agent
from mineproof.engine.analysis import infer
from mineproof.registry import Catalog
from mineproof.rng import Purpose, Stream
from mineproof.tasks.conversation import Conversation
from mineproof.tasks.kinds import (
    CertainQuestion,
    ChanceQuestion,
    ClaimQuestion,
    GameQuestion,
    GuessQuestion,
    ProofQuestion,
    Question,
    YesQuestion,
)
from mineproof.tasks.task import LEVELS, Task
from mineproof.text import Z95
from mineproof.view.view import View

Player: TypeAlias = Callable[[Question, Stream], str]
"""Replies to a question; to that of a game, with all its moves."""

PLAYERS: Catalog[Player] = Catalog("player")


# -- The players ---------------------------------------------------------------


def random_player(question: Question, rng: Stream) -> str:
    """Answers in the right form without a look at the position."""
    name = question.view.topology.cell_name
    cell = rng.choice(list(question.view.hidden))
    if isinstance(question, CertainQuestion):
        return json.dumps({rng.choice(("safe", "mines")): [name(cell)]})
    if isinstance(question, YesQuestion):
        return json.dumps({question.field: bool(rng.below(2))})
    if isinstance(question, ChanceQuestion):
        return json.dumps({"chance": rng.uniform()})
    if isinstance(question, ProofQuestion):
        clue = rng.choice([one for one, _ in question.view.clues])
        return f"step 1 by {name(clue)}: {int(question.mine)} of {name(question.cell)}"
    return _played("random", question, rng)


def single_point_player(question: Question, rng: Stream) -> str:
    """Looks at one clue at a time; what it cannot prove it takes for doubtful."""
    view, name = question.view, question.view.topology.cell_name
    found = infer(LOGICS["single-point"].make(), view)
    if isinstance(question, CertainQuestion):
        safe, mines = (sorted(map(name, cells)) for cells in (found.safe, found.mines))
        return json.dumps({"safe": safe, "mines": mines})
    if isinstance(question, ClaimQuestion):
        says = {"safe": question.cell in found.safe, "mine": question.cell in found.mines}
        words = question.claim.split()
        truth = not any(says.values()) if words[0] == "neither" else says[words[-1]]
        return json.dumps({"true": truth})
    if isinstance(question, ChanceQuestion):
        return json.dumps({"chance": _local_chance(view, question.cell)})
    if isinstance(question, ProofQuestion):
        clues = [one for one in view.topology.neighbours(question.cell) if view.clue(one)]
        clue = clues[0] if clues else 0
        return f"step 1 by {name(clue)}: {int(question.mine)} of {name(question.cell)}"
    return _played("single-point", question, rng)


def _local_chance(view: View, cell: int) -> float:
    """The mean of what each clue beside a cell says alone; without any, mines per hidden cell."""
    near = view.topology.neighbours
    shares = [
        clue / sum(map(view.is_hidden, near(other)))
        for other in near(cell)
        if (clue := view.clue(other)) is not None
    ]
    return sum(shares) / len(shares) if shares else (view.total or 0) / view.hidden_count


def exact_player(question: Question, rng: Stream) -> str:
    """Counts all layouts; guesses by the least risk."""
    if isinstance(question, GuessQuestion | GameQuestion):
        return _played("exact", question, rng)
    return question.solution


def champion_player(question: Question, rng: Stream) -> str:
    """As `exact`, but guesses by games played out."""
    if isinstance(question, GuessQuestion | GameQuestion):
        return _played("champion", question, rng)
    return question.solution


PLAYERS.add("random", random_player)
PLAYERS.add("single-point", single_point_player)
PLAYERS.add("exact", exact_player)
PLAYERS.add("champion", champion_player)


def _played(agent: str, question: Question, rng: Stream) -> str:
    """The first cell that an agent opens, or all that it opens in a game."""
    if isinstance(question, GameQuestion):
        return json.dumps({"open": list(_game_of(agent, question, rng))})
    if isinstance(question, YesQuestion):
        return json.dumps({question.field: bool(rng.below(2))})
    cell = next_opening(agent, question.view, rng)
    return json.dumps({"open": question.view.topology.cell_name(cell)})


def _game_of(agent: str, question: GameQuestion, rng: Stream) -> Iterator[str]:
    game = Conversation(question, samples=0)
    while not game.over:
        cell = question.view.topology.cell_name(next_opening(agent, game.view, rng))
        yield cell
        game.send(json.dumps({"open": [cell]}))


def next_opening(agent: str, view: View, rng: Stream) -> int:
    """The cell that an agent of the catalog opens next, after the flags that it sets."""
    player = make_agent(agent)
    begin = getattr(player, "begin", None)
    if begin is not None:
        begin(view, Stream(rng.next(), 0, Purpose.AGENT))
    while True:
        decision = as_decision(player.act(view), view.topology)
        if decision.action is Action.FLAG and decision.cell is not None:
            view = view.toggle_flag(decision.cell)
        else:
            assert decision.action is Action.OPEN
            assert decision.cell is not None
            return decision.cell


# -- Their scores --------------------------------------------------------------


@dataclass(frozen=True)
class MeanScore:
    """A mean over tasks with its 95 % interval."""

    mean: float
    half: float
    count: int

    @classmethod
    def of(cls, scores: Iterable[float]) -> MeanScore:
        values = list(scores)
        count = len(values)
        mean = sum(values) / count if count else 0.0
        square = sum((value - mean) ** 2 for value in values)
        half = Z95 * sqrt(square / (count - 1) / count) if count > 1 else 0.0
        return cls(mean, half, count)

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.half:.2f}"


def score_table(
    kinds: Sequence[str], count: int, players: Sequence[str], seed: int = 0, split: str = "test"
) -> str:
    """The mean scores as Markdown: `count` tasks of every level, the same for every player."""
    lines = [f"| kind | {' | '.join(players)} |", f"|---|{'---:|' * len(players)}"]
    for kind in kinds:
        tasks = [
            Task(number, kind, level, split)
            for level in LEVELS
            for number in range(seed, seed + count)
        ]
        cells = []
        for player in players:
            reply = PLAYERS[player]
            scores = (task.grade(reply(task.question, Stream(task.seed))).score for task in tasks)
            cells.append(str(MeanScore.of(scores)))
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(lines)
