"""`mineproof play`: one game, step by step, with reasons and knowledge."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from mineproof.agents.agent import Agent, Decision
from mineproof.board.layout import Layout
from mineproof.board.presets import PRESETS, Board, World, find_world, read_worlds
from mineproof.board.topology import Topology
from mineproof.cli.console import stdout_console
from mineproof.cli.declarations import Option
from mineproof.cli.main import FAILED
from mineproof.cli.options import AgentSeed, AsJson, BoardName, OutputFile, RuleOptions
from mineproof.cli.play_display import (
    BoardDisplay,
    GameDisplay,
    Human,
    LineDisplay,
    LiveDisplay,
    QuietDisplay,
    StepAgent,
    fits,
    make_prompt,
)
from mineproof.errors import InputError, quoted
from mineproof.game.annotate import (
    AgentWrapper,
    KnowledgeLog,
    KnowledgeSize,
    ProofAnnotator,
    with_premises,
)
from mineproof.game.check import SoundnessMonitor
from mineproof.game.play import Watcher, play
from mineproof.game.referee import Referee, Termination
from mineproof.game.transcript import Transcript
from mineproof.sandbox.agent import IsolatedAgent, make_player
from mineproof.sandbox.wire import OutputCapture
from mineproof.view.setting import Setting

# -- The options of `mineproof play`: what each does, and which go together ----

PlayedBoard: TypeAlias = str | World | Layout

HUMAN = "human"
DEFAULT_BOARD = "expert"


@dataclass(frozen=True)
class GameOptions:
    """Which game is played, and by whom."""

    PANEL = "What is played"

    board: BoardName = None
    worlds: Annotated[
        str | None, Option(metavar="FILE", help="Play a named world of this file.")
    ] = None
    world: Annotated[str | None, Option(metavar="NAME", help="Which world.")] = None
    layout: Annotated[
        str | None,
        Option(
            metavar="FILE",
            help="Play the mines of this file: rows of * and . after a line such as 'hex 7x7'.",
        ),
    ] = None
    agent: Annotated[
        str,
        Option(
            metavar="AGENT",
            help="Such as sat (see `mineproof agents`), file.py:Class, 'command: java Sweeper', or"
            " human.",
        ),
    ] = "single-point"
    seed: Annotated[int, Option(metavar="N", help="The seed of the deal.")] = 0
    agent_seed: AgentSeed = None
    index: Annotated[int, Option(metavar="N", help="The index of the game under its seed.")] = 0

    def board_to_play(self) -> PlayedBoard:
        """The board's name, or the world or the layout that is played. Raises InputError."""
        given = {"--board": self.board, "--worlds": self.worlds, "--layout": self.layout}
        named = [option for option, value in given.items() if value is not None]
        if len(named) > 1:
            raise InputError(f"{' and '.join(named)} are given; accepted: one of them")
        if self.layout is not None:
            return Layout.read(self.layout)
        if self.worlds is None:
            if self.world is not None:
                raise InputError(
                    "--world needs a file of worlds; accepted: --worlds FILE --world NAME"
                )
            return DEFAULT_BOARD if self.board is None else self.board
        worlds = read_worlds(self.worlds)
        if self.world is None:
            names = ", ".join(world.name for world in worlds[:8])
            more = ", ..." if len(worlds) > 8 else ""
            raise InputError(f"--worlds needs --world; accepted: {names}{more}")
        return find_world(worlds, self.world)

    def words(self) -> Iterator[str]:
        """The options as they are typed."""
        if self.worlds is not None:
            yield from ("--worlds", self.worlds, "--world", str(self.world))
        elif self.layout is not None:
            yield from ("--layout", self.layout)
        else:
            yield from ("--board", self.board or DEFAULT_BOARD)
        yield from ("--agent", self.agent, "--seed", str(self.seed))
        if self.index:
            yield from ("--index", str(self.index))
        if self.agent_seed is not None:
            yield from ("--agent-seed", str(self.agent_seed))


