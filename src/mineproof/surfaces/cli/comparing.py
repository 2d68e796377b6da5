"""What `mineproof compare` does with its options: the experiment, the run and its report."""

from __future__ import annotations

import json
import sys

from rich import box
from rich.console import Console
from rich.table import Table

from mineproof.errors import InputError
from mineproof.lab.classroom import submissions, write_csv
from mineproof.lab.comparison import Comparison, boards_of
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.plot import plot_results
from mineproof.lab.progress import ShownProgress
from mineproof.lab.runner import Interrupted, Run, run
from mineproof.lab.sequential import SequentialJudge, SequentialTest, Stronger
from mineproof.lab.statistics import Paired
from mineproof.match.entrants import split_agents
from mineproof.match.isolation import Limits
from mineproof.surfaces.cli.compare_options import CompareOptions
from mineproof.surfaces.cli.console import print_paragraphs, stdout_console
from mineproof.surfaces.cli.exits import INTERRUPTED

__all__ = ["compare_and_show"]

_MOST_REASONS = 3
# A test that may stop after a few games must not wait for thousands.
_SHARD_OF_A_TEST = 25
_MOST_PAIRS = 15


def compare_and_show(options: CompareOptions) -> int:
    """Play, keep and show; return the exit status."""
    experiment = _experiment(options)
    judge = _judge(options, experiment)
    status = 0
    try:
        left = _run(options, experiment, judge)
    except Interrupted as interrupted:
        left = interrupted.run
        print(f"mineproof: {interrupted}", file=sys.stderr)
        status = INTERRUPTED
        if options.out is not None:
            return status
    comparison = Comparison.of_run(left, judge, options.worlds)
    if options.as_json:
        print(json.dumps(comparison.to_json()))
    else:
        _show(comparison, judge)
    if (file := options.csv_file()) is not None:
        write_csv(file, comparison.results)
        print(f"mineproof: a row for each agent is in {str(file)!a}", file=sys.stderr)
    if options.plot is not None:
        plot_results(comparison.results, comparison.board, options.plot)
    return status


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
        boards=boards_of(options.board, options.worlds, options.world),
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
        )


def _show(comparison: Comparison, judge: SequentialJudge | None) -> None:
    console = stdout_console()
    if not console.is_terminal:
        # A file has no width to wrap at.
        console.width = 120 + max(len(result.agent) for result in comparison.results)
    print_paragraphs(console, f"{comparison.board}, {comparison.rules}, seed {comparison.seed}")
    console.print(_table(comparison))
    if comparison.places:
        console.print(_places(comparison))
    for a, b, pair in comparison.paired[:_MOST_PAIRS]:
        print_paragraphs(console, _pair_text(a, b, pair))
    if (more := len(comparison.paired) - _MOST_PAIRS) > 0:
        console.print(f"and {more} other pairs; --json lists them", soft_wrap=True)
    if judge is not None:
        for line in _decisions(comparison, judge):
            print_paragraphs(console, line)
    for result in comparison.results:
        for reason, count in result.failures[:_MOST_REASONS]:
            print_paragraphs(console, f"{result.agent}: {count} games {reason}")
        if (more := len(result.failures) - _MOST_REASONS) > 0:
            console.print(f"{result.agent}: and {more} other reasons", soft_wrap=True)


def _table(comparison: Comparison) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("agent", overflow="fold")
    for title in ("played", "won", "rate", "95 %", "score", "finer", "stuck", "ms/game"):
        table.add_column(title, justify="right", no_wrap=True)
    for result in comparison.results:
        table.add_row(
            result.agent,
            str(result.played),
            str(result.won),
            f"{100 * result.rate:.1f} %",
            f"{100 * result.interval.low:.1f} to {100 * result.interval.high:.1f}",
            f"{result.score:.3f}",
            f"{result.finer:.3f}",
            str(result.stuck),
            f"{1000 * result.seconds:.1f}",
        )
    return table


def _places(comparison: Comparison) -> Table:
    """Win rates, a row for each board or world and a column for each agent."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("won, %", overflow="fold")
    agents = [result.agent for result in comparison.results]
    for agent in agents:
        table.add_column(agent, justify="right", overflow="fold")
    shares: dict[str, dict[str, str]] = {}
    for place in comparison.places:
        low, high = 100 * place.interval.low, 100 * place.interval.high
        shares.setdefault(place.name, {})[place.agent] = (
            f"{100 * place.rate:.1f} ({low:.1f} to {high:.1f})"
        )
    for name, by_agent in shares.items():
        table.add_row(name, *(by_agent.get(agent, "") for agent in agents))
    return table


def _pair_text(a: str, b: str, pair: Paired) -> str:
    interval = pair.interval
    return (
        f"{a} - {b}: {100 * pair.difference:+.1f} points"
        f" ({100 * interval.low:+.1f} to {100 * interval.high:+.1f}); only {a} won"
        f" {pair.only_a}, only {b} won {pair.only_b}, both {pair.both}, neither"
        f" {pair.neither}; {_p_text(pair.p_value)}"
    )


def _p_text(p_value: float) -> str:
    return f"p = {p_value:.3f}" if p_value >= 0.001 else "p < 0.001"


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
