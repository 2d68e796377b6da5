"""A deterministic Hypothesis profile; HYPOTHESIS_PROFILE=thorough searches longer.

Tests marked `needs_core` are left out where the core does not run, those marked `needs_sb3` where
stable-baselines3 is not installed; their numbers are printed.
"""

from __future__ import annotations

import os
import random
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from mineproof import kernel

WITHOUT_CORE = "needs the compiled core"
WITHOUT_SB3 = "needs stable-baselines3"

settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


# A shell in the background hands on an ignored Ctrl-C, nohup an ignored SIGHUP, and every process
# under test inherits it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def same_chance() -> None:
    """Agents of others that draw from Python's own generator draw the same in every run."""
    random.seed(1)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built docs. A warning or a broken link fails whoever asks for it."""
    from tools.docsite.__main__ import build

    folder = tmp_path_factory.mktemp("docs")
    assert build(folder) == []
    return folder / "site"


def _lacking() -> dict[str, str]:
    """Markers of tests that are left out here, with the reason."""
    lacking = {}
    if not kernel.available():
        lacking["needs_core"] = WITHOUT_CORE
    if find_spec("stable_baselines3") is None:
        lacking["needs_sb3"] = WITHOUT_SB3
    return lacking


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for marker, reason in _lacking().items():
        for item in items:
            if item.get_closest_marker(marker) is not None:
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    if not kernel.available():
        lacking = sum(WITHOUT_CORE in why for why in skipped)
        others = len(skipped) - lacking
        terminalreporter.write_line(
            f"without the core: {lacking} tests that need it left out, {others} others"
        )
    if lacking := sum(WITHOUT_SB3 in why for why in skipped):
        terminalreporter.write_line(f"without stable-baselines3: {lacking} tests left out")
