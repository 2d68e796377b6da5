"""AVF, the format of Minesweeper Arbiter.

A module of its own, as every format. The file is a board, some bytes that nobody needs, a text in
brackets with start, end, 3BV and time, the events, and lines of text with the player's name. The
program never published it; these are the facts that its readers agree on.
"""

from __future__ import annotations

import re

from mineproof.replay.record import (
    ByteTape,
    EventList,
    Mouse,
    MouseEvent,
    Replay,
    check_time,
    name_of,
    program_of,
)

_LEVELS = {3: (8, 8, 10), 4: (16, 16, 40), 5: (16, 30, 99)}
_CUSTOM = 6
_KINDS = {
    1: Mouse.MOVE,
    3: Mouse.LEFT_DOWN,
    5: Mouse.LEFT_UP,
    9: Mouse.RIGHT_DOWN,
    17: Mouse.RIGHT_UP,
    33: Mouse.MIDDLE_DOWN,
    65: Mouse.MIDDLE_UP,
    145: Mouse.RIGHT_UP,
    193: Mouse.MIDDLE_UP,
    11: Mouse.BOTH_DOWN,  # the left button with the shift key: a chord
    21: Mouse.LEFT_UP,
}
_TOLD = re.compile(rb"\[[0-3]\|[^\]]{1,400}\]")
"""The text in brackets; other brackets may come before it."""
_TIME = re.compile(rb"T(\d{1,7}[.,]\d{1,3})\]")
_START = re.compile(rb"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d{1,2}):(\d{1,2}):(\d{1,2})")
_FOOTER = re.compile(rb"(?:RealTime|Skin)\s*:")


def parse(data: bytes) -> Replay:
    """The game of an AVF file. Raises NotationError."""
    tape = ByteTape(data)
    version = tape.number(1)
    tape.take(4)
    level = tape.number(1)
    if level == _CUSTOM:
        cols, rows = tape.number(1) + 1, tape.number(1) + 1
        mines = tape.number(2)
    elif level in _LEVELS:
        rows, cols, mines = _LEVELS[level]
    else:
        raise tape.stopped(f"level {level}; accepted: 3 to 6", 5)
    tape.note(f"Arbiter 0.{version}", "the board")
    places = ((row - 1, col - 1) for row, col in (tape.pair() for _ in range(mines)))
    layout = tape.mines(rows, cols, places)
    told = _TOLD.search(data, tape.place)
    if told is None:
        raise tape.stopped("no text in brackets follows, such as [0|17.4.2018...|B28T4.07]")
    tape.seek(told.end())
    said = _TIME.search(told[0])
    if said is None:
        raise tape.stopped("the text in brackets names no time, such as T4.07", told.start())
    tape.note("the header", "the events")
    events = _events(tape)
    player, program = _footer(tape)
    return Replay(
        format="avf",
        version=f"0.{version}",
        software=program or "Minesweeper Arbiter",
        player=player,
        layout=layout,
        cell_size=16,
        events=events,
        seconds=check_time(tape, _seconds(said[1], events)),
        started=_start_time(told[0]),
    )


def _events(tape: ByteTape) -> tuple[MouseEvent, ...]:
    """The events: of eight bytes each, up to one whose second is 0."""
    # The first event is in the first second: its third byte is 1, and the mouse is on the board.
    data, place = tape.data, tape.place
    while place + 2 < len(data) and (data[place + 2] != 1 or data[place + 1] > 1):
        place += 1
    tape.seek(place)
    events = EventList(tape)
    while True:
        kind, x_high, second, x_low, hundredth, y_high, second_high, y_low = tape.take(8)
        time = 1000 * (256 * second_high + second - 1) + 10 * hundredth
        if not second and not second_high:
            return events.whole()
        if kind not in _KINDS:
            raise tape.stopped(f"an event {kind} is unknown", tape.place - 8)
        events.add(time, _KINDS[kind], 256 * x_high + x_low, 256 * y_high + y_low)


def _seconds(said: bytes, events: tuple[MouseEvent, ...]) -> float:
    """The time of the game.

    The header counts from 1. Where it ends before the last event, which happens, the events tell.
    """
    seconds = float(said.replace(b",", b".")) - 1.0
    last = events[-1].time
    if seconds + 1e-6 >= _precise(last):
        return seconds
    first = next((event.time for event in events if event.kind is Mouse.LEFT_UP), 0)
    return _precise(last) - _precise(first)


def _precise(time: int) -> float:
    return time // 1000 + time % 1000 / 10 / 100


def _footer(tape: ByteTape) -> tuple[str, str]:
    """The player and the program, of the lines at the end."""
    tape.part = "the lines at the end"
    tape.until(b"cs=")
    tape.take(17)
    lines = [line for line in tape.data[tape.place :].split(b"\r") if not _FOOTER.match(line)]
    player = name_of(lines[0]) if lines else ""
    program = program_of(lines[1]) if len(lines) > 1 else ""
    return player, program


def _start_time(told: bytes) -> str:
    found = _START.search(told)
    if found is None:
        return ""
    day, month, year, hour, minute, second = map(int, found.groups())
    return f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"
