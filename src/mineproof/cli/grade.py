"""`mineproof grade`: a class graded in one command, a page for each student."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from typing import Annotated

from rich import box
from rich.table import Table

from mineproof.cli.check import warn_of_isolation
from mineproof.cli.console import print_paragraphs, stdout_console
from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson
from mineproof.courses.gradebook import value_text, write_gradebook
from mineproof.courses.grader import GradeFolder, SubmissionRow, grade, summary
from mineproof.courses.pack import Course


def command(
    folder: Annotated[
        str,
        Argument(
            metavar="FOLDER",
            help="A folder of submissions: Python files, or folders with one or with agent.toml.",
        ),
    ],
    course: Annotated[
        str, Option(metavar="NAME", help="A course (see `mineproof course`), or a file in TOML.")
    ],
    out: Annotated[
        str, Option(metavar="DIR", help="Where pages, tables and rows go; run again to resume.")
    ],
    jobs: Annotated[int, Option(metavar="J", help="How many are graded at a time.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Grade every submission of a folder by the rubric of a course.

    All play the same games, dealt from a secret in DIR, each confined and under the course's
    limits. Every submission ends with a row, however it behaves. DIR/index.html and grades.csv are
    for the teacher, DIR/students for one student each: no page there shows a hidden game. Rows that
    are there are kept, unless the files or the course were changed.
    """
    pack = Course.named(course)
    warn_of_isolation()
    began = time.monotonic()

    def watch(done: int, whole: int, row: SubmissionRow | None) -> None:
        said = "are there already" if row is None else f"{row.name}, {row.points:g} points"
        if done or row is not None:
            seconds = time.monotonic() - began
            print(f"mineproof: {done} of {whole}: {said} ({seconds:.0f} s)", file=sys.stderr)

    try:
        rows = grade(folder, course, out, jobs, watch)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"interrupted; what was graded is kept in {out!a}, and the same command resumes"
        ) from None
    grades = GradeFolder(out, pack)
    write_gradebook(pack, rows, grades)
    if as_json:
        print(json.dumps({"course": pack.name, "submissions": [asdict(row) for row in rows]}))
        return
    _show(pack, rows)
    print_paragraphs(
        stdout_console(),
        f"{summary(rows)}; for the teacher: {grades.path / 'index.html'}, for students:"
        f" {grades.path / 'students'}",
    )


def _show(course: Course, rows: list[SubmissionRow]) -> None:
    console = stdout_console()
    if not console.is_terminal:
        console.width = 200
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for title in ("submission", "points", *(line.title for line in course.rubric), "note"):
        table.add_column(title, overflow="fold")
    for row in sorted(rows, key=lambda row: -row.points):
        reached = (value_text(line.title, line.value) for line in row.lines)
        table.add_row(row.name, f"{row.points:g}", *reached, row.note)
    console.print(table)
