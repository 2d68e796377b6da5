"""`mineproof check-proof`: accept or reject proofs of a position, without any logic."""

from __future__ import annotations

from typing import Annotated

import typer

from mineproof.surfaces.cli.lines import echo

__all__ = ["command"]

_MOST_BYTES = 16 * 2**20


def command(
    proof: Annotated[
        str, typer.Argument(metavar="PROOF", help="A file that explain wrote (--proof or --json).")
    ],
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="The position it is about, or - for stdin.")
    ],
    budget: Annotated[
        int | None, typer.Option(metavar="STATES", help="Give up a count past this many states.")
    ] = None,
) -> int:
    """Check every claim of a file against a position, by counting over its premises only.

    The exit status is 0 if all are accepted, 1 if one is rejected, with the reason, 2 if the file
    is malformed or about another position, and 4 past the budget.
    """
    from mineproof.errors import InputError
    from mineproof.files import parse_file
    from mineproof.proofs.checker import check_proof, claimed
    from mineproof.proofs.documents import read_documents
    from mineproof.proofs.enumeration import MOST_STATES
    from mineproof.surfaces.cli.exits import FAILED
    from mineproof.surfaces.cli.waiting import Waiting
    from mineproof.view.view import View

    if proof == "-" and position == "-":
        raise InputError("standard input cannot be both; accepted: - for one of them")
    if budget is not None and budget < 1:
        raise InputError(f"--budget {budget}; accepted: 1 or more states")
    with Waiting("reading the position and the proof"):
        view = View.read(position)
        documents = parse_file(proof, lambda text: read_documents(text, view), _MOST_BYTES)
    status = 0
    for document in documents:
        with Waiting("counting over the premises"):
            found = check_proof(document, view, MOST_STATES if budget is None else budget)
        if found:
            echo(f"accepted: {found.reason}")
        else:
            echo(f"rejected: {claimed(document)}: {found.reason}")
            status = FAILED
    return status
