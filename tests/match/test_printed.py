"""What an agent prints is kept within limits, by step, and cannot reach a terminal as it is."""

from __future__ import annotations

import pytest

from mineproof.match.printed import Listener, Printed, visible


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
    assert visible(line) == shown
    assert shown.isprintable()


def test_lines_are_marked_as_the_agents() -> None:
    assert Printed.of(b"one\r\n\ntw\xff\xc3\xbc").marked == (
        "agent| one",
        "agent|",
        "agent| tw\\xffü",
    )
    assert Printed.of(b"one\n", 1).marked == (
        "agent| one",
        "agent: 1 more byte printed and left out",
    )
    assert not Printed.of(b"")
    assert Printed.of(b"", 7)
    assert Printed.of(b"\n").lines == ("",)


def test_the_first_lines_say_how_much_is_left() -> None:
    printed = Printed.of("ä\nb\nc\n".encode()) + Printed.of(b"d\n", 3)
    assert printed.lines == ("ä", "b", "c", "d")
    assert printed.first(1) == Printed(("ä",), 3 + 2 + 2 + 2)
    assert printed.first(9) == printed


def test_steps_are_kept_apart_and_news_is_told_once() -> None:
    listener = Listener()
    listener.hear(b"imported\n")
    listener.begin()
    listener.hear(b"begun")
    assert listener.has_news
    assert listener.news().lines == ("imported", "begun")
    assert not listener.has_news
    listener.next_step()
    listener.next_step()
    listener.hear(b"two\n")
    assert listener.news() == listener.at(2) == Printed(("two",))
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
    listener = Listener()
    listener.next_step()
    listener.hear(b"x\n" * 99 + b"half")
    listener.hear(b" a line\n" + b"y\n" * 20)
    assert listener.at(1).lines[-2:] == ("x", "half a line")
    assert (len(listener.at(1).lines), listener.at(1).left_out) == (100, 40)
    listener.hear(b"more")
    assert listener.at(1).left_out == 44
    listener.next_step()
    listener.hear(b"z" * 25_000)
    assert listener.at(2) == Printed(("z" * 10_000,), 15_000)
    assert listener.news().left_out == 15_044


@pytest.mark.parametrize(("said", "kept"), [(b"x\n", 4_000), (b"x" * 999 + b"\n", 200_000)])
def test_a_game_keeps_so_many_lines_and_bytes(said: bytes, kept: int) -> None:
    listener = Listener()
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
