"""Wishes: every board that comes out is as wished, and what was thrown away was not."""

from __future__ import annotations

from typing import Any

import pytest

import mineproof as mp
from mineproof import chains
from mineproof.board.measures import measure
from mineproof.chains.long_chains import play_layout
from mineproof.generation.clearing import play_certain
from mineproof.generation.generated import NoGuessBoard
from mineproof.generation.wishes import HARDEST, Extent, Wishes
from mineproof.match.rating import rate_layout
from mineproof.view.setting import Setting

BOARD = "7x7/9"


def rung(board: NoGuessBoard) -> int:
    hardest = rate_layout(Setting.of(board.layout), board.first).rating.hardest
    return 0 if hardest is None else int(hardest.rung)


def clues_suffice(board: NoGuessBoard) -> bool:
    view = play_certain(board.layout, board.first, total=False)
    return view.hidden_count == board.layout.total


def chain(board: NoGuessBoard) -> int:
    return chains.of(play_layout(board.layout, board.first)).length


CASES: list[tuple[dict[str, Any], Any]] = [
    ({"hardest": "single"}, lambda one: rung(one) == 1),
    ({"hardest": "..pair"}, lambda one: rung(one) <= 2),
    ({"hardest": "triple.."}, lambda one: rung(one) >= 3),
    ({"needs_total": True}, lambda one: not clues_suffice(one)),
    ({"without_total": True}, clues_suffice),
    ({"three_bv": "16..20"}, lambda one: 16 <= measure(one.layout).three_bv <= 20),
    ({"openings": 3}, lambda one: measure(one.layout).openings == 3),
    ({"chain": 4}, lambda one: chain(one) >= 4),
    (
        {"three_bv": "..20", "without_total": True},
        lambda one: measure(one.layout).three_bv <= 20 and clues_suffice(one),
    ),
]


@pytest.mark.parametrize(("wishes", "holds"), CASES, ids=[str(wishes) for wishes, _ in CASES])
def test_boards_are_as_wished_and_no_other_was_thrown_away(
    wishes: dict[str, Any], holds: Any
) -> None:
    made = mp.generate(BOARD, count=4, seed=6, wishes=wishes)
    assert len(made) == 4
    every = mp.generate(BOARD, count=made.kept, seed=6)
    assert every.tried == made.tried
    assert [one for one in every if holds(one)] == list(made)
    assert Wishes.of(**wishes).text in made.text


def test_what_is_not_found_is_said_with_the_counts() -> None:
    with pytest.raises(mp.BudgetExceeded) as spent:
        mp.generate(BOARD, seed=1, wishes={"three_bv": "200.."}, most_judged=20)
    assert "no board with 3bv=200.. among 20 without guesses, of " in str(spent.value)


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"hardest": "luck"}, "accepted: single, pair, triple, case, total"),
        ({"three_bv": "9..3"}, "is empty"),
        ({"three_bv": ".."}, "accepted: such as 160"),
        ({"openings": "many"}, "openings 'many' cannot be read"),
        ({"chain": -1}, "accepted: 0 or more"),
        ({"openigs": 3}, "did you mean openings"),
        ({"needs_total": True, "without_total": True}, "cannot both"),
    ],
)
def test_wishes_that_cannot_be_read_are_refused(wishes: dict[str, Any], message: str) -> None:
    with pytest.raises(mp.InputError) as refused:
        mp.generate(BOARD, wishes=wishes)
    assert message in str(refused.value)


@pytest.mark.parametrize("text", ["7", "3..9", "3..", "..9", "0"])
def test_ranges_read_back(text: str) -> None:
    assert Extent.parse(text, "3BV").text == text


@pytest.mark.parametrize("text", [*HARDEST, "..pair", "pair..case", "case.."])
def test_techniques_read_back(text: str) -> None:
    assert Wishes.of(hardest=text).text == f"hardest={text}"
