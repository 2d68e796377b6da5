r"""Proofs and no-proofs as documents: a text or JSON, which both read back to equal values.

    mineproof proof 2
    position 5d0c2a7be3f14966
    claim 0,2 safe
    premise 0,0 shows 1
    premise 1,1 shows 2
    premise 2,1 shows 1
    smallest yes
    technique 3 clues
    step 1 by 0,0 over 0,1: 1 of 0,1
    text The 1 at 0,0 touches only 0,1, so 0,1 is a mine.
    step 2 by 2,1 over 1,2 2,2: 1 of 1,2 2,2
    text The 1 at 2,1 puts one mine in 1,2 or 2,2.
    step 3 by 1,1 from 1 2 over 0,1 0,2 1,2 2,2: 0 of 0,2
    text The 2 at 1,1 has both its mines there, so 0,2 is safe.

A premise `0,1 is free` is a hidden cell that the rule of the first click keeps free of mines. A
step is `step`, `suppose` or `case` with its number; `by` its clues (and `total`), `from` the
steps it rests on, `under` the suppositions it stands under, `over` the hidden cells it speaks of,
then how many mines are in which cells, and its sentence. A no-proof begins with
`mineproof no-proof 1`; its claim is `uncertain`, and each `solution` line lists the mines of one
layout. Blank lines part the documents of a file.

Documents of version 1 are read too. They have facts in place of steps, each with its clues, and one
text: the facts become steps without a sentence, and the text that of the last step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeAlias

from mineproof.board.topology import Topology, parse_coordinates
from mineproof.errors import InputError, NotationError, quoted
from mineproof.fields import CellFinder, FieldTable, FieldValue, parse_json
from mineproof.proofs.proof import (
    Claim,
    Clue,
    Conclusion,
    NoProof,
    Proof,
    ProofStep,
    StepKind,
    claim_conclusion,
    digest,
)
from mineproof.proofs.techniques import Technique
from mineproof.view.view import View

Document: TypeAlias = Proof | NoProof
OldFact: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Cells, the numbers of mines they may hold, and the clues that say so, in version 1."""

CLAIMS = {kind.value: kind for kind in Claim}
MOST_PARTS = 100_000
"""The most cells, or steps, of one list."""
_LARGEST = 10**9 - 1
"""The largest number: the text form has nine digits, too."""


def read_documents(text: str, view: View) -> list[Document]:
    """The proofs and no-proofs of a text in either form, which must speak of this position.

    Raises NotationError for a malformed text and InputError for one about another position.
    """
    read = read_json if text.lstrip().startswith(("{", "[")) else read_text
    documents = list(read(text, view))
    if not documents:
        raise NotationError(
            f"no proof is here; accepted: a text that begins with `{PROOF}`, or JSON"
        )
    return documents


def same_position(position: object, view: View) -> str:
    """The digest of a position. Raises InputError where a document names another."""
    expected = digest(view)
    if position != expected:
        raise InputError(
            f"the proof is for another position ({quoted(position)}); accepted: one for {expected}"
        )
    return expected


def steps_of_facts(
    facts: Sequence[OldFact],
    text: str,
    claim: Claim,
    cell: int | None,
    clues: tuple[int, ...],
    uses_total: bool,
) -> tuple[ProofStep, ...]:
    """The steps of a document of version 1: its facts, then its claim with all of its text."""
    steps = [
        ProofStep("", clues=named, cells=cells, conclusions=(Conclusion(cells, counts),))
        for cells, counts, named in facts
    ]
    ends = claim_conclusion(cell, claim is Claim.MINE)
    last = ProofStep(text, clues, uses_total, cells=ends.cells, conclusions=(ends,))
    return (*steps, last)


# -- The JSON form of proofs and no-proofs: cells are lists of coordinates -----

_KINDS = {kind.value: kind for kind in StepKind}


# -- writing -----------------------------------------------------------------------------------


