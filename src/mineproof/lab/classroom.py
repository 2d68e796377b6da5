"""A class of students: a folder of submitted agents, and a CSV with a row for each.

    submissions/alice.py                   a Python file with an agent in it
    submissions/bob/minesweeper.py         or a folder with one: agent.py, minesweeper.py, or the
                                           only Python file there

Nothing of it is run here; a submission that cannot even be loaded loses its games for that reason.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from mineproof.agents.adapters.source import main_file
from mineproof.errors import InputError, quoted
from mineproof.files import check_writable, write_text
from mineproof.lab.summary import Result

__all__ = ["check_csv", "class_csv", "csv_columns", "submissions", "write_csv"]

_FIRST = ("agent", "played", "won", "rate", "low", "high")
_LAST = ("stuck", "failed", "seconds", "failures")
_MOST_HEADER = 1_000


def csv_columns(measures: Sequence[str]) -> tuple[str, ...]:
    """The columns of the CSV: wins, and the measures that mean something under the rules.

    Where agents are compared by score, it has its interval. `luck_p` is the p-value of the luck
    test, of agents from outside.
    """
    scored = ("score_low", "score_high") if "score" in measures else ()
    return (*_FIRST, *measures[:1], *scored, *measures[1:], "luck_p", *_LAST)


def submissions(folder: str | Path) -> tuple[str, ...]:
    """The agents of a folder, by name, as `--agents` would name them.

    Raises InputError where it is no folder or has none. A folder in it that leaves open which file
    is meant, and a link to nothing, are agents that cannot be loaded.
    """
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"{quoted(str(folder))} is no folder; accepted: a folder of agents")
    found = []
    for path in sorted(root.iterdir()):
        if path.name.startswith((".", "_")):
            continue
        if path.is_dir():
            found.append(_submission(path))
        elif path.suffix == ".py":
            found.append(path)
    if not found:
        raise InputError(
            f"{quoted(str(folder))} holds no agent; accepted: Python files, or folders with one"
        )
    return tuple(map(str, found))


def _submission(folder: Path) -> Path:
    """The agent's file in a folder, or the folder itself: it then loses, and its row says why."""
    try:
        return main_file(folder)
    except InputError:
        return folder


def class_csv(results: Iterable[Result], measures: Sequence[str]) -> str:
    """The results as CSV, a row each, best first; `failures` says how often and why.

    Best is the highest score where agents are compared by it, else the most wins.
    """
    text = io.StringIO()
    columns = csv_columns(measures)
    writer = csv.DictWriter(text, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for result in sorted(results, key=lambda one: (-one.reached.value, -one.finer, one.agent)):
        values = result.to_json()
        if result.luck is not None:
            values["luck_p"] = f"{result.luck.p_value:.3g}"
        values["failures"] = "; ".join(f"{n} games {reason}" for reason, n in result.failures)
        writer.writerow(
            {
                name: f"{value:.6f}" if isinstance(value, float) else value
                for name, value in values.items()
            }
        )
    return text.getvalue()


def _is_ours(header: str) -> bool:
    """Whether a file's first line is that of such a CSV, whatever the rules were."""
    words = tuple(header.split(","))
    return words[: len(_FIRST)] == _FIRST and words[-len(_LAST) :] == _LAST


def check_csv(path: str | Path) -> None:
    """Refuse a file that `write_csv` would not write, before any game. Raises InputError."""
    place = Path(path)
    try:
        if place.is_file():
            with place.open(encoding="utf-8", errors="replace") as file:
                if not _is_ours(file.readline(_MOST_HEADER).rstrip("\n")):
                    raise InputError(
                        f"{quoted(str(path))} is there and no CSV of agents; accepted: another name"
                    )
        check_writable(place)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def write_csv(path: str | Path, results: Iterable[Result], measures: Sequence[str]) -> None:
    """Write the CSV; over an older one of the same kind, but over no other file."""
    check_csv(path)
    try:
        write_text(path, class_csv(results, measures))
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str | Path, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or "not a path"
    return InputError(f"{quoted(str(path))} cannot be written: {reason}; accepted: a writable file")
