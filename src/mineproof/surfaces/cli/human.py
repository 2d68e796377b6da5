"""`--agent human`: a player at the terminal. It belongs to this surface, not to the catalog."""

from __future__ import annotations

from collections.abc import Callable

from mineproof.agents.decision import Action, Decision, Unstated
from mineproof.board.deal import check_room
from mineproof.board.topology import parse_coordinates
from mineproof.errors import IllegalMove, InputError, quoted
from mineproof.match.narration import LEFT, told_text
from mineproof.surfaces.cli.shows import Show
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["HELP", "Human", "human_at"]

HELP = """\
o 3,4   open a cell (so does 3,4 alone)
f 3,4   flag a cell, or take its flag off
c 3,4   chord: open the neighbours of a clue that has all its flags
help    this list
quit    leave the game"""

_WHO = Unstated("human")


class Human:
    """Asks for a command until it names a legal move; the end of the input leaves the game."""

    def __init__(
        self, show: Callable[[View], None], ask: Callable[[], str], say: Callable[[str], None]
    ) -> None:
        self._show, self._ask, self._say = show, ask, say

    def act(self, view: View) -> Decision:
        self._show(view)
        while True:
            try:
                words = self._ask().split()
            except EOFError:
                words = ["quit"]
            if words in (["quit"], ["q"]):
                return Decision.stop(LEFT)
            if words in (["help"], ["h"], ["?"], []):
                self._say(HELP)
                continue
            try:
                return _decision(words, view)
            except (InputError, IllegalMove) as error:
                self._say(str(error))


def human_at(show: Show, ask: Callable[[str], str]) -> Human:
    """A human who sees the board as `show` draws it and is asked on the same console."""

    def look(view: View) -> None:
        show.print("")
        show.print(show.draw(view))
        show.print(told_text(view))

    return Human(look, lambda: ask("move (help lists them): "), show.print)


def _decision(words: list[str], view: View) -> Decision:
    if len(words) == 1 and words[0][:1].isdigit():
        words = ["o", *words]
    if len(words) != 2 or words[0] not in ("o", "f", "c"):
        raise InputError(f"{quoted(' '.join(words))} is not a command; `help` lists them")
    cell = view.topology.cell(parse_coordinates(words[1]))
    if words[0] == "o":
        return _open(cell, view)
    if words[0] == "c":
        return _chord(cell, view)
    if view.is_open(cell):
        raise IllegalMove(f"{words[1]} is open already")
    return Decision(Action.UNFLAG if view.is_flagged(cell) else Action.FLAG, cell, _WHO)


def _open(cell: int, view: View) -> Decision:
    name = view.topology.cell_name(cell)
    if view.is_open(cell):
        raise IllegalMove(f"{name} is open already")
    if view.is_flagged(cell):
        raise IllegalMove(f"{name} is flagged; `f {name}` takes the flag off")
    if not view.opened_count:
        check_room(view.topology, view.rules, (cell,))
    return Decision.open(cell, _WHO)


def _chord(cell: int, view: View) -> Decision:
    name = view.topology.cell_name(cell)
    clue = view.clue(cell)
    if clue is None:
        raise IllegalMove(f"{name} shows no number to chord on")
    near = view.topology.neighbours(cell)
    marked = sum(view.is_flagged(other) or view[other] is Mark.MINE for other in near)
    if marked != clue:
        raise IllegalMove(f"{name} shows {clue} and has {marked} flags around it")
    return Decision(Action.CHORD, cell, _WHO)
