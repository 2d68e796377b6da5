"""`mineproof arena`: a language model behind an endpoint plays tasks that are graded exactly."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import click

from mineproof.cli.declarations import Option
from mineproof.cli.options import AsJson
from mineproof.errors import InputError

_MOST_JOBS = 64


def command(
    *,
    model: Annotated[str, Option(metavar="NAME", help="The model, as the endpoint names it.")],
    base_url: Annotated[
        str, Option(metavar="URL", help="The endpoint, such as http://127.0.0.1:8000/v1.")
    ],
    kinds: Annotated[
        str, Option(metavar="K,...", help="Kinds of tasks; see `mineproof tasks`.")
    ] = "certain,claim,sound,chance,guess,prove,game",
    levels: Annotated[str, Option(metavar="N,...", help="Levels, 1 to 5.")] = "1,2,3,4,5",
    renderings: Annotated[
        str, Option(metavar="R,...", help="rows, coordinates, constraints, json, picture.")
    ] = "rows",
    count: Annotated[int, Option(metavar="N", help="Tasks of every kind and level.")] = 10,
    games: Annotated[int, Option(metavar="N", help="Games of every level.")] = 4,
    seed: Annotated[int, Option(metavar="S", help="The seed of the first task.")] = 0,
    out: Annotated[str, Option(metavar="FOLDER", help="Where results and report go.")] = "arena",
    jobs: Annotated[int, Option(metavar="N", help="Requests at once.")] = 4,
    seconds: Annotated[
        float, Option(metavar="S", help="A reply that takes longer is none.")
    ] = 120.0,
    key_env: Annotated[
        str, Option(metavar="VAR", help="The variable of the environment that holds the key.")
    ] = "OPENAI_API_KEY",
    temperature: Annotated[
        float | None, Option(metavar="T", help="Sent with requests.  [default: none]")
    ] = None,
    tools: Annotated[
        bool, Option("--tools", help="Offer moves in games as calls of a tool.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Let a language model play tasks over HTTP, and grade every reply exactly.

    The endpoint is any that speaks as OpenAI's chat completions do. Every model gets the same
    tasks, from the test split. Results, transcripts of games and a report are written to a folder;
    the same command goes on where it stopped. The key is read from the environment and written
    nowhere. The exit status is 1 if the endpoint did not answer for some tasks.
    """
    from mineproof.cli.console import StatusLine
    from mineproof.lab.report import write_page
    from mineproof.tasks.arena import (
        ArenaFolder,
        arena_page,
        bouts_of,
        mean_score,
        result_lines,
        run_arena,
    )
    from mineproof.tasks.endpoint import Endpoint, checked_url, key_of

    for name, number in (("count", count), ("games", games), ("jobs", jobs)):
        if not 1 <= number <= (_MOST_JOBS if name == "jobs" else 100_000):
            raise InputError(f"--{name} {number}; accepted: 1 or more")
    if not 0 < seconds <= 86_400:
        raise InputError(f"--seconds {seconds:g}; accepted: above 0, at most 86400")
    plan = bouts_of(
        _words(kinds),
        [_level(one) for one in _words(levels)],
        _words(renderings),
        count,
        games,
        seed,
    )
    spec = {
        "model": model,
        "base_url": checked_url(base_url),
        "temperature": temperature,
        "tools": tools,
    }
    settings = {} if temperature is None else {"temperature": temperature}
    endpoint = Endpoint(base_url, model, key=key_of(key_env), seconds=seconds, settings=settings)
    with ArenaFolder(out, spec) as folder:
        with StatusLine("asking") as status:
            done = run_arena(
                folder,
                plan,
                endpoint,
                jobs=jobs,
                tools=tools,
                watch=lambda number, todo: status.update(f"{number} of {todo} tasks"),
            )
        results = folder.results()
        page = write_page(arena_page(spec, results), out) if results else None
    if as_json:
        kinds_found = {str(one["kind"]): mean_score(results, str(one["kind"])) for one in results}
        answer = {"report": page and str(page), "scores": kinds_found, **asdict(done)}
        click.echo(json.dumps(answer))
    else:
        for line in result_lines(results):
            click.echo(line)
        if page is not None:
            click.echo(f"report: {page}")
        if done.found:
            click.echo(f"{done.found} tasks were there already")
        if done.missing:
            click.echo(f"{done.missing} tasks do not exist at their level")
    if done.unanswered:
        click.echo(
            f"mineproof: {done.unanswered} tasks are not played: {done.reason}; the same command"
            " goes on",
            err=True,
        )
        return 1
    return 0


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _level(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"--levels {text}; accepted: such as 1,2,3")
    return int(text[:4])
