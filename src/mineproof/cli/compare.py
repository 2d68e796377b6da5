"""`mineproof compare`: the same games for every agent, with intervals."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Annotated

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mineproof.cli.check import warn_of_isolation
from mineproof.cli.console import print_paragraphs, stdout_console
from mineproof.cli.declarations import Option
from mineproof.cli.main import INTERRUPTED
from mineproof.cli.options import AsJson, EngineName, LimitOptions, OutputFile, RuleOptions
from mineproof.errors import InputError
from mineproof.game.play import split_agents
from mineproof.game.rows import Total
from mineproof.lab.comparison import (
    Comparison,
    boards_of,
    check_csv,
    comparison_of,
    difference_texts,
    other_measures,
    pair_text,
    reached_texts,
    submissions,
    write_csv,
)
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.figures import FORMATS, check_matplotlib, places_axis, plot_comparison
from mineproof.lab.progress import ConsoleProgress
from mineproof.lab.report import comparison_page
from mineproof.lab.results import Result, totals_of
from mineproof.lab.runner import InterruptedRun, Run, UnfinishedRun, run
from mineproof.lab.statistics import (
    PairedWins,
    SequentialJudge,
    SequentialTest,
    SequentialVerdict,
    by_score,
)
from mineproof.lab.store import EXPERIMENT_FILE
from mineproof.sandbox.agent import Limits
from mineproof.text import many

# -- The options of `mineproof compare`: what each does, and which go together --

_SET_BY_SPEC = (
    *("agents", "agents_dir", "board", "worlds", "world"),
    *("games", "seed", "agent_seed"),
)


@dataclass(frozen=True)
class CompareOptions:
    """The options of `compare`, as given. Raises InputError if two do not go together."""

    agents: Annotated[
        str | None,
        Option(
            metavar="A,B",
            help="Names that `mineproof agents` lists, path/to/file.py:Class, or 'command: java"
            " Sweeper'.",
        ),
    ] = None
    agents_dir: Annotated[
        str | None,
        Option(metavar="DIR", help="Every agent in a folder, such as the work of a class."),
    ] = None
    board: Annotated[
        list[str] | None,
        Option(
            metavar="BOARD",
            help="Such as expert, hex:7x7/10, 9x9/20%, or a range of mines: 16x30/50..100:10;"
            " give it again for more.  [default: expert]",
        ),
    ] = None
    worlds: Annotated[str | None, Option(metavar="FILE", help="Play the worlds of this file.")] = (
        None
    )
    world: Annotated[str | None, Option(metavar="NAME", help="Only this world.")] = None
    games: Annotated[
        int | None, Option(metavar="N", help="Games per board or world.  [default: 100]")
    ] = None
    seed: Annotated[
        int | None, Option(metavar="N", help="The seed of the deals.  [default: 0]")
    ] = None
    agent_seed: Annotated[
        int | None,
        Option(metavar="N", help="The seed of the agents' choices.  [default: the seed]"),
    ] = None
    spec: Annotated[
        str | None,
        Option(metavar="FILE", help="An experiment in TOML instead of agents, boards and rules."),
    ] = None
    jobs: Annotated[int, Option(metavar="J", help="Number of processes to play in.")] = 1
    engine: EngineName = None
    out: Annotated[
        str | None, Option(metavar="DIR", help="Keep the games there; run again to resume.")
    ] = None
    transcripts: Annotated[
        bool,
        Option(
            "--transcripts",
            help="Keep the transcript of every game in --out; `mineproof transcript` shows one.",
        ),
    ] = False
    until_decided: Annotated[
        bool,
        Option(
            "--until-decided",
            help="Stop when it is clear whether the first agent is stronger than the others.",
        ),
    ] = False
    edge: Annotated[
        float | None,
        Option(
            metavar="SHARE",
            help="Stronger means: wins this share of the games that only one wins.  [default: 0.6]",
        ),
    ] = None
    error: Annotated[
        float | None,
        Option(metavar="SHARE", help="How often --until-decided may be wrong.  [default: 0.05]"),
    ] = None
    as_json: AsJson = False
    csv: Annotated[
        str | None,
        Option(
            metavar="FILE", help="Write a row for each agent.  [default with --agents-dir: DIR.csv]"
        ),
    ] = None
    plot: Annotated[str | None, Option(metavar="FILE", help="Draw it: .svg, .png or .pdf.")] = None
    html: Annotated[
        str | None,
        Option(metavar="FILE", help="Write it all as one page: tables, picture, failures."),
    ] = None
    limits: LimitOptions = field(default_factory=LimitOptions)
    rules: RuleOptions = field(default_factory=RuleOptions)

    def __post_init__(self) -> None:
        if self.plot is not None and Path(self.plot).suffix.lower() not in FORMATS:
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
            given = {name: getattr(self, name) for name in _SET_BY_SPEC}
            for name, value in {
                **given,
                **self.rules.given_words,
                **self.limits.given_limits,
            }.items():
                if value not in (None, []):
                    option = "--" + name.replace("_", "-")
                    raise InputError(f"--spec says what is played; accepted: without {option}")

    def csv_file(self) -> Path | None:
        """The file for a row per agent, if there is one."""
        if self.csv is not None:
            return Path(self.csv)
        if self.agents_dir is None:
            return None
        return Path(f"{Path(self.agents_dir).resolve().name}.csv")


# -- The command: the experiment, the run and its report -----------------------

_MOST_REASONS = 3
# A test that may stop after a few games must not wait for thousands.
_SHARD_OF_A_TEST = 25
_MOST_PAIRS = 3  # all pairs of three agents; of more agents only those of the best, in short
_MOST_PAIRS_OF_BEST = 10
_MOST_PAIRS_BY_PLACE = 3  # all pairs of three agents


def command(options: CompareOptions) -> int:
    """Let agents play the same games and compare how many they win, with 95 % intervals.

    Agents from files run in processes of their own; one that fails loses its game, and the reason
    is reported. Games kept with --out survive a crash: the same command resumes. Without --out,
    Ctrl-C prints what was finished.
    """
    experiment = _experiment(options)
    judge = _judge(options, experiment)
    # What cannot be kept is said before the first game, not after the last.
    if (file := options.csv_file()) is not None:
        check_csv(file)
    plot = OutputFile.of("--plot", options.plot)
    page = OutputFile.of("--html", options.html)
    if plot is not None or page is not None:
        check_matplotlib()
    if experiment.outsiders:
        warn_of_isolation()
    status = 0
    try:
        with _end_as_interrupt(), make_executor(options.jobs, options.engine) as executor:
            left = run(
                experiment,
                executor,
                folder=options.out,
                progress=ConsoleProgress(Console(stderr=True)),  # stdout may be JSON
                judge=judge,
                transcripts=options.transcripts,
            )
    except InterruptedRun as interrupted:
        left = interrupted.run
        print(f"mineproof: {interrupted}", file=sys.stderr)
        status = INTERRUPTED
        if options.out is not None:
            _keep_csv(options, left)
            return status
    except UnfinishedRun as unfinished:
        _keep_csv(options, unfinished.run)
        raise
    comparison = comparison_of(left, judge, options.worlds)
    if options.as_json:
        print(json.dumps(comparison.to_json()))
    else:
        drawn = comparison.secret is not None and experiment.secret is None
        _show(comparison, judge, _told_secret(options) if drawn else None)
    _write_csv(options, comparison)
    if options.as_json and comparison.secret is not None and experiment.secret is None:
        print(f"mineproof: {_told_secret(options)}", file=sys.stderr)
    if options.plot is not None:
        plot_comparison(comparison, options.plot)
    if page is not None:
        page.write(comparison_page(comparison))
    return status


def _told_secret(options: CompareOptions) -> str:
    """That another run of the same command plays other games, and how to play these again."""
    told = (
        "the deals came from a secret drawn for this run: the same seed deals other games next time"
    )
    if options.out is not None:
        spec = shlex.quote(str(Path(options.out) / EXPERIMENT_FILE))
        return f"{told}; these again: mineproof compare --spec {spec}"
    return f"{told}; to repeat them, keep the run: --out DIR, then --spec DIR/{EXPERIMENT_FILE}"


def _write_csv(options: CompareOptions, comparison: Comparison) -> None:
    if (file := options.csv_file()) is not None:
        write_csv(file, comparison.results, comparison.measures)
        print(f"mineproof: a row for each agent is in {str(file)!a}", file=sys.stderr)


def _keep_csv(options: CompareOptions, left: Run) -> None:
    """Write what a run that ended early says of the agents, where a CSV is asked for."""
    if options.csv_file() is not None:
        _write_csv(options, comparison_of(left))


@contextmanager
def _end_as_interrupt() -> Iterator[None]:
    """Take a request to end, and the end of the terminal, as Ctrl-C: nothing is lost then."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # started in the background
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)  # which waits while a shard is written

    kinds = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        kinds = []  # Python lets only the main thread set handlers
    # One that is ignored stays so, such as SIGHUP under nohup.
    kinds = [kind for kind in kinds if signal.getsignal(kind) == signal.SIG_DFL]
    for kind in kinds:
        signal.signal(kind, interrupt)
    try:
        yield
    finally:
        for kind in kinds:
            signal.signal(kind, signal.SIG_DFL)


