"""The checker accepts what is right and rejects every proof with anything dropped or changed."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from mineproof.errors import BudgetExceeded, InputError, NotationError
from mineproof.proofs import checker, enumeration
from mineproof.proofs import proof as steps
from mineproof.proofs.checker import check_proof
from mineproof.proofs.documents import Document, read_documents, to_json, to_text
from mineproof.proofs.explanation import explain, explain_all
from mineproof.proofs.proof import Claim, Clue, NoProof, Proof
from mineproof.proofs.techniques import Technique
from mineproof.view import View
from tests.proofs.positions import BOARDS, random_view

EXAMPLE = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
COUNTED = View.parse("square 1x5 mines=1\n.1...")


def proof_of(view: View, cell: int) -> Proof:
    found = explain(view, cell)
    assert isinstance(found, Proof)
    return found


def documents() -> list[tuple[View, Document]]:
    found: list[tuple[View, Document]] = []
    for board in BOARDS.values():
        for seed in range(3):
            view = random_view(board, "exact", seed)
            all_of_it = explain_all(view)
            found += [(view, proof) for proof in all_of_it.proofs]
            if all_of_it.uncertain is not None:
                found.append((view, all_of_it.uncertain))
    return found


def test_no_engine_takes_part() -> None:
    for module in (checker, enumeration, checker, steps):
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        names = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
        for name in names:
            assert not name.startswith(("mineproof.engine", "mineproof.logics", "pysat"))


def test_dropped_or_changed_premises_are_rejected() -> None:
    tried = 0
    for view, document in documents():
        if isinstance(document, NoProof):
            continue
        # Steps may name a dropped premise: leave them out, so that the premises alone are judged.
        bare = replace(document, steps=())
        for place, clue in enumerate(document.premises):
            fewer = (*document.premises[:place], *document.premises[place + 1 :])
            tried += 1
            assert not check_proof(replace(bare, premises=fewer), view)
            other = Clue(clue.cell, (clue.shown or 0) + 1)
            changed = (*document.premises[:place], other, *document.premises[place + 1 :])
            assert "shows" in check_proof(replace(bare, premises=changed), view).reason
        if document.told is not None:
            assert not check_proof(replace(bare, told=None), view)
            assert (
                "not what the position tells"
                in check_proof(replace(bare, told="mines=0x"), view).reason
            )
        if document.cell is not None:
            flipped = Claim.MINE if document.claim is Claim.SAFE else Claim.SAFE
            assert not check_proof(replace(bare, claim=flipped), view)
    assert tried > 50


def test_both_forms_round_trip() -> None:
    for view, document in documents():
        for form in (to_text(document), json.dumps(to_json(document))):
            assert read_documents(form, view) == [document]


OLD = """mineproof proof 1
position 5d0c2a7be3f14966
claim 0,2 safe
premise 0,0 shows 1
premise 1,1 shows 2
premise 2,1 shows 1
smallest yes
technique 3 clues
fact 1 of 0,2 1,2 2,2 by 0,0 1,1
fact 0 of 0,2 by 0,0 1,1 2,1
text The 1 at 0,0 touches only 0,1, so 0,1 is a mine.
text   So 0,2 is safe.
"""


def test_documents_of_version_1_are_read_and_checked() -> None:
    text = OLD.replace("5d0c2a7be3f14966", proof_of(EXAMPLE, 2).position)
    (proof,) = read_documents(text, EXAMPLE)
    assert isinstance(proof, Proof)
    assert proof.text == ("The 1 at 0,0 touches only 0,1, so 0,1 is a mine.\n  So 0,2 is safe.")
    assert check_proof(proof, EXAMPLE)
    assert read_documents(to_text(proof), EXAMPLE) == [proof]
    (wrong,) = read_documents(text.replace("fact 0 of 0,2", "fact 1 of 0,2"), EXAMPLE)
    assert rejected(wrong) == "step 2 does not follow from what it rests on"
    old = to_json(proof)
    del old["steps"]
    (same,) = read_documents(json.dumps(old), EXAMPLE)
    assert isinstance(same, Proof)
    assert same.text == proof.text
    assert check_proof(same, EXAMPLE)


def test_many_in_one_file() -> None:
    found = explain_all(EXAMPLE)
    assert found.uncertain is not None
    every: list[Document] = [*found.proofs, found.uncertain]
    assert read_documents("\n".join(map(to_text, every)), EXAMPLE) == every
    as_json = {"proofs": [*map(to_json, found.proofs)], "uncertain": to_json(found.uncertain)}
    assert read_documents(json.dumps(as_json), EXAMPLE) == every


def rejected(proof: Proof | NoProof, view: View = EXAMPLE) -> str:
    found = check_proof(proof, view)
    assert not found
    return found.reason


def test_reasons() -> None:
    proof = proof_of(EXAMPLE, 2)
    assert "leave 0,1 free to be safe" in rejected(
        replace(
            proof,
            cell=1,
            claim=Claim.MINE,
            premises=proof.premises[1:],
            steps=(),
            technique=Technique.parse("two clues"),
        )
    )
    assert "named twice" in rejected(replace(proof, premises=(*proof.premises, proof.premises[0])))
    assert "0,0 is open" in rejected(replace(proof, cell=0))
    assert "no opened safe cell" in rejected(replace(proof, premises=(Clue(1, 1),)))
    assert "does not fit" in rejected(replace(proof, technique=Technique.parse("4 clues")))
    assert "does not fit" in rejected(replace(proof, technique=Technique.parse("mine count")))
    more = replace(
        proof, premises=(*proof.premises, Clue(3, 1)), technique=Technique.parse("4 clues")
    )
    assert "is not needed" in rejected(more)
    assert rejected(replace(proof, claim=Claim.MINE)) == "the premises say that 0,2 is safe"
    clash = replace(proof, cell=None, claim=Claim.CLASH, steps=())
    assert "can be met" in rejected(clash)


def test_no_proofs() -> None:
    found = explain(EXAMPLE, 5)
    assert isinstance(found, NoProof)
    one, two = found.solutions
    assert "is safe in none" in rejected(replace(found, solutions=(one, one)))
    assert "is a mine in none" in rejected(replace(found, solutions=(two,)))
    assert "breaks the clue" in rejected(replace(found, solutions=(one, (1, 2))))
    assert "wrong about the open cell" in rejected(replace(found, solutions=(one, (0, 1))))
    assert "mines; told: mines=1" in rejected(
        replace(proof_no(COUNTED), solutions=((0, 3), (2, 3))), COUNTED
    )
    assert "leaves out" in rejected(replace(found, whole=True))
    assert "is open" in rejected(replace(found, cells=(0,)))


def proof_no(view: View) -> NoProof:
    found = explain(view, 0)
    assert isinstance(found, NoProof)
    return found


def test_other_positions_and_budgets() -> None:
    proof = proof_of(EXAMPLE, 2)
    with pytest.raises(InputError, match="another position"):
        check_proof(proof, COUNTED)
    with pytest.raises(InputError, match="another position"):
        read_documents(to_text(proof), COUNTED)
    with pytest.raises(BudgetExceeded, match="more than 2 states"):
        check_proof(proof, EXAMPLE, most_states=2)
    huge = replace(proof, steps=proof.steps * 10_000)
    with pytest.raises(BudgetExceeded, match="up to"):
        check_proof(huge, EXAMPLE)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("mineproof proof 2", "mineproof proof 3", "begins no proof"),
        ("claim 0,2 safe", "claim 0,2 perhaps", "claim '0,2 perhaps'"),
        ("claim 0,2 safe", "claim 9,9 safe", "line 3"),
        ("claim 0,2 safe", "claim safe", "cannot be read"),
        ("premise 0,0 shows 1", "premise 0,0", "line 4"),
        ("premise 0,0 shows 1", "premise 0,7 shows 1", "line 4"),
        ("smallest yes", "smallest perhaps", "accepted: yes or no"),
        ("smallest yes\n", "", "0 lines begin with smallest"),
        ("technique 3 clues", "technique magic", "accepted: single clue"),
        ("step 3 by", "step 4 by", "line 13: step '4 by"),
        ("step 3 by 1,1 from", "step 3 by 9,9 from", "line 13"),
        ("from 1 2", "from 1 two", "cannot be read"),
        (": 0 of 0,2", ": of 0,2", "conclusion 'of 0,2' cannot be read"),
        ("technique 3 clues", "technique 3 clues\ntext Hm.", "a text before the first step"),
        ("smallest yes", "smallest yes\nnonsense", "is none of a proof"),
    ],
)
def test_malformed_texts(old: str, new: str, said: str) -> None:
    text = to_text(proof_of(EXAMPLE, 2))
    assert old in text
    with pytest.raises(NotationError, match=said):
        read_documents(text.replace(old, new), EXAMPLE)


STEP = to_json(proof_of(EXAMPLE, 2))["steps"][0]


@pytest.mark.parametrize(
    "field",
    [
        {"certain": "perhaps"},
        {"cell": None},
        {"cell": [9, 9]},
        {"cell": "0,2"},
        {"cell": [True, 2]},
        {"premises": 7},
        {"premises": [[0, 0]]},
        {"shown": ["1", 2, 1]},
        {"shown": [-1, 2, 1]},
        {"smallest": 1},
        {"technique": None},
        {"technique": "magic"},
        {"told": 5},
        {"text": None},
        {"steps": [1]},
        {"steps": 1},
        {"steps": [{**STEP, "concludes": [{"cells": [[0, 1]], "mines": [10**30]}]}]},
        {"steps": [{**STEP, "concludes": [1]}]},
        {"steps": [{**STEP, "kind": "leap"}]},
        {"steps": [{**STEP, "text": 1}]},
        {"steps": [{**STEP, "uses_total": 1}]},
        {"steps": [{**STEP, "rests_on": [-1]}]},
        {"steps": [{**STEP, "under": ["1"]}]},
        {"steps": [{**STEP, "cells": [[9, 9]]}]},
        {"steps": [{name: value for name, value in STEP.items() if name != "premises"}]},
    ],
)
def test_malformed_json(field: dict[str, object]) -> None:
    found = {**to_json(proof_of(EXAMPLE, 2)), **field}
    with pytest.raises(InputError):
        read_documents(json.dumps(found), EXAMPLE)


@pytest.mark.parametrize("text", ["", "{", "[1]", "{}", "[" * 100_000, '{"proofs": 1}', "\n\n"])
def test_texts_that_are_no_proof(text: str) -> None:
    with pytest.raises(InputError):
        read_documents(text, EXAMPLE)
