"""Rules as data: the text reads back, and what cannot be is refused in one line."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mineproof.errors import InputError, RulesError, UnknownName
from mineproof.rules import RULE_WORDS, Given, Mines, Rules, parse_share, share_text
from mineproof.testing import strategies


@given(strategies.rules())
def test_rules_read_back(rules: Rules) -> None:
    assert Rules.parse(rules.text) == rules
    assert str(rules) == rules.text
    assert [word.partition("=")[0] for word in rules.text.split()] == list(RULE_WORDS)
    assert Rules.parse(" ".join(reversed(rules.text.split()))) == rules


@given(st.fractions(0, 1, max_denominator=10**17))
@example(Fraction(1, 3))
@example(Fraction(1, 10**17))
@example(Fraction(0))
@example(Fraction(1))
def test_shares_read_back_exactly(share: Fraction) -> None:
    assert parse_share(share_text(share)) == share
    for mines in (Mines.density(share), Mines.independent(share)):
        assert Mines.parse(mines.text) == mines


@given(st.floats(0, 1))
def test_a_float_is_its_shortest_decimal(share: float) -> None:
    with suppress(RulesError):
        assert float(Mines.density(share).value) == share
        assert Mines.parse(Mines.density(share).text) == Mines.density(share)


def test_a_tenth_is_a_tenth() -> None:
    assert Mines.density(0.1).text == "10%"
    assert Mines.independent(0.001).text == "~0.1%"


@pytest.mark.parametrize(
    ("text", "cells", "mines"),
    [("10", 81, 10), ("20%", 81, 16), ("50%", 3, 2), ("1/3", 9, 3), ("0%", 9, 0), ("100%", 9, 9)],
)
def test_a_density_is_rounded_to_a_number(text: str, cells: int, mines: int) -> None:
    assert Mines.parse(text).fixed(cells) == mines


def test_chance_decides_the_other_numbers() -> None:
    assert Mines.parse("~20%").fixed(10) is None
    assert Mines.parse("uniform").fixed(10) is None
    assert Mines.parse("~20%").chance == Fraction(1, 5)
    assert Mines.parse("20%").chance is None


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("mines=10", "10"),
        ("mines=20%", "7"),
        ("mines=~20%", "7"),
        ("mines=uniform", "7"),
        ("mines=10 total=unknown", "~40%"),
        ("mines=20% total=unknown", "~20%"),
        ("mines=~20% total=unknown", "~20%"),
        ("mines=uniform total=unknown", "uniform"),
    ],
)
def test_what_a_player_is_told(rules: str, told: str) -> None:
    dealt = 10 if rules == "mines=10" else 7
    assert Rules.parse(rules).told(25, dealt).mines.text == told


def test_words_change_rules_and_none_leaves_them() -> None:
    rules = Rules().with_words(first_click="opening", on_mine=None, given="0,0;3,4")
    assert rules.text.split()[1:6] == [
        "first-click=opening",
        "on-mine=lose",
        "total=known",
        "clues=exact",
        "given=0,0;3,4",
    ]
    with pytest.raises(UnknownName, match="did you mean first-click"):
        Rules().with_words(first_clik="any")


def test_given_cells() -> None:
    assert Given.parse("corner+center") == Given.parse("corner+centre")
    assert Given.parse("random:0") == Given()
    assert Given.parse("1,2,3").cells == ((1, 2, 3),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mines", "has no value"),
        ("mine=3", "did you mean mines"),
        ("mines=3 mines=4", "given twice"),
        ("mines=-1", "accepted: a number such as 99"),
        ("mines=1.5", "accepted: a number such as 99"),
        ("mines=" + "9" * 10**6, "accepted: a number such as 99"),
        ("mines=120%", "out of range; accepted: 0 to 1"),
        ("mines=~7/3", "out of range; accepted: 0 to 1"),
        ("mines=1/0", "is not a number"),
        ("mines=~nan", "is not a number"),
        ("mines=0.00000000000000001%", "is too fine"),
        ("first-click=center", "accepted: any, safe, opening"),
        ("on-mine=stop", "accepted: lose, continue"),
        ("total=maybe", "accepted: known, unknown"),
        ("cascade=1", "accepted: on, off"),
        ("goal=win", "accepted: clear, mark-all"),
        ("given=corner", "accepted: none, corner"),
        ("given=random:-1", "accepted: none, corner"),
        ("given=0,0;", "accepted: none, corner"),
        ("clues=EXACT", "accepted: a channel"),
    ],
)
def test_other_rules_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Rules.parse(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_numbers_out_of_range_are_refused() -> None:
    for count in (-1, 10**9):
        with pytest.raises(RulesError, match="accepted: 0 to"):
            Mines.number(count)
    for share in (-0.1, 1.1, float("nan"), float("inf"), Fraction(1, 3**60), 1e-300):
        with pytest.raises(RulesError, match="density"):
            Mines.density(share)


@given(st.text())
def test_any_text_is_rules_or_refused(text: str) -> None:
    for words in (text, *(f"{key}={text}" for key in RULE_WORDS)):
        with suppress(InputError):
            rules = Rules.parse(words)
            assert Rules.parse(rules.text) == rules
