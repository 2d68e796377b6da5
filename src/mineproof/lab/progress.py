"""How a run goes, while it goes: games a second, win rates where they count, time left.

In a terminal it is redrawn in place; elsewhere a line is written now and then. It is a module of
its own because only it needs rich, which a run from Python does not load.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mineproof.lab.experiment import Experiment
from mineproof.lab.runner import Progress
from mineproof.lab.statistics import by_score
from mineproof.text import wilson

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["ConsoleProgress", "Pace", "time_text"]

_MOST_AGENTS = 12
_SHORT_BAR, _LONG_BAR = 10, 40
_WINDOW = 20.0
_LINE_EVERY = 30.0


class Pace:
    """Counts games and says how many are played a second, of late."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._played = 0
        self._seen: deque[tuple[float, int]] = deque([(clock(), 0)])

    def add(self, games: int) -> None:
        self._played += games
        now = self._clock()
        self._seen.append((now, self._played))
        while len(self._seen) > 2 and now - self._seen[1][0] > _WINDOW:
            self._seen.popleft()

    @property
    def rate(self) -> float:
        """Games a second over the last seconds; 0 before the first."""
        began, before = self._seen[0]
        elapsed = self._clock() - began
        return (self._played - before) / elapsed if elapsed > 0 else 0.0


class ConsoleProgress(Progress):
    """Shows a run on a console, meant to be stderr's."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._live: Live | None = None

    def begin(self, experiment: Experiment, executor: str) -> None:
        self._experiment = experiment
        self._executor = executor
        self._played = [0] * len(experiment.agents)
        self._won = [0] * len(experiment.agents)
        self._pace = Pace(self._clock)
        self._line_at = self._clock() + _LINE_EVERY
        if self._console.is_terminal:
            self._live = Live(
                console=self._console,
                get_renderable=self._picture,
                refresh_per_second=4,
                transient=True,
            )
            self._live.start()

    def skipped(self, agent: int, games: int, won: int) -> None:
        self._played[agent] += games
        self._won[agent] += won

    def played(self, agent: int, games: int, won: int) -> None:
        self.skipped(agent, games, won)
        self._pace.add(games)
        if self._live is None and self._clock() >= self._line_at:
            self._line_at = self._clock() + _LINE_EVERY
            self._console.print(self.line, soft_wrap=True, highlight=False, markup=False)

    def end(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    @property
    def line(self) -> str:
        """How far it is, on one line."""
        done, total = sum(self._played), self._experiment.rows
        rate = self._pace.rate
        left = f", {time_text((total - done) / rate)} left" if rate else ""
        speed = f"{rate:,.0f}" if rate >= 1 or not rate else f"{rate:.1g}"
        return f"{done:,} of {total:,} games, {speed} games/s{left} ({self._executor})"

    def _picture(self) -> RenderableType:
        room = min(max(self._console.width - len(self.line) - 1, _SHORT_BAR), _LONG_BAR)
        bar = ProgressBar(total=self._experiment.rows, completed=sum(self._played), width=room)
        head = Table.grid(padding=(0, 1))
        head.add_row(bar, Text(self.line))
        agents = Table.grid(padding=(0, 2))
        names = self._experiment.agents
        scored = by_score(self._experiment.rules)
        counts = zip(names, self._played, self._won, strict=True)
        for name, played, won in islice(counts, _MOST_AGENTS):
            wins = "" if scored else _wins(won, played)
            agents.add_row(Text(name), Text(f"{played:,} played"), Text(wins))
        more = len(names) - _MOST_AGENTS
        lines: list[RenderableType] = [head, agents]
        if more > 0:
            lines.append(Text(f"and {more} other agents"))
        return Group(*lines)


def _wins(won: int, played: int) -> str:
    interval = wilson(won, played)
    rate = f"{100 * won / played:.1f} %" if played else ""
    return f"{rate} won ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


def time_text(seconds: float) -> str:
    """A time for people: `42 s`, `3 min 05 s`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
