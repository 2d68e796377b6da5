"""EVF, the format of Metasweeper, versions 1 to 4; specified in eee555/ms-toollib.

A module of its own, as every format. Versions 1 to 3 write every event with its time and place;
version 4 writes differences, and pauses where these would not fit.
"""

from __future__ import annotations

from datetime import UTC, datetime

from mineproof.board.layout import Layout
from mineproof.replay.record import (
    ByteTape,
    EventList,
    Mouse,
    MouseEvent,
    Replay,
    check_time,
    name_of,
)

_KINDS = {
    1: Mouse.MOVE,
    2: Mouse.LEFT_DOWN,
    3: Mouse.LEFT_UP,
    4: Mouse.RIGHT_DOWN,
    5: Mouse.RIGHT_UP,
    6: Mouse.MIDDLE_DOWN,
    7: Mouse.MIDDLE_UP,
    8: Mouse.FLAG_BEFORE,
    9: Mouse.BOTH_DOWN,
}
_EITHER = {
    10: (Mouse.LEFT_DOWN, Mouse.LEFT_UP),
    11: (Mouse.RIGHT_DOWN, Mouse.RIGHT_UP),
    12: (Mouse.MIDDLE_DOWN, Mouse.MIDDLE_UP),
}
"""Events of a button that may be down or up: they take turns."""
_MODES = {0: "classic", 1: "upk", 2: "cheat", 3: "density", 4: "win7"}


class _Buttons:
    """Says what a code is, where one code stands for press and release."""

    def __init__(self) -> None:
        self.down: set[int] = set()

    def kind(self, code: int) -> Mouse | None:
        if code in _EITHER:
            self.down ^= {code}
            return _EITHER[code][code not in self.down]
        return _KINDS.get(code)


def parse(data: bytes) -> Replay:
    """The game of an EVF file. Raises NotationError."""
    tape = ByteTape(data)
    version = tape.number(1)
    if version > 4:
        raise tape.stopped(f"version {version} of EVF; accepted: 1 to 4")
    tape.note(f"EVF version {version}", "the header")
    translated = bool(tape.number(1) & 8) and version == 4
    if version >= 3:
        tape.take(1)  # the settings: question marks, borders, restart
    rows, cols, mines = tape.number(1), tape.number(1), tape.number(2)
    size, mode = tape.number(1), tape.number(2)
    if not size:
        raise tape.stopped("cells of 0 pixels; accepted: 1 or more")
    tape.take(2)  # the 3BV, which follows from the board
    seconds = check_time(tape, tape.number(4 if version == 4 else 3) / 1000)
    tape.part = "the texts"
    if version == 4:
        software, player, started = _texts(tape, translated)
    else:
        software, player, started = _old_texts(tape, version)
    tape.note(f"player {player!r}", "the board")
    layout = _board(tape, rows, cols, mines)
    if version == 4:
        for _ in range(tape.number(2)):
            tape.until(b"\0")  # names of measures of the program's own
    return Replay(
        format="evf",
        version=str(version),
        software=software,
        player=player,
        layout=layout,
        cell_size=size,
        events=_steps(tape) if version == 4 else _events(tape),
        seconds=seconds,
        mode=_MODES.get(mode, f"mode {mode}"),
        started=started,
    )


def _board(tape: ByteTape, rows: int, cols: int, mines: int) -> Layout:
    layout = tape.mine_bits(rows, cols)
    if layout.total != mines:
        raise tape.stopped(f"the board has {layout.total} mines and its header says {mines}")
    return layout


def _old_texts(tape: ByteTape, version: int) -> tuple[str, str, str]:
    """Program, player and start of versions 1 to 3."""
    software, player, _race, _unique, start, _end, _country = (tape.until(b"\0") for _ in range(7))
    if version >= 2:
        tape.until(b"\0")  # the device
    digits = start.decode("latin-1")
    return name_of(software), name_of(player), _moment(int(digits)) if _is_count(digits) else ""


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


def _texts(tape: ByteTape, translated: bool) -> tuple[str, str, str]:
    """Program, player and start of version 4."""
    tape.take(2)  # the country
    start = tape.number(8)
    tape.take(8)
    software = tape.until(b"\0")
    if translated:
        tape.until(b"\0")
        tape.until(b"\0")
    player = tape.until(b"\0")
    tape.until(b"\0")
    tape.until(b"\0")
    tape.take(tape.number(2))  # the device
    return name_of(software), name_of(player), _moment(start)


def _moment(microseconds: int) -> str:
    """A moment since 1970 as text; empty where no calendar holds it."""
    try:
        return datetime.fromtimestamp(microseconds // 10**6, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return ""


def _events(tape: ByteTape) -> tuple[MouseEvent, ...]:
    """The events of versions 1 to 3."""
    events, buttons = EventList(tape), _Buttons()
    while (code := tape.number(1)) not in (0, 255):
        kind = buttons.kind(code)
        if kind is None:
            raise tape.stopped(f"an event {code} is unknown", tape.place - 1)
        time, x, y = tape.number(3), tape.number(2), tape.number(2)
        events.add(time, kind, x, y)
    return events.whole()


def _steps(tape: ByteTape) -> tuple[MouseEvent, ...]:
    """The events of version 4."""
    events, buttons = EventList(tape), _Buttons()
    time = x = y = 0
    while code := tape.number(1):
        kind = buttons.kind(code)
        if kind is not None:
            time += tape.number(1)
            if events.events:
                x, y = x + tape.signed(2), y + tape.signed(2)
            else:
                x, y = tape.number(2), tape.number(2)
            events.add(time, kind, x, y)
        elif code == 255:
            time += tape.number(2)
        elif 81 <= code <= 99:
            time += tape.number(1)  # how the game ended
        elif 100 <= code <= 121:
            time += tape.number(1)
            tape.take(2)  # a cell that changed: it follows from the mouse
        elif code in (200, 201):
            time += tape.number(1)
            tape.take(2)
            if code == 200:
                tape.take(8)
            else:
                tape.until(b"\0")
        else:
            raise tape.stopped(f"an event {code} is unknown", tape.place - 1)
    return events.whole()
