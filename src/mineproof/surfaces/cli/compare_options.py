"""The options of `mineproof compare`: what each does, and which go together."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mineproof.errors import InputError
from mineproof.surfaces.cli.options import AsJson, LimitOptions
from mineproof.surfaces.cli.rules_options import RuleOptions

if TYPE_CHECKING:
    from mineproof.view.setting import AnyBoard

__all__ = ["CompareOptions"]

_SAID_BY_SPEC = (
    *("agents", "agents_dir", "board", "worlds", "world"),
    *("games", "seed", "agent_seed"),
)


@dataclass(frozen=True)
class CompareOptions:
    """The options of `compare`, as given. Raises InputError if two do not go together."""

    agents: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="Names that `mineproof agents` lists, or path/to/file.py:Class."
        ),
    ] = None
    agents_dir: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Every agent in a folder, such as the work of a class."),
    ] = None
    board: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOARD",
            help="Such as expert, hex:7x7/10, 9x9/20%, or a range of mines: 16x30/50..100:10;"
            " give it again for more.  [default: expert]",
        ),
    ] = None
    worlds: Annotated[
        str | None, typer.Option(metavar="FILE", help="Play the worlds of this file.")
    ] = None
    world: Annotated[str | None, typer.Option(metavar="NAME", help="Only this world.")] = None
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Games per board or world.  [default: 100]")
    ] = None
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The seed of the deals.  [default: 0]")
    ] = None
    agent_seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The seed of the agents' choices.  [default: the seed]"),
    ] = None
    spec: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="An experiment in TOML instead of agents, boards and rules."
        ),
    ] = None
    jobs: Annotated[int, typer.Option(metavar="J", help="Number of processes to play in.")] = 1
    engine: Annotated[
        str | None,
        typer.Option(metavar="E", help="Where to play: local, or dask://host:port."),
    ] = None
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Keep the games there; run again to resume."),
    ] = None
    transcripts: Annotated[
        bool,
        typer.Option(
            "--transcripts",
            help="Keep the transcript of every game in --out; `mineproof transcript` shows one.",
        ),
    ] = False
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided",
            help="Stop when it is clear whether the first agent is stronger than the others.",
        ),
    ] = False
    edge: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Stronger means: wins this share of the games that only one wins.  [default: 0.6]",
        ),
    ] = None
    error: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="How often --until-decided may be wrong.  [default: 0.05]"
        ),
    ] = None
    as_json: AsJson = False
    csv: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write a row for each agent.  [default with --agents-dir: DIR.csv]"
        ),
    ] = None
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw it: .svg, .png or .pdf.")
    ] = None
    html: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write it all as one page: tables, picture, failures."),
    ] = None
    limits: LimitOptions = field(default_factory=LimitOptions)
    rules: RuleOptions = field(default_factory=RuleOptions)

    def __post_init__(self) -> None:
        if self.plot is not None:
            from mineproof.lab.plot import FORMATS

            if Path(self.plot).suffix.lower() not in FORMATS:
                raise InputError(f"--plot {self.plot!a}; accepted: a file in {', '.join(FORMATS)}")
        if self.transcripts and self.out is None:
            raise InputError(
                "--transcripts are kept in a folder; accepted: together with --out DIR"
            )
        if not self.until_decided:
            for name in ("edge", "error"):
                if getattr(self, name) is not None:
                    raise InputError(f"--{name} is for --until-decided; accepted: together with it")
        if self.spec is not None:
            given = {name: getattr(self, name) for name in _SAID_BY_SPEC}
            for name, value in {**given, **self.rules.said, **self.limits.given}.items():
                if value not in (None, []):
                    option = "--" + name.replace("_", "-")
                    raise InputError(f"--spec says what is played; accepted: without {option}")

    @property
    def boards(self) -> list[AnyBoard] | None:
        """The boards that are named, if any."""
        return [*self.board] if self.board else None

    def csv_file(self) -> Path | None:
        """The file for a row per agent, if there is one."""
        if self.csv is not None:
            return Path(self.csv)
        if self.agents_dir is None:
            return None
        return Path(f"{Path(self.agents_dir).resolve().name}.csv")