def to_json(document: Document) -> dict[str, Any]:
    """The JSON form."""
    topology = document.topology

    def place(cell: int) -> list[int]:
        return list(topology.coordinates(cell))

    def places(cells: Iterable[int]) -> list[list[int]]:
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
        "shown": ["free" if clue.free else clue.shown for clue in document.premises],
        "uses_total": document.uses_total,
        "told": document.told,
        "smallest": document.smallest,
        "technique": document.technique.name,
        "facts": [
            {"cells": places(one.cells), "mines": list(one.counts), "premises": places(clues)}
            for one, clues in document.facts
        ],
        "steps": [
            {
                "kind": step.kind.value,
                "text": step.sentence,
                "premises": places(step.clues),
                "uses_total": step.uses_total,
                "rests_on": list(step.rests_on),
                "under": list(step.under),
                "cells": places(step.cells),
                "concludes": [
                    {"cells": places(one.cells), "mines": list(one.counts)}
                    for one in step.conclusions
                ],
            }
            for step in document.steps
        ],
        "text": document.text,
    }


# -- reading -----------------------------------------------------------------------------------


def read_json(text: str, view: View) -> Iterator[Document]:
    """The documents of a JSON text. Raises NotationError and InputError."""
    return from_json(parse_json(text, "what explain --json prints"), view)


def from_json(found: object, view: View) -> Iterator[Document]:
    """The documents of a JSON value: one, a list, or what `explain --all --json` prints."""
    if isinstance(found, dict) and "proofs" in found:
        proofs, uncertain = FieldValue(found["proofs"], "proofs"), found.get("uncertain")
        found = proofs.items(MOST_PARTS) + ([] if uncertain is None else [uncertain])
    for one in found if isinstance(found, list) else [found]:
        if not isinstance(one, dict):
            raise NotationError(f"{quoted(one)} is no proof; accepted: JSON objects")
        yield _document_of(FieldTable(one), view)


def _premise_of(cell: int, shown: FieldValue) -> Clue:
    """A clue: what it shows, null for nothing, or `free` for a cell that the rules keep free."""
    if shown.value == "free":
        return Clue(cell, None, free=True)
    return Clue(cell, None if shown.value is None else shown.whole_number(0, _LARGEST))


def _document_of(fields: FieldTable, view: View) -> Document:
    position = same_position(fields["position"].value, view)
    if fields["certain"].value is None:
        return _no_proof_of(fields, view, position)
    cell_at = view.topology.cell
    claim, place = fields["certain"].one_of(CLAIMS, " or null"), fields["cell"]
    if (place.value is None) != (claim is Claim.CLASH):
        raise NotationError("field cell must be coordinates, or null for a clash")
    cell = None if place.value is None else place.cell(cell_at)
    clues = fields["premises"].cells(cell_at, MOST_PARTS)
    shown = list(fields["shown"].each(MOST_PARTS))
    if len(shown) != len(clues):
        raise NotationError("fields premises and shown differ in length")
    told = None if fields["told"].value is None else fields["told"].text()
    text = fields["text"].text()
    if "steps" in fields:
        listed = fields["steps"].each(MOST_PARTS)
        steps = tuple(_step_of(step.table(), cell_at) for step in listed)
    else:
        listed = fields.get("facts", []).each(MOST_PARTS)
        facts = [_fact_of(fact.table(), cell_at) for fact in listed]
        steps = steps_of_facts(facts, text, claim, cell, clues, told is not None)
    return Proof(
        view.topology,
        position,
        claim,
        cell,
        tuple(_premise_of(clue, one) for clue, one in zip(clues, shown, strict=True)),
        told,
        fields["smallest"].flag(),
        Technique.parse(fields["technique"].text()),
        steps,
    )


def _step_of(fields: FieldTable, cell_at: CellFinder) -> ProofStep:
    return ProofStep(
        fields["text"].text(),
        fields["premises"].cells(cell_at, MOST_PARTS),
        fields["uses_total"].flag(),
        fields["rests_on"].whole_numbers(MOST_PARTS, _LARGEST),
        fields["under"].whole_numbers(MOST_PARTS, _LARGEST),
        fields["kind"].one_of(_KINDS),
        fields["cells"].cells(cell_at, MOST_PARTS),
        tuple(_conclusion_of(one.table(), cell_at) for one in fields["concludes"].each(MOST_PARTS)),
    )


