"""What crosses between the referee's process and an agent's: moves, prints and exceptions.

Moves are JSON lines, nothing else:

    to the agent                                         from the agent
    ["begin", topology, rules, cells, codes, flags, free, n]   ["ready"]
    ["act", cells, codes, toggled, rules | null, free]         ["move", action, cell, reason]
    ["knowledge", the same four]                         ["text", text]
                                                         ["missing" | "failed", message]

`cells` and `codes` are the cells opened since the last message and what they show; `toggled` the
cells whose flag changed. What comes from the agent is untrusted until `decision_of` has checked it.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.agents.agent import Action, Decision, Guessed, Proved, Reason, Unstated
from mineproof.engine.analysis import Premises
from mineproof.errors import AgentFailure, one_line, quoted
from mineproof.text import many

_MOST_WORD = 40


def move_of(decision: Decision) -> list[Any]:
    """The message for a decision."""
    return ["move", decision.action.value, decision.cell, _reason_message(decision.reason)]


def _reason_message(reason: Reason) -> list[Any] | None:
    if isinstance(reason, Proved):
        return ["proved", reason.logic, list(reason.premises.clues), reason.premises.total]
    if isinstance(reason, Guessed):
        return ["guessed", reason.policy, reason.among, reason.risk, list(reason.cells)]
    return ["note", reason.note] if reason.note else None


def decision_of(message: list[Any], cells: int) -> Decision:
    """The decision a message stands for on a board of `cells` cells. Raises AgentFailure."""
    try:
        _, word, cell, reason = message
        action = Action(word)
        if action is Action.STOP:
            cell = None
        elif not _is_cell(cell, cells):
            raise AgentFailure(f"the agent chose cell {quoted(cell)}, which is not on the board")
        return Decision(action, cell, _reason_of(reason, cells))
    except (ValueError, TypeError, KeyError, IndexError):
        raise AgentFailure(f"the agent's process sent nonsense: {quoted(str(message))}") from None


def _reason_of(message: Any, cells: int) -> Reason:
    if message is None:
        return Unstated()
    kind, *rest = message
    if kind == "proved":
        logic, clues, total = rest
        return Proved(_word(logic), Premises(_cells(clues, cells), total is True))
    if kind == "guessed":
        policy, among, risk, chosen = rest
        if type(among) is not int or among < 0:
            raise ValueError
        # Compared before it is converted: no float is as large as an integer may be.
        known = isinstance(risk, float | int) and 0 <= risk <= 1
        return Guessed(_word(policy), among, float(risk) if known else None, _cells(chosen, cells))
    if kind == "note":
        return Unstated(one_line(str(rest[0])))
    raise ValueError


def _word(text: Any) -> str:
    return "-".join(one_line(str(text)).split())[:_MOST_WORD] or "unnamed"


def _is_cell(cell: Any, cells: int) -> bool:
    return type(cell) is int and 0 <= cell < cells


def _cells(chosen: Any, cells: int) -> tuple[int, ...]:
    """Cells of the board, each once: no reason needs more, and a game keeps them."""
    if not isinstance(chosen, list) or not all(_is_cell(cell, cells) for cell in chosen):
        raise ValueError
    return tuple(dict.fromkeys(chosen))


# ----------------------------------------------------------------------------
# The prints of a user's agent: captured step by step, within limits, and safe for a terminal.
#
# It is foreign text. Control characters are written out, as `\x1b`, so that no terminal obeys them.

_STEP_BYTES, _STEP_LINES = 10_000, 100
_GAME_BYTES, _GAME_LINES = 200_000, 2_000
MARK = "agent| "
"""The mark in front of every line that an agent printed."""


def escape_unprintable(line: str) -> str:
    """A line of foreign text with everything that is not printable written out."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in line.expandtabs(4)
    )


