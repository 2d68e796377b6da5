"""A deterministic Hypothesis profile; HYPOTHESIS_PROFILE=thorough searches longer.

Tests marked `needs_core` are left out where the core does not run, and their number is printed.
"""

from __future__ import annotations

import os
import random
import signal

import pytest
from hypothesis import HealthCheck, settings

from mineproof import kernel

WITHOUT_CORE = "needs the compiled core"

settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


# A shell in the background hands on an ignored Ctrl-C, and every process under test inherits it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def same_chance() -> None:
    """Agents of others that draw from Python's own generator draw the same in every run."""
    random.seed(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if kernel.available():
        return
    for item in items:
        if item.get_closest_marker("needs_core") is not None:
            item.add_marker(pytest.mark.skip(reason=WITHOUT_CORE))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if kernel.available():
        return
    skipped = terminalreporter.stats.get("skipped", [])
    lacking = sum(WITHOUT_CORE in str(report.longrepr) for report in skipped)
    terminalreporter.write_line(
        f"without the core: {lacking} tests that need it left out, {len(skipped) - lacking} others"
    )
