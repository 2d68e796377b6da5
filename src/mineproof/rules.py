"""The rules of a game as data: how mines are dealt, what is given, when a game ends.

>>> Rules.parse("report0").text == Rules.parse(REPORT_RULES["report0"]).text
True

>>> print(Rules.parse("first-click=opening mines=20%").text.replace(" ", "\\n"))
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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from fractions import Fraction
from math import isqrt
from numbers import Rational, Real
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias, TypedDict, TypeVar, Unpack, cast

from mineproof.errors import (
    RulesError,
    UnknownName,
    as_given,
    as_int,
    check_kind,
    each_of,
    quoted,
    text_of,
)
from mineproof.registry import OldName

# -- How mines are dealt: a number, a density, or a number drawn uniformly -----

_DENSITY = re.compile(r".*%|[\d.]*[./][\d./]*", re.ASCII)
"""What is meant as a density, if not always well written."""


class _DealKind(Enum):
    NUMBER = "number"
    DENSITY = "density"
    INDEPENDENT = "independent"
    UNIFORM = "uniform"


@dataclass(frozen=True)
class Mines:
    """How mines are dealt: `99`, `20%` (rounded to a number), `~20%` (each cell independently) or
    `uniform` (a number drawn uniformly from 1 to the number of cells that may have a mine).

    A player may be told how many cells those are: `uniform:24` where the rules kept one of 25 free.

    A density is also read as `0.2` or `1/5`; a text with a point is never a number of mines, so
    `1` is one mine and `1.0` a mine in every cell. Its `text` is in percent where that is exact.

    >>> mp.Mines.number(99).text, mp.Mines.density(0.2).fixed(81), mp.Mines.parse("~20%").chance
    ('99', 16, Fraction(1, 5))
    """

    kind: _DealKind
    value: Fraction = Fraction(0)

    @classmethod
    def number(cls, count: SupportsIndex) -> Mines:
        if not 0 <= as_int(count, "mines") < 10**9:
            raise RulesError(f"{quoted(count)} mines; accepted: 0 to {10**9 - 1}")
        return cls(_DealKind.NUMBER, Fraction(as_int(count, "mines")))

    @classmethod
    def density(cls, share: SupportsFloat) -> Mines:
        return cls(_DealKind.DENSITY, check_share(share))

    @classmethod
    def independent(cls, share: SupportsFloat) -> Mines:
        return cls(_DealKind.INDEPENDENT, check_share(share))

    @classmethod
    def uniform(cls, room: SupportsIndex | None = None) -> Mines:
        if room is None:
            return cls(_DealKind.UNIFORM)
        if not 1 <= as_int(room, "room") < 10**9:
            raise RulesError(f"uniform:{quoted(room)}; accepted: room for 1 to {10**9 - 1} mines")
        return cls(_DealKind.UNIFORM, Fraction(as_int(room, "room")))

    @classmethod
    def of(cls, mines: Mines | SupportsIndex | str) -> Mines:
        """A number, a text or a value."""
        if isinstance(mines, str):
            return cls.parse(mines)
        return mines if isinstance(mines, Mines) else cls.number(mines)

    @classmethod
    def parse(cls, text: str) -> Mines:
        if text_of(text, "mines") == "uniform":
            return cls.uniform()
        if match := re.fullmatch(r"uniform:([0-9]{1,9})", text):
            return cls.uniform(int(match[1]))
        if text.startswith("~"):
            return cls.independent(parse_share(text[1:]))
        if text.isascii() and text.isdigit() and len(text) <= 9:
            return cls.number(int(text))
        if _DENSITY.fullmatch(text):
            return cls.density(parse_share(text))
        raise RulesError(
            f"mines {quoted(text)} cannot be read; accepted: a number such as 99, a density such"
            " as 20%, 0.2 or 1/5, ~20% for each cell on its own, or uniform"
        )

    def __repr__(self) -> str:
        return f"Mines.parse({self.text!r})"

    @property
    def text(self) -> str:
        if self.kind is _DealKind.UNIFORM:
            return f"uniform:{self.value}" if self.value else "uniform"
        if self.kind is _DealKind.NUMBER:
            return str(int(self.value))
        percent = share_text(self.value * 100)
        share = f"{percent}%" if "/" not in percent else share_text(self.value)
        return f"~{share}" if self.kind is _DealKind.INDEPENDENT else share

    @property
    def is_number(self) -> bool:
        """Whether it is a plain number, the same on every board."""
        return self.kind is _DealKind.NUMBER

    @property
    def chance(self) -> Fraction | None:
        """The chance of a mine in every cell, where cells are dealt independently."""
        return self.value if self.kind is _DealKind.INDEPENDENT else None

    @property
    def is_uniform(self) -> bool:
        """Whether the number of mines is drawn uniformly."""
        return self.kind is _DealKind.UNIFORM

    @property
    def room(self) -> int | None:
        """How many cells could have a mine, where a number was drawn uniformly and that is told."""
        return int(self.value) if self.is_uniform and self.value else None

    def fixed(self, cells: int) -> int | None:
        """The number of mines on a board of `cells` cells, or None if it is random.

        A density is rounded to the nearest number, a tie is rounded up.
        """
        if self.kind is _DealKind.NUMBER:
            return int(self.value)
        if self.kind is _DealKind.DENSITY:
            return int(self.value * cells + Fraction(1, 2))
        return None

    def __str__(self) -> str:
        return self.text


# -- The cells opened before the first move ------------------------------------

_DECIMAL = re.compile(r"\d{1,9}(\.\d{1,9})?|\.\d{1,9}", re.ASCII)
_FACTOR_RATIO = re.compile(r"(\d{1,18})/(\d{1,18})", re.ASCII)


@dataclass(frozen=True)
class Given:
    """The cells opened before the first move.

    `none`; `corner+centre`; `random:K` (K cells drawn from the safe ones after the deal); `f=F`
    (the same with K = F times the square root of the number of cells, rounded, as report 4 has it);
    or cells by their coordinates, `0,0;3,4`. These are the first click: the deal keeps them free of
    mines unless the first click is `any`. `corner+centre` is always kept free; `random:K` and `f=F`
    do not change the deal.

    >>> mp.Referee("9x9/10", given=Given(cells=((0, 0), (4, 4)))).view.is_open((4, 4))
    True
    """

    corner_centre: bool = False
    random: int = 0
    cells: tuple[tuple[int, ...], ...] = ()
    factor: Fraction = Fraction(0)
    """F of `f=F`; 0 where it is not said."""

    def __post_init__(self) -> None:
        accepted = "cells by their coordinates, such as [(0, 0), (3, 4)]"
        cells = []
        for cell in each_of(self.cells, "given", accepted):
            check_kind(cell, Sequence, "given cell", accepted)
            cells.append(tuple(as_int(part, "coordinate") for part in cell))
        object.__setattr__(self, "cells", tuple(cells))
        check_kind(self.factor, Rational, "factor", "a Fraction, such as Fraction(1, 2)")
        if as_int(self.random, "random") < 0 or self.factor < 0:
            raise RulesError(f"given {quoted(self.text)}; accepted: no number below 0")

    @classmethod
    def of(cls, given: Given | str | Iterable[Sequence[int]]) -> Given:
        """A text, a list of coordinates or a value. Raises InputError."""
        if isinstance(given, Given):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        return cls(cells=cast("tuple[tuple[int, ...], ...]", given))

    @classmethod
    def parse(cls, text: str) -> Given:
        if text_of(text, "given") == "none":
            return cls()
        if text in ("corner+centre", "corner+center"):
            return cls(corner_centre=True)
        if match := re.fullmatch(r"random:(\d{1,9})", text):
            return cls(random=int(match[1]))
        if text.startswith("f="):
            return cls(factor=_factor(text.removeprefix("f=")))
        if re.fullmatch(r"\d{1,9}(,\d{1,9})*(;\d{1,9}(,\d{1,9})*)*", text):
            return cls(cells=tuple(tuple(map(int, cell.split(","))) for cell in text.split(";")))
        raise RulesError(
            f"given {quoted(text)} cannot be read; accepted: none, corner+centre, random:K, f=1/2,"
            " or cells such as 0,0;3,4"
        )

    def drawn(self, cells: int) -> int:
        """How many safe cells are drawn on a board of `cells` cells.

        F times the square root is rounded to the nearest number, a tie is rounded up.
        """
        if not self.factor:
            return self.random
        # floor(sqrt(x) + 1/2) = floor((floor(sqrt(4 x)) + 1) / 2), in whole numbers.
        return (isqrt(int(4 * self.factor**2 * cells)) + 1) // 2

    @property
    def text(self) -> str:
        if self.corner_centre:
            return "corner+centre"
        if self.random:
            return f"random:{self.random}"
        if self.factor:
            return f"f={self.factor}"
        if self.cells:
            return ";".join(",".join(map(str, cell)) for cell in self.cells)
        return "none"


def _factor(text: str) -> Fraction:
    """A positive number: `2`, `0.5` or `1/2`. Raises RulesError."""
    factor = Fraction(0)
    if _DECIMAL.fullmatch(text):
        factor = Fraction(text)
    elif (match := _FACTOR_RATIO.fullmatch(text)) and int(match[2]):
        factor = Fraction(int(match[1]), int(match[2]))
    if not factor:
        raise RulesError(
            f"given f={quoted(text)} is no positive number; accepted: such as f=2, f=0.5 or f=1/2"
        )
    return factor


# ----------------------------------------------------------------------------
# The rules together, and their text. A win rate means nothing without its rules: every transcript,
# row and report carries the text of its `Rules`, and that text reads back to an equal value.


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


class GuessRule(Enum):
    """What becomes of a guess: an opening of a cell that may be a mine, or not.

    A best guess is one that was needed, since no cell was certainly safe, and whose cell was a best
    one. `game/fairness.py` says which cells are.

    >>> mp.Rules.parse("guesses=fair").guesses.value
    'fair'
    """

    DEALT = "dealt"
    """The deal decides."""
    FAIR = "fair"
    """A best guess opens no mine; any other is as dealt."""
    CRUEL = "cruel"
    """A best guess is as dealt; any other opens a mine."""


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
    guesses: GuessRule = GuessRule.DEALT

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
        # Texts of games as dealt stay as they were before there was a rule for guesses.
        return " ".join(
            f"{key}={word.format(getattr(self, word.field))}"
            for key, word in _WORDS.items()
            if key != "guesses" or self.guesses is not GuessRule.DEALT
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

    def with_words(self, **words: Unpack[RuleWords]) -> Rules:
        """These rules with some replaced, each by its key with `_` for `-`: a text, or its value.

        None leaves a rule as it is, so command-line options can be passed on unchanged.
        """
        return replace(self, **read_words(cast(Mapping[str, RuleValue], words)))

    told = OldName(lambda rules, cells, dealt: told_rules(rules, cells, dealt))

    def __str__(self) -> str:
        return self.text


def told_rules(rules: Rules, cells: int, dealt: int | None, free: int = 0) -> Rules:
    """The rules by which chances are counted, when `dealt` mines lie on `cells` cells, of which the
    rules keep `free` free of mines; None where the number is drawn and not dealt yet.

    The total where it is known. Otherwise what a player believes: the chance of a mine in a cell
    that may have one, or `uniform` with the number of such cells. A player who is told no total
    takes these cells to be mines independently, however many mines are dealt. What becomes of
    guesses changes no chance (see `game/fairness.py`): it is left out.
    """
    if rules.guesses is not GuessRule.DEALT:
        rules = replace(rules, guesses=GuessRule.DEALT)
    if rules.total_known and dealt is not None:
        return replace(rules, mines=Mines.number(dealt))
    if rules.total_known:
        rules = replace(rules, total_known=False)
    fixed, room = rules.mines.fixed(cells), cells - free
    if fixed is not None:
        return replace(rules, mines=Mines.independent(Fraction(fixed, room) if room else 0))
    if rules.mines.is_uniform and free:
        return replace(rules, mines=Mines.uniform(room))
    return rules


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
    | GuessRule
    | None
)
"""What a rule can be given as: its text, or the value itself; None says nothing."""


class OtherRuleWords(TypedDict, total=False):
    """The rules by name but for the first click."""

    mines: Mines | SupportsIndex | str | None
    on_mine: OnMine | str | None
    total: bool | str | None
    clues: str | None
    given: Given | Sequence[Sequence[int]] | str | None
    cascade: bool | str | None
    goal: Goal | str | None
    guesses: GuessRule | str | None


class RuleWords(OtherRuleWords, total=False):
    """The rules by name, as functions take them; type checkers find a mistyped one."""

    first_click: FirstClick | str | None


# ----------------------------------------------------------------------------
# How each rule is written: one row of `_WORDS` per field of `Rules`. Parsing, error messages and
# the headers of positions read this table. Command-line options are written out with their help, in
# `cli/options.py`: to read them from here would slow down every start.

E = TypeVar("E", bound=Enum)


@dataclass(frozen=True)
class _RuleWord:
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
            return Mines.number(as_int(value, key))
        if isinstance(value, Sequence) and self.kind is Given:
            return Given.of(value)
        accepted = "a text, a list of coordinates" if self.kind is Given else "a text"
        raise RulesError(
            f"{key} is {as_given(value)}; accepted: {accepted} or {self.kind.__name__}"
        )


def _choice(key: str, kind: type[E]) -> _RuleWord:
    def parse(text: str) -> E:
        for member in kind:
            if member.value == text:
                return member
        accepted = ", ".join(str(member.value) for member in kind)
        raise RulesError(f"{key} {quoted(text)} is unknown; accepted: {accepted}")

    return _RuleWord(key.replace("-", "_"), kind, parse, lambda member: str(member.value))


def _switch(key: str, field_name: str, on: str, off: str) -> _RuleWord:
    def parse(text: str) -> bool:
        if text not in (on, off):
            raise RulesError(f"{key} {quoted(text)} is unknown; accepted: {on}, {off}")
        return text == on

    return _RuleWord(field_name, bool, parse, lambda value: on if value else off)


def _channel(text: str) -> str:
    if not re.fullmatch(r"[a-z]+(:[^\s=]{1,20000})?", text):
        raise RulesError(
            f"clues {quoted(text)} cannot be read; accepted: a channel such as exact or"
            " withheld:0.3"
        )
    return text


_WORDS: dict[str, _RuleWord] = {
    "mines": _RuleWord("mines", Mines, Mines.parse, lambda mines: mines.text),
    "first-click": _choice("first-click", FirstClick),
    "on-mine": _choice("on-mine", OnMine),
    "total": _switch("total", "total_known", "known", "unknown"),
    "clues": _RuleWord("clues", str, _channel, str),
    "given": _RuleWord("given", Given, Given.parse, lambda given: given.text),
    "cascade": _switch("cascade", "cascade", "on", "off"),
    "goal": _choice("goal", Goal),
    "guesses": _choice("guesses", GuessRule),
}
RULE_WORDS = tuple(_WORDS)
assert {word.field for word in _WORDS.values()} == {f.name for f in fields(Rules)}


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


# ----------------------------------------------------------------------------
# The rules of the five reports by name. A name stands for the words that its report says or
# implies; every other rule keeps its default. `mineproof reproduce` starts from these, `--rules
# report0` sets them on the command line, and words beside a name override its own: `report0
# total=known`.

REPORT_RULES: Mapping[str, str] = {
    # A mine is opened and the game goes on, one cell at a step. Only the agent with global
    # information is told the total.
    "report0": "first-click=any on-mine=continue total=unknown cascade=off",
    # The first cell is 0,0. The report says no word about keeping it free of mines.
    "report1": "first-click=any given=0,0",
    "report2": "first-click=any given=corner+centre",
    # It plays no game: mines are set, their number is told, and nothing is promised of any cell.
    "report3": "first-click=any",
    # Medium and Hard differ in f; 1/2 is the one that both of its tables have.
    "report4": "first-click=any given=f=1/2 goal=mark-all",
}
"""The words of each report's rules."""


