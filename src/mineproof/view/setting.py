"""What is played: a board under rules, built from whatever the caller has.

>>> Setting.of("9x9/10", first_click="opening") == Setting.of(
...     Board("9x9", 10), rules="first-click=opening"
... )
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias, Unpack, cast

from mineproof.board.layout import Layout
from mineproof.board.presets import Board, World
from mineproof.board.topology import Topology
from mineproof.errors import BoardError, InputError, RulesError, as_given, quoted
from mineproof.rules import (
    FirstClick,
    Given,
    Mines,
    Rules,
    RuleValue,
    RuleWords,
    read_words,
    split_report,
    told_rules,
)
from mineproof.view.channels import expand_table_files
from mineproof.view.view import View

__all__ = ["DEFAULT_BOARD", "AnyBoard", "AnyPosition", "AnyRules", "Setting", "position_of"]

DEFAULT_BOARD = "expert"

AnyRules: TypeAlias = Rules | str | Mapping[str, RuleValue]
"""Rules as a value, as their text, or by name."""

_WORLD = Rules(first_click=FirstClick.ANY, given=Given(corner_centre=True))
_LAYOUT = Rules(first_click=FirstClick.ANY)
_UNSAID = Rules().mines


@dataclass(frozen=True)
class Setting:
    """A board under rules; with a `layout` if the mines are set and not dealt.

    `world` is the world that the layout is of, if it has a name. `rules` hold the board's mines.
    """

    board: Board
    rules: Rules
    world: World | None = None
    layout: Layout | None = None

    def __post_init__(self) -> None:
        if self.world is not None:
            object.__setattr__(self, "layout", self.world.layout)

    @classmethod
    def of(
        cls,
        board: AnyBoard = DEFAULT_BOARD,
        rules: AnyRules | None = None,
        **words: Unpack[RuleWords],
    ) -> Setting:
        """The setting of a board and its rules, each as a text or as a value.

        A board is a name such as `expert` or `hex:7x7/10`, a `Board`, a topology with its mines as
        a pair, a `World` or a `Layout`; a bare `Topology` needs `mines` among the rules. Rules are
        given by name (`first_click="opening"`), as a text of such words, or as a `Rules`. A text
        may begin with the name of a report's rules, `report0`; words beside it replace its own.
        Rules left out are the usual ones. Where mines are set, a first click may open anything; a
        world gives a corner and the centre too. A `Rules` with the mines of `Rules()` says nothing
        of mines. A setting is taken as it is, and so is that of a board without guesses. Raises
        InputError, also where two say different things.
        """
        board = getattr(board, "setting", board)
        if isinstance(board, Setting):
            if rules is not None or any(value is not None for value in words.values()):
                raise RulesError("a setting has its rules; accepted: no others beside it")
            return board
        said = _rule_fields(rules, words)
        mines = said.pop("mines", None)
        chosen = _board(board, mines)
        if mines is not None and not _same_mines(mines, chosen):
            raise RulesError(
                f"mines={mines.text} is no rule beside a board of {chosen.mines.text};"
                " accepted: a board such as 9x9/10"
            )
        usual, world, layout = Rules(), None, None
        if isinstance(board, World):
            usual, world, layout = _WORLD, board, board.layout
        elif isinstance(board, Layout):
            usual, layout = _LAYOUT, board
        return cls(chosen, replace(usual, **said, mines=chosen.mines), world, layout)

    def told(self, layout: Layout | None, free: int = 0) -> Rules:
        """The rules as the player is told them, with the mines where they are dealt already.

        If the number of mines is random and the deal waits for the first click, the total is told
        with that click; and so is how many cells the deal kept free, where that changes what a
        player believes who is told no total.
        """
        cells = len(self.board.topology)
        dealt = self.rules.mines.fixed(cells) if layout is None else layout.total
        return told_rules(self.rules, cells, dealt, free)

    @property
    def start(self) -> View:
        """The position before anything is opened.

        Raises InputError where given cells are off the board.
        """
        for place in self.rules.given.cells:
            self.board.topology.cell(place)
        return View(self.board.topology, self.told(self.layout))

    @property
    def name(self) -> str:
        """The name of the world, or the text of the board."""
        return self.board.text if self.world is None else self.world.name


class HasSetting(Protocol):
    """What knows how it is played, such as a board without guesses."""

    @property
    def setting(self) -> Setting: ...


AnyBoard: TypeAlias = (
    str
    | Board
    | World
    | Layout
    | Topology
    | tuple[Topology | str, Mines | int | str]
    | Setting
    | HasSetting
)
"""Whatever a board can be given as; see `Setting.of`."""


AnyPosition: TypeAlias = View | AnyBoard
"""A position as a caller names it: a view, its text, or a board before the first move."""


def position_of(
    position: AnyPosition, rules: AnyRules | None = None, **words: Unpack[RuleWords]
) -> View:
    """The view that a caller means: a view, its text, or a board on which nothing is open.

    Rules are for a board; a view has its own. Raises InputError.
    """
    if isinstance(position, str) and len(position.split()) > 1:
        position = View.parse(position)
    if not isinstance(position, View):
        kinds = (str, Board, World, Layout, Topology, tuple, Setting)
        if not isinstance(position, kinds) and not hasattr(position, "setting"):
            raise InputError(
                f"position {as_given(position)} cannot be read; accepted: a View, its text,"
                " or a board such as expert"
            )
        return Setting.of(position, rules, **words).start
    if rules is not None or any(value is not None for value in words.values()):
        raise RulesError("a view has its rules; accepted: others beside a board, or `with_rules`")
    return position


def _board(board: AnyBoard, mines: Mines | None) -> Board:
    if isinstance(board, str):
        return Board.parse(board)
    if isinstance(board, Board):
        return board
    if isinstance(board, World | Layout):
        layout = board.layout if isinstance(board, World) else board
        return Board(layout.topology, layout.total)
    if isinstance(board, Topology):
        if mines is None:
            raise BoardError(
                f"board {quoted(board.text)} names no mines; accepted: such as (topology, 10)"
            )
        return Board(board, mines)
    if isinstance(board, tuple) and len(board) == 2:
        return Board(*board)
    raise InputError(
        f"board {as_given(board)} cannot be read; accepted: a name such as expert, a Board,"
        " (topology, mines), a World or a Layout"
    )


def _same_mines(mines: Mines, board: Board) -> bool:
    """Whether rules and board deal the same mines: 20% of 25 cells are 5."""
    cells = len(board.topology)
    fixed = mines.fixed(cells)
    return mines == board.mines or (fixed is not None and fixed == board.mines.fixed(cells))


def _rule_fields(rules: AnyRules | None, said_beside: RuleWords) -> dict[str, Any]:
    """The fields that are set by rules and by words beside them. Raises InputError."""
    words = cast(Mapping[str, RuleValue], said_beside)
    report: Mapping[str, RuleValue] = {}
    if isinstance(rules, Rules):
        said = {name: getattr(rules, name) for name in Rules.__dataclass_fields__}
        if rules.mines == _UNSAID:
            del said["mines"]
    elif rules is None or isinstance(rules, str | Mapping):
        report, named = split_report(rules) if isinstance(rules, str) else ({}, rules or {})
        said = read_words(expand_table_files(named))
    else:
        raise RulesError(
            f"rules {as_given(rules)} cannot be read; accepted: a Rules or a text such as"
            " first-click=any"
        )
    for name, value in read_words(expand_table_files(words)).items():
        if said.setdefault(name, value) != value:
            key = name.removesuffix("_known").replace("_", "-")
            raise RulesError(
                f"rule {key} is given twice and differs: in rules and beside them; accepted: once,"
                f" or rules.with_words({key.replace('-', '_')}=...)"
            )
    return {**read_words(report), **said}
