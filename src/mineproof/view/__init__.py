"""WHAT THE PLAYER SEES: views, clue channels, notations and status flags."""

from mineproof.view.marks import Mark, Shown
from mineproof.view.status import Status, status
from mineproof.view.view import View

__all__ = ["Mark", "Shown", "Status", "View", "status"]
