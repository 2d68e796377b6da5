"""RAWVF, the text that other formats are turned into: read, and written for our own games.

A module of its own, as every format: `key: value` lines, the board, and a line for every event.

    Width: 8
    Height: 8
    Mines: 10
    Board:
    00*00000
    ...
    Events:
    0.000 lc 1 1 (5 9)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from mineproof.agents.agent import Action, Decision
from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.errors import InputError, NotationError, printable, quoted
from mineproof.game.narration import dealt_layout
from mineproof.game.transcript import Transcript
from mineproof.replay.record import MOST_EVENTS, Mouse, MouseEvent, Replay, check_text_size, name_of
from mineproof.text import many

_EVENT = re.compile(
    r"(?P<time>-?\d{1,7}(?:\.\d{1,6})?)\s+(?P<kind>[a-z_]+\d?)(?:\s+-?\d+\s+-?\d+)?"
    r"\s*\(\s*(?P<x>-?\d{1,6})\s+(?P<y>-?\d{1,6})\s*\)\s*"
)
_TIMED = re.compile(r"-?\d")
_KINDS = {kind.value: kind for kind in Mouse} | {"sc": Mouse.BOTH_DOWN}
_IGNORED = {"mt", "start", "won", "boom", "nonstandard"}
_GESTURES: dict[Action, tuple[Mouse, ...]] = {
    Action.OPEN: (Mouse.LEFT_DOWN, Mouse.LEFT_UP),
    Action.FLAG: (Mouse.RIGHT_DOWN, Mouse.RIGHT_UP),
    Action.UNFLAG: (Mouse.RIGHT_DOWN, Mouse.RIGHT_UP),
    Action.CHORD: (Mouse.MIDDLE_DOWN, Mouse.MIDDLE_UP),
    Action.STOP: (),
}
_CLOCK = re.compile(r"\d{1,7}(?:\.\d{1,6})?")


def parse(data: bytes) -> Replay:
    """The game of a RAWVF text. Raises NotationError with the line."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    fields: dict[str, bytes] = {}
    number = _header(lines, fields)
    try:
        rows = check_text_size(_number(fields, "height"), 1, 256, "Height")
        cols = check_text_size(_number(fields, "width"), 1, 256, "Width")
        mines = check_text_size(_number(fields, "mines"), 0, rows * cols, "Mines")
    except InputError as error:
        raise NotationError(str(error), number) from None
    layout = _board(lines, number, rows, cols, fields)
    if layout.total != mines:
        raise _reading_error(
            number, f"the board has {layout.total} mines and Mines is {mines}", fields
        )
    events = _events(lines, number + rows, fields)
    clock = fields.get("time", b"").decode("latin-1")
    known = _CLOCK.fullmatch(clock)
    size = fields.get("cellsize", b"")
    return Replay(
        format="rawvf",
        version=_text(fields, "rawvf_version"),
        software=" ".join(filter(None, (_text(fields, "program"), _text(fields, "version"))))
        or "RAWVF",
        player=name_of(fields.get("player", b"")),
        layout=layout,
        cell_size=int(size) if size.isdigit() and 0 < len(size) < 4 and int(size) else 16,
        events=tuple(events),
        seconds=float(clock) if known else events[-1].time / 1000 if events else 0.0,
        mode=_text(fields, "mode").lower() or "classic",
        started=_text(fields, "timestamp"),
    )


def _header(lines: list[bytes], fields: dict[str, bytes]) -> int:
    """Read the fields; the number of the line `Board:`."""
    for number, line in enumerate(lines, 1):
        key, colon, value = line.partition(b":")
        name = key.strip().lower().decode("latin-1")
        if name == "board" and colon:
            return number
        if colon:
            fields[name] = value.strip()
    raise _reading_error(len(lines), "no line `Board:`", fields)


def _text(fields: dict[str, bytes], key: str) -> str:
    return name_of(fields.get(key, b""))


def _reading_error(
    line: int, why: str, fields: dict[str, bytes], events: int | None = None
) -> NotationError:
    read = many(len(fields), "field")
    read += "" if events is None else f", {many(events, 'event')}"
    return NotationError(f"{why}; read until there: {read}", line)


def _number(fields: dict[str, bytes], key: str) -> int:
    said = fields.get(key, b"")
    if not said.isdigit() or len(said) > 6:
        shown = quoted(said.decode("latin-1"))
        raise InputError(f"{key.title()} {shown} is missing or no number; accepted: such as 8")
    return int(said)


