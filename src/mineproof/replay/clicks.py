"""The clicks of a recorded game: what the mouse did, and what that did to the board.

A press and a release of the left button open a cell, where the button comes up; a press of the
right button sets or takes a flag; a release with both buttons down, or of the middle one, is a
chord. Players count clicks by rules with corners, which ms_toollib wrote down in code: a right
button that found nothing to flag and became half of a chord is no click of its own; of the presses
before the first cell only flags that stay count.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from mineproof.agents.agent import Action, Decision, Unstated
from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.game.referee import Outcome, Referee, Termination
from mineproof.game.transcript import Step, Transcript
from mineproof.graphs import components
from mineproof.replay.record import Mouse, MouseEvent, Replay
from mineproof.rules import Mines, Rules
from mineproof.view.setting import Setting


class Effect(Enum):
    """What a click did."""

    NONE = "none"
    """Nothing: it counts as a lost click."""
    OPENED = "opened"
    CHORDED = "chorded"
    FLAGGED = "flagged"
    UNFLAGGED = "unflagged"
    EXPLODED = "exploded"


@dataclass(frozen=True)
class Click:
    """One click: the number of its event, its time in milliseconds, and what it did.

    `cell` is None off the board.
    """

    event: int
    time: int
    action: Action
    cell: int | None
    effect: Effect


@dataclass(frozen=True)
class ClickRecord:
    """The clicks of a game, and the sums that its statistics are made of.

    `solved` is the part of the 3BV that was opened; `start` is when the first cell was, in
    milliseconds; `path` is the way of the mouse from there in pixels of a board of 16-pixel cells.
    """

    clicks: tuple[Click, ...]
    left: int
    right: int
    double: int
    effective: int
    solved: int
    path: float
    start: int
    replay: Replay

    @cached_property
    def moves(self) -> tuple[Click, ...]:
        """The clicks that changed the board."""
        return tuple(click for click in self.clicks if click.effect is not Effect.NONE)

    @cached_property
    def outcome(self) -> Outcome:
        return self.transcript.outcome

    @cached_property
    def transcript(self) -> Transcript:
        """The moves as a game of mineproof's own, its mines given."""
        replay = self.replay
        topology, layout = replay.layout.topology, replay.layout
        board = Board(topology, Mines.number(layout.total))
        rules = Rules.parse("first-click=safe").with_words(mines=str(layout.total))
        referee = Referee(Setting(board, rules, layout=layout))
        steps: list[Step] = []
        for click in self.moves:
            assert click.cell is not None
            before = referee.view.opened_count
            decision = Decision(click.action, click.cell, Unstated(f"{click.time / 1000:.3f} s"))
            referee.apply(decision)
            opened = referee.view.opened_count - before
            steps.append(Step(decision, referee.view[click.cell], opened))
        if not referee.over:
            referee.stop(Termination.UNFINISHED)
        return Transcript(
            board=board.text,
            topology=topology,
            rules=rules,
            agent=replay.player or replay.software,
            seed=0,
            index=0,
            agent_seed=0,
            steps=tuple(steps),
            outcome=referee.outcome,
            layout=layout,
        )


def play_clicks(replay: Replay) -> ClickRecord:
    """The clicks of a recorded game."""
    clock = _Clicker(replay)
    for number, event in enumerate(replay.events):
        clock.step(number, event)
    field = clock.field
    return ClickRecord(
        clicks=tuple(clock.clicks),
        left=clock.left,
        right=clock.right,
        double=clock.double,
        effective=field.effective,
        solved=field.solved,
        path=clock.path,
        start=clock.start or 0,
        replay=replay,
    )


# -- The board that clicks change ----------------------------------------------


