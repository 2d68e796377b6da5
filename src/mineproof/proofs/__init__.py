"""Proofs as data, smallest premises, a checker that needs no engine, sentences and drawings.

A name is loaded from its home when it is first used, so that the checker loads no engine.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

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

_HOME = {
    "Conclusion": "steps",
    "NoProof": "proof",
    "Proof": "proof",
    "ProofStep": "steps",
    "explain": "explainer",
    "explain_all": "explainer",
    "explain_clash": "explainer",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
