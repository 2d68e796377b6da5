"""Wrappers that play as another agent does, and look at each of its moves or add to its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from mineproof.agents.agent import (
    Action,
    Agent,
    AgentWithBegin,
    AgentWithKnowledge,
    Decision,
    LogicAgent,
    Proved,
    as_decision,
    cells_to_open,
)
from mineproof.board.layout import count_mines
from mineproof.engine.analysis import Analysis, Premises, check_rules, infer
from mineproof.engine.exact import analyze
from mineproof.errors import BudgetExceeded, InconsistentPosition, MissingLibrary
from mineproof.game.transcript import Transcript
from mineproof.graphs import distances
from mineproof.logics.base import SinglePoint
from mineproof.proofs.checker import premises_force
from mineproof.proofs.explanation import Explainer
from mineproof.proofs.premises import ClueFact, Evidence, PairFinder, Premise
from mineproof.proofs.proof import Proof
from mineproof.proofs.smallest import PremiseFinder
from mineproof.rng import Purpose, Stream
from mineproof.rules import Rules
from mineproof.view.channels import EXACT, MAX_CLUE, Mark
from mineproof.view.view import View, code_bytes

Annotation: TypeAlias = Callable[[View, Decision], Decision]
"""The decision to play instead of one made on a view: mostly the same one with more of a reason."""


class AgentWrapper:
    """Plays as another agent does, with each move passed through an annotation.

    The annotation is a function, or the method `annotate` of a subclass that keeps a record of the
    game. `move_number` is the number of the move that is being made, from 1.
    """

    def __init__(self, agent: Agent, annotation: Annotation | None = None) -> None:
        self.agent = agent
        self.move_number = 0
        self._annotation = annotation

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError as the agent does."""
        check_rules(self.agent, rules, cells)

    def begin(self, view: View, rng: Stream) -> None:
        self.move_number = 0
        if isinstance(self.agent, AgentWithBegin):
            self.agent.begin(view, rng)

    def act(self, view: View) -> Decision:
        decision = as_decision(self.agent.act(view), view.topology)
        self.move_number += 1
        return self.annotate(view, decision)

    def annotate(self, view: View, decision: Decision) -> Decision:
        """The decision that is played where the agent made this one."""
        return decision if self._annotation is None else self._annotation(view, decision)

    def knowledge(self, view: View) -> str:
        """What the agent knows, if it says so."""
        return self.agent.knowledge(view) if isinstance(self.agent, AgentWithKnowledge) else ""

    @property
    def tells_knowledge(self) -> bool:
        """Whether the agent at the bottom has a knowledge base to show."""
        agent = self.agent
        if isinstance(agent, AgentWrapper):
            return agent.tells_knowledge
        return isinstance(agent, AgentWithKnowledge)

    @property
    def known_mines_now(self) -> Callable[[], frozenset[int]] | None:
        """Tells the mines that the logic at the bottom has proved by now; None without a logic."""
        agent = self.agent
        if isinstance(agent, AgentWrapper):
            return agent.known_mines_now
        return agent.known_mines if isinstance(agent, LogicAgent) else None

    @property
    def effort(self) -> Mapping[str, int] | int:
        """The work the agent counted."""
        found: Mapping[str, int] | int = getattr(self.agent, "effort", Counter())
        return found


# -- What a move claims: the cells that it calls proved ------------------------


@dataclass(frozen=True)
class ProvedClaim:
    """Hidden cells that are called proved mines, or proved safe."""

    cells: tuple[int, ...]
    mine: bool

    @property
    def word(self) -> str:
        """What the cells are called."""
        return "a mine" if self.mine else "safe"


def proved_claim(view: View, decision: Decision) -> ProvedClaim | None:
    """What a decision calls proved of the view it was made on, or None."""
    cell = decision.cell
    if cell is None or not isinstance(decision.reason, Proved):
        return None
    if decision.action is Action.CHORD:
        return ProvedClaim(cells_to_open(view, decision), mine=False)
    if decision.action in (Action.OPEN, Action.FLAG) and view.is_hidden(cell):
        return ProvedClaim((cell,), decision.action is Action.FLAG)
    return None


def _claimed_cell(view: View, decision: Decision) -> tuple[int, bool] | None:
    """The one cell that a move calls proved, and whether as a mine; None for a chord."""
    claim = proved_claim(view, decision)
    if claim is None or decision.action is Action.CHORD:
        return None
    return claim.cells[0], claim.mine


