"""The compiled core of mineproof. Import it through mineproof.kernel."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final

import numpy
from numpy.typing import NDArray


def build_info() -> dict[str, str]:
    """Compiler, flags and version of this build."""

def deal_number(seed: int, index: int, excluded: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """
    `count` mines outside the excluded cells, every layout equally likely; a byte a cell.
    """

def deal_independent(seed: int, index: int, excluded: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: int) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """
    Each cell outside the excluded ones is a mine with chance threshold / 2**64.
    """

def count_mines(offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], mines: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """For every cell the number of mines among its neighbours."""

def deal_many(seed: int, first_index: int, games: int, offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], excluded: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')]]:
    """
    Mines and counts of games first_index, first_index + 1, ...: two tables, a row a game.
    """

class Contradiction(Exception):
    """
    No layout explains a position: message, clues, whether the total does it.
    """

class OverBudget(Exception):
    """Message, clues of the component, its first cell, its boxes, its width."""

class Board:
    """A board's graph; rows and cols of a plain square one, else 0."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int = 0, cols: int = 0) -> None: ...

class Model:
    """
    How mines are dealt; likelihoods[degree, shown, count] where clues may lie.
    """

    @staticmethod
    def of_total(mines: int, likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)] | None) -> Model: ...

    @staticmethod
    def of_density(chance: float, likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)] | None) -> Model: ...

    @staticmethod
    def of_number(weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], likelihoods: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)] | None) -> Model:
        """
        The number of mines is k with weight weights[k], then every layout alike.
        """

class Solved:
    """A position whose chances are known."""

    @property
    def chances(self) -> bytes:
        """The chance of a mine for every cell: a double each, as bytes."""

    def certain(self, chance: float) -> bytes:
        """
        The hidden cells of this chance, 0.0 or 1.0: little-endian bytes, a bit a cell.
        """

    def least_risk(self) -> tuple[int, float, int]:
        """
        The first hidden cell of least risk or -1, its chance, and how many have it.
        """

    def count(self) -> bytes:
        """The number of layouts, as little-endian bytes."""

    def sample(self, count: int, seed: int) -> list[bytes]:
        """Layouts drawn from the posterior: a byte a cell, 1 for a mine."""

    def clue_odds(self, cell: int) -> tuple[float, list[float]]:
        """
        The chance of a mine, and for every v that of a safe cell with v mines around it.
        """

    def log_weight(self) -> float:
        """Logarithm of the weight of all layouts."""

    def parts(self) -> list[tuple[list[int], list[int], int, list[float]]]:
        """
        Components as (cells, clues, fewest mines, chances); the sea comes last.
        """

def solve(board: Board, model: Model, shown: bytearray, vouched: bytearray | None, states: int, memory: int) -> Solved:
    """Solve one position. Raises Contradiction and OverBudget."""

def settled(board: Board, model: Model, shown: bytearray, pairs: bool) -> tuple[list[int], list[int]]:
    """
    Hidden cells that single clues decide, or two together: safe ones, mines. Raises Contradiction.
    """

def clash(board: Board, model: Model, shown: bytearray, vouched: bytearray | None, states: int, memory: int) -> tuple[list[int], bool]:
    """
    Minimal clashing clues of a position without a layout; is the total needed.
    """

class Batch:
    """Positions that were solved together."""

    @property
    def chances(self) -> bytes:
        """
        The chances of all positions, one after the other: a double a cell, as bytes.
        """

    def offset(self, place: int) -> int:
        """Where the chances of a position begin, in bytes."""

    def at(self, place: int) -> Solved:
        """One of the positions on its own."""

def solve_many(runs: Sequence[tuple[Board, Model, int]], shown: list[bytearray], vouched: list[bytearray | None] | None, states: int, memory: int, threads: int, meanwhile: Callable[[Batch], None]) -> int | None:
    """
    Solve many positions on threads: the place of the first that fails, where one does. `meanwhile` is called with the batch while other threads solve it; its answer is not looked at.
    """

class Session:
    """An analysis that follows a game."""

    def __init__(self, board: Board, model: Model, shown: bytearray, vouched: bytearray | None, states: int, memory: int) -> None: ...

    def open(self, cell: int, code: int) -> None:
        """A hidden cell shows this byte now."""

    def open_all(self, cells: Sequence[int], codes: bytearray) -> None:
        """These hidden cells show their bytes of `codes` now."""

    def newly_certain(self) -> tuple[list[int], list[int]]:
        """
        Hidden cells that became certain since the last call: safe ones, mines.
        """

    def chances(self) -> bytes:
        """The chance of a mine for every cell, as bytes."""

    def chance(self, cell: int) -> float:
        """The chance of a mine in a cell."""

def endgame(board: Board, model: Model, shown: bytearray, vouched: bytearray | None, limit: int, work: int) -> tuple[str, list[tuple[list[int], list[int], int, int, int]]]:
    """
    Best play by independent regions: `solved`, or what there is too much of (`solutions`, `work`); a region has its cells, the solutions won when each is opened first, those won by best play, their number, and a best cell.
    """

def optimal(board: Board, mines: int, first_click: str, first: Sequence[int], layouts: int, work: int) -> tuple[str, int, int, list[int]]:
    """
    Best play from the empty board: `solved`, `solutions` or `work`; layouts won; layouts; the best of the given first cells.
    """

