"""Proofs as notebooks show them: a picture, and the sentences.

A proof keeps no position, only a digest of it. It needs none: the picture shows the clues that it
rests on, the cells that it speaks of, and leaves all others blank.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape

from mineproof.board.topology import Topology
from mineproof.proofs.pictures import draw_no_proof, draw_proof
from mineproof.proofs.proof import NoProof, Proof
from mineproof.view.drawing import MAX_NOTEBOOK
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["no_proof_html", "proof_html"]


def proof_html(proof: Proof) -> str:
    """The picture of a proof above its sentences."""
    told = "" if proof.told is None else f"<p>It uses the total: {escape(proof.told)}.</p>"
    said = f"<p><b>{escape(str(proof.technique))}</b></p>{told}{_paragraphs(str(proof))}"
    if len(proof.topology) > MAX_NOTEBOOK:
        return f"<div>{said}</div>"
    shown = {one.cell: Mark.BLANK if one.shown is None else one.shown for one in proof.premises}
    view = _blank(proof.topology).reveal(shown)
    return f"<div>{_picture(draw_proof(view, proof, apart=True), proof.text)}{said}</div>"


def no_proof_html(found: NoProof) -> str:
    """The picture of the solutions above what they show."""
    said = _paragraphs(found.text)
    if len(found.topology) > MAX_NOTEBOOK:
        return f"<div>{said}</div>"
    drawn = draw_no_proof(_blank(found.topology), found)
    return f"<div>{_picture(drawn, found.text)}{said}</div>"


def _blank(topology: Topology) -> View:
    """A board of which nothing is known; its number of mines plays no part in a picture."""
    return View(topology, "mines=0")


def _picture(svg: str, words: str) -> str:
    """As an image of its own: the styles of several pictures on one page do not mix."""
    data = b64encode(svg.encode()).decode()
    return (
        f'<img alt="{escape(words)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'
    )


def _paragraphs(text: str) -> str:
    return "".join(
        f'<p style="white-space:pre-wrap">{escape(line)}</p>' for line in text.split("\n")
    )
