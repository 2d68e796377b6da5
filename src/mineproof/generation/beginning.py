"""Where a board without guesses begins: a board, its rules and the cell that is opened first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb

from mineproof.board.deal import check_room, deal, kept_free
from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.board.topology import Place, Topology
from mineproof.errors import BoardError, RulesError
from mineproof.rules import FirstClick, Given, Goal, OnMine, Rules, RuleValue
from mineproof.view.setting import AnyBoard, AnyRules, Setting

__all__ = ["Beginning"]

_ONLY = {
    "on-mine": (OnMine.LOSE, "lose"),
    "goal": (Goal.CLEAR, "clear"),
    "given": (Given(), "none"),
    "clues": ("exact", "exact: a clue that lies or is missing makes a guess of every cell"),
}


@dataclass(frozen=True)
class Beginning:
    """A board with a number of mines, its rules, and the first cell, which is no mine."""

    board: Board
    rules: Rules
    first: int

    @classmethod
    def of(
        cls,
        board: AnyBoard,
        first: Place | None = None,
        rules: AnyRules | None = None,
        **words: RuleValue,
    ) -> Beginning:
        """The beginning on a board; its first cell is the centre where none is named.

        The first click is an `opening` unless rules say otherwise: the area around the first cell
        has no mines. Raises InputError for rules under which no board can be free of guesses,
        a cell off the board, and mines that do not fit.
        """
        setting = Setting.of(board, rules, **words)
        if not isinstance(board, Setting) and not _says_first_click(rules, words):
            opening = replace(setting.rules, first_click=FirstClick.OPENING)
            setting = replace(setting, rules=opening)
        _check_rules(setting)
        topology = setting.board.topology
        cell = topology.centre if first is None else topology.cell(first)
        check_room(topology, setting.rules, (cell,))
        return cls(setting.board, setting.rules, cell)

    @property
    def topology(self) -> Topology:
        return self.board.topology

    @property
    def mines(self) -> int:
        """How many mines are dealt."""
        number = self.board.mines.fixed(len(self.topology))
        assert number is not None, "checked at the start"
        return number

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The cells that the first click keeps free of mines."""
        return kept_free(self.topology, self.rules.first_click, (self.first,))

    @property
    def layouts(self) -> int:
        """How many layouts can be dealt; each is equally likely."""
        return comb(len(self.topology) - len(self.free), self.mines)

    def deal(self, seed: int, index: int) -> Layout:
        """Deal `index` of a seed."""
        return deal(self.topology, self.board.mines, seed, index, self.free)

    @property
    def text(self) -> str:
        """For people: `square:16x30/99 from 8,15 (first click opening)`."""
        name = self.topology.cell_name(self.first)
        return f"{self.board.text} from {name} (first click {self.rules.first_click.value})"


def _says_first_click(rules: AnyRules | None, words: Mapping[str, RuleValue]) -> bool:
    """Whether rules of any form say what the first click is; a text is taken to say all."""
    if words.get("first_click") is not None:
        return True
    if isinstance(rules, Mapping):
        return any(rules.get(key) is not None for key in ("first_click", "first-click"))
    return rules is not None


def _check_rules(setting: Setting) -> None:
    """Refuse rules that have no boards without guesses, or none that are dealt."""
    rules = setting.rules
    if setting.layout is not None:
        raise BoardError("the mines are set already; accepted: a board such as expert or 16x30/99")
    if rules.mines.fixed(len(setting.board.topology)) is None:
        raise BoardError(
            f"mines={rules.mines.text} is no fixed number; accepted: such as 16x30/99 or 9x9/20%"
        )
    if rules.first_click is FirstClick.ANY:
        raise RulesError(
            "first-click=any makes a guess of the first click; accepted: safe or opening"
        )
    if not rules.total_known:
        raise RulesError(
            "total=unknown is no rule here; accepted: total=known, and boards that do without the"
            " number of mines are asked for by without_total (--without-total)"
        )
    for name, (accepted, text) in _ONLY.items():
        if (value := getattr(rules, name.replace("-", "_"))) != accepted:
            shown = getattr(value, "text", getattr(value, "value", value))
            raise RulesError(f"{name}={shown} has no boards without guesses; accepted: {text}")
