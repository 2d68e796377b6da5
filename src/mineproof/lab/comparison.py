"""A paired comparison: the same games for every agent, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.board.worlds import choose_worlds, read_worlds
from mineproof.errors import InputError
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.rows import first_games, rows_of
from mineproof.lab.runner import Run, run
from mineproof.lab.sequential import Decided, SequentialJudge
from mineproof.lab.statistics import Paired, pairs_of
from mineproof.lab.summary import AtPlace, Result, groups_of, places_of, results_of
from mineproof.match.entrants import AnyAgent
from mineproof.match.isolation import Limits
from mineproof.match.row import Row
from mineproof.percentages import percent
from mineproof.rules import RuleValue
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting

__all__ = ["Comparison", "Result", "boards_of", "compare"]


@dataclass(frozen=True)
class Comparison:
    """What games say of agents; `finished` is False where not all were played.

    `rows` are the games where they were not written to a folder. `decided` are the answers of a
    sequential test, for the first agent and each other; `places` say what each agent reached on
    each board or world, where there are several.

    >>> found = mp.compare(["random", "single-point"], "beginner", games=20, seed=1)
    >>> [result.agent for result in found.results], found.finished
    (['random', 'single-point'], True)
    """

    board: str
    rules: str
    games: int
    seed: int
    agent_seed: int
    results: tuple[Result, ...]
    paired: tuple[tuple[str, str, Paired], ...]
    rows: tuple[Row, ...] = ()
    finished: bool = True
    decided: tuple[Decided, ...] = ()
    places: tuple[AtPlace, ...] = ()

    def __repr__(self) -> str:
        rates = ", ".join(f"{one.agent} {percent(one.rate)}" for one in self.results)
        return f"<{self.games} games on {self.board}, won: {rates}>"

    @classmethod
    def of_run(
        cls, left: Run, judge: SequentialJudge | None = None, board: str | None = None
    ) -> Comparison:
        """What a run says; where a judge has decided, what its games say and no others."""
        experiment = left.experiment
        decided = () if judge is None else judge.decisions
        most = judge.games if judge is not None and judge.decided else None
        rows: tuple[Row, ...] = ()
        if left.folder is None or not left.games:
            tables = {
                agent: first_games(left.table(number), most)
                for number, agent in enumerate(experiment.agents)
            }
            groups = [group for table in tables.values() for group in groups_of(table)]
            results = results_of(experiment.agents, groups)
            places = places_of(experiment.agents, experiment.place_names, groups)
            paired = pairs_of({agent: (own["game"], own["won"]) for agent, own in tables.items()})
            rows = tuple(row for table in tables.values() for row in rows_of(table))
        else:
            with Results(left.folder, most) as kept:
                results, paired, places = kept.summary(), kept.paired(), kept.by_place()
        return cls(
            _board_text(experiment) if board is None else board,
            _rules_text([place.setting for place in experiment.places]),
            experiment.games,
            experiment.seed,
            experiment.agent_seed,
            results,
            paired,
            rows,
            left.complete,
            decided,
            places if len(experiment.places) > 1 else (),
        )

    def to_json(self) -> dict[str, Any]:
        """The object that `compare --json` prints."""
        found: dict[str, Any] = {
            "board": self.board,
            "rules": self.rules,
            "games": self.games,
            "seed": self.seed,
            "agent_seed": self.agent_seed,
            "finished": self.finished,
            "results": [result.to_json() for result in self.results],
            "paired": [pair.to_json(a, b) for a, b, pair in self.paired],
        }
        if self.places:
            found["places"] = [place.to_json() for place in self.places]
        if self.decided:
            first, *others = (result.agent for result in self.results)
            found["decided"] = [
                {"a": first, "b": other, **decided.to_json()}
                for other, decided in zip(others, self.decided, strict=True)
            ]
        return found


def _board_text(experiment: Experiment) -> str:
    if len(experiment.worlds) > 1:
        return f"{len(experiment.worlds)} worlds"
    return ", ".join(place.setting.name for place in experiment.places)


def _rules_text(settings: Sequence[Setting]) -> str:
    """The rules of all settings; without the mines, where each has its own."""
    rules = settings[0].rules.text
    if settings[0].world is None and len(settings) == 1:
        return rules
    return " ".join(word for word in rules.split() if not word.startswith("mines="))


def boards_of(
    board: AnyBoard | list[AnyBoard] | None,
    worlds: str | Path | None = None,
    world: str | None = None,
) -> Sequence[AnyBoard]:
    """The boards that are played: those given, or the worlds of a file. Raises InputError."""
    if worlds is None:
        if world is not None:
            raise InputError("a world needs its file; accepted: worlds=FILE world=NAME")
        return board if isinstance(board, list) else [DEFAULT_BOARD if board is None else board]
    if board is not None:
        raise InputError("a board and worlds are given; accepted: one of them")
    return choose_worlds(read_worlds(worlds), world)


def compare(
    agents: Sequence[AnyAgent],
    board: AnyBoard | list[AnyBoard] | None = None,
    *,
    worlds: str | Path | None = None,
    world: str | None = None,
    games: int = 100,
    seed: int = 0,
    agent_seed: int | None = None,
    limits: Limits | None = None,
    jobs: int = 1,
    out: str | Path | None = None,
    engine: str | None = None,
    watch: Callable[[Row], None] | None = None,
    rules: AnyRules | None = None,
    **words: RuleValue,
) -> Comparison:
    """Let agents play the same games, and compare how many they win.

    Agents are names or files as on the command line, objects with `act`, or classes of such. A
    board and the rules are given as to `mineproof.play`; a list is several boards, and `worlds` a
    file of worlds. `games` counts games on each. Agents that are names or files can play in several
    processes (`jobs`) or on a cluster (`engine`), and into a folder (`out`) that the same call
    takes up again; objects play in this process. `watch` is called with the row of every game that
    is played. Raises InputError.

    >>> found = mp.compare(["random", "exact"], mp.Board("9x9", 10), games=20, seed=1)
    >>> found.games, found.paired[0][:2]
    (20, ('random', 'exact'))
    """
    experiment = Experiment.of(
        agents,
        boards=[Setting.of(one, rules, **words) for one in boards_of(board, worlds, world)],
        games=games,
        seed=seed,
        agent_seed=agent_seed,
        limits=limits,
    )
    with make_executor(jobs, engine) as executor:
        left = run(experiment, executor, folder=out, watch=watch)
    return Comparison.of_run(left, board=None if worlds is None else str(worlds))
