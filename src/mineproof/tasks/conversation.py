"""A game as a conversation: each reply opens cells, and gets the new board or the reason why not.

The score is the share of moves that took a certainly safe cell, among those that could, times one
minus the winning chance given away; 0 for a game that was not played to its end. Neither depends on
luck or on the number of cells opened. A reply that cannot be read, an illegal move and silence cost
no chance, but the third of them ends the game.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from mineproof.advice.adviser import advise
from mineproof.advice.game_review import Effort, judge
from mineproof.agents.agent import Decision
from mineproof.engine.exact import analyze
from mineproof.errors import InputError
from mineproof.game.transcript import Step, Transcript
from mineproof.tasks.kinds import GameQuestion
from mineproof.tasks.renderings import RENDERINGS
from mineproof.tasks.replies import BadReply, Grade, Verdict, answer_of, cells_of
from mineproof.view.view import View

PATIENCE = 3
"""So many replies without a legal move end the game."""
_FORM = 'Reply with one JSON object: {"open": ["ROW,COLUMN", ...]}'


class Conversation:
    """A game that is being played. It alone holds the mines, and says nothing of them.

    It cannot be pickled or copied.
    """

    __slots__ = ("_bad", "_game", "_ready", "_samples", "_steps", "question", "rendering")

    def __init__(self, question: GameQuestion, rendering: str = "rows", samples: int = 100) -> None:
        """`samples` games are played out for a move whose worth is not known exactly."""
        self.question, self.rendering = question, rendering
        RENDERINGS[rendering]
        self._game = question.deal.begin()
        self._steps: list[tuple[View, Step]] = []
        self._bad: Counter[Verdict] = Counter()
        self._samples = samples
        self._ready: Grade | None = None

    def __repr__(self) -> str:
        return f"<a game of {self.moves} moves{', over' if self.over else ''}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise InputError("a game under way holds its mines; accepted: its task and the replies")

    @property
    def view(self) -> View:
        """What the player sees."""
        return self._game.view

    @property
    def moves(self) -> int:
        return len(self._steps)

    @property
    def over(self) -> bool:
        return self._game.over or self._bad.total() >= PATIENCE

    @property
    def won(self) -> bool:
        return self._game.outcome.won

    def send(self, reply: str | None) -> str:
        """Take a reply and return the next message. Moves before an illegal one are made."""
        if self.over:
            return "The game is over."
        try:
            # Cells are read against what was shown: a cascade may open one that is named later.
            cells = cells_of(answer_of(reply, ("open",)), "open", self.view)
            if not cells:
                raise BadReply(Verdict.UNREADABLE, "no cell to open")
        except BadReply as bad:
            self._bad[bad.verdict] += 1
            if self._bad.total() >= PATIENCE:
                return "The game ends here."
            return f"No move was made: {bad.note}. {_FORM}"
        for cell in cells:
            if self.view.is_hidden(cell) and not self._game.over:
                self._open(cell)
        if self._game.over:
            return "You have won." if self.won else "You opened a mine. The game is over."
        return f"{RENDERINGS[self.rendering](self.view)}\n\n{_FORM}"

    def _open(self, cell: int) -> None:
        before = self.view
        self._game.open(cell)
        opened = self.view.opened_count - before.opened_count
        step = Step(Decision.open(cell), self.view[cell], opened)
        self._steps.append((before, step))

    def grade(self) -> Grade:
        """The grade of the game so far: full marks need its end."""
        if self._ready is None or not self.over:
            self._ready = self._judge()
        return self._ready

    def _judge(self) -> Grade:
        effort = Effort(samples=self._samples)
        taken = chances = risky = 0
        regret = 0.0
        for view, step in self._steps:
            safe = analyze(view).safe
            own = step.decision.cell in safe
            chances += bool(safe)
            taken += own
            risky += bool(safe) and not own
            if not own:
                regret += judge(view, step.decision, effort).lost or 0.0
        share = taken / chances if chances else 0.0
        score = share * max(0.0, 1 - regret) if self._game.over else 0.0
        metrics = {
            "regret": regret,
            "certain_share": share,
            "risky_moves": float(risky),
            "won": float(self.won),
            "moves": float(self.moves),
            **{one.value: float(self._bad[one]) for one in Verdict if one is not Verdict.ANSWER},
        }
        worst = max(self._bad, key=self._bad.__getitem__, default=Verdict.ANSWER)
        ended = Verdict.ANSWER if self._game.over or not self._bad else worst
        return Grade(score, ended, metrics)

    # -- for records and for the solution ------------------------------------------------------

    def transcript(self, player: str) -> Transcript | None:
        """The record that `mineproof review` reads, once the game is over; it names the deal."""
        if not self.over:
            return None
        game, centre = self._game, self._game.setting.board.topology.centre
        first = Step(
            Decision.open(centre), self.question.view[centre], self.question.view.opened_count
        )
        return Transcript(
            board=game.setting.name,
            topology=game.setting.board.topology,
            rules=game.setting.rules,
            agent=player,
            seed=game.seed,
            index=game.index,
            agent_seed=game.seed,
            steps=(first, *(step for _, step in self._steps)),
            outcome=game.outcome,
        )

    def best_line(self) -> str:
        """Play on with the best moves, and return them as one reply."""
        cells: list[int] = []
        while not self.over:
            advice = advise(self.view)
            assert advice is not None
            cells.append(advice.cell)
            self._open(advice.cell)
        name = self.view.topology.cell_name
        return json.dumps({"open": [name(cell) for cell in cells]})


def tool_schema() -> dict[str, Any]:
    """The one tool of a game, as chat endpoints describe tools; its arguments are a reply."""
    cells = {"type": "array", "items": {"type": "string", "description": "ROW,COLUMN"}}
    parameters = {"type": "object", "properties": {"open": cells}, "required": ["open"]}
    about = "Open hidden cells, one after the other."
    function = {"name": "open_cells", "description": about, "parameters": parameters}
    return {"type": "function", "function": function}
