"""A report as data, and the one self-contained page it becomes."""

from mineproof.lab.report.content import (
    Agreement,
    Block,
    Cell,
    Claims,
    Estimate,
    Figure,
    Page,
    ReportClaim,
    Section,
    Strip,
    Table,
    Text,
)
from mineproof.lab.report.page import render, write_page

__all__ = [
    "Agreement",
    "Block",
    "Cell",
    "Claims",
    "Estimate",
    "Figure",
    "Page",
    "ReportClaim",
    "Section",
    "Strip",
    "Table",
    "Text",
    "render",
    "write_page",
]
