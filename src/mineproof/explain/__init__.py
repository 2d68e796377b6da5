"""Positions and proofs made plain: drawings of a view."""
