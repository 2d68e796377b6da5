"""The package for JavaScript says what Python says: 1,000 positions, compared bit for bit."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import mineproof as mp
from mineproof.advice.adviser import Basis
from mineproof.board.layout import deal, mine_free_cells
from mineproof.engine.analysis import Analysis
from mineproof.game.referee import Referee
from mineproof.generation.no_guess import generate
from mineproof.rng import Stream
from mineproof.view.channels import Mark, Shown
from mineproof.view.setting import Setting
from mineproof.view.view import View

Ask = Callable[[Sequence[dict[str, Any]]], list[Any]]

BOARDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("expert", {}),
    ("intermediate", {}),
    ("beginner", {"first_click": "opening"}),
    ("8x8/10", {"first_click": "any"}),
    ("5x7/9", {}),
    ("1x9/3", {}),
    ("hex:9x9/14", {}),
    ("torus:8x12/18", {}),
    ("triangle:6x10/10", {}),
    ("cube:4x4x4/9", {}),
    ("square4:9x9/14", {}),
    ("16x16/40", {"total": "unknown"}),
    ("9x9/~20%", {}),
)
LYING = (
    ("9x9/10", {"clues": "optimistic"}),
    ("9x9/10", {"clues": "cautious"}),
    ("9x9/10", {"clues": "withheld:0.3"}),
    ("hex:7x7/8", {"clues": "noisy:0.15"}),
    ("9x9/10", {"clues": "table:0:0.5,-:0.5;1:1;1:0.25,2:0.25,-:0.5" + ";-:0.8,3:0.2" * 6}),
)
MARKS: dict[Shown, str] = {Mark.BLANK: "?", Mark.MINE: "*", Mark.HIDDEN: "."}
POSITIONS = 1000


def bits(number: float) -> str:
    return struct.pack(">d", number).hex()


def table(view: View) -> dict[int, list[dict[str, float]]]:
    """The clue table of a view, by number of neighbours and of mines."""
    likelihood = view.channel.likelihood
    return {
        near: [
            {
                "-" if word is None else str(word): float(likelihood(word, true, near))
                for word in (None, *range(near + 1))
            }
            for true in range(near + 1)
        ]
        for near in set(view.topology.degrees.tolist())
    }


def described(view: View) -> dict[str, Any]:
    """The board of a view as the package takes it."""
    rules, topology = view.rules, view.topology
    mines: Any = view.total
    if mines is None:
        mines = "unknown" if view.density is None else {"density": float(view.density)}
    told: dict[str, Any] = {"mines": mines, "firstClick": rules.first_click.value}
    if rules.clues.startswith("table:"):
        told["table"] = table(view)
    elif rules.clues != "exact":
        told["clues"] = rules.clues
    if topology.name == "square":
        rows, cols = topology.lattice.dimensions
        return told | {"rows": rows, "cols": cols}
    return told | {"neighbours": [list(topology.neighbours(cell)) for cell in topology.cells]}


def asked(view: View, trust_flags: bool) -> dict[str, Any]:
    shown = [
        "F" if cell in view.flags else MARKS.get(view[cell], view[cell])
        for cell in view.topology.cells
    ]
    question = {"description": described(view), "shown": shown, "trustFlags": trust_flags}
    return {"kind": "answer"} | question


def expected(view: View, trust_flags: bool) -> dict[str, Any]:
    try:
        analysis = mp.analyze(view, trust_flags=trust_flags)
    except mp.InconsistentPosition as error:
        return {"clues": list(error.clues), "usesTotal": error.uses_total}
    least = analysis.least_risk
    return {
        "chances": "".join(map(bits, analysis.p)),
        "safe": list(analysis.safe),
        "mines": list(analysis.mines),
        "solutions": str(analysis.solutions),
        "logSolutions": bits(analysis._log_count()),
        "least": None if least is None else [least.cell, least.alike],
        "best": best_move(analysis),
    }


def best_move(analysis: Analysis) -> dict[str, Any] | None:
    advice = mp.advise(analysis)
    if advice is None:
        return None
    return {
        "cell": advice.cell,
        "basis": advice.basis.value,
        "risk": bits(advice.risk),
        "win": None if advice.win is None else bits(advice.win.chance),
        "alike": None if advice.basis is Basis.LOOK_AHEAD else list(advice.ties),
    }


def drawn(number: int, boards: Sequence[Any] = BOARDS) -> tuple[View, bool]:
    """Position `number`: some moves into a game, at times with a wrong clue or with flags.

    In half of them the next move is a guess.
    """
    board, words = boards[number % len(boards)]
    stream = Stream(7, number)
    referee = Referee(Setting.of(board, **words), 11, number)
    referee.open(stream.below(len(referee.view)))
    moves, guess = stream.below(60), stream.below(2)
    for move in range(200):
        least = None if referee.over else mp.analyze(referee.view).least_risk
        if least is None or (move >= moves and not (guess and least.p == 0.0)):
            break
        referee.open(least.cell)
    view = referee.view
    clues = list(view.clues)
    if stream.below(12) == 0 and clues:
        codes = view.codes()
        cell, shown = stream.choice(clues)
        codes[cell] = (shown + 1) % (view.topology.degree(cell) + 1)
        view = View.of_codes(view.topology, view.rules, codes)
    trust = stream.below(8) == 0
    if trust:
        hidden = list(view.hidden)
        view = view.toggle_flag(stream.choice(hidden)) if hidden else view
    return view, trust


def test_the_package_says_what_python_says(ask: Ask) -> None:
    drawn_here = [drawn(number) for number in range(POSITIONS)]
    wanted = [expected(*one) for one in drawn_here]
    found = ask([asked(*one) for one in drawn_here])
    for number, (one, other) in enumerate(zip(found, wanted, strict=True)):
        assert one == other, (number, BOARDS[number % len(BOARDS)], str(drawn_here[number][0]))
    bases = Counter(one["best"]["basis"] for one in wanted if one.get("best"))
    # Every way to an answer was taken.
    ways = {"certain", "best-play", "look-ahead", "least-risk"}
    assert ways <= set(bases)
    assert min(bases[way] for way in ways) >= 10, bases
    assert sum("clues" in one for one in wanted) >= 10


def test_clues_that_lie_are_weighed_the_same(ask: Ask) -> None:
    drawn_here = [drawn(number, LYING) for number in range(200)]
    wanted = [expected(*one) for one in drawn_here]
    found = ask([asked(*one) for one in drawn_here])
    for number, (one, other) in enumerate(zip(found, wanted, strict=True)):
        assert one == other, (number, LYING[number % len(LYING)], str(drawn_here[number][0]))


def test_an_empty_board_gets_the_same_first_cell(ask: Ask) -> None:
    views = [
        Referee(Setting.of(board, first_click=rule), 1).view
        for board in ("beginner", "expert", "hex:9x9/14", "cube:4x4x4/9", "4x4/3", "3x3/5")
        for rule in ("any", "safe", "opening")
    ]
    wanted = [expected(view, False) for view in views]
    assert ask([asked(view, False) for view in views]) == wanted
    assert {one["best"]["basis"] for one in wanted} >= {"first-click", "look-ahead"}


def test_boards_without_guesses_are_the_same(ask: Ask) -> None:
    cases = (
        ("beginner", 40, 3, "auto"),
        ("intermediate", 0, 5, "uniform"),
        ("hex:9x9/14", 40, 1, "auto"),
        ("9x9/25", 40, 2, "repair"),
        ("cube:4x4x4/9", 21, 2, "auto"),
    )
    questions, wanted = [], []
    for board, first, seed, method in cases:
        made = generate(board, first=first, seed=seed, count=2, method=method)
        view = Referee(Setting.of(board, first_click="opening"), 0).view
        said = {"description": described(view), "first": first, "seed": seed, "method": method}
        questions.append({"kind": "made"} | said)
        boards = [[one.index, "".join(map(str, one.layout.mines))] for one in made]
        wanted.append([made.method.value, made.tried, *boards])
    assert ask(questions) == wanted


def test_deals_and_openings_are_the_same(ask: Ask) -> None:
    questions, wanted = [], []
    for number in range(60):
        board, words = BOARDS[number % 11]
        setting = Setting.of(board, **words)
        first = Stream(3, number).below(len(setting.board.topology))
        seed = 2**63 + number
        referee = Referee(setting, seed, number)
        referee.open(first)
        rules, topology = setting.rules, setting.board.topology
        free = mine_free_cells(topology, rules.first_click, (first,))
        layout = deal(topology, rules.mines, seed, number, free)
        said = {"description": described(referee.view), "first": first}
        questions.append({"kind": "dealt", "seed": str(seed), "index": number} | said)
        marks = [MARKS.get(referee.view[c], referee.view[c]) for c in layout.topology.cells]
        counts = " ".join(map(str, layout.counts))
        wanted.append(["".join(map(str, layout.mines)), counts, "".join(map(str, marks))])
    assert ask(questions) == wanted
