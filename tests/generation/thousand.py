"""Certificates by the thousand: python -m tests.generation.thousand --boards 1000.

Makes Expert boards without guesses, certifies each, writes and reads it, checks it, and then checks
a damaged copy, by each kind of damage in turn. Prints what was found; the exit status is 1 if a
certificate was refused, or a damaged one accepted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random

import mineproof as mp
from mineproof.generation import certify, check_certificate
from mineproof.generation.certificate import Certificate, CertifiedMove, read_certificates, to_line
from mineproof.proofs.techniques import Technique

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--board", default="expert")
    parser.add_argument("--first", default="7,14")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    made = mp.generate(options.board, first=options.first, count=options.boards, seed=options.seed)
    dice = Random(options.seed)
    accepted = refused = 0
    sizes, moves = [], []
    making = checking = 0.0
    for number, board in enumerate(made):
        start = time.process_time()
        line = to_line(certify(board))
        making += time.process_time() - start
        start = time.process_time()
        (certificate,) = read_certificates(line)
        accepted += bool(check_certificate(certificate))
        checking += time.process_time() - start
        sizes.append(len(line.encode()))
        moves.append(len(certificate.moves))
        (damaged,) = read_certificates(to_line(DAMAGES[number % len(DAMAGES)](certificate, dice)))
        refused += not check_certificate(damaged)
        if number % 50 == 49 or number + 1 == options.boards:
            print(
                f"{number + 1} boards: {accepted} accepted, {refused} damaged ones refused;"
                f" {min(sizes)} to {max(sizes)} bytes, {sum(moves) / len(moves):.0f} moves,"
                f" {making / (number + 1):.3f} s to make, {checking / (number + 1):.3f} s to check",
                flush=True,
            )
    return int(accepted < options.boards or refused < options.boards)


if __name__ == "__main__":
    sys.exit(main())
