"""A recorded game of another program: its board, its mouse, and how a file is recognised.

Each format has a module of its own that reads bytes into a `Replay`. A file may be hostile or cut
off: every read is checked against the end, and what stops the reading is one line that names the
byte and what was read until there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.errors import InputError, NotationError, check_kind, one_line
from mineproof.files import MAX_TEXT_BYTES, decode_text, read_bytes
from mineproof.text import many

if TYPE_CHECKING:
    from mineproof.game.transcript import Transcript
    from mineproof.replay.clicks import ClickRecord
    from mineproof.replay.statistics import Statistics

MOST_BYTES = 16 * 2**20
"""The longest file that is read; an hour of play at a thousand events a second is shorter."""
MOST_EVENTS = 1_000_000

# -- The value -----------------------------------------------------------------


class Mouse(Enum):
    """What the mouse did, in the two letters that RAWVF writes."""

    MOVE = "mv"
    LEFT_DOWN = "lc"
    LEFT_UP = "lr"
    RIGHT_DOWN = "rc"
    RIGHT_UP = "rr"
    MIDDLE_DOWN = "mc"
    MIDDLE_UP = "mr"
    BOTH_DOWN = "cc"
    """A second button went down, the file does not say which."""
    FLAG_BEFORE = "pf"
    """A flag that was set before the recording began."""


class MouseEvent(NamedTuple):
    """One event: milliseconds since the clock started, and pixels from the board's corner."""

    time: int
    kind: Mouse
    x: int
    y: int


@dataclass(frozen=True)
class Replay:
    """A recorded game of another program. `seconds` is its time as that program kept it.

    `format` is one of avf, evf, rmv, mvf, rawvf; `version` is that of the format or the program
    where the reading depends on it.

    >>> text = "Width: 2\\nHeight: 1\\nMines: 1\\nBoard:\\n0*\\n0.0 lc (3 4)\\n0.5 lr (3 4)\\n"
    >>> replay = mp.Replay.parse(text.encode())
    >>> replay.statistics.values["left"], replay.transcript.outcome.text
    (1, 'won (cleared)')
    """

    format: str
    version: str
    software: str
    player: str
    layout: Layout
    cell_size: int
    events: tuple[MouseEvent, ...]
    seconds: float
    mode: str = "classic"
    started: str = ""

    @classmethod
    def read(cls, path: str | Path) -> Replay:
        """The recorded game of a file, or of standard input for `-`. Raises NotationError."""
        try:
            return cls.parse(read_bytes(path, MOST_BYTES), str(path))
        except NotationError as error:
            raise error.within(str(path)) if error.source is None else error from None

    @classmethod
    def parse(cls, data: bytes, name: str = "") -> Replay:
        """The recorded game of a file's bytes. Raises NotationError.

        The ending of `name` decides between formats that begin alike.
        """
        check_kind(data, bytes, "replay", "the bytes of a file")
        if len(data) > MOST_BYTES:
            raise NotationError(f"the file is longer than {MOST_BYTES} bytes")
        found = format_of(data, name)
        if found is None:
            raise NotationError(f"not a recorded game; accepted: {', '.join(FORMATS)}")
        replay: Replay = import_module(f"mineproof.replay.{found}").parse(data)
        return replay

    @property
    def rows(self) -> int:
        return int(self.layout.topology.lattice.dimensions[0])

    @property
    def cols(self) -> int:
        return int(self.layout.topology.lattice.dimensions[1])

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell under a place of the mouse; None off the board."""
        row, col = y // self.cell_size, x // self.cell_size
        on = 0 <= row < self.rows and 0 <= col < self.cols
        return row * self.cols + col if on else None

    def trail(self, most: int = 20_000) -> Iterator[float]:
        """Where the mouse was: seconds, column and row in cells, of at most `most` moments.

        Of a longer recording every second, third, ... event is left out.
        """
        for event in self.events[:: 1 + (len(self.events) - 1) // most]:
            yield event.time / 1000
            yield round(event.x / self.cell_size, 2)
            yield round(event.y / self.cell_size, 2)

    @cached_property
    def played(self) -> ClickRecord:
        """The clicks of the game and what they did."""
        from mineproof.replay.clicks import play_clicks

        return play_clicks(self)

    @cached_property
    def statistics(self) -> Statistics:
        """The players' measures of the game."""
        from mineproof.replay.statistics import statistics_of

        return statistics_of(self)

    @property
    def transcript(self) -> Transcript:
        """The moves that changed the board, as a game of mineproof's own."""
        return self.played.transcript

    @property
    def rawvf(self) -> str:
        """The game as RAWVF text; `parse` reads it back."""
        from mineproof.replay.rawvf import write

        return write(self)

    @property
    def title(self) -> str:
        """The game in a line."""
        mines = self.layout.total
        who = self.player or "nobody named"
        end = self.played.outcome.text
        return (
            f"{self.rows}x{self.cols}/{mines}, {who}, {self.software}: {end}, {self.seconds:.3f} s"
        )

    def __repr__(self) -> str:
        return f"<replay {self.format}: {self.title}>"


