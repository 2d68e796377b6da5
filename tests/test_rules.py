"""Rules as data: the text reads back, and what cannot be is refused in one line."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from math import floor, sqrt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mineproof.errors import InputError, RulesError, UnknownName
from mineproof.rules import (
    REPORT_RULES,
    RULE_WORDS,
    Given,
    Mines,
    Rules,
    parse_share,
    share_text,
    told_rules,
)
from mineproof.testing import strategies


@given(strategies.rules())
def test_rules_read_back(rules: Rules) -> None:
    assert Rules.parse(rules.text) == rules
    assert str(rules) == rules.text
    written = list(RULE_WORDS) if "guesses=" in rules.text else list(RULE_WORDS)[:-1]
    assert [word.partition("=")[0] for word in rules.text.split()] == written
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
    [
        ("10", 81, 10),
        ("20%", 81, 16),
        ("50%", 3, 2),
        ("1/3", 9, 3),
        ("0%", 9, 0),
        ("100%", 9, 9),
        ("0.3", 25, 8),
        ("1.0", 25, 25),
        ("0.05", 25, 1),
        (".5", 4, 2),
        ("0.0", 9, 0),
    ],
)
def test_a_density_is_rounded_to_a_number(text: str, cells: int, mines: int) -> None:
    assert Mines.parse(text).fixed(cells) == mines


@pytest.mark.parametrize(("text", "shortest"), [("0.3", "30%"), ("1.0", "100%"), ("0.05", "5%")])
def test_a_density_with_a_point_is_the_one_in_percent(text: str, shortest: str) -> None:
    assert Mines.parse(text) == Mines.parse(shortest) == Mines.density(float(text))
    assert Mines.parse(text).text == shortest
    assert Mines.parse("1") == Mines.number(1) != Mines.parse("1.0")


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
    assert told_rules(Rules.parse(rules), 25, dealt).mines.text == told


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


@pytest.mark.parametrize("factor", ["2", "1", "1/2", "1/4", "1/3", "0.7"])
def test_a_factor_gives_its_root_rounded(factor: str) -> None:
    """Against report 4's formula in floating point, which has no tie here but on square boards."""
    share = Fraction(factor)
    for cells in range(1, 500):
        found = Given.parse(f"f={factor}").drawn(cells)
        assert found == floor(float(share) * sqrt(cells) + 0.5)


def test_the_factors_of_report_4() -> None:
    drawn = {f: Given.parse(f"f={f}").drawn for f in ("2", "1", "1/2", "1/4")}
    assert [count(256) for count in drawn.values()] == [32, 16, 8, 4]
    assert [count(480) for count in drawn.values()] == [44, 22, 11, 5]
    assert Given.parse("f=0.5") == Given.parse("f=1/2")
    assert Given.parse("f=0.5").text == "f=1/2"
    assert Given.parse("f=2").text == "f=2"


def test_the_rules_of_a_report_by_name() -> None:
    assert list(REPORT_RULES) == [f"report{number}" for number in range(5)]
    for name, words in REPORT_RULES.items():
        assert Rules.parse(name) == Rules.parse(words)
        assert Rules.parse(Rules.parse(name).text) == Rules.parse(name)
    changed = Rules.parse("report0 total=known clues=optimistic")
    assert changed == Rules.parse("report0").with_words(total="known", clues="optimistic")
    assert Rules.parse("report4").given.factor == Fraction(1, 2)
    assert Rules.parse("report0").measures == ("score",)
    assert Rules.parse("report2").measures == ("finer",)
    assert Rules.parse("report4").measures == ("marked_share",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mines", "has no value"),
        ("mine=3", "did you mean mines"),
        ("mines=3 mines=4", "given twice"),
        ("mines=-1", "accepted: a number such as 99"),
        ("mines=1.5", "density '1.5' is out of range; accepted: 0 to 1"),
        ("mines=0.3.1", "accepted: 0.2, 20% or 1/5"),
        ("mines=half", "a number such as 99, a density such as 20%, 0.2 or 1/5"),
        ("report5", "accepted: report0, report1, report2, report3, report4, words such as"),
        ("reprt0", "did you mean report0"),
        ("total=known report0", "with the name of a report such as report0 before them"),
        ("given=f=0", "is no positive number; accepted: such as f=2, f=0.5 or f=1/2"),
        ("given=f=-1", "is no positive number"),
        ("given=f=1/0", "is no positive number"),
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


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("", ("finer",)),
        ("on-mine=continue", ("score",)),
        ("goal=mark-all", ("marked_share",)),
        ("on-mine=continue goal=mark-all", ("score", "marked_share")),
    ],
)
def test_rules_say_which_measures_mean_something(text: str, measures: tuple[str, ...]) -> None:
    assert Rules.parse(text).measures == measures
