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

A step is `step`, `suppose` or `case` with its number; `by` its clues (and `total`), `from` the
steps it rests on, `under` the suppositions it stands under, `over` the hidden cells it speaks of,
then how many mines are in which cells, and its sentence. A no-proof begins with
`mineproof no-proof 1`; its claim is `uncertain`, and each `solution` line lists the mines of one
layout. Blank lines part the documents of a file.

Documents of version 1 are read too. They have facts in place of steps, each with its clues, and one
text: the facts become steps without a sentence, and the text that of the last step.
"""

from __future__ import annotations

from mineproof.errors import NotationError
from mineproof.proofs.document_json import read_json, to_json
from mineproof.proofs.document_parts import Document
from mineproof.proofs.document_text import PROOF, read_text, to_text
from mineproof.view.view import View

__all__ = ["Document", "read_documents", "to_json", "to_text"]


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
