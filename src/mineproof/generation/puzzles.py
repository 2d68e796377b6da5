"""Puzzles that teach: a position of a game, one question, and its answer with the proof."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import count as count_from
from itertools import product

import numpy as np

from mineproof.board.layout import check_room
from mineproof.board.topology import Topology
from mineproof.engine.exact import analyze
from mineproof.errors import BoardError, BudgetExceeded, IllegalMove, InputError, as_int, quoted
from mineproof.game.referee import Referee
from mineproof.generation.patterns import (
    BEST_GUESS,
    PATTERNS,
    Pattern,
    hardest,
    level_of,
    lines_from,
    pattern_of_proofs,
    readings,
)
from mineproof.proofs.explanation import Explainer
from mineproof.proofs.proof import Proof
from mineproof.rng import check_seed
from mineproof.rules import Mines, Rules
from mineproof.search.endgame import endgame
from mineproof.view.channels import MAX_CLUE, Mark
from mineproof.view.setting import AnyBoard, Setting
from mineproof.view.view import View

LEVELS = range(1, 6)
"""From a single premise to nested cases and many premises."""


class Question(Enum):
    """What a puzzle asks: which cells are certain, or which is the best guess."""

    CERTAIN = "certain"
    GUESS = "guess"

    @property
    def text(self) -> str:
        """The question, for people."""
        if self is Question.CERTAIN:
            return "Which hidden cells are certain? Find the safe ones and the mines."
        return "No cell is certain. Which one is best to open?"


@dataclass(frozen=True)
class GuessChoice:
    """A cell that may be guessed: the chance of a mine, and the chance to win after opening it."""

    cell: int
    risk: Fraction
    win: Fraction


@dataclass(frozen=True)
class SourceGame:
    """The game that a puzzle was cut from: a board with its mines, a seed and an index."""

    board: str
    seed: int
    index: int


@dataclass(frozen=True)
class TeachingPuzzle:
    """A position cut from a real game, with its answer.

    Where cells are certain, `safe` and `mines` are all of them, and `proofs` has the proof of each,
    in the order of the cells. In a guess nothing is certain: `best` are the cells to open, and
    `choices` has every hidden cell, the best first. Mines that were found before are open in the
    position (`*`). An open cell without a number (`?`) is safe, and its clue does not matter.

    >>> [puzzle] = make_puzzles("1-2", count=1, seed=1)
    >>> print(puzzle)
    square 4x4 mines=unknown density=0.31
    ??00
    ?11?
    ?..?
    ..2?
    Which hidden cells are certain? Find the safe ones and the mines.
    mines: 3,1
    The 1 at 1,1 puts one mine in 2,1 or 2,2. The 2 at 3,2 finds ... so 3,1 is a mine.
    """

    view: View
    question: Question
    pattern: Pattern
    technique: str
    level: int
    safe: tuple[int, ...] = ()
    mines: tuple[int, ...] = ()
    best: tuple[int, ...] = ()
    proofs: tuple[Proof, ...] = ()
    choices: tuple[GuessChoice, ...] = ()
    source: SourceGame | None = None

    @property
    def name(self) -> str:
        """Twelve hexadecimal digits that name the position and the question."""
        text = f"{self.question.value}\n{self.view.text}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def answer(self) -> str:
        """The answer in a line."""
        name = self.view.topology.cell_name

        def label(what: str, cells: Iterable[int]) -> list[str]:
            names = " ".join(map(name, cells))
            return [f"{what}: {names}"] if names else []

        if self.question is Question.GUESS:
            return label("best", self.best)[0]
        return "; ".join(label("safe", self.safe) + label("mines", self.mines))

    @property
    def text(self) -> str:
        """The position, the question and the answer with its proofs, for people."""
        lines = [self.view.text.rstrip("\n"), self.question.text, self.answer]
        if self.question is Question.CERTAIN:
            lines += [proof.text for proof in self.proofs]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text


# -- Puzzles drawn from games: by pattern, level and seed, no two of them the same --

BOARDS = ("beginner", "intermediate", "expert", "20x30/140", "9x9/14", "8x8/20", "7x7/18", "6x6/9")
"""Where puzzles come from by default: large boards and small ones, sparse and dense."""
MOST_GAMES = 250
"""The default number of games searched on every board."""
_MOST_COUNT = 10_000
_SINGLE = {"B1", "B2"}
"""Patterns of proofs by a single clue."""
_LONG = {"triple", "4+", "what if", "counter", "last mines"}
"""Patterns of proofs by more than two clues, or with the number of mines."""


def make_puzzles(
    technique: str | None = None,
    *,
    count: int = 20,
    seed: int = 0,
    level: int | None = None,
    board: AnyBoard | None = None,
    games: int = MOST_GAMES,
) -> list[TeachingPuzzle]:
    """Puzzles that teach, cut from games, no two the same up to symmetry.

    `technique` is the name of a pattern (see `docs/patterns.md`), such as `1-2`, `what if` or
    `best guess`; without it puzzles of all patterns come as the games bring them. The games are
    those of one board, or of eight from beginner to 20x30/140 in turn. The same seed gives the same
    puzzles. Raises InputError, and BudgetExceeded where so many games on every board do not have
    enough.

    >>> [puzzle] = make_puzzles("1-2-1", count=1, seed=1)
    >>> print(puzzle.pattern.title, puzzle.level)
    mines beside the ones 3
    """
    wanted = None if technique is None else PATTERNS[technique].name
    if not 1 <= as_int(count, "count") <= _MOST_COUNT:
        raise InputError(f"count {count}; accepted: 1 to {_MOST_COUNT}")
    if as_int(games, "games") < 1:
        raise InputError(f"games {games}; accepted: 1 or more")
    check_level(level)
    found = []
    boards = BOARDS if board is None else (board,)
    for puzzle in puzzles_of_games(boards, seed, games, None if wanted is None else {wanted}):
        if level in (None, puzzle.level):
            found.append(puzzle)
            if len(found) == count:
                return found
    what = "puzzles" if wanted is None else f"{wanted} puzzles"
    of_level = "" if level is None else f" of level {level}"
    raise BudgetExceeded(
        f"{games * len(boards)} games have {len(found)} {what}{of_level}, not {count}; accepted:"
        " fewer, more games, or another board"
    )


def check_level(level: int | None) -> None:
    """Raise InputError for an unknown level."""
    if level is not None and as_int(level, "level") not in LEVELS:
        raise InputError(f"level {level}; accepted: {LEVELS[0]} to {LEVELS[-1]}")


def puzzles_of_games(
    boards: Sequence[AnyBoard], seed: int, games: int, wanted: AbstractSet[str] | None = None
) -> Iterator[TeachingPuzzle]:
    """The puzzles of so many games on every board, each once; a game on each board in turn.

    `wanted` are names of patterns, None for all. The caller may change the set between puzzles.
    """
    settings = [_source_setting(board) for board in boards]
    check_seed(seed)
    seen: set[str] = set()
    for index in range(games):
        for setting in settings:
            singles, longer = (wanted is None or bool(wanted & kind) for kind in (_SINGLE, _LONG))
            for stage in game_positions(setting, seed, index, singles=singles, longer=longer):
                for puzzle in _puzzles_at(stage, wanted):
                    key = canonical_key(puzzle.view)
                    if key not in seen:
                        seen.add(key)
                        yield puzzle


def _source_setting(board: AnyBoard) -> Setting:
    """The board with an opening for the first cell, or with a safe one where there is no room."""
    plain = Setting.of(board)
    topology = plain.board.topology
    if plain.layout is not None or plain.rules.mines.fixed(len(topology)) is None:
        raise BoardError(
            f"board {quoted(plain.name)} is not dealt with a known number of mines; accepted: such"
            " as expert or hex:11x11/28"
        )
    if plain.rules.clues != "exact":
        raise InputError(f"puzzles need exact clues, not {plain.rules.clues}")
    setting = Setting.of(plain.board, first_click="opening")
    try:
        check_room(topology, setting.rules, (topology.centre,))
    except InputError:
        setting = Setting.of(plain.board, first_click="safe")
        check_room(topology, setting.rules)
    return setting


def _puzzles_at(stage: GamePosition, wanted: AbstractSet[str] | None) -> Iterator[TeachingPuzzle]:
    """The puzzles of one position, at most one of each pattern."""
    view, source = stage.view, stage.source
    if stage.guess:
        if wanted is None or BEST_GUESS in wanted:
            guess = cut_guess(view, source)
            if guess is not None:
                yield guess
        return
    if wanted is not None and wanted <= {BEST_GUESS}:
        return
    read = readings(view)
    done: set[str] = set()
    tried: set[tuple[tuple[int, ...], bool]] = set()
    for proof in stage.proofs:
        alone = pattern_of_proofs(view, [proof], read).name
        asked = [((proof.clues, proof.uses_total), alone)]
        asked += [((line, False), "") for line in lines_from(view, proof, read)]
        for (clues, total), expected in asked:
            unwanted = expected and wanted is not None and expected not in wanted
            if unwanted or expected in done or (clues, total) in tried:
                continue
            tried.add((clues, total))
            puzzle = cut_puzzle(view, clues, total, source)
            if puzzle is None or puzzle.pattern.name in done:
                continue
            if wanted is None or puzzle.pattern.name in wanted:
                done.add(puzzle.pattern.name)
                yield puzzle


# -- A set of puzzles, balanced over levels and patterns, drawn from games on several boards --

_MOST_BALANCED = 5_000
_OF_MANY_LEVELS = {"4+", "what if", "last mines", BEST_GUESS}
"""Their puzzles fall into several levels: they are searched until every level has its share."""
_ENOUGH = 2
"""Puzzles of one kind are collected up to this many times its share."""


def balanced_puzzles(
    count: int = 500, seed: int = 0, boards: Sequence[str] = BOARDS, games: int = MOST_GAMES
) -> list[TeachingPuzzle]:
    """Puzzles spread evenly over levels, and within a level as evenly as possible over patterns.

    Few of them have the same argument. They are sorted by level, pattern and size. The same seed
    gives the same puzzles. Raises InputError, and BudgetExceeded where that many games on every
    board do not have enough.
    """
    if not len(LEVELS) <= as_int(count, "count") <= _MOST_BALANCED or count % len(LEVELS):
        raise InputError(
            f"count {count}; accepted: a multiple of {len(LEVELS)} up to {_MOST_BALANCED}"
        )
    share = count // len(LEVELS)
    pool = _PuzzlePool(share)
    streams = [puzzles_of_games([board], seed, games, pool.wanted) for board in boards]
    for puzzle in _round_robin(streams):
        pool.add(puzzle)
        if not pool.wanted:
            break
    chosen = [puzzle for level in LEVELS for puzzle in pool.share_of(level)]
    if len(chosen) < count:
        raise BudgetExceeded(
            f"{games} games on each of {len(boards)} boards have {len(chosen)} puzzles for a"
            f" balanced set of {count}; accepted: fewer"
        )
    ranks = {name: rank for rank, name in enumerate(PATTERNS)}
    return sorted(
        chosen,
        key=lambda one: (one.level, ranks[one.pattern.name], len(one.view), one.view.hidden_count),
    )


def _round_robin(streams: Sequence[Iterator[TeachingPuzzle]]) -> Iterator[TeachingPuzzle]:
    """A puzzle of each stream in turn, until all have ended."""
    left = list(streams)
    while left:
        for stream in tuple(left):
            puzzle = next(stream, None)
            if puzzle is None:
                left.remove(stream)
            else:
                yield puzzle


class _PuzzlePool:
    """Puzzles by level and pattern, as many of each kind as may be needed."""

    def __init__(self, share: int) -> None:
        self.share = share
        self.kinds: dict[int, dict[str, list[tuple[str, TeachingPuzzle]]]] = {
            level: {} for level in LEVELS
        }
        self.seen: set[str] = set()
        self.wanted = set(PATTERNS)
        """The patterns of which more may be needed."""

    def add(self, puzzle: TeachingPuzzle) -> None:
        level, name = puzzle.level, puzzle.pattern.name
        found = self.kinds[level].setdefault(name, [])
        key = canonical_key(puzzle.view)
        if key not in self.seen and not self._is_full(level, name):
            self.seen.add(key)
            found.append((argument_key(puzzle), puzzle))
        levels = [at for at in LEVELS if name in self.kinds[at]]
        enough = all(sum(map(len, kinds.values())) >= self.share for kinds in self.kinds.values())
        seen_all = enough or name not in _OF_MANY_LEVELS
        if seen_all and all(self._is_full(at, name) for at in levels):
            self.wanted.discard(name)

    def _is_full(self, level: int, name: str) -> bool:
        kinds = self.kinds[level]
        return len(kinds[name]) >= _ENOUGH * max(1, self.share // len(kinds))

    def share_of(self, level: int) -> list[TeachingPuzzle]:
        """The share of a level: one of every pattern in turn, a new argument before a known one."""
        waiting = [_vary_arguments(found) for found in self.kinds[level].values()]
        chosen: list[TeachingPuzzle] = []
        for turn in count_from():
            fresh = [found[turn] for found in waiting if turn < len(found)]
            if not fresh or len(chosen) >= self.share:
                return chosen[: self.share]
            chosen += fresh
        raise AssertionError("unreachable")


def _vary_arguments(found: Sequence[tuple[str, TeachingPuzzle]]) -> list[TeachingPuzzle]:
    """The puzzles, first one of every argument, then a second of each, and so on."""
    times: dict[str, int] = {}
    ranked = []
    for place, (core, puzzle) in enumerate(found):
        times[core] = times.get(core, 0) + 1
        ranked.append((times[core], place, puzzle))
    return [puzzle for *_, puzzle in sorted(ranked, key=lambda one: one[:2])]


# -- Puzzles cut from positions: the smallest window that keeps a proof, and what to show in it --

MOST_CELLS = 150
"""The most cells of a puzzle's window."""
_MOST_PROVED = 24
"""The most certain cells of a puzzle: with more it is a game."""


