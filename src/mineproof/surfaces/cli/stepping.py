"""`--step`: the agent's next move, its knowledge and its reason, then Enter, then the move.

On a terminal all of it fits the screen: of the knowledge the statements that are new in this round
come first, and as many others as there is room for.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Decision, Guessed, Proved
from mineproof.errors import InputError
from mineproof.match.following import Following
from mineproof.match.knowledge_log import statements_of
from mineproof.match.narration import LEFT, choice_text, many, reason_text, unsound_text
from mineproof.surfaces.cli.outputs import Output
from mineproof.surfaces.cli.shows import Show
from mineproof.surfaces.cli.terminal import shades_of
from mineproof.view.view import View

__all__ = ["Stepping"]

_MOST_LINES = 24
_LINES_AROUND = 4
"""An empty line, the heading, the prompt, and one to spare."""
_LEAST_LINES = 4
_KNOWN_LINES = 2
"""How many lines the known safe cells and the known mines take each."""
_PROMPT = "Enter makes the move, k shows all knowledge, s saves it, q leaves: "


class Stepping(Following):
    """An agent that shows what it is about to do and waits; q or the end of the input leaves."""

    def __init__(self, agent: Agent, show: Show, ask: Callable[[str], str]) -> None:
        super().__init__(agent)
        self._show, self._ask = show, ask
        self._told: set[str] = set()
        """The statements that the agent knew in the round before."""

    def followed(self, view: View, decision: Decision) -> Decision:
        statements, known = statements_of(self.knowledge(view))
        self._tell(view, decision, statements, known)
        self._told = set(statements)
        while True:
            try:
                answer = self._ask(_PROMPT).strip().lower()
            except EOFError:
                answer = "q"
            if answer == "k":
                self._list([*statements, *known])
            elif answer == "s":
                self._save(view)
            else:
                return Decision.stop(LEFT) if answer in ("q", "quit") else decision

    def _tell(
        self, view: View, decision: Decision, statements: list[str], known: list[str]
    ) -> None:
        show = self._show
        reason = decision.reason
        premises = reason.premises.clues if isinstance(reason, Proved) else ()
        choice = reason.cells if isinstance(reason, Guessed) else ()
        board = show.draw(view, shades_of(decision.cell, premises, choice))
        next_lines = self._next(view, decision)
        show.print("")
        show.print(board)
        room = _MOST_LINES
        if show.console.is_terminal:
            wrapped = sum(len(self._wrapped(line)) for line in next_lines)
            taken = show.lines_told + board.plain.count("\n") + 1 + wrapped + _LINES_AROUND
            room = max(show.console.height - taken, _LEAST_LINES)
        self._tell_knowledge(statements, known, room)
        show.tell_printed()
        for line in next_lines:
            show.tell(line)
        show.lines_told = 0

    def _next(self, view: View, decision: Decision) -> list[str]:
        action = decision.action.value
        if decision.cell is not None:
            action += f" {view.topology.cell_name(decision.cell)}"
        why, reason = reason_text(decision, view), decision.reason
        lines = [f"next: {action}" + (f" - {why}" if why else "")]
        number = len(self._show.made) + 1
        if number in self._show.unsound:
            lines.append(f"  {unsound_text(decision, self._show.unsound[number])}")
        if isinstance(reason, Guessed) and reason.cells:
            lines.append(f"  from {{{choice_text(reason, view.topology)}}}")
        return lines

    def _tell_knowledge(self, statements: list[str], known: list[str], room: int) -> None:
        """Show what the agent knows in so many lines: all of it, or what is new."""
        if not statements and not known:
            return
        new = [one for one in statements if one not in self._told]
        heading = f"knowledge: {many(len(statements), 'statement')}, {len(new)} new"
        listed = [line for one in known for line in self._shortened(one)]
        room = max(room - len(listed), _LEAST_LINES)
        marked = [f"{'+' if one not in self._told else ' '} {one}" for one in statements]
        if not self._fit(marked, room):
            marked = [f"+ {one}" for one in new]
            heading += " (k shows all)"
        self._show.print(heading + (":" if marked else ""))
        if not self._fit(marked, room):
            marked = self._packed(new, room)
        for line in marked:
            first, *more = self._wrapped(line) if self._show.console.is_terminal else [line]
            self._show.print(f" {first}")
            for rest in more:
                self._show.print(f"   {rest}")
        for line in listed:
            self._show.print(f"  {line}")

    def _fit(self, lines: list[str], room: int) -> bool:
        if not self._show.console.is_terminal:
            return len(lines) <= room
        return sum(len(self._wrapped(line)) for line in lines) <= room

    def _packed(self, statements: list[str], room: int) -> list[str]:
        """Statements side by side, and how many there was no room for."""
        width = self._show.console.width - 4 if self._show.console.is_terminal else 0
        lines: list[str] = []
        for number, one in enumerate(statements):
            if lines and len(lines[-1]) + len(one) + 3 <= width:
                lines[-1] += f" ; {one}"
            elif len(lines) + 1 < room:
                lines.append(f"+ {one}"[: width or None])
            else:
                return [*lines, f"and {len(statements) - number} more"]
        return lines

    def _shortened(self, line: str) -> list[str]:
        """A list of known cells on a few lines of a terminal; whole elsewhere."""
        if not self._show.console.is_terminal:
            return [line]
        lines = self._wrapped(line)
        if len(lines) <= _KNOWN_LINES:
            return lines
        left = sum(len(more.split()) for more in lines[_KNOWN_LINES:])
        kept = lines[:_KNOWN_LINES]
        kept[-1] = kept[-1][: self._show.console.width - 20].rpartition(" ")[0]
        left += len(lines[_KNOWN_LINES - 1].split()) - len(kept[-1].split())
        kept[-1] += f" and {left} more"
        return kept

    def _wrapped(self, line: str) -> list[str]:
        width = max(self._show.console.width - 4, 20)
        wrapped = textwrap.wrap(line, width, break_on_hyphens=False, drop_whitespace=False)
        return [wrapped[0].rstrip(), *(part.strip() for part in wrapped[1:])] if wrapped else [line]

    def _list(self, lines: list[str]) -> None:
        """Everything that the agent knows, a line each."""
        self._show.print("knowledge:" if lines else "the agent tells nothing of what it knows")
        for line in lines:
            self._show.print(f"  {line}")

    def _save(self, view: View) -> None:
        """Write the position to a new file, and say which command solves it."""
        steps = len(self._show.made)
        names = (f"position-{steps}{more}.txt" for more in ("", *(f"-{n}" for n in range(2, 100))))
        file = next((name for name in names if not Path(name).exists()), None)
        try:
            if file is None:
                raise InputError(f"position-{steps}.txt to position-{steps}-99.txt are all there")
            Output("s", file).write(view.text)
        except InputError as error:
            self._show.tell(f"not saved: {error}")
            return
        self._show.tell(f"saved the position after {many(steps, 'step')} in {file}; to solve it:")
        self._show.tell(f"mineproof solve {file}")