@dataclass(frozen=True)
class DisplayOptions:
    """How the game is shown."""

    PANEL = "What is shown"

    step: Annotated[
        bool, Option("--step", help="Wait for Enter before each move; show the knowledge.")
    ] = False
    boards: Annotated[
        bool | None,
        Option(
            "--boards/--no-boards", help="Print the board after every step.  [default: for worlds]"
        ),
    ] = None
    proofs: Annotated[bool, Option("--proofs", help="Give the proof of every proved move.")] = False
    chain: Annotated[
        bool, Option("--chain", help="Print the longest chain of influence of the game.")
    ] = False
    quiet: Annotated[bool, Option("--quiet", help="Show only the end.")] = False
    live: Annotated[
        bool | None,
        Option(
            "--live/--no-live",
            help="Redraw the board in place.  [default: on a terminal, without --boards]",
        ),
    ] = None
    delay: Annotated[
        float, Option(metavar="SECONDS", help="Pause between moves of a live game.")
    ] = 0.03
    mines_as: Annotated[
        str | None,
        Option(metavar="CHAR", help="Draw flags and mines as this character, such as X."),
    ] = None


@dataclass(frozen=True)
class FileOptions:
    """The files that are asked for, and JSON on standard output."""

    PANEL = "What is written"

    as_json: AsJson = False
    transcript: Annotated[
        str | None, Option(metavar="FILE", help="The game as a transcript, for show and review.")
    ] = None
    html: Annotated[
        str | None, Option(metavar="FILE", help="One page to walk through the game in a browser.")
    ] = None
    svg: Annotated[
        str | None,
        Option(
            metavar="DIR",
            help="A picture of every step: step-000.svg and so on in a folder."
            " With --chain: one FILE, the chain with arrows.",
        ),
    ] = None
    knowledge: Annotated[
        str | None,
        Option(
            metavar="FILE",
            help="A figure of how much the agent knew at every step; with --json also its numbers.",
        ),
    ] = None

    @property
    def any_moves(self) -> bool:
        """Whether a file is to hold the moves with their reasons."""
        return any(name is not None for name in (self.transcript, self.html, self.svg))


@dataclass(frozen=True)
class PlayOptions:
    """The options of `play`, as given. Raises InputError if two do not go together."""

    game: GameOptions = field(default_factory=GameOptions)
    rules: RuleOptions = field(default_factory=RuleOptions)
    display: DisplayOptions = field(default_factory=DisplayOptions)
    files: FileOptions = field(default_factory=FileOptions)

    def __post_init__(self) -> None:
        display, files, agent = self.display, self.files, self.game.agent
        interactive = display.step or agent == HUMAN
        silent = "--json" if files.as_json else "--quiet" if display.quiet else None
        if interactive and silent:
            asked = "--step" if display.step else "--agent human"
            raise InputError(f"{asked} needs the board shown; accepted: without {silent}")
        if display.step and agent == HUMAN:
            raise InputError("--step waits for an agent's move; accepted: any agent but human")
        if display.live and (interactive or silent):
            raise InputError(
                "--live shows the whole game; accepted: without --step, --json, --quiet"
            )
        if display.boards and (interactive or silent or display.live):
            raise InputError(
                "--boards prints the board after every step; accepted: without --step, --json,"
                " --quiet, --live and --agent human"
            )
        if display.mines_as is not None and files.as_json:
            raise InputError("--mines-as draws a board; accepted: without --json")
        if display.proofs and agent == HUMAN:
            raise InputError("--proofs explains an agent's moves; accepted: any agent but human")
        if display.proofs and display.quiet and not files.any_moves:
            raise InputError("--quiet shows no proofs; accepted: with --transcript FILE")
        if not (math.isfinite(display.delay) and 0 <= display.delay <= 60):
            raise InputError(f"--delay {display.delay:g}; accepted: 0 to 60 seconds")
        mark = display.mines_as
        if mark is not None and (
            len(mark) != 1 or not mark.isprintable() or mark.isspace() or mark.isdigit()
        ):
            raise InputError(
                f"--mines-as {quoted(mark)}; accepted: one character that is no digit, such as X"
            )

    @property
    def shows_reasons(self) -> bool:
        """Whether anyone reads the reasons of the moves."""
        return not self.display.quiet or self.files.as_json or self.files.any_moves

    @property
    def with_boards(self) -> bool:
        """Whether the board is printed after every step: for worlds unless told otherwise."""
        boards = self.display.boards
        return self.game.worlds is not None if boards is None else boards

    def command_line(self) -> str:
        """The command that shows the same game again."""
        words = ["mineproof", "play", *self.game.words()]
        for name, value in self.rules.given_words.items():
            words += [f"--{name.replace('_', '-')}", value]
        return shlex.join(words)


