"""Every error mineproof raises on purpose.

    MineproofError
    ├── InputError                 malformed input: a file, a name, an option, a cell
    │   ├── NotationError          a text that cannot be read, with its line
    │   ├── UnknownName            a name no catalog holds, with the nearest ones
    │   ├── BoardError             a board that cannot exist (size, mines, edges)
    │   ├── RulesError             rules that contradict themselves
    │   └── MissingLibrary         what was asked for needs a library that is not installed
    ├── IllegalMove                an action the referee refuses
    ├── InconsistentPosition       the position has no solution, with the clues that clash
    ├── BudgetExceeded             more work than the caller allowed; nothing is approximated
    ├── AgentFailure               a user's agent raised, hung or returned nonsense
    │   └── AgentTimeout           it took longer than it was given
    └── LabError                   an experiment cannot go on: a full disk, lost workers

A message is one line: it names the place and says what would be accepted.
"""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Iterable, Iterator
from typing import SupportsIndex, TypeVar

__all__ = [
    "AgentFailure",
    "AgentTimeout",
    "BoardError",
    "BudgetExceeded",
    "IllegalMove",
    "InconsistentPosition",
    "InputError",
    "LabError",
    "MineproofError",
    "MissingLibrary",
    "NotationError",
    "RulesError",
    "UnknownName",
    "as_given",
    "as_int",
    "check_function",
    "check_kind",
    "each_of",
    "one_line",
    "printable",
    "quoted",
    "text_of",
]

T = TypeVar("T")

_DIGITS = "0123456789"
_QUOTE_LIMIT = 40
_PLACE_LIMIT = 100
_LONGEST, _LONGEST_END = 2000, 500
_ADDRESS = re.compile(r"\bat 0x[0-9A-Fa-f]+")


def printable(text: str, keep: str = "") -> str:
    """`text` as it may reach a terminal: what controls one, or turns its letters, is escaped.

    Every text from outside passes here before it is shown. The characters of `keep` stay.

    >>> print(printable("red \\x1b[31m and \\u202e turned"))
    red \\x1b[31m and \\u202e turned
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else ascii(char)[1:-1] for char in text
    )


def one_line(text: object, most: int = 200) -> str:
    """`text` from outside as one printable line of at most `most` characters.

    It is the same in every run: addresses of objects are left out.

    >>> one_line("<Agent object at 0x7f5a>\\n  failed")
    '<Agent object at 0x...> failed'
    """
    line = _ADDRESS.sub("at 0x...", printable(" ".join(str(text).split())))
    return line if len(line) <= most else line[: most - 3].rstrip() + "..."


def quoted(text: object) -> str:
    """`text` made fit for a one-line message: printable, escaped and short."""
    shown = ascii(text) if isinstance(text, str) else ascii(str(text))
    return shown if len(shown) <= _QUOTE_LIMIT else shown[: _QUOTE_LIMIT - 4] + "...'"


def as_given(value: object) -> str:
    """A value of any kind that was handed over, made fit for a one-line message.

    >>> print(as_given("many"), as_given(5.5))
    'many' '5.5'
    """
    return quoted(value if isinstance(value, str) else repr(value))


def text_of(value: object, what: str) -> str:
    """`value` if it is a text; else raise an InputError that names what was to be read."""
    if not isinstance(value, str):
        raise InputError(f"{what} {as_given(value)} is no text; accepted: a str")
    return value


def as_int(value: SupportsIndex, name: str) -> int:
    """An integer of Python or numpy as an `int`; the InputError for anything else has its `name`.

    >>> as_int(7, "seed")
    7
    """
    try:
        return int(operator.index(value))
    except TypeError:
        raise InputError(
            f"{name} {as_given(value)} is no whole number; accepted: such as 7"
        ) from None


def check_kind(value: object, kind: type, what: str, accepted: str) -> None:
    """Raise an InputError that names what was asked for, unless `value` is of this kind.

    >>> check_kind(5, str, "name", "a text")
    Traceback (most recent call last):
    mineproof.errors.InputError: name '5' is no str; accepted: a text
    """
    if not isinstance(value, kind):
        raise InputError(f"{what} {as_given(value)} is no {kind.__name__}; accepted: {accepted}")


def check_function(value: object, what: str, accepted: str) -> None:
    """Raise an InputError that names what was asked for, unless `value` can be called, or is None.

    >>> check_function(5, "watch", "a function of a Row, or None")
    Traceback (most recent call last):
    mineproof.errors.InputError: watch '5' is no function; accepted: a function of a Row, or None
    """
    if value is not None and not callable(value):
        raise InputError(f"{what} {as_given(value)} is no function; accepted: {accepted}")


def each_of(values: Iterable[T], what: str, accepted: str) -> Iterator[T]:
    """The values one by one. Raises InputError for what is no list of any kind."""
    try:
        return iter(values)
    except TypeError:
        raise InputError(f"{what} {as_given(values)} is no list; accepted: {accepted}") from None


class MineproofError(Exception):
    """Root of every error raised on purpose; its text is cut in the middle where it is long.

    >>> try:
    ...     mp.play("exprt")
    ... except mp.MineproofError as error:
    ...     print(error)
    unknown board 'exprt'; did you mean expert?
    """

    def __init__(self, *args: object) -> None:
        # What was asked for may be a number of thousands of digits. The end says what is accepted.
        if args and isinstance(text := args[0], str) and len(text) > _LONGEST:
            args = (f"{text[: _LONGEST - _LONGEST_END]} ... {text[-_LONGEST_END:]}", *args[1:])
        super().__init__(*args)


class InputError(MineproofError):
    """Malformed input; the message names the place and what would be accepted.

    >>> mp.Topology.parse("9x9").cell(81)
    Traceback (most recent call last):
    mineproof.errors.InputError: cell 81 is not on the board; accepted: 0..80, or coordinates
    """


class NotationError(InputError):
    """A text that cannot be read. `line` counts from 1; None if no line is at fault.

    >>> try:
    ...     mp.View.parse("square 2x2 mines=1\\n1.\\n.!")
    ... except mp.NotationError as error:
    ...     print(error.line)
    3
    """

    def __init__(self, message: str, line: int | None = None, source: str | None = None) -> None:
        self.line = line
        self.source = source
        place = ""
        if source is not None:
            shown = printable(source)
            place += f"{shown if len(shown) <= _PLACE_LIMIT else '...' + shown[-_PLACE_LIMIT:]}: "
        if line is not None:
            place += f"line {line}: "
        self.plain = message
        super().__init__(place + message)

    def within(self, source: str, shift: int = 0) -> NotationError:
        """The same error for a named source, `shift` lines further down."""
        line = None if self.line is None else self.line + shift
        return NotationError(self.plain, line, source)


class UnknownName(InputError):
    """A name that a catalog does not hold; suggests the nearest.

    >>> try:
    ...     mp.play("beginner", "single-poin")
    ... except mp.UnknownName as error:
    ...     print(error.suggestions[0])
    single-point
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, accepted: Iterable[str] = ()
    ) -> None:
        """`accepted` are all that would be, as people write them, where they are few."""
        self.kind = kind
        self.name = name
        names = sorted(known)
        # The edit distance costs the product of the lengths, and no name is that long.
        wrong = name[:_QUOTE_LIMIT]
        number = wrong[len(wrong.rstrip(_DIGITS)) :]
        near = difflib.get_close_matches(wrong, names, n=3, cutoff=0.5)
        if not near:
            small = {known.lower(): known for known in names}
            close = difflib.get_close_matches(wrong.lower(), sorted(small), n=3, cutoff=0.5)
            near = [small[letters] for letters in close]
        listed = ", ".join(accepted)
        if listed and len({one.rstrip(_DIGITS) for one in near}) < len(near):
            # Of numbered names only one with the same number is meant.
            near = [one for one in near if one[len(one.rstrip(_DIGITS)) :] == number]
        self.suggestions = tuple(near)
        if self.suggestions:
            hint = "did you mean " + " or ".join(self.suggestions) + "?"
        else:
            hint = "known: " + ", ".join(names)
        if listed:
            hint = f"{hint} accepted: {listed}" if self.suggestions else f"accepted: {listed}"
        super().__init__(f"unknown {kind} {quoted(name)}; {hint}")


