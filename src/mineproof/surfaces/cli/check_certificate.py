"""`mineproof check-certificate`: whether a board needs no guess, checked without any engine."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from mineproof.surfaces.cli.lines import echo
from mineproof.surfaces.cli.options import AsJson

__all__ = ["command"]


def command(
    certificate: Annotated[
        str, typer.Argument(metavar="FILE", help="What generate --out wrote, or - for stdin.")
    ],
    budget: Annotated[
        int | None, typer.Option(metavar="STATES", help="Give up a count past this many states.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check the certificates of a file: that every move is proved, and the moves clear the board.

    The layout is played move by move. A move's premises must be open, must force its cell to be
    safe, and must all be needed. The checker counts over the cells of the premises alone; neither
    the engine nor the compiled core takes part.

    The exit status is 0 if all are accepted, 1 if one is rejected, with the first move that fails,
    2 if the file is malformed or damaged, and 4 past the budget.
    """
    from mineproof.errors import InputError
    from mineproof.files import parse_file
    from mineproof.generation.certificate_check import check_certificate
    from mineproof.generation.certificate_file import MOST_BYTES, read_certificates
    from mineproof.proofs.enumeration import MOST_STATES
    from mineproof.surfaces.cli.exits import FAILED
    from mineproof.surfaces.cli.waiting import Waiting

    if budget is not None and budget < 1:
        raise InputError(f"--budget {budget}; accepted: 1 or more states")
    with Waiting("reading the certificate"):
        found = parse_file(certificate, read_certificates, MOST_BYTES)
    status, told = 0, []
    for one in found:
        with Waiting("checking every move"):
            checked = check_certificate(one, MOST_STATES if budget is None else budget)
        told.append({"accepted": bool(checked), "reason": checked.reason})
        if not as_json:
            echo(f"{'accepted' if checked else 'rejected'}: {checked.reason}")
        if not checked:
            status = FAILED
    if as_json:
        echo(json.dumps({"certificates": told}))
    return status
