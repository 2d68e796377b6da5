"""What a user's agent prints: heard step by step, within limits, and fit for a terminal.

It is foreign text. Control characters are written out, as `\\x1b`, so that no terminal obeys them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mineproof.match.narration import many

__all__ = ["MARK", "Listener", "Printed", "visible"]

_STEP_BYTES, _STEP_LINES = 10_000, 100
_GAME_BYTES, _GAME_LINES = 200_000, 2_000
MARK = "agent| "
"""What every line begins with that an agent printed."""


def visible(line: str) -> str:
    """A line of foreign text with everything that is not printable written out."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in line.expandtabs(4)
    )


@dataclass(frozen=True)
class Printed:
    """Lines that an agent printed, fit for a terminal, and how many bytes were left out."""

    lines: tuple[str, ...] = ()
    left_out: int = 0

    def __bool__(self) -> bool:
        return bool(self.lines or self.left_out)

    def __add__(self, other: Printed) -> Printed:
        return Printed(self.lines + other.lines, self.left_out + other.left_out)

    def first(self, most: int) -> Printed:
        """At most so many lines of it."""
        left_out = sum(len(line.encode()) + 1 for line in self.lines[most:])
        return Printed(self.lines[:most], self.left_out + left_out)

    @classmethod
    def of(cls, data: bytes, left_out: int = 0) -> Printed:
        """The lines of these bytes."""
        text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
        lines = text.removesuffix("\n").split("\n") if text else []
        return cls(tuple(map(visible, lines)), left_out)

    @property
    def marked(self) -> tuple[str, ...]:
        """The lines, each marked as the agent's, then how much was left out."""
        lines = [f"{MARK}{line}".rstrip() for line in self.lines]
        if self.left_out:
            lines.append(f"agent: {many(self.left_out, 'more byte')} printed and left out")
        return tuple(lines)


class Listener:
    """Keeps what an agent prints in one game, by the number of its steps.

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
        """A game begins. What was heard before the first game belongs to it."""
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
        """Whether something was heard since `news` was asked last."""
        return bool(self._news or self._news_left_out)

    def news(self) -> Printed:
        """What was heard since this was asked last."""
        found = Printed.of(bytes(self._news), self._news_left_out)
        self._news, self._news_left_out = bytearray(), 0
        return found

    def at(self, step: int) -> Printed:
        """What was printed at a step of this game."""
        return Printed.of(bytes(self._kept.get(step, b"")), self._left_out.get(step, 0))

    @property
    def steps(self) -> dict[int, Printed]:
        """What was printed in this game, by the numbers of the steps that printed something."""
        return {step: self.at(step) for step in sorted({*self._kept, *self._left_out})}

    def to_json(self) -> list[dict[str, Any]]:
        """The list under `printed` of `play --json`."""
        return [
            {"step": step, "lines": list(said.lines), "left_out_bytes": said.left_out}
            for step, said in self.steps.items()
        ]
