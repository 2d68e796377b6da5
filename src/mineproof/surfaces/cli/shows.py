"""How `play` shows a game: live in a terminal, as lines elsewhere, or only its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from mineproof.agents.decision import Decision, Proved
from mineproof.board.cell_names import folded_names
from mineproof.board.topology import Topology
from mineproof.match.narration import (
    move_text,
    opened_text,
    outcome_text,
    reason_text,
    told_text,
    unsound_text,
)
from mineproof.match.outcome import Outcome
from mineproof.match.printed import MARK, Listener
from mineproof.match.referee import Referee
from mineproof.match.step_kinds import MoveKind, kinds_text, steps_by_kind
from mineproof.rules import Mines, Rules
from mineproof.surfaces.cli.console import print_foreign, print_paragraphs, writes_unicode
from mineproof.surfaces.cli.terminal import ASCII, UNICODE, Shade, board_text, shades_of
from mineproof.view.view import View

__all__ = ["BoardsShow", "LinesShow", "LiveShow", "QuietShow", "Show", "fits"]

_LINES_BESIDE_THE_BOARD = 6
_MOST_NAMED = 6_000
"""The most characters of a line that names cells: a cascade may open a million."""


def fits(console: Console, topology: Topology) -> bool:
    """Whether a board can be redrawn in place: all of it must be on the screen."""
    if len(topology) > console.width * console.height:
        return False
    empty = View(topology, Rules(Mines.number(0)))
    lines = board_text(empty, width=console.width).plain.split("\n")
    high = len(lines) + _LINES_BESIDE_THE_BOARD <= console.height
    return high and max(map(len, lines)) <= console.width


class Show:
    """Follows a game as its watcher and shows the end; the base of the ways to show one.

    `mines_as` draws flags and mines as another character. `cascades` names every cell that was
    opened and what it shows; a show that draws the board next needs none of that.
    """

    cascades = True

    def __init__(self, console: Console, title: str, mines_as: str | None = None) -> None:
        self.console, self.title = console, title
        self.symbols = UNICODE if writes_unicode(console) else ASCII
        if mines_as is not None:
            self.symbols = replace(self.symbols, flag=mines_as, mine=mines_as)
        self.made: list[Decision] = []
        """The moves so far."""
        self.before: View | None = None
        self.proofs: Mapping[int, object] = {}
        """The proofs of moves by their number, printed under them."""
        self.unsound: Mapping[int, float] = {}
        """The moves called proved that are not certain, each with the chance that it is false."""
        self.listener: Listener | None = None
        """What hears a user's agent print."""
        self.lines_told = 0
        """Lines of words so far, as a terminal breaks them."""

    def __call__(self, referee: Referee, decision: Decision | None) -> None:
        """The watcher of `match.play`."""
        if decision is not None:
            self.made.append(decision)
            self.tell_printed()
        self.moved(referee, decision)
        self.before = referee.view

    def moved(self, referee: Referee, decision: Decision | None) -> None:
        """Show a move; None stands for the start of the game."""
        raise AssertionError("every way to show a game says how")

    def board(self, referee: Referee, decision: Decision | None) -> Text:
        """The board after a move, with the move and its premises highlighted."""
        if decision is None:
            return self.draw(referee.view, over=referee)
        reason = decision.reason
        premises = reason.premises.clues if isinstance(reason, Proved) else ()
        return self.draw(referee.view, shades_of(decision.cell, premises), referee)

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
        text = f"{len(self.made)}. {move_text(decision, before, referee.view)}"
        reason = reason_text(decision, before)
        if reason:
            text += f" - {reason}"
        if (number := len(self.made)) in self.unsound:
            text += f"\n   {unsound_text(decision, self.unsound[number])}"
        proof = self.proofs.get(number)
        if proof is not None:
            text += "".join(f"\n   {line}" for line in str(proof).split("\n"))
        return text

    def tell_printed(self) -> None:
        """Show what the agent printed meanwhile."""
        if self.listener is not None:
            print_foreign(self.console, self.listener.news().marked, MARK)

    def end(self, referee: Referee, last: Decision | None, outcome: Outcome) -> None:
        """Show the final board and the outcome."""
        self.print(self.board(referee, last))
        self.tell_outcome(referee, outcome)

    def tell_outcome(self, referee: Referee, outcome: Outcome) -> None:
        line = self.outcome_line(referee, outcome)
        self.console.print(line, soft_wrap=not self.console.is_terminal)

    def outcome_line(self, referee: Referee, outcome: Outcome) -> Text:
        style = "bold #2fc79a" if outcome.won else "bold #ff7f2a"
        guesses = len(steps_by_kind(self.made)[MoveKind.GUESSED])
        return Text(outcome_text(outcome, len(self.made), guesses, referee.rules), style)

    def tell_mines(self, referee: Referee) -> None:
        """Say where the mines were, if they were dealt."""
        if referee.layout is not None:
            self.tell(f"mines: {self._named(referee, referee.layout.cells)}")

    def tell_steps(self) -> None:
        """List the steps by kind."""
        for line in kinds_text(steps_by_kind(self.made), self.unsound):
            self.tell(line)

    def tell_given(self, referee: Referee) -> None:
        """Say which cells were given at the start, and what they show."""
        if referee.given:
            self.tell(f"given: {self._named(referee, referee.given)}")
            if self.cascades:
                self.tell_opened(View(referee.view.topology, referee.view.rules), referee.view)

    def tell_opened(self, before: View, after: View) -> None:
        """Say which cells were opened, and what they show."""
        self.tell(f"   opened: {_cut(opened_text(before, after))}")

    def _named(self, referee: Referee, cells: Iterable[int]) -> str:
        return _cut(" ".join(folded_names(referee.view.topology, cells)) or "none")

    def tell(self, text: str) -> None:
        """Print words, broken between them where they are longer than the terminal."""
        self.lines_told += sum(
            1 + len(line) // self.console.width for line in text.splitlines() or [""]
        )
        print_paragraphs(self.console, text)

    def print(self, text: Text | str) -> None:
        """Print without wrapping lines that are longer than the terminal."""
        self.console.print(text, soft_wrap=True)


