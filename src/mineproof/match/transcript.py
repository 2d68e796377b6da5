"""The record of a game: every step with its reason, readable, and replayable to the same views.

Its text is in `transcript_text.py`, its JSON in `transcript_json.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mineproof.agents.decision import Decision
from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.board.topology import Topology
from mineproof.errors import NotationError, check_kind, printable
from mineproof.files import parse_file
from mineproof.match.outcome import Outcome
from mineproof.match.referee import Referee
from mineproof.rules import Rules
from mineproof.view.marks import Shown
from mineproof.view.setting import Setting
from mineproof.view.view import View

__all__ = ["Step", "Transcript"]


@dataclass(frozen=True)
class Step:
    """A decision and its result: what the cell shows, and how many cells were opened.

    `unsound` is set where the step was called proved and was not certain: the exact chance that
    what was called proved is false. It is None elsewhere, and where that was not judged.
    """

    decision: Decision
    shown: Shown
    opened: int
    unsound: float | None = None


@dataclass(frozen=True)
class Transcript:
    """One game. `layout` is set if the mines were not dealt from the seed.

    `proofs` are the proofs of steps by their number, as `mineproof.proofs.documents` writes them;
    each can be checked against the view before its step.

    >>> game = mp.play("4x4/2", seed=3)
    >>> mp.Transcript.parse(game.text) == game
    True
    >>> len(list(game.views())) == len(game.steps) + 1
    True
    """

    board: str
    topology: Topology
    rules: Rules
    agent: str
    seed: int
    index: int
    agent_seed: int
    steps: tuple[Step, ...]
    outcome: Outcome
    world: str | None = None
    layout: Layout | None = None
    proofs: Mapping[int, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        # Names are somebody's: in a text each has one line.
        for name in ("board", "agent", "world"):
            value = getattr(self, name)
            if isinstance(value, str):
                object.__setattr__(self, name, printable(value).strip())

    def __repr__(self) -> str:
        return (
            f"<game {self.index} of seed {self.seed}: {self.agent} on {self.board},"
            f" {len(self.steps)} steps, {self.outcome.text}>"
        )

    def with_unsound(self, unsound: Mapping[int, float]) -> Transcript:
        """The game with these steps, by their numbers, marked as unsound."""
        check_kind(unsound, Mapping, "unsound", "chances by step, such as {3: 0.5}")
        steps = (
            replace(step, unsound=unsound.get(number)) for number, step in enumerate(self.steps, 1)
        )
        return replace(self, steps=tuple(steps)) if unsound else self

    def referee(self) -> Referee:
        """A referee at the start of this very game."""
        board = Board(self.topology, self.rules.mines)
        setting = Setting(board, self.rules, layout=self.layout)
        return Referee(setting, self.seed, self.index)

    def views(self) -> Iterator[View]:
        """Replay: the view before every step, and at last the final one.

        Raises NotationError if a step cannot be made, or shows something else than is written.
        """
        referee = self.referee()
        yield referee.view
        for number, step in enumerate(self.steps, 1):
            before = referee.view
            try:
                referee.apply(step.decision)
            except Exception as error:
                raise NotationError(f"step {number} cannot be replayed: {error}") from None
            cell = step.decision.cell
            if cell is not None and (
                referee.view[cell] != step.shown
                or referee.view.opened_count - before.opened_count != step.opened
            ):
                raise NotationError(f"step {number} shows something else when replayed")
            yield referee.view

    # -- text and JSON -----------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> Transcript:
        """Read a game from its text. Raises NotationError with the line."""
        from mineproof.match import transcript_text

        return transcript_text.parse(text)

    @classmethod
    def read(cls, path: str | Path) -> Transcript:
        """The game of a file, or of standard input for `-`. Raises NotationError."""
        return parse_file(path, cls.parse)

    @property
    def text(self) -> str:
        """The game as text; `parse` reads it back to an equal value."""
        from mineproof.match import transcript_text

        return transcript_text.write(self)

    def step_text(self, number: int, step: Step) -> str:
        """One step on one line, with its reason."""
        from mineproof.match import transcript_text

        check_kind(step, Step, "step", "one of the steps of a game")
        return transcript_text.step_text(self.topology, number, step)

    def to_json(self) -> dict[str, Any]:
        """The object that `play --json` prints."""
        from mineproof.match import transcript_json

        return transcript_json.to_json(self)
