"""Proofs, smallest premises, a checker that needs no engine, sentences and drawings."""

from mineproof.proofs.explainer import explain, explain_all, explain_clash
from mineproof.proofs.proof import NoProof, Proof

__all__ = ["NoProof", "Proof", "explain", "explain_all", "explain_clash"]
