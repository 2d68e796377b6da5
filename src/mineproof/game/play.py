"""The game loop: a referee, an agent, and the transcript they leave."""

from __future__ import annotations

import inspect
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any, TypeAlias, Unpack

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.agents.adapters import path_text
from mineproof.agents.agent import (
    Action,
    Agent,
    AgentFactory,
    Decision,
    Guessed,
    LogicAgent,
    Proved,
    Unstated,
    as_decision,
)
from mineproof.agents.catalog import LOGICS, AgentSpec, parse_agent
from mineproof.agents.players import PLAYERS, first_cells
from mineproof.board.layout import given_cells, mine_free_given_cells
from mineproof.board.topology import Topology
from mineproof.engine.analysis import check_rules
from mineproof.engine.exact import core_board_of
from mineproof.errors import (
    AgentFailure,
    IllegalMove,
    InputError,
    MissingLibrary,
    as_given,
    as_int,
    check_function,
    one_line,
    quoted,
)
from mineproof.game.luck import risks_of, risks_text
from mineproof.game.referee import Referee, Termination
from mineproof.game.rows import Row, core_counts, frame_of, row_of
from mineproof.game.transcript import Step, Transcript
from mineproof.kernel import core
from mineproof.rng import Purpose, Stream, check_seed
from mineproof.rules import FirstClick, Given, RuleWords
from mineproof.sandbox.agent import IsolatedAgent, Limits, make_player
from mineproof.sandbox.wire import describe_exception
from mineproof.text import Interval, wilson
from mineproof.view.channels import Mark
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting
from mineproof.view.view import View

# -- Agents as a caller gives them: by name, as a file, as an object or as a class --

DEFAULT_AGENT = "exact"

AnyAgent: TypeAlias = str | os.PathLike[str] | Agent | type[Agent]
"""An agent by its text, as a file, as an object, or as a class."""


@dataclass(frozen=True)
class NamedAgent:
    """An agent by its name. `make` gives the player of a game; None where the name is its text."""

    name: str
    make: AgentFactory | None = None

    @contextmanager
    def players(self, limits: Limits | None = None) -> Iterator[AgentFactory]:
        """A function that gives the player of each game; its process, if any, ends with the `with`.

        Raises InputError for a text that names no agent.
        """
        if self.make is not None:
            yield self.make
            return
        player = make_player(self.name, limits)
        if isinstance(player, IsolatedAgent):
            with closing(player):
                yield lambda: player
        else:
            yield lambda: player


def named_agents(agents: Sequence[AnyAgent]) -> tuple[NamedAgent, ...]:
    """These agents with their names; whether a text names one is not checked yet.

    A text keeps its name, an object is named by its class. An object plays all games itself, in
    this process; of a class every game gets a new one. Raises InputError.
    """
    if isinstance(agents, str | os.PathLike) or not isinstance(agents, Iterable):
        raise InputError(
            f"agents {as_given(agents)} are no list; accepted: such as ['single-point', 'exact']"
        )
    found: list[NamedAgent] = []
    names: Counter[str] = Counter()
    for agent in agents:
        entrant = _named_agent(agent)
        names[entrant.name] += 1
        if names[entrant.name] > 1:
            if entrant.make is None:
                raise InputError(
                    f"agent {quoted(entrant.name)} is given twice; accepted: each once"
                )
            entrant = NamedAgent(f"{entrant.name} {names[entrant.name]}", entrant.make)
        found.append(entrant)
    if not found:
        raise InputError("no agent is named; accepted: at least one")
    return tuple(found)


def _named_agent(agent: AnyAgent) -> NamedAgent:
    if isinstance(agent, str | os.PathLike):
        name = os.fspath(agent)
        # A name that cannot be shown, or written as UTF-8, is escaped as in a folder of agents.
        return NamedAgent(name if name.isprintable() else path_text(name))
    name = agent.__name__ if isinstance(agent, type) else type(agent).__name__
    if not callable(getattr(agent, "act", None)):
        raise InputError(f"{quoted(name)} has no method `act`; accepted: a name or an agent")
    if isinstance(agent, type) and not _needs_no_arguments(agent):
        raise InputError(
            f"class {quoted(name)} needs arguments; accepted: an object of it, or a class that"
            " needs none"
        )
    return NamedAgent(name, agent if isinstance(agent, type) else lambda: agent)


def _needs_no_arguments(kind: type[Agent]) -> bool:
    """Whether a class can be called without arguments, as far as its signature tells."""
    try:
        inspect.signature(kind).bind()
    except ValueError:  # it does not say
        return True
    except TypeError:
        return False
    return True


