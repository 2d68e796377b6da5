"""How `mineproof play` shows a game on the console, and how it asks there.

A `GameDisplay` follows a game: only its end, a line a move, or the board redrawn in place. A
`Human` is asked for every move; with `--step` an agent waits for Enter before each of its own.
"""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from mineproof.agents.agent import Action, Agent, Decision, Guessed, Proved, Unstated
from mineproof.board.layout import check_room
from mineproof.board.topology import Topology, folded_names, parse_coordinates
from mineproof.cli.console import print_foreign, print_paragraphs
from mineproof.cli.options import OutputFile
from mineproof.cli.terminal import Shade, board_text, shades_of, symbols_for
from mineproof.errors import IllegalMove, InputError, quoted
from mineproof.game.annotate import AgentWrapper, statements_of
from mineproof.game.narration import (
    LEFT,
    UNFOUNDED,
    MoveKind,
    choice_text,
    counts_text,
    kinds_text,
    move_text,
    opened_text,
    outcome_text,
    reason_text,
    steps_by_kind,
    unsound_text,
)
from mineproof.game.referee import Outcome, Referee
from mineproof.rules import Mines, Rules
from mineproof.sandbox.wire import MARK, OutputCapture
from mineproof.text import many
from mineproof.view.channels import Mark
from mineproof.view.view import View

_LINES_BESIDE_THE_BOARD = 6
_MOST_NAMED = 6_000  # the most characters of a line that names cells: a cascade may open a million


def fits(console: Console, topology: Topology) -> bool:
    """Whether a board can be redrawn in place: all of it must be on the screen."""
    # A board of millions of cells is not drawn just to be measured.
    if len(topology) > console.width * console.height:
        return False
    empty = View(topology, Rules(Mines.number(0)))
    lines = board_text(empty, width=console.width).plain.split("\n")
    high = len(lines) + _LINES_BESIDE_THE_BOARD <= console.height
    return high and max(map(len, lines)) <= console.width


class GameDisplay:
    """Follows a game as its watcher and shows its end; the base class of all displays.

    `mines_as` draws flags and mines as another character. `cascades` names every cell that a
    cascade opened and what it shows; a display that draws the board next does not need it.
    """

    cascades = True

    def __init__(self, console: Console, title: str, mines_as: str | None = None) -> None:
        self.console, self.title = console, title
        self.symbols = symbols_for(console)
        if mines_as is not None:
            self.symbols = replace(self.symbols, flag=mines_as, mine=mines_as)
        self.moves: list[Decision] = []
        """The moves so far."""
        self.before: View | None = None
        self.proofs: Mapping[int, object] = {}
        """The proofs of moves by their number, printed under them."""
        self.unsound: Mapping[int, float] = {}
        """The moves called proved that are not certain, each with the chance that it is false."""
        self.unfounded: Collection[int] = ()
        """The moves that are certain, but not by the clues they name."""
        self.listener: OutputCapture | None = None
        """What hears a user's agent print."""
        self.lines_told = 0
        """Lines of words so far, as a terminal breaks them."""
        self.known_mines: Callable[[], Collection[int]] | None = None
        """Which cells the agent has proved to be mines: drawn on every board before the end."""

    def __call__(self, referee: Referee, decision: Decision | None) -> None:
        """Watch the game: see `play`."""
        if decision is not None:
            self.moves.append(decision)
            self.tell_printed()
        self.show_move(referee, decision)
        self.before = referee.view

    def show_move(self, referee: Referee, decision: Decision | None) -> None:
        """Show a move; None stands for the start of the game."""
        raise NotImplementedError

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
        """The board; with the mines where the game is over, before it those that are proved."""
        labels: dict[int, str] = {}
        if self.known_mines is not None and (over is None or not over.over):
            proved = filter(view.is_hidden, self.known_mines())
            labels = {cell: self.symbols.mine for cell in proved if not view.is_flagged(cell)}
        return board_text(
            view,
            highlight=highlight,
            truth=None if over is None else over.layout,
            symbols=self.symbols,
            width=self.console.width,
            labels=labels,
        )

    def screen(self, referee: Referee, decision: Decision | None, *lines: Text) -> Group:
        """The whole picture after a move: title, board, what is known, and lines under it."""
        return Group(
            Text(self.title, style="bold", no_wrap=True, overflow="ellipsis"),
            self.board(referee, decision),
            Text(counts_text(referee.view), style="dim"),
            *lines,
        )

    def story(self, referee: Referee, decision: Decision) -> str:
        """One line for a move: its number, what it did and why; below it its proof, if any."""
        before = self.before or referee.view
        text = f"{len(self.moves)}. {move_text(decision, before, referee.view)}"
        reason = reason_text(decision, before)
        if reason:
            text += f" - {reason}"
        if (number := len(self.moves)) in self.unsound:
            text += f"\n   {unsound_text(decision, self.unsound[number])}"
        if number in self.unfounded:
            text += f"\n   {UNFOUNDED}"
        proof = self.proofs.get(number)
        if proof is not None:
            text += "".join(f"\n   {line}" for line in str(proof).split("\n"))
        return text

    def tell_printed(self) -> None:
        """Show what the agent printed meanwhile."""
        if self.listener is not None:
            print_foreign(self.console, self.listener.news().marked_lines, MARK)

    def end(self, referee: Referee, last: Decision | None, outcome: Outcome) -> None:
        """Show the final board and the outcome."""
        self.print(self.board(referee, last))
        self.tell_outcome(referee, outcome)

    def tell_outcome(self, referee: Referee, outcome: Outcome) -> None:
        line = self.outcome_line(referee, outcome)
        self.console.print(line, soft_wrap=not self.console.is_terminal)

    def outcome_line(self, referee: Referee, outcome: Outcome) -> Text:
        style = "bold #2fc79a" if outcome.won else "bold #ff7f2a"
        guesses = len(steps_by_kind(self.moves)[MoveKind.GUESSED])
        return Text(outcome_text(outcome, len(self.moves), guesses, referee.rules), style)

    def tell_mines(self, referee: Referee) -> None:
        """Say where the mines were, if they were dealt."""
        if referee.layout is not None:
            self.tell(f"mines: {self._cell_names(referee, referee.layout.cells)}")

    def tell_steps(self) -> None:
        """List the steps by kind."""
        for line in kinds_text(steps_by_kind(self.moves), self.unsound):
            self.tell(line)

    def tell_given(self, referee: Referee) -> None:
        """Say which cells were given at the start, and what they show."""
        if referee.given:
            self.tell(f"given: {self._cell_names(referee, referee.given)}")
            if self.cascades:
                self.tell_opened(View(referee.view.topology, referee.view.rules), referee.view)

    def tell_opened(self, before: View, after: View) -> None:
        """Say which cells were opened, and what they show."""
        self.tell(f"   opened: {_cut(opened_text(before, after))}")

    def _cell_names(self, referee: Referee, cells: Iterable[int]) -> str:
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


