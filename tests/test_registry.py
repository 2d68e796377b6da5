"""Catalogs: one list, suggestions for wrong names."""

from __future__ import annotations

import pytest

from mineproof.errors import InputError, NotationError, UnknownName, quoted
from mineproof.registry import Catalog


@pytest.fixture
def fruit() -> Catalog[int]:
    catalog: Catalog[int] = Catalog("fruit")
    catalog.add("apple", 1, aliases=("pomme",))
    catalog.add("pear", 2)
    return catalog


def test_members_by_name_and_alias(fruit: Catalog[int]) -> None:
    assert fruit["apple"] == fruit["pomme"] == 1
    assert list(fruit) == ["apple", "pear"]
    assert len(fruit) == 2
    assert "pomme" in fruit
    assert "plum" not in fruit
    assert fruit.aliases("apple") == ("pomme",)
    assert fruit.aliases("pear") == ()


def test_a_name_is_taken_once(fruit: Catalog[int]) -> None:
    for name, aliases in (("pear", ()), ("pomme", ()), ("plum", ("apple",))):
        with pytest.raises(ValueError, match="already listed"):
            fruit.add(name, 3, aliases=aliases)
    assert "plum" not in fruit


def test_wrong_names_get_the_nearest(fruit: Catalog[int]) -> None:
    with pytest.raises(UnknownName, match="unknown fruit 'aple'; did you mean apple") as caught:
        fruit["aple"]
    assert caught.value.suggestions == ("apple", "pear")
    with pytest.raises(UnknownName, match="unknown fruit 'zzz'; known: apple, pear, pomme"):
        fruit["zzz"]


def test_a_long_wrong_name_costs_little(fruit: Catalog[int]) -> None:
    with pytest.raises(UnknownName) as caught:
        fruit["apple" * 10**6]
    assert len(str(caught.value)) < 200


def test_errors_name_their_place() -> None:
    error = NotationError("no such mark", 3)
    assert str(error) == "line 3: no such mark"
    assert str(error.within("a.board", 2)) == "a.board: line 5: no such mark"
    assert str(NotationError("empty").within("a.board")) == "a.board: empty"
    assert isinstance(error, InputError)


@pytest.mark.parametrize("text", ["a\nb", "\x1b[31m", "é\u2028", "\ud800", "x" * 1000])
def test_quoted_texts_are_short_printable_lines(text: str) -> None:
    shown = quoted(text)
    assert len(shown) <= 40
    assert shown.isascii()
    assert shown.isprintable()