# ----------------------------------------------------------------------------
# The premises of a proved move: they force its cell by themselves.
#
# A logic plays on from cells that it knows, flagged or not, and names only the clue that came last;
# and logics that search or count (`reductio`, `sat`, `exact`, `champion`) name none, because games
# are played by the million. Where one game is shown or written down, a few premises that force the
# cell alone, with nothing known but what is open, are looked for afterwards, move by move.

_NEXT = 3
"""How many steps from a cell lie the two clues that decide it together."""
_NEAR = 6
"""How many steps from a cell more clues are looked for first."""
_STEPS = 6_000
"""The work spent on one move: what is shown must come at once, and need not be the fewest."""
_HIDDEN, _MINE = Mark.HIDDEN.value, Mark.MINE.value
_MANY = 4
"""More clues than a reader follows: fewer are looked for."""


def with_premises(agent: Agent) -> AgentWrapper:
    """The agent, with reasons that force their cells by themselves.

    What anyone's own agent names stays. Where it holds only with the mines that are flagged, the
    clues that prove those are added.
    """
    own = isinstance(agent, LogicAgent)
    return AgentWrapper(agent, name_premises if own else add_premises_of_flags)


def game_with_premises(game: Transcript) -> Transcript:
    """A game that a logic has played, with reasons that force their cells by themselves."""
    steps = (
        replace(step, decision=name_premises(view, step.decision))
        for view, step in zip(game.views(), game.steps, strict=False)
    )
    return replace(game, steps=tuple(steps))


def name_premises(view: View, decision: Decision) -> Decision:
    """The decision with a few premises that force its cell, where it calls the cell proved.

    A reason that names a few clues stays as it is if these force the cell. A move that nothing
    forces gets no premises, whatever the agent says.
    """
    reason, claim = decision.reason, _claimed_cell(view, decision)
    if claim is None or not isinstance(reason, Proved):
        return decision
    given = reason.premises
    enough = _force(view, given, *claim)
    if enough and len(given.clues) <= _MANY:
        return decision
    search = _one_by_one if reason.logic == SinglePoint.name else few_premises
    found = search(view, *claim) or few_premises(view, *claim)
    if found is None or (enough and len(given.clues) <= len(found.clues)):
        return decision
    return _resting_on(decision, reason, found)


def add_premises_of_flags(view: View, decision: Decision) -> Decision:
    """The decision with what its reason leaves to the flags on the board, if it names clues."""
    reason, claim = decision.reason, _claimed_cell(view, decision)
    if claim is None or not isinstance(reason, Proved):
        return decision
    given, near = reason.premises, view.topology.neighbours
    if not given.clues:
        return name_premises(view, decision)
    flags = sorted({cell for clue in given.clues for cell in near(clue) if view.is_flagged(cell)})
    if not flags or _force(view, given, *claim) or not _force(view, given, *claim, flags):
        return decision
    proofs = [few_premises(view, flag, True) for flag in flags]
    clues = {*given.clues, *(clue for proof in proofs if proof for clue in proof.clues)}
    total = given.total or any(proof.total for proof in proofs if proof)
    return _resting_on(decision, reason, Premises(tuple(sorted(clues)), total))


def _resting_on(decision: Decision, reason: Proved, premises: Premises) -> Decision:
    premises = replace(premises, by_contradiction=reason.premises.by_contradiction)
    return replace(decision, reason=Proved(reason.logic, premises))


def _force(
    view: View, premises: Premises, cell: int, mine: bool, flags: Sequence[int] = ()
) -> bool:
    """Whether some premises force a cell; False also where that takes too long to tell."""
    if not premises.clues and not premises.total:
        return False
    try:
        return premises_force(view, premises.clues, premises.total, cell, mine, flags, _STEPS)
    except BudgetExceeded:
        return False


def few_premises(view: View, cell: int, mine: bool) -> Premises | None:
    """A few premises that force a hidden cell, all of them needed; None where none do."""
    if view.channel is EXACT:
        # Clues near the cell come first: a move on a large board then costs what lies around it.
        for clue, hidden, allowed in sorted(_reads_near(view, cell, 1)):
            if allowed == (1 << len(hidden) if mine else 1) and cell in hidden:
                return Premises((clue,))
        beside = Evidence(view, sorted(_reads_near(view, cell, _NEXT)), total=False)
        pair = PairFinder(beside, beside.distances).two(cell, not mine)
        if pair is not None:
            return _premises_of(beside, pair)
        near = Evidence(view, sorted(_reads_near(view, cell, _NEAR)), total=False)
        found = _search_premises(near, cell, mine)
        if found is not None:
            return found
    return _search_premises(Evidence(view), cell, mine) or _all_premises(view, cell, mine)


