"""Guessing policies: plain functions that choose where nothing is proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from mineproof.agents.decision import Guessed
from mineproof.registry import Catalog
from mineproof.rng import Stream
from mineproof.view.view import View

__all__ = ["POLICIES", "Policy", "random_cell"]


class Policy(Protocol):
    """Chooses one of the candidates: hidden cells that are not known to be mines."""

    def __call__(
        self, view: View, candidates: Sequence[int], rng: Stream
    ) -> tuple[int, Guessed]: ...


def random_cell(view: View, candidates: Sequence[int], rng: Stream) -> tuple[int, Guessed]:
    """Any candidate, each equally likely."""
    return rng.choice(candidates), Guessed("random", len(candidates))


POLICIES: Catalog[Policy] = Catalog("guessing policy")
POLICIES.add("random", random_cell)
