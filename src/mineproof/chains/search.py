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
from typing import Unpack

from mineproof.agents.catalog import make_agent
from mineproof.board.layout import Layout, check_room, deal, mine_free_cells
from mineproof.board.presets import Board, World
from mineproof.chains.chains import Chains, Origin, of
from mineproof.errors import InputError, as_int
from mineproof.game.play import DEFAULT_AGENT, AnyAgent, named_agents, play_game
from mineproof.game.transcript import Transcript
from mineproof.rng import Purpose, Stream, check_seed
from mineproof.rules import FirstClick, Given, Rules, RuleWords
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting

# It opens all that is certain and stops instead of guessing: chains depend on the layout alone.
AGENT = "exact+stop"
_NAME = "long-chain"


@dataclass(frozen=True)
class ClimbResult:
    """The best layout of a climb, its chains, and the best length after every layout tried.

    `restart` is the number of the deal at which it began.
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
        """The height of the hill: the length of the longest chain, then the sum of all depths."""
        return self.chains.length, sum(one.depth for one in self.chains.proved)


def play_layout(layout: Layout, given: int, agent: str = AGENT) -> Transcript:
    """The game of a layout whose given cell is opened first."""
    topology = layout.topology
    given_cell = Given(cells=(topology.coordinates(given),))
    setting = Setting.of(World(_NAME, layout), given=given_cell)
    return play_game(setting, make_agent(agent), agent, 0)


def climb(board: Board, given: int, seed: int, restart: int, moves: int) -> ClimbResult:
    """One climb of `moves` moves from deal `restart` of a seed.

    Raises BoardError where the mines do not fit beside an opening, InputError for a board whose
    number of mines is drawn.
    """
    topology = board.topology
    if board.mines.fixed(len(topology)) is None:
        raise InputError(
            f"board {board.text} has no fixed number of mines; accepted: such as 9x9/10"
        )
    free = mine_free_cells(topology, FirstClick.OPENING, (given,))
    rules = Rules(mines=board.mines, first_click=FirstClick.OPENING)
    check_room(topology, rules, (given,))
    layout = deal(topology, board.mines, seed, restart, free)
    stream = Stream(seed, restart, Purpose.SAMPLE)
    best = _result(restart, layout, given)
    lengths = [best.length]
    for _ in range(moves):
        tried = _with_mine_moved(best.layout, given, stream)
        found = best if tried is None else _result(restart, tried, given)
        # Equal scores are accepted, so that a climb can cross a plateau.
        if found.score >= best.score:
            best = found
        lengths.append(best.length)
    return replace(best, lengths=tuple(lengths))


def _result(restart: int, layout: Layout, given: int) -> ClimbResult:
    return ClimbResult(restart, layout, of(play_layout(layout, given)), ())


def _with_mine_moved(layout: Layout, given: int, stream: Stream) -> Layout | None:
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
) -> Iterator[ClimbResult]:
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
    watch: Callable[[ClimbResult], None] | None = None,
) -> ClimbResult:
    """The best of several climbs, the first of equals; `watch` gets each. Raises InputError."""
    best: ClimbResult | None = None
    for found in climbs(Board.parse(board), given, seed=seed, restarts=restarts, moves=moves):
        if watch is not None:
            watch(found)
        if best is None or found.score > best.score:
            best = found
    assert best is not None
    return best


# -- Chains of many games, one row each, for experiments -----------------------


@dataclass(frozen=True)
class ChainRow:
    """The chains of one game in figures.

    `length` is that of the longest chain. `reach` is the farthest distance that any cell's
    influence travels, and `influenced` the number of proofs that rest on that cell. `proofs`,
    `guesses` and `cascaded` count opened cells. `premises` is the sum over all proofs, `largest`
    the most in one proof. `mean_depth` is the mean over the proved cells, 0 if there is none.
    """

    index: int
    won: bool
    length: int
    reach: int
    influenced: int
    proofs: int
    guesses: int
    cascaded: int
    premises: int
    largest: int
    mean_depth: float


def chain_row(chains: Chains) -> ChainRow:
    """The figures of one game."""
    game, proved, reach = chains.transcript, chains.proved, chains.reach
    guesses = sum(one.origin is Origin.GUESSED for one in chains.roots)
    return ChainRow(
        index=game.index,
        won=game.outcome.won,
        length=chains.length,
        reach=0 if reach is None else reach.distance,
        influenced=0 if reach is None else reach.cells,
        proofs=len(proved),
        guesses=guesses,
        cascaded=len(chains.opened) - len(proved) - len(chains.roots),
        premises=sum(one.size for one in proved),
        largest=max((one.size for one in proved), default=0),
        mean_depth=sum(one.depth for one in proved) / len(proved) if proved else 0.0,
    )


def measure(
    board: AnyBoard = DEFAULT_BOARD,
    agent: AnyAgent = DEFAULT_AGENT,
    games: int = 100,
    seed: int = 0,
    *,
    first: int = 0,
    rules: AnyRules | None = None,
    **words: Unpack[RuleWords],
) -> Iterator[ChainRow]:
    """Play games of a seed from index `first` on, and measure the chains of each.

    Board and rules are given as to `mineproof.play`. Raises InputError.
    """
    first, games = check_seed(first, "first"), as_int(games, "games")
    setting = Setting.of(board, rules, **words)
    (entrant,) = named_agents([agent])
    with entrant.players() as player:
        for index in range(first, first + games):
            game = play_game(setting, player(), entrant.name, seed, index)
            yield chain_row(of(game))