class QuietShow(Show):
    """Only the end."""

    def tell_printed(self) -> None:
        pass

    def moved(self, referee: Referee, decision: Decision | None) -> None:
        pass


class LinesShow(Show):
    """A line for every move, then the final board."""

    def moved(self, referee: Referee, decision: Decision | None) -> None:
        if decision is None:
            self.tell(self.title)
            self.tell_given(referee)
            return
        self.tell(self.story(referee, decision))
        before = self.before or referee.view
        if self.cascades and referee.view.opened_count - before.opened_count > 1:
            self.tell_opened(before, referee.view)

    def end(self, referee: Referee, last: Decision | None, outcome: Outcome) -> None:
        self.print(self.board(referee, last))
        self.tell_mines(referee)
        self.tell_steps()
        self.tell_outcome(referee, outcome)


class BoardsShow(LinesShow):
    """A line and the board for every move: every action and every view."""

    def moved(self, referee: Referee, decision: Decision | None) -> None:
        super().moved(referee, decision)
        if not referee.over:  # the end is drawn with the mines
            self.print(self.board(referee, decision))
            self.print("")


class LiveShow(Show):
    """The board in place, redrawn after every move; a context manager.

    `pause` is called after every drawn move, so that the eye can follow. The board shows what the
    given cells opened: only their names are told, above it.
    """

    cascades = False

    def __init__(
        self,
        console: Console,
        title: str,
        delay: float,
        pause: Callable[[float], None] = time.sleep,
        mines_as: str | None = None,
    ) -> None:
        super().__init__(console, title, mines_as)
        self._delay, self._pause = delay, pause
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")

    def __enter__(self) -> LiveShow:
        self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.__exit__(None, None, None)

    def tell_printed(self) -> None:
        """Show it above the board, with its step: the line of the move is not there to tell."""
        if self.listener is not None and self.listener.has_news:
            lines = (f"step {self.listener.step}:", *self.listener.news().marked)
            print_foreign(self.console, lines, MARK)

    def moved(self, referee: Referee, decision: Decision | None) -> None:
        if decision is None:
            self.tell_given(referee)
        self._story = Text("" if decision is None else self.story(referee, decision))
        self._live.update(self.screen(referee, decision, self._story), refresh=True)
        if self._delay:
            self._pause(self._delay)

    def end(self, referee: Referee, last: Decision | None, outcome: Outcome) -> None:
        lines = (self._story, self.outcome_line(referee, outcome))
        self._live.update(self.screen(referee, last, *lines), refresh=True)


def _cut(text: str) -> str:
    """A line of names, cut where it is too long to be read."""
    if len(text) <= _MOST_NAMED:
        return text
    return text[:_MOST_NAMED].rpartition(" ")[0] + " ... and more"
