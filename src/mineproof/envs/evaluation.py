"""How good a policy is, measured independently of its luck: the same protocol for everyone.

The policy plays game 0 of each seed, the game that `mineproof.play` plays with that seed. Every
position on the way is analysed exactly, so policies of the same win rate can be told apart: by the
winning chance that their moves gave away, and by how often they opened a certainly safe cell where
there was one.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeAlias, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from mineproof.advice.adviser import is_promised
from mineproof.advice.game_review import Effort, judge
from mineproof.agents.agent import Action, Agent, Decision, as_decision
from mineproof.engine.exact import analyze_many
from mineproof.envs.batch import Autoreset
from mineproof.envs.games import EnvironmentOptions, LearnerGames, Observation
from mineproof.errors import InputError, as_given, as_int, each_of
from mineproof.game.play import AnyAgent, named_agents, play_game
from mineproof.rng import check_seed
from mineproof.rules import RuleWords
from mineproof.text import Z95, Interval, percent, wilson
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting
from mineproof.view.view import View


class Predictor(Protocol):
    """A model of Stable-Baselines3, or whatever else has its `predict`."""

    def predict(self, observation: Any, **options: Any) -> tuple[Any, Any]: ...


Policy: TypeAlias = Callable[[Any], Any] | Predictor | AnyAgent
"""What can be evaluated: a function from the observations of many games to an action for each, a
model with `predict`, or an agent as `mineproof.play` takes it."""

Moves: TypeAlias = list[tuple[View, int]]
"""The cells that were opened in a game, each with the view before it."""

_MOST_GAMES = 256
"""So many games are played side by side."""


@dataclass(frozen=True)
class Estimate:
    """A mean over games, with its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, value: float, interval: Interval) -> Estimate:
        return cls(value, interval.low, interval.high)


@dataclass(frozen=True)
class Evaluation:
    """What a policy reached on fixed games.

    `won` is the share of games won, with Wilson's interval. `regret` is the winning chance that the
    moves of a game gave away in all, on average; None where it was not asked for. `certain` is the
    share of moves that opened a certainly safe cell, among those where there was one; None where
    there never was. `illegal` counts games lost by an illegal move, `failed` those that an agent
    ended by an error.

    >>> from mineproof.envs import evaluate
    >>> found = evaluate("exact", "4x4/3", seeds=range(40), regret=False)
    >>> found.games, found.certain.value
    (40, 1.0)
    """

    board: str
    rules: str
    games: int
    won: Estimate
    regret: Estimate | None
    certain: Estimate | None
    illegal: int = 0
    failed: int = 0

    def __str__(self) -> str:
        def interval_text(one: Estimate) -> str:
            return f"{percent(one.value)} ({percent(one.low)} to {percent(one.high)})"

        parts = [f"{self.games} games on {self.board}: {interval_text(self.won)} won"]
        if self.regret is not None:
            parts.append(f"{interval_text(self.regret)} of winning chance given away a game")
        if self.certain is not None:
            parts.append(
                f"a certain cell taken in {interval_text(self.certain)} of the moves that had one"
            )
        for count, what in ((self.illegal, "illegal moves"), (self.failed, "errors")):
            if count:
                parts.append(f"{count} games lost by {what}")
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """The same as numbers by name."""
        return asdict(self)


def evaluate(
    policy: Policy,
    board: AnyBoard = DEFAULT_BOARD,
    seeds: Iterable[int] | int = 1000,
    *,
    observe: str = "codes",
    regret: bool = True,
    samples: int = 100,
    threads: int = 1,
    rules: AnyRules | None = None,
    **words: Unpack[RuleWords],
) -> Evaluation:
    """Let a policy play one game for each seed, and judge its every move.

    A policy is a function that takes the observations of many games, as a vector environment gives
    them (`observe` chooses the kind), and returns an action for each; a model of Stable-Baselines3,
    which gets the mask of legal actions if it takes one; or an agent. A number of seeds is 0, 1, 2
    and so on. An illegal action ends its game. `regret` is exact near the end of a game; before it,
    `samples` games are played out for each move that risks something, so it can be left out. Raises
    InputError, and BudgetExceeded where a position is too wide to count.

    >>> def corner_first(seen):
    ...     return seen["action_mask"].argmax(axis=1)
    >>> found = evaluate(corner_first, "3x3/2", seeds=20)
    >>> 0 <= found.won.low <= found.won.value <= found.won.high <= 1
    True
    """
    names = _seeds(seeds)
    setting = Setting.of(board, rules, **words)
    if isinstance(policy, str | os.PathLike | type) or hasattr(policy, "act"):
        played = _play_agent(setting, cast("AnyAgent", policy), names)
    else:
        play = EnvironmentOptions(setting, observe=observe, illegal="end")
        played = _play_policy(play, _chooser(policy), names, threads)
    effort = Effort(samples=as_int(samples, "samples")) if regret else None
    won = illegal = failed = 0
    games: list[tuple[float, int, int]] = []
    for result, moves in played:
        won += result == "won"
        illegal += result == "illegal"
        failed += result == "failed"
        games.append(_judge_game(moves, effort, threads))
    lost, taken, chances = np.array(games, dtype=np.float64).T
    return Evaluation(
        setting.name,
        setting.rules.text,
        len(games),
        Estimate.of(won / len(games), wilson(won, len(games))),
        _ratio(lost, np.ones(len(games))) if regret else None,
        _ratio(taken, chances, most=1.0) if chances.any() else None,
        illegal,
        failed,
    )


