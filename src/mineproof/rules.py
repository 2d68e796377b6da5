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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from mineproof.errors import RulesError, UnknownName, quoted, text_of
from mineproof.whole import whole

__all__ = [
    "RULE_WORDS",
    "FirstClick",
    "Given",
    "Goal",
    "Mines",
    "OnMine",
    "RuleValue",
    "Rules",
    "parse_share",
    "read_words",
    "share_text",
    "split_words",
]

E = TypeVar("E", bound=Enum)

_SHARE = re.compile(r"(\d{0,9}\.?\d{1,17})(%?)")
_FINEST = 10**17
_RATIO = re.compile(r"(\d{1,17})/(\d{1,17})")


def parse_share(text: str, name: str = "density") -> Fraction:
    """A share from 0 to 1 written `0.2`, `20%` or `1/5`, exactly."""
    share: Fraction | None = None
    if match := _SHARE.fullmatch(text):
        share = Fraction(match[1]) / (100 if match[2] else 1)
    elif (match := _RATIO.fullmatch(text)) and int(match[2]):
        share = Fraction(int(match[1]), int(match[2]))
    if share is None:
        raise RulesError(
            f"{name} {quoted(text)} is not a number; accepted: 0.2, 20% or 1/5, from 0 to 1"
        )
    return check_share(share, name)


def check_share(share: Fraction | float, name: str = "density") -> Fraction:
    """Return `share` if it lies in 0..1 and has an exact text; else raise a RulesError.

    A float stands for its shortest decimal: 0.1 is a tenth.
    """
    if not 0 <= share <= 1:
        raise RulesError(f"{name} {quoted(share)} is out of range; accepted: 0 to 1")
    exact = Fraction(repr(share)) if isinstance(share, float) else share
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


class _Dealt(Enum):
    NUMBER = "number"
    DENSITY = "density"
    INDEPENDENT = "independent"
    UNIFORM = "uniform"