def cut_puzzle(
    view: View, clues: Collection[int], uses_total: bool, source: SourceGame | None = None
) -> TeachingPuzzle | None:
    """The puzzle that some clues of a position make, with the total or without it.

    The window is the smallest that has the clues with all that they touch; with the total it also
    has every hidden cell and two rings around each. Other clues are shown if they are true in the
    window and make no further cell certain. None where nothing is certain there, or where the
    window is too large.
    """
    needed = surroundings(view, clues)
    if uses_total:
        needed |= surroundings(view, surroundings(view, tuple(view.hidden)))
    if len(needed) > MOST_CELLS:
        return None
    window = window_around(view.topology, needed)
    if len(window.topology) > MOST_CELLS:
        return None
    shown = _clues_to_show(view, window, clues, uses_total)
    return puzzle_of(cut_view(view, window, shown, uses_total), source)


def _clues_to_show(
    view: View, window: BoardWindow, clues: Collection[int], uses_total: bool
) -> set[int]:
    """The clues to show: the needed ones, and those that make no further cell certain."""
    complete = complete_clues(view, window)
    shown = set(clues) | {clue for clue, hidden in complete.items() if not hidden}
    others = [clue for clue in complete if clue not in shown]
    wanted = _certain_cells(cut_view(view, window, shown, uses_total))
    # All others at once first: where that works, one analysis replaces one for each clue.
    if _certain_cells(cut_view(view, window, shown.union(others), uses_total)) == wanted:
        return shown.union(others)
    for clue in others:
        if _certain_cells(cut_view(view, window, shown | {clue}, uses_total)) == wanted:
            shown.add(clue)
    return shown


