"""Every table and figure of the five reports again, beside what was published."""

from mineproof.reports.listing import REPRODUCTIONS, reproduce
from mineproof.reports.workshop import FULL, QUICK, Scale, Workshop

__all__ = ["FULL", "QUICK", "REPRODUCTIONS", "Scale", "Workshop", "reproduce"]
