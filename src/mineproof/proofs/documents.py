r"""The text and the JSON form of proofs and no-proofs; both read back to equal values.

    mineproof proof 1
    position 5d0c2a7be3f14966
    claim 0,2 safe
    premise 0,0 shows 1
    premise 1,1 shows 2
    premise 2,1 shows 1
    smallest yes
    technique 3 clues
    fact 1 of 0,1 by 0,0
    text The 1 at 0,0 touches only 0,1, so 0,1 is a mine. ...

A no-proof begins with `mineproof no-proof 1`; its claim is `uncertain`, and each `solution` line
lists the mines of one layout. Blank lines part the documents of a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from mineproof.board.topology import Topology, parse_coordinates
from mineproof.errors import InputError, NotationError, quoted
from mineproof.proofs.proof import Claim, Clue, Fact, NoProof, Proof, digest
from mineproof.proofs.techniques import Technique
from mineproof.view.view import View

__all__ = ["Document", "read_documents", "to_json", "to_text"]

Document: TypeAlias = Proof | NoProof

_PROOF, _NO_PROOF = "mineproof proof 1", "mineproof no-proof 1"
_MOST_PARTS = 100_000
_YES = {"yes": True, "no": False}


# -- writing -----------------------------------------------------------------------------------


def to_text(document: Document) -> str:
    """The text form, with a line end."""
    name = document.topology.cell_name

    def names(cells: tuple[int, ...]) -> str:
        return " ".join(map(name, cells)) or "-"

    if isinstance(document, NoProof):
        what = "all" if document.whole else names(document.cells)
        lines = [_NO_PROOF, f"position {document.position}", f"claim {what} uncertain"]
        lines += [f"solution {names(mines)}" for mines in document.solutions]
        return "\n".join(lines) + "\n"
    where = "" if document.cell is None else f"{name(document.cell)} "
    lines = [_PROOF, f"position {document.position}", f"claim {where}{document.claim.value}"]
    for clue in document.premises:
        shown = "nothing" if clue.shown is None else clue.shown
        lines.append(f"premise {name(clue.cell)} shows {shown}")
    if document.told is not None:
        lines.append(f"premise {document.told}")
    lines.append(f"smallest {'yes' if document.smallest else 'no'}")
    lines.append(f"technique {document.technique}")
    for fact in document.facts:
        counts = ",".join(map(str, fact.counts)) or "-"
        lines.append(f"fact {counts} of {names(fact.cells)} by {names(fact.clues)}")
    lines += [f"text {line}" for line in document.text.split("\n")]
    return "\n".join(lines) + "\n"


def to_json(document: Document) -> dict[str, Any]:
    """The JSON form: cells are lists of coordinates."""
    topology = document.topology

    def place(cell: int) -> list[int]:
        return list(topology.coordinates(cell))

    def places(cells: tuple[int, ...]) -> list[list[int]]:
        return [place(cell) for cell in cells]

    if isinstance(document, NoProof):
        found: dict[str, Any] = {"position": document.position, "certain": None}
        if document.whole or len(document.cells) != 1:
            found["cells"] = places(document.cells)
            found["whole"] = document.whole
        else:
            found["cell"] = place(document.cells[0])
        return {**found, "witnesses": [places(mines) for mines in document.solutions]}
    return {
        "position": document.position,
        "cell": None if document.cell is None else place(document.cell),
        "certain": document.claim.value,
        "premises": places(document.clues),
        "shown": [clue.shown for clue in document.premises],
        "uses_total": document.uses_total,
        "told": document.told,
        "smallest": document.smallest,
        "technique": document.technique.name,
        "facts": [
            {"cells": places(f.cells), "mines": list(f.counts), "premises": places(f.clues)}
            for f in document.facts
        ],
        "text": document.text,
    }


# -- reading -----------------------------------------------------------------------------------


def read_documents(text: str, view: View) -> list[Document]:
    """The proofs and no-proofs of a text in either form, which must speak of this position.

    Raises NotationError for a malformed text and InputError for one about another position.
    """
    if text.lstrip().startswith(("{", "[")):
        documents = list(_read_json(text, view))
    else:
        documents = list(_read_text(text, view))
    if not documents:
        raise NotationError(
            f"no proof is here; accepted: a text that begins with `{_PROOF}`, or JSON"
        )
    return documents


def _same_position(position: object, view: View) -> str:
    expected = digest(view)
    if position != expected:
        raise InputError(
            f"the proof is for another position ({quoted(position)}); accepted: one for {expected}"
        )
    return expected


def _cell(topology: Topology, word: str) -> int:
    return topology.cell(parse_coordinates(word))


class _Lines:
    """The lines of one document, by their first word."""

    def __init__(self, lines: list[tuple[int, str]], view: View) -> None:
        self.lines, self.view = lines, view
        self.topology = view.topology

    def all(self, word: str) -> list[tuple[int, str]]:
        return [
            (number, line[len(word) + 1 :])
            for number, line in self.lines
            if line == word or line.startswith(f"{word} ")
        ]

    def one(self, word: str) -> tuple[int, str]:
        found = self.all(word)
        if len(found) != 1:
            raise NotationError(
                f"{len(found)} lines begin with {word}; accepted: one", self.lines[0][0]
            )
        return found[0]

    def cells(self, text: str) -> tuple[int, ...]:
        if text.strip() == "-":
            return ()
        words = text.split()
        if len(words) > _MOST_PARTS:
            raise NotationError(f"{len(words)} cells in a line; accepted: up to {_MOST_PARTS}")
        return tuple(_cell(self.topology, word) for word in words)


def _read_text(text: str, view: View) -> Iterator[Document]:
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            blocks[-1].append((number, line.rstrip()))
        elif blocks[-1]:
            blocks.append([])
    for block in filter(None, blocks):
        number, head = block[0]
        if head not in (_PROOF, _NO_PROOF):
            raise NotationError(
                f"{quoted(head)} begins no proof; accepted: `{_PROOF}` or `{_NO_PROOF}`", number
            )
        known = _PROOF_WORDS if head == _PROOF else _NO_PROOF_WORDS
        for place, line in block[1:]:
            if line.split(" ", 1)[0] not in known:
                raise NotationError(
                    f"line {quoted(line)} is none of a proof; accepted: {', '.join(known)}", place
                )
        lines = _Lines(block[1:], view)
        if not block[1:]:
            raise NotationError("the proof ends after its first line", number)
        yield _read_proof(lines) if head == _PROOF else _read_no_proof(lines)


_PROOF_WORDS = ("position", "claim", "premise", "smallest", "technique", "fact", "text")
_NO_PROOF_WORDS = ("position", "claim", "solution")
_FACT = re.compile(r"(-|\d{1,9}(?:,\d{1,9})*) of (.+) by (.+)")
_SHOWS = re.compile(r"(\S+) shows (nothing|\d{1,9})")


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Errors of what is read inside are said of a line."""
    try:
        yield
    except NotationError:
        raise
    except InputError as error:
        raise NotationError(str(error), number) from None


