"""Proofs as data, smallest premises, a checker that needs no engine, sentences and drawings.

A name is loaded from its home when it is first used, so that the checker loads no engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.exports import exports

if TYPE_CHECKING:
    from mineproof.proofs.explainer import explain as explain
    from mineproof.proofs.explainer import explain_all as explain_all
    from mineproof.proofs.explainer import explain_clash as explain_clash
    from mineproof.proofs.proof import NoProof as NoProof
    from mineproof.proofs.proof import Proof as Proof
    from mineproof.proofs.steps import Conclusion as Conclusion
    from mineproof.proofs.steps import ProofStep as ProofStep

__all__ = [
    "Conclusion",
    "NoProof",
    "Proof",
    "ProofStep",
    "explain",
    "explain_all",
    "explain_clash",
]

_HOMES = {
    "mineproof.proofs.explainer": ("explain", "explain_all", "explain_clash"),
    "mineproof.proofs.proof": ("NoProof", "Proof"),
    "mineproof.proofs.steps": ("Conclusion", "ProofStep"),
}
__getattr__, __dir__ = exports(__name__, _HOMES)