def split_agents(text: str) -> tuple[str, ...]:
    """The agents of a list, split at commas outside brackets. Raises InputError."""
    names, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in "[(") - (char in "])")
        if depth < 0:
            break
        if char == "," and not depth:
            names.append(text[start:place].strip())
            start = place + 1
    if depth:
        raise InputError(f"agents {quoted(text)}: a bracket is left open or closed too often")
    names.append(text[start:].strip())
    if not all(names):
        raise InputError(f"agents {quoted(text)} has an empty name; accepted: such as random,sat")
    return tuple(names)


# -- One game: `play`, and the loop below it -----------------------------------

Watcher = Callable[[Referee, Decision | None], None]
"""Called before the first move with None, then after every move with its decision."""


def play(
    board: AnyBoard = DEFAULT_BOARD,
    agent: AnyAgent = DEFAULT_AGENT,
    seed: int = 0,
    *,
    index: int = 0,
    agent_seed: int | None = None,
    watch: Watcher | None = None,
    proofs: bool = False,
    judge: bool = False,
    rules: AnyRules | None = None,
    **words: Unpack[RuleWords],
) -> Transcript:
    """Play one game and write it down.

    `board` is a name, a Board, a topology with its mines, a World or a Layout. Rules are given by
    name (`first_click="opening"`) or as `rules`. `agent` is a name of the catalog,
    `path/to/file.py:Class` (which plays in a process of its own), an object with `act`, or a class
    of such. A logic's reasons name premises that force the cell by themselves. With `proofs` every
    move that the agent calls proved carries its proof. With `judge` every step called proved that
    is not certain is marked: `step.unsound` is the chance that it is false. Raises InputError.

    >>> mp.play("beginner", "single-point", seed=1).outcome.text
    'won (cleared)'
    >>> mp.play(mp.Board("9x9", 10), seed=1, first_click="opening").agent
    'exact'
    """
    check_function(watch, "watch", "a function of the referee and a step, or None")
    setting = Setting.of(board, rules, **words)
    (entrant,) = named_agents([agent])
    with entrant.players() as make:
        player = make()
        judged = prover = None
        if isinstance(player, LogicAgent) and not proofs:
            from mineproof.game.annotate import with_premises

            player = with_premises(player)
        if judge:
            from mineproof.game.check import SoundnessMonitor

            player = judged = SoundnessMonitor(player, dealt=setting.layout is None)
        if proofs:
            from mineproof.game.annotate import ProofAnnotator

            player = prover = ProofAnnotator(player)
        game = play_game(setting, player, entrant.name, seed, index, agent_seed, watch)
    if judged is not None:
        game = game.with_unsound(judged.unsound)
    return game if prover is None else game.with_proofs(prover.proofs)


def play_game(
    setting: Setting,
    agent: Agent,
    name: str,
    seed: int,
    index: int = 0,
    agent_seed: int | None = None,
    watch: Watcher | None = None,
) -> Transcript:
    """Play game `index` of `seed`; whatever the agent does, the game ends with an outcome.

    Raises RulesError, before the game, if the agent cannot play by these rules, and MissingLibrary
    if it needs a library that is not installed. The agent's own random numbers come from
    `agent_seed`, which is `seed` unless given; no agent sees either.
    """
    seed, index = check_seed(seed), check_seed(index, "index")
    chosen_agent_seed = seed if agent_seed is None else check_seed(agent_seed, "agent seed")
    world, topology = setting.world, setting.board.topology
    check_rules(agent, setting.rules, len(topology))
    referee = Referee(setting, seed, index)
    if watch is not None:
        watch(referee, None)
    steps: list[Step] = []
    rng = Stream(chosen_agent_seed, index, Purpose.AGENT)
    try:
        # isinstance on a protocol would take longer than whole games of many agents.
        begin = getattr(agent, "begin", None)
        if begin is not None:
            begin(referee.view, rng)
        # An agent that only toggles flags would play for ever.
        most_steps = 4 * len(topology) + 100
        while not referee.over:
            if len(steps) >= most_steps:
                raise AgentFailure(f"no end after {most_steps} steps")
            before = referee.view
            decision = _check_reason(as_decision(agent.act(before), topology), topology)
            referee.apply(decision)
            cell = decision.cell
            after = referee.view
            shown = Mark.HIDDEN if cell is None else after[cell]
            steps.append(Step(decision, shown, after.opened_count - before.opened_count))
            if watch is not None:
                watch(referee, decision)
    except MissingLibrary:
        raise  # the fault of the installation: a game lost to it would count against the agent
    except (AgentFailure, IllegalMove) as error:
        referee.stop(Termination.FAILED, one_line(error))
    except Exception as error:  # an agent is a user's code: its faults end only its game
        referee.stop(Termination.FAILED, describe_exception(error))
    return Transcript(
        board=setting.name,
        topology=topology,
        rules=setting.rules,
        agent=name,
        seed=seed,
        index=index,
        agent_seed=chosen_agent_seed,
        steps=tuple(steps),
        outcome=referee.outcome,
        world=None if world is None else world.name,
        layout=setting.layout,
    )


