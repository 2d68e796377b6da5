"""What the server answers when it does not do what was asked: a status, a code and one line.

| code | status | when |
|---|---|---|
| `malformed` | 400 | the request, a board or a position cannot be read |
| `forbidden` | 403 | the Host or Origin is not this server's |
| `not-found` | 404 | there is no such address or game |
| `not-allowed` | 405 | the address is there, for another method |
| `too-slow` | 408 | the body of the request did not come in time |
| `contradiction` | 409 | no layout explains the position; `clash` has the cells |
| `illegal` | 409 | a move that the referee refuses |
| `gone` | 410 | the game was let go: idle for too long, or to make room |
| `too-large` | 413 | more bytes than a request may have |
| `not-json` | 415 | a body that does not call itself JSON |
| `too-wide` | 422 | more work than the budget allows; nothing is approximated |
| `failed` | 500 | a fault of the server; its terminal says more |
| `busy` | 503 | too many requests at once |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mineproof.errors import (
    AgentFailure,
    BudgetExceeded,
    IllegalMove,
    InconsistentPosition,
    MineproofError,
    one_line,
)

__all__ = ["STATUSES", "Refused", "fault_of"]

STATUSES = {
    "malformed": 400,
    "forbidden": 403,
    "not-found": 404,
    "not-allowed": 405,
    "too-slow": 408,
    "contradiction": 409,
    "illegal": 409,
    "gone": 410,
    "too-large": 413,
    "not-json": 415,
    "too-wide": 422,
    "failed": 500,
    "busy": 503,
}

_LONGEST = 1_000
TOO_WIDE = "too wide to count in the budget"


class Refused(MineproofError):
    """A request that is not carried out, by its code of the table above."""

    def __init__(
        self, code: str, message: str, *, cell: int | None = None, clash: Sequence[int] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.cell = cell
        self.clash = tuple(clash)

    @property
    def status(self) -> int:
        return STATUSES[self.code]

    def to_json(self) -> dict[str, Any]:
        """The body of the answer."""
        error: dict[str, Any] = {"code": self.code, "message": one_line(self, _LONGEST)}
        if self.cell is not None:
            error["cell"] = self.cell
        if self.code == "contradiction":
            error["clash"] = list(self.clash)
        return {"error": error}


def fault_of(error: MineproofError) -> Refused:
    """The refusal that an error of mineproof stands for."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, InconsistentPosition):
        return Refused("contradiction", str(error), clash=error.clues)
    if isinstance(error, BudgetExceeded):
        return Refused("too-wide", f"{TOO_WIDE}: {error}")
    if isinstance(error, IllegalMove):
        return Refused("illegal", str(error))
    if isinstance(error, AgentFailure):
        return Refused("failed", str(error))
    return Refused("malformed", str(error))