def _conclusion_of(fields: FieldTable, cell_at: CellFinder) -> Conclusion:
    counts = fields["mines"].whole_numbers(MOST_PARTS, _LARGEST)
    return Conclusion(fields["cells"].cells(cell_at, MOST_PARTS), counts)


def _fact_of(fields: FieldTable, cell_at: CellFinder) -> OldFact:
    fact = _conclusion_of(fields, cell_at)
    return fact.cells, fact.counts, fields["premises"].cells(cell_at, MOST_PARTS)


def _no_proof_of(fields: FieldTable, view: View, position: str) -> NoProof:
    cell_at = view.topology.cell
    solutions = tuple(
        mines.cells(cell_at, MOST_PARTS) for mines in fields["witnesses"].each(MOST_PARTS)
    )
    if "cell" in fields:
        cells: tuple[int, ...] = (fields["cell"].cell(cell_at),)
    else:
        cells = fields["cells"].cells(cell_at, MOST_PARTS)
    whole = fields.get("whole", False).flag()
    return NoProof(view.topology, position, cells, solutions, whole)


# -- The text form of proofs and no-proofs; the top of this module shows one ---

PROOF, _OLD_PROOF, _NO_PROOF = "mineproof proof 2", "mineproof proof 1", "mineproof no-proof 1"
_YES = {"yes": True, "no": False}
_COMMON = ("position", "claim", "premise", "smallest", "technique", "text")
_WORDS = {
    PROOF: (*_COMMON, *_KINDS),
    _OLD_PROOF: (*_COMMON, "fact"),
    _NO_PROOF: ("position", "claim", "solution"),
}
_COUNTS = r"(-|\d{1,9}(?:,\d{1,9})*)"
_FACT = re.compile(rf"{_COUNTS} of (.+) by (.+)")
_CONCLUSION = re.compile(rf"{_COUNTS} of (.+)")
_SHOWS = re.compile(r"(\S+) (?:shows (nothing|\d{1,9})|is (free))")
_STEP = re.compile(
    r"(\d{1,9})(?: by ([^:]+?))?(?: from ([\d ]+?))?(?: under ([\d ]+?))?(?: over ([^:]+?))?: (.+)"
)
_TOTAL = "total"


# -- writing -----------------------------------------------------------------------------------


def to_text(document: Document) -> str:
    """The text form, with a line end."""
    lines = _no_proof_lines(document) if isinstance(document, NoProof) else _proof_lines(document)
    return "\n".join(lines) + "\n"


def _names(topology: Topology, cells: Iterable[int]) -> str:
    return " ".join(map(topology.cell_name, cells)) or "-"


def _no_proof_lines(document: NoProof) -> Iterator[str]:
    topology = document.topology
    what = "all" if document.whole else _names(topology, document.cells)
    yield from (_NO_PROOF, f"position {document.position}", f"claim {what} uncertain")
    yield from (f"solution {_names(topology, mines)}" for mines in document.solutions)


def _proof_lines(proof: Proof) -> Iterator[str]:
    name = proof.topology.cell_name
    where = "" if proof.cell is None else f"{name(proof.cell)} "
    yield from (PROOF, f"position {proof.position}", f"claim {where}{proof.claim.value}")
    for clue in proof.premises:
        said = f"shows {'nothing' if clue.shown is None else clue.shown}"
        yield f"premise {name(clue.cell)} {'is free' if clue.free else said}"
    if proof.told is not None:
        yield f"premise {proof.told}"
    yield f"smallest {'yes' if proof.smallest else 'no'}"
    yield f"technique {proof.technique}"
    for number, step in enumerate(proof.steps, 1):
        yield _step_line(number, step, proof.topology)
        if step.sentence:
            yield from (f"text {line}" for line in step.sentence.split("\n"))