def _check_reason(decision: Decision, topology: Topology) -> Decision:
    """The decision with a reason that a transcript can hold. Raises AgentFailure."""
    reason = decision.reason
    if not isinstance(decision.action, Action):
        raise AgentFailure(f"the agent's action is {as_given(decision.action)}, no Action")
    if decision.action is Action.STOP:
        decision = replace(decision, cell=None)
    if isinstance(reason, Unstated):
        return replace(decision, reason=Unstated(one_line(reason.note)))
    if isinstance(reason, Proved):
        word, cells, fair = reason.logic, reason.premises.clues, True
    elif isinstance(reason, Guessed):
        risk = 0.0 if reason.risk is None else reason.risk
        word, cells, fair = reason.policy, reason.cells, reason.among >= 0 and isfinite(risk)
    else:  # whatever the types say, an agent may answer anything
        raise AgentFailure(
            f"the agent's reason is {as_given(reason)}; accepted: Proved, Guessed or Unstated"
        )
    if word.split() != [word] or not word.isprintable():
        raise AgentFailure(f"the agent's reason names {quoted(word)}; accepted: one word")
    if not fair or (cells and not 0 <= min(cells) <= max(cells) < len(topology)):
        raise AgentFailure(
            "the agent's reason holds numbers that cannot be, or cells off the board"
        )
    return decision


# -- A game with the row that it leaves: timed, and on demand with the risks that its agent took --


def play_recorded(
    setting: Setting,
    agent: Agent,
    name: str,
    seed: int,
    index: int,
    agent_seed: int,
    clock: Callable[[], float] = time.perf_counter,
    *,
    luck: bool = False,
) -> tuple[Row, Transcript]:
    """Play one game and return its row and its transcript; with `luck`, the row holds its risks."""
    if isinstance(agent, IsolatedAgent):
        agent.prepare()
    began = clock()
    record = RiskRecorder() if luck else None
    game = play_game(setting, agent, name, seed, index, agent_seed, record)
    # A transcript has the name as it may be shown; a row is found by the name that was given.
    row = replace(row_of(game, clock() - began, _effort(agent)), agent=name)
    return row if record is None else replace(row, risks=record.risks(setting)), game


class RiskRecorder:
    """Watches a game: what was opened, with the view it was opened on, and the mines at its end."""

    def __init__(self) -> None:
        self._referee: Referee
        self._before: View
        self._seen: list[tuple[View, Decision]] = []

    def __call__(self, referee: Referee, decision: Decision | None) -> None:
        # Flags risk nothing, and an agent may toggle them often: their views are not kept.
        if decision is not None and decision.action in (Action.OPEN, Action.CHORD):
            self._seen.append((self._before, decision))
        self._referee, self._before = referee, referee.view

    def risks(self, setting: Setting) -> str:
        """The risks of a game that is over, as a row holds them."""
        return risks_text(risks_of(setting, self._seen, self._referee.layout))


def _effort(agent: Agent) -> int:
    """The work an agent counted in the game just played, where it counts."""
    counted = getattr(agent, "effort", 0)
    if isinstance(counted, Mapping):
        return sum(value for value in counted.values() if isinstance(value, int))
    return counted if isinstance(counted, int) else 0


# ----------------------------------------------------------------------------
# Many games of one agent: `play_many`, in the core on several threads if the agent lives there.
#
# The core plays the same games as the Python referee, game for game, with any number of threads.
# Agents that do not live in the core are played by the referee, one game after the other.

_EXACT = "exact"


