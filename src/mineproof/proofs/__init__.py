"""Proofs as data, smallest premises, a checker that needs no engine, sentences and drawings."""

from mineproof.proofs.explainer import explain, explain_all, explain_clash
from mineproof.proofs.proof import NoProof, Proof
from mineproof.proofs.steps import Conclusion, ProofStep

__all__ = [
    "Conclusion",
    "NoProof",
    "Proof",
    "ProofStep",
    "explain",
    "explain_all",
    "explain_clash",
]