def _one_by_one(view: View, cell: int, mine: bool) -> Premises | None:
    """Clues that force cells one after another, the last this one; None where none do."""
    if view.channel is EXACT:
        near = Evidence(view, sorted(_reads_near(view, cell, _NEAR)), total=False)
        if (found := _by_rounds(near.premises, cell, mine)) is not None:
            return found
    return _by_rounds(Evidence(view, total=False).premises, cell, mine)


def _by_rounds(premises: Sequence[Premise], cell: int, mine: bool) -> Premises | None:
    """In every round all that single premises force is known, from as few of them as can be."""
    known: dict[int, tuple[bool, frozenset[int]]] = {}
    while cell not in known:
        found: dict[int, tuple[bool, frozenset[int]]] = {}
        for premise in premises:
            left = [one for one in premise.cells if one not in known]
            mines = [one for one in premise.cells if one in known and known[one][0]]
            if not left or not premise.allowed:
                continue
            forced = premise.low - len(mines) >= len(left)
            if not forced and premise.high > len(mines):
                continue
            safe = [one for one in premise.cells if one in known and not known[one][0]]
            clues = frozenset() if premise.clue is None else frozenset((premise.clue,))
            clues = clues.union(*(known[one][1] for one in (safe if forced else mines)))
            for one in left:
                if one not in found or len(clues) < len(found[one][1]):
                    found[one] = forced, clues
        if not found:
            return None
        known |= found
    is_mine, clues = known[cell]
    return Premises(tuple(sorted(clues))) if is_mine is mine else None


def _all_premises(view: View, cell: int, mine: bool) -> Premises | None:
    """Everything that is shown, where it forces a cell and less is too costly to find."""
    try:
        certain = analyze(view).p[cell] == float(mine)
    except (BudgetExceeded, InconsistentPosition):
        certain = False
    evidence = Evidence(view)
    return _premises_of(evidence, range(len(evidence.premises))) if certain else None


def _search_premises(evidence: Evidence, cell: int, mine: bool) -> Premises | None:
    try:
        found = PremiseFinder(evidence, _STEPS).force(cell, mine)
    except (BudgetExceeded, MissingLibrary):  # without python-sat more premises are named
        return None
    return None if found is None else _premises_of(evidence, found.numbers)


def _premises_of(evidence: Evidence, numbers: Iterable[int]) -> Premises:
    clues = [evidence.premises[number].clue for number in numbers]
    return Premises(tuple(clue for clue in clues if clue is not None), total=None in clues)


def _reads_near(view: View, cell: int, steps: int) -> Iterator[ClueFact]:
    """What the plain clues near a cell say of hidden cells."""
    codes, neighbours = code_bytes(view), view.topology.neighbours
    for here in distances([cell], neighbours, most=steps):
        clue = codes[here]
        if clue > MAX_CLUE:
            continue
        around = neighbours(here)
        hidden = tuple([near for near in around if codes[near] == _HIDDEN])
        if hidden:
            left = clue - [codes[near] for near in around].count(_MINE)
            yield here, hidden, 1 << left if 0 <= left <= len(hidden) else 0


# -- The proof of a proved move: the fewest premises, in words and checkable ---


class ProofAnnotator(AgentWrapper):
    """Explains every move that the agent calls proved.

    The reason of such a move names the premises of its proof, the one that `explain` gives for the
    same view. `proofs` holds the proofs by the number of the move. A move has none if the cell is
    not certain, whatever the agent says, or if the exact engine runs out of budget.
    """

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.proofs: dict[int, Proof] = {}

    def begin(self, view: View, rng: Stream) -> None:
        self.proofs.clear()
        super().begin(view, rng)

    def annotate(self, view: View, decision: Decision) -> Decision:
        proof = _proof_of_move(view, decision)
        if proof is None:
            return decision
        self.proofs[self.move_number] = proof
        assert isinstance(decision.reason, Proved)
        premises = Premises(proof.clues, proof.uses_total)
        return replace(decision, reason=Proved(decision.reason.logic, premises))


def _proof_of_move(view: View, decision: Decision) -> Proof | None:
    claim = _claimed_cell(view, decision)
    if claim is None:
        return None
    cell, mine = claim
    explainer = Explainer(view)
    try:
        certain = explainer.analysis.p[cell] == float(mine)
        return explainer.prove(cell, mine) if certain else None
    except (BudgetExceeded, InconsistentPosition):
        return None


# -- How much an agent knows, move by move: the size of its knowledge base in every round --

_KNOWN = ("safe:", "mines:")
"""Lines of knowledge that list cells already known, and state nothing new."""


