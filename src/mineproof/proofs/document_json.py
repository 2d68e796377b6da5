"""The JSON form of proofs and no-proofs: cells are lists of coordinates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from mineproof.errors import InputError, NotationError, quoted
from mineproof.proofs.document_parts import (
    CLAIMS,
    MOST_PARTS,
    Document,
    OldFact,
    same_position,
    steps_of_facts,
)
from mineproof.proofs.proof import Claim, Clue, NoProof, Proof
from mineproof.proofs.steps import Conclusion, ProofStep, StepKind
from mineproof.proofs.techniques import Technique
from mineproof.view.view import View

__all__ = ["read_json", "to_json"]

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
        "shown": [clue.shown for clue in document.premises],
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
    if not isinstance(value, list) or len(value) > MOST_PARTS:
        raise NotationError(f"field {name} is not a list of at most {MOST_PARTS}")
    return value


def _whole_number(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**9:
        raise NotationError(f"field {name} holds {quoted(value)}; accepted: numbers from 0")
    return value


def _whole_numbers(value: object, name: str) -> tuple[int, ...]:
    return tuple(_whole_number(number, name) for number in _list(value, name))


class _JsonReader:
    """Reads one object field by field; whatever is not as it should be is named."""

    def __init__(self, found: dict[str, Any], view: View) -> None:
        self.found, self.view, self.topology = found, view, view.topology

    def document(self) -> Document:
        position = same_position(self.field("position"), self.view)
        certain = self.field("certain")
        if certain is None:
            return self._no_proof(position)
        if not isinstance(certain, str) or certain not in CLAIMS:
            raise NotationError(
                f"field certain holds {quoted(certain)}; accepted: {', '.join(CLAIMS)} or null"
            )
        claim, place = CLAIMS[certain], self.field("cell")
        if (place is None) != (claim is Claim.CLASH):
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
        cell = None if place is None else self.cell(place, "cell")
        if "steps" in self.found:
            steps = tuple(map(self._step, _list(self.found["steps"], "steps")))
        else:
            facts = [*map(self._fact, _list(self.found.get("facts", []), "facts"))]
            steps = steps_of_facts(facts, text, claim, cell, clues, told is not None)
        return Proof(
            self.topology,
            position,
            claim,
            cell,
            tuple(
                Clue(clue, None if number is None else _whole_number(number, "shown"))
                for clue, number in zip(clues, shown, strict=True)
            ),
            told,
            smallest,
            Technique.parse(technique),
            steps,
        )

    def _step(self, step: object) -> ProofStep:
        inner = _JsonReader(_object(step, "steps"), self.view)
        kind, text, uses_total = map(inner.field, ("kind", "text", "uses_total"))
        if not isinstance(kind, str) or kind not in _KINDS:
            raise NotationError(f"field kind holds {quoted(kind)}; accepted: {', '.join(_KINDS)}")
        if not isinstance(text, str) or not isinstance(uses_total, bool):
            raise NotationError("field text must be a text, and uses_total true or false")
        concluded = _list(inner.field("concludes"), "concludes")
        return ProofStep(
            text,
            self.cells(inner.field("premises"), "premises"),
            uses_total,
            _whole_numbers(inner.field("rests_on"), "rests_on"),
            _whole_numbers(inner.field("under"), "under"),
            _KINDS[kind],
            self.cells(inner.field("cells"), "cells"),
            tuple(map(self._conclusion, concluded)),
        )

    def _conclusion(self, conclusion: object) -> Conclusion:
        inner = _JsonReader(_object(conclusion, "concludes"), self.view)
        cells = self.cells(inner.field("cells"), "cells")
        return Conclusion(cells, _whole_numbers(inner.field("mines"), "mines"))

    def _fact(self, fact: object) -> OldFact:
        conclusion = self._conclusion(fact)
        premises = _JsonReader(_object(fact, "facts"), self.view).field("premises")
        return conclusion.cells, conclusion.counts, self.cells(premises, "premises")

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

    def field(self, name: str) -> Any:
        if name not in self.found:
            raise NotationError(f"field {name} is missing")
        return self.found[name]

    def cell(self, place: object, name: str) -> int:
        try:
            return self.topology.cell(_whole_numbers(place, name))
        except NotationError:
            raise
        except InputError as error:
            raise NotationError(f"field {name}: {error}") from None

    def cells(self, places: object, name: str) -> tuple[int, ...]:
        return tuple(self.cell(place, name) for place in _list(places, name))


def _object(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise NotationError(f"field {name} holds {quoted(value)}; accepted: objects")
    return value
