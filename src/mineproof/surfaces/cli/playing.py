"""What `mineproof play` does with its options: choose the game, the player and the show."""

from __future__ import annotations

import json
import math
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.console import Console

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Decision
from mineproof.board.presets import PRESETS, Board
from mineproof.board.topology import Topology
from mineproof.board.worlds import World, find_world, read_worlds
from mineproof.errors import InputError, quoted
from mineproof.match.game import Watcher, play
from mineproof.match.isolation import IsolatedAgent, make_player
from mineproof.match.outcome import Termination
from mineproof.match.referee import Referee
from mineproof.match.transcript import Transcript
from mineproof.surfaces.cli.console import stdout_console
from mineproof.surfaces.cli.exits import FAILED
from mineproof.surfaces.cli.human import Human
from mineproof.surfaces.cli.narration import told_text
from mineproof.surfaces.cli.show import LinesShow, LiveShow, QuietShow, Show, fits
from mineproof.surfaces.cli.stepping import Stepping
from mineproof.view.view import View

if TYPE_CHECKING:
    from mineproof.chains.chains import Chains

__all__ = ["HUMAN", "PlayOptions", "play_and_show", "writable", "write"]

Proofs: TypeAlias = Mapping[int, object]
"""Proofs of moves by their number, as they are told."""

HUMAN = "human"
_NO_PROOFS: Proofs = {}
DEFAULT_BOARD = "expert"


