"""Options of several commands: groups of options, and the rules."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Annotated

import click
import pytest
from click.testing import CliRunner

from mineproof.cli.declarations import Argument, Option, click_command
from mineproof.cli.main import COMMANDS
from mineproof.cli.options import OutputFile, RuleOptions
from mineproof.cli.play import GameOptions, PlayOptions
from mineproof.errors import InputError
from mineproof.rules import REPORT_RULES, RULE_WORDS, Rules
from mineproof.view.setting import Setting


@dataclass(frozen=True)
class Inner:
    depth: Annotated[int, Option(help="How deep.")] = 3


@dataclass(frozen=True)
class Outer:
    name: Annotated[str, Argument()]
    inner: Inner = field(default_factory=Inner)
    loud: Annotated[bool, Option("--loud")] = False

    def __post_init__(self) -> None:
        if self.inner.depth < 0:
            raise InputError("--depth is below 0; accepted: 0 or more")


def shout(outer: Outer, times: int = 2) -> int:
    """Say what was given."""
    click.echo(f"{outer} {times}")
    return 0


def test_a_command_takes_groups_within_groups() -> None:
    app = click_command("shout", shout)
    ran = CliRunner().invoke(app, ["here", "--depth", "5", "--times", "7", "--loud"])
    assert ran.exit_code == 0
    assert ran.output == "Outer(name='here', inner=Inner(depth=5), loud=True) 7\n"
    ran = CliRunner().invoke(app, ["here"])
    assert ran.output == "Outer(name='here', inner=Inner(depth=3), loud=False) 2\n"
    assert CliRunner().invoke(app, []).exit_code == 2
    assert isinstance(CliRunner().invoke(app, ["here", "--depth", "-1"]).exception, InputError)


def test_the_options_of_a_group_stand_where_it_stands() -> None:
    command = click_command("shout", shout)
    assert [option.name for option in command.params] == ["name", "depth", "loud", "times"]
    assert command.help == "Say what was given."


def test_every_rule_has_an_option_and_every_option_a_rule(command) -> None:
    options = [field.name for field in dataclasses.fields(RuleOptions)]
    rules = [word.replace("-", "_") for word in RULE_WORDS]
    assert sorted([*options, "mines"]) == sorted([*rules, "rules"])
    assert not RuleOptions().words
    for playing in ("play", "compare", "check"):
        shown = command(playing, "--help").out
        assert all(f"--{name.replace('_', '-')} " in shown for name in options), playing


def test_every_command_says_json_alike(command) -> None:
    # Tasks are JSON as they are, and mcp speaks a protocol.
    without = {"check-proof", "reproduce", "coach", "tasks", "mcp"}
    for name in COMMANDS:
        said = "  --json " in command(name, "--help").out
        assert said != (name in without), name


def test_an_output_is_refused_before_any_work(tmp_path) -> None:
    assert OutputFile.of("--svg", None) is None
    for place in (tmp_path, tmp_path / "none" / "x.svg", "x" * 10_000 + "/x.svg"):
        with pytest.raises(
            InputError, match=r"^--svg .* cannot be written: .*; accepted: "
        ) as caught:
            OutputFile("--svg", str(place))
        assert len(str(caught.value)) < 200


def test_an_output_that_cannot_be_written_is_one_line() -> None:
    with pytest.raises(InputError, match=r"^--svg '/dev/full' cannot be written: No space left"):
        OutputFile("--svg", "/dev/full").write("<svg/>")


# ----------------------------------------------------------------------------
# Rules on the command line: of a report by its name, as a text, and options beside either.


def played(command, *options: str) -> str:
    ran = command("play", "--board", "8x8/8", "--agent", "resolution", "--json", *options)
    assert ran.status == 0, ran.err
    return json.loads(ran.out)["rules"]


@pytest.mark.parametrize("name", REPORT_RULES)
def test_the_rules_of_a_report(command, name: str) -> None:
    expected = Setting.of("8x8/8", Rules.parse(name)).rules.text
    assert played(command, "--rules", name) == expected
    ran = command("compare", "--agents", "random", "--board", "8x8/8", "--games", "2", "--json",
                  "--rules", name)  # fmt: skip
    assert json.loads(ran.out)["rules"] == expected
    assert (
        command("check", "random", "--board", "6x6/6", "--games", "1", "--rules", name).status == 0
    )


def test_options_replace_words_of_the_text(command) -> None:
    rules = played(command, "--rules", "report0", "--total", "known", "--given", "f=1/2")
    assert rules == Setting.of("8x8/8", "report0 total=known given=f=1/2").rules.text
    rules = played(command, "--rules", "first-click=any on-mine=continue", "--on-mine", "lose")
    assert "first-click=any on-mine=lose" in rules


def test_rate_and_optimal_take_the_rules_that_they_know(command) -> None:
    assert (
        "first click any: best play wins 24 of 36"
        in command("optimal", "3x3/2", "--rules", "report3").out
    )
    assert (
        "first click safe"
        in command("optimal", "3x3/2", "--rules", "report3", "--first-click", "safe").out
    )
    rated = command("rate", "--board", "beginner", "--seed", "2", "--json", "--rules", "report3")
    assert "first-click=any" in json.loads(rated.out)["rules"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("play", "--rules", "reprt0"), "did you mean report0"),
        (("play", "--rules", "first-clik=any"), "did you mean first-click"),
        (("compare", "--agents", "random", "--rules", "total"), "rule 'total' has no value"),
        (("compare", "--spec", "x", "--rules", "report0"), "accepted: without --rules"),
        (("optimal", "3x3/2", "--rules", "report1"), "accepted: given=none"),
        (("optimal", "3x3/2", "--rules", "report0"), "accepted: total known"),
        (("rate", "--board", "beginner", "--rules", "report2"), "accepted: given=none"),
        (("rate", "x.txt", "--rules", "report2"), "--rules is for a board"),
        (("play", "--given", "f=none"), "accepted: such as f=2, f=0.5 or f=1/2"),
    ],
)
def test_what_is_refused(command, arguments: tuple[str, ...], said: str) -> None:
    ran = command(*arguments)
    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("board", "mines"), [("5x5/0.3", 8), ("5x5/1.0", 25), ("5x5/0.05", 1), ("5x5/30%", 8)]
)
def test_a_density_as_report_0_writes_it(command, board: str, mines: int) -> None:
    ran = command("play", "--board", board, "--rules", "report0", "--agent", "reductio", "--json")
    assert ran.status == 0
    steps = json.loads(ran.out)["steps"]
    assert len(steps) == 25
    flagged = sum(step["action"] == "flag" for step in steps)
    assert flagged + sum(step["shown"] == "*" for step in steps) == mines
    assert command("compare", "--agents", "random", "--board", board, "--rules", "report0",
                   "--games", "2").status == 0  # fmt: skip


def test_the_command_that_shows_a_game_again_keeps_the_rules() -> None:
    options = PlayOptions(GameOptions(board="5x5/4"), RuleOptions(rules="report2", total="unknown"))
    assert options.command_line().endswith("--rules report2 --total unknown")
