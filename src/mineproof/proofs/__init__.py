"""Proofs as data, smallest premises, a checker that needs no engine, sentences and drawings.

A name is loaded from its home when it is first used, so that the checker loads no engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.registry import lazy_exports

if TYPE_CHECKING:
    from mineproof.proofs.explanation import explain as explain
    from mineproof.proofs.explanation import explain_all as explain_all
    from mineproof.proofs.explanation import explain_clash as explain_clash
    from mineproof.proofs.proof import Conclusion as Conclusion
    from mineproof.proofs.proof import NoProof as NoProof
    from mineproof.proofs.proof import Proof as Proof
    from mineproof.proofs.proof import ProofStep as ProofStep

_HOMES = {
    "mineproof.proofs.explanation": ("explain", "explain_all", "explain_clash"),
    "mineproof.proofs.proof": ("Conclusion", "NoProof", "Proof", "ProofStep"),
}

__getattr__, __dir__, __all__ = lazy_exports(__name__, _HOMES)
