"""Boards with extraordinarily long chains of influence, by hill climbing over layouts.

A layout is played by the exact engine from one given cell on, without a guess: the game stops
where nothing more is certain. A move of the climb puts one mine elsewhere. It is kept if the
longest chain gets longer. If the length stays the same, it is kept unless the sum of the depths of
all proved cells gets smaller. So a climb never gets worse. Each climb begins at a deal of its own,
in which the given cell is an opening. The same seed finds the same board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from mineproof.agents.catalog import make_agent
from mineproof.board.deal import check_room, deal, kept_free
from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.board.worlds import World
from mineproof.chains import Chains, of
from mineproof.errors import InputError
from mineproof.match.game import play_game
from mineproof.match.transcript import Transcript
from mineproof.rng import Purpose, Stream, check_seed
from mineproof.rules import FirstClick, Given, Rules
from mineproof.view.setting import Setting

__all__ = ["AGENT", "Climb", "climb", "climbs", "longest_chain", "play_layout"]

AGENT = "exact+stop"
_NAME = "long-chain"


@dataclass(frozen=True)
class Climb:
    """Where a climb got: the best layout, its chains, and the best length after every layout tried.

    `restart` is the number of the deal it began at.
    """

    restart: int
    layout: Layout
    chains: Chains
    lengths: tuple[int, ...]

    @property
    def length(self) -> int:
        return self.chains.length

    @property
    def score(self) -> tuple[int, int]:
        """What is climbed by: the length of the longest chain, then the sum of all depths."""
        return self.chains.length, sum(one.depth for one in self.chains.proved)


def play_layout(layout: Layout, given: int, agent: str = AGENT) -> Transcript:
    """The game of a layout whose given cell is opened first."""
    topology = layout.topology
    given_cell = Given(cells=(topology.coordinates(given),))
    setting = Setting.of(World(_NAME, layout), given=given_cell)
    return play_game(setting, make_agent(agent), agent, 0)


def climb(board: Board, given: int, seed: int, restart: int, moves: int) -> Climb:
    """One climb of so many moves from deal `restart` of a seed.

    Raises BoardError where the mines do not fit beside an opening, InputError for a board whose
    number of mines is drawn.
    """
    topology = board.topology
    if board.mines.fixed(len(topology)) is None:
        raise InputError(
            f"board {board.text} has no fixed number of mines; accepted: such as 9x9/10"
        )
    free = kept_free(topology, FirstClick.OPENING, (given,))
    rules = Rules(mines=board.mines, first_click=FirstClick.OPENING)
    check_room(topology, rules, (given,))
    layout = deal(topology, board.mines, seed, restart, free)
    stream = Stream(seed, restart, Purpose.SAMPLE)
    best = _climbed(restart, layout, given, ())
    lengths = [best.length]
    for _ in range(moves):
        tried = _moved(best.layout, given, stream)
        found = best if tried is None else _climbed(restart, tried, given, ())
        if found.score >= best.score:
            best = found
        lengths.append(best.length)
    return replace(best, lengths=tuple(lengths))


def _climbed(restart: int, layout: Layout, given: int, lengths: tuple[int, ...]) -> Climb:
    return Climb(restart, layout, of(play_layout(layout, given)), lengths)


def _moved(layout: Layout, given: int, stream: Stream) -> Layout | None:
    """The layout with one mine put elsewhere; None where there is none or nowhere to go."""
    mines = list(layout.cells)
    empty = [cell for cell in layout.topology.cells if not layout.is_mine(cell) and cell != given]
    if not mines or not empty:
        return None
    gone, new = stream.choice(mines), stream.choice(empty)
    return Layout.of(layout.topology, [new, *(cell for cell in mines if cell != gone)])


def climbs(
    board: Board,
    given: int | None = None,
    *,
    seed: int = 0,
    first: int = 0,
    restarts: int = 8,
    moves: int = 400,
) -> Iterator[Climb]:
    """Climb after climb from deal `first` on; the given cell is the corner unless named.

    Raises InputError.
    """
    check_seed(seed)
    if restarts < 1 or moves < 0:
        raise InputError(
            f"{restarts} restarts of {moves} moves; accepted: at least 1 restart, 0 moves"
        )
    start = board.topology.corner if given is None else given
    for restart in range(first, first + restarts):
        yield climb(board, start, seed, restart, moves)


def longest_chain(
    board: str,
    given: int | None = None,
    *,
    seed: int = 0,
    restarts: int = 8,
    moves: int = 400,
    watch: Callable[[Climb], None] | None = None,
) -> Climb:
    """The best of several climbs, the first of equals; `watch` is told each. Raises InputError."""
    best: Climb | None = None
    for found in climbs(Board.parse(board), given, seed=seed, restarts=restarts, moves=moves):
        if watch is not None:
            watch(found)
        if best is None or found.score > best.score:
            best = found
    assert best is not None
    return best
