"""The command line."""

from mineproof.cli.main import main

__all__ = ["main"]