# -- The formats, and how one is told from another -----------------------------

FORMATS = {
    "avf": "Minesweeper Arbiter",
    "evf": "Metasweeper",
    "rmv": "Vienna MineSweeper",
    "mvf": "Minesweeper Clone",
    "rawvf": "text",
}
"""The formats that are read, with the program that writes each."""
_TEXT = re.compile(rb"^\s*(?:Width|Height|Mines|Board|RawVF_Version)\s*:", re.I | re.M)
_OLD_CLONE = {b"\x08\x08", b"\x10\x10", b"\x1e\x10"}
"""The first two bytes of a Clone file before version 0.97: width and height."""


def format_of(data: bytes, name: str = "") -> str | None:
    """The format of a file's bytes; None for what is no recorded game."""
    ending = name.rpartition(".")[2].lower()
    if data.startswith(b"*rmv"):
        return "rmv"
    if data.startswith(b"\x11M"):
        return "mvf"
    if _TEXT.search(data[:4096]):
        return "rawvf"
    if ending in FORMATS:
        return ending
    if len(data) < 16:
        return None
    if data[:2] in _OLD_CLONE:
        return "mvf"
    if data[5] in (3, 4, 5, 6) and b"cs=" in data:
        return "avf"
    if 1 <= data[0] <= 4:
        return "evf"
    return "mvf" if data[:2] == b"\0\0" else None


def read_game(path: str | Path) -> Transcript | Replay:
    """The game of a file, or of standard input for `-`: our own, or another program's recording.

    Raises NotationError.
    """
    from mineproof.game.transcript import HEADER, Transcript

    data = read_bytes(path, MAX_TEXT_BYTES)
    own = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(HEADER.encode())
    try:
        if not own and format_of(data, str(path)) is not None:
            return Replay.parse(data, str(path))
        if not own:
            names = ", ".join(FORMATS)
            raise NotationError(
                f"not a game; accepted: a text that begins with `{HEADER}`, or a recording: {names}"
            )
        return Transcript.parse(decode_text(data, path))
    except NotationError as error:
        raise error.within(str(path)) if error.source is None else error from None


# -- Bytes with bounds ---------------------------------------------------------


