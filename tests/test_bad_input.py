"""Bad values, hostile text and values of the wrong kind: refused in one line, or read as meant."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.agents.catalog import make_agent
from mineproof.board import Board, Topology
from mineproof.board.lattices import Graph
from mineproof.board.presets import parse_worlds, read_worlds
from mineproof.errors import InputError, one_line, printable
from mineproof.files import read_text, write_text
from mineproof.game import Transcript, play
from mineproof.game.rows import row_of
from mineproof.generation import make_puzzles, shipped_puzzles
from mineproof.generation.certificate import read_certificates, to_line
from mineproof.generation.no_guess import generate
from mineproof.generation.puzzle_files import parse_puzzles, write_puzzles
from mineproof.generation.solvability import certify
from mineproof.rules import Given, Rules
from mineproof.view import View, notation
from mineproof.view.channels import channel

# -------------------------------------------------------------------------------- arbitrary values


ROWS = "\n...\n...\n..."

CASES: dict[str, tuple[Callable[[], object], str]] = {
    "unknown board": (lambda: play("beginer"), "did you mean beginner"),
    "unknown agent": (lambda: make_agent("randm"), "did you mean random"),
    "unknown topology": (lambda: Board.parse("hexx:3x3/1"), "did you mean hex"),
    "size of 0": (lambda: Board.parse("0x9/1"), "accepted: sides of 1 and more"),
    "negative size": (lambda: Board.parse("-3x9/1"), "accepted: such as 16x30"),
    "more mines than cells": (lambda: Board.parse("3x3/10"), "accepted: at most one per cell"),
    "no room beside a safe click": (lambda: play("3x3/9"), "accepted: at most 8"),
    "no room beside an opening": (
        lambda: play("3x3/6", first_click="opening"),
        "kept free by first click opening; accepted: at most 5",
    ),
    "no room beside given cells": (lambda: play("3x3/8", given="0,0;2,2"), "accepted: at most 7"),
    "density above 1": (lambda: Board.parse("9x9/120%"), "accepted: 0 to 1"),
    "density below 0": (lambda: Board.parse("9x9/-5%"), "from 0 to 1"),
    "ragged rows": (
        lambda: View.parse("square 3x3 mines=1\n...\n..\n..."),
        "line 3: row 1 has 2 cells and needs 3",
    ),
    "unknown character": (
        lambda: View.parse("square 3x3 mines=1\n...\n.!.\n..."),
        "line 3: unknown mark '!'; accepted: . hidden",
    ),
    "truncated position": (
        lambda: View.parse("square 3x3 mines=1\n..."),
        "line 2: the text ends after 1 of 3 rows",
    ),
    "truncated world": (lambda: parse_worlds("S1\n"), "line 1: world S1 has no rows"),
    "truncated game": (
        lambda: Transcript.parse(play("3x3/1", seed=1).text.split("seed:")[0]),
        "the game has no line",
    ),
    "clue above its neighbours": (
        lambda: View.parse("square 3x3 mines=1\n4..\n...\n..."),
        "line 2: clue 4 at 0,0, which has 3 neighbours; accepted: 0 to 3",
    ),
    "graph with a self-loop": (lambda: Board.parse("graph:0-1,1-1/1"), "accepted: two cells"),
    "graph with a missing cell": (
        lambda: Graph.from_json('{"cells": 2, "edges": [[0, 2]]}'),
        "names a missing cell; accepted: 0 to 1",
    ),
    "graph file that is not there": (
        lambda: Board.parse("graph:none.json/1"),
        "cannot be read .*accepted: an edge list",
    ),
    "board past the limit": (lambda: Topology.parse("9999x9999"), "accepted: at most 4000000"),
    "cell off the board": (lambda: play("3x3/1", given="5,5"), "accepted: 2 coordinates from 0"),
    "clues of no channel": (lambda: View.parse(f"square 3x3 mines=1 clues=x{ROWS}"), "line 1: .*x"),
    "seed out of range": (lambda: play("3x3/1", seed=-1), "accepted: 0 to"),
    "rule without such a value": (lambda: play("3x3/1", goal="win"), "accepted: clear, mark-all"),
}


@pytest.mark.parametrize("what", CASES)
def test_bad_input_is_refused_in_one_line(what: str) -> None:
    call, message = CASES[what]
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 300


def test_binary_files_are_refused_in_one_line(tmp_path) -> None:
    path = tmp_path / "binary"
    path.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(InputError, match="not UTF-8 text; accepted: a text file") as caught:
        read_text(path)
    assert len(str(caught.value).splitlines()) == 1


# ------------------------------------------------------------------------ values of the wrong kind


TEXT = "square 3x3 mines=2\n1..\n12.\n01."
VIEW = mp.View.parse(TEXT)
GAME = mp.play("4x4/2", seed=3)
TOPOLOGY = VIEW.topology
CELLS = "accepted: a list of cells"

KINDS: dict[str, tuple[Callable[[Any], object], str]] = {
    "analyze budget": (lambda x: mp.analyze(VIEW, budget=x), "accepted: a Budget"),
    "analyze_many budget": (lambda x: mp.analyze_many([VIEW], budget=x), "accepted: a Budget"),
    "analyze_many views": (lambda x: mp.analyze_many(x), "accepted: a list of positions"),
    "analyze_many threads": (lambda x: mp.analyze_many([VIEW], threads=x), "threads"),
    "Session budget": (lambda x: mp.Session(VIEW, budget=x), "accepted: a Budget"),
    "advise budget": (lambda x: mp.advise(VIEW, budget=x), "accepted: a Budget"),
    "advise wins": (lambda x: mp.advise(VIEW, wins=x), "accepted: what win_chances returns"),
    "win_chances cells": (lambda x: mp.win_chances(VIEW, cells=x), CELLS),
    "win_chances also": (lambda x: mp.win_chances(VIEW, also=x), CELLS),
    "chains.of": (lambda x: mp.chains.of(x), "accepted: a Transcript"),
    "chains.graph": (lambda x: mp.chains.graph(x), "accepted: what chains.of returns"),
    "review": (lambda x: mp.review(x), "accepted: a Transcript"),
    "review moves": (lambda x: mp.review([x]), "accepted: a view, a Decision"),
    "review effort": (lambda x: mp.review(GAME, effort=x), "accepted: an Effort"),
    "review watch": (lambda x: mp.review(GAME, watch=x), "accepted: a function"),
    "play watch": (lambda x: mp.play("4x4/2", watch=x), "accepted: a function"),
    "play given": (lambda x: mp.play("4x4/2", given=x), "accepted: a text, a list of coordinates"),
    "generate watch": (lambda x: mp.generate("5x5/3", watch=x), "accepted: a function"),
    "compare watch": (lambda x: mp.compare(["random"], watch=x), "accepted: a function"),
    "compare out": (lambda x: mp.compare(["random"], out=x), "accepted: the path of a folder"),
    "compare engine": (lambda x: mp.compare(["random"], engine=x), "engine '5.5' is no text"),
    "compare secret": (lambda x: mp.compare(["random"], secret=x), "secret '5.5' is no text"),
    "Topology lattice": (lambda x: mp.Topology(x), "accepted: one, or a text"),
    "Topology blocked": (lambda x: mp.Topology.of("square", "3x3", x), "by their coordinates"),
    "Topology blocked cell": (lambda x: mp.Topology.of("square", "3x3", [x]), "its coordinates"),
    "Topology name": (lambda x: mp.Topology.of(x, "3x3"), "topology '5.5' is no text"),
    "Topology shape": (lambda x: mp.Topology.of("square", x), "shape '5.5' is no text"),
    "steps_to": (lambda x: TOPOLOGY.steps_to(0, x), CELLS),
    "CellSet": (lambda x: mp.CellSet(x), "accepted: a Topology"),
    "CellSet mask": (lambda x: mp.CellSet(TOPOLOGY, x), "mask '5.5' is no whole number"),
    "CellSet.of": (lambda x: mp.CellSet.of(TOPOLOGY, x), CELLS),
    "CellSet.parse": (lambda x: mp.CellSet.parse(TOPOLOGY, x), "cell set '5.5' is no text"),
    "Layout": (lambda x: mp.Layout(TOPOLOGY, x), "accepted: an array of 9 bytes"),
    "Layout topology": (lambda x: mp.Layout(x, np.zeros(9, np.uint8)), "accepted: a Topology"),
    "Layout.of": (lambda x: mp.Layout.of(TOPOLOGY, x), CELLS),
    "Mines.density": (lambda x: mp.Mines.density(x), "accepted: 0 to 1"),
    "Given cells": (lambda x: Given(cells=x), "by their coordinates"),
    "Given random": (lambda x: Given(random=x), "random '5.5' is no whole number"),
    "Given factor": (lambda x: Given(factor=x), "accepted: a Fraction"),
    "View.of_codes": (lambda x: mp.View.of_codes(TOPOLOGY, VIEW.rules, x), "an array of 9 bytes"),
    "with_flags": (lambda x: VIEW.with_flags(x), CELLS),
    "opened_since": (lambda x: VIEW.opened_since(x), "accepted: a View"),
    "with_unsound": (lambda x: GAME.with_unsound(x), "accepted: chances by step"),
    "step_text": (lambda x: GAME.step_text(1, x), "accepted: one of the steps"),
    "check_proof states": (
        lambda x: mp.check_proof(mp.explain(VIEW, 1), VIEW, x),
        "most_states '5.5' is no whole number",
    ),
    "shipped_puzzles": (lambda x: shipped_puzzles(x), "pattern '5.5' is no text"),
    "make_puzzles": (lambda x: make_puzzles(x), "pattern '5.5' is no text"),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_value_of_the_wrong_kind_is_refused_in_one_line(name: str) -> None:
    call, said = KINDS[name]
    with pytest.raises(mp.InputError) as caught:
        call(5.5)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numbers_that_no_machine_holds_are_refused() -> None:
    huge = 10**30
    for call in (
        lambda: mp.play_many("4x4/2", games=huge),
        lambda: mp.endgame(VIEW, work=huge),
        lambda: mp.analyze(VIEW).sample(huge),
        lambda: mp.analyze_many([VIEW], threads=huge),
    ):
        with pytest.raises(mp.InputError, match="accepted"):
            cast("Callable[[], object]", call)()


@pytest.mark.parametrize(
    "given", ["0,0;3,4", [(0, 0), (3, 4)], [[0, 0], [3, 4]], Given(cells=((0, 0), (3, 4)))]
)
def test_given_cells_are_taken_as_a_text_a_list_or_a_value(given: Any) -> None:
    assert mp.Rules().with_words(given=given).given.text == "0,0;3,4"
    assert mp.Rules(given=given) == mp.Rules.parse("given=0,0;3,4")
    assert Given.of(given) == Given.parse("0,0;3,4")
    assert mp.Referee("9x9/10", given=given).view.is_open((3, 4))


def test_our_own_values_are_taken_where_their_text_is() -> None:
    assert mp.CellSet.parse("3x3", "x..\n...\n...") == mp.CellSet.of(TOPOLOGY, [0])
    assert mp.Rules().with_words(mines=np.int64(3)).mines == mp.Mines.number(3)
    assert mp.Mines.density(np.float32(0.5)) == mp.Mines.density(np.float64(0.5))
    assert mp.Mines.density(np.float64(0.5)) == mp.Mines.density(Fraction(1, 2))
    safe = mp.analyze(VIEW).safe
    assert [win.cell for win in mp.win_chances(VIEW, cells=safe)] == list(safe)
    assert VIEW.with_flags(mp.analyze(VIEW).mines).flag_count == 1


# ------------------------------------------------------------------- hostile text, files and sizes


PARSERS: dict[str, Callable[[str], object]] = {
    "View": View.parse,
    "short": notation.parse_short_text,
    "board": notation.parse_board_text,
    "mine": notation.parse_mine_text,
    "puzzle": notation.parse_puzzles,
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
        lambda name: notation.parse_puzzles(read_text(name)),
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
    assert place.startswith("test_bad_input.py line ")


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


LONG = {
    "rows": "square 3x3 mines=2\n" + ".\n" * 10**6,
    "rows of .mine": "3x3x2\n" + "H\n" * 10**6,
    "rows of .board": "rows: 1\ncolumns: 1\nmines: 0\n[view]\n" + "U\n" * 10**6,
    "fields": "# MINESWEEPER-BOARD v0.1\n" + "a: b\n" * 10**6,
    "empty lines": "\n" * 10**7,
    "words of a header": "square 3x3 mines=2 " + "a " * 10**6,
    "words of a row": "square 1x3 mines=1\n" + ". " * 10**6,
    "numbers of a puzzle": "P1 9 9 10 " + "-1 " * 10**6,
    "free cells": "square 1x3 mines=1 free=" + "0,1;" * 10**6 + "0,2\n...",
    "pairs of a graph": "graph " + ",".join(f"{n}-{n + 1}" for n in range(1_000_001)) + " mines=1",
}


@pytest.mark.parametrize("what", LONG)
def test_a_long_position_is_refused_without_being_taken_apart(what: str) -> None:
    """50 MB of short lines took 4.8 GB: a list of the lines is a hundred times their text."""
    text = LONG[what]
    tracemalloc.start()
    try:
        with pytest.raises(mp.NotationError):
            notation.parse(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 6 * len(text), peak / len(text)
