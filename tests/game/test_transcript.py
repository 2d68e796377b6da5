"""Transcripts: every game reads back and replays to the same views."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from mineproof.agents.agent import Action, Decision, Proved, Unstated
from mineproof.agents.catalog import AGENTS
from mineproof.board.presets import parse_worlds
from mineproof.errors import NotationError
from mineproof.game import Transcript, play
from mineproof.game.check import SMALL_BOARDS
from mineproof.rng import Stream
from mineproof.view import View
from tests.core import players_need_core

GAMES = Path(__file__).parents[1] / "games"
GOLDEN = {"random": ("hex:4x4/2", "random", 8), "single-point": ("5x5/4", "single-point", 14)}
RULES = [
    {},
    {"first_click": "any", "on_mine": "continue", "clues": "withheld:0.3"},
    {"first_click": "opening", "cascade": "off", "total": "unknown"},
    {"given": "random:2", "goal": "mark-all", "clues": "cautious"},
]


def check_game(game: Transcript) -> None:
    again = Transcript.parse(game.text)
    assert again == game
    assert again.text == game.text
    views = list(again.views())
    assert len(views) == len(game.steps) + 1
    for before, step, after in zip(views[:-1], game.steps, views[1:], strict=True):
        assert after.opened_count - before.opened_count == step.opened
    data = json.loads(json.dumps(game.to_json()))
    assert data["won"] == game.outcome.won
    assert len(data["steps"]) == len(game.steps)


@pytest.mark.parametrize("board", SMALL_BOARDS)
@pytest.mark.parametrize("agent", ["random", "single-point"])
def test_every_game_reads_back_and_replays(board: str, agent: str) -> None:
    for index, rules in enumerate(RULES):
        if board.startswith("torus") and rules.get("first_click") == "opening":
            rules = {**rules, "first_click": "safe"}
        check_game(play(board, agent, 2, index=index, **rules))


@pytest.mark.parametrize("agent", players_need_core(AGENTS))
def test_every_agent_leaves_a_readable_game(agent: str) -> None:
    check_game(play("4x4/3", agent, 3))


def test_worlds_read_back_with_their_mines() -> None:
    for text in ("S1\n0 1 1\n1 1 t\nt 1 1\n", "S0\n0 0\n0 0\n"):
        (world,) = parse_worlds(text)
        check_game(play(world, "single-point", 1))


class Player:
    """Flags, unflags, chords, gives notes: everything a step can hold."""

    def begin(self, view: View, rng: Stream) -> None:
        self.rng = rng

    def act(self, view: View) -> Decision:
        notes = ("", "3 opened", "(so)", "proved: x", "-> 2", "ü", " a\nb\t ", "note: b", "total")
        reason = Unstated(self.rng.choice(notes))
        hidden = list(view.hidden)
        cell = self.rng.choice(hidden)
        if view.is_flagged(cell):
            return Decision(Action.UNFLAG, cell, reason)
        for clue, count in view.clues:
            near = view.topology.neighbours(clue)
            if count == sum(view.is_flagged(c) for c in near) and any(map(view.is_hidden, near)):
                return Decision(Action.CHORD, clue, reason)
        if self.rng.below(12) == 0:
            return Decision.stop(reason.note)
        action = Action.FLAG if self.rng.below(3) == 0 else Action.OPEN
        return Decision(action, cell, reason)


def test_every_kind_of_step_reads_back() -> None:
    actions = set()
    for index in range(40):
        game = play("4x4/3", Player(), 1, index=index)
        check_game(game)
        actions.update(step.decision.action for step in game.steps)
    assert actions == set(Action)


class Hopes:
    """Calls everything proved, with premises or without."""

    def act(self, view: View) -> Decision:
        clues = [cell for cell, _ in view.clues][:2]
        reason = Proved("hope", clues, total=view.opened_count > 3)
        free = [cell for cell in view.hidden if not view.is_flagged(cell)]
        if view.opened_count and not view.flag_count:
            return Decision.flag(free[-1], reason)
        return Decision.open(free[0], reason)


def test_unsound_steps_read_back() -> None:
    marks = set()
    for seed in range(6):
        game = play("5x5/6", Hopes(), seed, judge=True)
        check_game(game)
        said = [step.get("unsound") for step in game.to_json()["steps"]]
        assert said == [step.unsound for step in game.steps]
        marks.update(said)
        for line, step in zip(game.text.splitlines()[7:], game.steps, strict=False):
            assert line.endswith(f" UNSOUND: risk {step.unsound!r}") == (step.unsound is not None)
        plain = game.text.replace(" UNSOUND: risk", " #").split("\n")
        old = Transcript.parse("\n".join(line.partition(" #")[0] for line in plain))
        assert old == play("5x5/6", Hopes(), seed)
    assert len(marks - {None}) > 3


@pytest.mark.parametrize("risk", ["0", "-1", "2", "nan", "x", "0.5 0.5"])
def test_a_risk_that_cannot_be_is_refused(risk: str) -> None:
    game = play("5x5/6", Hopes(), 1)
    line = next(line for line in game.text.splitlines() if line.startswith("1 open"))
    with pytest.raises(NotationError, match="line 8"):
        Transcript.parse(game.text.replace(line, f"{line} UNSOUND: risk {risk}"))


@pytest.mark.parametrize("name", GOLDEN)
def test_known_games(name: str) -> None:
    """Games a person can follow: the steps with their reasons, and the board after each."""
    assert readable(*GOLDEN[name]) == (GAMES / f"{name}.txt").read_text(encoding="utf-8")


def readable(board: str, agent: str, seed: int) -> str:
    game = play(board, agent, seed)
    head, *views = game.views()
    blocks = [game.text, "the boards", head.text]
    for number, (step, view) in enumerate(zip(game.steps, views, strict=True), 1):
        blocks.append(game.step_text(number, step) + "\n" + view.text.split("\n", 1)[1])
    return "\n".join(blocks)


def test_a_wrong_step_is_found_by_the_replay() -> None:
    game = play("5x5/4", "single-point", 9)
    shown = next(line for line in game.text.splitlines() if line.startswith("1 open"))
    changed = shown.replace("-> 0", "-> 1") if "-> 0" in shown else shown.replace("-> ", "-> 1")
    with pytest.raises(NotationError, match="step 1 shows something else when replayed"):
        list(Transcript.parse(game.text.replace(shown, changed)).views())
    again = game.text.replace("outcome:", f"{shown}\noutcome:")
    with pytest.raises(NotationError, match="cannot be replayed"):
        list(Transcript.parse(again).views())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mineproof game", "a game", "line 1: not a game; accepted"),
        ("agent: single-point\n", "", "no line `agent: ...`"),
        ("seed: 9 0", "seed: x 0", "'x' is no number"),
        ("seed: 9 0", "seed: 9", "'' is no number"),
        ("1 open ", "1 jump ", "line 8: step"),
        ("1 open ", "1 open 99,", "line 8: step 1: cell"),
        ("guessed: random", "guesed: random", "line 8: step 1: .*accepted: proved"),
        ("outcome: ", "outcome: maybe ", "cannot be read"),
        ("topology: square:5x5", "topology: square:0x5", "side of 0"),
        ("topology: square:5x5", "topology: graph:/dev/zero", "cannot be read here"),
        ("rules: mines=4", "rules: mines=x", "mines 'x' cannot be read"),
        ("agent: single-point", "agent: a\nagent: b", "line 6: .* no step and no"),
    ],
)
def test_broken_transcripts_are_refused(old: str, new: str, message: str) -> None:
    text = play("5x5/4", "single-point", 9).text
    assert old in text
    with pytest.raises(NotationError, match=message) as caught:
        Transcript.parse(text.replace(old, new))
    assert len(str(caught.value).splitlines()) == 1


def test_a_game_is_read_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = play("5x5/4", "single-point", 9)
    path = tmp_path / "lost.game"
    path.write_text(game.text, encoding="utf-8")
    assert Transcript.read(path) == Transcript.read(str(path)) == game
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(game.text.encode())))
    assert Transcript.read("-") == game


def test_a_file_that_is_no_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lost.game"
    path.write_text(play("5x5/4", "single-point", 9).text.replace("1 open ", "1 jump "))
    with pytest.raises(NotationError, match=r"lost\.game: line 8: step"):
        Transcript.read(path)
    with pytest.raises(NotationError, match=r"cannot be read: .*accepted: a readable file or -"):
        Transcript.read(tmp_path / "none.game")
