"""Chains of many games, one row each, for experiments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mineproof.chains.chains import Chains, Origin, of
from mineproof.match.entrants import DEFAULT_AGENT, AnyAgent, entrants
from mineproof.match.game import play_game
from mineproof.rng import check_seed
from mineproof.rules import RuleValue
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting
from mineproof.whole import whole

__all__ = ["ChainRow", "measure", "row_of_chains"]


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


def row_of_chains(chains: Chains) -> ChainRow:
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
    **words: RuleValue,
) -> Iterator[ChainRow]:
    """Play games of a seed from index `first` on, and measure the chains of each.

    Board and rules are given as to `mineproof.play`. Raises InputError.
    """
    first, games = check_seed(first, "first"), whole(games, "games")
    setting = Setting.of(board, rules, **words)
    (entrant,) = entrants([agent])
    with entrant.players() as player:
        for index in range(first, first + games):
            game = play_game(setting, player(), entrant.name, seed, index)
            yield row_of_chains(of(game))
