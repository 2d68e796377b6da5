"""MVF, the format of Minesweeper Clone, from before version 0.97 to 2007.

A module of its own, as every format. From 0.97 on each event is packed into five or six bytes,
whose bits stand in an order that depends on a number of the file: the digits of five or six values
of sine and cosine, sorted, give the place of each bit. Older files have no header, a plain event of
eight bytes, and the player's name at the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

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

_SIZE = 16
_MODES = {1: "classic", 2: "density", 3: "upk"}
_HEADER_97, _HEADER_2006, _YEAR = 74, 71, 27
_BUTTONS = (
    (0, Mouse.LEFT_DOWN, Mouse.LEFT_UP),
    (1, Mouse.RIGHT_DOWN, Mouse.RIGHT_UP),
    (2, Mouse.MIDDLE_DOWN, Mouse.MIDDLE_UP),
)
_Moment = tuple[int, int, int, tuple[bool, bool, bool]]
"""Milliseconds, place, and which of left, right and middle are down."""


def parse(data: bytes) -> Replay:
    """The game of an MVF file. Raises NotationError."""
    tape = ByteTape(data)
    first = tape.take(2)
    if first == b"\x11M":
        tape.seek(_YEAR)
        year = tape.take(1)
        if year in (b"6", b"7"):
            tape.seek(53)
            version = name_of(tape.take(tape.number(1)))
            return _read_packed(tape, _HEADER_2006, version or f"200{year.decode()}", fine=True)
        if year in (b"5", b"8"):
            version = "0.97 beta" if year == b"5" else "0.97 funny mode"
            return _read_packed(tape, _HEADER_97, version, fine=False)
        raise tape.stopped(f"a Clone of the year 200{year!r}; accepted: 2005 to 2008", _YEAR)
    if first == b"\0\0":
        return _read_packed(tape, 7, "0.97 hack", fine=False)
    return _plain(tape)


def _mines(tape: ByteTape, base: int) -> Layout:
    cols, rows, mines = tape.number(1), tape.number(1), tape.number(2)
    places = ((row - base, col - base) for col, row in (tape.pair() for _ in range(mines)))
    return tape.mines(rows, cols, places)


# -- 0.97 and later ------------------------------------------------------------


def _read_packed(tape: ByteTape, place: int, version: str, fine: bool) -> Replay:
    """A file with packed events; `fine` ones count in milliseconds."""
    tape.seek(place)
    tape.note(f"Clone {version}", "the header")
    month, day, year, hour, minute, second = (tape.number(n) for n in (1, 1, 2, 1, 1, 1))
    _level, mode = tape.number(1), tape.number(1)
    told = tape.number(3) / 1000 if fine else tape.number(2) + tape.number(1) / 100
    if not fine:
        tape.take(10)  # 3BV and clicks, which follow from the game
    tape.take(1)  # question marks
    layout = _mines(tape, 1)
    player = name_of(tape.take(tape.number(1)))
    order = _bit_order(tape.number(2), 6 if fine else 5)
    count = tape.number(3)
    tape.note(f"player {player!r}", "the events")
    read = _fine_moment if fine else _coarse_moment
    width = len(order) // 8
    moments = (read(_unshuffle(tape.take(width), order)) for _ in range(count))
    events = EventList(tape)
    _add_moments(events, moments)
    whole = events.whole()
    return Replay(
        format="mvf",
        version=version,
        software=f"Minesweeper Clone {version}",
        player=player,
        layout=layout,
        cell_size=_SIZE,
        events=whole,
        seconds=check_time(tape, told if fine else _run(whole)),
        mode="upk" if "funny" in version else _MODES.get(mode, "cheat"),
        # Clone 2007 at times writes the day as 0.
        started=f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}",
    )


def _bit_order(seed: int, values: int) -> list[int]:
    """The places of an event's bits: the digits of some values, sorted, say which comes first."""
    one, two = math.sqrt(seed), math.sqrt(seed + 1000.0)
    three, four = math.sqrt(one + 1000.0), math.sqrt(two + 1000.0)
    found = (
        math.cos(three + 1000.0),
        math.sin(math.sqrt(two)),
        math.cos(three),
        math.sin(math.sqrt(one) + 1000.0),
        math.cos(four),
        math.sin(four),
    )
    digits = "".join(f"{round(abs(value) * 10**8):08}"[-8:] for value in found[:values])
    return sorted(range(8 * values), key=digits.__getitem__)