class BoardError(InputError):
    """A board that cannot exist.

    >>> mp.Board("3x3", 10)
    Traceback (most recent call last):
    mineproof.errors.BoardError: 10 mines on 9 cells; accepted: at most one per cell
    """


class RulesError(InputError):
    """Rules that cannot be read or contradict themselves.

    >>> mp.play("beginner", first_click="sure")
    Traceback (most recent call last):
    mineproof.errors.RulesError: first-click 'sure' is unknown; accepted: any, safe, opening
    """


class MissingLibrary(InputError):
    """What was asked for needs a library that is not installed; the message says how to get it.

    A game does not end with it, as with an agent's faults: no agent could play here.

    >>> print(MissingLibrary("figures need", "matplotlib", "'mineproof[lab]'"))
    figures need matplotlib, which is not installed; install it: pip install 'mineproof[lab]'
    """

    def __init__(self, needs: str, library: str, install: str) -> None:
        """`needs` is who needs it, with the verb; `install` is what pip is to be told."""
        super().__init__(
            f"{needs} {library}, which is not installed; install it: pip install {install}"
        )


class IllegalMove(MineproofError):
    """An action that the referee refuses, with the cell and the reason.

    >>> referee = mp.Referee("9x9/10")
    >>> referee.unflag((0, 0))
    Traceback (most recent call last):
    mineproof.errors.IllegalMove: cell 0,0 has no flag
    """


class InconsistentPosition(MineproofError):
    """The position has no solution.

    `clues` are the cells of a minimal set of clashing clues: without any one of them (or without
    the total, if `uses_total` is set) the rest can be met.

    >>> try:
    ...     mp.analyze("square 1x3 mines=1\\n1.0")
    ... except mp.InconsistentPosition as error:
    ...     print(error.clues)
    (0, 2)
    """

    def __init__(
        self, message: str, clues: Iterable[int] = (), *, uses_total: bool = False
    ) -> None:
        self.clues = tuple(clues)
        self.uses_total = uses_total
        super().__init__(message)


class BudgetExceeded(MineproofError):
    """More work than the caller allowed; nothing was approximated.

    >>> try:
    ...     mp.optimal("9x9/10")
    ... except mp.BudgetExceeded as error:
    ...     print(type(error).__name__)
    BudgetExceeded
    """


class AgentFailure(MineproofError):
    """An agent that raised, hung, ran out of memory or returned nonsense.

    A game does not raise it: it ends with it as its note.

    >>> class Lost:
    ...     def act(self, view):
    ...         return (99, 99)
    >>> mp.play("beginner", Lost).outcome.note[:28]
    'the agent chose a wrong cell'
    """


class AgentTimeout(AgentFailure):
    """An agent that did not answer in time.

    >>> issubclass(AgentTimeout, mp.AgentFailure)
    True
    """


class LabError(MineproofError):
    """An experiment that cannot go on, for no fault of its own: a full disk, lost workers.

    >>> issubclass(LabError, mp.MineproofError)
    True
    """
