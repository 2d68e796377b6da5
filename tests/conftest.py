"""A deterministic Hypothesis profile; HYPOTHESIS_PROFILE=thorough searches longer.

Tests marked `needs_core` are left out where the core does not run, those marked `needs_sb3` where
stable-baselines3 is not installed; their numbers are printed. `--again` is for a run that follows
one with the compiled core: it leaves out the tests of `once.toml`, which do not touch the engine.
"""

from __future__ import annotations

import os
import random
import signal
import tomllib
from collections.abc import Generator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from mineproof import kernel

WITHOUT_CORE = "needs the compiled core"
WITHOUT_SB3 = "needs stable-baselines3"
RUNS_ONCE = "runs once, with the core"
ONCE = Path(__file__).with_name("once.toml")

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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--again", action="store_true", help=f"leave out what {ONCE.name} lists")


def _is_listed(item: pytest.Item, entries: list[str]) -> bool:
    """Whether an entry is the test, its function or its file."""
    file = item.nodeid.partition("::")[0]
    return not {item.nodeid, item.nodeid.partition("[")[0], file}.isdisjoint(entries)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A listed test that asks for the core does not belong on the list: it fails."""

    def refuse() -> bool:
        pytest.fail(f"{item.nodeid} uses the engine: take it off tests/{ONCE.name}")

    if not _is_listed(item, _once()["engine-free"]):
        return (yield)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "available", refuse)
        return (yield)


@cache
def _once() -> dict[str, list[str]]:
    return tomllib.loads(ONCE.read_text(encoding="utf-8"))


def _lacking() -> dict[str, str]:
    """Markers of tests that are left out here, with the reason."""
    lacking = {}
    if not kernel.available():
        lacking["needs_core"] = WITHOUT_CORE
    if find_spec("stable_baselines3") is None:
        lacking["needs_sb3"] = WITHOUT_SB3
    return lacking


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--again"):
        listed = [entry for entries in _once().values() for entry in entries]
        for item in items:
            if _is_listed(item, listed):
                item.add_marker(pytest.mark.skip(reason=RUNS_ONCE))
    for marker, reason in _lacking().items():
        for item in items:
            if item.get_closest_marker(marker) is not None:
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    if again := sum(RUNS_ONCE in why for why in skipped):
        terminalreporter.write_line(f"run once, with the core: {again} tests left out here")
    if not kernel.available():
        lacking = sum(WITHOUT_CORE in why for why in skipped)
        others = len(skipped) - lacking - again
        terminalreporter.write_line(
            f"without the core: {lacking} tests that need it left out, {others} others"
        )
    if lacking := sum(WITHOUT_SB3 in why for why in skipped):
        terminalreporter.write_line(f"without stable-baselines3: {lacking} tests left out")
