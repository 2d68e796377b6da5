"""Put what commands print into the console blocks of pages: `python -m tools.docsite.console PAGE`.

A block has a `$ ` before each command and below it the beginning of what it prints; `...` stands
for the rest. The commands run from the root of the repository, at 80 columns. `tests/test_docs.py`
runs them too and compares.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from itertools import takewhile
from pathlib import Path

__all__ = ["BLOCK", "filled", "steps"]

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^( *)```console\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
MOST_LINES, MOST_LETTERS = 14, 160


def steps(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what is printed below it."""
    found: list[tuple[str, str]] = []
    for line in textwrap.dedent(block).splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), ""))
        elif not found:
            raise ValueError(f"a console block begins with {line!r}; accepted: $ and a command")
        else:
            command, said = found.pop()
            found.append((command, f"{said}{line}\n"))
    return found


def printed(command: str) -> str:
    """The beginning of what a command prints, without what differs from run to run."""
    once, again = (_run(command).splitlines() for _ in range(2))
    lines = [one if one == two else _alike(one, two) for one, two in zip(once, again, strict=True)]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 2], "..."]
    cut = (line if len(line) <= MOST_LETTERS else line[:MOST_LETTERS] + "..." for line in lines)
    return "".join(f"{line.rstrip()}\n" for line in cut)


def _run(command: str) -> str:
    env = {
        **os.environ,
        "COLUMNS": "80",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "-ec", f"set -o pipefail; {command}"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def _alike(one: str, two: str) -> str:
    """A line up to its first word that differs."""
    words, others = (re.findall(r"\s*\S+", line) for line in (one, two))
    same = takewhile(lambda pair: pair[0] == pair[1], zip(words, others, strict=False))
    return "".join(word for word, _ in same) + " ..."


def filled(text: str) -> str:
    """A page with what its commands print."""

    def fill(found: re.Match[str]) -> str:
        parts = [f"$ {command}\n{printed(command)}" for command, _ in steps(found[2])]
        body = textwrap.indent("".join(parts), found[1])
        return f"{found[1]}```console\n{body}{found[1]}```"

    return BLOCK.sub(fill, text)


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:]):
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
