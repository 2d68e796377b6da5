"""`mineproof bench`: the signature, one number that stays as long as behaviour stays."""

from __future__ import annotations

import json

import click

from mineproof.cli.options import AsJson


def command(as_json: AsJson = False) -> None:
    """Play a fixed set of games and analyses and print the signature of the results.

    The number stays the same as long as behaviour does: the deals, the games, the chances to the
    last bit, the proofs and the best play at the end. CHANGELOG.md names every change of it. It
    takes a few seconds. Without the compiled core some parts are left out, and there is no
    signature.
    """
    from mineproof.lab.signature import sign, total

    signed = []
    for part in sign():
        signed.append(part)
        if not as_json:
            click.echo(f"{part.name:<28} {part.digits or 'needs the compiled core'}")
    number = total(signed)
    if as_json:
        parts = {part.name: part.digits for part in signed}
        click.echo(json.dumps({"signature": number, "parts": parts}))
    elif number is None:
        click.echo("signature: none without the compiled core")
    else:
        click.echo(f"signature: {number:08d}")
