"""Games for learners: what the single and the vector environment share.

An environment translates between this module and Gymnasium. The games themselves are in a batch,
which never reveals where the mines are.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.advice.adviser import is_promised
from mineproof.advice.game_review import Effort, judge
from mineproof.agents.agent import Decision
from mineproof.board.layout import mine_free_cells, mine_free_given_cells
from mineproof.engine.exact import analyze_many
from mineproof.envs.batch import FLAG_CODE, Autoreset, GameBatch, GameSetup, make_batch
from mineproof.errors import BudgetExceeded, IllegalMove, InputError, UnknownName, as_int, quoted
from mineproof.registry import Catalog
from mineproof.rng import check_seed
from mineproof.rules import RULE_WORDS, Given, OnMine, RuleWords, told_rules
from mineproof.view.channels import EXACT, Mark, channel
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting
from mineproof.view.view import View

if TYPE_CHECKING:
    from gymnasium import spaces

ILLEGAL = ("stay", "end", "raise")


class UnknownOption(InputError, TypeError):
    """A keyword that is neither an option of an environment nor a rule.

    Also a TypeError that says what Python's own would: wrappers such as TorchRL's try keywords, and
    leave those out that are refused so. Gymnasium makes it anew with a longer message.
    """

    @classmethod
    def of(cls, name: str) -> UnknownOption:
        options = [one.name for one in fields(EnvironmentOptions) if one.name != "words"]
        known = [*options, *(word.replace("-", "_") for word in RULE_WORDS)]
        hint = str(UnknownName("option", name, known)).partition("; ")[2]
        return cls(f"unexpected keyword argument {quoted(name)}; {hint}")


@dataclass(frozen=True)
class EnvironmentOptions:
    """The options of an environment; see docs/environment.md. Raises InputError."""

    board: AnyBoard = DEFAULT_BOARD
    rules: AnyRules | None = None
    observe: str = "codes"
    reward: str = "win"
    info: str | Iterable[str] = ()
    flags: bool = False
    illegal: str = "stay"
    samples: int = 100
    max_episode_steps: int | None = None
    words: RuleWords | None = None

    def play(self) -> GameSetup:
        """The game that these options describe."""
        for name in self.words or ():
            if name.replace("_", "-") not in RULE_WORDS:
                raise UnknownOption.of(name)
        setting = Setting.of(self.board, self.rules, **(self.words or {}))
        if self.illegal not in ILLEGAL:
            raise UnknownName("illegal", self.illegal, ILLEGAL)
        # As in `play`, an agent that only toggles flags would play for ever.
        most = 4 * len(setting.board.topology) + 100
        if self.max_episode_steps is not None:
            most = as_int(self.max_episode_steps, "max_episode_steps")
            if not 1 <= most < 2**31:
                raise InputError(f"{most} max_episode_steps; accepted: 1 or more")
        return GameSetup(setting, bool(self.flags), self.illegal == "end", most)


class LearnerGames:
    """Games side by side, with observations, rewards and infos for whoever plays them."""

    def __init__(
        self, options: EnvironmentOptions, games: int, threads: int, autoreset: Autoreset
    ) -> None:
        self.play = options.play()
        self._raises = options.illegal == "raise"
        self._autoreset = autoreset
        observe = ObservationKind.parse(options.observe)
        self._observer = ObservationWriter(self.play, observe, games, threads)
        self._judge = MoveJudge(options.reward, options.info, options.samples, threads)
        self._batch = make_batch(self.play, games, threads, autoreset)
        batch = self._batch
        self.action_mask: NDArray[np.int8] = batch.legal.view(np.int8)
        self.terminated: NDArray[np.bool_] = batch.terminated.view(np.bool_)
        self.truncated: NDArray[np.bool_] = batch.truncated.view(np.bool_)
        self.won: NDArray[np.bool_] = batch.won.view(np.bool_)
        self.illegal: NDArray[np.bool_] = batch.illegal.view(np.bool_)
        self.moved: NDArray[np.bool_] = batch.moved.view(np.bool_)
        # The batch writes these arrays in place, so they are named once and not in every step.
        self._by_result = MoveJudgements.by_result(batch)
        self._written = None if observe.planes or observe.chances else self._observer.write(batch)
        self._fresh = True
        self.games = games
        self.plane_names = self._observer.plane_names
        self.rewards = np.zeros(games)
        self.infos: dict[str, NDArray[Any]] = {}

    @property
    def observation_space(self) -> spaces.Space[Any]:
        return self._observer.space

    @property
    def action_space(self) -> spaces.Discrete:
        from gymnasium import spaces

        return spaces.Discrete(self.play.actions)

    # -- playing -----------------------------------------------------------------------------

    def reset(
        self,
        seeds: Sequence[int] | None,
        index: int | None = None,
        chosen: NDArray[np.bool_] | None = None,
    ) -> None:
        """Begin games: those of these seeds, from an index, else the next of the seeds there were.

        Raises InputError for an index without seeds, and where the first reset leaves games out:
        those would have no seed but one that everybody knows.
        """
        if index is not None and seeds is None:
            raise InputError(f"index {index} without a seed; accepted: with a seed, as seed=1")
        if self._fresh and chosen is not None and not chosen.all():
            raise InputError("reset_mask leaves games out; accepted: after a reset of all games")
        if seeds is None and self._fresh:
            seeds = [secrets.randbits(64) for _ in range(self.games)]
        elif seeds is not None:
            seeds = [check_seed(seed) for seed in seeds]
        mask = None if chosen is None else chosen.astype(np.uint8)
        self._batch.reset(mask, seeds, index or 0)
        self._fresh = False
        self.infos = {}
        self._save_positions()

    def step(self, actions: NDArray[np.int64]) -> None:
        """One action for each game.

        Raises InputError, IllegalMove and BudgetExceeded, and then no game has changed.
        """
        if self._fresh:
            raise InputError("a step before the first game; accepted: after reset()")
        batch = self._batch
        try:
            if self._raises and (game := batch.first_illegal(actions)) >= 0:
                raise IllegalMove(f"action {actions[game]} is no legal move in game {game}")
            judged = self._judge_actions(actions) if self._judge.judges else self._by_result
            batch.step(actions)
        except ValueError as error:
            raise InputError(str(error)) from None
        self.rewards = self._judge.rewards(judged)
        if self._judge.judges:
            self.infos = self._judge.infos(judged)
            self._save_positions()

    def _save_positions(self) -> None:
        """Save the positions that judge the next moves: others may write into the arrays."""
        if self._judge.judges:
            batch = self._batch
            legal = batch.legal.copy()
            if self._autoreset is Autoreset.NEXT_STEP:
                legal[batch.truncated != 0] = 0  # a game that begins anew takes no action
            now = batch.shown.copy(), batch.mines_left.copy(), batch.first.copy()
            self._saved = (*now, legal)

    def _judge_actions(self, actions: NDArray[np.int64]) -> MoveJudgements:
        """These actions, judged by the positions before them."""
        self._batch.first_illegal(actions)  # refuses what is no action
        shown, mines_left, first, legal = self._saved
        taken = legal[np.arange(self.games), actions] != 0
        games = np.flatnonzero(taken & (actions < self.play.cells))
        found: list[View | None] = [None] * self.games
        views = views_of(self.play, shown[games], mines_left[games], first[games])
        for game, view in zip(games.tolist(), views, strict=True):
            found[game] = view
        return self._judge.judge(self._batch, found, (actions % self.play.cells).tolist())

    # -- observations ------------------------------------------------------------------------

    def observation(self) -> Observation:
        """The observations, in memory that the next step overwrites; a fresh dictionary."""
        if isinstance(self._written, dict):
            return self._written.copy()
        return self._observer.write(self._batch)

    def final_observation(self, games: NDArray[np.intp]) -> Observation:
        """The last observations of games that ended in this step, a row each."""
        return self._observer.final(self._batch, games)

    def random_actions(self) -> NDArray[np.int64]:
        return self._batch.random_actions()

    def seed_actions(self, seed: int) -> None:
        self._batch.seed_actions(check_seed(seed))

    def views(self, chosen: NDArray[np.bool_] | None = None) -> list[View]:
        """The positions, all or the chosen ones, as their players see them."""
        batch, rows = self._batch, slice(None) if chosen is None else chosen
        return views_of(self.play, batch.shown[rows], batch.mines_left[rows], batch.first[rows])


def index_of(options: Mapping[str, Any] | None, known: Sequence[str] = ("index",)) -> int | None:
    """The index that the options of a reset name, if any. Raises InputError for unknown options."""
    for name in options or {}:
        if name not in known:
            raise InputError(
                f"reset option {quoted(name)} is unknown; accepted: {', '.join(known)}"
            )
    index = (options or {}).get("index")
    return None if index is None else int(check_seed(index, "index"))


def seed_generator(seed: int) -> np.random.Generator:
    """Gymnasium's generator for a seed, from which the seed cannot be read.

    Whoever knows the seed can deal the same mines, so no generator may carry it.
    """
    digest = hashlib.blake2b(check_seed(seed).to_bytes(8, "big"), person=b"mineproof-gym")
    return np.random.default_rng(int.from_bytes(digest.digest()[:16], "big"))


# ----------------------------------------------------------------------------
# The reward of a move and the infos about it, which measure a policy independently of luck.
#
# | reward | for a move |
# |---|---|
# | `win` | 1 for the move that wins |
# | `cells` | 1 for every safe cell that it opens |
# | `regret` | minus the chance to win that it gave away against the best move |
# | `sound` | -1 if it opened a risky cell while another was certainly safe |
#
# | info | about a move |
# |---|---|
# | `risk` | the exact chance that it opened a mine |
# | `certain` | what was certain before it: 1 for a safe cell, 2 for a mine, 0 for neither |
# | `regret` | the chance to win that it gave away |
#
# Regret is exact near the end of a game. Before it, games are played out for the move and for the
# best one, `samples` of them for each; with 0, regret is the risk beyond that of the best move.

INFOS = ("risk", "certain", "regret")


@dataclass(frozen=True)
class MoveJudgements:
    """Results and risks of the moves of one step; 0 for games that opened nothing."""

    opened: NDArray[np.int32]
    won: NDArray[np.uint8]
    risk: NDArray[np.float64]
    certain: NDArray[np.int8]
    regret: NDArray[np.float64]
    unsound: NDArray[np.bool_]

    @classmethod
    def by_result(cls, batch: GameBatch) -> MoveJudgements:
        """Only what the batch itself writes in each step: enough for `win` and `cells`."""
        none = np.zeros(0)
        return cls(batch.opened, batch.won, none, none.astype(np.int8), none, none.astype(np.bool_))


Reward = Callable[[MoveJudgements], NDArray[np.float64]]

REWARDS: Catalog[Reward] = Catalog("reward")
REWARDS.add("win", lambda judged: judged.won.astype(np.float64))
REWARDS.add("cells", lambda judged: judged.opened.astype(np.float64))
REWARDS.add("regret", lambda judged: np.subtract(0.0, judged.regret))
REWARDS.add("sound", lambda judged: np.subtract(0.0, judged.unsound.astype(np.float64)))

_ANALYSED = ("sound",)


class MoveJudge:
    """Computes rewards and the requested infos. Raises InputError for unknown names."""

    def __init__(self, reward: str, info: str | Iterable[str], samples: int, threads: int) -> None:
        self._reward = REWARDS[reward]
        names = [info] if isinstance(info, str) else list(info)
        for name in names:
            if name not in INFOS:
                raise UnknownName("info", name, INFOS)
        if (samples := as_int(samples, "samples")) < 0:
            raise InputError(f"{samples} samples; accepted: 0 or more")
        self._names = tuple(name for name in INFOS if name in names)
        self._regrets = reward == "regret" or "regret" in names
        self._analyses = reward in _ANALYSED or not {"risk", "certain"}.isdisjoint(names)
        self._effort = Effort(samples=samples)
        self._threads = threads

    @property
    def judges(self) -> bool:
        """Whether positions are analysed before a move, which costs far more than the move."""
        return self._regrets or self._analyses

    def judge(
        self, batch: GameBatch, views: Sequence[View | None], cells: Sequence[int]
    ) -> MoveJudgements:
        """Judge the moves of the next step: the cells opened in these views, None for no move.

        The batch fills in `opened` and `won` in that step. Raises BudgetExceeded where a position
        is too wide to count.
        """
        games, size = batch.shown.shape
        judged = MoveJudgements(
            batch.opened,
            batch.won,
            np.zeros(games),
            np.zeros((games, size if self._analyses else 0), dtype=np.int8),
            np.zeros(games),
            np.zeros(games, dtype=np.bool_),
        )
        moves = [(game, view) for game, view in enumerate(views) if view is not None]
        if self._analyses:
            analyses = analyze_many([view for _, view in moves], threads=self._threads)
            for (game, view), analysis in zip(moves, analyses, strict=True):
                if is_promised(view):
                    continue
                chances, hidden = analysis.p.array, list(view.hidden)
                judged.risk[game] = chances[cells[game]]
                judged.certain[game, hidden] = _certain(chances[hidden])
                sure = bool((judged.certain[game] == 1).any())
                judged.unsound[game] = sure and judged.risk[game] > 0.0
        if self._regrets:
            for game, view in moves:
                lost = judge(view, Decision.open(cells[game]), self._effort).lost
                if lost is None:
                    raise BudgetExceeded(
                        "a position is too wide to count; accepted: another reward"
                    )
                judged.regret[game] = lost
        return judged

    def rewards(self, judged: MoveJudgements) -> NDArray[np.float64]:
        return self._reward(judged)

    def infos(self, judged: MoveJudgements) -> dict[str, NDArray[Any]]:
        """The requested infos by name."""
        return {name: getattr(judged, name) for name in self._names}


def _certain(chances: NDArray[np.float64]) -> NDArray[np.int8]:
    found = np.zeros(len(chances), dtype=np.int8)
    found[chances == 0.0] = 1
    found[chances == 1.0] = 2
    return found


# ----------------------------------------------------------------------------
# Observations: codes in a dictionary, or planes for a network; exact chances on request.
#
# | word | what it is |
# |---|---|
# | `codes` | a dictionary: `board` (a byte a cell), `mines_left`, `action_mask` |
# | `planes` | an array of planes of 0 and 1, one for each thing that a cell can show |
# | `chances` | the exact chance of a mine, in the dictionary or as a plane more |
#
# Words are joined by `+`: `planes+chances`. `chances` alone is `codes+chances`.

Observation: TypeAlias = dict[str, NDArray[Any]] | NDArray[np.float32]

_WORDS = ("codes", "planes", "chances")


@dataclass(frozen=True)
class ObservationKind:
    """The kind of observation. Raises InputError for a text that names none."""

    planes: bool
    chances: bool

    @classmethod
    def parse(cls, text: str) -> ObservationKind:
        words = text.split("+")
        for word in words:
            if word not in _WORDS:
                raise UnknownName("observation", word, _WORDS)
        if len(set(words)) < len(words) or {"codes", "planes"} <= set(words):
            raise InputError(f"observe {text!r}; accepted: codes or planes, alone or with +chances")
        return cls("planes" in words, "chances" in words)


def board_shape(play: GameSetup) -> tuple[int, ...]:
    """The sizes of the board where every place is a cell, as (16, 30); else one: the cells."""
    topology = play.setting.board.topology
    sizes = topology.lattice.dimensions
    return sizes if np.prod(sizes) == len(topology) and not topology.blocked else (len(topology),)


def views_of(
    play: GameSetup,
    codes: NDArray[np.uint8],
    mines_left: NDArray[np.int32],
    first: NDArray[np.int32],
) -> list[View]:
    """The positions that rows of codes show; `first` are the cells for which mines were dealt."""
    setting = play.setting
    topology, rules = setting.board.topology, setting.rules
    exact = setting.start.channel is EXACT
    # A number of mines that is drawn is told with the deal.
    draws = rules.total_known and setting.layout is None and rules.mines.fixed(play.cells) is None
    free = () if setting.layout is not None else mine_free_given_cells(topology, rules)
    at_once = setting.told(setting.layout, len(free))
    found = []
    for row, left, clicked in zip(codes, mines_left.tolist(), first.tolist(), strict=True):
        flags = np.flatnonzero(row == FLAG_CODE)
        opened_mines = int(np.count_nonzero(row == Mark.MINE.value))
        kept, told = free, at_once
        if clicked >= 0:
            kept = mine_free_cells(topology, rules.first_click, (clicked,))
            told = setting.told(setting.layout, len(kept))
        if draws and (clicked >= 0 or _dealt_at_once(play)):
            told = told_rules(rules, play.cells, left + len(flags) + opened_mines)
        plain = np.where(row == FLAG_CODE, Mark.HIDDEN.value, row).astype(np.uint8)
        # As the referee tells them: exact clues say by themselves what is free.
        known = () if exact else kept
        found.append(View.of_codes(topology, told, plain, flags.tolist(), known))
    return found


def _dealt_at_once(play: GameSetup) -> bool:
    rules = play.setting.rules
    return rules.first_click.value == "any" or rules.given != Given()


def chances_of(views: Sequence[View], threads: int) -> NDArray[np.float32]:
    """The exact chance that a cell is a mine, a row a position; 0 where the rules keep it free.

    Raises BudgetExceeded.
    """
    rows = [analysis.p.array for analysis in analyze_many(views, threads=threads)]
    found = np.array(rows, dtype=np.float32).reshape(len(views), -1)
    found[[is_promised(view) for view in views]] = 0.0
    return found


class ObservationWriter:
    """Writes the observations of a batch; the batch's own arrays are not copied."""

    def __init__(self, play: GameSetup, observe: ObservationKind, games: int, threads: int) -> None:
        self._play, self._observe, self._threads = play, observe, threads
        self._shape = board_shape(play)
        self.plane_names, self._codes = _planes(play)
        self._over_total = "mines left" in self.plane_names
        if observe.chances:
            self.plane_names += ("chances",)
        layers = (games if observe.planes else 0, len(self.plane_names))
        self._planes = np.zeros((*layers, *self._shape), dtype=np.float32)
        wanted = games if observe.chances else 0
        self._chances = np.zeros((wanted, *self._shape), dtype=np.float32)

    @property
    def space(self) -> spaces.Space[Any]:
        """The space of one game's observation."""
        from gymnasium import spaces

        cells = self._play.cells
        if self._observe.planes:
            low = -1.0 if self._over_total and self._play.flags else 0.0
            return spaces.Box(low, 1.0, self._planes.shape[1:], dtype=np.float32)
        found: dict[str, spaces.Space[Any]] = {
            "board": spaces.Box(0, 255, self._shape, dtype=np.uint8),
            "mines_left": spaces.Box(-cells, cells, (1,), dtype=np.int32),
            "action_mask": spaces.MultiBinary(self._play.actions),
        }
        if self._observe.chances:
            found["chances"] = spaces.Box(0.0, 1.0, self._shape, dtype=np.float32)
        return spaces.Dict(found)

    def write(self, batch: GameBatch) -> Observation:
        """The observations of all games, in memory that the next call overwrites."""
        return self._write(batch.shown, batch.mines_left, batch.legal, batch.first)

    def final(self, batch: GameBatch, games: NDArray[np.intp]) -> Observation:
        """The last observations of games that ended in this step, a row each; fresh memory."""
        own = self
        if self._observe.planes or self._observe.chances:  # else nothing is written here
            own = ObservationWriter(self._play, self._observe, len(games), self._threads)
        return own._write(
            batch.final_shown[games],
            batch.final_mines_left[games],
            batch.final_legal[games],
            batch.final_first[games],
        )

    def _write(
        self,
        shown: NDArray[np.uint8],
        mines_left: NDArray[np.int32],
        legal: NDArray[np.uint8],
        first: NDArray[np.int32],
    ) -> Observation:
        board = shown.reshape(-1, *self._shape)
        if self._observe.chances:
            views = views_of(self._play, shown, mines_left, first)
            self._chances[:] = chances_of(views, self._threads).reshape(-1, *self._shape)
        if not self._observe.planes:
            found: dict[str, NDArray[Any]] = {
                "board": board,
                "mines_left": mines_left.reshape(-1, 1),
                "action_mask": legal.view(np.int8),
            }
            if self._observe.chances:
                found["chances"] = self._chances
            return found
        for place, code in enumerate(self._codes):
            np.equal(board, code, out=self._planes[:, place])
        if self._over_total:
            share = mines_left / np.float32(self._play.cells)
            self._planes[:, len(self._codes)] = share.reshape(-1, *[1] * len(self._shape))
        if self._observe.chances:
            self._planes[:, -1] = self._chances
        return self._planes


def _planes(play: GameSetup) -> tuple[tuple[str, ...], list[int]]:
    """The names of the planes, and the codes of those that stand for one."""
    rules, topology = play.setting.rules, play.setting.board.topology
    named = [("hidden", Mark.HIDDEN.value)]
    if play.flags:
        named.append(("flag", FLAG_CODE))
    if rules.on_mine is OnMine.CONTINUE:
        named.append(("mine", Mark.MINE.value))
    most = int(topology.degrees.max())
    through = channel(rules.clues)
    if any(
        through.likelihood(None, true, near)
        for near in np.unique(topology.degrees).tolist()
        for true in range(near + 1)
    ):
        named.append(("blank", Mark.BLANK.value))
    named += [(str(clue), clue) for clue in range(most + 1)]
    names = tuple(name for name, _ in named)
    return names + (("mines left",) if rules.total_known else ()), [code for _, code in named]
