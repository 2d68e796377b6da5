"""An exception is placed where the agent's own code was, not inside what it called."""

from __future__ import annotations

import random

import pytest

from mineproof.match import play
from mineproof.match.raised import told
from mineproof.view import View

HERE = "test_raised.py"


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
    assert told(caught.value).endswith(f" ({HERE} line {line_of(falls)})")


def test_an_exception_without_a_place_has_none() -> None:
    assert told(ValueError("a\nb\x1b")) == "ValueError: a b\\x1b"
    assert told(ValueError()) == "ValueError"


class Falls:
    def act(self, view: View) -> int:
        chooses_from_nothing()
        return 0


def test_an_agent_in_this_process_is_placed_too() -> None:
    note = play("3x3/2", Falls()).outcome.note
    assert note.startswith("IndexError: Cannot choose from an empty sequence")
    assert note.endswith(f"({HERE} line {line_of(chooses_from_nothing)})")
