"""What crosses from an agent to us: its prints, within limits, and its exceptions in one line."""

from __future__ import annotations

import random

import pytest

from mineproof.game import play
from mineproof.sandbox.wire import (
    OutputCapture,
    PrintedText,
    describe_exception,
    escape_unprintable,
)
from mineproof.view import View

# ----------------------------------------------------------------------------
# What an agent prints is kept within limits, by step, and cannot reach a terminal as it is.


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("plain ünïcode ✹", "plain ünïcode ✹"),
        ("a\x1b[2J", "a\\x1b[2J"),
        ("a\rb\x07", "a\\rb\\x07"),
        ("\u202eright to left\u2028", "\\u202eright to left\\u2028"),
        ("\x9b31m", "\\x9b31m"),
        ("a\tb", "a   b"),
    ],
)
def test_what_is_not_printable_is_written_out(line: str, shown: str) -> None:
    assert escape_unprintable(line) == shown
    assert shown.isprintable()


def test_lines_are_marked_as_the_agents() -> None:
    assert PrintedText.of(b"one\r\n\ntw\xff\xc3\xbc").marked_lines == (
        "agent| one",
        "agent|",
        "agent| tw\\xffü",
    )
    assert PrintedText.of(b"one\n", 1).marked_lines == (
        "agent| one",
        "agent: 1 more byte printed and left out",
    )
    assert not PrintedText.of(b"")
    assert PrintedText.of(b"", 7)
    assert PrintedText.of(b"\n").lines == ("",)


def test_the_first_lines_say_how_much_is_left() -> None:
    printed = PrintedText.of("ä\nb\nc\n".encode()) + PrintedText.of(b"d\n", 3)
    assert printed.lines == ("ä", "b", "c", "d")
    assert printed.first(1) == PrintedText(("ä",), 3 + 2 + 2 + 2)
    assert printed.first(9) == printed


def test_steps_are_kept_apart_and_news_is_told_once() -> None:
    listener = OutputCapture()
    listener.hear(b"imported\n")
    listener.begin()
    listener.hear(b"begun")
    assert listener.has_news
    assert listener.news().lines == ("imported", "begun")
    assert not listener.has_news
    listener.next_step()
    listener.next_step()
    listener.hear(b"two\n")
    assert listener.news() == listener.at(2) == PrintedText(("two",))
    assert not listener.news()
    assert listener.to_json() == [
        {"step": 0, "lines": ["imported", "begun"], "left_out_bytes": 0},
        {"step": 2, "lines": ["two"], "left_out_bytes": 0},
    ]
    assert not listener.at(1)
    listener.begin()
    assert listener.step == 0
    assert not listener.steps


def test_a_step_keeps_so_many_lines_and_bytes() -> None:
    listener = OutputCapture()
    listener.next_step()
    listener.hear(b"x\n" * 99 + b"half")
    listener.hear(b" a line\n" + b"y\n" * 20)
    assert listener.at(1).lines[-2:] == ("x", "half a line")
    assert (len(listener.at(1).lines), listener.at(1).left_out) == (100, 40)
    listener.hear(b"more")
    assert listener.at(1).left_out == 44
    listener.next_step()
    listener.hear(b"z" * 25_000)
    assert listener.at(2) == PrintedText(("z" * 10_000,), 15_000)
    assert listener.news().left_out == 15_044


@pytest.mark.parametrize(("said", "kept"), [(b"x\n", 4_000), (b"x" * 999 + b"\n", 200_000)])
def test_a_game_keeps_so_many_lines_and_bytes(said: bytes, kept: int) -> None:
    listener = OutputCapture()
    for _ in range(300):
        listener.next_step()
        listener.hear(said * 500)
    steps = listener.steps.values()
    assert sum(len(line) + 1 for one in steps for line in one.lines) == kept
    assert sum(one.left_out for one in steps) == 300 * 500 * len(said) - kept
    listener.begin()
    listener.begin()
    listener.hear(b"room again\n")
    assert listener.at(0).lines == ("room again",)


# ----------------------------------------------------------------------------
# An exception is placed where the agent's own code was, not inside what it called.

HERE = "test_wire.py"


def line_of(function: object, offset: int = 1) -> int:
    return function.__code__.co_firstlineno + offset  # type: ignore[attr-defined]


def chooses_from_nothing() -> None:
    random.choice([])


def parses_nonsense() -> None:
    View.parse("nonsense")


@pytest.mark.parametrize("falls", [chooses_from_nothing, parses_nonsense])
def test_the_place_is_in_the_callers_file(falls) -> None:
    with pytest.raises(Exception) as caught:
        falls()
    assert describe_exception(caught.value).endswith(f" ({HERE} line {line_of(falls)})")


def test_an_exception_without_a_place_has_none() -> None:
    assert describe_exception(ValueError("a\nb\x1b")) == "ValueError: a b\\x1b"
    assert describe_exception(ValueError()) == "ValueError"


class Falls:
    def act(self, view: View) -> int:
        chooses_from_nothing()
        return 0


def test_an_agent_in_this_process_is_placed_too() -> None:
    note = play("3x3/2", Falls()).outcome.note
    assert note.startswith("IndexError: Cannot choose from an empty sequence")
    assert note.endswith(f"({HERE} line {line_of(chooses_from_nothing)})")
