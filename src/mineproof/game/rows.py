"""The row that a game leaves, and with it the one list of the columns of results.

A column is a field of `Row`. Its annotation is its type, and the metadata of a summed column say
how tables show it; the laboratory derives its Parquet schema, JSON, CSV and HTML from `COLUMNS`. A
new column takes a field here, its value in `row_of` and in `core_columns`, and, where results
sum it up, a field of `Result` or `PlaceResult` in `lab/results.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from mineproof.agents.agent import Action, Decision, Guessed, Proved
from mineproof.agents.catalog import parse_agent
from mineproof.errors import MissingLibrary, UnknownName
from mineproof.game.referee import Termination
from mineproof.game.transcript import Transcript
from mineproof.kernel import core
from mineproof.view.setting import Setting

EXPLODED_UNSTATED = "exploded: no reason stated"
"""The reason of a loss at a mine that no agent opened with a reason; a given cell, for one."""


class Total(Enum):
    """How results sum a column up over games."""

    COUNT = "count"
    """The number of games that have it."""
    MEASURE = "measure"
    """The mean, shown under the rules that give it a meaning; see `Rules.measures`."""
    COST = "cost"
    """The mean, shown under all rules."""


@dataclass(frozen=True)
class Column:
    """A column of results; tables show `scale` times its total under one of its titles."""

    name: str
    sql: str
    total: Total | None = None
    title: str = ""
    short_title: str = ""
    scale: float = 1.0


@dataclass(frozen=True)
class Row:
    """One game. `reason` says how it was lost; it is empty for a win.

    A game is named by (seed, index), so every agent meets the same mines and comparisons are
    paired. `effort` is the work that the agent counted in this game, 0 where it counts none;
    `seconds` is the time the whole game took. `risks` are those of the cells that an agent from
    outside opened, negative where it met a mine (see `game/luck.py`).
    """

    agent: str
    world: str | None
    index: int
    won: bool
    stuck: bool = field(metadata={"total": Total.COUNT})
    score: float = field(metadata={"total": Total.MEASURE})
    finer: float = field(
        metadata={
            "total": Total.MEASURE,
            "title": "mines / covered cells",
            "short_title": "mines/covered",
        }
    )
    marked_share: float = field(
        metadata={"total": Total.MEASURE, "title": "marked share", "short_title": "marked"}
    )
    opened: int
    guesses: int = field(metadata={"total": Total.COST})
    steps: int
    seconds: float = field(
        metadata={
            "total": Total.COST,
            "title": "ms per game",
            "short_title": "ms/game",
            "scale": 1000.0,
        }
    )
    effort: int = field(metadata={"total": Total.COST})
    reason: str
    risks: str = ""

    @property
    def failed(self) -> bool:
        """Whether the agent itself failed: it raised, hung or made an illegal move."""
        return self.reason.startswith(Termination.FAILED.value)


_SQL = {
    "str": "VARCHAR",
    "str | None": "VARCHAR",
    "int": "BIGINT",
    "bool": "BOOLEAN",
    "float": "DOUBLE",
}

COLUMNS = tuple(
    Column(
        one.name,
        _SQL[str(one.type)],
        **{"title": one.name, "short_title": one.name, **one.metadata},
    )
    for one in fields(Row)
)
"""The columns of a row, in order."""


def row_of(game: Transcript, seconds: float = 0.0, effort: int = 0) -> Row:
    """The row a game leaves."""
    end = game.outcome
    return Row(
        agent=game.agent,
        world=game.world,
        index=game.index,
        won=end.won,
        stuck=end.termination is Termination.STUCK,
        score=end.score,
        finer=end.finer,
        marked_share=end.marked_share,
        opened=sum(step.opened for step in game.steps),
        guesses=sum(map(is_guess, (step.decision for step in game.steps))),
        steps=len(game.steps),
        seconds=seconds,
        effort=effort,
        reason="" if end.won else _reason_of_loss(game),
    )


def is_guess(decision: Decision) -> bool:
    """Whether a decision counts as a guess: it is called one, or opens a cell without a reason."""
    if decision.action is Action.OPEN:
        return not isinstance(decision.reason, Proved)
    return isinstance(decision.reason, Guessed)


def _reason_of_loss(game: Transcript) -> str:
    """How a game was lost; for an opened mine, why the agent opened it."""
    end = game.outcome
    if end.termination is not Termination.EXPLODED:
        return f"{end.termination.value}: {end.note}" if end.note else end.termination.value
    reason = game.steps[-1].decision.reason if game.steps else None
    if isinstance(reason, Guessed):
        return f"exploded: guessed by {reason.policy}"
    if isinstance(reason, Proved):
        return f"exploded: called proved by {reason.logic}"
    return EXPLODED_UNSTATED


def core_counts(played: core.PlayedGames) -> dict[str, Any]:
    """The columns that the core counts itself, each an array."""
    return {
        "won": played.won,
        "opened": played.opened - played.given,
        "guesses": played.guesses,
        "steps": played.clicks + played.flags,
    }


def core_columns(setting: Setting, agent: str, played: core.PlayedGames) -> dict[str, Any]:
    """The columns of games of the core, each an array or one value for all games.

    The index and the seconds of a game are left to the caller: the core has the time of all games
    only.
    """
    topology = setting.board.topology
    mines = setting.rules.mines.fixed(len(topology)) or 0
    flags, covered = played.flags, played.safe_left + mines
    counts = core_counts(played)
    # A given cell that was a mine is nobody's guess.
    lost = np.where(
        counts["steps"] == 0, EXPLODED_UNSTATED, f"exploded: guessed by {parse_agent(agent).policy}"
    )
    return {
        "agent": agent,
        "world": None,
        **counts,
        "stuck": False,
        # Every flag came with a proof, so it stands on a mine.
        "score": flags / mines if mines else 1.0,
        "finer": np.where(covered == 0, 1.0, mines / np.maximum(covered, 1)),
        "marked_share": (played.opened + flags) / len(topology),
        "effort": 0,
        "reason": np.where(played.won, "", lost).astype(object),
        "risks": "",
    }


# -- Columns as a data frame ---------------------------------------------------


def frame_of(columns: Mapping[str, Any], library: str | None = None) -> Any:
    """Columns as a data frame of pandas or polars, whichever is there; else as they are."""
    frames = ("pandas", "polars")
    if library is None:
        library = next((name for name in frames if find_spec(name) is not None), "dict")
    if library not in (*frames, "dict"):
        raise UnknownName("library", library, (*frames, "dict"))
    try:
        return dict(columns) if library == "dict" else import_module(library).DataFrame(columns)
    except ImportError:
        raise MissingLibrary("such a data frame needs", library, library) from None