@dataclass(frozen=True)
class Games:
    """The results of many games: arrays with an entry for every game, in the order of their index.

    `steps` are cells the agent opened or flagged, `guesses` those it opened without a proof (all,
    of an agent that gives no reasons); `gain` is the measured gain of the rollouts under
    `champion[fresh=N]`, else 0. `chance` is 1 or 0 as the game was won or lost, or the chance to
    win by best play as soon as an agent of the core knew it. `luck` has a row for every game and a
    column for every stage of it: guesses that succeeded minus their expected number, until that
    chance was known. It is 0 on average, whoever plays, so `chance` minus any multiples of it has
    the same mean as `won`. Agents that do not live in the core have no luck. `seconds` is the wall
    time of all games together, `cpu_seconds` the CPU time. `failures` say how the agent failed (it
    raised, or made an illegal move), with the number of such games.

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

    def __eq__(self, other: object) -> bool:
        """Equal if the same games were played with the same results, in whatever time."""
        if not isinstance(other, Games):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, one.name), getattr(other, one.name))
            for one in fields(self)
            if one.name not in ("seconds", "cpu_seconds")
        )

    def __hash__(self) -> int:
        return hash((self.board, self.rules, self.agent, self.seed, self.start, len(self)))

    def to_frame(self, library: str | None = None) -> Any:
        """A row a game: its index, whether it was won, and the other arrays.

        A data frame of pandas or polars, whichever is installed, else a dictionary of columns;
        `library` names one of the three: `pandas`, `polars`, `dict`. `luck` is the sum of its
        stages.
        """
        names = ("won", "steps", "guesses", "opened", "flags", "gain", "chance")
        columns = {
            "index": np.arange(self.start, self.start + len(self)),
            **{name: getattr(self, name) for name in names},
            "luck": self.luck.sum(axis=1),
        }
        return frame_of(columns, library)

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
    **words: Unpack[RuleWords],
) -> Games:
    """Games `start` to `start + games` (not included) of an agent, all on one board.

    They are the games that `play` plays with the same seed and index. Board, agent and rules are
    given as for `play`; `threads` are for agents that live in the core. Raises InputError.

    >>> games = mp.play_many("beginner", games=200, seed=1)
    >>> len(games), round(games.rate, 2)
    (200, 0.93)
    """
    if (games := as_int(games, "games")) < 1:
        raise InputError(f"{games} games; accepted: 1 or more")
    if not 1 <= (threads := as_int(threads, "threads")) <= 1024:
        raise InputError(f"{threads} threads; accepted: 1 to 1024")
    start, seed = check_seed(start, "start"), check_seed(seed)
    check_seed(start + games - 1, "the last game")
    setting = Setting.of(board, rules, **words)
    (entrant,) = named_agents([agent])
    own_seed = seed if agent_seed is None else check_seed(agent_seed, "agent seed")
    began, began_cpu = time.perf_counter(), time.process_time()
    in_core = entrant.make is None and plays_in_core(setting)
    player = core_player(entrant.name) if in_core else None
    if player is not None:
        played = core_games(setting, player, seed, own_seed, start, games, threads)
        columns = {
            **core_counts(played),
            "flags": played.flags,
            "gain": played.gain,
            "chance": played.chance,
            "luck": np.stack([played.luck(stage) for stage in range(played.stages)], axis=1),
        }
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
        **columns,
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


_CORE_RULES = frozenset({"mines", "first_click", "given", "cascade"})
"""The rules that the core reads.

It knows only the default of any other, so a game with another value, or under a new rule, is the
referee's.
"""


def plays_in_core(setting: Setting) -> bool:
    """Whether the core can play this setting: it knows the rules, and any first cell has room."""
    rules, topology = setting.rules, setting.board.topology
    for one in fields(rules):
        if one.name not in _CORE_RULES and getattr(rules, one.name) != one.default:
            return False
    mines = rules.mines.fixed(len(topology))
    if setting.layout is not None or mines is None or rules.given.drawn(len(topology)):
        return False
    if rules.given != Given():
        # Where there is no room for the first click of the rules, the referee says so.
        smallest = int(rules.first_click is not FirstClick.ANY)
        if rules.first_click is FirstClick.OPENING:
            smallest += int(topology.degrees.min())
        free = len(mine_free_given_cells(topology, rules))
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
    """Play games in the core, as columns; the setting must be one that the core can play."""
    rules, topology = setting.rules, setting.board.topology
    mines = rules.mines.fixed(len(topology)) or 0
    return core.play_many(
        core_board_of(topology).board,
        mines,
        rules.first_click.value,
        rules.cascade,
        given_cells(topology, rules.given),
        mine_free_given_cells(topology, rules),
        first_cells(topology, rules.first_click, mines),
        player.name,
        player.options,
        seed,
        agent_seed,
        start,
        games,
        threads,
    )


def _referee_columns(
    setting: Setting, entrant: NamedAgent, seed: int, agent_seed: int, start: int, games: int
) -> dict[str, Any]:
    with entrant.players() as make:
        played = [
            play_game(setting, make(), entrant.name, seed, start + k, agent_seed)
            for k in range(games)
        ]
    rows = [row_of(game) for game in played]
    flags = [sum(step.decision.action is Action.FLAG for step in game.steps) for game in played]
    won = np.array([row.won for row in rows], dtype=bool)
    return {
        "won": won,
        **{
            name: np.array([getattr(row, name) for row in rows], dtype=np.int32)
            for name in ("steps", "guesses", "opened")
        },
        "flags": np.array(flags, dtype=np.int32),
        "gain": np.zeros(games),
        "chance": won.astype(np.float64),
        "luck": np.zeros((games, 0)),
        "failures": tuple(Counter(row.reason for row in rows if row.failed).most_common()),
    }
