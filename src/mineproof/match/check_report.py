"""The faults of an agent, and the report of a check: what was wrong, where, and what refutes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from mineproof.board.layout import Layout
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.match.luck import LuckTest, luck_of
from mineproof.match.narration import many
from mineproof.match.printed import Printed
from mineproof.match.transcript import Transcript
from mineproof.percentages import percent
from mineproof.proofs.witness import one_with
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["MOST_LISTED", "Fault", "FaultKind", "Heard", "Report"]

MOST_LISTED = 20
"""So many faults are in the table for people."""
_MOST_BOARD = 24
_MOST_WIDE = 80


class FaultKind(Enum):
    """What is wrong with a step."""

    UNSOUND = "unsound"
    """It was called proved, and another layout fits what the player saw."""
    WRONG_FLAG = "wrong flag"
    """It flags a safe cell, and was not called a guess."""
    ILLEGAL = "illegal move"
    """The referee refused it, or the agent never came to an end."""
    RAISED = "exception"
    """The agent raised."""
    TIME_OUT = "time-out"
    """The agent did not answer in time."""


@dataclass(frozen=True)
class Fault:
    """A fault of an agent: which game, which step, what it did, and what it saw.

    `cell` is the cell that it took for a mine, or for safe, and `mine` which of the two; None where
    the fault is not about a cell. `risk` is the exact chance that what the step calls proved is
    false, where that was not too costly. `printed` is what the agent printed at that step.
    """

    kind: FaultKind
    message: str
    game: Transcript
    step: int
    position: str
    cell: int | None = None
    mine: bool | None = None
    risk: float | None = None
    printed: Printed = field(default_factory=Printed)

    @property
    def move(self) -> str:
        """The step as the transcript writes it; empty where the move was not made."""
        steps = self.game.steps
        return (
            self.game.step_text(self.step, steps[self.step - 1]) if self.step <= len(steps) else ""
        )

    @property
    def place(self) -> str:
        """Which step of which game."""
        game = self.game
        return f"step {self.step} of {game.board} seed {game.seed} game {game.index}"

    @property
    def text(self) -> str:
        """For people: what and where, the position, and a layout that refutes it."""
        lines = [f"{self.kind.value} at {self.place}: {self.message}"]
        if self.move:
            lines.append(self.move)
        if self.printed:
            lines += ["it printed at that step:", *self.printed.first(MOST_LISTED).marked]
        lines += ["the position it saw:", self.position.rstrip("\n")]
        if self.refutation is not None and self.cell is not None:
            what = "safe" if self.mine else "a mine"
            name = self.game.topology.cell_name(self.cell)
            lines.append(f"a layout that fits it, with {name} {what} (* is a mine):")
            lines += self._drawn(self.refutation)
        return "\n".join(lines)

    @property
    def in_short(self) -> str:
        """The move in a few words; where none was made, what was said instead."""
        if self.step > len(self.game.steps):
            return self.message
        decision = self.game.steps[self.step - 1].decision
        cell = decision.cell
        name = "" if cell is None else f" {self.game.topology.cell_name(cell)}"
        risk = "" if self.risk is None else f", false with {percent(self.risk)}"
        return f"{decision.action.value}{name}{risk}"

    @cached_property
    def refutation(self) -> Layout | None:
        """A layout that fits all that the agent saw, with the cell the other way round."""
        if self.cell is None:
            return None
        topology = self.game.topology
        try:
            mines = one_with(View.parse(self.position), self.cell, not self.mine)
        except (BudgetExceeded, InconsistentPosition):
            return self._truth()
        return Layout.of(topology, mines)

    def _truth(self) -> Layout | None:
        """The mines themselves, if they are a layout with the cell the other way round."""
        referee = self.game.referee()
        for step in self.game.steps:
            referee.apply(step.decision)
        referee.stop()
        layout = referee.layout
        if layout is None or self.cell is None or layout.is_mine(self.cell) == self.mine:
            return None
        return layout

    def _drawn(self, layout: Layout) -> list[str]:
        """The rows of the position with the mines of a layout."""
        view = View.parse(self.position).with_flags(())
        hidden = [cell for cell in layout.cells if view.is_hidden(cell)]
        return view.reveal(dict.fromkeys(hidden, Mark.MINE)).text.rstrip("\n").split("\n")[1:]

    def to_json(self) -> dict[str, Any]:
        """One of the faults that `check --json` prints."""
        game, refutation = self.game, self.refutation

        def place(cell: int) -> list[int]:
            return list(game.topology.coordinates(cell))

        return {
            "kind": self.kind.value,
            "message": self.message,
            "board": game.board,
            "rules": game.rules.text,
            "seed": game.seed,
            "index": game.index,
            "step": self.step,
            "move": self.move,
            "position": self.position,
            "cell": None if self.cell is None else place(self.cell),
            "risk": self.risk,
            "refutation": None if refutation is None else [place(c) for c in refutation.cells],
            "printed": list(self.printed.lines),
        }


@dataclass(frozen=True)
class Heard:
    """What an agent printed at a step of a game."""

    board: str
    seed: int
    index: int
    step: int
    printed: Printed

    @property
    def text(self) -> str:
        where = f"{self.board} seed {self.seed} game {self.index} step {self.step}:"
        return "\n".join([where, *self.printed.marked])

    def to_json(self) -> dict[str, Any]:
        return {
            "board": self.board,
            "seed": self.seed,
            "index": self.index,
            "step": self.step,
            "lines": list(self.printed.lines),
            "left_out_bytes": self.printed.left_out,
        }


@dataclass(frozen=True)
class Report:
    """What a check found. `faults` are all of them, in the order of the games and their steps.

    Of the steps called proved, `judged` were confirmed and `unjudged` were too costly to judge.
    `heard` is the beginning of what the agent printed, and `unheard` counts the steps after it that
    printed something. `note` says why not all games were played. `risks` are those of the cells
    that it opened, negative where it met a mine.
    """

    agent: str
    games: int
    won: int
    steps: int
    judged: int
    unjudged: int
    faults: tuple[Fault, ...] = ()
    heard: tuple[Heard, ...] = ()
    unheard: int = 0
    note: str = ""
    lost_by_guess: int = 0
    """The lost games whose last step opened a mine and was called a guess."""
    risks: tuple[float, ...] = ()

    @property
    def luck(self) -> LuckTest:
        """The luck test: whether the agent knows more than it was shown."""
        return luck_of(self.risks)

    @property
    def passed(self) -> bool:
        return not self.faults

    @property
    def fault(self) -> Fault | None:
        """The first fault; None where nothing was wrong."""
        return self.faults[0] if self.faults else None

    @property
    def text(self) -> str:
        """For people: the figures, the faults in a table, the first of them in full."""
        line = (
            f"{self.agent}: {self.games} games, {self.won} won, {self.steps} steps,"
            f" {many(self.judged, 'proof')} confirmed"
        )
        if self.unjudged:
            line += f", {self.unjudged} too costly to judge"
        lines = [f"{line}; {many(len(self.faults), 'fault') if self.faults else 'no fault'}"]
        if self.lost_by_guess:
            lost = self.games - self.won
            share = "all" if self.lost_by_guess == lost else f"{self.lost_by_guess} of"
            lines.append(f"lost games that ended at a guess: {share} {lost}")
        if self.note:
            lines.append(self.note)
        if (luck := self.luck).implausible:
            lines.append(f"it {luck.text}")
        if len(self.faults) > 1:
            lines += [*_table(self.faults[:MOST_LISTED]), *self._more(), "", "the first fault:"]
        if self.fault is not None:
            lines.append(self.fault.text)
        return "\n".join(lines)

    def _more(self) -> list[str]:
        more = len(self.faults) - MOST_LISTED
        return [f"and {many(more, 'more fault')}"] if more > 0 else []

    @property
    def heard_text(self) -> str:
        """The beginning of what the agent printed; empty if it printed nothing."""
        lines = [one.text for one in self.heard]
        if self.unheard:
            lines.append(f"and {many(self.unheard, 'more step')} that printed something")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The object that `check --json` prints."""
        faults = [fault.to_json() for fault in self.faults]
        said: dict[str, Any] = {
            "agent": self.agent,
            "passed": self.passed,
            "games": self.games,
            "won": self.won,
            "lost_by_guess": self.lost_by_guess,
            "steps": self.steps,
            "judged": self.judged,
            "unjudged": self.unjudged,
            "note": self.note,
            "luck": self.luck.to_json(),
            "fault": faults[0] if faults else None,
            "faults": faults,
        }
        if self.heard:
            said["printed"] = [one.to_json() for one in self.heard]
        return said


def _table(faults: Sequence[Fault]) -> list[str]:
    """One line for each fault."""
    rows: list[tuple[str, ...]] = [("kind", "board", "seed", "game", "step", "move")]
    for fault in faults:
        game, board = fault.game, _cut(fault.game.board, _MOST_BOARD)
        numbers = map(str, (game.seed, game.index, fault.step))
        rows.append((fault.kind.value, board, *numbers, fault.in_short))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            text.rjust(width) if 2 <= column <= 4 else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return [_cut(line.rstrip(), _MOST_WIDE) for line in lines]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."
