"""WHAT THE PLAYER SEES: views, clue channels, notations and status flags."""

from mineproof.view.channels import Mark, Shown
from mineproof.view.view import Status, View, status

__all__ = ["Mark", "Shown", "Status", "View", "status"]
