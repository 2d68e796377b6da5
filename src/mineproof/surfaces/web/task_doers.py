"""Who does what may take long: something that can be ended at its time limit, whatever it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from mineproof.surfaces.web.faults import TOO_WIDE, Refused

__all__ = ["TaskDoers", "answer_of"]


class TaskDoers(Protocol):
    """Processes beside a server, or a second worker of a page that has none."""

    def ask(self, task: str, asked: dict[str, Any], seconds: float, otherwise: str) -> Any:
        """What the task answers. Raises Refused: its own, or `otherwise` and the time it had."""

    def warm_up(self) -> None:
        """Have one ready."""

    def close(self) -> None:
        """End them all."""


def answer_of(told: Mapping[str, Any] | None, seconds: float, otherwise: str) -> Any:
    """What a task answered; None stands for one that was ended. Raises Refused."""
    if told is None:
        raise Refused("too-wide", f"{TOO_WIDE}: {otherwise} within {seconds:g} seconds")
    if "error" in told:
        error = told["error"]
        raise Refused(error["code"], error["message"], clash=error.get("clash", ()))
    return told["answer"]
