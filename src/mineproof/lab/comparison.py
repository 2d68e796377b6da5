"""A paired comparison: the same games for every agent, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.board.worlds import choose_worlds, read_worlds
from mineproof.errors import InputError, check_function, check_kind
from mineproof.lab.board_range import expanded, range_text
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.rows import RISKS, Table, first_games, rows_of
from mineproof.lab.runner import Run, run
from mineproof.lab.scores import by_score
from mineproof.lab.sequential import Decided, SequentialJudge
from mineproof.lab.statistics import Paired, PairedAt, Played, pairs_at, pairs_of
from mineproof.lab.summary import AtPlace, Result, groups_of, places_of, results_of, tested
from mineproof.match.entrants import AnyAgent
from mineproof.match.isolation import Limits
from mineproof.match.row import Row
from mineproof.percentages import rate_percent
from mineproof.rules import RuleValue
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting

__all__ = ["Comparison", "Result", "boards_of", "compare"]


@dataclass(frozen=True)
class Comparison:
    """What games say of agents; `finished` is False where not all were played.

    `measures` are those that mean something under the rules, beside wins; with `score` among them
    agents are compared by score, else by wins. `rows` are the games where they were not written to
    a folder. `decided` are the answers of a sequential test, for the first agent and each other;
    `places` say what each agent reached on each board or world, where there are several, and
    `paired_places` compare every two agents there. With agents from outside, the deals come from a
    `secret`: given to `compare`, with the same seed, it repeats them.

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
    measures: tuple[str, ...] = ()
    paired_places: tuple[PairedAt, ...] = ()
    secret: str | None = None

    @property
    def by(self) -> str:
        """What agents are compared by: `won` or `score`."""
        return "score" if "score" in self.measures else "won"

    def __repr__(self) -> str:
        reached = ", ".join(f"{one.agent} {self._text(one.reached.value)}" for one in self.results)
        return f"<{self.games} games on {self.board}, {self.by}: {reached}>"

    def _repr_html_(self) -> str:
        """The tables that a notebook shows."""
        from mineproof.lab.comparison_html import comparison_html

        return comparison_html(self)

    def _text(self, value: float) -> str:
        return f"{value:.3f}" if self.by == "score" else rate_percent(value)

    @classmethod
    def of_run(
        cls, left: Run, judge: SequentialJudge | None = None, board: str | None = None
    ) -> Comparison:
        """What a run says; where a judge has decided, what its games say and no others."""
        experiment = left.experiment
        decided = () if judge is None else judge.decisions
        most = judge.games if judge is not None and judge.decided else None
        several = len(experiment.places) > 1
        rows: tuple[Row, ...] = ()
        if left.folder is None or not left.games:
            tables = {
                agent: first_games(left.table(number), most)
                for number, agent in enumerate(experiment.agents)
            }
            groups = [group for table in tables.values() for group in groups_of(table)]
            played = {agent: _played(own, experiment) for agent, own in tables.items()}
            agents, names = experiment.agents, experiment.place_names
            lucks = {agent: tested(tables[agent][RISKS].tolist()) for agent in experiment.outsiders}
            results, paired = results_of(agents, groups, played, lucks), pairs_of(played)
            places = places_of(agents, names, groups, played) if several else ()
            paired_places = pairs_at(names, played) if several else ()
            rows = tuple(row for table in tables.values() for row in rows_of(table))
        else:
            with Results(left.folder, most) as kept:
                results, paired = kept.summary(), kept.paired()
                places = kept.by_place() if several else ()
                paired_places = kept.paired_by_place() if several else ()
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
            places,
            experiment.rules.measures,
            paired_places,
            experiment.secret,
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
            "by": self.by,
            "measures": list(self.measures),
            "results": [result.to_json() for result in self.results],
            "paired": [pair.to_json(a, b) for a, b, pair in self.paired],
        }
        if self.secret is not None:
            found["secret"] = self.secret
        if self.places:
            found["places"] = [place.to_json() for place in self.places]
            found["paired_places"] = [pair.to_json() for pair in self.paired_places]
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
    if experiment.boards:
        return range_text(experiment.boards)
    return ", ".join(place.setting.name for place in experiment.places)


def _played(table: Table, experiment: Experiment) -> Played:
    scores = table["score"] if by_score(experiment.rules) else None
    return Played(table["game"], table["won"], scores)


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
    """The boards that are played: those given, ranges spread out, or the worlds of a file.

    Raises InputError.
    """
    if worlds is None:
        if world is not None:
            raise InputError("a world needs its file; accepted: worlds=FILE world=NAME")
        if board is None:
            return [DEFAULT_BOARD]
        return expanded(board if isinstance(board, list) else [board])
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
    transcripts: bool = False,
    secret: str | None = None,
    rules: AnyRules | None = None,
    **words: RuleValue,
) -> Comparison:
    """Let agents play the same games, and compare how many they win.

    Where a game goes on after a mine (`on_mine="continue"`), they are compared by score.

    Agents are names or files as on the command line, objects with `act`, or classes of such. A
    board and the rules are given as to `mineproof.play`; a list is several boards, a text such as
    `16x30/50..100:10` a range of mines, and `worlds` a file of worlds. `games` counts games on
    each. Agents that are names or files can play in several processes (`jobs`) or on a cluster
    (`engine`), and into a folder (`out`) that the same call takes up again; objects play in this
    process. With `transcripts` the folder keeps those of all games. `watch` is called with the row
    of every game that is played. Agents that are not ours meet deals that come from a secret, drawn
    now and kept in the result; `secret` repeats those of an earlier comparison. Raises InputError.

    >>> found = mp.compare(["random", "exact"], mp.Board("9x9", 10), games=20, seed=1)
    >>> found.games, found.paired[0][:2]
    (20, ('random', 'exact'))
    """
    check_function(watch, "watch", "a function of a Row, or None")
    if out is not None:
        check_kind(out, str if isinstance(out, str) else Path, "out", "the path of a folder")
    experiment = Experiment.of(
        agents,
        boards=[Setting.of(one, rules, **words) for one in boards_of(board, worlds, world)],
        games=games,
        seed=seed,
        agent_seed=agent_seed,
        limits=limits,
        secret=secret,
    )
    with make_executor(jobs, engine) as executor:
        left = run(experiment, executor, folder=out, watch=watch, transcripts=transcripts)
    return Comparison.of_run(left, board=None if worlds is None else str(worlds))