def _unshuffle(packed: bytes, order: list[int]) -> list[int]:
    return [packed[place // 8] >> place % 8 & 1 for place in order]


def _number(bits: list[int], start: int, count: int) -> int:
    return sum(bit << place for place, bit in enumerate(bits[start : start + count]))


def _coarse_moment(bits: list[int]) -> _Moment:
    right, middle, left = map(bool, bits[:3])
    time = 10 * _number(bits, 21, 7) + 1000 * _number(bits, 28, 10)
    return time, _number(bits, 12, 9), _number(bits, 3, 9), (left, right, middle)


def _fine_moment(bits: list[int]) -> _Moment:
    right, middle, left = map(bool, bits[:3])
    x, y = _number(bits, 14, 11) - 32, _number(bits, 3, 11) - 32
    return _number(bits, 25, 22), x, y, (left, right, middle)


def _add_moments(events: EventList, moments: Iterable[_Moment]) -> None:
    """What changed from each moment to the next; the first press is not in the file."""
    before: _Moment | None = None
    for now in moments:
        time, x, y, buttons = now
        if before is None:
            down = [press for which, press, _ in _BUTTONS if buttons[which]]
            events.add(time, down[-1] if down else Mouse.MOVE, x, y)
        else:
            if (x, y) != before[1:3]:
                events.add(time, Mouse.MOVE, x, y)
            for which, press, _ in _BUTTONS:
                if buttons[which] and not before[3][which]:
                    events.add(time, press, x, y)
            for which, _, release in _BUTTONS:
                if before[3][which] and not buttons[which]:
                    events.add(time, release, x, y)
        before = now


def _run(events: tuple[MouseEvent, ...]) -> float:
    """From the first release of the left button to the last event.

    The header of 0.97 counts from the press, and is at times a hundredth off.
    """
    first = next((event.time for event in events if event.kind is Mouse.LEFT_UP), 0)
    return _seconds(events[-1].time) - _seconds(first)


def _seconds(time: int) -> float:
    return time % 1000 / 1000 + time // 1000


# -- before 0.97 ---------------------------------------------------------------


def _plain(tape: ByteTape) -> Replay:
    """A file without a header: board, events, time, and from 0.76 on a name and a checksum."""
    tape.seek(0)
    tape.note("Clone before 0.97", "the board")
    layout = _mines(tape, 0)
    tape.take(2)
    start, end = tape.place, len(tape.data)
    if end < start + 13:
        raise tape.stopped(f"the file ends after {end} bytes", end)
    version, name, after = _tail(tape.data)
    tape.seek(after)
    told = 1000 * tape.number(2) + 10 * tape.number(1)
    tape.seek(start)
    events = EventList(tape)
    _add_moments(events, _plain_moments(tape, after, told))
    whole = events.whole()
    # The file ends with the press that won or lost; its release is not in it.
    last = whole[-1]
    for _, press, release in _BUTTONS:
        kinds = [event.kind for event in whole if event.kind in (press, release)]
        if kinds and kinds[-1] is press:
            whole += (MouseEvent(last.time, release, last.x, last.y),)
    return Replay(
        format="mvf",
        version=version,
        software=f"Minesweeper Clone {version}",
        player=name_of(name),
        layout=layout,
        cell_size=_SIZE,
        events=whole,
        seconds=check_time(tape, told / 1000),
    )


def _tail(data: bytes) -> tuple[str, bytes, int]:
    """The version, the player's name and where the time stands, told by the end of the file."""
    end = len(data)
    if end > 125 and not data[-1:].isdigit() and not data[-22:-21].isdigit():
        return "0.96 beta or earlier", data[end - 122 : end - 22], end - 125
    if end > 113 and data[end - 13 : end - 10] == b"   ":
        return "0.76 beta", data[end - 110 : end - 10], end - 113
    return "0.75 beta or earlier", b"", end - 13


def _plain_moments(tape: ByteTape, end: int, told: int) -> Iterator[_Moment]:
    """Events of eight bytes up to the time of the game; what follows is no event."""
    before = 0
    while tape.place + 8 <= end:
        second, hundredth, buttons, xh, xl, yh, yl, _ = tape.take(8)
        time = 1000 * second + 10 * hundredth
        if time < before or time > told:
            return
        before = time
        pressed = (bool(buttons & 1), bool(buttons & 4), bool(buttons & 2))
        yield time, 256 * xh + xl, 256 * yh + yl, pressed
