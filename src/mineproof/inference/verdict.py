"""What a logic proves of a position, and from which clues."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.rules import Rules
from mineproof.view.view import View

__all__ = ["Logic", "Premises", "Prover", "Verdict", "check_rules", "infer"]


@dataclass(frozen=True)
class Premises:
    """What a conclusion rests on: clues by their cells, and the mine total if it is used.

    Logics that do not keep track leave `clues` empty. `by_contradiction` where the logic assumed
    the opposite and found that it cannot be.

    >>> mp.Premises((0, 5), total=True).clues
    (0, 5)
    """

    clues: tuple[int, ...] = ()
    total: bool = False
    by_contradiction: bool = False


@dataclass(frozen=True)
class Verdict:
    """Hidden cells proved safe and proved mines, each with its premises, and the work it took."""

    logic: str
    safe: Mapping[int, Premises] = field(default_factory=dict)
    mines: Mapping[int, Premises] = field(default_factory=dict)
    effort: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.safe or self.mines)


class Prover(Protocol):
    """A logic asked once: everything it proves of a position, from scratch."""

    def __call__(self, view: View) -> Verdict:
        """Raises InconsistentPosition if it finds that the view has no solution."""
        ...


class Logic(Protocol):
    """Proves cells while it follows one game, so that each step costs only what it reveals."""

    name: str

    def begin(self, view: View) -> None:
        """Forget the last game; `view` is the first view of the next."""
        ...

    def learn(self, view: View) -> Verdict:
        """What is newly proved since the last call. Raises InconsistentPosition.

        A logic may leave its costlier steps until the cheap ones prove nothing: only an empty
        verdict says that nothing more follows.
        """
        ...

    def knowledge(self, view: View) -> str:
        """What it knows about a view, for people; asking changes nothing."""
        ...


def check_rules(player: object, rules: Rules, cells: int) -> None:
    """Ask a logic or an agent whether it can play by the rules of a game, if it can tell.

    It can if it has a method `check_rules(rules, cells)`, which raises RulesError. Rules are those
    of the game: a player may be told the total only after the first click.
    """
    check = getattr(player, "check_rules", None)
    if check is not None:
        check(rules, cells)


def infer(logic: Logic, view: View) -> Verdict:
    """Everything a logic proves of a position, from scratch.

    Raises InconsistentPosition if the logic finds one, with a minimal set of clashing clues if the
    budget allows, and RulesError if an option of the logic does not fit the rules.
    """
    check_rules(logic, view.rules, len(view))
    safe: dict[int, Premises] = {}
    mines: dict[int, Premises] = {}
    effort: dict[str, int] = {}
    logic.begin(view)
    while True:
        try:
            verdict = logic.learn(view)
        except InconsistentPosition as error:
            raise _with_smallest_clash(error, view) from None
        safe.update(verdict.safe)
        mines.update(verdict.mines)
        for name, amount in verdict.effort.items():
            effort[name] = effort.get(name, 0) + amount
        if not verdict:
            return Verdict(logic.name, safe, mines, effort)


def _with_smallest_clash(error: InconsistentPosition, view: View) -> InconsistentPosition:
    from mineproof.inference.engine.clash import clash_of

    try:
        clash = clash_of(view)
    except BudgetExceeded:
        return error
    return InconsistentPosition(f"{error}: {clash}", clash.clues, uses_total=clash.uses_total)
