"""Certificates: they verify without any engine, and damaged ones are refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import mineproof as mp
from mineproof.errors import NotationError
from mineproof.generation import certify, check_certificate
from mineproof.generation.certificate import (
    Certificate,
    GenerationMethod,
    NoGuessBoard,
    StartPosition,
    _digest,
    read_certificates,
    to_line,
)
from tests.generation.thousand import DAMAGES, Damage, dropped_move, with_move

BOARDS = {
    "9x9/10": {},
    "8x8/16": {"first_click": "safe"},
    "hex:7x7/9": {},
    "torus:6x6/7": {"first_click": "safe"},
    "cube:4x4x3/4": {},
    "square:7x7#0,0;3,4/9": {},
    "graph:0-1,1-2,2-3,3-4,4-5,5-0,0-6,3-7,6-7/2": {"first_click": "safe"},
    "6x6/6": {"cascade": "off"},
}


def certificates(board: str, count: int) -> list[Certificate]:
    made = mp.generate(board, count=count, seed=4, **BOARDS[board])  # type: ignore[arg-type]
    return [certify(one) for one in made]


@pytest.mark.parametrize("board", BOARDS)
def test_a_certificate_verifies_and_reads_back(board: str) -> None:
    for certificate in certificates(board, 3):
        checked = check_certificate(certificate)
        assert checked, checked.reason
        assert checked.move is None
        assert read_certificates(to_line(certificate)) == [certificate]
        assert {move.cell for move in certificate.moves}.isdisjoint(certificate.layout.cells)


def test_the_premises_are_those_of_explain() -> None:
    (certificate,) = certificates("9x9/10", 1)
    referee = mp.Referee(certificate.layout)
    view = referee.open(certificate.beginning.first)
    for move in certificate.moves:
        proof = mp.explain(view, move.cell)
        assert isinstance(proof, mp.Proof)
        assert proof.size == move.size
        view = referee.open(move.cell)
    assert referee.outcome.won


def test_an_expert_certificate_is_small() -> None:
    board = mp.generate("expert", first=(7, 14), seed=2, method="repair")[0]
    certificate = certify(board)
    assert check_certificate(certificate)
    assert len(to_line(certificate).encode()) < 60_000


def test_a_board_that_needs_a_guess_gets_none() -> None:
    beginning = StartPosition.of("2x2/1", (0, 0), first_click="safe")
    board = NoGuessBoard(beginning, mp.Layout.of("2x2", [3]), GenerationMethod.UNIFORM, 0, 0)
    with pytest.raises(mp.InputError, match="needs a guess after 1 cells"):
        certify(board)


# -------------------------------------------------------------------------------------- damage


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_certificate_that_was_changed_is_refused(damage: Damage) -> None:
    dice = Random(3)
    for one in certificates("9x9/10", 6):
        changed = damage(one, dice)
        assert changed != one
        # The digest is made anew, so that the moves themselves must give it away.
        (read,) = read_certificates(to_line(changed))
        checked = check_certificate(read)
        assert not checked
        assert "\n" not in checked.reason


def test_the_first_move_that_fails_is_named() -> None:
    (certificate,) = certificates("9x9/10", 1)
    place = len(certificate.moves) // 2
    broken = with_move(certificate, place, replace(certificate.moves[place], clues=()))
    checked = check_certificate(broken)
    name = certificate.layout.topology.cell_name(certificate.moves[place].cell)
    assert checked.move == place + 1
    assert checked.reason.startswith(f"move {place + 1}, {name}: ")


def test_any_byte_that_was_changed_in_a_file_is_noticed() -> None:
    (certificate,) = certificates("9x9/10", 1)
    line = to_line(certificate)
    dice = Random(8)
    for _ in range(300):
        place = dice.randrange(len(line))
        mark = chr(dice.randrange(32, 127))
        damaged = line[:place] + mark + line[place + 1 :]
        if json_equal(damaged, line):
            continue
        with pytest.raises(mp.NotationError):
            read_certificates(damaged)


def json_equal(one: str, other: str) -> bool:
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("board", "graph:/etc/passwd/3", "line 1"),
        ("board", 7, "field board is no text"),
        ("board", "9999x9999/3", "cells"),
        ("rules", "clues=optimistic", "accepted: exact"),
        ("first", [9, 9], "9,9"),
        ("first", [True, 1], "coordinates"),
        ("layout", ["." * 9], "1 rows; accepted: 9"),
        ("layout", ["x" * 9] * 9, "accepted: . for safe"),
        ("moves", "none", "no list"),
        ("moves", [[[0, 0]]], "a move is a cell"),
        ("moves", [[[0, 0], "magic", []]], "technique"),
        ("moves", [[[0, 0], "single clue", ["luck"]]], "accepted: cells and total"),
        ("mineproof", "certificate 9", "not a certificate"),
    ],
)
def test_a_hostile_file_is_refused_in_a_line(field: str, value: object, message: str) -> None:
    (certificate,) = certificates("9x9/10", 1)
    body = json.loads(to_line(certificate))
    del body["digest"]
    body[field] = value
    with pytest.raises(mp.NotationError) as refused:
        read_certificates(json.dumps({**body, "digest": _digest(body)}))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_nesting_of_any_depth_is_refused_in_a_line() -> None:
    line = to_line(certificates("9x9/10", 1)[0])
    for depth in (*range(1, sys.getrecursionlimit() + 10), 100_000):
        first, digest = f"[{'[' * depth}{']' * depth}]", ""
        with suppress(RecursionError):
            body = {**json.loads(line), "first": json.loads(first)}
            del body["digest"]
            digest = _digest(body)
        nested = re.sub(r'"first":\[.*?\]', f'"first":{first}', line)
        nested = re.sub(r'"digest":".*?"', f'"digest":"{digest}"', nested)
        with pytest.raises(NotationError):
            read_certificates(nested)


def test_the_line_is_named_once() -> None:
    with pytest.raises(mp.NotationError, match=r"^line 2: not JSON; accepted: what generate"):
        read_certificates("\n{")


def test_a_text_without_a_certificate_is_refused() -> None:
    for text in ("", "\n\n", "{", "[1]", "[" * 5000, '{"mineproof": 1}'):
        with pytest.raises(mp.NotationError):
            read_certificates(text)


# ------------------------------------------------------------------------------- independence

CHECK = """
import sys
from mineproof import kernel

class Tripwire:
    def __getattr__(self, name):
        raise AssertionError(f"the core was asked for {name}")

kernel.core = Tripwire()
from mineproof.cli.main import run
status = run(["check-certificate", sys.argv[1]])
forbidden = ("mineproof.engine", "mineproof.logics", "pysat")
engines = [name for name in sys.modules if name.startswith(forbidden)]
assert not engines, engines
sys.exit(status)
"""


def test_the_check_uses_neither_engine_nor_core(tmp_path: Path) -> None:
    """In a process of its own: no engine is loaded, and the core bites whoever asks it."""
    file = tmp_path / "board.cert"
    good, bad = certificates("9x9/10", 2)
    file.write_text(f"{to_line(good)}\n{to_line(dropped_move(bad, Random(1)))}\n")
    done = subprocess.run(
        [sys.executable, "-c", CHECK, str(file)], capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    accepted, rejected = done.stdout.splitlines()
    assert accepted.startswith("accepted: square:9x9/10 from 4,4")
    assert rejected.startswith("rejected: the moves leave")
    assert done.returncode == 1
