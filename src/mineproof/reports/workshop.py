"""Where reproductions do their work: games through the runner, other measurements kept as JSON.

    DIR/games/NAME-DIGEST/       an experiment and its shards
    DIR/measured/NAME-DIGEST     a measurement that is not a series of games

Both are named after what was asked for. So a second run in the same folder reuses what is there,
and another scale or seed uses other folders.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

import mineproof
from mineproof.board.presets import World
from mineproof.errors import LabError, quoted
from mineproof.files import write_text
from mineproof.lab.executors import Executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.runner import Progress, run
from mineproof.view.notation import Puzzle

T = TypeVar("T")


@dataclass(frozen=True)
class Scale:
    """How much is played: the numbers for a quick look or in full, times `share`."""

    name: str
    in_full: bool = False
    share: float = 1.0

    def games(self, quick: int, full: int) -> int:
        """How many of something there are at this scale; at least two."""
        return max(2, round((full if self.in_full else quick) * self.share))


QUICK = Scale("quick")
FULL = Scale("full", in_full=True)


class GameColumns:
    """The rows of an experiment, by agent and place; places are counted as in the experiment.

    Rows of one agent and place are in the order of their games, so those of two agents are paired.
    """

    def __init__(self, experiment: Experiment, columns: Mapping[str, NDArray[Any]]) -> None:
        self.experiment = experiment
        self._rows: dict[tuple[str, int], dict[str, NDArray[Any]]] = {}
        places = len(experiment.places)
        for agent in experiment.agents:
            for place in range(places):
                chosen = (columns["agent"] == agent) & (columns["game"] % places == place)
                self._rows[agent, place] = {
                    name: column[chosen] for name, column in columns.items()
                }

    def column(self, name: str, agent: str, place: int | Sequence[int] = 0) -> NDArray[Any]:
        """A column of an agent's games at one place, or at several one after the other."""
        if isinstance(place, int):
            return self._rows[agent, place][name]
        return np.concatenate([self._rows[agent, one][name] for one in place])

    def by_deal(self, name: str, agent: str, places: Sequence[int]) -> NDArray[np.float64]:
        """The mean of a column over some places that share their deals, deal by deal."""
        found: NDArray[np.float64] = np.mean([self._rows[agent, one][name] for one in places], 0)
        return found

    @property
    def everywhere(self) -> range:
        return range(len(self.experiment.places))


@dataclass
class Workshop:
    """One run of reproductions. `say` gets what begins; `specs` collects what is played."""

    out: Path
    scale: Scale = QUICK
    seed: int = 1
    executor: Executor | None = None
    progress: Progress | None = None
    say: Callable[[str], None] = field(default=lambda text: None)
    worlds: tuple[World, ...] = ()
    puzzles: tuple[Puzzle, ...] = ()
    specs: list[tuple[str, str]] = field(default_factory=list)

    def play(self, name: str, experiment: Experiment) -> GameColumns:
        """Play what is missing of an experiment and return all its rows."""
        self.say(f"{name}: {experiment.rows:,} games")
        folder = self.out / "games" / f"{name}-{experiment.digest[:8]}"
        run(experiment, self.executor, folder=folder, progress=self.progress)
        self.specs.append((f"{name} ({experiment.digest})", experiment.text))
        with Results(folder) as results:
            columns = results.columns("SELECT * FROM games ORDER BY agent, game")
        return GameColumns(experiment, columns)

    def measure(self, name: str, asked: Mapping[str, object], work: Callable[[], T]) -> T:
        """What `work` returns, as JSON; taken from the folder if it is there."""
        # What another version measured is not taken over.
        text = json.dumps({"version": mineproof.__version__, **asked}, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        path = self.out / "measured" / f"{name}-{digest}.json"
        try:
            return cast("T", json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            pass
        # Nothing was measured yet, or the file cannot be read.
        found = work()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, json.dumps(found))
        except OSError as error:
            raise LabError(f"{quoted(str(path))} cannot be written: {error.strerror}") from None
        # As a second run reads it: tuples have become lists.
        return cast("T", json.loads(json.dumps(found)))
