"""`mineproof check-proof`: accept or reject proofs of a position, without any logic."""

from __future__ import annotations

from typing import Annotated

from mineproof.cli.console import StatusLine, echo
from mineproof.cli.declarations import Argument
from mineproof.cli.main import FAILED
from mineproof.cli.options import PositionMines, StateBudget, check_budget
from mineproof.errors import InputError

_MOST_BYTES = 16 * 2**20


def command(
    proof: Annotated[
        str, Argument(metavar="PROOF", help="A file that explain wrote (--proof or --json).")
    ],
    position: Annotated[
        str, Argument(metavar="POSITION", help="The position it is about, or - for stdin.")
    ],
    mines: PositionMines = None,
    budget: StateBudget = None,
) -> int:
    """Check every claim of a file against a position, by counting over its premises only.

    The exit status is 0 if all are accepted, 1 if one is rejected, with the reason, 2 if the file
    is malformed or about another position, and 4 past the budget.
    """
    from mineproof.files import parse_file
    from mineproof.proofs.checker import check_proof, claim_text
    from mineproof.proofs.documents import read_documents
    from mineproof.proofs.enumeration import MOST_STATES
    from mineproof.view.view import View

    if proof == "-" and position == "-":
        raise InputError("standard input cannot be both; accepted: - for one of them")
    states = check_budget(budget, MOST_STATES)
    with StatusLine("reading the position and the proof"):
        view = View.read(position, mines)
        documents = parse_file(proof, lambda text: read_documents(text, view), _MOST_BYTES)
    status = 0
    for document in documents:
        with StatusLine("counting over the premises"):
            found = check_proof(document, view, states)
        if found:
            echo(f"accepted: {found.reason}")
        else:
            echo(f"rejected: {claim_text(document)}: {found.reason}")
            status = FAILED
    return status