# -- The command: the game, who plays it, how it is shown ----------------------


def command(options: PlayOptions) -> int:
    """Play one game and show every step with its reason.

    The same seed deals the same mines, whatever the agent. The exit status is 0 whether the game is
    won or lost, and 1 if the agent fails.
    """
    chosen = options.game.board_to_play()
    files = PlayFiles(options.files, options.display.chain)
    try:
        with _player(options) as agent:
            game, sizes = _play(options, chosen, agent)
            files.write(game, title_of(options, chosen), sizes)
            _print_rest(options, game, sizes, files, _listener(agent))
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"interrupted; the same game again: {options.command_line()}"
        ) from None
    return FAILED if game.outcome.termination is Termination.FAILED else 0


@contextmanager
def _player(options: PlayOptions) -> Iterator[Agent | None]:
    """The agent, started, and closed after the game; None for a human."""
    name = options.game.agent
    agent = None if name == HUMAN else make_player(name, listener=OutputCapture())
    try:
        if isinstance(agent, IsolatedAgent):
            agent.probe()
        yield agent
    finally:
        if isinstance(agent, IsolatedAgent):
            agent.close()


def _listener(agent: Agent | None) -> OutputCapture | None:
    """What hears a user's agent; None for any other player."""
    return agent.listener if isinstance(agent, IsolatedAgent) else None


def _play(
    options: PlayOptions, chosen: PlayedBoard, agent: Agent | None
) -> tuple[Transcript, list[KnowledgeSize]]:
    """Play the game; its moves carry proofs or premises where anyone reads them.

    A user's agent is judged move by move; the catalog's are tested to be sound.
    """
    notes = _MoveNotes()
    if (listener := _listener(agent)) is not None:
        assert agent is not None
        agent = judged = SoundnessMonitor(agent, dealt=isinstance(chosen, str))
        notes = _MoveNotes(unsound=judged.unsound, unfounded=judged.unfounded, listener=listener)
    if agent is None or not options.shows_reasons:
        game, sizes = _play_on_display(options, chosen, agent, notes)
    elif options.display.proofs:
        prover = ProofAnnotator(agent)
        notes = replace(notes, proofs=prover.proofs)
        game, sizes = _play_on_display(options, chosen, prover, notes)
        return game.with_unsound(notes.unsound).with_proofs(prover.proofs), sizes
    else:
        game, sizes = _play_on_display(options, chosen, with_premises(agent), notes)
    return game.with_unsound(notes.unsound), sizes


@dataclass(frozen=True)
class _MoveNotes:
    """What a display tells beside the moves, while they are made: see `GameDisplay`."""

    proofs: Mapping[int, object] = field(default_factory=dict)
    unsound: Mapping[int, float] = field(default_factory=dict)
    unfounded: Collection[int] = ()
    listener: OutputCapture | None = None


