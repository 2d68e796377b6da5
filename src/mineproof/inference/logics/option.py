"""The options of a logic, written in brackets as in `resolution[global=25]`.

Every logic lists its options beside itself; the parser, the catalog, error messages and the test of
the docs read that one list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from mineproof.errors import InputError, quoted

__all__ = ["GLOBAL", "Option", "Takes"]

_SHARE = re.compile(r"\d|\d?\.\d{1,20}|\d(\.\d{1,20})?e-\d{1,3}", re.ASCII)


class Takes(Enum):
    """What follows an option's name."""

    NOTHING = ""
    COUNT = "N"
    SHARE = "SHARE"
    WORD = "WORD"


@dataclass(frozen=True)
class Option:
    """An option: its name, what it does in a line, and what follows its name.

    It sets a keyword of the logic, the one of its own name unless another is given. A `WORD` is one
    of `words`.
    """

    name: str
    doc: str
    takes: Takes = Takes.NOTHING
    keyword: str = ""
    words: tuple[str, ...] = ()

    @property
    def sets(self) -> str:
        """The keyword that it sets."""
        return self.keyword or self.name.replace("-", "_")

    @property
    def form(self) -> str:
        """How it is written: `safe-only`, `global=N`, `order=safe-first|mines-first`."""
        value = "|".join(self.words) or self.takes.value
        return f"{self.name}={value}" if value else self.name

    def read(self, text: str | None) -> bool | int | float | str:
        """The value that a text after the name stands for; None is no text. Raises InputError."""
        name = self.name
        if self.takes is Takes.NOTHING:
            if text is not None:
                raise InputError(f"option {name} takes no value, not {quoted(text)}")
            return True
        if self.takes is Takes.WORD:
            if text not in self.words:
                accepted = ", ".join(self.words)
                raise InputError(f"{name} {quoted(text or '')} is unknown; accepted: {accepted}")
            return text
        if self.takes is Takes.SHARE:
            if text is None or not _SHARE.fullmatch(text) or float(text) > 1:
                raise InputError(
                    f"option {name} needs a share; accepted: 0 to 1, such as {name}=0.4 or 2e-7"
                )
            return float(text)
        if text is None or not (text.isascii() and text.isdigit() and len(text) <= 6):
            raise InputError(f"option {name} needs a number; accepted: such as {name}=25")
        return int(text)


GLOBAL = Option("global", "uses the mine total too", keyword="use_total")
"""The option that several logics share."""