class QuietDisplay(GameDisplay):
    """Only the end."""

    def tell_printed(self) -> None:
        pass

    def show_move(self, referee: Referee, decision: Decision | None) -> None:
        pass


class LineDisplay(GameDisplay):
    """A line for every move, then the final board."""

    def show_move(self, referee: Referee, decision: Decision | None) -> None:
        if decision is None:
            self.tell(self.title)
            if self.known_mines is not None:
                self.tell(f"{self.symbols.mine} is a cell that is proved to be a mine")
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


class BoardDisplay(LineDisplay):
    """A line and the board for every move: every action and every view."""

    def show_move(self, referee: Referee, decision: Decision | None) -> None:
        super().show_move(referee, decision)
        if not referee.over:  # the end is drawn with the mines
            self.print(self.board(referee, decision))
            self.print("")


class LiveDisplay(GameDisplay):
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
        # Redrawn after each move, without the thread in which rich would refresh it.
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")

    def __enter__(self) -> LiveDisplay:
        self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.__exit__(None, None, None)

    def tell_printed(self) -> None:
        """Show it above the board, with its step: the line of the move is not there to tell."""
        if self.listener is not None and self.listener.has_news:
            lines = (f"step {self.listener.step}:", *self.listener.news().marked_lines)
            print_foreign(self.console, lines, MARK)

    def show_move(self, referee: Referee, decision: Decision | None) -> None:
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


# -- `--agent human`: a player at the terminal. It belongs to this surface, not to the catalog --

HELP = """\
o 3,4   open a cell (so does 3,4 alone)
f 3,4   flag a cell, or take its flag off
c 3,4   chord: open the neighbours of a clue that has all its flags
help    this list
quit    leave the game"""

_WHO = Unstated("human")


