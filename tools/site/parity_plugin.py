"""pytest in Pyodide: leaves out what is listed with a reason, and says so."""

from __future__ import annotations

import tomllib
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

LIST = Path(__file__).with_name("parity_left_out.toml")
_left: Counter[str] = Counter()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take the listed tests out; an entry of a collected file that stands for none is an error."""
    with LIST.open("rb") as file:
        reasons: dict[str, list[str]] = tomllib.load(file)
    kept: list[pytest.Item] = []
    met: set[str] = set()
    for item in items:
        found = next(
            (
                (reason, pattern)
                for reason, patterns in reasons.items()
                for pattern in patterns
                if item.nodeid == pattern
                or item.nodeid.startswith((f"{pattern}::", f"{pattern}["))
                or fnmatchcase(item.nodeid, pattern)
            ),
            None,
        )
        if found is None:
            kept.append(item)
        else:
            _left[found[0]] += 1
            met.add(found[1])
    files = {item.nodeid.partition("::")[0] for item in items}
    stale = [
        pattern
        for patterns in reasons.values()
        for pattern in patterns
        if pattern.partition("::")[0] in files and pattern not in met
    ]
    if stale:
        raise pytest.UsageError(f"{LIST.name} lists what is no test: {', '.join(stale)}")
    items[:] = kept


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reason, number in _left.items():
        terminalreporter.write_line(f"left out: {number} that need {reason}")
