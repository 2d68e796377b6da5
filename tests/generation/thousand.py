"""Certificates by the thousand: python -m tests.generation.thousand --boards 1000.

Makes Expert boards without guesses, certifies each, writes and reads it, checks it, and then checks
a damaged copy, by each kind of damage in turn. Prints what was found; the exit status is 1 if a
certificate was refused, or a damaged one accepted.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

import mineproof as mp
from mineproof.generation.certificate_file import read_certificates, to_line
from tests.generation.damages import DAMAGES


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
        line = to_line(mp.certify(board))
        making += time.process_time() - start
        start = time.process_time()
        (certificate,) = read_certificates(line)
        accepted += bool(mp.check_certificate(certificate))
        checking += time.process_time() - start
        sizes.append(len(line.encode()))
        moves.append(len(certificate.moves))
        (damaged,) = read_certificates(to_line(DAMAGES[number % len(DAMAGES)](certificate, dice)))
        refused += not mp.check_certificate(damaged)
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
