"""In which order a search tries cells and values: report 3's heuristics, alone or together.

| word | decides |
|---|---|
| `none` | the cell: the nearest to the current one |
| `mrv` | the cell: the one with the fewest values left |
| `degree` | the cell: the one that shares hints with the most unassigned cells |
| `lcv` | the value: the one that leaves the most values to the cells that share a hint |

`mrv,degree` asks `mrv` first and breaks ties by `degree`; remaining ties go to the nearest cell.
Without `lcv` a mine is tried first, as in the report.

Two more words stand alone, each for a search of its own: `report` is the search that the report's
text describes, `listing` is its program as printed.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.errors import InputError, UnknownName

__all__ = ["CELL_ORDERS", "ORDERS", "OWN_SEARCHES", "VALUE_ORDERS", "Order"]

CELL_ORDERS = ("mrv", "degree")
VALUE_ORDERS = ("lcv",)
OWN_SEARCHES = ("report", "listing")
_ALONE = ("none", *OWN_SEARCHES)


@dataclass(frozen=True)
class Order:
    """Which heuristics choose the cell, in order, and whether `lcv` orders the values.

    `own` names a search that has an order of its own; it is empty for all others.
    """

    cells: tuple[str, ...] = ()
    lcv: bool = False
    own: str = ""

    @classmethod
    def parse(cls, text: str) -> Order:
        """Words separated by commas. Raises UnknownName, or InputError for a repeated word."""
        words = [word.strip() for word in text.split(",")]
        known = (*_ALONE, *CELL_ORDERS, *VALUE_ORDERS)
        for word in words:
            if word not in known:
                raise UnknownName("order", word, known)
            if words.count(word) > 1:
                raise InputError(f"order {word} is given twice; accepted: each word once")
            if word in _ALONE and len(words) > 1:
                raise InputError(
                    f"order {word} stands alone; accepted: {word}, or such as mrv,degree,lcv"
                )
        own = words[0] if words[0] in OWN_SEARCHES else ""
        return cls(tuple(word for word in words if word in CELL_ORDERS), "lcv" in words, own)

    @property
    def text(self) -> str:
        return self.own or ",".join((*self.cells, *(("lcv",) if self.lcv else ()))) or "none"

    def __str__(self) -> str:
        return self.text


ORDERS = tuple(
    Order.parse(text)
    for text in (
        "none",
        "mrv",
        "degree",
        "lcv",
        "mrv,degree",
        "mrv,lcv",
        "degree,lcv",
        "mrv,degree,lcv",
    )
)
"""Every combination, as the table of nodes lists them; without the searches of their own."""
