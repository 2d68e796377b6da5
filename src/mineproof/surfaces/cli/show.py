"""How `play` shows a game: live in a terminal, as lines elsewhere, or only its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from mineproof.agents.decision import Decision, Guessed, Proved
from mineproof.board.topology import Topology
from mineproof.match.narration import move_text, outcome_text, reason_text, told_text
from mineproof.match.outcome import Outcome
from mineproof.match.referee import Referee
from mineproof.rules import Mines, Rules
from mineproof.surfaces.cli.console import writes_unicode
from mineproof.surfaces.cli.terminal import ASCII, UNICODE, Shade, board_text
from mineproof.view.view import View

__all__ = ["LinesShow", "LiveShow", "QuietShow", "Show", "fits"]

_LINES_BESIDE_THE_BOARD = 6


def fits(console: Console, topology: Topology) -> bool:
    """Whether a board can be redrawn in place: all of it must be on the screen."""
    if len(topology) > console.width * console.height:
        return False
    empty = View(topology, Rules(Mines.number(0)))
    lines = board_text(empty, width=console.width).plain.split("\n")
    high = len(lines) + _LINES_BESIDE_THE_BOARD <= console.height
    return high and max(map(len, lines)) <= console.width


class Show:
    """Follows a game as its watcher and shows the end; the base of the three ways to show one."""

    def __init__(self, console: Console, title: str) -> None:
        self.console, self.title = console, title
        self.symbols = UNICODE if writes_unicode(console) else ASCII
        self.steps = self.guesses = 0
        self.before: View | None = None
        self.proofs: Mapping[int, object] = {}
        """The proofs of moves by their number, printed under them."""

    def __call__(self, referee: Referee, decision: Decision | None) -> None:
        """The watcher of `match.play`."""
        if decision is not None:
            self.steps += 1
            self.guesses += isinstance(decision.reason, Guessed)
        self.moved(referee, decision)
        self.before = referee.view

    def moved(self, referee: Referee, decision: Decision | None) -> None:
        """Show a move; None stands for the start of the game."""
        raise AssertionError("every way to show a game says how")

    def board(self, referee: Referee, decision: Decision | None) -> Text:
        """The board after a move, with the move and its premises highlighted."""
        highlight: dict[int, Shade] = {}
        if decision is not None and decision.cell is not None:
            if isinstance(decision.reason, Proved):
                highlight = dict.fromkeys(decision.reason.premises.clues, Shade.PREMISE)
            highlight[decision.cell] = Shade.MOVE
        return self.draw(referee.view, highlight, referee)

    def draw(
        self, view: View, highlight: dict[int, Shade] | None = None, over: Referee | None = None
    ) -> Text:
        """The board; with the mines where the game is over."""
        return board_text(
            view,
            highlight=highlight,
            truth=None if over is None else over.layout,
            symbols=self.symbols,
            width=self.console.width,
        )

    def screen(self, referee: Referee, decision: Decision | None, *lines: Text) -> Group:
        """The whole picture after a move: title, board, what is known, and lines under it."""
        return Group(
            Text(self.title, style="bold", no_wrap=True, overflow="ellipsis"),
            self.board(referee, decision),
            Text(told_text(referee.view), style="dim"),
            *lines,
        )

    def story(self, referee: Referee, decision: Decision) -> str:
        """One line for a move: its number, what it did and why; below it its proof, if any."""
        before = self.before or referee.view
        text = f"{self.steps}. {move_text(decision, before, referee.view)}"
        reason = reason_text(decision, before)
        if reason:
            text += f" - {reason}"
        proof = self.proofs.get(self.steps)
        if proof is not None:
            text += "".join(f"\n   {line}" for line in str(proof).split("\n"))
        return text

    def end(self, referee: Referee, last: Decision | None, outcome: Outcome) -> None:
        """Show the final board and the outcome."""
        self.print(self.board(referee, last))
        self.print(self.outcome_line(outcome))

    def outcome_line(self, outcome: Outcome) -> Text:
        style = "bold #2fc79a" if outcome.won else "bold #ff7f2a"
        return Text(outcome_text(outcome, self.steps, self.guesses), style)

    def print(self, text: Text | str) -> None:
        """Print without wrapping lines that are longer than the terminal."""
        self.console.print(text, soft_wrap=True)


class QuietShow(Show):
    """Only the end."""

    def moved(self, referee: Referee, decision: Decision | None) -> None:
        pass


class LinesShow(Show):
    """A line for every move, then the final board."""

    def moved(self, referee: Referee, decision: Decision | None) -> None:
        self.print(self.title if decision is None else self.story(referee, decision))


class LiveShow(Show):
    """The board in place, redrawn after every move; a context manager.

    `pause` is called after every drawn move, so that the eye can follow.
    """

    def __init__(
        self,
        console: Console,
        title: str,
        delay: float,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(console, title)
        self._delay, self._pause = delay, pause
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")

    def __enter__(self) -> LiveShow:
        self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.__exit__(None, None, None)

    def moved(self, referee: Referee, decision: Decision | None) -> None:
        self._story = Text("" if decision is None else self.story(referee, decision))
        self._live.update(self.screen(referee, decision, self._story), refresh=True)
        if self._delay:
            self._pause(self._delay)

    def end(self, referee: Referee, last: Decision | None, outcome: Outcome) -> None:
        lines = (self._story, self.outcome_line(outcome))
        self._live.update(self.screen(referee, last, *lines), refresh=True)
