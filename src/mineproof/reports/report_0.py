"""Report 0: a knowledge base of equations and proof by contradiction, by the density of mines.

The figures are lost, their captions and claims are not: each is tested on the same games. The
report names no board size for them; 10x10 is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mineproof.game.narration import MoveKind, draw_frame, frames, ranges_text, steps_by_kind
from mineproof.game.play import play
from mineproof.lab.experiment import Experiment
from mineproof.lab.figures import curves
from mineproof.lab.report import (
    Agreement,
    Block,
    Card,
    Cell,
    Claims,
    Figure,
    ReportClaim,
    Section,
    Strip,
    Table,
    Text,
)
from mineproof.reports.costs import costs_of
from mineproof.reports.estimates import (
    UNIT,
    PairedDifference,
    claim_outcome,
    curve_of,
    difference_of,
    for_difference,
    gain_outcome,
    mean_of,
    ratio_of,
)
from mineproof.reports.workshop import GameColumns, Workshop

BASIC, REDUCTIO, GLOBAL = "basic", "reductio", "reductio[global]"
BETTER = "reductio[better-decisions]"
PERCENTS = tuple(range(5, 101, 5))
_SPARSE = tuple(percent for percent in PERCENTS if percent < 60)
_DENSE = tuple(percent for percent in PERCENTS if percent > 65)
ORDER_PERCENTS = (10, 20, 30, 40, 50)
SIZE = "10x10"
LEAST = 0.02
"""A difference of scores below this counts as none."""
_AS_NONE = f"; less than {LEAST} counts as none"
_RULES = f"{SIZE}, any first cell, play goes on after a mine, total told only to {GLOBAL}"
SPREAD = 0.1
"""How much scores of two agents on the same game differ: the standard deviation, measured."""


class _Scores:
    """Scores by agent and density; of several densities the mean of each deal, which they share."""

    def __init__(self, blind: GameColumns, told: GameColumns) -> None:
        self._blind, self._told = blind, told
        self._known: dict[tuple[str, str, tuple[int, ...]], PairedDifference] = {}

    def of(self, agent: str, percents: Sequence[int]) -> NDArray[np.float64]:
        games = self._told if agent == GLOBAL else self._blind
        places = [PERCENTS.index(percent) for percent in percents]
        return games.by_deal("score", agent, places)

    def difference(self, first: str, second: str, percents: Sequence[int]) -> PairedDifference:
        key = (first, second, tuple(percents))
        if key not in self._known:
            scores = self.of(first, percents), self.of(second, percents)
            self._known[key] = difference_of(*scores, unit="deals")
        return self._known[key]

    def gain(self, first: str, second: str, percents: Sequence[int]) -> NDArray[np.float64]:
        """What an agent scores more than another, deal by deal."""
        return self.of(first, percents) - self.of(second, percents)


def report(workshop: Workshop) -> Section:
    """Figures 1 to 3, their claims, the order of play, efficiency and the play-by-play."""
    games = workshop.scale.games(for_difference(0.06, SPREAD), 500)
    agents = [BASIC, REDUCTIO, BETTER]
    blind = workshop.play("000-blind", _experiment(workshop, agents, PERCENTS, games))
    told = workshop.play(
        "000-global", _experiment(workshop, [GLOBAL], PERCENTS, games, total="known")
    )
    scores = _Scores(blind, told)
    claims = _claims(scores)
    blocks: list[Block] = [
        Text(
            f"Square boards of {SIZE} cells, {games} games per density, the same deals for every"
            " agent. The game goes on after a mine; the score is the mines identified by proof, of"
            " all mines. The first cell is any, and only the agent with global information is told"
            " the total."
        ),
        _figure(
            scores,
            "000-figure-1",
            "Figure 1: basic agent and advanced agent (reductio)",
            (BASIC, REDUCTIO),
        ),
        _figure(
            scores,
            "000-figure-2",
            "Figure 2: advanced agent with global information",
            (GLOBAL, REDUCTIO),
        ),
        _figure(
            scores,
            "000-figure-3",
            "Figure 3: advanced agent with better decisions",
            (BETTER, REDUCTIO),
        ),
        Claims("What the report says of its figures", claims),
        _differences(scores),
        *_order_of_play(workshop),
        *efficiency(workshop),
        *play_by_play(workshop),
    ]
    return Section(
        "000",
        "Report 0: equations and proof by contradiction",
        tuple(blocks),
        card=_card(scores, claims),
    )


def _experiment(
    workshop: Workshop,
    agents: Sequence[str],
    percents: Sequence[int],
    games: int,
    total: str = "unknown",
) -> Experiment:
    return Experiment.of(
        agents,
        boards=[f"{SIZE}/{percent}%" for percent in percents],
        games=games,
        seed=workshop.seed,
        rules="report0",
        total=total,
        cascade="on",  # the same cells in fewer steps
    )


def _card(scores: _Scores, claims: Sequence[ReportClaim]) -> Card:
    """What proof by contradiction gains over single clues, by density, and where it should."""
    gains = [scores.difference(REDUCTIO, BASIC, [percent]).estimate() for percent in PERCENTS]
    line = curve_of(
        f"{REDUCTIO} - {BASIC}", zip((percent / 100 for percent in PERCENTS), gains, strict=True)
    )
    question = "Does proof by contradiction beat one clue at a time?"
    svg = curves(
        "000-card",
        question,
        [line],
        x_label="mine density",
        y_label="gain in score",
        y_range=(-0.05, 0.2),
        small=True,
        spans=((0.0, 0.6, "above"), (0.65, 1.0, "not above")),
    )
    held = sum(claim.outcome is Agreement.HOLDS for claim in claims)
    below, dense = (scores.difference(REDUCTIO, BASIC, percents) for percents in (_SPARSE, _DENSE))
    return Card(
        question,
        svg,
        "Grey: where the report says it is; its own pictures are lost.",
        claims[0].outcome,
        f"below density 0.6 the score is {below.value:+.3f} higher on the same deals, above 0.65"
        f" {dense.value:+.3f}. {held} of the report's {len(claims)} claims hold.",
        claims[0].margin,
    )


def _figure(scores: _Scores, name: str, title: str, agents: tuple[str, ...]) -> Figure:
    means = {
        agent: [mean_of(scores.of(agent, [percent]), bounds=UNIT) for percent in PERCENTS]
        for agent in agents
    }
    series = [
        curve_of(agent, zip((percent / 100 for percent in PERCENTS), means[agent], strict=True))
        for agent in agents
    ]
    svg = curves(
        name,
        title,
        series,
        x_label="mine density",
        y_label="average final score",
        y_range=(0, 1.03),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (percent / 100, *(means[agent][place] for agent in agents))
        for place, percent in enumerate(PERCENTS)
    )
    data = Table(name, title, ("density", *agents), rows)
    note = "Bands are 95 % intervals. The published picture is lost; its claims are tested below."
    return Figure(name, title, svg, data, note)


def _claims(scores: _Scores) -> tuple[ReportClaim, ...]:
    below, above = _SPARSE, _DENSE
    low, high = [5, 10, 15, 20], [percent for percent in PERCENTS if percent >= 50]
    advanced = scores.difference(REDUCTIO, BASIC, below)
    similar = scores.difference(REDUCTIO, BASIC, [5])
    dense = scores.difference(REDUCTIO, BASIC, above)
    told = scores.difference(GLOBAL, REDUCTIO, PERCENTS)
    full = scores.of(GLOBAL, [100])
    better = scores.difference(BETTER, REDUCTIO, PERCENTS)
    gain_low = scores.difference(BETTER, REDUCTIO, low)
    gain_high = scores.difference(BETTER, REDUCTIO, high)
    perfect = int((full == 1.0).sum())
    more = difference_of(
        scores.gain(BETTER, REDUCTIO, low), scores.gain(BETTER, REDUCTIO, high), unit="deals"
    ).estimate()
    claims = (
        ReportClaim(
            "Below density 0.6 the advanced agent scores above the basic one",
            advanced.gain(LEAST),
            f"difference {advanced.text}; {_by_density(scores, REDUCTIO, BASIC, below)}",
        ),
        ReportClaim(
            "At very low densities it behaves like the basic agent",
            claim_outcome(
                similar.none(LEAST), fails=similar.low >= LEAST or similar.high <= -LEAST
            ),
            f"at density 0.05 difference {similar.text}{_AS_NONE}",
        ),
        ReportClaim(
            "After density 0.65 the advanced agent is equal to the basic one or below it",
            claim_outcome(dense.high < LEAST, fails=dense.low >= LEAST),
            f"difference {dense.text}{_AS_NONE};"
            f" {_by_density(scores, REDUCTIO, BASIC, above)}. What one clue proves, contradiction"
            " proves too: where the report's agent fell below, its program was the cause, not the"
            " method",
        ),
        ReportClaim(
            "With global information the score at density 1.0 is 1.0",
            claim_outcome(perfect == len(full)),
            f"{perfect} of {len(full)} games score 1.0",
        ),
        ReportClaim(
            "Global information gives better final scores",
            told.gain(LEAST),
            f"difference {told.text}; {_by_density(scores, GLOBAL, REDUCTIO, PERCENTS)}",
        ),
        ReportClaim(
            "Better decisions give better final scores overall",
            better.gain(LEAST),
            f"difference {better.text}; {_by_density(scores, BETTER, REDUCTIO, PERCENTS)}",
        ),
        ReportClaim(
            "Better decisions help most at low densities",
            gain_outcome(more, LEAST),
            f"the gain up to density 0.2 exceeds that from 0.5 by {more}; up to 0.2 it is"
            f" {gain_low.text}; from 0.5 {gain_high.text}. Where mines are few, hardly anything"
            " is left to gain: the score without better decisions is"
            f" {scores.of(REDUCTIO, low).mean():.3f} there,"
            f" {scores.of(REDUCTIO, high).mean():.3f} from 0.5",
        ),
    )
    return tuple(replace(claim, rules=_RULES, margin=str(LEAST)) for claim in claims)


def _by_density(scores: _Scores, first: str, second: str, percents: Sequence[int]) -> str:
    """At how many single densities the difference is beyond chance, either way."""
    up, down = [], []
    for percent in percents:
        difference = scores.difference(first, second, [percent])
        if difference.above:
            up.append(f"{percent / 100:g}")
        elif difference.below:
            down.append(f"{percent / 100:g}")
    words = [f"above at {', '.join(up)}" if up else "above at no single density"]
    if down:
        words.append(f"below at {', '.join(down)}")
    return f"beyond chance {' and '.join(words)}"


def _differences(scores: _Scores) -> Table:
    rows: list[tuple[Cell, ...]] = []
    pairs = ((REDUCTIO, BASIC), (GLOBAL, REDUCTIO), (BETTER, REDUCTIO))
    for percent in PERCENTS:
        found = [scores.difference(*pair, [percent]) for pair in pairs]
        rows.append((percent / 100, *(one.estimate() for one in found)))
    columns = ("density", *(f"{first} - {second}" for first, second in pairs))
    return Table(
        "000-differences",
        "Differences of scores on the same games, density by density",
        columns,
        tuple(rows),
        "One of twenty such intervals is expected to miss the true difference.",
    )


def _order_of_play(workshop: Workshop) -> tuple[Block, ...]:
    agents = [BASIC, f"{BASIC}[order=mines-first]", REDUCTIO, f"{REDUCTIO}[order=mines-first]"]
    total = for_difference(LEAST, SPREAD)
    # Rounded up, so the densities together have at least the planned games.
    games = workshop.scale.games(-(-total // len(ORDER_PERCENTS)), 500)
    played = workshop.play("000-order", _experiment(workshop, agents, ORDER_PERCENTS, games))
    rows: list[tuple[Cell, ...]] = []
    found = []
    for safe, mines in (agents[:2], agents[2:]):
        first, other = (played.by_deal("score", one, played.everywhere) for one in (safe, mines))
        difference = difference_of(other, first, unit="deals")
        found.append(difference)
        means = (mean_of(scores, bounds=UNIT) for scores in (first, other))
        rows.append((safe, *means, difference.text))
    same = all(difference.none(LEAST) for difference in found)
    answer = (
        f"It makes no difference as large as {LEAST}: a revealed mine tells nothing that its proof"
        " had not told."
        if same
        else "The differences are in the table."
    )
    table = Table(
        "000-order",
        "Identified safe cells first, or identified mines first",
        ("agent", "safe first", "mines first", "mines first - safe first"),
        tuple(rows),
        f"The report wonders which is better. Densities 0.1 to 0.5. {answer}",
    )
    return (table,)


# -- One game of report 0 step by step: what kind each step is, and the board after it --

BOARD = "5x5/30%"
AGENT = "reductio"
KINDS = {
    MoveKind.GUESSED: "random",
    MoveKind.SAFE: "identified safe cell",
    MoveKind.MINE: "identified mine",
}
"""What the report calls the kinds of steps."""
PUBLISHED = {
    "random": "1-4, 8, 11, 14",
    "identified safe cell": "5, 6, 7, 10, 12, 16, 18, 19, 20, 21, 22, 24",
    "identified mine": "9, 13, 15, 16, 17, 23",
}
PUBLISHED_SCORE = "0.75"


def play_by_play(workshop: Workshop) -> tuple[Block, ...]:
    """The table of step kinds and the pictures of every step."""
    game = play(BOARD, AGENT, workshop.seed, rules="report0")
    steps = steps_by_kind(step.decision for step in game.steps)
    pictures = []
    for frame in list(frames(game))[1:]:
        where = "" if frame.cell is None else f" {game.topology.cell_name(frame.cell)}"
        kind = "" if frame.kind is None else KINDS[frame.kind]
        pictures.append((f"{frame.number}. {kind}{where}", draw_frame(frame)))
    rows = tuple((name, ranges_text(steps[kind]), PUBLISHED[name]) for kind, name in KINDS.items())
    return (
        Table(
            "000-play-by-play",
            "Performance 1: a 5x5 game at density 0.3, kinds of steps",
            ("steps that reveal", "here", "published, of another game"),
            (*rows, ("final score", f"{game.outcome.score:.2f}", PUBLISHED_SCORE)),
            "The report shows one game of its own deal; this is another one under the same rules,"
            " with every cell opened on its own.",
        ),
        Strip("The steps, the cell of each with a thick edge", tuple(pictures)),
        Text(
            "The report disagrees with steps that open a safe cell while a mine is already proved,"
            " and is surprised by random steps next to high clues; the order of play and the better"
            " decisions above are about just these."
        ),
    )


# ----------------------------------------------------------------------------
# Report 0's question of efficiency: time, size of the knowledge base, and size of the search tree.

COST_AGENTS = ("basic", "reductio", "reductio[better-decisions]", "reductio[global]")
COST_PERCENTS = (10, 30, 50)
COST_RULES = "first-click=any on-mine=continue"


def efficiency(workshop: Workshop) -> tuple[Block, ...]:
    """Report 0's table of costs per game."""
    games = workshop.scale.games(10, 100)
    name = "000-efficiency"
    found = costs_of(
        workshop, name, COST_AGENTS, SIZE, COST_PERCENTS, games, COST_RULES, told=False
    )
    rows = tuple(
        (
            agent,
            percent / 100,
            costs.ms_per_game,
            costs.open_equations,
            costs.work_per_game,
            max(costs.most_work),
        )
        for (agent, percent), costs in found.items()
    )
    return (
        Table(
            name,
            "Efficiency: time, knowledge base and search tree, on 10x10",
            (
                "agent",
                "density",
                "ms a game",
                "most open equations",
                "nodes a game",
                "most nodes at one step",
            ),
            rows,
            f"Means over {games} games, with 95 % intervals; only the time to decide. The knowledge"
            " base is counted when a guess is due, the tree in values tried; basic has no tree, and"
            " its looks at clues stand there. The report names the search as its cost and leaves"
            " variable and value order undone; both are done here.",
        ),
        _ablation(workshop),
    )