def _play_on_display(
    options: PlayOptions, chosen: PlayedBoard, agent: Agent | None, notes: _MoveNotes
) -> tuple[Transcript, list[KnowledgeSize]]:
    """Play on a display, which also shows the end; JSON has none."""
    if options.files.as_json:
        assert agent is not None, "the options refuse a human who sees nothing"
        return _game(options, chosen, agent, None)
    display = choose_display(options, chosen)
    display.proofs, display.listener = notes.proofs, notes.listener
    display.unsound, display.unfounded = notes.unsound, notes.unfounded
    if isinstance(agent, AgentWrapper) and (options.with_boards or options.display.step):
        display.known_mines = agent.known_mines_now
    seen: list[tuple[Referee, Decision | None]] = []

    def watch(referee: Referee, decision: Decision | None) -> None:
        seen[:] = [(referee, decision)]  # the end is drawn from the last
        display(referee, decision)

    with display if isinstance(display, LiveDisplay) else nullcontext():
        played = _game(options, chosen, _console_player(options, display, agent), watch)
        referee, last = seen[-1]
        display.tell_printed()
        display.end(referee, last, played[0].outcome)
    if isinstance(display, LiveDisplay):
        display.tell_mines(referee)
        display.tell_steps()
    return played


def _console_player(options: PlayOptions, display: GameDisplay, agent: Agent | None) -> Agent:
    """Who plays: a human, the agent with a pause before each move, or the agent."""
    ask = make_prompt(display.console)
    if agent is None:
        return Human(display, ask)
    return StepAgent(agent, display, ask) if options.display.step else agent


def _game(
    options: PlayOptions, chosen: PlayedBoard, agent: Agent, watch: Watcher | None
) -> tuple[Transcript, list[KnowledgeSize]]:
    files = options.files
    measured = files.html is not None or files.knowledge is not None
    log = KnowledgeLog(agent) if measured else None
    game = play(
        chosen,
        agent if log is None else log,
        options.game.seed,
        index=options.game.index,
        agent_seed=options.game.agent_seed,
        watch=watch,
        proofs=False,  # the agent already gives proofs, and is judged already
        judge=False,
        **options.rules.words,
    )
    return replace(game, agent=options.game.agent), [] if log is None else log.sizes


def _print_rest(
    options: PlayOptions,
    game: Transcript,
    sizes: list[KnowledgeSize],
    files: PlayFiles,
    listener: OutputCapture | None,
) -> None:
    """Print the JSON, and the longest chain where it is asked for, and draw it."""
    extra: dict[str, Any] = {}
    if listener is not None and (printed := listener.to_json()):
        extra["printed"] = printed
    if options.files.knowledge is not None:
        extra["knowledge"] = [size.to_json() for size in sizes]
    if options.display.chain:
        from mineproof.chains.chains import draw_chain, of, to_json
        from mineproof.cli.long_chain import print_chain

        chains = of(game)
        if options.files.as_json:
            extra["chain"] = to_json(chains)
        else:
            print_chain(stdout_console(), chains)
        if files.chain is not None:
            files.chain.write(draw_chain(chains))
    if options.files.as_json:
        print(json.dumps({**game.to_json(), **extra}))


# -- Which way `play` shows a game: only its end, live in place, or one line per move --


def choose_display(options: PlayOptions, chosen: PlayedBoard) -> GameDisplay:
    """The display of this game: live on a terminal that it fits, unless it waits for answers.

    A world is shown board by board, as report 2 prints it, unless asked otherwise.
    """
    console, title, mines_as = stdout_console(), title_of(options, chosen), options.display.mines_as
    if options.display.quiet:
        return QuietDisplay(console, title, mines_as)
    if options.display.step or options.game.agent == HUMAN:
        display = LineDisplay(console, title, mines_as)
        display.cascades = False
        return display
    live = options.display.live
    if live is None:
        live = not options.with_boards and console.is_terminal and fits(console, _topology(chosen))
    if live:
        return LiveDisplay(console, title, options.display.delay, mines_as=mines_as)
    return (BoardDisplay if options.with_boards else LineDisplay)(console, title, mines_as)