def _certain_cells(view: View) -> tuple[int, int]:
    found = analyze(view)
    return found.safe.mask, found.mines.mask


def puzzle_of(view: View, source: SourceGame | None = None) -> TeachingPuzzle | None:
    """The puzzle of a position: all its certain cells, each with its proof; None if there is none.

    Raises InconsistentPosition and BudgetExceeded.
    """
    explainer = Explainer(view)
    safe, mines = tuple(explainer.analysis.safe), tuple(explainer.analysis.mines)
    if not 0 < len(safe) + len(mines) <= _MOST_PROVED:
        return None
    try:
        proofs = tuple(explainer.prove(cell, cell in mines) for cell in sorted((*safe, *mines)))
    except BudgetExceeded:
        return None
    if not all(proof.smallest for proof in proofs):
        return None
    return TeachingPuzzle(
        view,
        Question.CERTAIN,
        pattern_of_proofs(view, proofs),
        hardest(proofs).technique.name,
        level_of(proofs),
        safe,
        mines,
        proofs=proofs,
        source=source,
    )


# ----------------------------------------------------------------------------
# Windows: the part of a board that holds what a proof needs, as a board of its own.
#
# In a window the same cells touch as on the board, and each clue that a proof needs has all its
# neighbours. Any other clue may be shown where everything hidden or mined beside it is inside; the
# other open cells are shown without a number.