@dataclass(frozen=True)
class KnowledgeSize:
    """What was known when a step was made.

    `statements` is the number of statements in the agent's knowledge base (clauses, equations,
    sets or chances, as `--step` shows them), or None where the agent tells nothing. `open_clues`
    are the clues that touch a cell neither open nor flagged, `hidden` the number of those cells.
    """

    step: int
    statements: int | None
    open_clues: int
    hidden: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class KnowledgeLog(AgentWrapper):
    """Measures before every move what is known."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.sizes: list[KnowledgeSize] = []

    def begin(self, view: View, rng: Stream) -> None:
        self.sizes.clear()
        super().begin(view, rng)

    def annotate(self, view: View, decision: Decision) -> Decision:
        statements, _ = statements_of(self.knowledge(view))
        self.sizes.append(
            KnowledgeSize(
                len(self.sizes) + 1,
                len(statements) if self.tells_knowledge else None,
                _open_clues(view),
                view.hidden_count - view.flag_count,
            )
        )
        return decision


def statements_of(knowledge: str) -> tuple[list[str], list[str]]:
    """The lines of a knowledge base that state something, and those that list known cells."""
    lines = knowledge.splitlines()
    known = [line for line in lines if line.startswith(_KNOWN)]
    return [line for line in lines if not line.startswith(_KNOWN)], known


def _open_clues(view: View) -> int:
    codes = view.codes()
    hidden = (codes == Mark.HIDDEN.value).astype(np.uint8)
    if view.flag_count:
        hidden[list(view.flags)] = 0
    around = count_mines(view.topology, hidden)
    return int(np.count_nonzero((codes <= MAX_CLUE) & (around > 0)))


# ----------------------------------------------------------------------------
# What an agent makes of one position: what its logic proves there, knows and misses, and its move.


@dataclass(frozen=True)
class PositionReport:
    """What an agent makes of a position, without its past.

    `moves` are the cells that its logic proves, each with premises that force it; None for an agent
    without a logic of ours. `choice` is its first move that is no flag, made on `view`, where the
    flags that come before it stand. `analysis` is None where counting exceeds the budget.
    """

    moves: tuple[Decision, ...] | None
    knowledge: tuple[str, ...]
    analysis: Analysis | None
    choice: Decision
    view: View

    @property
    def missed(self) -> tuple[tuple[int, bool], ...] | None:
        """The certain cells that no move proves, each with whether it is a mine, if known."""
        if self.analysis is None:
            return None
        proved = {move.cell for move in self.moves or ()}
        certain = [(cell, False) for cell in self.analysis.safe]
        certain += [(cell, True) for cell in self.analysis.mines]
        return tuple(sorted(one for one in certain if one[0] not in proved))


def read_position(view: View, agent: Agent, seed: int = 0) -> PositionReport:
    """What an agent makes of a position; its own random numbers come from `seed`.

    Raises InconsistentPosition for a position without a solution, which says whether the agent's
    logic found that, and RulesError if the agent cannot play by the rules.
    """
    check_rules(agent, view.rules, len(view))
    moves: tuple[Decision, ...] | None = None
    verdict = infer(agent.logic, view) if isinstance(agent, LogicAgent) else None
    try:
        analysis = analyze(view)
    except BudgetExceeded:
        analysis = None
    except InconsistentPosition as error:
        if verdict is None:
            raise
        raise InconsistentPosition(
            f"{verdict.logic} finds no contradiction, but {error}",
            error.clues,
            uses_total=error.uses_total,
        ) from None
    if verdict is not None:
        proved = [
            decision(cell, Proved(verdict.logic, premises))
            for decision, cells in ((Decision.open, verdict.safe), (Decision.flag, verdict.mines))
            for cell, premises in cells.items()
            if view.is_hidden(cell)
        ]
        moves = tuple(name_premises(view, one) for one in sorted(proved, key=lambda d: d.cell or 0))
    knowledge = agent.knowledge(view) if isinstance(agent, AgentWithKnowledge) else ""
    choice, last = _first_choice(view, agent, seed)
    return PositionReport(moves, tuple(knowledge.splitlines()), analysis, choice, last)


def _first_choice(view: View, agent: Agent, seed: int) -> tuple[Decision, View]:
    """The agent's first move that is no flag on a cell without one, and the view it is made on."""
    player = with_premises(agent)
    player.begin(view, Stream(seed, 0, Purpose.AGENT))
    while True:
        decision = player.act(view)
        cell = decision.cell
        flags = decision.action is Action.FLAG and cell is not None and view.is_hidden(cell)
        if not flags or cell is None or view.is_flagged(cell):
            return decision, view
        view = view.with_flags((cell,))
