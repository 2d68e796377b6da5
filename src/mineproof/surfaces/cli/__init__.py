"""The command line."""

from mineproof.surfaces.cli.main import main

__all__ = ["main"]