@dataclass(frozen=True)
class PrintedText:
    """Lines that an agent printed, safe for a terminal, and how many bytes were left out."""

    lines: tuple[str, ...] = ()
    left_out: int = 0

    def __bool__(self) -> bool:
        return bool(self.lines or self.left_out)

    def __add__(self, other: PrintedText) -> PrintedText:
        return PrintedText(self.lines + other.lines, self.left_out + other.left_out)

    def first(self, most: int) -> PrintedText:
        """At most so many lines of it."""
        left_out = sum(len(line.encode()) + 1 for line in self.lines[most:])
        return PrintedText(self.lines[:most], self.left_out + left_out)

    @classmethod
    def of(cls, data: bytes, left_out: int = 0) -> PrintedText:
        """The lines of these bytes."""
        text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
        lines = text.removesuffix("\n").split("\n") if text else []
        return cls(tuple(map(escape_unprintable, lines)), left_out)

    @property
    def marked_lines(self) -> tuple[str, ...]:
        """The lines, each marked as the agent's, then how much was left out."""
        lines = [f"{MARK}{line}".rstrip() for line in self.lines]
        if self.left_out:
            lines.append(f"agent: {many(self.left_out, 'more byte')} printed and left out")
        return tuple(lines)


class OutputCapture:
    """Captures what an agent prints in one game, by the number of its steps.

    Step 0 is what comes before the first move: the import and `begin`. Past the limits of a step or
    of the game nothing is kept; it is counted.
    """

    def __init__(self) -> None:
        self._in_game = False
        self._clear()

    def _clear(self) -> None:
        self.step = 0
        self._kept: dict[int, bytearray] = {}
        self._left_out: dict[int, int] = {}
        self._room, self._lines = _GAME_BYTES, _GAME_LINES
        self._step_room, self._step_lines = _STEP_BYTES, _STEP_LINES
        self._news, self._news_left_out = bytearray(), 0

    def begin(self) -> None:
        """A game begins. What was printed before the first game belongs to it."""
        if self._in_game:
            self._clear()
        self._in_game = True

    def next_step(self) -> None:
        """The next move is asked for."""
        self.step += 1
        self._step_room, self._step_lines = _STEP_BYTES, _STEP_LINES

    def hear(self, data: bytes) -> None:
        """Keep what was printed just now, as far as the limits allow."""
        kept = data[: min(self._room, self._step_room)]
        most = min(self._lines, self._step_lines)
        *whole, rest = kept.split(b"\n", most)
        if len(whole) == most:
            kept = kept[: len(kept) - len(rest)]
        self._room -= len(kept)
        self._step_room -= len(kept)
        self._lines -= len(whole)
        self._step_lines -= len(whole)
        left_out = len(data) - len(kept)
        if kept:
            self._kept.setdefault(self.step, bytearray()).extend(kept)
            self._news += kept
        if left_out:
            self._left_out[self.step] = self._left_out.get(self.step, 0) + left_out
            self._news_left_out += left_out

    @property
    def has_news(self) -> bool:
        """Whether the agent printed since `news` was last called."""
        return bool(self._news or self._news_left_out)

    def news(self) -> PrintedText:
        """What the agent printed since this was last called."""
        found = PrintedText.of(bytes(self._news), self._news_left_out)
        self._news, self._news_left_out = bytearray(), 0
        return found

    def at(self, step: int) -> PrintedText:
        """What was printed at a step of this game."""
        return PrintedText.of(bytes(self._kept.get(step, b"")), self._left_out.get(step, 0))

    @property
    def steps(self) -> dict[int, PrintedText]:
        """What was printed in this game, by the numbers of the steps that printed something."""
        return {step: self.at(step) for step in sorted({*self._kept, *self._left_out})}

    def to_json(self) -> list[dict[str, Any]]:
        """The list under `printed` of `play --json`."""
        return [
            {"step": step, "lines": list(said.lines), "left_out_bytes": said.left_out}
            for step, said in self.steps.items()
        ]


# ----------------------------------------------------------------------------
# An exception of an agent in one line: its message, and where in the agent's code it was raised.

_PACKAGE = Path(__file__).parents[1]
_MOST_MESSAGE = 150


def describe_exception(error: BaseException) -> str:
    """An exception in one line: its type, its text and its place.

    The first frame outside this package is the agent's own code. The place is the last line that
    ran in a file of that folder, and not inside a library that the agent called.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if _PACKAGE not in Path(frame.filename).parents and "importlib" not in frame.filename
    ]
    own = [f for f in frames if Path(f.filename).parent == Path(frames[0].filename).parent]
    place = f" ({Path(own[-1].filename).name} line {own[-1].lineno})" if own else ""
    return one_line(f"{type(error).__name__}: {error}"[:_MOST_MESSAGE].removesuffix(": ")) + place
