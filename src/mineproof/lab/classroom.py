"""A class of students: a folder of submitted agents, and a CSV with a row for each.

    submissions/alice.py                   a Python file with an agent in it
    submissions/bob/minesweeper.py         or a folder with one: agent.py, minesweeper.py, or the
                                           only Python file there

Nothing of it is run here; a submission that cannot even be loaded loses its games for that reason.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from mineproof.errors import InputError, quoted
from mineproof.files import write_text
from mineproof.lab.summary import Result

__all__ = ["COLUMNS", "class_csv", "submissions", "write_csv"]

_MAIN_FILES = ("agent.py", "minesweeper.py")
COLUMNS = (
    *("agent", "played", "won", "rate", "low", "high", "score", "finer", "stuck", "failed"),
    *("seconds", "failures"),
)


def submissions(folder: str | Path) -> tuple[str, ...]:
    """The agents of a folder, by name, as `--agents` would name them.

    Raises InputError where it is no folder, has none, or a folder in it leaves open which one.
    """
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"{quoted(str(folder))} is no folder; accepted: a folder of agents")
    found = []
    for path in sorted(root.iterdir()):
        if path.name.startswith((".", "_")):
            continue
        if path.is_dir():
            found += _main_file(path)
        elif path.suffix == ".py":
            found.append(path)
    if not found:
        raise InputError(
            f"{quoted(str(folder))} holds no agent; accepted: Python files, or folders with one"
        )
    return tuple(map(str, found))


def _main_file(folder: Path) -> list[Path]:
    files = sorted(path for path in folder.glob("*.py") if not path.name.startswith((".", "_")))
    for name in _MAIN_FILES:
        if folder / name in files:
            return [folder / name]
    if len(files) > 1:
        raise InputError(
            f"{quoted(str(folder))} holds {len(files)} Python files; accepted: one of them named"
            f" {' or '.join(_MAIN_FILES)}"
        )
    return files


def class_csv(results: Iterable[Result]) -> str:
    """The results as CSV, a row each, best first; `failures` says how often and why."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for result in sorted(results, key=lambda result: (-result.rate, -result.finer, result.agent)):
        writer.writerow(
            (
                result.agent,
                result.played,
                result.won,
                f"{result.rate:.6f}",
                f"{result.interval.low:.6f}",
                f"{result.interval.high:.6f}",
                f"{result.score:.6f}",
                f"{result.finer:.6f}",
                result.stuck,
                sum(count for _, count in result.failures),
                f"{result.seconds:.6f}",
                "; ".join(f"{count} games {reason}" for reason, count in result.failures),
            )
        )
    return text.getvalue()


def write_csv(path: str | Path, results: Iterable[Result]) -> None:
    """Write the CSV; over an older one of the same kind, but over no other file."""
    place = Path(path)
    try:
        if place.exists():
            with place.open(encoding="utf-8", errors="replace") as file:
                if file.readline().rstrip("\n") != ",".join(COLUMNS):
                    raise InputError(
                        f"{str(path)!a} is there and no CSV of agents; accepted: another name"
                    )
        write_text(place, class_csv(results))
    except OSError as error:
        raise InputError(
            f"{str(path)!a} cannot be written: {error.strerror}; accepted: a writable file"
        ) from None
