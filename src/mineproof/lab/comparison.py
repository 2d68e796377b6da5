"""A paired comparison: the same games for every agent, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from mineproof.board.worlds import World, choose_worlds, read_worlds
from mineproof.errors import InputError
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.rows import rows_of
from mineproof.lab.runner import Run, run
from mineproof.lab.sequential import Decided, SequentialJudge
from mineproof.lab.statistics import Paired
from mineproof.lab.summary import AtPlace, Result
from mineproof.match.isolation import Limits
from mineproof.match.series import Named, Row, Series, entrants
from mineproof.match.setting import DEFAULT_BOARD, Setting

__all__ = ["Comparison", "Result", "compare", "experiment_of"]


@dataclass(frozen=True)
class Comparison:
    """What games say of agents; `finished` is False where not all were played.

    `rows` are the games where they were not written to a folder. `decided` are the answers of a
    sequential test, for the first agent and each other; `places` say what each agent reached on
    each board or world, where there are several.
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

    @classmethod
    def of_series(cls, series: Series, rows: Sequence[Row], board: str | None) -> Comparison:
        """What the rows of a series say. `board` names a file of worlds."""
        names = [entrant.name for entrant in series.entrants]
        return cls(
            series.settings[0].board.text if board is None else board,
            _rules_text(series.settings),
            series.games,
            series.seed,
            series.agent_seed,
            *_summed(names, [((row.world, row.index), row) for row in rows]),
            tuple(rows),
            len(rows) == len(series),
        )

    @classmethod
    def of_run(
        cls, left: Run, judge: SequentialJudge | None = None, board: str | None = None
    ) -> Comparison:
        """What a run says; where a judge has decided, what its games say and no others."""
        experiment = left.experiment
        decided = () if judge is None else judge.decisions
        most = judge.games if judge is not None and judge.decided else None
        games: list[tuple[int, Row]] = []
        if left.folder is None or not left.games:
            games = [
                (game, row)
                for table in left.ordered()
                for game, row in zip(table["game"].tolist(), rows_of(table), strict=True)
                if most is None or game < most
            ]
            results, paired = _summed(experiment.agents, games)
            places = _by_place(experiment, games)
        else:
            with Results(left.folder, most) as kept:
                results, paired, places = kept.summary(), kept.paired(), kept.by_place()
        return cls(
            ", ".join(experiment.boards) if board is None else board,
            _rules_text([place.setting for place in experiment.places]),
            experiment.games,
            experiment.seed,
            experiment.agent_seed,
            results,
            paired,
            tuple(row for _, row in games),
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


def _rules_text(settings: Sequence[Setting]) -> str:
    """The rules of all settings; without the mines, where each has its own."""
    rules = settings[0].rules.text
    if settings[0].world is None and len(settings) == 1:
        return rules
    return " ".join(word for word in rules.split() if not word.startswith("mines="))


def _by_place(experiment: Experiment, games: Sequence[tuple[int, Row]]) -> tuple[AtPlace, ...]:
    """Each agent on each board or world, in the order of the experiment."""
    number = len(experiment.places)
    parts: dict[tuple[str, int], list[Row]] = {
        (agent, place): [] for agent in experiment.agents for place in range(number)
    }
    for game, row in games:
        parts[row.agent, game % number].append(row)
    return tuple(
        AtPlace.of(experiment.places[place].board, rows)
        for (_, place), rows in parts.items()
        if rows
    )


def _summed(
    names: Sequence[str], games: Iterable[tuple[Hashable, Row]]
) -> tuple[tuple[Result, ...], tuple[tuple[str, str, Paired], ...]]:
    """Each agent's result, and every two agents paired; a row comes with the name of its game."""
    by_agent: dict[str, dict[Hashable, Row]] = {name: {} for name in names}
    for game, row in games:
        by_agent[row.agent][game] = row
    results = tuple(Result.of(name, list(by_agent[name].values())) for name in names)
    pairs = ((a, b, _paired(by_agent[a], by_agent[b])) for a, b in combinations(names, 2))
    return results, tuple(pairs)


def _paired(first: Mapping[Hashable, Row], second: Mapping[Hashable, Row]) -> Paired:
    counts = Counter((row.won, second[game].won) for game, row in first.items() if game in second)
    return Paired(
        counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    )


def experiment_of(
    agents: Sequence[str],
    board: str | None = None,
    *,
    worlds: str | Path | None = None,
    world: str | None = None,
    games: int = 100,
    seed: int = 0,
    agent_seed: int | None = None,
    shard_games: int | None = None,
    limits: Limits | None = None,
    **rules: str | None,
) -> Experiment:
    """The experiment of one board, or of the worlds of a file. Raises InputError."""
    found = _worlds(board, worlds, world)
    return Experiment.of(
        agents,
        boards=() if found else (DEFAULT_BOARD if board is None else board,),
        worlds=found,
        games=games,
        seed=seed,
        agent_seed=agent_seed,
        shard_games=shard_games,
        limits=limits,
        rules=rules,
    )


def _worlds(board: str | None, worlds: str | Path | None, world: str | None) -> tuple[World, ...]:
    """The worlds that are played; none where it is a board."""
    if worlds is None:
        if world is not None:
            raise InputError("a world needs its file; accepted: worlds=FILE world=NAME")
        return ()
    if board is not None:
        raise InputError("a board and worlds are given; accepted: one of them")
    return choose_worlds(read_worlds(worlds), world)


def compare(
    agents: Sequence[Named],
    board: str | None = None,
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
    **rules: str | None,
) -> Comparison:
    """Let agents play the same games, and compare how many they win.

    Agents are texts as on the command line, objects with `act`, which play in this process, or
    classes of such. `games` counts games per world where `worlds` is a file of worlds. Rules are
    given by name, as on the command line: `first_click="opening"`. Agents that are all texts can
    play in several processes (`jobs`) or on a cluster (`engine`), and into a folder (`out`) that
    the same call takes up again. `watch` is called with every game of this process. Raises
    InputError.
    """
    texts = [agent for agent in agents if isinstance(agent, str)]
    elsewhere = jobs != 1 or out is not None or engine is not None
    if len(texts) < len(agents) or watch is not None:
        if elsewhere:
            raise InputError(
                "objects and watched games stay in this process; accepted: names of agents, or"
                " neither jobs, out nor engine"
            )
        places = _worlds(board, worlds, world) or (DEFAULT_BOARD if board is None else board,)
        settings = [Setting.of(place, **rules) for place in places]
        rows: list[Row] = []
        with Series(entrants(agents, limits), settings, games, seed, agent_seed) as series:
            for row in series.rows():
                rows.append(row)
                if watch is not None:
                    watch(row)
        return Comparison.of_series(series, rows, None if worlds is None else str(worlds))
    experiment = experiment_of(
        texts,
        board,
        worlds=worlds,
        world=world,
        games=games,
        seed=seed,
        agent_seed=agent_seed,
        shard_games=None,
        limits=limits,
        **rules,
    )
    with make_executor(jobs, engine) as chosen:
        left = run(experiment, chosen, folder=out)
    return Comparison.of_run(left, board=None if worlds is None else str(worlds))