_HIDDEN, _MINE, _BLANK = Mark.HIDDEN.value, Mark.MINE.value, Mark.BLANK.value
_OTHER_LATTICES = {"torus": ("square",), "hexagon": ("hex",)}
"""On these boards, a window that does not reach over an edge is a board of that lattice."""
_LEAST_DENSITY = Fraction(1, 100)


@dataclass(frozen=True)
class BoardWindow:
    """A board cut from another: `cells` maps the cells of the old board to those of the new."""

    topology: Topology
    cells: dict[int, int]


def window_around(topology: Topology, cells: Collection[int]) -> BoardWindow:
    """The smallest window with these cells; the whole board where none keeps the neighbours."""
    for corner, sizes in _boxes(topology, cells):
        for name in (topology.name, *_OTHER_LATTICES.get(topology.name, ())):
            found = _crop(topology, name, corner, sizes)
            if found is not None and found.cells.keys() >= set(cells):
                return found
    return BoardWindow(topology, {cell: cell for cell in topology.cells})


def _boxes(
    topology: Topology, cells: Collection[int]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Boxes around cells: the smallest, and those that begin a step earlier."""
    places = [topology.coordinates(cell) for cell in cells]
    lows = tuple(map(min, zip(*places, strict=True)))
    highs = tuple(map(max, zip(*places, strict=True)))
    # Triangles point up or down by their place, so a box may have to begin one earlier.
    for earlier in product((0, 1), repeat=len(lows)):
        corner = tuple(low - step for low, step in zip(lows, earlier, strict=True))
        if min(corner) >= 0:
            yield (
                corner,
                tuple(high - start + 1 for high, start in zip(highs, corner, strict=True)),
            )


def _crop(
    topology: Topology, name: str, corner: tuple[int, ...], sizes: tuple[int, ...]
) -> BoardWindow | None:
    """The box as a board of this lattice; None if other cells would be neighbours there."""
    if len(topology.lattice.dimensions) != len(sizes) or name in ("graph", "hexagon"):
        return None
    inside: dict[int, tuple[int, ...]] = {}
    blocked = []
    for step in product(*map(range, sizes)):
        cell = topology.find(tuple(a + b for a, b in zip(corner, step, strict=True)))
        if cell is None:
            blocked.append(step)
        else:
            inside[cell] = step
    fresh = Topology.of(name, "x".join(map(str, sizes)), blocked, files=False)
    if len(fresh.lattice.dimensions) != len(sizes):
        return None
    cells = {cell: fresh.cell(step) for cell, step in inside.items()}
    for cell, new in cells.items():
        near = {cells[other] for other in topology.neighbours(cell) if other in cells}
        if near != set(fresh.neighbours(new)):
            return None
    return BoardWindow(fresh, cells)


def surroundings(view: View, clues: Collection[int]) -> set[int]:
    """The clues and everything they touch."""
    return {near for clue in clues for near in view.topology.neighbours(clue)}.union(clues)


def complete_clues(view: View, window: BoardWindow) -> dict[int, int]:
    """The clues that are true in a window, and how many hidden cells each touches.

    Everything hidden or mined beside such a clue is inside.
    """
    found = {}
    for cell in window.cells:
        if view.code(cell) <= MAX_CLUE:
            near = view.topology.neighbours(cell)
            counted = [other for other in near if view.code(other) in (_HIDDEN, _MINE)]
            if all(other in window.cells for other in counted):
                found[cell] = sum(map(view.is_hidden, counted))
    return found


def cut_view(view: View, window: BoardWindow, shown: Collection[int], total: bool) -> View:
    """The part of a view in a window, with the numbers of these clues.

    With `total` the mines outside, all of them open, are subtracted. Without it the number of mines
    is unknown, and the rules give the density of the game.
    """
    topology = window.topology
    codes = np.full(len(topology), _HIDDEN, dtype=np.uint8)
    for cell, new in window.cells.items():
        code = view.code(cell)
        codes[new] = _BLANK if code <= MAX_CLUE and cell not in shown else code
    assert view.total is not None
    if total:
        outside = sum(cell not in window.cells for cell in view.opened_mines)
        rules = Rules(mines=Mines.number(view.total - outside))
    else:
        share = Fraction(round(100 * view.total / len(view)), 100)
        share = min(max(share, _LEAST_DENSITY), 1 - _LEAST_DENSITY)
        rules = Rules(mines=Mines.independent(share), total_known=False)
    return View.of_codes(topology, rules, codes)


# -- The positions of games whose player marks proved mines and opens all that is certain --


@dataclass(frozen=True)
class GamePosition:
    """A position of a game, and proofs of its certain cells: by single clues, where there are any.

    Mines that were proved before are open in the view. `guess` says that nothing is certain.
    """

    view: View
    proofs: tuple[Proof, ...]
    guess: bool
    source: SourceGame


def game_positions(
    setting: Setting, seed: int, index: int, *, singles: bool = True, longer: bool = True
) -> Iterator[GamePosition]:
    """The positions of one game, from the first opening to its end.

    The first cell is the centre. Cells that single clues prove are taken before all others. Where
    nothing is certain, the safest cell is opened, and the game goes on if it was safe. Proofs
    by a single clue, and those of more than two premises, may be left out, which is faster.
    """
    referee = Referee(setting, seed, index)
    source = SourceGame(setting.board.text, seed, index)
    try:
        referee.open(setting.board.topology.centre)
    except IllegalMove:
        return
    marked: set[int] = set()
    while not referee.over:
        view = referee.view.reveal(dict.fromkeys(marked, Mark.MINE))
        try:
            explainer = Explainer(view)
            single = [one for one in explainer.certain if explainer.finder.one_clue(*one)]
            certain = single or explainer.certain
            asked = certain if singles or not single else ()
            proofs = tuple(
                explainer.prove(*one)
                for one in asked
                if single or longer or explainer.finder.two_clues(*one)
            )
        except BudgetExceeded:
            return
        yield GamePosition(view, proofs, not certain, source)
        if not certain:
            least = explainer.analysis.least_risk
            if least is None:
                return
            referee.open(least.cell)
        for cell, mine in certain:
            if mine:
                marked.add(cell)
            elif referee.view.is_hidden(cell):
                referee.open(cell)


# -- Puzzles that ask for the best guess: exact chances, and only where the best is clearly best --

CLEARLY = Fraction(1, 20)
"""The best cells win at least this much more often than any other."""
_MOST_HIDDEN = 24
_MOST_WINDOW = 100
_MOST_BEST = 3
_SOLUTIONS, _WORK = 2_000, 2_000_000


def cut_guess(view: View, source: SourceGame | None = None) -> TeachingPuzzle | None:
    """The guess of a position in which nothing is certain, in the smallest window that keeps it.

    The window has every hidden cell, and every clue beside one with all its mines, so that all
    chances are those of the game. None where it is large, or where no cell is clearly best.
    """
    if not 2 <= view.hidden_count <= _MOST_HIDDEN:
        return None
    near = view.topology.neighbours
    speaking = {clue for cell in view.hidden for clue in near(cell) if view.clue(clue) is not None}
    window = window_around(view.topology, set(view.hidden) | surroundings(view, speaking))
    if len(window.topology) > _MOST_WINDOW:
        return None
    return guess_of(cut_view(view, window, complete_clues(view, window), True), source)


def guess_of(view: View, source: SourceGame | None = None) -> TeachingPuzzle | None:
    """The guess that a position asks for; None where a cell is certain or none is clearly best.

    Raises InconsistentPosition, and InputError for other rules than the ordinary game's.
    """
    risks = analyze(view).fractions()
    if any(risks[cell] in (0, 1) for cell in view.hidden):
        return None
    try:
        wins = endgame(view, solutions=_SOLUTIONS, work=_WORK)
    except BudgetExceeded:
        return None
    best = wins.best
    others = [chance for chance in wins.cells.values() if chance < wins.chance]
    if not 0 < len(best) <= _MOST_BEST or not others or wins.chance - max(others) < CLEARLY:
        return None
    choices = sorted(
        (GuessChoice(cell, risks[cell], chance) for cell, chance in wins.cells.items()),
        key=lambda choice: (-choice.win, choice.risk, choice.cell),
    )
    return TeachingPuzzle(
        view,
        Question.GUESS,
        PATTERNS[BEST_GUESS],
        "guess",
        guess_level(choices, best),
        best=tuple(sorted(best)),
        choices=tuple(choices),
        source=source,
    )


def guess_level(choices: Sequence[GuessChoice], best: Collection[int]) -> int:
    """3 where the best is the safest alone, 4 where others are as safe, 5 where one is safer."""
    safest = min(choice.risk for choice in choices)
    if all(choice.risk > safest for choice in choices if choice.cell in best):
        return 5
    as_safe = any(choice.risk == safest for choice in choices if choice.cell not in best)
    return 4 if as_safe else 3


# ----------------------------------------------------------------------------
# When two positions are the same puzzle: turned, mirrored or moved, on any topology.
#
# Colours are refined over the graph of the cells until they are stable, as in the Weisfeiler-Leman
# test of graph isomorphism. Symmetric positions get the same key. Two that differ may share one,
# which is rare and costs a puzzle, never a duplicate.

_ROUNDS = 12


def canonical_key(view: View) -> str:
    """A key that is the same for positions that are symmetric to each other."""
    shown = dict(enumerate(map(str, view.codes().tolist())))
    return _refined_key(view, shown, "" if view.total is None else str(view.total))


def argument_key(puzzle: TeachingPuzzle) -> str:
    """A key that is the same for puzzles with the same argument.

    Only the clues of the proofs and their cells count, and of a clue only the mines that it still
    needs. The argument of a guess is its whole position.
    """
    if puzzle.question is Question.GUESS:
        return canonical_key(puzzle.view)
    read = readings(puzzle.view)
    clues = {clue for proof in puzzle.proofs for clue in proof.clues}
    shown = {cell: "." for clue in clues for cell in read[clue].cells}
    shown |= {clue: str(read[clue].low) for clue in clues}
    if any(proof.uses_total for proof in puzzle.proofs):
        shown = dict.fromkeys(puzzle.view.hidden, ".") | shown
        left = (puzzle.view.total or 0) - len(puzzle.view.opened_mines)
        return _refined_key(puzzle.view, shown, str(left))
    return _refined_key(puzzle.view, shown, "")


def _refined_key(view: View, shown: Mapping[int, str], total: str) -> str:
    near = view.topology.neighbours
    colours = {cell: _short_hash(mark) for cell, mark in shown.items()}
    for _ in range(_ROUNDS):
        fresh = {
            cell: _short_hash(
                colour + "".join(sorted(colours[n] for n in near(cell) if n in colours))
            )
            for cell, colour in colours.items()
        }
        stable = len(set(fresh.values())) == len(set(colours.values()))
        colours = fresh
        if stable:
            break
    return _short_hash(f"{view.topology.name} {total} {' '.join(sorted(colours.values()))}")


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
