"""Many games of one agent: `play_many`, in the core on several threads if the agent lives there.

The core plays the same games as the Python referee, game for game, with any number of threads.
Agents that do not live in the core are played by the referee, one game after the other.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.agents.first_click import first_cells
from mineproof.agents.logic_kinds import LOGICS
from mineproof.agents.players import PLAYERS
from mineproof.agents.spec import AgentSpec, parse_agent
from mineproof.board.deal import given_cells, kept_free_for_given
from mineproof.errors import InputError
from mineproof.inference.engine.ground import ground_of
from mineproof.interval import Interval, wilson
from mineproof.kernel import core
from mineproof.match.entrants import DEFAULT_AGENT, AnyAgent, Entrant, entrants
from mineproof.match.game import play_game
from mineproof.match.row import row_of
from mineproof.rng import check_seed
from mineproof.rules import FirstClick, Given, Goal, OnMine, RuleValue
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting
from mineproof.whole import whole

__all__ = ["Games", "core_games", "core_player", "play_many"]

_EXACT = "exact"


@dataclass(frozen=True)
class Games:
    """The results of many games: arrays with an entry for every game, in the order of their index.

    `steps` are cells the agent opened or flagged, `guesses` those it opened without a proof; `gain`
    is the measured gain of the rollouts under `champion[fresh=N]`, else 0. `chance` is 1 or 0 as
    the game was won or lost, or the chance to win by best play as soon as an agent of the core knew
    it. `luck` has a row for every game and a column for every stage of it: guesses that succeeded
    minus their expected number, until that chance was known. It is 0 on average, whoever plays, so
    `chance` minus any multiples of it has the same mean as `won`. Agents that do not live in the
    core have no luck. `seconds` is the wall time of all games together, `cpu_seconds` the CPU time.
    `failures` say how the agent failed (it raised, or made an illegal move), with the number of
    such games.

    >>> games = mp.play_many("beginner", games=50, seed=1)
    >>> len(games.won) == len(games) == 50
    True
    """

    board: str
    rules: str
    agent: str
    seed: int
    agent_seed: int
    start: int
    won: NDArray[np.bool_]
    steps: NDArray[np.int32]
    guesses: NDArray[np.int32]
    opened: NDArray[np.int32]
    flags: NDArray[np.int32]
    gain: NDArray[np.float64]
    chance: NDArray[np.float64]
    luck: NDArray[np.float64]
    seconds: float
    cpu_seconds: float
    failures: tuple[tuple[str, int], ...] = ()

    def __len__(self) -> int:
        return len(self.won)

    @property
    def rate(self) -> float:
        """The share of games won; 0 if none was played."""
        return float(self.won.mean()) if len(self) else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of the share won."""
        return wilson(int(self.won.sum()), len(self))

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"<{len(self)} games of {self.agent} on {self.board}: {100 * self.rate:.2f} % won"
            f" ({100 * low:.2f} to {100 * high:.2f}), {len(self) / max(self.seconds, 1e-9):.0f} a"
            f" second{''.join(f'; {many} {why}' for why, many in self.failures)}>"
        )


def play_many(
    board: AnyBoard = DEFAULT_BOARD,
    agent: AnyAgent = DEFAULT_AGENT,
    games: int = 1000,
    seed: int = 0,
    *,
    start: int = 0,
    agent_seed: int | None = None,
    threads: int = 1,
    rules: AnyRules | None = None,
    **words: RuleValue,
) -> Games:
    """Games `start` to `start + games` (not included) of an agent, all on one board.

    They are the games that `play` plays with the same seed and index. Board, agent and rules are
    given as for `play`; `threads` are for agents that live in the core. Raises InputError.

    >>> games = mp.play_many("beginner", games=200, seed=1)
    >>> len(games), round(games.rate, 2)
    (200, 0.93)
    """
    if (games := whole(games, "games")) < 1:
        raise InputError(f"{games} games; accepted: 1 or more")
    if not 1 <= (threads := whole(threads, "threads")) <= 1024:
        raise InputError(f"{threads} threads; accepted: 1 to 1024")
    start, seed = check_seed(start, "start"), check_seed(seed)
    check_seed(start + games - 1, "the last game")
    setting = Setting.of(board, rules, **words)
    (entrant,) = entrants([agent])
    own_seed = seed if agent_seed is None else check_seed(agent_seed, "agent seed")
    began, began_cpu = time.perf_counter(), time.process_time()
    in_core = entrant.make is None and knows(setting)
    player = core_player(entrant.name) if in_core else None
    if player is not None:
        played = core_games(setting, player, seed, own_seed, start, games, threads)
        columns = _columns(played)
    else:
        columns = _referee_columns(setting, entrant, seed, own_seed, start, games)
    return Games(
        board=setting.name,
        rules=setting.rules.text,
        agent=entrant.name,
        seed=seed,
        agent_seed=own_seed,
        start=start,
        seconds=time.perf_counter() - began,
        cpu_seconds=time.process_time() - began_cpu,
        **columns._asdict(),
    )


