"""mineproof's own notation: a header, then rows.

    square 3x3 mines=2
    1..
    12.
    01.

`.` hidden, `F` flag, digits, `*` opened mine, `?` opened without a clue, `#` no cell. The header
names the topology and its shape, `mines=99` or `mines=unknown density=0.2`, and any rule that is
not the default, such as `clues=optimistic`.
"""

from __future__ import annotations

from fractions import Fraction

from mineproof.board.lattices import LATTICES
from mineproof.board.topology import Topology
from mineproof.errors import NotationError, RulesError, quoted
from mineproof.rules import RULE_WORDS, Mines, Rules, parse_share, share_text
from mineproof.view.channels import channel
from mineproof.view.marks import Mark
from mineproof.view.notation.grid import FLAG, NO_CELL, at_line, read_rows, write_rows
from mineproof.view.view import View

__all__ = ["ALPHABET", "header_rules", "parse", "rules_words", "write"]

ALPHABET = {
    ".": Mark.HIDDEN.value,
    "F": FLAG,
    "*": Mark.MINE.value,
    "?": Mark.BLANK.value,
    "#": NO_CELL,
    **{str(digit): digit for digit in range(10)},
}
ACCEPTED = ". hidden, F flag, 0-9, * opened mine, ? no clue, # no cell"
EXAMPLE = "square 16x30 mines=99"


def parse(text: str) -> View:
    """The view of a text in this notation. Raises NotationError."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise NotationError(f"the text is empty; accepted: a header such as {EXAMPLE}, then rows")
    number, header = lines[0]
    words = header.split()
    with at_line(number):
        if len(words) < 2 or words[0] not in LATTICES:
            names = ", ".join(LATTICES)
            raise NotationError(
                f"header {quoted(header)} names no topology and shape; accepted: such as"
                f" `{EXAMPLE}`, with one of {names}",
                number,
            )
        lattice = Topology.of(words[0], words[1], files=False).lattice
        rules = header_rules(words[2:])
    rows = read_rows(lines[1:], lattice, ALPHABET, ACCEPTED)
    with at_line(number):
        topology = Topology.of(lattice.name, words[1], rows.blocked)
    return rows.view(rules, topology)


def header_rules(words: list[str]) -> Rules:
    """The rules told to the player, from `mines=`, `density=` and rule words. Raises RulesError."""
    values: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in (*RULE_WORDS, "density") or key in values:
            raise RulesError(
                f"header word {quoted(word)} is unknown or repeated; accepted: mines=99,"
                " mines=unknown density=0.2, clues=CHANNEL"
            )
        values[key] = value
    mines, density = values.pop("mines", None), values.pop("density", None)
    if mines is None:
        raise RulesError("header names no mines; accepted: mines=99 or mines=unknown density=0.2")
    if values.pop("total", None) is not None:
        raise RulesError("total is not a header word; accepted: mines=unknown instead")
    rules = Rules.parse(" ".join(f"{key}={value}" for key, value in values.items()))
    channel(rules.clues)
    if mines == "unknown":
        if density == "uniform":
            prior = Mines.uniform()
        else:
            prior = Mines.independent(Fraction(1, 2) if density is None else parse_share(density))
        return rules.with_words(mines=prior.text, total="unknown")
    if density is not None:
        raise RulesError("density beside a known number of mines; accepted: one of the two")
    if not (mines.isascii() and mines.isdigit()):
        raise RulesError(f"mines {quoted(mines)} is not a number; accepted: 99 or unknown")
    return rules.with_words(mines=mines)


def rules_words(rules: Rules) -> list[str]:
    """The header words of rules told to a player; defaults are left out."""
    if rules.total_known:
        words = [f"mines={rules.mines.text}"]
    else:
        chance = rules.mines.chance
        words = ["mines=unknown", f"density={'uniform' if chance is None else share_text(chance)}"]
    plain = Rules().text.split()
    words += [
        word
        for word, default in zip(rules.text.split(), plain, strict=True)
        if word != default and not word.startswith(("mines=", "total="))
    ]
    return words


def write(view: View) -> str:
    """The text that `parse` reads back to an equal view."""
    header = [view.topology.name, view.topology.shape, *rules_words(view.rules)]
    return "\n".join([" ".join(header), *write_rows(view, ALPHABET)]) + "\n"
