"""Games: the referee, the loop, transcripts and outcomes."""

from mineproof.game.play import play
from mineproof.game.referee import Outcome, Referee, Termination
from mineproof.game.transcript import Transcript

__all__ = ["Outcome", "Referee", "Termination", "Transcript", "play"]