def _step_line(number: int, step: ProofStep, topology: Topology) -> str:
    by = [*map(topology.cell_name, step.clues), *([_TOTAL] if step.uses_total else [])]
    parts = {
        "by": " ".join(by),
        "from": " ".join(map(str, step.rests_on)),
        "under": " ".join(map(str, step.under)),
        "over": " ".join(map(topology.cell_name, step.cells)),
    }
    said = "; ".join(
        f"{','.join(map(str, one.counts)) or '-'} of {_names(topology, one.cells)}"
        for one in step.conclusions
    )
    named = "".join(f" {word} {what}" for word, what in parts.items() if what)
    return f"{step.kind.value} {number}{named}: {said}"


# -- reading -----------------------------------------------------------------------------------


def read_text(text: str, view: View) -> Iterator[Document]:
    """The documents of a text. Raises NotationError and InputError."""
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            blocks[-1].append((number, line.rstrip()))
        elif blocks[-1]:
            blocks.append([])
    for block in filter(None, blocks):
        number, head = block[0]
        if head not in _WORDS:
            raise NotationError(
                f"{quoted(head)} begins no proof; accepted: `{PROOF}` or `{_NO_PROOF}`", number
            )
        known = _WORDS[head]
        for place, line in block[1:]:
            if line.split(" ", 1)[0] not in known:
                raise NotationError(
                    f"line {quoted(line)} is none of a proof; accepted: {', '.join(known)}", place
                )
        if not block[1:]:
            raise NotationError("the proof ends after its first line", number)
        lines = _Lines(block[1:], view)
        yield _read_no_proof(lines) if head == _NO_PROOF else _read_proof(lines, head == PROOF)


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Errors of what is read inside are said of a line."""
    try:
        yield
    except NotationError:
        raise
    except InputError as error:
        raise NotationError(str(error), number) from None


class _Lines:
    """The lines of one document, by their first word."""

    def __init__(self, lines: list[tuple[int, str]], view: View) -> None:
        self.lines, self.view = lines, view
        self.topology = view.topology

    def all(self, *words: str) -> list[tuple[int, str, str]]:
        """The number, the first word and the rest of every line that begins with such a word."""
        parted = ((number, *line.partition(" ")[::2]) for number, line in self.lines)
        return [one for one in parted if one[1] in words]

    def one(self, word: str) -> tuple[int, str]:
        found = self.all(word)
        if len(found) != 1:
            raise NotationError(
                f"{len(found)} lines begin with {word}; accepted: one", self.lines[0][0]
            )
        return found[0][0], found[0][2]

    def cell(self, word: str) -> int:
        return self.topology.cell(parse_coordinates(word))

    def cells(self, text: str) -> tuple[int, ...]:
        if text.strip() == "-":
            return ()
        words = text.split()
        if len(words) > MOST_PARTS:
            raise NotationError(f"{len(words)} cells in a line; accepted: up to {MOST_PARTS}")
        return tuple(map(self.cell, words))


def _read_proof(lines: _Lines, has_steps: bool) -> Proof:
    position = same_position(lines.one("position")[1], lines.view)
    claim, cell = _read_claim(lines)
    premises, told = _read_premises(lines)
    number, smallest = lines.one("smallest")
    if smallest not in _YES:
        raise NotationError(f"smallest {quoted(smallest)}; accepted: yes or no", number)
    number, words = lines.one("technique")
    with _at(number):
        technique = Technique.parse(words)
    if has_steps:
        steps = _read_steps(lines)
    else:
        clues = tuple(clue.cell for clue in premises)
        text = "\n".join(line for _, _, line in lines.all("text"))
        steps = steps_of_facts(_read_facts(lines), text, claim, cell, clues, told is not None)
    return Proof(
        lines.topology, position, claim, cell, premises, told, _YES[smallest], technique, steps
    )


def _read_claim(lines: _Lines) -> tuple[Claim, int | None]:
    number, claim = lines.one("claim")
    *where, what = claim.split() or [""]
    if what not in CLAIMS or len(where) != (CLAIMS[what] is not Claim.CLASH):
        raise NotationError(
            f"claim {quoted(claim)} cannot be read; accepted: `3,4 safe`, `3,4 mine` or `clash`",
            number,
        )
    with _at(number):
        return CLAIMS[what], lines.cell(where[0]) if where else None


def _read_premises(lines: _Lines) -> tuple[tuple[Clue, ...], str | None]:
    premises, told = [], None
    for number, _, words in lines.all("premise"):
        match = _SHOWS.fullmatch(words)
        if match is not None:
            shown = int(match[2]) if (match[2] or "nothing") != "nothing" else None
            with _at(number):
                premises.append(Clue(lines.cell(match[1]), shown, match[3] is not None))
        elif words.startswith("mines=") and told is None:
            told = words
        else:
            raise NotationError(
                f"premise {quoted(words)} cannot be read; accepted: `3,4 shows 2`, `3,4 is"
                " free`, one `mines=99`",
                number,
            )
    return tuple(premises), told


def _read_steps(lines: _Lines) -> tuple[ProofStep, ...]:
    """The steps; the text lines after each are its sentence."""
    found: list[ProofStep] = []
    said: list[list[str]] = []
    for number, word, rest in lines.all("text", *_KINDS):
        if word != "text":
            with _at(number):
                found.append(_read_step(lines, number, word, rest, len(found) + 1))
            said.append([])
        elif not found:
            raise NotationError("a text before the first step; accepted: after its step", number)
        else:
            said[-1].append(rest)
    return tuple(
        replace(step, sentence="\n".join(sentence))
        for step, sentence in zip(found, said, strict=True)
    )


def _read_step(lines: _Lines, number: int, word: str, rest: str, place: int) -> ProofStep:
    match = _STEP.fullmatch(rest)
    if match is None or int(match[1]) != place:
        raise NotationError(
            f"{word} {quoted(rest)} cannot be read; accepted: such as"
            f" `step {place} by 0,0 from 1 over 0,1 0,2: 1 of 0,1`",
            number,
        )
    by = (match[2] or "").split()
    clues = [one for one in by if one != _TOTAL]
    return ProofStep(
        "",
        lines.cells(" ".join(clues)),
        len(clues) < len(by),
        tuple(map(int, (match[3] or "").split())),
        tuple(map(int, (match[4] or "").split())),
        _KINDS[word],
        lines.cells(match[5] or ""),
        tuple(_read_conclusion(lines, number, one) for one in match[6].split("; ")),
    )


def _read_conclusion(lines: _Lines, number: int, words: str) -> Conclusion:
    match = _CONCLUSION.fullmatch(words)
    if match is None:
        raise NotationError(
            f"conclusion {quoted(words)} cannot be read; accepted: such as `1 of 0,1 0,2`", number
        )
    return Conclusion(lines.cells(match[2]), _read_counts(match[1]))


def _read_counts(words: str) -> tuple[int, ...]:
    return () if words == "-" else tuple(map(int, words.split(",")))


def _read_facts(lines: _Lines) -> list[OldFact]:
    facts: list[OldFact] = []
    for number, _, words in lines.all("fact"):
        match = _FACT.fullmatch(words)
        if match is None:
            raise NotationError(
                f"fact {quoted(words)} cannot be read; accepted: `1 of 0,1 0,2 by 0,0`", number
            )
        with _at(number):
            facts.append((lines.cells(match[2]), _read_counts(match[1]), lines.cells(match[3])))
    return facts


def _read_no_proof(lines: _Lines) -> NoProof:
    position = same_position(lines.one("position")[1], lines.view)
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
    for number, _, words in lines.all("solution"):
        with _at(number):
            solutions.append(lines.cells(words))
    return NoProof(lines.topology, position, cells, tuple(solutions), whole)
