"""The rules of the five reports by name: `report0` to `report4`.

A name stands for the words that its report says or implies; every other rule is the usual one.
`mineproof reproduce` starts from these, and `--rules report0` sets them on the command line. Words
beside a name replace its own: `report0 total=known`.

>>> Rules.parse("report0").text == Rules.parse(REPORT_RULES["report0"]).text
True
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["REPORT_RULES"]

REPORT_RULES: Mapping[str, str] = {
    # A mine is opened and the game goes on, one cell at a step. Only the agent with global
    # information is told the total.
    "report0": "first-click=any on-mine=continue total=unknown cascade=off",
    # The first cell is 0,0. The report says no word about keeping it free of mines.
    "report1": "first-click=any given=0,0",
    "report2": "first-click=any given=corner+centre",
    # It plays no game: mines are set, their number is told, and nothing is promised of any cell.
    "report3": "first-click=any",
    # Medium and Hard differ in f; 1/2 is the one that both of its tables have.
    "report4": "first-click=any given=f=1/2 goal=mark-all",
}
"""The words of each report's rules."""
