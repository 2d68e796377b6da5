"""What a grading leaves: a page for each student, one for the teacher, tables for other tools.

DIR/index.html          for the teacher: all rows, and what was wrong in hidden games
DIR/grades.csv, junit.xml
DIR/students/NAME.html  for one student; no hidden deal, and nothing that was said in one
DIR/students/NAME.json  the same for Gradescope, its results.json
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from mineproof.courses.grader import FaultNote, GradeFolder, PlaceResult, SubmissionRow
from mineproof.courses.pack import Course, Measure
from mineproof.errors import InputError, printable
from mineproof.lab.report import Block, Cell, Page, Part, Section, Strip, Table, Text, render
from mineproof.text import many, percent
from mineproof.view.channels import Mark
from mineproof.view.svg import draw_svg
from mineproof.view.view import View

_MOST_DRAWN = 1_000
_MOST_SAID = 40
_HIDDEN = "hidden"


def write_gradebook(course: Course, rows: Sequence[SubmissionRow], folder: GradeFolder) -> None:
    """Write every file. Raises LabError."""
    for row in rows:
        folder.write(f"students/{row.key}.html", render(student_page(course, row)))
        folder.write(f"students/{row.key}.json", json.dumps(gradescope(course, row), indent=1))
    folder.write("grades.csv", grades_csv(course, rows))
    folder.write("junit.xml", junit(course, rows))
    folder.write("index.html", render(teacher_page(course, rows)))


# ----------------------------------------------------------------------------
# The page of one student.


def student_page(course: Course, row: SubmissionRow) -> Page:
    """What a student sees: points, what went wrong and how to see it again."""
    introduction = [f"{row.points:g} of {row.most:g} points. {course.title}."]
    if row.note:
        introduction.append(f"{row.note[:1].upper()}{row.note[1:]}.")
    sections = [Section("points", "Points", tuple(_points(row)))]
    if row.said:
        lines = tuple((line,) for line in row.said.splitlines()[-_MOST_SAID:])
        said = Table("build", "What the build printed", ("line",), lines)
        sections.append(Section("build", "The build", (said,)))
    if row.tests:
        sections.append(Section("methods", "Tests by method", (_tests(row),)))
    if row.places:
        sections.append(Section("faults", "What went wrong in practice games", _faults(row)))
        sections.append(Section("games", "Games", tuple(_games(row))))
    facts = (
        ("made by", f"mineproof grade, course {course.name}"),
        ("limits", _limits(course)),
        ("rules", course.rules or "the usual ones"),
    )
    return Page(f"{row.name}: {course.title}", tuple(introduction), tuple(sections), facts)


def _limits(course: Course) -> str:
    limits = course.limits
    return (
        f"{limits.agent.move_seconds:g} s a move, {limits.agent.game_seconds:g} s a game,"
        f" {limits.submission_seconds:g} s in all, {limits.agent.memory_mb} MB"
    )


def value_text(title: str, value: float | None) -> str:
    """What was reached in a line of the rubric."""
    if value is None:
        return "none"
    if title.startswith(Measure.SECONDS.value):
        return f"{1000 * value:.3g} ms"
    return percent(value)


_MEANINGS = {
    Measure.WINS: "games won",
    Measure.SOUNDNESS: "moves called proved that are certain; a move without a reason is none",
    Measure.COMPLETENESS: "moves that opened a certainly safe cell where there was one",
    Measure.FINISHED: "games without an exception, an illegal move or a time-out",
    Measure.SECONDS: "time of a move",
    Measure.TESTS: "tests of methods passed",
}


def _points(row: SubmissionRow) -> Iterator[Block]:
    lines = tuple(
        (
            line.title,
            _meaning(line.title),
            value_text(line.title, line.value),
            line.asked,
            f"{line.points:g} of {line.most:g}",
        )
        for line in row.lines
    )
    columns = ("for", "what it is", "reached", "asked", "points")
    yield Table("points", "By the rubric", columns, lines)
    if any(one.hidden for one in row.places):
        yield Text(
            "Points are for hidden games. They are dealt from a secret, the same for every"
            " submission, and are not shown: only numbers are. Practice games are of the same kind."
        )


def _meaning(title: str) -> str:
    return _MEANINGS[Measure(title.partition(" ")[0])]


def _tests(row: SubmissionRow) -> Table:
    lines = tuple((one.name, "passed" if one.passed else "failed", one.said) for one in row.tests)
    return Table("tests", "Each method by itself", ("test", "result", "why"), lines)


def _games(row: SubmissionRow) -> Iterator[Block]:
    columns = ("games", "kind", "number", "won", "failed", "proofs", "wrong", "missed", "ms a move")
    yield Table(
        "games",
        "All games",
        columns,
        tuple(_place_line(one) for one in row.places),
        "Failed: an exception, an illegal move, a time-out, or not played. Wrong: called proved and"
        " not so, or a wrong flag. Missed: moves that passed over a certainly safe cell.",
    )
    hidden = [one for one in row.places if one.hidden]
    if not row.faults and any(one.wrong or one.failed for one in hidden):
        yield Text(
            "Something went wrong in hidden games only. Look for it with other seeds: mineproof"
            " check AGENT --games 200 --seed 5, on the boards of the table."
        )


def _place_line(one: PlaceResult) -> tuple[str | int | float | None, ...]:
    return (
        one.place,
        _HIDDEN if one.hidden else "practice",
        one.games,
        one.won,
        one.failed,
        one.proved,
        one.wrong,
        f"{one.missed} of {one.chances}",
        1000 * one.seconds / one.steps if one.steps else None,
    )


def _faults(row: SubmissionRow) -> tuple[Block, ...]:
    if not row.faults:
        return (Text("Nothing: no fault in any practice game."),)
    return tuple(_fault(number, fault) for number, fault in enumerate(row.faults, 1))


def _fault(number: int, fault: FaultNote) -> Part:
    blocks: list[Block] = []
    if fault.move:
        blocks.append(Text(f"The move: {fault.move.partition(' UNSOUND')[0]}"))
    if pictures := tuple(_pictures(fault)):
        blocks.append(Strip("What it saw", pictures))
    if fault.printed:
        printed = tuple((line,) for line in fault.printed)
        blocks.append(Table(f"printed-{number}", "It printed", ("line",), printed))
    blocks += [Text(f"To see it again: {command}") for command in fault.again]
    title = f"{number}. {fault.kind}, step {fault.step} on {fault.place}"
    return Part(title, f"{fault.message[:1].upper()}{fault.message[1:]}.", tuple(blocks))


def _pictures(fault: FaultNote) -> Iterator[tuple[str, str]]:
    """The position that the agent saw, and a layout that refutes it."""
    try:
        view = View.parse(fault.position)
        if len(view) > _MOST_DRAWN:
            return
        marked = () if fault.cell is None else (fault.cell,)
        yield "the position; the cell of the step has a thick edge", draw_svg(view, marked=marked)
        if fault.refutation is not None:
            shown = view.with_flags(())
            mines = [cell for cell in fault.refutation if shown.is_hidden(cell)]
            shown = shown.reveal(dict.fromkeys(mines, Mark.MINE))
            yield "mines that fit what it saw, and not what it said", draw_svg(shown, marked=marked)
    except InputError:
        return


# ----------------------------------------------------------------------------
# The page of the teacher, and tables for other tools.


def teacher_page(course: Course, rows: Sequence[SubmissionRow]) -> Page:
    """All rows, and for each submission what only its teacher may see."""
    columns = ("submission", "points", *(line.title for line in course.rubric), "faults", "note")
    lines: tuple[tuple[Cell, ...], ...] = tuple(
        (
            row.name,
            row.points,
            *(value_text(line.title, line.value) for line in row.lines),
            sum(one.wrong + one.failed for one in row.places),
            row.note,
        )
        for row in sorted(rows, key=lambda row: -row.points)
    )
    note = f"of {course.most_points:g} points; a page for each student lies in students/"
    blocks: list[Block] = [Table("grades", "Grades", columns, lines, note)]
    seen = tuple((row.name, text) for row in rows for text in row.teacher)
    if seen:
        blocks.append(
            Table(
                "hidden",
                "What was wrong in hidden games",
                ("submission", "what"),
                seen,
                "Not for students: it gives hidden deals away. One that knows more than it was"
                " shown should be read by a person.",
            )
        )
    if same := tuple(_same(rows)):
        blocks.append(Table("same", "The same files", ("submissions",), same))
    facts = (("limits", _limits(course)), ("rules", course.rules or "the usual ones"))
    return Page(
        f"{course.title}: {many(len(rows), 'submission')}",
        tuple(filter(None, [course.about])),
        (Section("grades", "Grades", tuple(blocks)),),
        facts,
    )


def _same(rows: Sequence[SubmissionRow]) -> Iterator[tuple[str]]:
    counts = Counter(row.content for row in rows)
    for content, count in counts.items():
        if count > 1:
            yield (", ".join(row.name for row in rows if row.content == content),)


def grades_csv(course: Course, rows: Sequence[SubmissionRow]) -> str:
    """A row for each submission: its points, and what was reached in every line of the rubric."""
    titles = [line.title for line in course.rubric]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    reached = [column for title in titles for column in (title, f"{title}: points")]
    writer.writerow(["submission", "points", "of", *reached, "note"])
    for row in rows:
        found: list[object] = []
        for line in row.lines:
            found += ["" if line.value is None else f"{line.value:.6g}", f"{line.points:g}"]
        # A name or note that begins like a formula would be run by a spreadsheet.
        name, note = (
            f"'{one}" if one[:1] in "=+-@" and one else one for one in (row.name, row.note)
        )
        writer.writerow([name, f"{row.points:g}", f"{row.most:g}", *found, note])
    return text.getvalue()


def junit(course: Course, rows: Sequence[SubmissionRow]) -> str:
    """JUnit XML: a suite for each submission, a case for each line of its rubric."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites name={_attribute(course.name)}>",
    ]
    for row in rows:
        failed = sum(line.points < line.most for line in row.lines)
        lines.append(
            f'<testsuite name={_attribute(row.name)} tests="{len(row.lines)}" failures="{failed}">'
        )
        for line in row.lines:
            case = f"<testcase name={_attribute(line.title)} classname={_attribute(row.name)}"
            if line.points >= line.most:
                lines.append(f"{case}/>")
                continue
            why = f"{value_text(line.title, line.value)}; {line.points:g} of {line.most:g} points"
            why += f"; {row.note}" if row.note else ""
            lines.append(f"{case}><failure message={_attribute(why)}/></testcase>")
        lines.append("</testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _attribute(text: str) -> str:
    return quoteattr(printable(text))


def gradescope(course: Course, row: SubmissionRow) -> dict[str, Any]:
    """Gradescope's results.json; it holds nothing of hidden games but numbers."""
    first = [
        f"{fault.kind} at step {fault.step} on {fault.place}: {fault.message}"
        for fault in row.faults
    ]
    again = [f"see it again: {command}" for fault in row.faults[:1] for command in fault.again]
    tests = [
        {
            "name": f"{line.title}: {_meaning(line.title)}",
            "score": line.points,
            "max_score": line.most,
            "output": f"{value_text(line.title, line.value)}; points: {line.asked}",
            "visibility": "visible",
        }
        for line in row.lines
    ]
    tests += [
        {
            "name": one.name,
            "status": "passed" if one.passed else "failed",
            "output": one.said,
            "visibility": "visible",
        }
        for one in row.tests
    ]
    return {
        "score": row.points,
        "output": "\n".join([*filter(None, [row.note]), *first, *again]),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }
