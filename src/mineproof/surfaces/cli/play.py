"""`mineproof play`: one game, step by step, with reasons and knowledge."""

from __future__ import annotations

from mineproof.surfaces.cli.options import takes_groups
from mineproof.surfaces.cli.play_options import PlayOptions

__all__ = ["command"]


@takes_groups
def command(options: PlayOptions) -> int:
    """Play one game and show every step with its reason.

    The same seed deals the same mines, whatever the agent. The exit status is 0 whether the game is
    won or lost, and 1 if the agent fails.
    """
    from mineproof.surfaces.cli.playing import play_and_show

    return play_and_show(options)
