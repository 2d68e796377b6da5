"""The `.mine` text of JSMinesweeper: `WIDTHxHEIGHTxMINES`, then rows of `H`, `F` and digits."""

from __future__ import annotations

import re

from mineproof.board.topology import Topology
from mineproof.errors import NotationError, quoted
from mineproof.rules import Mines, Rules
from mineproof.view.marks import Mark
from mineproof.view.notation.grid import FLAG, at_line, read_rows, write_rows
from mineproof.view.view import View

__all__ = ["is_header", "parse", "write"]

_ALPHABET = {"H": Mark.HIDDEN.value, "F": FLAG, **{str(digit): digit for digit in range(9)}}


def is_header(line: str) -> bool:
    """Whether a text that begins with this line is in this notation."""
    return re.fullmatch(r"\d+x\d+x\d+", line.strip(), re.IGNORECASE) is not None


def parse(text: str) -> View:
    """The view of a text in this notation. Raises NotationError."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    number, header = lines[0] if lines else (1, "")
    if not is_header(header):
        raise NotationError(f"header {quoted(header)}; accepted: such as 30x16x99", number)
    width, height, mines = header.strip().lower().split("x")
    with at_line(number):
        topology = Topology.of("square", f"{height}x{width}")
        rules = Rules(mines=Mines.parse(mines))
    rows = read_rows(lines[1:], topology.lattice, _ALPHABET, "H hidden, F flag, 0-8")
    with at_line(number):
        View(topology, rules)
    return rows.view(rules, topology)


def write(view: View) -> str:
    """The text of a plain square position; NotationError for what this notation cannot say."""
    plain = view.total is not None and view.rules == Rules(mines=Mines.number(view.total))
    if not plain or view.topology != Topology.of("square", view.topology.shape):
        raise NotationError(
            "the .mine notation holds plain square boards with a known total; use the short one"
        )
    height, width = view.topology.lattice.dimensions
    if any(code in (Mark.MINE.value, Mark.BLANK.value) for code in view.codes().tolist()):
        raise NotationError("the .mine notation has no opened mines and no cells without a clue")
    return "\n".join([f"{width}x{height}x{view.total}", *write_rows(view, _ALPHABET)]) + "\n"