def _seeds(seeds: Iterable[int] | int) -> list[int]:
    if isinstance(seeds, int | np.integer):
        seeds = range(int(seeds))
    found = [int(check_seed(seed)) for seed in each_of(seeds, "seeds", "such as range(1000)")]
    if not found:
        raise InputError("no seeds are given; accepted: 1 or more")
    return found


# -- Playing -------------------------------------------------------------------

Chooser: TypeAlias = Callable[[Observation, NDArray[np.bool_]], Any]
"""Actions for observations and the masks of legal actions."""


def _chooser(policy: object) -> Chooser:
    predict = getattr(policy, "predict", None)
    if predict is not None:
        masked = "action_masks" in inspect.signature(predict).parameters
        return lambda seen, legal: predict(
            seen, deterministic=True, **({"action_masks": legal} if masked else {})
        )[0]
    if not callable(policy):
        raise InputError(
            f"policy {as_given(policy)} cannot play; accepted: a function of observations, a model"
            " with `predict`, or an agent"
        )
    return lambda seen, legal: policy(seen)


def _play_policy(
    options: EnvironmentOptions, choose: Chooser, seeds: list[int], threads: int
) -> Iterator[tuple[str, Moves]]:
    for begin in range(0, len(seeds), _MOST_GAMES):
        yield from _play_batch(options, choose, seeds[begin : begin + _MOST_GAMES], threads)


def _play_batch(
    options: EnvironmentOptions, choose: Chooser, seeds: list[int], threads: int
) -> Iterator[tuple[str, Moves]]:
    # Games that have ended begin anew and play on unseen, so that the policy always gets a whole
    # batch; with a policy that looks at every game alone that changes nothing.
    games = LearnerGames(options, len(seeds), threads, Autoreset.NEXT_STEP)
    games.reset(seeds, 0)
    cells = games.play.cells
    live = np.ones(len(seeds), dtype=np.bool_)
    results = [""] * len(seeds)
    moves: list[Moves] = [[] for _ in seeds]
    while live.any():
        legal = games.action_mask.astype(np.bool_)
        actions = np.asarray(choose(games.observation(), legal))
        if actions.shape != live.shape or actions.dtype.kind not in "iu":
            raise InputError(
                f"the policy gave actions {actions.dtype}{list(actions.shape)}; accepted:"
                f" {len(live)} whole numbers"
            )
        actions = np.where(live, actions, legal.argmax(axis=1)).astype(np.int64)
        views = games.views(live)
        rows = np.flatnonzero(live).tolist()
        allowed = {
            row: 0 <= actions[row] < cells and bool(legal[row, actions[row]]) for row in rows
        }
        games.step(actions)
        for row, view in zip(rows, views, strict=True):
            if allowed[row]:
                moves[row].append((view, int(actions[row])))
            if games.terminated[row] or games.truncated[row]:
                live[row] = False
                lost = "lost" if allowed[row] else "illegal"
                results[row] = "won" if games.won[row] else lost
    yield from zip(results, moves, strict=True)


def _play_agent(setting: Setting, agent: AnyAgent, seeds: list[int]) -> Iterator[tuple[str, Moves]]:
    (entrant,) = named_agents([agent])
    with entrant.players() as make:
        for seed in seeds:
            moves: Moves = []
            player = _Noted(make(), moves)
            game = play_game(setting, player, entrant.name, seed)
            failed = game.outcome.termination.value == "failed"
            yield "won" if game.outcome.won else "failed" if failed else "lost", moves


class _Noted:
    """An agent whose opened cells are noted with the views before them."""

    def __init__(self, agent: Agent, moves: Moves) -> None:
        self._agent, self._moves = agent, moves

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agent, name)

    def act(self, view: View) -> Decision:
        decision = as_decision(self._agent.act(view), view.topology)
        if decision.action is Action.OPEN and decision.cell is not None:
            self._moves.append((view, decision.cell))
        return decision


# -- Judging -------------------------------------------------------------------


def _judge_game(moves: Moves, effort: Effort | None, threads: int) -> tuple[float, int, int]:
    """The winning chance given away; how often a certain cell was taken, and could be."""
    taken = chances = 0
    lost = 0.0
    judged = [(view, cell) for view, cell in moves if not is_promised(view)]
    analyses = analyze_many([view for view, _ in judged], threads=threads)
    for (view, cell), analysis in zip(judged, analyses, strict=True):
        safe = analysis.safe
        chances += bool(safe)
        taken += cell in safe
        if effort is not None and cell not in safe:
            lost += judge(view, Decision.open(cell), effort).lost or 0.0
    return lost, taken, chances


def _ratio(
    parts: NDArray[np.float64], wholes: NDArray[np.float64], most: float = np.inf
) -> Estimate:
    """The sum of parts over the sum of wholes; games are independent, moves of a game are not."""
    value = parts.sum() / wholes.sum()
    if len(parts) < 2:
        return Estimate(float(value), 0.0, float(most))
    spread = (parts - value * wholes).std(ddof=1) / wholes.mean() / np.sqrt(len(parts))
    low, high = max(value - Z95 * spread, 0.0), min(value + Z95 * spread, most)
    return Estimate(float(value), float(low), float(high))
