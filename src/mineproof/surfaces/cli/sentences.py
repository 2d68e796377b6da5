"""How `mineproof solve --sentence` shows the knowledge base of a position."""

from __future__ import annotations

import json
import re
import textwrap

import typer

from mineproof.inference.logics.sentence import ASCII_SIGNS, UNICODE_SIGNS, Line, sentence
from mineproof.surfaces.cli.console import stdout_console, writes_unicode
from mineproof.surfaces.cli.solve_options import SolveOptions
from mineproof.view.view import View

__all__ = ["show_sentence"]

_INDENT = "    "


def show_sentence(view: View, options: SolveOptions) -> None:
    """Print the lines of the sentence; in a terminal with its own signs, if it can write them."""
    console = stdout_console()
    known = console.is_terminal and not options.as_json and writes_unicode(console)
    signs = UNICODE_SIGNS if known else ASCII_SIGNS
    lines = list(sentence(view, signs, trust_flags=options.trust_flags))
    if options.as_json:
        typer.echo(json.dumps({"sentence": [_json(view, line) for line in lines]}))
        return
    width = max(console.width, 20)
    for line in lines:
        for row in textwrap.wrap(
            _together(str(line), width - len(_INDENT)),
            width,
            subsequent_indent=_INDENT,
            break_long_words=False,
            break_on_hyphens=False,
        ):
            console.print(row.replace("\0", " "), soft_wrap=True)


def _together(line: str, most: int) -> str:
    """The line with no place to break within a possibility, if that fits."""
    return re.sub(
        r"\([^()]*\)",
        lambda found: found[0].replace(" ", "\0") if len(found[0]) < most else found[0],
        line,
    )


def _json(view: View, line: Line) -> dict[str, object]:
    clue = None if line.clue is None else list(view.topology.coordinates(line.clue))
    return {"premise": line.premise, "clue": clue, "formula": line.formula}
