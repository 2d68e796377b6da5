"""Ranges of mines: exact steps, both ends, a bounded number, and the way back to a text."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.board.presets import Board
from mineproof.errors import BoardError
from mineproof.lab.board_range import MOST_BOARDS, axis_of, boards_in, expanded, range_text
from mineproof.lab.experiment import Experiment


@pytest.mark.parametrize(
    ("text", "boards"),
    [
        ("expert", ("expert",)),
        ("9x9/1/3", ("9x9/1/3",)),
        ("16x30/50..70:10", ("16x30/50", "16x30/60", "16x30/70")),
        ("hex:7x7/5..15:5", ("hex:7x7/5", "hex:7x7/10", "hex:7x7/15")),
        ("9x9/5..9:3", ("9x9/5", "9x9/8")),
        ("9x9/5..5:1", ("9x9/5",)),
        ("10x10/0.05..0.2:0.05", ("10x10/5%", "10x10/10%", "10x10/15%", "10x10/20%")),
        ("10x10/5%..10%:2.5%", ("10x10/5%", "10x10/7.5%", "10x10/10%")),
        ("10x10/0..1:0.5", ("10x10/0%", "10x10/50%", "10x10/100%")),
        ("10x10/~0.1..0.3:0.1", ("10x10/~10%", "10x10/~20%", "10x10/~30%")),
        ("graph:../edges..txt/2..3:1", ("graph:../edges..txt/2", "graph:../edges..txt/3")),
    ],
)
def test_a_text_names_its_boards(text: str, boards: tuple[str, ...]) -> None:
    assert boards_in(text) == boards


def test_steps_do_not_drift() -> None:
    found = [Board.parse(text).mines.value for text in boards_in("10x10/0.05..1.0:0.05")]
    assert found == [Fraction(number, 20) for number in range(1, 21)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9x9/5..10", "accepted: such as"),
        ("9x9/5..10:", "accepted: such as"),
        ("9x9/a..b:c", "accepted: such as"),
        ("9x9/5..10:0", "step of 0"),
        ("9x9/10..5:1", "ends before it begins"),
        ("9x9/0..999999999:1", f"1000000000 boards; accepted: at most {MOST_BOARDS}"),
        ("10x10/0..1:0.000000001", f"1000000001 boards; accepted: at most {MOST_BOARDS}"),
    ],
)
def test_what_is_no_range_is_one_line(text: str, said: str) -> None:
    with pytest.raises(BoardError, match=said) as caught:
        boards_in(text)
    assert "\n" not in str(caught.value)


def test_a_range_beyond_the_board_is_refused() -> None:
    with pytest.raises(mp.InputError, match="accepted"):
        Experiment.of(["random"], boards=["3x3/5..15:5"])
    with pytest.raises(mp.InputError, match="accepted"):
        Experiment.of(["random"], boards=["3x3/0.5..1.5:0.5"])


@given(st.integers(0, 20), st.integers(1, 7), st.integers(3, 9), st.sampled_from(["", "%", "~"]))
def test_a_range_reads_back(first: int, step: int, count: int, kind: str) -> None:
    end = "%" if kind else ""
    alone = "~" if kind == "~" else ""
    last = first + step * (count - 1)
    text = f"square:9x9/{alone}{first}{end}..{last}{end}:{step}{end}"
    boards = boards_in(text)
    assert len(boards) == count
    assert range_text(boards) == text


def test_other_boards_stay_a_list() -> None:
    assert range_text(["square:9x9/5", "square:9x9/10"]) == "square:9x9/5, square:9x9/10"
    for boards in (
        ["square:9x9/5", "square:9x9/6", "square:9x9/8"],
        ["square:9x9/9", "square:9x9/8", "square:9x9/7"],
        ["square:9x9/9", "hex:9x9/10", "square:9x9/11"],
    ):
        assert range_text(boards) == ", ".join(boards)


def test_what_distinguishes_boards() -> None:
    axis = axis_of(boards_in("10x10/0.1..0.3:0.1"))
    assert axis is not None
    assert (axis.label, axis.texts) == ("density", ("10%", "20%", "30%"))
    axis = axis_of(["square:9x9/20", "square:9x9/10"])
    assert axis is not None
    assert (axis.label, axis.values) == ("mines", (20, 10))
    for boards in (["9x9/5"], ["9x9/5", "9x9/10%"], ["9x9/5", "hex:9x9/6"], []):
        assert axis_of(boards) is None


def test_specs_and_python_take_ranges() -> None:
    spec = 'mineproof-experiment = 1\nagents = ["random"]\nboards = ["5x5/2..6:2", "4x4/3"]\n'
    experiment = Experiment.parse(spec)
    assert experiment.boards == (
        *("square:5x5/2", "square:5x5/4", "square:5x5/6"),
        "square:4x4/3",
    )
    assert Experiment.parse(experiment.text) == experiment
    found = mp.compare(["random"], "5x5/2..6:2", games=3)
    assert [place.board for place in found.places] == list(experiment.boards[:3])
    assert found.board == "square:5x5/2..6:2"
    assert "5x5/2..6:2" in repr(found)
    pair = mp.Board("4x4", 3)
    assert expanded([pair, "5x5/1..2:1"]) == [pair, "5x5/1", "5x5/2"]


def test_a_broken_number_of_mines_is_no_density() -> None:
    with pytest.raises(BoardError, match=r"50\.\.100:7\.5' has no whole number of mines"):
        boards_in("16x30/50..100:7.5")
