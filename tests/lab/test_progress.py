"""What a run shows while it goes."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from mineproof.lab.experiment import Experiment
from mineproof.lab.progress import Pace, ShownProgress, time_text


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


EXPERIMENT = Experiment.of(["random", "single-point"], boards=["beginner"], games=500)


def test_a_terminal_sees_rates_intervals_and_the_time_left() -> None:
    clock, screen = Clock(), io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120, color_system=None)
    progress = ShownProgress(console, clock)
    progress.begin(EXPERIMENT, "2 processes")
    progress.skipped(0, 100, 0)
    clock.now = 10
    progress.played(1, 300, 210)
    assert progress.line == "400 of 1,000 games, 30 games/s, 20 s left (2 processes)"
    progress.end()
    shown = screen.getvalue()
    assert "single-point" in shown
    assert "70.0 % won (64.6 to 74.9)" in shown


def test_wins_are_not_shown_where_scores_count() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120, color_system=None)
    progress = ShownProgress(console, Clock())
    progress.begin(Experiment.of(["random"], boards=["5x5/4"], on_mine="continue"), "1 process")
    progress.played(0, 30, 20)
    progress.end()
    assert "30 played" in screen.getvalue()
    assert "won" not in screen.getvalue()


def test_the_line_beside_the_bar_is_not_broken_at_80_columns() -> None:
    clock, screen = Clock(), io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, color_system=None)
    progress = ShownProgress(console, clock)
    progress.begin(EXPERIMENT, "2 processes")
    clock.now = 40
    progress.played(1, 100, 70)
    progress.end()
    assert "100 of 1,000 games, 2 games/s, 6 min 00 s left (2 processes)" in screen.getvalue()


def test_a_file_gets_a_line_now_and_then() -> None:
    clock, lines = Clock(), io.StringIO()
    progress = ShownProgress(Console(file=lines, width=120), clock)
    progress.begin(EXPERIMENT, "1 process")
    for _ in range(100):
        clock.now += 1
        progress.played(0, 1, 0)
    progress.end()
    assert len(lines.getvalue().splitlines()) == 3
    assert "30 of 1,000 games, 1 games/s" in lines.getvalue()


def test_a_slow_pace_is_not_called_none() -> None:
    clock, lines = Clock(), io.StringIO()
    progress = ShownProgress(Console(file=lines, width=120), clock)
    progress.begin(EXPERIMENT, "1 process")
    clock.now += 50
    progress.played(0, 4, 0)
    progress.end()
    assert "4 of 1,000 games, 0.08 games/s" in lines.getvalue()


def test_the_pace_is_that_of_late() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert pace.rate == 0
    for second in range(100):
        clock.now += 1
        pace.add(1000 if second < 50 else 10)
    assert pace.rate == pytest.approx(10)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (185, "3 min 05 s"), (7800, "2 h 10 min")]
)
def test_times_for_people(seconds: float, text: str) -> None:
    assert time_text(seconds) == text
