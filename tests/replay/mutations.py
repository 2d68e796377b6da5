"""Mutated replays: bytes changed, cut, doubled and put in. No traceback, no abort, no hang.

    python -m tests.replay.mutations 100000 [FOLDER]

mutates files of every version of our own, and those of a folder. A reader may refuse with one
line, or read a game, whose clicks and statistics must then be there. Prints what came of it, and
the most memory that the process took.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from mineproof.errors import InputError
from mineproof.replay.record import Replay
from tests.replay.encoders import ENCODERS, random_game

LONGEST = 20.0
"""Seconds of processor time after which a file counts as a hang."""


def mutated(data: bytes, dice: random.Random) -> bytes:
    """The bytes with one to four changes."""
    found = bytearray(data)
    for _ in range(dice.randrange(1, 5)):
        if not found:
            break
        place = dice.randrange(len(found))
        # Headers are short and decide much: half of the changes fall there.
        place = place % 160 if dice.random() < 0.5 else place
        place = min(place, len(found) - 1)
        match dice.randrange(6):
            case 0:
                found[place] = dice.randrange(256)
            case 1:
                found[place] ^= 1 << dice.randrange(8)
            case 2:
                del found[place:]
            case 3:
                found[place:place] = dice.randbytes(dice.randrange(1, 9))
            case 4:
                del found[place : place + dice.randrange(1, 40)]
            case _:
                found[place : place + 4] = dice.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\n-1 "])
    return bytes(found)


def attempt(data: bytes, name: str) -> str:
    """What comes of these bytes: `read` or `refused`. Anything else is a fault, and raised."""
    refusal = ""
    try:
        replay = Replay.parse(data, name)
    except InputError as error:
        refusal = str(error)
    if refusal:
        assert "\n" not in refusal
        return "refused"
    assert replay.title
    assert replay.statistics.values
    return "read"


def damage(version: str, count: int) -> int:
    """Mutate files of a version; how many of them were still read."""
    ending, encode = ENCODERS[version]
    dice = random.Random(version)
    files = [encode(random_game(seed, *size)) for seed, size in enumerate([(8, 8, 10), (5, 9, 7)])]
    found = Counter(attempt(mutated(dice.choice(files), dice), f"a.{ending}") for _ in range(count))
    return found["read"]


def main(count: int, folder: str | None) -> None:
    files = [
        (f"{version}.{ending}", encode(random_game(seed, *size)))
        for version, (ending, encode) in ENCODERS.items()
        for seed, size in enumerate([(8, 8, 10), (16, 16, 40), (5, 9, 7)])
    ]
    if folder:
        files += [(path.name, path.read_bytes()) for path in sorted(Path(folder).iterdir())]
    dice, found, worst = random.Random(1), Counter[str](), 0.0
    for number in range(count):
        name, data = files[number % len(files)]
        changed = mutated(data, dice)
        begin = time.process_time()
        try:
            found[attempt(changed, name)] += 1
        except BaseException:
            print(f"file {number}, of {name}: {changed[:200]!r}")
            raise
        took = time.process_time() - begin
        worst = max(worst, took)
        assert took < LONGEST, f"file {number}, of {name}: {took:.1f} s"
    said = ", ".join(f"{many} {what}" for what, many in sorted(found.items()))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{count} mutated files: {said}; no fault; the slowest took {worst:.2f} s, the process at"
        f" most {most:.0f} MiB"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