def _experiment(options: CompareOptions) -> Experiment:
    """What is to be played. Raises InputError."""
    if options.spec is not None:
        return Experiment.read(options.spec)
    names: tuple[str, ...] = () if options.agents is None else split_agents(options.agents)
    if options.agents_dir is not None:
        names += submissions(options.agents_dir)
    if not names:
        raise InputError("no agent is named; accepted: --agents A,B or --agents-dir DIR")
    return Experiment.of(
        names,
        boards=boards_of([*(options.board or ())] or None, options.worlds, options.world),
        games=100 if options.games is None else options.games,
        seed=0 if options.seed is None else options.seed,
        agent_seed=options.agent_seed,
        shard_games=_SHARD_OF_A_TEST if options.until_decided else None,
        limits=Limits(**options.limits.given_limits),
        rules=options.rules.words,
    )


def _judge(options: CompareOptions, experiment: Experiment) -> SequentialJudge | None:
    """The test that may stop the run early, if there is one."""
    if not options.until_decided:
        return None
    if len(experiment.agents) < 2:
        raise InputError("--until-decided compares agents; accepted: with two or more")
    if by_score(experiment.rules):
        raise InputError(
            "--until-decided counts wins, and with on-mine=continue agents are compared by score;"
            " accepted: without it, or with on-mine=lose"
        )
    usual = SequentialTest()
    return SequentialJudge(
        SequentialTest(
            usual.edge if options.edge is None else options.edge,
            usual.error if options.error is None else options.error,
        ),
        experiment.sharing,
    )