class _Field:
    """The board during a game: what is open and flagged, and how much of the 3BV is done."""

    def __init__(self, layout: Layout) -> None:
        topology = layout.topology
        self.near = topology.neighbours
        self.mines, self.counts = layout.mines.tolist(), layout.counts.tolist()
        zeros = {c for c in topology.cells if not self.mines[c] and not self.counts[c]}
        self.openings: dict[int, frozenset[int]] = {}
        for part in components(zeros, self.near):
            area = frozenset(part)
            self.openings.update(dict.fromkeys(area, area))
        bordered = {near for cell in zeros for near in self.near(cell)}
        self.alone = [
            not self.mines[c] and c not in zeros and c not in bordered for c in topology.cells
        ]
        self.open = [False] * len(topology)
        self.flags: set[int] = set()
        self.found: set[int] = set()
        """Mines that were flagged before: flagging them again is no progress."""
        self.left = len(topology) - layout.total
        self.solved = self.effective = 0
        self.lost = False

    @property
    def over(self) -> bool:
        return self.lost or not self.left

    def hidden(self, cell: int) -> bool:
        return not self.open[cell] and cell not in self.flags

    def click(self, cell: int) -> Effect:
        if not self.hidden(cell):
            return Effect.NONE
        if self.mines[cell]:
            self.lost = True
            return Effect.EXPLODED
        self.solved += self._worth([cell])
        self.effective += 1
        self._uncover(cell)
        return Effect.OPENED

    def flag(self, cell: int) -> Effect:
        if self.open[cell]:
            return Effect.NONE
        if cell in self.flags:
            self.flags.remove(cell)
            return Effect.UNFLAGGED
        self.flags.add(cell)
        if self.mines[cell] and cell not in self.found:
            self.found.add(cell)
            self.effective += 1
        return Effect.FLAGGED

    def chord(self, cell: int) -> Effect:
        if not self.open[cell]:
            return Effect.NONE
        near = self.near(cell)
        wanted = [other for other in near if self.hidden(other)]
        if not wanted or sum(other in self.flags for other in near) != self.counts[cell]:
            return Effect.NONE
        self.effective += 1
        self.solved += self._worth(wanted)
        for other in wanted:
            if self.mines[other]:
                self.lost = True
            elif not self.open[other]:
                self._uncover(other)
        return Effect.EXPLODED if self.lost else Effect.CHORDED

    def _worth(self, cells: list[int]) -> int:
        """The 3BV that opening these hidden cells solves; an opening with a flag in it solves none.

        What the flag covers has to be opened later, and counts then.
        """
        openings = {self.openings[cell] for cell in cells if cell in self.openings}
        whole = sum(not any(cell in self.flags for cell in area) for area in openings)
        return whole + sum(self.alone[cell] for cell in cells)

    def _uncover(self, cell: int) -> None:
        waiting = [cell]
        self.open[cell] = True
        while waiting:
            here = waiting.pop()
            self.left -= 1
            if here in self.openings:
                for other in self.near(here):
                    if self.hidden(other):
                        self.open[other] = True
                        waiting.append(other)


# -- The buttons ---------------------------------------------------------------


class _Buttons(Enum):
    """Which buttons are down, as far as it matters what their release does."""

    UP = 0
    LEFT = 1
    RIGHT = 2
    IDLE_RIGHT = 3
    """The right button found nothing to flag: if it becomes half of a chord, it was no click."""
    BOTH = 4
    BOTH_IDLE = 5
    SPENT_LEFT = 6
    """The left button after a chord, when the right one came up first: its release does nothing."""


_B = _Buttons
_LEFT_DOWN = {_B.UP: _B.LEFT, _B.RIGHT: _B.BOTH, _B.IDLE_RIGHT: _B.BOTH_IDLE}
_BOTH_DOWN = _LEFT_DOWN | {_B.LEFT: _B.BOTH, _B.SPENT_LEFT: _B.BOTH, _B.UP: _B.BOTH}
_RIGHT_DOWN = {_B.LEFT: _B.BOTH, _B.SPENT_LEFT: _B.BOTH}
_AFTER_LEFT = {_B.LEFT: _B.UP, _B.SPENT_LEFT: _B.UP, _B.BOTH: _B.RIGHT, _B.BOTH_IDLE: _B.RIGHT}
_AFTER_RIGHT = {
    _B.RIGHT: _B.UP,
    _B.IDLE_RIGHT: _B.UP,
    _B.BOTH: _B.SPENT_LEFT,
    _B.BOTH_IDLE: _B.SPENT_LEFT,
}
_CHORDS = {_B.BOTH, _B.BOTH_IDLE}


