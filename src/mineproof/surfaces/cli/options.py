"""Options that several commands take, declared once, and groups of options.

A group is a frozen dataclass whose fields are options. A command under `takes_groups` takes it as
one parameter:

    @takes_groups
    def command(board: BoardName, rules: RuleOptions) -> int: ...
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

__all__ = [
    "PLAYED",
    "SHOWN",
    "WRITTEN",
    "AsJson",
    "BoardName",
    "LimitOptions",
    "PositionFile",
    "board_option",
    "json_option",
    "takes_groups",
]

PLAYED, SHOWN, WRITTEN = "What is played", "What is shown", "What is written"
"""Panels of a long `--help`."""


def json_option(panel: str | None = None) -> Any:
    """The option `--json`, in a panel of `--help`."""
    return typer.Option("--json", help="Print one JSON object.", rich_help_panel=panel)


def board_option(panel: str | None = None) -> Any:
    """The option `--board`, in a panel of `--help`."""
    return typer.Option(
        metavar="BOARD",
        help="Such as expert, hex:7x7/10, 9x9/20%.  [default: expert]",
        rich_help_panel=panel,
    )


AsJson = Annotated[bool, json_option()]
PositionFile = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help="A file with a position, or - for stdin: a header such as 'square 3x3 mines=2', then"
        " rows of digits for clues, . for hidden cells and F for flags.",
    ),
]
BoardName = Annotated[str | None, board_option()]

Result = TypeVar("Result")


@dataclasses.dataclass(frozen=True)
class LimitOptions:
    """Limits for an agent from a file."""

    move_seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="Time limit of a move by an agent from a file.  [default: 10]"
        ),
    ] = None
    game_seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="Time limit of a game by an agent from a file.  [default: 120]"
        ),
    ] = None
    memory_mb: Annotated[
        int | None,
        typer.Option(metavar="MB", help="Memory limit of an agent from a file.  [default: 2048]"),
    ] = None

    @property
    def given(self) -> dict[str, Any]:
        """The limits that were given, as `Limits` names them."""
        return {name: value for name, value in vars(self).items() if value is not None}


def takes_groups(command: Callable[..., Result]) -> Callable[..., Result]:
    """The command as typer reads it: each group among its parameters spread into its options.

    The options of a group stand where the group stands; a group may hold groups.
    """
    parameters = inspect.signature(command, eval_str=True).parameters
    options = [option for one in parameters.values() for option in _options(one)]

    @wraps(command)
    def run(**given: object) -> Result:
        return command(**{name: _value(one, given) for name, one in parameters.items()})

    # Typer reads both; what `wraps` left there are the command's own.
    vars(run)["__signature__"] = inspect.Signature(options)
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run


def _options(one: inspect.Parameter) -> Iterator[inspect.Parameter]:
    if not dataclasses.is_dataclass(one.annotation):
        yield one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        return
    for part in _fields(one.annotation):
        yield from _options(part)


def _value(one: inspect.Parameter, given: Mapping[str, object]) -> object:
    """What the command gets for one of its parameters: a group is built from its options."""
    group = one.annotation
    if not dataclasses.is_dataclass(group):
        return given[one.name]
    assert isinstance(group, type)
    return group(**{part.name: _value(part, given) for part in _fields(group)})


def _fields(group: Any) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in dataclasses.fields(group):
        missing = field.default is dataclasses.MISSING
        yield inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if missing else field.default,
            annotation=hints[field.name],
        )
