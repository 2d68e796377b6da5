"""Groups of options: declared once, spread into every command that takes them."""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import dataclass, field
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from mineproof.errors import InputError
from mineproof.rules import Rules
from mineproof.surfaces.cli.main import COMMANDS
from mineproof.surfaces.cli.options import takes_groups
from mineproof.surfaces.cli.outputs import Output
from mineproof.surfaces.cli.rules_options import RuleOptions


@dataclass(frozen=True)
class Inner:
    depth: Annotated[int, typer.Option(help="How deep.")] = 3


@dataclass(frozen=True)
class Outer:
    name: Annotated[str, typer.Argument()]
    inner: Inner = field(default_factory=Inner)
    loud: Annotated[bool, typer.Option("--loud")] = False

    def __post_init__(self) -> None:
        if self.inner.depth < 0:
            raise InputError("--depth is below 0; accepted: 0 or more")


@takes_groups
def shout(outer: Outer, times: int = 2) -> int:
    """Say what was given."""
    typer.echo(f"{outer} {times}")
    return 0


def test_a_command_takes_groups_within_groups() -> None:
    app = typer.Typer(add_completion=False)
    app.command()(shout)
    ran = CliRunner().invoke(app, ["here", "--depth", "5", "--times", "7", "--loud"])
    assert ran.exit_code == 0
    assert ran.output == "Outer(name='here', inner=Inner(depth=5), loud=True) 7\n"
    ran = CliRunner().invoke(app, ["here"])
    assert ran.output == "Outer(name='here', inner=Inner(depth=3), loud=False) 2\n"
    assert CliRunner().invoke(app, []).exit_code == 2
    assert isinstance(CliRunner().invoke(app, ["here", "--depth", "-1"]).exception, InputError)


def test_the_options_of_a_group_stand_where_it_stands() -> None:
    assert list(inspect.signature(shout).parameters) == ["name", "depth", "loud", "times"]
    assert shout.__doc__ == "Say what was given."


def test_every_rule_has_an_option_and_every_option_a_rule(command) -> None:
    options = [field.name for field in dataclasses.fields(RuleOptions)]
    rules = [word.partition("=")[0].replace("-", "_") for word in Rules().text.split()]
    assert sorted([*options, "mines"]) == sorted([*rules, "rules"])
    assert not RuleOptions().words
    for playing in ("play", "compare", "check"):
        shown = command(playing, "--help").out
        assert all(f"--{name.replace('_', '-')} " in shown for name in options), playing


def test_every_command_says_json_alike(command) -> None:
    without = {"check-proof", "reproduce", "coach"}
    for name in COMMANDS:
        said = "  --json " in command(name, "--help").out
        assert said != (name in without), name


def test_an_output_is_refused_before_any_work(tmp_path) -> None:
    assert Output.named("--svg", None) is None
    for place in (tmp_path, tmp_path / "none" / "x.svg", "x" * 10_000 + "/x.svg"):
        with pytest.raises(
            InputError, match=r"^--svg .* cannot be written: .*; accepted: "
        ) as caught:
            Output("--svg", str(place))
        assert len(str(caught.value)) < 200


def test_an_output_that_cannot_be_written_is_one_line() -> None:
    with pytest.raises(InputError, match=r"^--svg '/dev/full' cannot be written: No space left"):
        Output("--svg", "/dev/full").write("<svg/>")
