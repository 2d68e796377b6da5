"""How hard a position or a board is, by the techniques and premises its proofs need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mineproof.proofs.explanation import Explainer
from mineproof.proofs.proof import Claim, Proof
from mineproof.proofs.techniques import Ladder, Technique
from mineproof.view.channels import Mark
from mineproof.view.view import View


@dataclass(frozen=True)
class PositionDifficulty:
    """What a position asks of its player.

    `next_step` is the easiest technique that proves some cell safe, None where only a guess helps.
    `hardest` is the technique that the hardest certain cell needs, None where no cell is certain.
    `sizes` counts certain cells by the number of premises of their proof, `techniques` by the name
    of the technique, the simplest first.
    """

    next_step: Technique | None
    hardest: Technique | None
    sizes: Mapping[int, int]
    techniques: Mapping[str, int]

    @property
    def text(self) -> str:
        """For people, in a line."""
        if self.hardest is None:
            return "nothing is certain: a guess"
        first = "a guess" if self.next_step is None else f"{self.next_step}"
        return (
            f"next step {first}; hardest {self.hardest}; {sum(self.sizes.values())} certain cells"
        )


@dataclass(frozen=True)
class BoardDifficulty:
    """What a whole game asks of a player who always takes the easiest step there is.

    `hardest` is the hardest technique that could not be avoided. `hard_steps` needed more than a
    single clue. `guesses` are the times when nothing was certain. `sizes` counts steps by the
    number of premises, `techniques` by the name of the technique, the simplest first.
    """

    hardest: Technique | None
    hard_steps: int
    guesses: int
    sizes: Mapping[int, int]
    techniques: Mapping[str, int]

    @property
    def text(self) -> str:
        """For people, in a line."""
        hardest = "no step" if self.hardest is None else f"hardest step: {self.hardest}"
        largest = max(self.sizes, default=0)
        return (
            f"{hardest}; {self.hard_steps} hard steps, {self.guesses} guesses, largest proof"
            f" {largest} premises"
        )


def difficulty_rank(proof: Proof) -> tuple[int, int, int]:
    """How hard a proof is to find: its technique, its size, then the order of the cells."""
    return (proof.technique.rung, proof.size, -1 if proof.cell is None else proof.cell)


def rate_position(view: View) -> PositionDifficulty:
    """The rating of a position. Raises InconsistentPosition and BudgetExceeded."""
    explainer = Explainer(view)
    proofs = [explainer.prove(*one) for one in explainer.certain]
    safe = [proof for proof in proofs if proof.claim is Claim.SAFE]
    return PositionDifficulty(
        min(safe, key=difficulty_rank).technique if safe else None,
        max(proofs, key=difficulty_rank).technique if proofs else None,
        _sizes(proofs),
        _techniques(proofs),
    )


def rate_board(
    view: View, open_cell: Callable[[int], View], help_out: Callable[[View], int | None]
) -> BoardDifficulty:
    """The rating of a game from a position on.

    The player marks mines as they are proved, and a marked mine is a fact from then on. `open_cell`
    opens a cell and returns the next view. Where nothing is certain, `help_out` names a cell to
    open, or None to end there: whoever holds the truth can name a safe one.
    """
    steps: list[Proof] = []
    marked: set[int] = set()
    guesses = 0
    while view.hidden_count > len(marked):
        explainer = Explainer(view.reveal(dict.fromkeys(marked, Mark.MINE)))
        found = _easiest(explainer)
        if not found:
            helped = help_out(view)
            if helped is None:
                break
            guesses += 1
            view = open_cell(helped)
        for proof in found:
            assert proof.cell is not None
            if proof.claim is Claim.MINE:
                marked.add(proof.cell)
            elif view.is_hidden(proof.cell):
                view = open_cell(proof.cell)
        steps += found
    hardest = max(steps, key=difficulty_rank).technique if steps else None
    hard = sum(proof.technique.rung > Ladder.SINGLE_CLUE for proof in steps)
    return BoardDifficulty(hardest, hard, guesses, _sizes(steps), _techniques(steps))


def _sizes(proofs: Sequence[Proof]) -> dict[int, int]:
    return dict(sorted(Counter(proof.size for proof in proofs).items()))


def _techniques(proofs: Sequence[Proof]) -> dict[str, int]:
    ranked = sorted(proofs, key=difficulty_rank)
    return dict(Counter(str(proof.technique) for proof in ranked))


def _easiest(explainer: Explainer) -> list[Proof]:
    """Every cell that a single clue proves; without one, the easiest proof there is."""
    certain, finder = explainer.certain, explainer.finder
    single = [one for one in certain if finder.one_clue(*one)]
    if single:
        return [explainer.prove(*one) for one in single]
    proofs = [explainer.prove(*one) for one in certain if finder.two_clues(*one)]
    if all(proof.technique.rung > Ladder.TWO_CLUES for proof in proofs):
        proofs = [explainer.prove(*one) for one in certain]
    return [min(proofs, key=difficulty_rank)] if proofs else []
