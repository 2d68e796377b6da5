r"""The rules of a game, as a value with a text form.

A win rate means nothing without its rules: every transcript, row and report carries the text of
its `Rules`, and that text reads back to an equal value.

>>> print(Rules.parse("first-click=opening mines=20%").text.replace(" ", "\n"))
mines=20%
first-click=opening
on-mine=lose
total=known
clues=exact
given=none
cascade=on
goal=clear
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from fractions import Fraction
from typing import Any, SupportsIndex, TypeAlias, TypeVar

from mineproof.errors import RulesError, UnknownName, as_given, quoted, text_of
from mineproof.rules.given import Given
from mineproof.rules.mines import Mines
from mineproof.rules.report_rules import REPORT_RULES
from mineproof.whole import whole

__all__ = [
    "RULE_WORDS",
    "FirstClick",
    "Goal",
    "OnMine",
    "RuleValue",
    "Rules",
    "read_words",
    "split_report",
    "split_words",
]

E = TypeVar("E", bound=Enum)


class FirstClick(Enum):
    """What the deal guarantees about the first opened cell.

    >>> mp.play("9x9/10", first_click=mp.FirstClick.OPENING).steps[0].shown
    0
    """

    ANY = "any"
    SAFE = "safe"
    OPENING = "opening"


class OnMine(Enum):
    """What happens when a mine is opened.

    >>> mp.play("9x9/10", "random", on_mine=mp.OnMine.CONTINUE).outcome.termination.value
    'finished'
    """

    LOSE = "lose"
    CONTINUE = "continue"


class Goal(Enum):
    """What wins: every safe cell open, or every cell marked.

    >>> mp.play("9x9/10", seed=2, goal=mp.Goal.MARK_ALL).outcome.termination.value
    'marked'
    """

    CLEAR = "clear"
    MARK_ALL = "mark-all"


@dataclass(frozen=True)
class Rules:
    """The rules of a game. Frozen; `text` and `parse` round-trip.

    >>> rules = mp.Rules(first_click=mp.FirstClick.OPENING)
    >>> mp.Rules.parse("first-click=opening") == mp.Rules.parse(rules.text) == rules
    True
    """

    mines: Mines = field(default_factory=lambda: Mines.density(Fraction(1, 5)))
    first_click: FirstClick = FirstClick.SAFE
    on_mine: OnMine = OnMine.LOSE
    total_known: bool = True
    clues: str = "exact"
    given: Given = field(default_factory=Given)
    cascade: bool = True
    goal: Goal = Goal.CLEAR

    def __post_init__(self) -> None:
        """A field may be given as its text. Raises RulesError."""
        for key, word in _WORDS.items():
            value = getattr(self, word.field)
            if not isinstance(value, word.kind):
                object.__setattr__(self, word.field, word.read(key, value))

    def __repr__(self) -> str:
        return f"Rules.parse({self.text!r})"

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read `key=value` words, after the name of a report's rules if they are meant.

        A key left out has the report's value, or its default.
        """
        return cls(**read_words(split_words(text)))

    @property
    def text(self) -> str:
        return " ".join(
            f"{key}={word.format(getattr(self, word.field))}" for key, word in _WORDS.items()
        )

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of an `Outcome` that mean something under these rules, the main one first.

        `score` where the game goes on after a mine (report 0), `marked_share` where every cell is
        to be marked (report 4), `finer` where a mine ends the game (report 2).
        """
        found = []
        if self.on_mine is OnMine.CONTINUE:
            found.append("score")
        if self.goal is Goal.MARK_ALL:
            found.append("marked_share")
        return tuple(found) or ("finer",)

    def with_words(self, **words: RuleValue) -> Rules:
        """These rules with some replaced, each by its key with `_` for `-`: a text, or its value.

        None leaves a rule as it is, so command-line options can be passed on unchanged.
        """
        return replace(self, **read_words(words))

    def told(self, cells: int, dealt: int) -> Rules:
        """The rules as a player knows them, when `dealt` mines lie on `cells` cells.

        The total where it is known; otherwise the chance of a mine in a cell, or `uniform`.
        """
        if self.total_known:
            return replace(self, mines=Mines.number(dealt))
        fixed = self.mines.fixed(cells)
        if fixed is None:
            return self
        return replace(self, mines=Mines.independent(Fraction(fixed, cells)))

    def __str__(self) -> str:
        return self.text


RuleValue: TypeAlias = (
    str
    | bool
    | SupportsIndex
    | Mines
    | FirstClick
    | OnMine
    | Given
    | Sequence[Sequence[int]]
    | Goal
    | None
)
"""What a rule can be given as: its text, or the value itself; None says nothing."""


def split_words(text: str) -> dict[str, str]:
    """The `key=value` words of a rules text, with those of a report that it names.

    Raises RulesError.
    """
    report, said = split_report(text)
    return {**report, **said}


def split_report(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """The words of the report that a rules text names, if any, and the words said beside it.

    A report is named once and first: `report0 total=known`. Each key is said once. Raises
    RulesError.
    """
    report: dict[str, str] = {}
    said: dict[str, str] = {}
    for place, word in enumerate(text_of(text, "rules").split()):
        key, equals, value = word.partition("=")
        if not equals and place == 0:
            report = _report_words(word)
            continue
        if not equals:
            raise RulesError(
                f"rule {quoted(word)} has no value; accepted: KEY=VALUE words, with the name of a"
                " report such as report0 before them"
            )
        if key not in _WORDS:
            raise UnknownName("rule", key, _WORDS)
        if key in said:
            raise RulesError(f"rule {key} is given twice")
        said[key] = value
    return report, said


def _report_words(name: str) -> dict[str, str]:
    if name in _WORDS:
        raise RulesError(f"rule {quoted(name)} has no value; accepted: KEY=VALUE words")
    if name not in REPORT_RULES:
        raise UnknownName(
            "rules", name, REPORT_RULES, accepted=[*REPORT_RULES, "words such as first-click=any"]
        )
    return dict(word.split("=", 1) for word in REPORT_RULES[name].split())


def read_words(words: Mapping[str, RuleValue]) -> dict[str, Any]:
    """The fields of `Rules` that words set, by their keys with `_` or `-`. Raises InputError."""
    found: dict[str, Any] = {}
    for key, value in words.items():
        name = key.replace("_", "-")
        if name not in _WORDS:
            arguments = sorted(word.replace("-", "_") for word in _WORDS)
            raise UnknownName("rule", name, _WORDS, accepted=arguments)
        if value is not None:
            found[_WORDS[name].field] = _WORDS[name].read(name, value)
    return found


@dataclass(frozen=True)
class _Word:
    """How one field of `Rules` is written."""

    field: str
    kind: type
    parse: Callable[[str], Any]
    format: Callable[[Any], str]

    def read(self, key: str, value: RuleValue) -> Any:
        """The field's value, from its text or as it is. Raises RulesError."""
        if isinstance(value, self.kind) and not isinstance(value, str):
            return value
        if isinstance(value, str):
            return self.parse(value)
        if isinstance(value, SupportsIndex) and not isinstance(value, bool) and self.kind is Mines:
            return Mines.number(whole(value, key))
        if isinstance(value, Sequence) and self.kind is Given:
            return Given.of(value)
        accepted = "a text, a list of coordinates" if self.kind is Given else "a text"
        raise RulesError(
            f"{key} is {as_given(value)}; accepted: {accepted} or {self.kind.__name__}"
        )


