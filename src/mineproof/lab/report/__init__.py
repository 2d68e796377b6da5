"""A report as data, and the one self-contained page it becomes."""

from mineproof.lab.report.content import (
    Block,
    Cell,
    Claim,
    Claims,
    Estimate,
    Figure,
    Outcome,
    Page,
    Section,
    Strip,
    Table,
    Text,
)
from mineproof.lab.report.page import render, write_page

__all__ = [
    "Block",
    "Cell",
    "Claim",
    "Claims",
    "Estimate",
    "Figure",
    "Outcome",
    "Page",
    "Section",
    "Strip",
    "Table",
    "Text",
    "render",
    "write_page",
]