class ByteTape:
    """Reads numbers, most significant byte first, and texts; never past the end.

    `note` keeps what was read so far, for the line that says where the reading stopped.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0
        self.read: list[str] = []
        self.part = "the header"

    def note(self, what: str, part: str) -> None:
        """Something was read whole; `part` comes next."""
        self.read.append(what)
        self.part = part

    def stopped(self, why: str, place: int | None = None) -> NotationError:
        """The error that says where and why the reading stopped, and what was read."""
        place = self.place if place is None else place
        until = f"; read until there: {', '.join(self.read)}" if self.read else ""
        return NotationError(f"stopped at byte {place}, in {self.part}: {why}{until}")

    def take(self, count: int) -> bytes:
        end = self.place + count
        if end > len(self.data):
            raise self.stopped(f"the file ends after {len(self.data)} bytes", len(self.data))
        found = self.data[self.place : end]
        self.place = end
        return found

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")

    def signed(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big", signed=True)

    def pair(self) -> tuple[int, int]:
        """Two bytes, as two numbers."""
        one, two = self.take(2)
        return one, two

    def until(self, end: bytes) -> bytes:
        """The bytes before the next `end`, which is passed."""
        at = self.data.find(end, self.place)
        if at < 0:
            raise self.stopped(f"no byte {end!r} follows; the file ends too early", len(self.data))
        found = self.data[self.place : at]
        self.place = at + len(end)
        return found

    def seek(self, place: int) -> None:
        if not 0 <= place <= len(self.data):
            raise self.stopped(f"the file ends after {len(self.data)} bytes", len(self.data))
        self.place = place

    def mines(self, rows: int, cols: int, places: Iterator[tuple[int, int]]) -> Layout:
        """The layout of mines at (row, column), each read when it is asked for."""
        topology = board_of(self, rows, cols)
        found = np.zeros(rows * cols, dtype=np.uint8)
        self.part = "the mines"
        for row, col in places:
            if not (0 <= row < rows and 0 <= col < cols):
                raise self.stopped(f"a mine at {row},{col} is off the {rows}x{cols} board")
            if found[row * cols + col]:
                raise self.stopped(f"the mine at {row},{col} is listed twice")
            found[row * cols + col] = 1
        return self._laid(topology, found)

    def mine_bits(self, rows: int, cols: int) -> Layout:
        """The layout of a board written as one bit a cell."""
        topology = board_of(self, rows, cols)
        self.part = "the mines"
        packed = np.frombuffer(self.take((rows * cols + 7) // 8), dtype=np.uint8)
        return self._laid(topology, np.unpackbits(packed)[: rows * cols].copy())

    def _laid(self, topology: Topology, mines: NDArray[np.uint8]) -> Layout:
        layout = Layout(topology, mines)
        self.note(f"the board {topology.shape}/{layout.total}", "what follows the board")
        return layout


def board_of(tape: ByteTape, rows: int, cols: int) -> Topology:
    """The board of a file's size. Raises NotationError."""
    if not (1 <= rows <= 256 and 1 <= cols <= 256):
        raise tape.stopped(f"a board of {rows}x{cols}; accepted: 1x1 to 256x256")
    return Topology.of("square", f"{rows}x{cols}")


class EventList:
    """The events of a file as they are read; time never runs backwards by more than a step."""

    def __init__(self, tape: ByteTape) -> None:
        self.tape = tape
        self.events: list[MouseEvent] = []
        tape.part = "the events"

    def add(self, time: int, kind: Mouse, x: int, y: int) -> None:
        if len(self.events) >= MOST_EVENTS:
            raise self.tape.stopped(f"more than {MOST_EVENTS} events")
        self.events.append(MouseEvent(time, kind, x, y))
        self.tape.part = f"the events, after {many(len(self.events), 'event')}"

    def whole(self) -> tuple[MouseEvent, ...]:
        """All events. Raises NotationError where there are none."""
        if not self.events:
            raise self.tape.stopped("the game has no events")
        self.tape.note(many(len(self.events), "event"), "what follows the events")
        return tuple(self.events)


# -- Names: somebody's, in the encoding of somebody's machine ------------------

_HIGH = re.compile(rb"[\x80-\xff]+")


def name_of(data: bytes) -> str:
    """A name in UTF-8, GBK or Latin-1, as one printable line.

    GBK writes a character as two high bytes, Latin-1 a letter as one, mostly among ASCII letters.

    >>> name_of("Müller".encode("latin-1")), name_of("王嘉宁".encode("gbk"))
    ('Müller', '王嘉宁')
    """
    return one_line(_decode(data.strip(b"\0 \r\n")), 80)


def program_of(data: bytes) -> str:
    """The name and version of a program, without what it says of its rights."""
    return re.split(r"\s*(?:\.?\s*Copyright|\([cC]\)|©)", name_of(data), maxsplit=1)[0]


def _decode(data: bytes) -> str:
    for encoding in ("utf-8", "gb18030"):
        if encoding == "gb18030" and not _pairs(data):
            continue
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _pairs(data: bytes) -> bool:
    """Whether the high bytes come in pairs, as GBK writes them."""
    runs = list(_HIGH.finditer(data))
    if any((run.end() - run.start()) % 2 for run in runs):
        return False
    long = any(run.end() - run.start() > 2 for run in runs)
    beside = (data[run.start() - 1 : run.start()] + data[run.end() : run.end() + 1] for run in runs)
    return long or not any(re.search(rb"[A-Za-z]", near) for near in beside)


def check_time(tape: ByteTape, seconds: float) -> float:
    """A game's time if it can be one. Raises NotationError."""
    if not 0 <= seconds < 10_000_000:
        raise tape.stopped(f"a time of {seconds} seconds; accepted: 0 or more")
    return seconds


def check_text_size(value: int, least: int, most: int, what: str) -> int:
    """A number of a text format within its limits. Raises InputError."""
    if not least <= value <= most:
        raise InputError(f"{what} {value}; accepted: {least} to {most}")
    return value