def _read_proof(lines: _Lines) -> Proof:
    position = _same_position(lines.one("position")[1], lines.view)
    number, claim = lines.one("claim")
    *where, what = claim.split() or [""]
    kinds = {kind.value: kind for kind in Claim}
    if what not in kinds or len(where) != (kinds[what] is not Claim.CLASH):
        raise NotationError(
            f"claim {quoted(claim)} cannot be read; accepted: `3,4 safe`, `3,4 mine` or `clash`",
            number,
        )
    with _at(number):
        cell = _cell(lines.topology, where[0]) if where else None
    premises, told = [], None
    for number, words in lines.all("premise"):
        match = _SHOWS.fullmatch(words)
        if match is not None:
            shown = None if match[2] == "nothing" else int(match[2])
            with _at(number):
                premises.append(Clue(_cell(lines.topology, match[1]), shown))
        elif words.startswith("mines=") and told is None:
            told = words
        else:
            raise NotationError(
                f"premise {quoted(words)} cannot be read; accepted: `3,4 shows 2`, one `mines=99`",
                number,
            )
    facts = []
    for number, words in lines.all("fact"):
        match = _FACT.fullmatch(words)
        if match is None:
            raise NotationError(
                f"fact {quoted(words)} cannot be read; accepted: `1 of 0,1 0,2 by 0,0`", number
            )
        counts = () if match[1] == "-" else tuple(map(int, match[1].split(",")))
        with _at(number):
            facts.append(Fact(lines.cells(match[2]), counts, lines.cells(match[3])))
    number, smallest = lines.one("smallest")
    if smallest not in _YES:
        raise NotationError(f"smallest {quoted(smallest)}; accepted: yes or no", number)
    number, words = lines.one("technique")
    with _at(number):
        technique = Technique.parse(words)
    return Proof(
        lines.topology,
        position,
        kinds[what],
        cell,
        tuple(premises),
        told,
        _YES[smallest],
        technique,
        "\n".join(line for _, line in lines.all("text")),
        tuple(facts),
    )


