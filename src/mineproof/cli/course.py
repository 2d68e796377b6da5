"""`mineproof course`: an assignment as data, for people, and its worlds as a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import click

from mineproof.cli.console import print_paragraphs, stdout_console
from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson, OutputFile
from mineproof.courses.pack import MEASURES, Course, CourseGames, course_names
from mineproof.text import many


def command(
    name: Annotated[
        str | None,
        Argument(metavar="[NAME]", help="A course, or a file in TOML.  [default: list them]"),
    ] = None,
    worlds: Annotated[
        str | None, Option(metavar="FILE", help="Write its worlds there, for play and compare.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show an assignment: its agents, rules, boards, worlds, questions, tables and points.

    A course is a file; docs/courses.md says how to write one.
    """
    if as_json:
        named = course_names() if name is None else (name,)
        found = [_object(Course.named(one)) for one in named]
        click.echo(json.dumps({"courses": found} if name is None else found[0]))
        return
    if name is None:
        for one in course_names():
            click.echo(f"{one:<12}{Course.named(one).title}")
        return
    course = Course.named(name)
    if worlds is not None:
        OutputFile("--worlds", worlds).write(course.worlds_text)
        click.echo(f"{many(len(course.worlds), 'world')} are in {worlds!a}")
        return
    console = stdout_console()
    for line in _lines(course):
        print_paragraphs(console, line)


def _lines(course: Course) -> Iterator[str]:
    yield course.title
    yield ""
    yield course.about
    if course.hand_in:
        yield course.hand_in
    yield ""
    if course.agents:
        yield "agents"
        yield from (f"  {name}: {agent}" for name, agent in course.agents.items())
    yield f"rules: {course.rules or 'the usual ones'}"
    if course.boards:
        yield "boards"
        yield from (f"  {name}: {board}" for name, board in course.boards.items())
    if course.worlds:
        yield f"worlds: {', '.join(world.name for world in course.worlds)}"
    for word, games in (("practice", course.practice), ("hidden", course.hidden)):
        if games is not None:
            yield f"{word}: {_games(games)}"
    if course.rubric:
        yield f"points: {course.most_points:g}"
        yield from (f"  {line.title}: {line.text}" for line in course.rubric)
    if course.tables:
        yield "tables"
        yield from (f"  {one.title}: {MEASURES[one.measure]}" for one in course.tables)
    if course.questions:
        yield "questions"
        yield from (f"  {number}. {one}" for number, one in enumerate(course.questions, 1))


def _object(course: Course) -> dict[str, Any]:
    """A course as JSON."""
    return {
        "name": course.name,
        "title": course.title,
        "about": course.about,
        "rules": course.rules,
        "agents": dict(course.agents),
        "boards": dict(course.boards),
        "worlds": [world.name for world in course.worlds],
        "questions": list(course.questions),
        "points": {line.title: line.most for line in course.rubric},
    }


def _games(games: CourseGames) -> str:
    places = [*games.boards, *([many(len(games.worlds), "world")] if games.worlds else [])]
    return f"{many(games.games, 'game')} each on {', '.join(places)}"
