"""The referee: the only holder of both the truth and the view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, Unpack

from mineproof.agents.agent import Action, Decision, Proved, Unstated
from mineproof.board.layout import (
    Layout,
    check_room,
    deal,
    given_cells,
    mine_free_cells,
    mine_free_given_cells,
)
from mineproof.board.topology import Place
from mineproof.errors import BoardError, IllegalMove, InputError, RulesError, as_given
from mineproof.rng import Purpose, Stream, check_seed
from mineproof.rules import FirstClick, Goal, GuessRule, OnMine, RuleWords
from mineproof.view.channels import EXACT, Mark, channel, draw_shown, proves_zero
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting
from mineproof.view.view import View, code_bytes, reveal_codes

if TYPE_CHECKING:
    from mineproof.game.fairness import SettledGuess

# -- How a game ended, and why -------------------------------------------------


class Termination(Enum):
    """Why a game is over."""

    CLEARED = "cleared"
    """Every safe cell is open."""
    MARKED = "marked"
    """Every cell is open or flagged, all of them correctly."""
    FINISHED = "finished"
    """Every cell is open or flagged, not all of them correctly."""
    EXPLODED = "exploded"
    """A mine was opened."""
    STUCK = "stuck"
    """The player stopped."""
    FAILED = "failed"
    """The player raised, hung or made an illegal move; `note` says what."""
    UNFINISHED = "unfinished"
    """The game was left before its end."""


@dataclass(frozen=True)
class Outcome:
    """The end of a game: won or not, why, and its measures.

    `score` is report 0's: the share of mines that were flagged with a proof (1 if there are none).
    `finer` is report 2's: mines divided by covered cells, where an opened mine counts as covered; 1
    is a win. `marked_share` is report 4's: the share of cells that are open or flagged.

    >>> end = mp.play("beginner", "random", seed=1).outcome
    >>> end.won, end.termination.value
    (False, 'exploded')
    """

    won: bool
    termination: Termination
    score: float
    finer: float
    marked_share: float
    note: str = ""

    @property
    def text(self) -> str:
        return f"{'won' if self.won else 'lost'} ({self.termination.value})"


# -- The referee ---------------------------------------------------------------

Dealing: TypeAlias = Callable[[int], Layout]
"""Lays the mines for a first cell. Raises BoardError where it cannot."""

_MINE = Mark.MINE.value
_BLANK = Mark.BLANK.value
_HIDDEN = Mark.HIDDEN.value


class Referee:
    """One game: deals the mines, opens cells, keeps the score and knows when it is over.

    The mines are dealt at the first click, so that its rule can be applied. Cells given at the
    start count as the first click. Under `any` the deal depends neither on the first cell nor on
    given cells that are named one by one.

    >>> referee = mp.Referee("9x9/10", seed=1)
    >>> referee.open((4, 4))[4, 4]
    1
    """

    def __init__(
        self,
        board: AnyBoard = DEFAULT_BOARD,
        seed: int = 0,
        index: int = 0,
        *,
        dealing: Dealing | None = None,
        rules: AnyRules | None = None,
        **words: Unpack[RuleWords],
    ) -> None:
        """A new game; board and rules are as `Setting.of` takes them. Raises InputError.

        `dealing` lays the mines at the first click, by its rule, where seed and index are not to
        decide alone.
        """
        self.setting = Setting.of(board, rules, **words)
        topology, layout = self.setting.board.topology, self.setting.layout
        self.rules = chosen = self.setting.rules
        self.seed, self.index = check_seed(seed), check_seed(index, "index")
        self._topology = topology
        self._dealing = dealing
        self._layout = layout
        self._channel = channel(chosen.clues)
        self._words = Stream(seed, index, Purpose.CLUES).next()
        self._safe_left = 0
        self._proved_flags: set[int] = set()
        self._opened_mines = 0
        self._stopped: tuple[Termination, str] | None = None
        self.guess: SettledGuess | None = None
        """What the last opening was, if it was a guess and a rule settled it."""
        if layout is not None and chosen.guesses is not GuessRule.DEALT:
            raise RulesError(
                f"guesses={chosen.guesses.value} moves mines, and these are set; accepted:"
                " guesses=dealt, or a board such as 9x9/10"
            )
        if layout is None:
            check_room(topology, chosen)
        given = given_cells(topology, chosen.given)
        at_once = given or chosen.given.drawn(len(topology)) or chosen.first_click is FirstClick.ANY
        free: tuple[int, ...] = ()
        if layout is None and at_once:
            free = mine_free_given_cells(topology, chosen)
            self._deal(free)
        elif layout is not None:
            self._safe_left = len(topology) - layout.total
        self.view = View(topology, self.setting.told(self._layout, len(free)))
        self._tell_free(free)
        self._open_given(given)

    def __repr__(self) -> str:
        opened, cells = self.view.opened_count, len(self.view)
        end = self.outcome.text if self.over else "unfinished"
        return (
            f"<game {self.index} of seed {self.seed} on {self.setting.name}: {opened} of {cells}"
            f" cells open, {end}>"
        )

    # -- the start ---------------------------------------------------------------------------

    def _deal(self, free: tuple[int, ...]) -> None:
        self._lay(deal(self._topology, self.rules.mines, self.seed, self.index, free))

    def _lay(self, layout: Layout) -> None:
        self._layout = layout
        self._safe_left = len(self._topology) - layout.total

    def _tell_free(self, free: tuple[int, ...]) -> None:
        """Tell the player which cells the deal kept free, where the first clue may not say so."""
        if self._channel is not EXACT:
            self.view = self.view.with_free(free)

    def _open_given(self, places: tuple[int, ...]) -> None:
        drawn = self.rules.given.drawn(len(self._topology))
        if drawn and self._layout is not None:
            safe = [c for c in self._topology.cells if not self._layout.is_mine(c)]
            Stream(self.seed, self.index, Purpose.GIVEN).shuffle(safe)
            places = tuple(safe[:drawn])
        self.given = places
        for cell in places:
            if self.view.is_hidden(cell) and not self.over:
                self._open(cell)

    # -- moves -------------------------------------------------------------------------------

    def apply(self, decision: Decision) -> None:
        """Carry out a player's decision. Raises IllegalMove."""
        if not isinstance(decision, Decision):
            raise IllegalMove(
                f"{as_given(decision)} is no move; accepted: such as Decision.open((0, 1))"
            )
        cell = decision.cell
        if decision.action is Action.STOP or cell is None:
            note = decision.reason.note if isinstance(decision.reason, Unstated) else ""
            self.stop(Termination.STUCK, note)
        elif decision.action is Action.OPEN:
            self.open(cell)
        elif decision.action is Action.FLAG:
            self.flag(cell, proved=isinstance(decision.reason, Proved))
        elif decision.action is Action.UNFLAG:
            self.unflag(cell)
        else:
            self.chord(cell)

    def open(self, cell: Place) -> View:
        """Open a hidden cell. Raises IllegalMove."""
        cell = self._number(cell)
        if self.view.is_open(cell):
            raise IllegalMove(f"cell {self._name(cell)} is open already")
        if self.view.is_flagged(cell):
            raise IllegalMove(f"cell {self._name(cell)} is flagged; take the flag off first")
        if self._layout is None:
            try:
                check_room(self._topology, self.rules, (cell,))
            except BoardError as error:
                raise IllegalMove(f"cell {self._name(cell)} cannot be first: {error}") from None
            free = mine_free_cells(self._topology, self.rules.first_click, (cell,))
            if self._dealing is None:
                self._deal(free)
            else:
                self._lay(self._dealing(cell))
            if self.view.rules != (told := self.setting.told(self._layout, len(free))):
                self.view = self.view.with_rules(told)
            self._tell_free(free)
        self._settle(cell)
        self._open(cell)
        return self.view

    def flag(self, cell: Place, *, proved: bool = False) -> View:
        """Flag a hidden cell; only flags that came with a proof count for the score."""
        cell = self._number(cell)
        if self.view.is_open(cell) or self.view.is_flagged(cell):
            raise IllegalMove(f"cell {self._name(cell)} cannot be flagged: it is open or flagged")
        self.view = self.view.toggle_flag(cell)
        if proved:
            self._proved_flags.add(cell)
        return self.view

    def unflag(self, cell: Place) -> View:
        """Take a flag off again."""
        cell = self._number(cell)
        if not self.view.is_flagged(cell):
            raise IllegalMove(f"cell {self._name(cell)} has no flag")
        self.view = self.view.toggle_flag(cell)
        self._proved_flags.discard(cell)
        return self.view

    def chord(self, cell: Place) -> View:
        """Open every unflagged neighbour of a clue that has as many flags around it."""
        cell = self._number(cell)
        clue = self.view.clue(cell)
        if clue is None:
            raise IllegalMove(f"cell {self._name(cell)} shows no clue to chord on")
        near = self._topology.neighbours(cell)
        marked = sum(self.view.is_flagged(c) or self.view.code(c) == _MINE for c in near)
        if marked != clue:
            raise IllegalMove(
                f"cell {self._name(cell)} shows {clue} with {marked} flags around it; a chord"
                " needs as many flags as the clue"
            )
        for other in near:
            if self.view.is_hidden(other) and not self.view.is_flagged(other) and not self.over:
                self._settle(other)
                self._open(other)
        return self.view

    def stop(self, termination: Termination = Termination.STUCK, note: str = "") -> None:
        """End the game here: the player stopped, or failed."""
        if not self.over:
            self._stopped = (termination, note)

    def _number(self, cell: Place) -> int:
        """The number of the cell that a move names. Raises IllegalMove."""
        if self.over:
            raise IllegalMove("the game is over")
        if type(cell) is int and 0 <= cell < len(self._topology):
            return cell
        try:
            return self._topology.cell(cell)
        except InputError as error:
            raise IllegalMove(str(error)) from None

    def _name(self, cell: int) -> str:
        return self._topology.cell_name(cell)

    def _settle(self, cell: int) -> None:
        """Move mines where the rule for guesses decides whether this one opens a mine."""
        if self.rules.guesses is GuessRule.DEALT:
            return
        from mineproof.game.fairness import settle_guess  # few games need the engine here

        guesses = Stream(self.seed, self.index, Purpose.GUESS).next()
        seed = Stream(guesses, cell, Purpose.GUESS).next()
        self.guess = settle_guess(self.view, cell, self.rules.guesses, self._truth, seed)
        if self.guess is not None:
            self._lay(self.guess.layout)
            self._safe_left -= self.view.opened_count - self._opened_mines

    def _open(self, cell: int) -> None:
        """Open a cell and, by the cascade, what a proved zero opens around it."""
        layout = self._truth
        if layout.is_mine(cell):
            self._opened_mines += 1
            self.view = reveal_codes(self.view, [(cell, _MINE)])
            return
        counts = layout.counts
        neighbours = self._topology.neighbours
        codes, flags = code_bytes(self.view), self.view.flag_count
        shown: dict[int, int] = {}
        waiting = [cell]
        seen = {cell}
        while waiting:
            here = waiting.pop()
            near = neighbours(here)
            code = int(counts[here])
            if self._channel is not EXACT:
                code = self._word(here, code, len(near))
            shown[here] = code
            if code or not self.rules.cascade:
                continue
            if self._channel is not EXACT and not proves_zero(self._channel, len(near)):
                continue
            for other in near:
                if (
                    other not in seen
                    and codes[other] == _HIDDEN
                    and not (flags and self.view.is_flagged(other))
                ):
                    seen.add(other)
                    waiting.append(other)
        self._safe_left -= len(shown)
        self.view = reveal_codes(self.view, shown.items())

    def _word(self, cell: int, true: int, neighbours: int) -> int:
        """What an uncertain clue shows: a function of (seed, index, cell) alone."""
        stream = Stream(self._words, cell, Purpose.CLUES)
        word = draw_shown(self._channel, true, neighbours, stream)
        return _BLANK if word is None else word

    # -- the end -----------------------------------------------------------------------------

    @property
    def _truth(self) -> Layout:
        if self._layout is None:
            raise AssertionError("the mines are dealt at the first click")
        return self._layout

    @property
    def layout(self) -> Layout | None:
        """The mines, once the game is over; None before."""
        return self._layout if self.over else None

    @property
    def dealt(self) -> bool:
        """Whether the mines are dealt; before, they wait for the first click."""
        return self._layout is not None

    @property
    def over(self) -> bool:
        return self._termination() is not None

    def _termination(self) -> Termination | None:
        if self._stopped is not None:
            return self._stopped[0]
        if self._opened_mines and self.rules.on_mine is OnMine.LOSE:
            return Termination.EXPLODED
        if self._layout is None:
            return None
        everything = self.view.opened_count + self.view.flag_count == len(self._topology)
        if self.rules.goal is Goal.MARK_ALL or self.rules.on_mine is OnMine.CONTINUE:
            if not everything:
                return None
            right = not self._safe_left and not self._opened_mines
            return Termination.MARKED if right else Termination.FINISHED
        return None if self._safe_left else Termination.CLEARED

    @property
    def outcome(self) -> Outcome:
        """The state of the game: its end, or UNFINISHED."""
        termination = self._termination() or Termination.UNFINISHED
        cells = len(self._topology)
        view = self.view
        marked = (view.opened_count + view.flag_count) / cells
        note = self._stopped[1] if self._stopped else ""
        won = termination in (Termination.CLEARED, Termination.MARKED)
        if self._layout is None:
            return Outcome(won, termination, 0.0, 0.0, marked, note)
        mines = self._layout.total
        found = sum(self._layout.is_mine(cell) for cell in self._proved_flags)
        covered = self._safe_left + mines
        return Outcome(
            won,
            termination,
            found / mines if mines else 1.0,
            mines / covered if covered else 1.0,
            marked,
            note,
        )