IDEAS = ("no-unit-clauses", "no-early-termination", "no-variable-order", "no-value-order")
SEARCHES = {
    "none": "reductio",
    **{idea.removeprefix("no-").replace("-", " "): f"reductio[{idea}]" for idea in IDEAS},
    "all four": f"reductio[{','.join(IDEAS)}]",
}
"""The search without each of its ideas, by what is switched off."""
ABLATION_PERCENTS = (20, 40)


def _ablation(workshop: Workshop) -> Table:
    """What each idea of the search saves: nodes and time with it switched off."""
    games = workshop.scale.games(24, 200)
    name = "000-ideas"
    agents = tuple(SEARCHES.values())
    found = costs_of(workshop, name, agents, SIZE, ABLATION_PERCENTS, games, COST_RULES, told=False)
    rows: list[tuple[Cell, ...]] = []
    for percent in ABLATION_PERCENTS:
        whole = found["reductio", percent]
        for words, agent in SEARCHES.items():
            costs = found[agent, percent]
            times = None if agent == "reductio" else ratio_of(costs.work, whole.work, digits=2)
            most = max(costs.most_work)
            rows.append((percent / 100, words, costs.work_per_game, times, most, costs.ms_per_game))
    dearest = max(
        (words for words in SEARCHES if words not in ("none", "all four")),
        key=lambda words: sum(sum(found[SEARCHES[words], at].work) for at in ABLATION_PERCENTS),
    )
    return Table(
        name,
        "The four ideas of the search, each switched off",
        (
            "density",
            "switched off",
            "nodes a game",
            "times the nodes of the whole search",
            "most nodes at one step",
            "ms a game",
        ),
        tuple(rows),
        f"reductio on {games} deals a density, the same for every row; a node is a value tried. All"
        " prove the same, unless a search is given up after 20,000 nodes. Switching off"
        f" {dearest} costs the most. With unit clauses early termination saves nothing: an equation"
        " that can no longer be met is found when its last cells are forced.",
    )