def _read_no_proof(lines: _Lines) -> NoProof:
    position = _same_position(lines.one("position")[1], lines.view)
    number, claim = lines.one("claim")
    names, _, what = claim.rpartition(" ")
    if what != "uncertain" or not names:
        raise NotationError(
            f"claim {quoted(claim)} cannot be read; accepted: `3,4 uncertain`, `all uncertain`",
            number,
        )
    whole = names == "all"
    with _at(number):
        cells = tuple(lines.view.hidden) if whole else lines.cells(names)
    solutions = []
    for number, words in lines.all("solution"):
        with _at(number):
            solutions.append(lines.cells(words))
    return NoProof(lines.topology, position, cells, tuple(solutions), whole)


# -- JSON --------------------------------------------------------------------------------------


def _read_json(text: str, view: View) -> Iterator[Document]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise NotationError("not JSON; accepted: what explain --json prints", line) from None
    if isinstance(found, dict) and "proofs" in found:
        found = [*_list(found["proofs"], "proofs")] + (
            [found["uncertain"]] if found.get("uncertain") is not None else []
        )
    for one in found if isinstance(found, list) else [found]:
        if not isinstance(one, dict):
            raise NotationError(f"{quoted(one)} is no proof; accepted: JSON objects")
        yield _JsonReader(one, view).document()


def _list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MOST_PARTS:
        raise NotationError(f"field {name} is not a list of at most {_MOST_PARTS}")
    return value


def _whole_number(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**9:
        raise NotationError(f"field {name} holds {quoted(value)}; accepted: numbers from 0")
    return value


class _JsonReader:
    """Reads one object field by field; whatever is not as it should be is named."""

    def __init__(self, found: dict[str, Any], view: View) -> None:
        self.found, self.view, self.topology = found, view, view.topology

    def document(self) -> Document:
        position = _same_position(self.field("position"), self.view)
        certain = self.field("certain")
        if certain is None:
            return self._no_proof(position)
        kinds = {kind.value: kind for kind in Claim}
        if not isinstance(certain, str) or certain not in kinds:
            raise NotationError(
                f"field certain holds {quoted(certain)}; accepted: {', '.join(kinds)} or null"
            )
        place = self.field("cell")
        if (place is None) != (kinds[certain] is Claim.CLASH):
            raise NotationError("field cell must be coordinates, or null for a clash")
        clues = self.cells(self.field("premises"), "premises")
        shown = _list(self.field("shown"), "shown")
        if len(shown) != len(clues):
            raise NotationError("fields premises and shown differ in length")
        told, text = self.field("told"), self.field("text")
        if not isinstance(text, str) or not (told is None or isinstance(told, str)):
            raise NotationError("fields text and told must be texts")
        smallest, technique = self.field("smallest"), self.field("technique")
        if not isinstance(smallest, bool) or not isinstance(technique, str):
            raise NotationError("field smallest must be true or false, and technique a text")
        return Proof(
            self.topology,
            position,
            kinds[certain],
            None if place is None else self.cell(place, "cell"),
            tuple(
                Clue(cell, None if number is None else _whole_number(number, "shown"))
                for cell, number in zip(clues, shown, strict=True)
            ),
            told,
            smallest,
            Technique.parse(technique),
            text,
            tuple(map(self._fact, _list(self.found.get("facts", []), "facts"))),
        )

    def _no_proof(self, position: str) -> NoProof:
        witnesses = _list(self.field("witnesses"), "witnesses")
        solutions = tuple(self.cells(mines, "witnesses") for mines in witnesses)
        if "cell" in self.found:
            cells: tuple[int, ...] = (self.cell(self.found["cell"], "cell"),)
        else:
            cells = self.cells(self.field("cells"), "cells")
        whole = self.found.get("whole", False)
        if not isinstance(whole, bool):
            raise NotationError("field whole must be true or false")
        return NoProof(self.topology, position, cells, solutions, whole)

    def _fact(self, fact: object) -> Fact:
        if not isinstance(fact, dict) or not {"cells", "mines", "premises"} <= fact.keys():
            raise NotationError("a fact must have the fields cells, mines and premises")
        mines = _list(fact["mines"], "mines")
        return Fact(
            self.cells(fact["cells"], "cells"),
            tuple(_whole_number(number, "mines") for number in mines),
            self.cells(fact["premises"], "premises"),
        )

    def field(self, name: str) -> Any:
        if name not in self.found:
            raise NotationError(f"field {name} is missing")
        return self.found[name]

    def cell(self, place: object, name: str) -> int:
        numbers = tuple(_whole_number(number, name) for number in _list(place, name))
        try:
            return self.topology.cell(numbers)
        except InputError as error:
            raise NotationError(f"field {name}: {error}") from None

    def cells(self, places: object, name: str) -> tuple[int, ...]:
        return tuple(self.cell(place, name) for place in _list(places, name))
