"""`mineproof reproduce`: every table and figure of the five reports, on one page."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

from mineproof.cli.declarations import Argument, Option
from mineproof.errors import InputError, UnknownName

if TYPE_CHECKING:
    from pathlib import Path

    from mineproof.lab.report import Page


_OUT = "reproduction"


def command(
    reports: Annotated[
        list[str] | None,
        Argument(metavar="[REPORT]...", help="000 to 004, or all.  [default: all]"),
    ] = None,
    quick: Annotated[
        bool, Option("--quick", help="What the claims need; takes minutes. The default.")
    ] = False,
    full: Annotated[
        bool, Option("--full", help="At least as many games as the reports played.")
    ] = False,
    worlds: Annotated[
        str | None,
        Option(metavar="FILE", help="The worlds of report 2, beside ours and dealt ones."),
    ] = None,
    puzzles: Annotated[
        str | None, Option(metavar="FILE", help="The puzzles of report 3, beside ours.")
    ] = None,
    out: Annotated[str, Option(metavar="DIR", help="Where the page goes.")] = _OUT,
    jobs: Annotated[
        int | None, Option(metavar="J", help="Worker processes.  [default: one per core]")
    ] = None,
    seed: Annotated[int, Option(metavar="N", help="The seed of all deals.")] = 1,
) -> None:
    """Reproduce the five reports; the page is DIR/index.html.

    Finished games are kept in DIR: the same command resumes, and if all games are there it only
    makes the page again.
    """
    from pathlib import Path

    from rich.console import Console

    from mineproof.board.presets import read_worlds
    from mineproof.csp import read_puzzles
    from mineproof.lab.executors import make_executor
    from mineproof.lab.figures import check_matplotlib
    from mineproof.lab.progress import ConsoleProgress
    from mineproof.lab.report import write_page
    from mineproof.reports import FULL, QUICK, REPRODUCTIONS, Workshop, reproduce
    from mineproof.rng import check_seed

    if quick and full:
        raise InputError("--quick and --full are both given; accepted: one of them")
    names = _names(reports or ["all"], list(REPRODUCTIONS))
    scale = FULL if full else QUICK
    check_matplotlib()
    workshop = Workshop(
        Path(out),
        scale,
        check_seed(seed),
        worlds=() if worlds is None else read_worlds(worlds),
        puzzles=() if puzzles is None else read_puzzles(puzzles),
    )
    line = ["mineproof", "reproduce", *(reports or ["all"]), f"--{scale.name}"]
    for option, value in (("--worlds", worlds), ("--puzzles", puzzles)):
        line += [] if value is None else [option, value]
    if seed != 1:
        line += ["--seed", str(seed)]
    try:
        with make_executor(_cores() if jobs is None else jobs) as executor:
            workshop.executor = executor
            console = Console(stderr=True, highlight=False, markup=False)
            workshop.progress = ConsoleProgress(console)
            workshop.say = lambda text: console.print(text, soft_wrap=True)
            page = reproduce(names, workshop, shlex.join(line))
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"interrupted; what was finished is kept in {out!a}, and the same command resumes"
        ) from None
    path = write_page(page, out)
    _show(page, path)


def _names(reports: list[str], known: list[str]) -> list[str]:
    """The reports asked for, each once, in their order. Raises UnknownName."""
    for name in reports:
        if name not in (*known, "all"):
            raise UnknownName("report", name, (*known, "all"))
    return [name for name in known if name in reports or "all" in reports]


def _cores() -> int:
    import os

    # A container or taskset may leave fewer cores than the machine has.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _show(page: Page, path: Path) -> None:
    """The summary, and where the page is."""
    from rich import box
    from rich.table import Table

    from mineproof.cli.console import stdout_console
    from mineproof.lab.report import verdict_text

    console = stdout_console()
    if not console.is_terminal:
        # A file has no width to wrap at.
        console.width = 200
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in ("report", "what", "rules", "published", "here", "verdict"):
        table.add_column(title, overflow="fold")
    for section in page.sections:
        for line in section.summary:
            table.add_row(
                section.name, line.what, line.rules, line.published, line.here, line.verdict
            )
    console.print(table)
    for section in page.sections:
        if (card := section.card) is not None:
            verdict = verdict_text(card.outcome, card.margin)
            text = f"\n{section.name}  {card.question} {verdict}: {card.words}"
            console.print(text, soft_wrap=True)
    console.print(f"\nThe page with every table and figure: {path.resolve()}", soft_wrap=True)
