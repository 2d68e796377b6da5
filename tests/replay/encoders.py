"""Small writers of the formats that mineproof only reads, and games to write: no file of anybody's.

Each takes a `Recorded` and gives the bytes of a file. `random_game` plays with a mouse that presses
and releases at random, as no person would and as the counting of clicks must bear.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

Event = tuple[int, str, int, int]
"""Milliseconds, kind, x, y."""

STANDARD = {(8, 8, 10): 3, (16, 16, 40): 4, (16, 30, 99): 5}


@dataclass
class Recorded:
    """A game to be written."""

    rows: int
    cols: int
    mines: list[tuple[int, int]]
    events: list[Event]
    player: bytes = b"A player"
    size: int = 16
    seconds: float = 1.0
    three_bv: int = 1
    flags: list[tuple[int, int]] = field(default_factory=list)

    @property
    def level(self) -> int:
        return STANDARD.get((self.rows, self.cols, len(self.mines)), 6)


def random_game(
    seed: int, rows: int = 8, cols: int = 8, mines: int = 10, step: int = 10
) -> Recorded:
    """A game of random clicks that open, flag and chord; times are multiples of `step`."""
    dice = random.Random(seed)
    places = [(row, col) for row in range(rows) for col in range(cols)]
    laid = dice.sample(places, mines)
    safe = [place for place in places if place not in laid]
    time, events = 0, []
    row, col = dice.choice(safe)

    def put(kind: str, where: tuple[int, int]) -> None:
        x = 16 * where[1] + dice.randrange(16)
        y = 16 * where[0] + dice.randrange(16)
        events.append((time, kind, x, y))

    put("lc", (row, col))
    put("lr", (row, col))
    held = ""
    for _ in range(dice.randrange(20, 200)):
        time += 10 * dice.randrange(0, 12)
        where = dice.choice(safe if dice.random() < 0.8 else laid if laid else safe)
        put("mv", where)
        if not held:
            kind = dice.choice(["l", "l", "r", "r", "b", "b", "m", "x"])
            if kind == "r" and laid and dice.random() < 0.7:
                where = dice.choice(laid)
            if kind in "lr":
                put(kind + "c", where)
                put(kind + "r", where)
            elif kind == "m":
                put("mc", where)
                put("mr", where)
            elif kind == "b":
                first, second = dice.sample("lr", 2)
                put(first + "c", where)
                put(second + "c", where)
                up = dice.sample("lr", 2)
                put(up[0] + "r", where)
                put(up[1] + "r", dice.choice(safe))
            else:
                held = dice.choice("lr")
                put(held + "c", where)
        else:
            put(held + "r", where)
            held = ""
    return Recorded(rows, cols, laid, events, seconds=max(time, 10) / 1000)


# -- EVF -----------------------------------------------------------------------

EVF = {"mv": 1, "lc": 2, "lr": 3, "rc": 4, "rr": 5, "mc": 6, "mr": 7, "pf": 8, "cc": 9}


def _bits(game: Recorded) -> bytes:
    bits = ["0"] * (-(-game.rows * game.cols // 8) * 8)
    for row, col in game.mines:
        bits[row * game.cols + col] = "1"
    return int("".join(bits), 2).to_bytes(len(bits) // 8, "big")


def _u(value: int, count: int) -> bytes:
    return value.to_bytes(count, "big")


def evf(game: Recorded, version: int = 3) -> bytes:
    time = round(1000 * game.seconds)
    data = bytes([version, 0xE0]) + (b"\0" if version >= 3 else b"")
    data += bytes([game.rows, game.cols]) + _u(len(game.mines), 2) + bytes([game.size])
    data += _u(0, 2) + _u(game.three_bv, 2)
    if version == 4:
        data += _u(time, 4) + b"XX" + _u(10**15, 8) + _u(10**15, 8)
        data += b"test\0" + game.player + b"\0race\0unique\0" + _u(3, 2) + b"abc"
        data += _bits(game) + _u(1, 2) + b"measure\0"
        return data + _evf4_events(game) + b"\0" + _u(2, 2) + b"cs"
    data += _u(time, 3) + b"test\0" + game.player + b"\0race\0unique\0" + b"1\0" + b"2\0" + b"XX\0"
    data += b"device\0" if version >= 2 else b""
    data += _bits(game)
    for when, kind, x, y in game.events:
        data += bytes([EVF[kind]]) + _u(when, 3) + _u(x, 2) + _u(y, 2)
    return data + b"\xff"


def _evf4_events(game: Recorded) -> bytes:
    data = b""
    last, px, py = 0, 0, 0
    for number, (when, kind, x, y) in enumerate(game.events):
        gap = when - last
        while gap > 255:
            data += b"\xff" + _u(min(gap - 255, 65535), 2)
            gap -= min(gap - 255, 65535)
        data += bytes([EVF[kind], gap])
        if number:
            data += (x - px).to_bytes(2, "big", signed=True)
            data += (y - py).to_bytes(2, "big", signed=True)
        else:
            data += _u(x, 2) + _u(y, 2)
        last, px, py = when, x, y
    return data


# -- RMV -----------------------------------------------------------------------


def rmv(game: Recorded, version: int = 1) -> bytes:
    """Without the first press of the left button, as the program leaves it out."""
    about, fields = b"test program", bytes([len(game.player)]) + game.player + b"\4nick\0\0"
    told = b"\nLEVEL:Custom#SCORE:1#NAME:a#NICK:b#3BV:001#NF:0#TIMESTAMP:1234567890#\n"
    board = _u(1, 4) + bytes([game.cols, game.rows]) + _u(len(game.mines), 2)
    board += b"".join(bytes([col, row]) for row, col in game.mines)
    flags = _u(len(game.flags), 2) + b"".join(bytes([col, row]) for row, col in game.flags)
    flags = flags if game.flags else b""
    level = game.level - 3
    if version == 1:
        properties, further = bytes([0, 0, 0, level]), b""
    else:
        properties, further = bytes([0, 0, 0, level, 1, 0, game.size]), _u(1, 2) + b"\1k\1v"
    events = _rmv_events(game, version)
    body = (told if version == 1 else b"") + about + _u(4, 2) + fields + board + flags
    body += properties + further + events + b"sum"
    sizes = _u(len(told), 2) if version == 1 else b""
    sizes += _u(len(about), 2) + _u(len(fields) + 2, 2) + _u(len(board), 2)
    sizes += _u(len(flags), 2) + _u(len(properties), 2)
    sizes += _u(len(further), 2) if version == 2 else b""
    sizes += _u(len(events), 4) + _u(3, 2)
    head = b"*rmv" + _u(version, 2) + (b"\1\1" if version == 2 else b"")
    return head + _u(len(head) + 4 + len(sizes) + len(body), 4) + sizes + body


def _rmv_events(game: Recorded, version: int) -> bytes:
    left, top = (12, 56) if version == 1 else (0, 0)
    data, last = b"", (0, 0, 0)
    for number, (when, kind, x, y) in enumerate(game.events[1:]):
        gap, dx, dy = when - last[0], x - last[1], y - last[2]
        small = number and kind == "mv" and gap < 256 and -8 <= dx <= 7 and -8 <= dy <= 7
        if version == 2 and small:
            data += bytes([28, gap, (dx & 15) << 4 | dy & 15])
        else:
            data += bytes([EVF[kind]]) + _u(when, 3) + b"\0"
            data += (x + left).to_bytes(2, "big", signed=True)
            data += (y + top).to_bytes(2, "big", signed=True)
        data += b"\x13\0\0" if kind == "lr" else b""
        last = (when, x, y)
    return data + b"\x10" + _u(game.events[-1][0], 3)


# -- AVF -----------------------------------------------------------------------

AVF = {"mv": 1, "lc": 3, "lr": 5, "rc": 9, "rr": 17, "mc": 33, "mr": 65}


def avf(game: Recorded) -> bytes:
    """Times are multiples of ten milliseconds."""
    data = bytes([52, 1, 2, 3, 4, game.level])
    if game.level == 6:
        data += bytes([game.cols - 1, game.rows - 1]) + _u(len(game.mines), 2)
    data += b"".join(bytes([row + 1, col + 1]) for row, col in game.mines)
    last = game.events[-1][0] / 1000
    custom = b"W8H8M10|" if game.level == 6 else b""
    data += bytes(24) + b"\x7f5[" + bytes([48 + game.level - 3]) + b"|" + custom
    data += b"17.4.2018.19:45:57:5503|17.19:46:00:5576|B12T"
    data += f"{last + 1:.2f}]".encode() + b"\x04\x03"
    for when, kind, x, y in game.events:
        second = when // 1000 + 1
        data += bytes([AVF[kind], x >> 8, second & 255, x & 255, when % 1000 // 10, y >> 8])
        data += bytes([second >> 8, y & 255])
    data += bytes([1, 0, 0, 0, 0, 0, 0, 0]) + b"\1\2\3\rcs=" + bytes(16)
    data += b"\rRealTime: 1.00\rSkin: 3.1\r" + game.player
    return data + b"\rMinesweeper Arbiter 0.52.3. Copyright"


# -- MVF -----------------------------------------------------------------------


def _buttons(game: Recorded) -> list[tuple[int, int, int, int, int, int]]:
    """Each event as time, place and left, right, middle down."""
    down = {"l": 0, "r": 0, "m": 0}
    found = []
    for when, kind, x, y in game.events:
        if kind != "mv":
            down[kind[0]] = int(kind[1] == "c")
        found.append((when, x, y, down["l"], down["r"], down["m"]))
    return found


def _shuffled(seed: int, values: int) -> list[int]:
    one, two = math.sqrt(seed), math.sqrt(seed + 1000.0)
    three, four = math.sqrt(one + 1000.0), math.sqrt(two + 1000.0)
    waves = [math.cos(three + 1000.0), math.sin(math.sqrt(two)), math.cos(three)]
    waves += [math.sin(math.sqrt(one) + 1000.0), math.cos(four), math.sin(four)]
    digits = "".join(f"{round(abs(wave) * 1e8):08}" for wave in waves[:values])
    return sorted(range(8 * values), key=lambda place: digits[place])


def mvf(game: Recorded, year: int = 2005, seed: int = 4711) -> bytes:
    """Of 2005 (0.97 beta), 2006 or 2007; the times of 2005 are multiples of ten milliseconds."""
    fine = year > 2005
    data = b"\x11Minesweeper Clone\t2004-" + str(year).encode()
    data = data.ljust(53, b" ") + (b"\x0e" + str(year).encode() + b" release 1 " if fine else b"")
    data = data.ljust(71 if fine else 74, b" ") + bytes([4, 17]) + _u(year, 2) + bytes([1, 2, 3])
    data += bytes([game.level - 2, 1])
    time = game.events[-1][0]
    data += _u(time, 3) if fine else _u(time // 1000, 2) + bytes([time % 1000 // 10]) + bytes(10)
    data += b"\0" + bytes([game.cols, game.rows]) + _u(len(game.mines), 2)
    data += b"".join(bytes([col + 1, row + 1]) for row, col in game.mines)
    data += bytes([len(game.player)]) + game.player + _u(seed, 2)
    order = _shuffled(seed, 6 if fine else 5)
    moments = _buttons(game)
    data += _u(len(moments), 3)
    for when, x, y, left, right, middle in moments:
        values = [(right, 1), (middle, 1), (left, 1)]
        if fine:
            values += [(y + 32, 11), (x + 32, 11), (when, 22)]
        else:
            values += [(y, 9), (x, 9), (when % 1000 // 10, 7), (when // 1000, 10)]
        bits = [value >> place & 1 for value, count in values for place in range(count)]
        packed = bytearray(len(order) // 8)
        for bit, place in zip(bits, order, strict=False):
            packed[place // 8] |= bit << place % 8
        data += bytes(packed)
    return data


def old_mvf(game: Recorded) -> bytes:
    """Before 0.97: events of eight bytes, the name and the time at the end."""
    data = bytes([game.cols, game.rows]) + _u(len(game.mines), 2)
    data += b"".join(bytes([col, row]) for row, col in game.mines) + b"\0\0"
    for when, x, y, left, right, middle in _buttons(game):
        buttons = left | middle << 1 | right << 2
        data += bytes([when // 1000, when % 1000 // 10, buttons]) + _u(x, 2) + _u(y, 2) + b"\0"
    time = game.events[-1][0]
    data += _u(time // 1000, 2) + bytes([time % 1000 // 10])
    return data + game.player.ljust(100) + b"\0" + bytes([65] * 20) + b"\0"


ENCODERS: dict[str, tuple[str, Callable[[Recorded], bytes]]] = {
    "evf1": ("evf", lambda game: evf(game, 1)),
    "evf2": ("evf", lambda game: evf(game, 2)),
    "evf3": ("evf", lambda game: evf(game, 3)),
    "evf4": ("evf", lambda game: evf(game, 4)),
    "rmv1": ("rmv", lambda game: rmv(game, 1)),
    "rmv2": ("rmv", lambda game: rmv(game, 2)),
    "avf": ("avf", avf),
    "mvf 0.96": ("mvf", old_mvf),
    "mvf 0.97": ("mvf", mvf),
    "mvf 2006": ("mvf", lambda game: mvf(game, 2006)),
    "mvf 2007": ("mvf", lambda game: mvf(game, 2007)),
}
"""Each version of each format, with the ending of its files."""