def title_of(options: PlayOptions, chosen: PlayedBoard) -> str:
    """What is played, by whom, from which seed."""
    if isinstance(chosen, World):
        board = f"world {chosen.name}"
    elif isinstance(chosen, Layout):
        board = f"the layout of {options.game.layout}, {Setting.of(chosen).board.text}"
    elif chosen in PRESETS:
        board = f"{chosen} ({Board.parse(chosen).text})"
    else:
        board = chosen
    seed = f"seed {options.game.seed}" + (
        f", game {options.game.index}" if options.game.index else ""
    )
    return f"{board}, {options.game.agent}, {seed}"


def _topology(chosen: PlayedBoard) -> Topology:
    return Setting.of(chosen).board.topology


# -- The files that `mineproof play` writes: a transcript, pictures, a page, a figure --

_MOST_DRAWN = 5_000_000  # the most cells in all pictures of a game: about a gigabyte


class PlayFiles:
    """Where the files go. Refused before the game if one cannot be written. Raises InputError."""

    def __init__(self, options: FileOptions, chain: bool) -> None:
        self._transcript = OutputFile.of("--transcript", options.transcript)
        self._html = OutputFile.of("--html", options.html)
        self._knowledge = OutputFile.of("--knowledge", options.knowledge)
        self.chain = OutputFile.of("--svg", options.svg) if chain else None
        self._pictures = None if chain or options.svg is None else _folder(options.svg)
        if self._knowledge is not None:
            from mineproof.lab.figures import check_matplotlib

            check_matplotlib()

    def write(self, game: Transcript, title: str, sizes: Sequence[KnowledgeSize]) -> None:
        """Write all but the chain."""
        if self._transcript is not None:
            self._transcript.write(game.text)
        if self._pictures is not None:
            _draw_steps(game, self._pictures)
        if self._html is not None:
            from mineproof.lab.report import walk_page

            self._html.write(walk_page(game, title, sizes))
        if self._knowledge is not None:
            from mineproof.lab.figures import knowledge_figure

            self._knowledge.write(knowledge_figure(title, sizes))


def _folder(name: str) -> Path:
    """The folder of the pictures, new or without any. Raises InputError."""
    folder = Path(name)
    if folder.suffix.lower() == ".svg":
        raise InputError(
            f"--svg {quoted(name)} is a file; accepted: a folder for a picture of every step, or"
            " with --chain a file"
        )
    try:
        good = folder.is_dir() or (folder.parent.is_dir() and not folder.exists())
        # The pictures of a longer game would stay among the new ones.
        drawn = good and folder.is_dir() and any(folder.glob("step-*.svg"))
    except (OSError, ValueError):
        good = drawn = False
    if not good:
        raise InputError(
            f"--svg {quoted(name)} cannot be a folder; accepted: a folder, or a new name in one"
        )
    if drawn:
        raise InputError(
            f"--svg {quoted(name)} holds pictures of a game; accepted: a folder without"
            " step-*.svg files"
        )
    return folder


def _draw_steps(game: Transcript, folder: Path) -> None:
    from mineproof.game.narration import draw_frame, frames

    count = len(game.steps) + 1
    if count * len(game.topology) > _MOST_DRAWN:
        raise InputError(
            f"--svg: {count} pictures of {len(game.topology)} cells; accepted: at most"
            f" {_MOST_DRAWN} cells in all"
        )
    digits = max(3, len(str(count - 1)))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            f"--svg {quoted(str(folder))} cannot be made: {error.strerror}; accepted: a folder that"
            " can be written to"
        ) from None
    for frame in frames(game):
        file = folder / f"step-{frame.number:0{digits}}.svg"
        OutputFile("--svg", str(file)).write(draw_frame(frame))
