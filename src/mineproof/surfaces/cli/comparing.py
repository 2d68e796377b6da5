"""What `mineproof compare` does with its options: the experiment, the run and its report."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from rich.console import Console

from mineproof.errors import InputError
from mineproof.lab.classroom import check_csv, submissions, write_csv
from mineproof.lab.comparison import Comparison, boards_of
from mineproof.lab.comparison_page import comparison_page
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.figures import check_matplotlib
from mineproof.lab.plot import plot_comparison
from mineproof.lab.progress import ShownProgress
from mineproof.lab.runner import Interrupted, Run, Unfinished, run
from mineproof.lab.scores import by_score
from mineproof.lab.sequential import SequentialJudge, SequentialTest, Stronger
from mineproof.lab.statistics import Paired
from mineproof.lab.store import EXPERIMENT_FILE
from mineproof.match.entrants import split_agents
from mineproof.match.isolation import Limits
from mineproof.surfaces.cli.compare_options import CompareOptions
from mineproof.surfaces.cli.comparison_tables import (
    agents_table,
    pair_text,
    print_differences,
    print_places,
)
from mineproof.surfaces.cli.console import print_paragraphs, stdout_console
from mineproof.surfaces.cli.exits import INTERRUPTED
from mineproof.surfaces.cli.isolation_table import warn_of_isolation
from mineproof.surfaces.cli.outputs import Output

__all__ = ["compare_and_show"]

_MOST_REASONS = 3
# A test that may stop after a few games must not wait for thousands.
_SHARD_OF_A_TEST = 25
_MOST_PAIRS = 15
_MOST_PAIRS_BY_PLACE = 3


def compare_and_show(options: CompareOptions) -> int:
    """Play, keep and show; return the exit status."""
    experiment = _experiment(options)
    judge = _judge(options, experiment)
    # What cannot be kept is said before the first game, not after the last.
    if (file := options.csv_file()) is not None:
        check_csv(file)
    plot = Output.named("--plot", options.plot)
    page = Output.named("--html", options.html)
    if plot is not None or page is not None:
        check_matplotlib()
    if experiment.outsiders:
        warn_of_isolation()
    status = 0
    try:
        with _interrupted_by_any_end():
            left = _run(options, experiment, judge)
    except Interrupted as interrupted:
        left = interrupted.run
        print(f"mineproof: {interrupted}", file=sys.stderr)
        status = INTERRUPTED
        if options.out is not None:
            _keep_csv(options, left)
            return status
    except Unfinished as unfinished:
        _keep_csv(options, unfinished.run)
        raise
    comparison = Comparison.of_run(left, judge, options.worlds)
    if options.as_json:
        print(json.dumps(comparison.to_json()))
    else:
        _show(comparison, judge)
    _write_csv(options, comparison)
    if comparison.secret is not None and experiment.secret is None:
        print(f"mineproof: {_how_to_repeat(options)}", file=sys.stderr)
    if options.plot is not None:
        plot_comparison(comparison, options.plot)
    if page is not None:
        page.write(comparison_page(comparison))
    return status


def _how_to_repeat(options: CompareOptions) -> str:
    """How to play the same deals again, which came from a secret."""
    if options.out is None:
        return "the deals came from a secret drawn for this run; --out or --json keeps it"
    spec = shlex.quote(str(Path(options.out) / EXPERIMENT_FILE))
    return f"the deals came from a secret; the same again: mineproof compare --spec {spec}"


def _write_csv(options: CompareOptions, comparison: Comparison) -> None:
    if (file := options.csv_file()) is not None:
        write_csv(file, comparison.results, comparison.measures)
        print(f"mineproof: a row for each agent is in {str(file)!a}", file=sys.stderr)


def _keep_csv(options: CompareOptions, left: Run) -> None:
    """Write what a run that ended early says of the agents, where a CSV is asked for."""
    if options.csv_file() is not None:
        _write_csv(options, Comparison.of_run(left))


@contextmanager
def _interrupted_by_any_end() -> Iterator[None]:
    """Take a request to end, and the end of the terminal, as Ctrl-C: nothing is lost then."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # started in the background
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)  # which waits while a shard is written

    kinds = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        kinds = []
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
        boards=boards_of(options.boards, options.worlds, options.world),
        games=100 if options.games is None else options.games,
        seed=0 if options.seed is None else options.seed,
        agent_seed=options.agent_seed,
        shard_games=_SHARD_OF_A_TEST if options.until_decided else None,
        limits=Limits(**options.limits.given),
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
        )
    )


def _run(options: CompareOptions, experiment: Experiment, judge: SequentialJudge | None) -> Run:
    with make_executor(options.jobs, options.engine) as executor:
        return run(
            experiment,
            executor,
            folder=options.out,
            progress=ShownProgress(Console(stderr=True)),
            judge=judge,
            transcripts=options.transcripts,
        )


def _show(comparison: Comparison, judge: SequentialJudge | None) -> None:
    console = stdout_console()
    if not console.is_terminal:
        # A file has no width to wrap at.
        console.width = 120 + max(len(result.agent) for result in comparison.results)
    print_paragraphs(console, f"{comparison.board}, {comparison.rules}, seed {comparison.seed}")
    if comparison.places:
        # The whole comes last: a table of many places leaves the screen at its top.
        print_places(console, comparison)
        if _differ_by_place(comparison):
            print_differences(console, comparison)
        console.print("\nall together")
    console.print(agents_table(comparison))
    pairs = _pairs_shown(comparison)
    for a, b, pair in pairs:
        print_paragraphs(console, pair_text(a, b, pair))
    if (more := len(comparison.paired) - len(pairs)) > 0:
        console.print(f"and {more} other pairs; --json lists them", soft_wrap=True)
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


def _pairs_shown(comparison: Comparison) -> list[tuple[str, str, Paired]]:
    """Every pair, or where these are many, those of the best agent."""
    pairs = list(comparison.paired)
    if len(pairs) > _MOST_PAIRS:
        best = max(comparison.results, key=lambda result: result.reached.value).agent
        pairs = [pair for pair in pairs if best in pair[:2]]
    return pairs[:_MOST_PAIRS]


def _decisions(comparison: Comparison, judge: SequentialJudge) -> list[str]:
    first, *others = (result.agent for result in comparison.results)
    lines = []
    for other, decided in zip(others, judge.decisions, strict=True):
        said = {
            Stronger.FIRST: f"{first} is stronger than {other}",
            Stronger.SECOND: f"{other} is stronger than {first}",
            Stronger.NEITHER: f"{first} and {other} do not differ that much",
            Stronger.OPEN: f"{first} or {other}: undecided",
        }[decided.verdict]
        lines.append(
            f"{said}, after {decided.games} games ({decided.only_a} to {decided.only_b} where only"
            " one won)"
        )
    return [*lines, judge.test.promise]


def _differ_by_place(comparison: Comparison) -> bool:
    """Whether the pairs are compared at each place: not where that is many tables, or worlds."""
    if comparison.places[0].world:
        return len(comparison.paired) == 1
    return 0 < len(comparison.paired) <= _MOST_PAIRS_BY_PLACE