class Human:
    """Shows the board and asks for a legal move; the end of the input leaves the game."""

    def __init__(self, display: GameDisplay, ask: Callable[[str], str]) -> None:
        self._display, self._ask = display, ask

    def act(self, view: View) -> Decision:
        display = self._display
        display.print("")
        display.print(display.draw(view))
        display.print(counts_text(view))
        while True:
            try:
                words = self._ask("move (help lists them): ").split()
            except EOFError:
                words = ["quit"]
            if words in (["quit"], ["q"]):
                return Decision.stop(LEFT)
            if words in (["help"], ["h"], ["?"], []):
                display.print(HELP)
                continue
            try:
                return _decision(words, view)
            except (InputError, IllegalMove) as error:
                display.print(str(error))


def _decision(words: list[str], view: View) -> Decision:
    if len(words) == 1 and words[0][:1].isdigit():
        words = ["o", *words]
    if len(words) != 2 or words[0] not in ("o", "f", "c"):
        raise InputError(f"{quoted(' '.join(words))} is not a command; `help` lists them")
    cell = view.topology.cell(parse_coordinates(words[1]))
    if words[0] == "o":
        return _open(cell, view)
    if words[0] == "c":
        return _chord(cell, view)
    if view.is_open(cell):
        raise IllegalMove(f"{words[1]} is open already")
    return Decision(Action.UNFLAG if view.is_flagged(cell) else Action.FLAG, cell, _WHO)


def _open(cell: int, view: View) -> Decision:
    name = view.topology.cell_name(cell)
    if view.is_open(cell):
        raise IllegalMove(f"{name} is open already")
    if view.is_flagged(cell):
        raise IllegalMove(f"{name} is flagged; `f {name}` takes the flag off")
    if not view.opened_count:
        check_room(view.topology, view.rules, (cell,))
    return Decision.open(cell, _WHO)


def _chord(cell: int, view: View) -> Decision:
    name = view.topology.cell_name(cell)
    clue = view.clue(cell)
    if clue is None:
        raise IllegalMove(f"{name} shows no number to chord on")
    near = view.topology.neighbours(cell)
    marked = sum(view.is_flagged(other) or view[other] is Mark.MINE for other in near)
    if marked != clue:
        raise IllegalMove(f"{name} shows {clue} and has {marked} flags around it")
    return Decision(Action.CHORD, cell, _WHO)


def make_prompt(console: Console) -> Callable[[str], str]:
    """Ask on the console and read a line; EOFError at the end of the input."""

    def ask(prompt: str) -> str:
        console.print(prompt, end="", soft_wrap=True)
        console.file.flush()
        try:
            answer = input()
        except (EOFError, KeyboardInterrupt):
            console.print()
            raise
        if not sys.stdin.isatty():
            console.print()  # no Enter ended the line of the prompt
        return answer

    return ask


# ----------------------------------------------------------------------------
# `--step`: the agent's next move, its knowledge and its reason, then Enter, then the move.
#
# On a terminal all of it fits the screen: the statements that are new in this round come first,
# then as many others as there is room for.

_MOST_LINES = 24
_LINES_AROUND = 4  # an empty line, the heading, the prompt, and one to spare
_LEAST_LINES = 4
_KNOWN_LINES = 2  # how many lines the known safe cells and the known mines take each
_PROMPT = "Enter makes the move, k shows all knowledge, s saves it, q leaves: "


