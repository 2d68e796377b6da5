"""RMV, the format of Vienna MineSweeper, versions 1 and 2; specified by ralokt/rmv_spec.

A module of its own, as every format: a header of sizes, the texts, the board, the events.
Version 1 measures the mouse from the corner of the window, version 2 from that of the board.
"""

from __future__ import annotations

from datetime import UTC, datetime

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

_KINDS = {
    1: Mouse.MOVE,
    2: Mouse.LEFT_DOWN,
    3: Mouse.LEFT_UP,
    4: Mouse.RIGHT_DOWN,
    5: Mouse.RIGHT_UP,
    6: Mouse.MIDDLE_DOWN,
    7: Mouse.MIDDLE_UP,
}
_SMALL_MOVE = 28
_BOARD_EVENTS = {*range(9, 15), *range(18, 28)}
_ENDS = {15, 16, 17}
_MODES = ("classic", "upk", "cheat", "density")
_WINDOW = (12, 56)
"""Where the board of version 1 begins in the window."""


def parse(data: bytes) -> Replay:
    """The game of an RMV file. Raises NotationError."""
    tape = ByteTape(data)
    tape.seek(4)
    version = tape.number(2)
    if version not in (1, 2):
        raise tape.stopped(f"version {version} of RMV; accepted: 1 and 2")
    tape.note(f"RMV version {version}", "the sizes")
    clone = tape.number(1) if version == 2 else 1
    if version == 2:
        tape.take(1)  # the program's own major version
    tape.take(4)  # the size of the file
    result = tape.number(2) if version == 1 else 0
    about, _player, _board, preflags, properties = (tape.number(2) for _ in range(5))
    if version == 2:
        tape.take(2)  # the size of the further properties, which say their own
    tape.take(6)  # the sizes of the events and the checksum
    tape.part = "the texts"
    tape.take(result)
    software = program_of(tape.take(about)) or "Vienna MineSweeper"
    fields = [tape.take(tape.number(1)) for _ in range(min(tape.number(2), 16))]
    player = name_of(fields[0]) if fields else ""
    tape.note(f"player {player!r}", "the board")
    stamp = tape.number(4)
    cols, rows, mines = tape.number(1), tape.number(1), tape.number(2)
    places = ((row, col) for col, row in (tape.pair() for _ in range(mines)))
    layout = tape.mines(rows, cols, places)
    flags = [tape.take(2) for _ in range(tape.number(2))] if preflags else []
    tape.part = "the properties"
    told = tape.take(properties)
    if len(told) < (7 if version == 2 else 4):
        raise tape.stopped(f"{len(told)} properties are too few")
    size = told[6] if version == 2 else 16
    if not size:
        raise tape.stopped("cells of 0 pixels; accepted: 1 or more")
    if version == 2:
        name = _clone_name(tape)
        if clone == 0 and name:
            software = name
    events = _events(tape, version, flags, size)
    return Replay(
        format="rmv",
        version=str(version),
        software=software,
        player=player,
        layout=layout,
        cell_size=size,
        mode=_MODES[told[2]] if told[2] < len(_MODES) else f"mode {told[2]}",
        started=datetime.fromtimestamp(stamp, UTC).strftime("%Y-%m-%d %H:%M:%S") if stamp else "",
        events=events,
        # As players compare them: the time of the last event, to the millisecond.
        seconds=check_time(tape, events[-1].time / 1000),
    )


def _clone_name(tape: ByteTape) -> str:
    """The name of a program without a number, among the further properties."""
    found = ""
    for _ in range(tape.number(2)):
        key = tape.take(tape.number(1))
        value = tape.take(tape.number(1))
        if key == b"clone_name":
            found = name_of(value)
    return found


def _events(tape: ByteTape, version: int, flags: list[bytes], size: int) -> tuple[MouseEvent, ...]:
    """The events of the mouse; those of the board follow from them."""
    events = EventList(tape)
    for col, row in flags:
        events.add(0, Mouse.FLAG_BEFORE, col * size, row * size)
    left, top = _WINDOW if version == 1 else (0, 0)
    started = False
    time = x = y = 0
    while True:
        code = tape.number(1)
        if code in _ENDS:
            tape.take(3)
            break
        if code == 0 and version == 1:
            tape.take(4)  # a new time stamp, in very old files
        elif code in _BOARD_EVENTS:
            tape.take(2)  # the board's events follow from the mouse's
        elif code in _KINDS:
            time = tape.number(3)
            tape.take(1)
            x, y = tape.signed(2) - left, tape.signed(2) - top
            if not started:
                # The press that started the clock is not in the file.
                events.add(time, Mouse.LEFT_DOWN, x, y)
                started = True
            events.add(time, _KINDS[code], x, y)
        elif code == _SMALL_MOVE and version == 2 and started:
            time += tape.number(1)
            step = tape.number(1)
            x += (step >> 4) - 16 * (step >> 7)
            y += (step & 15) - 16 * (step >> 3 & 1)
            events.add(time, Mouse.MOVE, x, y)
        else:
            raise tape.stopped(f"an event {code} is unknown", tape.place - 1)
    return events.whole()