def _choice(key: str, kind: type[E]) -> _Word:
    def parse(text: str) -> E:
        for member in kind:
            if member.value == text:
                return member
        accepted = ", ".join(str(member.value) for member in kind)
        raise RulesError(f"{key} {quoted(text)} is unknown; accepted: {accepted}")

    return _Word(key.replace("-", "_"), kind, parse, lambda member: str(member.value))


def _switch(key: str, field_name: str, on: str, off: str) -> _Word:
    def parse(text: str) -> bool:
        if text not in (on, off):
            raise RulesError(f"{key} {quoted(text)} is unknown; accepted: {on}, {off}")
        return text == on

    return _Word(field_name, bool, parse, lambda value: on if value else off)


def _channel(text: str) -> str:
    if not re.fullmatch(r"[a-z]+(:[^\s=]{1,20000})?", text):
        raise RulesError(
            f"clues {quoted(text)} cannot be read; accepted: a channel such as exact or"
            " withheld:0.3"
        )
    return text


_WORDS: dict[str, _Word] = {
    "mines": _Word("mines", Mines, Mines.parse, lambda mines: mines.text),
    "first-click": _choice("first-click", FirstClick),
    "on-mine": _choice("on-mine", OnMine),
    "total": _switch("total", "total_known", "known", "unknown"),
    "clues": _Word("clues", str, _channel, str),
    "given": _Word("given", Given, Given.parse, lambda given: given.text),
    "cascade": _switch("cascade", "cascade", "on", "off"),
    "goal": _choice("goal", Goal),
}
RULE_WORDS = tuple(_WORDS)
assert {word.field for word in _WORDS.values()} == {f.name for f in fields(Rules)}