def _show(comparison: Comparison, judge: SequentialJudge | None, secret: str | None) -> None:
    console = stdout_console()
    if not console.is_terminal:
        # A file has no width to wrap at.
        console.width = 120 + max(len(result.agent) for result in comparison.results)
    print_paragraphs(console, f"{comparison.board}, {comparison.rules}, seed {comparison.seed}")
    if secret is not None:
        print_paragraphs(console, secret)
    if comparison.places:
        # The whole comes last: a table of many places leaves the screen at its top.
        print_places(console, comparison)
        if _differ_by_place(comparison):
            print_differences(console, comparison)
        console.print("\nall together")
    console.print(agents_table(comparison))
    pairs, short = _main_pairs(comparison)
    for a, b, pair in pairs:
        print_paragraphs(console, pair_text(a, b, pair, short=short))
    if (more := len(comparison.paired) - len(pairs)) > 0:
        console.print(f"and {many(more, 'other pair')}; --json lists them", soft_wrap=True)
    if comparison.places and comparison.paired and not _differ_by_place(comparison):
        what = "world" if comparison.places[0].world else "board"
        console.print(f"--json compares the pairs on each {what} too", soft_wrap=True)
    if judge is not None:
        for line in _decisions(comparison, judge):
            print_paragraphs(console, line)
    for result in comparison.results:
        if result.luck is not None and result.luck.implausible:
            print_paragraphs(console, f"{result.agent} {result.luck.text}")
        for reason, count in result.failures[:_MOST_REASONS]:
            print_paragraphs(console, f"{result.agent}: {count} games {reason}")
        if (more := len(result.failures) - _MOST_REASONS) > 0:
            console.print(f"{result.agent}: and {more} other reasons", soft_wrap=True)


def _main_pairs(comparison: Comparison) -> tuple[list[tuple[str, str, PairedWins]], bool]:
    """Every pair; of more than three agents those of the best, the strongest first, in short."""
    pairs = list(comparison.paired)
    if len(pairs) <= _MOST_PAIRS:
        return pairs, False
    ranks = {one.agent: rank for rank, one in enumerate(by_strength(comparison))}
    pairs = [pair for pair in pairs if not min(ranks[pair[0]], ranks[pair[1]])]
    pairs.sort(key=lambda pair: max(ranks[pair[0]], ranks[pair[1]]))
    return pairs[:_MOST_PAIRS_OF_BEST], True


def by_strength(comparison: Comparison) -> list[Result]:
    """The agents as they were named; more than three the strongest first."""
    results = list(comparison.results)
    if len(comparison.paired) > _MOST_PAIRS:
        results.sort(key=lambda result: -result.reached.value)
    return results