def win_sums(board: Board, mines: int, first_click: str, shown: bytearray, cells: Sequence[int], seed: int, samples: int, seconds: float) -> list[tuple[int, int, float, float]]:
    """
    Games played out on layouts of the posterior after each cell is opened: the cell, the layouts where it is safe, the sum of the chances to win on them, and of their squares.
    """

class PlayedGames:
    """What many games left: columns with an entry for every game."""

    @property
    def won(self) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C')]:
        """Whether every safe cell was opened."""

    @property
    def clicks(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Cells that the player opened."""

    @property
    def opened(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Cells opened in all, a mine included."""

    @property
    def given(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Cells opened before the first move."""

    @property
    def safe_left(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Safe cells still hidden."""

    @property
    def guesses(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Cells opened without a proof."""

    @property
    def flags(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Mines that were certain at the last guess."""

    @property
    def gain(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The measured gain of the champion's decisions over swift's."""

    @property
    def chance(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """1 or 0, or the chance to win by best play as soon as that was known."""

    def luck(self, stage: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Guesses that opened no mine minus their expected number, of one stage."""

    stages: Final[int] = ...
    """How many stages there are, from the end on."""

def play_random(seed: int, agent_seed: int, first_index: int, games: int, offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int, first_click: str, cascade: bool, given: Sequence[int], free: Sequence[int]) -> PlayedGames:
    """Games of the agent `random`."""

def play_many(board: Board, mines: int, first_click: str, cascade: bool, given: Sequence[int], free: Sequence[int], first: Sequence[int], name: str, options: Mapping[str, float], seed: int, agent_seed: int, first_index: int, games: int, threads: int) -> PlayedGames:
    """Games of a player of the core."""

class GameRules:
    """The rules of the games of a batch."""

    def __init__(self, mines: int, first_click: str, cascade: bool, dealt: str, threshold: int, goes_on: bool, mark_all: bool, given: Sequence[int], free: Sequence[int], given_random: int) -> None: ...

    def lay(self, mines: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Mines that are set and not dealt."""

    def lie(self, neighbours: int, below: Sequence[int], last: Sequence[int], proves_zero: bool) -> None:
        """
        What cells with so many neighbours show: a row of chances for every true count.
        """

class GameBatch:
    """
    Games side by side, for learners; it does not tell where the mines are.
    """

    def __init__(self, board: Board, rules: GameRules, games: int, threads: int, flags: bool, total_known: bool, illegal: str, autoreset: str, most_steps: int) -> None: ...

    def reset(self, chosen: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, seeds: Sequence[int] | None, index: int) -> None:
        """
        Begin the next games, all or the chosen ones; seeds name them anew, with this index.
        """

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """An action for every game."""

    def first_illegal(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """The first game for which its action is no legal move, or -1."""

    def random_actions(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
        """A legal action for every game, each equally likely."""

    def seed_actions(self, seed: int) -> None:
        """Name the random actions anew."""

    @property
    def shown(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')]:
        """What the cells of each game show, as codes."""

    @property
    def legal(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')]:
        """Which actions are legal moves."""

    @property
    def final_shown(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')]:
        """What games showed that ended in this step."""

    @property
    def final_legal(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')]:
        """Which actions were legal moves where they were cut off."""

    @property
    def mines_left(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Mines less flags and opened mines, where the total is known."""

    @property
    def final_mines_left(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """The same of games that ended in this step."""

    @property
    def first(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """The cell for which the mines were dealt; -1 where no click dealt them."""

    @property
    def final_first(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """The same of games that ended in this step."""

    @property
    def opened(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Safe cells that the step opened."""

    @property
    def terminated(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
        """Games that ended in this step."""

    @property
    def truncated(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
        """Games that were cut off in this step."""

    @property
    def won(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
        """Games that were won in this step."""

    @property
    def illegal(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
        """Games whose action was no legal move."""

    @property
    def moved(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
        """Games that took their action; the others began anew."""

class Seat:
    """A player of the core that is shown positions."""

    def __init__(self, board: Board, mines: int, first_click: str, first: Sequence[int], name: str, options: Mapping[str, float]) -> None: ...

    def begin(self, key: int) -> None:
        """A new game; its randomness is named by `key`."""

    def prove(self, shown: bytearray) -> tuple[list[int], list[int]]:
        """
        Cells certain to be safe; where there are none, those certain to be mines.
        """

    def guess(self) -> tuple[int, float, int]:
        """
        Where nothing was proved safe: the guess, its risk, among how many cells.
        """

def fewest_clues(cells: Sequence[Sequence[int]], mines: Sequence[int], weights: Sequence[int], target: int, steps: int) -> list[int] | None:
    """
    The places of the fewest clues that forbid a mine in the target: empty where none do, None past so many steps.
    """

def steps_from(board: Board, cell: int) -> bytes:
    """
    The distance of every cell from one, as bytes of int32; the number of cells for none.
    """

def clear_many(board: Board, mines: int, first: int, logic: str, layouts: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int) -> list[bool]:
    """Which layouts, a row each, can be cleared without a guess."""

def repair_no_guess(board: Board, mines: int, first: int, free: Sequence[int], logic: str, seed: int, start: int, deals: int, count: int, threads: int) -> tuple[list[tuple[int, int, bytes]], int]:
    """
    Deals that were changed until they need no guess (index, changes, layout), and how many were tried.
    """

def keep_no_guess(board: Board, mines: int, first: int, free: Sequence[int], logic: str, seed: int, start: int, deals: int, count: int, threads: int) -> tuple[list[int], int]:
    """
    The deals from `start` on that need no guess, up to `count` of them, and how many deals were tried.
    """