class _Stage(Enum):
    """How far a game is."""

    READY = 0
    TOUCHED = 1
    """A button went down on the board, or a flag was set; no cell is open."""
    STARTED = 2


class _Clicker:
    """Turns events of the mouse into clicks, and counts them."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.field = _Field(replay.layout)
        self.buttons = _B.UP
        self.stage = _Stage.READY
        self.flags_before = 0
        self.left = self.right = self.double = 0
        self.clicks: list[Click] = []
        self.start: int | None = None
        self.path = 0.0
        self._at: tuple[int, int] | None = None
        self._event = 0
        self._time = 0

    def step(self, number: int, event: MouseEvent) -> None:
        self._event, self._time = number, event.time
        cell = self.replay.cell_at(event.x, event.y)
        if event.kind is not Mouse.MOVE and not self.field.over:
            if self.stage is _Stage.STARTED:
                self._play_press(event.kind, cell)
            else:
                self._before(event.kind, cell)
        if self.stage is _Stage.STARTED:
            self._go_to(event.x, event.y, cell)

    def _go_to(self, x: int, y: int, cell: int | None) -> None:
        """Lengthen the way of the mouse; off the board there is none."""
        if self._at is None:
            self._at = (x, y)
        if cell is not None:
            dx, dy = x - self._at[0], y - self._at[1]
            way: float = (float(dy) ** 2 + float(dx) ** 2) ** 0.5
            self.path = self.path + way * 16.0 / self.replay.cell_size
            self._at = (x, y)

    # -- what a gesture does -----------------------------------------------------------------

    def _record(self, action: Action, cell: int | None, effect: Effect) -> None:
        self.clicks.append(Click(self._event, self._time, action, cell, effect))

    def _open(self, cell: int | None) -> None:
        self.left += 1
        effect = Effect.NONE if cell is None else self.field.click(cell)
        self._record(Action.OPEN, cell, effect)

    def _flag(self, cell: int | None) -> None:
        self.right += 1
        effect = Effect.NONE if cell is None else self.field.flag(cell)
        action = Action.UNFLAG if effect is Effect.UNFLAGGED else Action.FLAG
        self._record(action, cell, effect)

    def _chord(self, cell: int | None, counted: bool) -> None:
        """A chord; off the board, that of two buttons counts as no click."""
        if cell is not None or counted:
            self.double += 1
            effect = Effect.NONE if cell is None else self.field.chord(cell)
            self._record(Action.CHORD, cell, effect)

    def _release(self, after: dict[_Buttons, _Buttons], cell: int | None) -> None:
        """A button came up: with the other one down, that is a chord."""
        before = self.buttons
        self.buttons = after.get(before, before)
        if before in _CHORDS:
            if before is _B.BOTH_IDLE:
                self.right -= 1
            self._chord(cell, counted=False)

    # -- while the game runs -----------------------------------------------------------------

    def _play_press(self, kind: Mouse, cell: int | None) -> None:
        match kind:
            case Mouse.LEFT_DOWN:
                self.buttons = _LEFT_DOWN.get(self.buttons, self.buttons)
            case Mouse.BOTH_DOWN:
                self.buttons = _BOTH_DOWN.get(self.buttons, self.buttons)
            case Mouse.LEFT_UP if self.buttons is _B.LEFT:
                self.buttons = _B.UP
                self._open(cell)
            case Mouse.LEFT_UP:
                self._release(_AFTER_LEFT, cell)
            case Mouse.RIGHT_DOWN if self.buttons is _B.UP:
                idle = cell is None or self.field.open[cell]
                self.buttons = _B.IDLE_RIGHT if idle else _B.RIGHT
                self._flag(cell)
            case Mouse.RIGHT_DOWN:
                self.buttons = _RIGHT_DOWN.get(self.buttons, self.buttons)
            case Mouse.RIGHT_UP:
                self._release(_AFTER_RIGHT, cell)
            case Mouse.MIDDLE_UP:
                self._chord(cell, counted=True)

    # -- before the first cell is open -------------------------------------------------------

    def _before(self, kind: Mouse, cell: int | None) -> None:
        ready = self.stage is _Stage.READY
        match kind:
            case Mouse.FLAG_BEFORE if cell is not None:
                self.flags_before += 1
                self.stage = _Stage.TOUCHED
                self._flag(cell)
            case Mouse.LEFT_DOWN:
                if ready and self.buttons is _B.UP and cell is not None:
                    self.stage = _Stage.TOUCHED
                self.buttons = _LEFT_DOWN.get(self.buttons, self.buttons)
            case Mouse.BOTH_DOWN:
                self._halve_chord(cell)
                self.buttons = _BOTH_DOWN.get(self.buttons, self.buttons)
            case Mouse.LEFT_UP if not ready and self.buttons is _B.LEFT:
                self._first_release(cell)
            case Mouse.RIGHT_DOWN if self.buttons is _B.UP:
                self._flag_early(cell)
            case Mouse.RIGHT_DOWN:
                self._halve_chord(cell)
                self.buttons = _RIGHT_DOWN.get(self.buttons, self.buttons)
            case Mouse.LEFT_UP if ready:
                self.buttons = _AFTER_LEFT.get(self.buttons, self.buttons)
            case Mouse.LEFT_UP:
                self._release(_AFTER_LEFT, cell)
            case Mouse.RIGHT_UP if ready and self.buttons is not _B.BOTH_IDLE:
                self.buttons = _AFTER_RIGHT.get(self.buttons, self.buttons)
            case Mouse.RIGHT_UP:
                self._release(_AFTER_RIGHT, cell)
            case Mouse.MIDDLE_UP if not ready:
                self._chord(cell, counted=True)

    def _halve_chord(self, cell: int | None) -> None:
        """A left press became half of a chord: if no flag is set, nothing has begun."""
        touched = self.stage is _Stage.TOUCHED and self.buttons is _B.LEFT
        if touched and cell is not None and not self.flags_before:
            self.stage = _Stage.READY

    def _first_release(self, cell: int | None) -> None:
        if cell is None:
            self.buttons = _B.UP
            if self.flags_before:
                self.left += 1
                self._record(Action.OPEN, None, Effect.NONE)
            else:
                self._forget()
        elif self.field.hidden(cell):
            self.stage = _Stage.STARTED
            self.buttons = _B.UP
            self.start = self._time
            self._open(cell)
        else:
            self.left += 1  # on a flag: the button counts as still down
            self._record(Action.OPEN, cell, Effect.NONE)

    def _flag_early(self, cell: int | None) -> None:
        if cell is None:
            self.buttons = _B.RIGHT if self.stage is _Stage.READY else _B.IDLE_RIGHT
            if self.stage is _Stage.TOUCHED:
                self.right += 1
                self._record(Action.FLAG, None, Effect.NONE)
            return
        self.buttons = _B.RIGHT
        if self.stage is _Stage.READY:
            self.flags_before = 1
            self.stage = _Stage.TOUCHED
        elif self.field.hidden(cell):
            self.flags_before += 1
        else:
            self.flags_before -= 1
            if not self.flags_before:
                self.field.flags.discard(cell)
                self._forget()
                return
        self._flag(cell)

    def _forget(self) -> None:
        """Nothing is left of what was done before the first cell: it does not count."""
        self.stage = _Stage.READY
        self.left = self.right = self.double = 0
        self.clicks.clear()
        self.field.found.clear()
