"""Arbitrary text and bytes into every parser: refused in one line, or a value that reads back."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mineproof.board import Board, Topology
from mineproof.board.lattices.graph import Graph
from mineproof.board.worlds import parse_worlds, read_worlds
from mineproof.errors import InputError, one_line, printable
from mineproof.files import read_text, write_text
from mineproof.generation.certificate_file import read_certificates, to_line
from mineproof.generation.certifying import certify
from mineproof.generation.no_guess import generate
from mineproof.generation.puzzle_files import shipped_puzzles
from mineproof.generation.puzzle_json import parse_puzzles, write_puzzles
from mineproof.match import Transcript, play
from mineproof.match.row import row_of
from mineproof.rules import Rules
from mineproof.view import View, notation
from mineproof.view.channels import channel
from mineproof.view.notation import board, csp, mine, short

PARSERS: dict[str, Callable[[str], object]] = {
    "View": View.parse,
    "short": short.parse,
    "board": board.parse,
    "mine": mine.parse,
    "puzzle": csp.parse,
    "worlds": parse_worlds,
    "Transcript": Transcript.parse,
    "Board": Board.parse,
    "Rules": Rules.parse,
    "Topology": Topology.parse,
    "graph JSON": Graph.from_json,
    "channel": channel,
    "certificates": read_certificates,
    "puzzles that teach": parse_puzzles,
}
TRANSCRIPT = play("hex:3x3/2", "random", seed=1, on_mine="continue").text
SAMPLES = [
    "square 3x3 mines=2\n1..\n12.\n01.\n",
    "hex 2x2 mines=unknown density=0.2 clues=withheld:0.3\n1?\n..\n",
    "cube 2x2x2 mines=1\n..\n..\n\n..\n1F\n",
    "graph 0-1,1-2 mines=1\n1*#\n",
    "# MINESWEEPER-BOARD v0.1\nrows: 2\ncolumns: 2\nmines: 1\n\n[view]\nU1\nFU\n",
    "2x2x1\nHH\n1F\n",
    "P1 2 2 1 -1 1 1 1\n",
    "S1\n0 1 1\n1 1 t\nt 1 1\n",
    "square:9x9#0,0/10",
    "mines=10 first-click=safe given=0,0;1,1",
    '{"cells": 2, "edges": [[0, 1]], "positions": [[0, 0], [1, 0]]}',
    write_puzzles(shipped_puzzles("1-2")[:1]),
    play("3x3/1", "single-point", seed=1).text,
    TRANSCRIPT,
    to_line(certify(generate("5x5/3", first_click="safe")[0])),
]


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A good text with a piece cut out, repeated or replaced: it passes the first checks."""
    text = draw(st.sampled_from(SAMPLES))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 12)))
    pieces = st.sampled_from(
        [
            "",
            " ",
            "\n",
            "\0",
            "-1",
            "0",
            "9" * 30,
            "#",
            "=",
            ",",
            ";",
            ":",
            "x",
            "²",
            "٣",
            "1e9",
            "F",
        ]
    )
    middle = draw(pieces | st.just(text[start:end] * 2) | st.text(max_size=5))
    return text[:start] + middle + text[end:]


TEXTS = st.text(max_size=80) | spoilt()


def one_line_or_value(parse: Callable[[str], object], text: str) -> None:
    try:
        parse(text)
    except InputError as error:
        message = str(error)
        if len(message.splitlines()) != 1 or len(message) > 400:
            raise AssertionError(f"not one short line: {message!r}") from error


@pytest.mark.parametrize("name", PARSERS)
@settings(max_examples=150)
@given(text=TEXTS)
@example(text="square 3x3 mines=1 clues=withheld:1/0\n...\n...\n...")
@example(text="\u2028")
@example(text="\ud800")
def test_any_text(name: str, text: str) -> None:
    one_line_or_value(PARSERS[name], text)


