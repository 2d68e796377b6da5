"""Every table and figure of the five reports again, beside what was published."""

from mineproof.lab.reproductions.catalog import REPRODUCTIONS, reproduce
from mineproof.lab.reproductions.workshop import FULL, QUICK, Scale, Workshop

__all__ = ["FULL", "QUICK", "REPRODUCTIONS", "Scale", "Workshop", "reproduce"]
