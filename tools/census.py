"""Fill in the answers of the census: the solutions and chances of every named position.

The files under tests/engine/census hold blocks such as

    == the corner of a 1
    square 2x2 mines=1
    1.
    ..
    solutions 3
    -   1/3
    1/3 1/3

This tool writes what follows `solutions`: the Python twin computes it, and brute force checks it if
a position is small enough. From then on it is frozen. To add a position, add its name and text and
run python tools/census.py. With --check nothing is written.
"""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path

from mineproof.engine.enumerate import enumerate_layouts
from mineproof.engine.twin import TwinAnalysis
from mineproof.errors import BudgetExceeded
from mineproof.view import View

CENSUS = Path(__file__).resolve().parent.parent / "tests" / "engine" / "census"


def answers(view: View) -> tuple[int, dict[int, Fraction]]:
    """The number of solutions and every chance; brute force has to agree."""
    twin = TwinAnalysis(view)
    solutions, chances = twin.solutions, twin.fractions()
    try:
        layouts = list(enumerate_layouts(view))
    except BudgetExceeded:
        return solutions, chances
    total = sum(weight for _, weight in layouts)
    tried = {
        cell: sum((weight for mines, weight in layouts if cell in mines), Fraction(0)) / total
        for cell in view.hidden
    }
    if len(layouts) != solutions or tried != chances:
        raise SystemExit(f"the twin and brute force differ on\n{view}")
    return solutions, chances


def filled(name: str, text: str) -> str:
    """The block of a position with its answers."""
    view = View.parse(text)
    solutions, chances = answers(view)
    rows = [
        ["#" if cell is None else str(chances[cell]) if cell in chances else "-" for cell in row]
        for row in view.topology.rows()
    ]
    width = max(len(word) for row in rows for word in row)
    lines = [" ".join(f"{word:<{width}}" for word in row).rstrip() for row in rows]
    return "\n".join([f"== {name}", text.strip("\n"), f"solutions {solutions}", *lines])


def rewritten(old: str) -> str:
    """A census file with every answer computed again."""
    preface, *blocks = old.split("== ")
    done = []
    for block in blocks:
        name, _, rest = block.partition("\n")
        done.append(filled(name.strip(), rest.split("\nsolutions ")[0]))
    return preface + "\n\n".join(done) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, report differences")
    check = parser.parse_args().check
    wrong = 0
    for path in sorted(CENSUS.glob("*.txt")):
        old = path.read_text()
        new = rewritten(old)
        if new != old:
            wrong += 1
            print(f"census: {path.name} {'differs' if check else 'written'}")
            if not check:
                path.write_text(new)
    return 1 if check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