@dataclass(frozen=True)
class CorePlayer:
    """A player of the core by its name, with its options."""

    name: str
    options: Mapping[str, float]


def core_player(agent: str) -> CorePlayer | None:
    """The player of the core that an agent's text names; None where it has none. Raises InputError
    for a text that names no agent at all, unless it is a file's.
    """
    if not kernel.available() or agent.partition("[")[0] not in (_EXACT, *PLAYERS):
        return None
    spec = parse_agent(agent)
    logic = spec.logics[0]
    if spec != AgentSpec((logic,), LOGICS[logic.name].policy):
        return None
    if logic.options and logic.name not in PLAYERS:
        return None
    return CorePlayer(logic.name, logic.keywords)


def knows(setting: Setting) -> bool:
    """Whether the core knows these rules, and the mines fit beside any first cell."""
    rules, topology = setting.rules, setting.board.topology
    mines = rules.mines.fixed(len(topology))
    if setting.layout is not None or mines is None or rules.given.drawn(len(topology)):
        return False
    if (rules.on_mine, rules.goal, rules.clues) != (OnMine.LOSE, Goal.CLEAR, "exact"):
        return False
    if not rules.total_known:
        return False
    if rules.given != Given():
        # Where there is no room for the first click of the rules, the referee says so.
        smallest = int(rules.first_click is not FirstClick.ANY)
        if rules.first_click is FirstClick.OPENING:
            smallest += int(topology.degrees.min())
        free = len(kept_free_for_given(topology, rules))
        return mines + max(free, smallest) <= len(topology)
    kept_free = int(rules.first_click is not FirstClick.ANY)
    if rules.first_click is FirstClick.OPENING:
        kept_free += int(topology.degrees.max())
    return mines + kept_free <= len(topology)


def core_games(
    setting: Setting,
    player: CorePlayer,
    seed: int,
    agent_seed: int,
    start: int,
    games: int,
    threads: int = 1,
) -> core.PlayedGames:
    """What games of a setting that the core `knows` left, in columns."""
    rules, topology = setting.rules, setting.board.topology
    mines = rules.mines.fixed(len(topology)) or 0
    return core.play_many(
        ground_of(topology).board,
        mines,
        rules.first_click.value,
        rules.cascade,
        given_cells(topology, rules.given),
        kept_free_for_given(topology, rules),
        first_cells(topology, rules.first_click, mines),
        player.name,
        player.options,
        seed,
        agent_seed,
        start,
        games,
        threads,
    )


class _Columns(NamedTuple):
    """The columns of `Games`."""

    won: NDArray[np.bool_]
    steps: NDArray[np.int32]
    guesses: NDArray[np.int32]
    opened: NDArray[np.int32]
    flags: NDArray[np.int32]
    gain: NDArray[np.float64]
    chance: NDArray[np.float64]
    luck: NDArray[np.float64]
    failures: tuple[tuple[str, int], ...] = ()


def _columns(played: core.PlayedGames) -> _Columns:
    flags = played.flags
    steps = played.clicks + flags
    opened = played.opened - played.given
    luck = np.stack([played.luck(stage) for stage in range(played.stages)], axis=1)
    return _Columns(
        played.won, steps, played.guesses, opened, flags, played.gain, played.chance, luck
    )


def _referee_columns(
    setting: Setting, entrant: Entrant, seed: int, agent_seed: int, start: int, games: int
) -> _Columns:
    """The same columns from the Python referee."""
    with entrant.players() as make:
        played = [
            play_game(setting, make(), entrant.name, seed, start + k, agent_seed)
            for k in range(games)
        ]
    rows = [row_of(game) for game in played]
    flags = [sum(step.decision.action.value == "flag" for step in game.steps) for game in played]
    won = np.array([row.won for row in rows], dtype=bool)
    return _Columns(
        won=won,
        steps=np.array([row.steps for row in rows], dtype=np.int32),
        guesses=np.array([row.guesses for row in rows], dtype=np.int32),
        opened=np.array([row.opened for row in rows], dtype=np.int32),
        flags=np.array(flags, dtype=np.int32),
        gain=np.zeros(games),
        chance=won.astype(np.float64),
        luck=np.zeros((games, 0)),
        failures=tuple(Counter(row.reason for row in rows if row.failed).most_common()),
    )
