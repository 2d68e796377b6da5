"""Games: the referee, the loop, transcripts and outcomes."""

from mineproof.match.game import play
from mineproof.match.outcome import Outcome, Termination
from mineproof.match.referee import Referee
from mineproof.match.transcript import Transcript

__all__ = ["Outcome", "Referee", "Termination", "Transcript", "play"]