# -- Shares from 0 to 1, read and written exactly: `0.2`, `20%`, `1/5` ---------

_SHARE = re.compile(r"(\d{0,9}\.?\d{1,17})(%?)")
_FINEST = 10**17  # as many digits as `parse_share` reads: a finer share would have no text
_SHARE_RATIO = re.compile(r"(\d{1,17})/(\d{1,17})")


def parse_share(text: str, name: str = "density") -> Fraction:
    """A share from 0 to 1 written `0.2`, `20%` or `1/5`, exactly."""
    share: Fraction | None = None
    if match := _SHARE.fullmatch(text):
        share = Fraction(match[1]) / (100 if match[2] else 1)
    elif (match := _SHARE_RATIO.fullmatch(text)) and int(match[2]):
        share = Fraction(int(match[1]), int(match[2]))
    if share is None:
        raise RulesError(
            f"{name} {quoted(text)} is not a number; accepted: 0.2, 20% or 1/5, from 0 to 1"
        )
    if share > 1:
        raise RulesError(f"{name} {quoted(text)} is out of range; accepted: 0 to 1")
    return check_share(share, name)


def check_share(share: SupportsFloat, name: str = "density") -> Fraction:
    """Return `share` if it lies in 0..1 and has an exact text; else raise a RulesError.

    A float stands for its shortest decimal: 0.1 is a tenth.
    """
    given: object = share
    if not isinstance(given, Real):
        raise RulesError(f"{name} {as_given(share)} is no number; accepted: 0 to 1, such as 0.2")
    if given < 0 or not given <= 1:  # not a number is neither
        raise RulesError(f"{name} {quoted(given)} is out of range; accepted: 0 to 1")
    exact = Fraction(given if isinstance(given, Rational) else repr(float(given)))
    if exact.denominator > _FINEST:
        raise RulesError(f"{name} {quoted(exact)} is too fine; accepted: up to 17 decimals")
    return exact


def share_text(share: Fraction) -> str:
    """The shortest exact text of a share: a decimal where one exists, else a ratio."""
    for digits in range(18):
        if (share * 10**digits).denominator == 1:
            whole, rest = divmod(int(share * 10**digits), 10**digits)
            return f"{whole}.{rest:0{digits}d}" if digits else str(whole)
    return f"{share.numerator}/{share.denominator}"