@dataclass(frozen=True)
class Mines:
    """How mines are dealt: `99`, `20%` (rounded to a number), `~20%` (each cell independently) or
    `uniform` (a number drawn uniformly from 1 to the number of cells).

    >>> mp.Mines.number(99).text, mp.Mines.density(0.2).fixed(81), mp.Mines.parse("~20%").chance
    ('99', 16, Fraction(1, 5))
    """

    kind: _Dealt
    value: Fraction = Fraction(0)

    @classmethod
    def number(cls, count: int) -> Mines:
        if not 0 <= whole(count, "mines") < 10**9:
            raise RulesError(f"{quoted(count)} mines; accepted: 0 to {10**9 - 1}")
        return cls(_Dealt.NUMBER, Fraction(whole(count, "mines")))

    @classmethod
    def density(cls, share: Fraction | float) -> Mines:
        return cls(_Dealt.DENSITY, check_share(share))

    @classmethod
    def independent(cls, share: Fraction | float) -> Mines:
        return cls(_Dealt.INDEPENDENT, check_share(share))

    @classmethod
    def uniform(cls) -> Mines:
        return cls(_Dealt.UNIFORM)

    @classmethod
    def of(cls, mines: Mines | int | str) -> Mines:
        """A number, a text or a value."""
        if isinstance(mines, str):
            return cls.parse(mines)
        return mines if isinstance(mines, Mines) else cls.number(mines)

    @classmethod
    def parse(cls, text: str) -> Mines:
        if text_of(text, "mines") == "uniform":
            return cls.uniform()
        if text.startswith("~"):
            return cls.independent(parse_share(text[1:]))
        if text.isascii() and text.isdigit() and len(text) <= 9:
            return cls.number(int(text))
        if text.endswith("%") or "/" in text:
            return cls.density(parse_share(text))
        raise RulesError(
            f"mines {quoted(text)} cannot be read; accepted: a number such as 99, a density such"
            " as 20%, ~20% for each cell on its own, or uniform"
        )

    def __repr__(self) -> str:
        return f"Mines.parse({self.text!r})"

    @property
    def text(self) -> str:
        if self.kind is _Dealt.UNIFORM:
            return "uniform"
        if self.kind is _Dealt.NUMBER:
            return str(int(self.value))
        percent = share_text(self.value * 100)
        share = f"{percent}%" if "/" not in percent else share_text(self.value)
        return f"~{share}" if self.kind is _Dealt.INDEPENDENT else share

    @property
    def is_number(self) -> bool:
        """Whether it is a plain number, the same on every board."""
        return self.kind is _Dealt.NUMBER

    @property
    def chance(self) -> Fraction | None:
        """The chance of a mine in every cell, where cells are dealt independently."""
        return self.value if self.kind is _Dealt.INDEPENDENT else None

    def fixed(self, cells: int) -> int | None:
        """The number of mines on a board of `cells` cells, or None if it is random.

        A density is rounded to the nearest number, a tie is rounded up.
        """
        if self.kind is _Dealt.NUMBER:
            return int(self.value)
        if self.kind is _Dealt.DENSITY:
            return int(self.value * cells + Fraction(1, 2))
        return None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Given:
    """The cells opened before the first move.

    `none`; `corner+centre`; `random:K` (K cells drawn from the safe ones after the deal); or cells
    by their coordinates, `0,0;3,4`. These are the first click: the deal keeps them free of mines
    unless the first click is `any`. `corner+centre` is always kept free; `random:K` does not change
    the deal.

    >>> mp.Referee("9x9/10", given=mp.Given(cells=((0, 0), (4, 4)))).view.is_open((4, 4))
    True
    """

    corner_centre: bool = False
    random: int = 0
    cells: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Given:
        if text_of(text, "given") == "none":
            return cls()
        if text in ("corner+centre", "corner+center"):
            return cls(corner_centre=True)
        if match := re.fullmatch(r"random:(\d{1,9})", text):
            return cls(random=int(match[1]))
        if re.fullmatch(r"\d{1,9}(,\d{1,9})*(;\d{1,9}(,\d{1,9})*)*", text):
            return cls(cells=tuple(tuple(map(int, cell.split(","))) for cell in text.split(";")))
        raise RulesError(
            f"given {quoted(text)} cannot be read; accepted: none, corner+centre, random:K, or"
            " cells such as 0,0;3,4"
        )

    @property
    def text(self) -> str:
        if self.corner_centre:
            return "corner+centre"
        if self.random:
            return f"random:{self.random}"
        if self.cells:
            return ";".join(",".join(map(str, cell)) for cell in self.cells)
        return "none"


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
    given: Given = Given()
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
        """Read `key=value` words; a key left out has its default."""
        return cls(**read_words(split_words(text)))

    @property
    def text(self) -> str:
        return " ".join(
            f"{key}={word.format(getattr(self, word.field))}" for key, word in _WORDS.items()
        )

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


RuleValue: TypeAlias = str | bool | int | Mines | FirstClick | OnMine | Given | Goal | None
"""What a rule can be given as: its text, or the value itself; None says nothing."""


def split_words(text: str) -> dict[str, str]:
    """The `key=value` words of a rules text, each key once. Raises RulesError."""
    found: dict[str, str] = {}
    for word in text_of(text, "rules").split():
        key, equals, value = word.partition("=")
        if not equals:
            raise RulesError(f"rule {quoted(word)} has no value; accepted: KEY=VALUE words")
        if key not in _WORDS:
            raise UnknownName("rule", key, _WORDS)
        if key in found:
            raise RulesError(f"rule {key} is given twice")
        found[key] = value
    return found


def read_words(words: Mapping[str, RuleValue]) -> dict[str, Any]:
    """The fields of `Rules` that words set, by their keys with `_` or `-`. Raises InputError."""
    found: dict[str, Any] = {}
    for key, value in words.items():
        name = key.replace("_", "-")
        if name not in _WORDS:
            raise UnknownName("rule", name, _WORDS)
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
        if isinstance(value, int) and not isinstance(value, bool) and self.kind is Mines:
            return Mines.number(value)
        if not isinstance(value, str):
            raise RulesError(
                f"{key} is {quoted(repr(value))}; accepted: a text or {self.kind.__name__}"
            )
        return self.parse(value)


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
