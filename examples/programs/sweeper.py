"""An agent that speaks the protocol of lines itself, without the package of mineproof.

    mineproof play --agent "command: python3 examples/programs/sweeper.py" --board beginner

One clue at a time: if its hidden neighbours are all mines or all safe, it plays one of them.
"""

import json
import random
import sys
from collections.abc import Iterator


def neighbours(rows: list[str], row: int, column: int) -> Iterator[tuple[int, int]]:
    for r in range(max(row - 1, 0), min(row + 2, len(rows))):
        for c in range(max(column - 1, 0), min(column + 2, len(rows[r]))):
            if (r, c) != (row, column):
                yield r, c


def move(rows: list[str]) -> dict[str, object]:
    for row, line in enumerate(rows):
        for column, mark in enumerate(line):
            if not mark.isdigit():
                continue
            near = list(neighbours(rows, row, column))
            hidden = [(r, c) for r, c in near if rows[r][c] == "."]
            mines = int(mark) - sum(rows[r][c] in "F*" for r, c in near)
            if hidden and mines in (0, len(hidden)):
                action = "flag" if mines else "open"
                return {action: hidden[0], "proved": "single-point"}
    hidden = [(r, c) for r, line in enumerate(rows) for c, mark in enumerate(line) if mark == "."]
    if not hidden:
        return {"stop": "every hidden cell is flagged"}
    return {"open": random.choice(hidden), "guess": "random"}


for line in sys.stdin:
    position = json.loads(line)
    if position["move"] == 1:  # a new game
        random.seed(position["seed"])
    print(json.dumps(move(position["rows"])), flush=True)
