"""Ways to damage a certificate, each so that it is no longer one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import mineproof as mp
from mineproof.generation.certificate import Certificate, CertifiedMove
from mineproof.proofs.techniques import Technique

__all__ = ["DAMAGES", "Damage", "dropped_move", "with_move"]

Damage = Callable[[Certificate, Random], Certificate]


def moved_mine(one: Certificate, dice: Random) -> Certificate:
    """A mine where a move opens a cell."""
    mines = set(one.layout.cells)
    mines ^= {dice.choice(sorted(mines)), dice.choice(one.moves).cell}
    return replace(one, layout=mp.Layout.of(one.layout.topology, mines))


def dropped_move(one: Certificate, dice: Random) -> Certificate:
    """The last of the moves is needed: nothing else opens its cell."""
    return replace(one, moves=one.moves[:-1])


def dropped_premise(one: Certificate, dice: Random) -> Certificate:
    place = dice.randrange(len(one.moves))
    move = one.moves[place]
    clues = list(move.clues)
    if clues:
        del clues[dice.randrange(len(clues))]
    return with_move(one, place, replace(move, clues=tuple(clues)))


def opened_mine(one: Certificate, dice: Random) -> Certificate:
    place = dice.randrange(len(one.moves))
    mine = dice.choice(sorted(one.layout.cells))
    return with_move(one, place, replace(one.moves[place], cell=mine))


def needless_premise(one: Certificate, dice: Random) -> Certificate:
    """The first cell's clue beside the others of the last move; a zero never helps."""
    place = len(one.moves) - 1
    move = one.moves[place]
    clues = tuple(sorted({*move.clues, one.beginning.first}))
    return with_move(one, place, replace(move, clues=clues))


def other_technique(one: Certificate, dice: Random) -> Certificate:
    place = dice.randrange(len(one.moves))
    move = one.moves[place]
    name = "mine count" if not move.uses_total else "single clue"
    return with_move(one, place, replace(move, technique=Technique.parse(name)))


def repeated_move(one: Certificate, dice: Random) -> Certificate:
    place = dice.randrange(len(one.moves))
    return replace(one, moves=(*one.moves[: place + 1], *one.moves[place:]))


def with_move(one: Certificate, place: int, move: CertifiedMove) -> Certificate:
    return replace(one, moves=(*one.moves[:place], move, *one.moves[place + 1 :]))


DAMAGES: list[Damage] = [
    moved_mine,
    dropped_move,
    dropped_premise,
    opened_mine,
    needless_premise,
    other_technique,
    repeated_move,
]