def _board(
    lines: list[bytes], start: int, rows: int, cols: int, fields: dict[str, bytes]
) -> Layout:
    found = np.zeros(rows * cols, dtype=np.uint8)
    for row in range(rows):
        line = lines[start + row].decode("latin-1").strip() if start + row < len(lines) else ""
        if len(line) != cols:
            why = f"row {row} of the board has {len(line)} cells and needs {cols}"
            raise _reading_error(start + row + 1, why, fields)
        found[row * cols : (row + 1) * cols] = [mark == "*" for mark in line]
    return Layout(Topology.of("square", f"{rows}x{cols}"), found)


def _events(lines: list[bytes], start: int, fields: dict[str, bytes]) -> list[MouseEvent]:
    events: list[MouseEvent] = []
    for number, raw in enumerate(lines[start:], start + 1):
        line = raw.decode("latin-1").strip()
        if not _TIMED.match(line) or "(" not in line:
            # Blank lines, headings, and events of the board, which have no place of the mouse.
            if _cut(line):
                raise _reading_error(
                    number, f"{quoted(line)} is no whole event", fields, len(events)
                )
            continue
        found = _EVENT.match(line)
        if found is None:
            why = f"{quoted(line)} is no event; accepted: such as 1.25 lc (5 9)"
            raise _reading_error(number, why, fields, len(events))
        kind = _KINDS.get(found["kind"])
        if kind is None and found["kind"] not in _IGNORED:
            why = f"event {quoted(found['kind'])} is unknown; accepted: {', '.join(_KINDS)}"
            raise _reading_error(number, why, fields, len(events))
        if kind is not None:
            if len(events) >= MOST_EVENTS:
                raise _reading_error(number, f"more than {MOST_EVENTS} events", fields, len(events))
            time = round(1000 * float(found["time"]))
            events.append(MouseEvent(time, kind, int(found["x"]), int(found["y"])))
    return events


def _cut(line: str) -> bool:
    """Whether a line begins as an event of the mouse and ends before its place."""
    words = line.split()
    return bool(_TIMED.match(line)) and (len(words) < 2 or words[1] in _KINDS)


# -- Writing -------------------------------------------------------------------


def write(replay: Replay) -> str:
    """The text of a game; it says that mineproof wrote it, whoever recorded the game."""
    lines = [
        "RawVF_Version: 6",
        "Program: mineproof",
        f"Player: {printable(replay.player)}",
        f"Level: {_level(replay)}",
        f"Width: {replay.cols}",
        f"Height: {replay.rows}",
        f"Mines: {replay.layout.total}",
        f"Time: {replay.seconds:.3f}",
        f"Mode: {replay.mode.title()}",
    ]
    if replay.cell_size != 16:
        lines.append(f"CellSize: {replay.cell_size}")
    if replay.started:
        lines.append(f"Timestamp: {replay.started}")
    marks = np.where(replay.layout.mines.reshape(replay.rows, replay.cols), "*", "0")
    lines += ["Board:", *("".join(row) for row in marks.tolist()), "Events:"]
    size = replay.cell_size
    for time, kind, x, y in replay.events:
        lines.append(f"{time / 1000:.3f} {kind.value} {x // size + 1} {y // size + 1} ({x} {y})")
    return "\n".join(lines) + "\n"


def of_transcript(game: Transcript) -> Replay:
    """A game of our own as a recording, a move a second: the game itself keeps no times.

    Raises InputError for boards that no other program has, and for a game without mines yet.
    """
    if game.topology.name != "square" or game.topology.blocked:
        raise InputError(f"{game.topology.text} is no recording's board; accepted: a square one")
    if game.rules.clues != "exact":
        raise InputError(f"clues {game.rules.clues} are in no recording; accepted: exact ones")
    layout = game.layout or dealt_layout(game)
    if layout is None:
        raise InputError("the game ended before its mines were dealt; accepted: one with a move")
    moves = [step.decision for step in game.steps]
    return of_moves(moves, layout, max(len(moves) - 1, 0), player=game.agent)


def of_moves(
    moves: Sequence[Decision], layout: Layout, seconds: float, *, player: str = ""
) -> Replay:
    """Moves as a recording of so many seconds, one as long after the other as the next."""
    cols = layout.topology.lattice.dimensions[1]
    pause = 1000 * seconds / max(len(moves) - 1, 1)
    events = [
        MouseEvent(round(pause * number), kind, 16 * (cell % cols) + 8, 16 * (cell // cols) + 8)
        for number, move in enumerate(moves)
        if (cell := move.cell) is not None
        for kind in _GESTURES[move.action]
    ]
    return Replay(
        format="rawvf",
        version="6",
        software="mineproof",
        player=player,
        layout=layout,
        cell_size=16,
        events=tuple(events),
        seconds=seconds,
    )


def _level(replay: Replay) -> str:
    known = {(8, 8, 10): "Beginner", (16, 16, 40): "Intermediate", (16, 30, 99): "Expert"}
    return known.get((replay.rows, replay.cols, replay.layout.total), "Custom")