@dataclass(frozen=True)
class PlayOptions:
    """The options of `play`, as they were given."""

    board: str | None = None
    worlds: str | None = None
    world: str | None = None
    agent: str = "single-point"
    seed: int = 0
    agent_seed: int | None = None
    index: int = 0
    step: bool = False
    as_json: bool = False
    transcript: str | None = None
    proofs: bool = False
    chain: bool = False
    svg: str | None = None
    quiet: bool = False
    live: bool | None = None
    delay: float = 0.0
    rules: Mapping[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shown = self.step or self.agent == HUMAN
        if shown and (self.as_json or self.quiet):
            asked = "--step" if self.step else "--agent human"
            silent = "--json" if self.as_json else "--quiet"
            raise InputError(f"{asked} needs the board shown; accepted: without {silent}")
        if self.step and self.agent == HUMAN:
            raise InputError("--step waits for an agent's move; accepted: an agent but human")
        if self.live and (shown or self.as_json or self.quiet):
            raise InputError(
                "--live shows the whole game; accepted: without --step, --json, --quiet"
            )
        if self.proofs and self.agent == HUMAN:
            raise InputError("--proofs are of an agent's moves; accepted: an agent but human")
        if self.proofs and self.quiet and self.transcript is None:
            raise InputError("--quiet shows no proofs; accepted: with --transcript FILE")
        if self.svg is not None and not self.chain:
            raise InputError("--svg draws a chain of influence; accepted: with --chain")
        if not (math.isfinite(self.delay) and 0 <= self.delay <= 60):
            raise InputError(f"--delay {self.delay:g}; accepted: 0 to 60 seconds")

    def chosen(self) -> str | World:
        """The board's name or the world that is played. Raises InputError."""
        if self.worlds is None:
            if self.world is not None:
                raise InputError(
                    "--world needs a file of worlds; accepted: --worlds FILE --world NAME"
                )
            return DEFAULT_BOARD if self.board is None else self.board
        if self.board is not None:
            raise InputError("--board and --worlds are given; accepted: one of them")
        worlds = read_worlds(self.worlds)
        if self.world is None:
            names = ", ".join(world.name for world in worlds[:8])
            more = ", ..." if len(worlds) > 8 else ""
            raise InputError(f"--worlds needs --world; accepted: {names}{more}")
        return find_world(worlds, self.world)

    def again(self) -> str:
        """The command that shows the same game again."""
        words = ["mineproof", "play"]
        if self.worlds is not None:
            words += ["--worlds", self.worlds, "--world", str(self.world)]
        else:
            words += ["--board", self.board or DEFAULT_BOARD]
        words += ["--agent", self.agent, "--seed", str(self.seed)]
        if self.index:
            words += ["--index", str(self.index)]
        if self.agent_seed is not None:
            words += ["--agent-seed", str(self.agent_seed)]
        for name, value in self.rules.items():
            if value is not None:
                words += [f"--{name.replace('_', '-')}", value]
        return shlex.join(words)


def play_and_show(options: PlayOptions) -> int:
    """Play the game, show it, write it down; the exit status."""
    chosen = options.chosen()
    file = writable("--transcript", options.transcript)
    picture = writable("--svg", options.svg)
    agent = None if options.agent == HUMAN else make_player(options.agent)
    try:
        if isinstance(agent, IsolatedAgent):
            agent.probe()
        game = _proved(options, chosen, agent) if options.proofs else _play(options, chosen, agent)
        if file is not None:
            write("--transcript", file, game.text)
        chains = _after(options, game)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same game again: {options.again()}") from None
    finally:
        if isinstance(agent, IsolatedAgent):
            agent.close()
    if chains is not None and picture is not None:
        from mineproof.chains.telling import draw_chain

        write("--svg", picture, draw_chain(chains))
    return FAILED if game.outcome.termination is Termination.FAILED else 0


def _proved(options: PlayOptions, chosen: str | World, agent: Agent | None) -> Transcript:
    """The game by an agent whose moves carry their proofs."""
    from mineproof.match.proving import Proving

    prover = Proving(_player(agent))
    return replace(_play(options, chosen, prover, prover.proofs), proofs=prover.texts)


def _play(
    options: PlayOptions, chosen: str | World, agent: Agent | None, proofs: Proofs = _NO_PROOFS
) -> Transcript:
    if options.as_json:
        return _game(options, chosen, _player(agent), None)
    show = _show(options, chosen, agent)
    show.proofs = proofs
    return _shown(show, options, chosen, agent)


def _after(options: PlayOptions, game: Transcript) -> Chains | None:
    """Print what is told after the game, and return its chains where they are asked for."""
    chains = None
    if options.chain:
        from mineproof.chains.chains import of

        chains = of(game)
    if options.as_json:
        print(json.dumps(_json(game, chains)))
    elif chains is not None:
        from mineproof.surfaces.cli.chaining import print_chain

        print_chain(stdout_console(), chains)
    return chains


def _json(game: Transcript, chains: Chains | None) -> dict[str, Any]:
    said = game.to_json()
    if chains is not None:
        from mineproof.chains.influence import to_json

        said["chain"] = to_json(chains)
    return said


def _title(options: PlayOptions, chosen: str | World) -> str:
    if isinstance(chosen, World):
        board = f"world {chosen.name}"
    elif chosen in PRESETS:
        board = f"{chosen} ({Board.parse(chosen).text})"
    else:
        board = chosen
    seed = f"seed {options.seed}" + (f", game {options.index}" if options.index else "")
    return f"{board}, {options.agent}, {seed}"


def _topology(chosen: str | World) -> Topology:
    return chosen.layout.topology if isinstance(chosen, World) else Board.parse(chosen).topology


def _show(options: PlayOptions, chosen: str | World, agent: Agent | None) -> Show:
    """The way to show this game."""
    console, title = stdout_console(), _title(options, chosen)
    if options.quiet:
        return QuietShow(console, title)
    live = options.live
    if live is None:
        live = console.is_terminal and fits(console, _topology(chosen))
    if live and agent is not None and not options.step:
        return LiveShow(console, title, options.delay)
    return LinesShow(console, title)


def _shown(
    show: Show, options: PlayOptions, chosen: str | World, agent: Agent | None
) -> Transcript:
    if isinstance(show, LiveShow):
        with show:
            return _end(show, options, chosen, _player(agent))
    if agent is None:
        return _end(show, options, chosen, _human(show))
    if options.step:
        return _end(show, options, chosen, Stepping(agent, show, _asker(show.console)))
    return _end(show, options, chosen, agent)


def _end(show: Show, options: PlayOptions, chosen: str | World, agent: Agent) -> Transcript:
    """Play with this show watching, and let it show the end."""
    seen: list[tuple[Referee, Decision | None]] = []

    def watch(referee: Referee, decision: Decision | None) -> None:
        seen[:] = [(referee, decision)]
        show(referee, decision)

    game = _game(options, chosen, agent, watch)
    referee, last = seen[-1]
    show.end(referee, last, game.outcome)
    return game


def _game(
    options: PlayOptions, chosen: str | World, agent: Agent, watch: Watcher | None
) -> Transcript:
    game = play(
        chosen,
        agent,
        options.seed,
        index=options.index,
        agent_seed=options.agent_seed,
        watch=watch,
        proofs=False,  # the agent is a proving one already
        **options.rules,
    )
    return replace(game, agent=options.agent)


def _player(agent: Agent | None) -> Agent:
    assert agent is not None, "the options refuse a human who sees nothing"
    return agent


def _human(show: Show) -> Human:
    def look(view: View) -> None:
        show.print("")
        show.print(show.draw(view))
        show.print(told_text(view))

    return Human(look, lambda: _asker(show.console)("move (help lists them): "), show.print)


def _asker(console: Console) -> Callable[[str], str]:
    """Ask on the console and read a line; EOFError at the end of the input."""

    def ask(prompt: str) -> str:
        console.print(prompt, end="", soft_wrap=True)
        console.file.flush()
        try:
            answer = input()
        except (EOFError, KeyboardInterrupt):
            console.print()
            raise
        if not sys.stdin.isatty():
            console.print()  # nobody's Enter ended the line of the prompt
        return answer

    return ask


def writable(option: str, path: str | None) -> Path | None:
    """Where a file of the game goes; refused before the game where it cannot go there."""
    if path is None:
        return None
    file = Path(path)
    try:
        good = file.parent.is_dir() and not file.is_dir()
    except (OSError, ValueError):
        good = False
    if not good:
        raise InputError(
            f"{option} {quoted(path)} cannot be written; accepted: a file in a folder that is there"
        )
    return file


def write(option: str, file: Path, text: str) -> None:
    """Write a file that an option named. Raises InputError."""
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{option} {quoted(str(file))} cannot be written: {error.strerror}; accepted: a"
            " writable file"
        ) from None