@settings(max_examples=100)
@given(data=st.binary(max_size=80) | TEXTS.map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_in_a_file(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "hostile"
    path.write_bytes(data)
    readers: list[Callable[[str], object]] = [
        notation.read,
        read_worlds,
        lambda name: Graph.read(Path(name)),
        Transcript.read,
        lambda name: csp.parse(read_text(name)),
    ]
    for read in readers:
        one_line_or_value(read, str(path))


@given(text=st.text(max_size=60), most=st.integers(10, 80))
@example(text="\x1b]0;title\x07 \u202e \ud800 \x9b31m \r\n", most=80)
def test_any_text_from_outside_is_made_printable(text: str, most: int) -> None:
    assert printable(text).isprintable()
    assert printable(text, "\n").replace("\n", "").isprintable()
    line = one_line(text, most)
    assert line.isprintable()
    assert len(line) <= most
    if text.isprintable():
        assert printable(text) == text


def test_addresses_of_objects_are_left_out() -> None:
    assert one_line(repr(object())) == "<object object at 0x...>"


class Raises:
    """An agent whose message differs in every run, and would turn the terminal red."""

    def act(self, view: View) -> object:
        raise ValueError(f"\x1b[31m{object()}\r\u202e")


def test_what_an_agent_says_enters_rows_the_same_in_every_run() -> None:
    rows = [row_of(play("3x3/1", Raises, seed=1)).reason for _ in range(2)]
    assert rows[0] == rows[1]
    said, _, place = rows[0].rpartition(" (")
    assert said == "failed: ValueError: \\x1b[31m<object object at 0x...> \\u202e"
    assert place.startswith("test_hostile_input.py line ")


@pytest.mark.parametrize("name", ["a\rb", "a\nb", "\x1b[31m", "a\u2028b", " a \r"])
def test_transcripts_read_back_equal(name: str, tmp_path: Path) -> None:
    game = replace(play("3x3/1", "random", seed=1), agent=name)
    assert game.agent.isprintable()
    path = tmp_path / "game"
    write_text(path, game.text)
    again = Transcript.read(path)
    assert again == game
    # A lone CR ends a line in a text as it does in a file.
    cut = game.text.replace("\n", "\r")
    path.write_bytes(cut.encode())
    assert Transcript.parse(cut) == Transcript.read(path) == again


DIGITS = "9" * 10**6
HOSTILE = {
    "a square past all memory": "square 99999999x99999999 mines=1\n.\n",
    "a graph past all memory": "graph 0-999999999 mines=1\n.\n",
    "a million digits of mines": f"square 3x3 mines={DIGITS}\n...\n...\n...\n",
    "a million digits of rows": f"square {DIGITS}x3 mines=1\n...\n",
    "a million digits of a clue": f"square 1x1 mines=1\n{DIGITS}\n",
    "a million digits in .mine": f"{DIGITS}x{DIGITS}x{DIGITS}\nH\n",
    "a million digits in a puzzle": f"P1 {DIGITS} 1 1 -1\n",
    "a million digits of a density": f"square 1x1 mines=unknown density=0.{DIGITS}\n.\n",
    "a million digits of a seed": TRANSCRIPT.replace("seed: 1 0", f"seed: {DIGITS} 0"),
    "a million digits of a step": TRANSCRIPT + f"{DIGITS} open 0,0\n",
    "a million digits of a score": TRANSCRIPT.replace("score ", f"score {DIGITS}"),
    "a large board without rows": "square 2000x2000 mines=1\n",
    "a large .board without rows": "rows: 2000\ncolumns: 2000\nmines: 1\n[view]\n",
    "a large puzzle without numbers": "P1 2000 2000 1\n",
    "many words": "square 3x3 mines=1 " + "x " * 10**5,
    "many rows": "square 3x3 mines=1\n" + ".\n" * 10**5,
    "many commas": "graph " + "," * 10**5 + " mines=1\n.",
    "many edges from one cell": "graph:" + ",".join(f"0-{n}" for n in range(1, 50_000)),
    "many blocked cells": "square:3x3#" + "0,0;" * 10**5 + "9,9",
    "deep JSON": '{"cells": ' * 10**5,
    "deep lists": '{"cells": 1, "edges": ' + "[" * 10**6,
    "a number of JSON": '{"cells": ' + DIGITS + "}",
    "many spaces": "P1" + " " * 10**6 + "x",
    "many steps of nonsense": "mineproof game\n" + "1 open\n" * 10**4,
    "a long reason": TRANSCRIPT + "9 open 0,0 proved: x from" + " 0,0" * 10**5 + " \n",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_texts_cost_little(what: str) -> None:
    text = HOSTILE[what]
    started = time.process_time()
    tracemalloc.start()
    try:
        for parse in PARSERS.values():
            one_line_or_value(parse, text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Bounds that only a hang or a blow-up passes, not measurements.
    assert time.process_time() - started < 60
    assert peak < 500 * 2**20, peak
