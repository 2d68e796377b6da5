"""What every logic and every agent must satisfy, as checks to be called from a test."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from mineproof.agents.agent import AgentFactory
from mineproof.engine.analysis import Prover, Verdict
from mineproof.engine.enumerate import prove_by_enumeration
from mineproof.errors import BudgetExceeded, InconsistentPosition, RulesError
from mineproof.game.check import SMALL_BOARDS, SoundnessReport, certain_cells, check
from mineproof.game.play import play_game
from mineproof.view.setting import AnyRules, Setting
from mineproof.view.view import View

__all__ = ["check_agent", "check_logic", "check_verdict"]


def check_logic(prover: Prover, *, examples: int = 200, clues: Sequence[str] | None = None) -> None:
    """Draw positions of real games and compare the logic with the enumeration of every layout.

    It must never prove anything false, must name only hidden cells, must give the same answer
    twice, and must raise nothing but BudgetExceeded and, on contradictory positions,
    InconsistentPosition. It may refuse rules that it cannot use with RulesError, but not all of
    them. `clues` names the channels it can read, by default all. Raises AssertionError with the
    position; needs hypothesis.
    """
    import hypothesis
    from hypothesis import strategies as st

    from mineproof.testing import strategies

    settings = hypothesis.settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        # A smaller position is easier to read, but the search for it takes long.
        phases=[phase for phase in hypothesis.Phase if phase is not hypothesis.Phase.explain],
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    refused: list[bool] = []

    @settings
    @hypothesis.given(strategies.views(clues=clues))
    def check_view(view: View) -> None:
        refused.append(_refuses(prover, view))
        if not refused[-1]:
            _check_reached(prover, view)

    @settings
    @hypothesis.given(strategies.views(clues=clues), st.data())
    def spoilt(view: View, data: st.DataObject) -> None:
        shown = [cell for cell, _ in view.clues]
        if shown:
            cell = data.draw(st.sampled_from(shown))
            codes = view.codes()
            codes[cell] = data.draw(st.integers(0, view.topology.degree(cell)))
            other = View.of_codes(view.topology, view.rules, codes, view.flags)
            if not _refuses(prover, other):
                _check_any(prover, other)

    check_view()
    if all(refused):
        raise AssertionError("every position is refused for its rules")
    spoilt()


def _refuses(prover: Prover, view: View) -> bool:
    """Whether the rules of a view are refused; the same rules are refused in every position."""
    try:
        # Rules are the same in every position, so the unopened board is enough.
        prover(View(view.topology, view.rules))
    except RulesError:
        return True
    except (BudgetExceeded, InconsistentPosition):
        pass
    return False


def _check_reached(prover: Prover, view: View) -> None:
    verdict = _verdict(prover, view, "of a real game")
    if verdict is None:
        return
    check_verdict(verdict, prove_by_enumeration(view), view)
    # A logic that keeps state between calls answers differently the second time.
    again = prover(view)
    if (dict(again.safe), dict(again.mines)) != (dict(verdict.safe), dict(verdict.mines)):
        raise AssertionError(f"the logic says something else when asked again\n{view}")


def _check_any(prover: Prover, view: View) -> None:
    """A position that may have no solution; only if it has none may it be called impossible."""
    try:
        oracle = prove_by_enumeration(view)
    except InconsistentPosition:
        with suppress(BudgetExceeded, InconsistentPosition):
            prover(view)
        return
    verdict = _verdict(prover, view, "with a solution")
    if verdict is not None:
        check_verdict(verdict, oracle, view)


def _verdict(prover: Prover, view: View, kind: str) -> Verdict | None:
    """What a prover says of a position that has a solution; None where its budget is too small."""
    try:
        return prover(view)
    except BudgetExceeded:
        return None
    except InconsistentPosition as error:
        raise AssertionError(f"a position {kind} is called impossible: {error}\n{view}") from error


def check_verdict(verdict: Verdict, certain: Verdict, view: View) -> None:
    """Refuse a verdict that proves more than `certain`, which holds every certain cell."""
    for what, found, all_certain in (
        ("safe", verdict.safe, certain.safe),
        ("mines", verdict.mines, certain.mines),
    ):
        for cell, premises in found.items():
            if not 0 <= cell < len(view) or not view.is_hidden(cell):
                raise AssertionError(f"cell number {cell}, not hidden, among the {what}\n{view}")
            name = view.topology.cell_name(cell)
            if cell not in all_certain:
                raise AssertionError(f"{name} is among the {what} and not certain\n{view}")
            for clue in premises.clues:
                if view.is_hidden(clue):
                    raise AssertionError(f"a premise of {name} is a hidden cell\n{view}")


def check_agent(
    make: AgentFactory,
    *,
    boards: Sequence[str] = SMALL_BOARDS,
    games: int = 10,
    seed: int = 0,
    rules: AnyRules | None = None,
    certain: Prover = certain_cells,
) -> SoundnessReport:
    """Play an agent on small boards of every topology and check every step.

    Its moves must be legal, its games must end, what it calls proved must be certain, and the same
    seeds must give the same games. Raises AssertionError with the first fault.
    """
    report = check(make, boards=boards, games=games, seed=seed, rules=rules, certain=certain)
    if not report.passed:
        raise AssertionError(report.text)
    for board in boards:
        setting = Setting.of(board, rules)
        first, again = (play_game(setting, make(), report.agent, seed) for _ in range(2))
        if first.text != again.text:
            raise AssertionError(
                f"two games of {board} with the same seeds differ;"
                " all randomness must come from the stream that `begin` is given\n"
                f"{first.text}\n{again.text}"
            )
    return report
