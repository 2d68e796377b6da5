"""Every limit of the coach's server; what exceeds one is refused with a clear line."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.inference.engine.budget import Budget

__all__ = ["CoachLimits"]

_BUDGET = Budget(states=4_000_000, memory=256 << 20)
_QUICK = Budget(states=20_000, memory=16 << 20)


@dataclass(frozen=True)
class CoachLimits:
    """The limits of one server."""

    body: int = 256 * 1024
    """Bytes of a request."""
    body_seconds: float = 20.0
    """Seconds in which the body of a request must have come."""
    request_seconds: float = 20.0
    """Seconds in which a new connection must come to its first request."""
    connections: int = 512
    """Connections at once."""
    connections_each: int = 128
    """Connections at once from one address."""
    text: int = 64 * 1024
    """Characters of one text in it."""
    cells: int = 10_000
    """Cells of a board."""
    games: int = 1_000
    """Games kept; beyond it the one that has been idle longest is dropped."""
    games_each: int = 200
    """Games kept of one address; beyond it its own that has been idle longest is dropped."""
    all_cells: int = 2_000_000
    """Cells of all games kept together."""
    idle: float = 2 * 3600.0
    """Seconds after which an idle game is dropped."""
    budget: Budget = _BUDGET
    """The work of one analysis."""
    quick_budget: Budget = _QUICK
    """The work of the analysis that comes with the answer to a move."""
    steps: int = 20_000
    """The search for the fewest premises of one explanation."""
    proof_seconds: float = 5.0
    """Seconds of one explanation, the search included."""
    win_seconds: float = 1.0
    """Seconds in which games are played out for the chance to win."""
    win_grace: float = 3.0
    """Seconds more before that is given up."""
    no_guess_cells: int = 1_000
    """Cells of a board that needs no guess."""
    no_guess_seconds: float = 10.0
    """Seconds in which such a board must be found."""
    certificate_seconds: float = 20.0
    """Seconds in which its certificate must be made."""
    review_seconds: float = 5.0
    """After this many seconds the rest of a review is left without chances."""
    watch_cells: int = 1_000
    """Cells of a board on which agents are watched."""
    watch_seconds: float = 20.0
    """Seconds for all games of agents that are watched together."""
    waiting: int = 128
    """Requests of one kind under way before more are refused as busy."""
    watchers: int = 2
    """Agents' games that are played at once."""
    provers: int = 2
    """Explanations that are looked for at once."""
    dealers: int = 2
    """Boards without guesses that are made at once where that takes long; more are refused."""

    def moves(self, cells: int) -> int:
        """Moves of one game, flags included."""
        return 2 * cells + 1_000
