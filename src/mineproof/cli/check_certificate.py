"""`mineproof check-certificate`: whether a board needs no guess, checked without any engine."""

from __future__ import annotations

import json
from typing import Annotated

from mineproof.cli.console import StatusLine, echo
from mineproof.cli.declarations import Argument
from mineproof.cli.main import FAILED
from mineproof.cli.options import AsJson, StateBudget, check_budget


def command(
    certificate: Annotated[
        str, Argument(metavar="FILE", help="What generate --out wrote, or - for stdin.")
    ],
    budget: StateBudget = None,
    as_json: AsJson = False,
) -> int:
    """Check the certificates of a file: that every move is proved, and the moves clear the board.

    The layout is played move by move. A move's premises must be open, must force its cell to be
    safe, and must all be needed. The checker counts over the cells of the premises alone; neither
    the engine nor the compiled core takes part.

    The exit status is 0 if all are accepted, 1 if one is rejected, with the first move that fails,
    2 if the file is malformed or damaged, and 4 past the budget.
    """
    from mineproof.files import parse_file
    from mineproof.generation.certificate import MOST_BYTES, check_certificate, read_certificates
    from mineproof.proofs.enumeration import MOST_STATES

    states = check_budget(budget, MOST_STATES)
    with StatusLine("reading the certificate"):
        found = parse_file(certificate, read_certificates, MOST_BYTES)
    status, results = 0, []
    for one in found:
        with StatusLine("checking every move"):
            checked = check_certificate(one, states)
        results.append({"accepted": bool(checked), "reason": checked.reason})
        if not as_json:
            echo(f"{'accepted' if checked else 'rejected'}: {checked.reason}")
        if not checked:
            status = FAILED
    if as_json:
        echo(json.dumps({"certificates": results}))
    return status
