"""Minesweeper, proved: exact, explainable and fast inference, agents and a laboratory."""

__version__ = "0.1.0"
