"""An exception of an agent in one line: what it says, and where in the agent's code it arose."""

from __future__ import annotations

import traceback
from pathlib import Path

from mineproof.errors import one_line

__all__ = ["told"]

_PACKAGE = Path(__file__).parents[1]
_MOST_MESSAGE = 150


def told(error: BaseException) -> str:
    """An exception in one line: its type, its text and its place.

    The first frame outside this package is the agent's own code. The place is the last line that
    ran in a file of that folder, and not inside a library that the agent called.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if _PACKAGE not in Path(frame.filename).parents and "importlib" not in frame.filename
    ]
    own = [f for f in frames if Path(f.filename).parent == Path(frames[0].filename).parent]
    place = f" ({Path(own[-1].filename).name} line {own[-1].lineno})" if own else ""
    return one_line(f"{type(error).__name__}: {error}"[:_MOST_MESSAGE].removesuffix(": ")) + place