def _decisions(comparison: Comparison, judge: SequentialJudge) -> list[str]:
    first, *others = (result.agent for result in comparison.results)
    lines = []
    for other, decided in zip(others, judge.decisions, strict=True):
        verdict = {
            SequentialVerdict.FIRST: f"{first} is stronger than {other}",
            SequentialVerdict.SECOND: f"{other} is stronger than {first}",
            SequentialVerdict.NEITHER: f"{first} and {other} do not differ that much",
            SequentialVerdict.OPEN: f"{first} or {other}: undecided",
        }[decided.verdict]
        lines.append(
            f"{verdict}, after {decided.games} games ({decided.only_a} to {decided.only_b} where"
            " only one won)"
        )
    return [*lines, judge.test.promise]


def _differ_by_place(comparison: Comparison) -> bool:
    """Whether the pairs are compared at each place: not where that is many tables, or worlds."""
    if comparison.places[0].world:
        return len(comparison.paired) == 1
    return 0 < len(comparison.paired) <= _MOST_PAIRS_BY_PLACE


# -- The tables of `mineproof compare`: a row an agent, and a row a board with a column an agent --

_GAP = 2


def agents_table(comparison: Comparison) -> Table:
    """A row for each agent: what agents are compared by, and the measures that mean something."""
    scored = comparison.by == "score"
    others = other_measures(comparison)
    counts, costs = totals_of(Result, Total.COUNT), totals_of(Result, Total.COST)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("agent", overflow="fold")
    titles = ["played", *(("score", "95 %", "won") if scored else ("won", "rate", "95 %"))]
    for title in (*titles, *(column.short_title for column in (*others, *counts, *costs))):
        table.add_column(title, justify="right", no_wrap=True)
    for result in by_strength(comparison):
        value, interval = reached_texts(result.reached, scored)
        table.add_row(
            Text(result.agent),
            str(result.played),
            *((value, interval) if scored else (str(result.won), f"{value} %", interval)),
            *([str(result.won)] if scored else []),
            *(f"{getattr(result, column.name):.3f}" for column in others),
            *(str(getattr(result, column.name)) for column in counts),
            *(f"{column.scale * getattr(result, column.name):.1f}" for column in costs),
        )
    return table


def print_places(console: Console, comparison: Comparison) -> None:
    """What each agent reached at each place: a row a board, a column an agent."""
    scored = comparison.by == "score"
    cells: dict[tuple[str, str], str] = {}
    for place in comparison.places:
        value, interval = reached_texts(place.reached, scored)
        cells[place.name, place.agent] = f"{value} ({interval})"
    agents = [result.agent for result in comparison.results]
    title = "mean score" if scored else "games won, %"
    _print_blocks(console, comparison, title, agents, cells)


def print_differences(console: Console, comparison: Comparison) -> None:
    """The paired differences at each place: a row a board, a column a pair."""
    scored = comparison.by == "score"
    names = [f"{a} - {b}" for a, b, _ in comparison.paired]
    cells: dict[tuple[str, str], str] = {}
    for one in comparison.paired_places:
        difference, interval, p_value = difference_texts(one.pair)
        place = one.board if one.world is None else one.world
        cells[place, f"{one.a} - {one.b}"] = f"{difference} ({interval}), {p_value}"
    title = "difference of scores" if scored else "difference, points"
    _print_blocks(console, comparison, title, names, cells)


def _print_blocks(
    console: Console,
    comparison: Comparison,
    title: str,
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], str],
) -> None:
    """Tables of as many columns as the console is wide; in a file, one of all."""
    places = list(dict.fromkeys(place.name for place in comparison.places))
    axis = places_axis(comparison)
    shown = places if axis is None else list(axis.texts)
    first = max(map(len, [*shown, "density"]))
    widest = max(map(len, cells.values()), default=1)
    if console.is_terminal:
        room = max((console.width - first) // (widest + _GAP), 1)
        widths = [widest] * len(columns)
    else:
        room, widths = len(columns), [max(widest, len(column)) for column in columns]
        console.width = max(console.width, first + sum(widths) + _GAP * (len(widths) + 1))
    label = axis.label if axis is not None else "world" if comparison.places[0].world else "board"
    for start in range(0, len(columns), room):
        console.print(Text(f"\n{title} (95 %)"))
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
        table.add_column(label, justify="left" if axis is None else "right", overflow="fold")
        for column, width in list(zip(columns, widths, strict=True))[start : start + room]:
            table.add_column(Text(column), justify="right", overflow="fold", width=width)
        for place, text in zip(places, shown, strict=True):
            row = [cells.get((place, column), "") for column in columns[start : start + room]]
            table.add_row(text, *row)
        console.print(table)
