"""Arguments and options of a command, declared beside its parameters, and the command made of them.

A command is a function; what `click` needs to know of a parameter stands in its annotation:

    def command(position: Annotated[str, Argument(metavar="POSITION")], rules: RuleOptions) -> int

A parameter may be a group: a frozen dataclass whose fields are options, or groups again. The
options of a group stand where the group stands, in `--help` under its `PANEL` if it has one.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import click

__all__ = ["Argument", "Option", "click_command"]


@dataclass(frozen=True)
class Argument:
    """A word that stands by itself."""

    metavar: str | None = None
    help: str | None = None


class Option:
    """A word with two dashes; named as its parameter unless names are given."""

    def __init__(
        self,
        *names: str,
        metavar: str | None = None,
        help: str | None = None,  # noqa: A002 - as click calls it
        panel: str | None = None,
    ) -> None:
        self.names, self.metavar, self.help, self.panel = names, metavar, help, panel

    def under(self, panel: str) -> Option:
        """The same option under a heading of `--help`."""
        return Option(*self.names, metavar=self.metavar, help=self.help, panel=panel)


def click_command(name: str, command: Callable[..., object]) -> click.Command:
    """The command as click runs it; it returns what the function returns."""
    parameters = inspect.signature(command, eval_str=True).parameters  # as classes, not text

    def run(**given: Any) -> object:
        return command(**{name: _value(one, given) for name, one in parameters.items()})

    return PanelledCommand(
        name,
        callback=run,
        help=inspect.getdoc(command),
        params=[_declared(part) for one in parameters.values() for part in _parts(one)],
    )


def _parts(one: inspect.Parameter) -> Iterator[inspect.Parameter]:
    """The parameter itself, or those of its group."""
    if not dataclasses.is_dataclass(one.annotation):
        yield one
        return
    for part in _fields(one.annotation):
        yield from _parts(part)


def _value(one: inspect.Parameter, given: Mapping[str, Any]) -> Any:
    """What the command gets for one of its parameters: a group is built from its options."""
    group = one.annotation
    if not dataclasses.is_dataclass(group):
        value = given[one.name]
        # Click gives a tuple to what may be repeated, empty where it was not given.
        return (list(value) or one.default) if isinstance(value, tuple) else value
    assert isinstance(group, type)
    return group(**{part.name: _value(part, given) for part in _fields(group)})


def _fields(group: Any) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    panel = getattr(group, "PANEL", None)
    for field in dataclasses.fields(group):
        missing = field.default is dataclasses.MISSING
        hint = hints[field.name]
        yield inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if missing else field.default,
            annotation=hint if panel is None else _in_panel(hint, panel),
        )


def _in_panel(hint: Any, panel: str) -> Any:
    """The annotation of an option, moved to a panel; a group within the group keeps its own."""
    if get_origin(hint) is not Annotated:
        return hint
    kind, option = get_args(hint)
    return Annotated[kind, option.under(panel)]


def _declared(one: inspect.Parameter) -> click.Parameter:
    """A parameter of the function as click knows it."""
    kind, declared = one.annotation, Option()
    if get_origin(kind) is Annotated:
        kind, declared = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (part for part in get_args(kind) if part is not type(None))
    repeated = get_origin(kind) is list
    if repeated:
        (kind,) = get_args(kind)
    required = one.default is inspect.Parameter.empty
    default = {} if required or repeated else {"default": one.default}
    if isinstance(declared, Argument):
        nargs = -1 if repeated else 1
        return PanelledArgument(
            [one.name], declared, type=kind, nargs=nargs, required=required, **default
        )
    long = f"--{one.name.replace('_', '-')}"
    if kind is bool:
        names = declared.names or (f"{long}/--no-{long.removeprefix('--')}",)
        return PanelledOption([one.name, *names], declared, is_flag=True, **default)
    return PanelledOption(
        [one.name, *(declared.names or (long,))],
        declared,
        type=kind,
        multiple=repeated,
        required=required,
        show_default=one.default is not None and not required,
        **default,
    )


# -- `--help` with its options in groups --------------------------------------------------


class PanelledArgument(click.Argument):
    """An argument with a line of help."""

    panel = "Arguments"

    def __init__(self, names: list[str], declared: Argument, **given: Any) -> None:
        super().__init__(names, metavar=declared.metavar, **given)
        self.told = declared.help or ""  # newer clicks list `help` in a section of their own

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        needed = "  [required]" if self.required else ""
        return self.metavar or self.human_readable_name, f"{self.told}{needed}"


class PanelledOption(click.Option):
    """An option with the heading that it stands under."""

    def __init__(self, names: list[str], declared: Option, **given: Any) -> None:
        super().__init__(names, metavar=declared.metavar, help=declared.help, **given)
        self.panel = declared.panel


class PanelledCommand(click.Command):
    """A command whose options stand under the name of their panel.

    Arguments come first. Options without a panel stand under `Options`: before the panels, or
    after them where `--help` is the only one.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        rest: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                panel = getattr(parameter, "panel", None)
                (rest if panel is None else panels.setdefault(panel, [])).append(record)
        sections = list(panels.items())
        first = 1 if PanelledArgument.panel in panels else 0
        sections.insert(first if len(rest) > 1 else len(sections), ("Options", rest))
        for name, records in sections:
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)
