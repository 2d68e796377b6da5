"""`mineproof compare`: the same games for every agent, with intervals."""

from __future__ import annotations

from mineproof.surfaces.cli.compare_options import CompareOptions
from mineproof.surfaces.cli.options import takes_groups

__all__ = ["command"]


@takes_groups
def command(options: CompareOptions) -> int:
    """Let agents play the same games and compare how many they win, with 95 % intervals.

    Agents from files run in processes of their own; one that fails loses its game, and the reason
    is reported. Games kept with --out survive a crash: the same command resumes. Without --out,
    Ctrl-C prints what was finished.
    """
    from mineproof.surfaces.cli.comparing import compare_and_show

    return compare_and_show(options)