class StepAgent(AgentWrapper):
    """An agent that shows what it is about to do and waits; q or the end of the input leaves."""

    def __init__(self, agent: Agent, display: GameDisplay, ask: Callable[[str], str]) -> None:
        super().__init__(agent)
        self._display, self._ask = display, ask
        self._told: set[str] = set()
        """The statements that the agent knew in the round before."""

    def annotate(self, view: View, decision: Decision) -> Decision:
        statements, known = statements_of(self.knowledge(view))
        self._tell(view, decision, statements, known)
        self._told = set(statements)
        while True:
            try:
                answer = self._ask(_PROMPT).strip().lower()
            except EOFError:
                answer = "q"
            if answer == "k":
                lines = [*statements, *known]
                what = "knowledge:" if lines else "the agent tells nothing of what it knows"
                for line in (what, *(f"  {line}" for line in lines)):
                    self._display.print(line)
            elif answer == "s":
                self._save(view)
            else:
                return Decision.stop(LEFT) if answer in ("q", "quit") else decision

    def _tell(
        self, view: View, decision: Decision, statements: list[str], known: list[str]
    ) -> None:
        display = self._display
        reason = decision.reason
        premises = reason.premises.clues if isinstance(reason, Proved) else ()
        choice = reason.cells if isinstance(reason, Guessed) else ()
        board = display.draw(view, shades_of(decision.cell, premises, choice))
        next_lines = self._next(view, decision)
        display.print("")
        display.print(board)
        room = _MOST_LINES
        if display.console.is_terminal:
            wrapped = sum(len(self._wrap(line)) for line in next_lines)
            taken = display.lines_told + board.plain.count("\n") + 1 + wrapped + _LINES_AROUND
            room = max(display.console.height - taken, _LEAST_LINES)
        self._tell_knowledge(statements, known, room)
        display.tell_printed()
        for line in next_lines:
            display.tell(line)
        display.lines_told = 0

    def _next(self, view: View, decision: Decision) -> list[str]:
        action = decision.action.value
        if decision.cell is not None:
            action += f" {view.topology.cell_name(decision.cell)}"
        why, reason = reason_text(decision, view), decision.reason
        lines = [f"next: {action}" + (f" - {why}" if why else "")]
        number = len(self._display.moves) + 1
        if number in self._display.unsound:
            lines.append(f"  {unsound_text(decision, self._display.unsound[number])}")
        if number in self._display.unfounded:
            lines.append(f"  {UNFOUNDED}")
        if isinstance(reason, Guessed) and reason.cells:
            lines.append(f"  from {{{choice_text(reason, view.topology)}}}")
        return lines

    def _tell_knowledge(self, statements: list[str], known: list[str], room: int) -> None:
        """Show what the agent knows in so many lines: all of it, or what is new."""
        if not statements and not known:
            return
        new = [one for one in statements if one not in self._told]
        heading = f"knowledge: {many(len(statements), 'statement')}, {len(new)} new"
        listed = [line for one in known for line in self._shorten(one)]
        room = max(room - len(listed), _LEAST_LINES)
        marked = [f"{'+' if one not in self._told else ' '} {one}" for one in statements]
        if not self._fit(marked, room):
            marked = [f"+ {one}" for one in new]
            heading += " (k shows all)"
        self._display.print(heading + (":" if marked else ""))
        if not self._fit(marked, room):
            marked = self._pack(new, room)
        for line in marked:
            first, *more = self._wrap(line) if self._display.console.is_terminal else [line]
            self._display.print(f" {first}")
            for rest in more:
                self._display.print(f"   {rest}")
        for line in listed:
            self._display.print(f"  {line}")

    def _fit(self, lines: list[str], room: int) -> bool:
        if not self._display.console.is_terminal:
            return len(lines) <= room
        return sum(len(self._wrap(line)) for line in lines) <= room

    def _pack(self, statements: list[str], room: int) -> list[str]:
        """Statements side by side, and how many there was no room for."""
        width = self._display.console.width - 4 if self._display.console.is_terminal else 0
        lines: list[str] = []
        for number, one in enumerate(statements):
            if lines and len(lines[-1]) + len(one) + 3 <= width:
                lines[-1] += f" ; {one}"
            elif len(lines) + 1 < room:
                lines.append(f"+ {one}"[: width or None])
            else:
                return [*lines, f"and {len(statements) - number} more"]
        return lines

    def _shorten(self, line: str) -> list[str]:
        """A list of known cells on a few lines of a terminal; whole elsewhere."""
        if not self._display.console.is_terminal:
            return [line]
        lines = self._wrap(line)
        if len(lines) <= _KNOWN_LINES:
            return lines
        left = sum(len(more.split()) for more in lines[_KNOWN_LINES:])
        kept = lines[:_KNOWN_LINES]
        kept[-1] = kept[-1][: self._display.console.width - 20].rpartition(" ")[0]
        left += len(lines[_KNOWN_LINES - 1].split()) - len(kept[-1].split())
        kept[-1] += f" and {left} more"
        return kept

    def _wrap(self, line: str) -> list[str]:
        width = max(self._display.console.width - 4, 20)
        wrapped = textwrap.wrap(line, width, break_on_hyphens=False, drop_whitespace=False)
        return [wrapped[0].rstrip(), *(part.strip() for part in wrapped[1:])] if wrapped else [line]

    def _save(self, view: View) -> None:
        """Write the position to a new file, and say which command solves it."""
        steps = len(self._display.moves)
        names = (f"position-{steps}{more}.txt" for more in ("", *(f"-{n}" for n in range(2, 100))))
        file = next((name for name in names if not Path(name).exists()), None)
        try:
            if file is None:
                raise InputError(f"position-{steps}.txt to position-{steps}-99.txt are all there")
            OutputFile("s", file).write(view.text)
        except InputError as error:
            self._display.tell(f"not saved: {error}")
            return
        self._display.tell(
            f"saved the position after {many(steps, 'step')} in {file}; to solve it:"
        )
        self._display.tell(f"mineproof solve {file}")
