"""Games that carry proofs: they are checked without any engine, and are read back."""

from __future__ import annotations

import json

import pytest

import mineproof as mp
from mineproof.agents.decision import Action, Decision, Proved
from mineproof.board.lattices import LATTICES
from mineproof.errors import NotationError
from mineproof.match.row import row_of
from mineproof.match.transcript import Transcript
from mineproof.proofs.checker import check_proof
from mineproof.proofs.documents import read_documents

BOARDS = {
    "square": "square:6x6/6",
    "square4": "square4:5x6/6",
    "torus": "torus:5x6/5",
    "hex": "hex:6x6/6",
    "hexagon": "hexagon:4/6",
    "triangle": "triangle:4x8/5",
    "cube": "cube:3x3x4/4",
    "graph": "graph:0-1,1-2,2-3,3-4,4-0,0-2,4-5,5-6,6-1/1",
}


def test_every_topology_has_a_board_here():
    assert set(BOARDS) == set(LATTICES)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize("agent", ["exact", "single-point", "partition[order=mines-first]"])
def test_every_proved_step_has_a_proof_that_is_accepted(board, agent):
    for index in range(3):
        game = mp.play(board, agent, seed=8, index=index, proofs=True)
        plain = mp.play(board, agent, seed=8, index=index)
        assert game.outcome == plain.outcome
        assert row_of(game) == row_of(plain)
        for number, (view, step) in enumerate(zip(game.views(), game.steps, strict=False), 1):
            reason = step.decision.reason
            assert (number in game.proofs) == isinstance(reason, Proved)
            if number not in game.proofs:
                continue
            (proof,) = read_documents(game.proofs[number], view)
            assert check_proof(proof, view).accepted
            assert proof.cell == step.decision.cell
            mine = step.decision.action is Action.FLAG
            assert proof.claim.value == ("mine" if mine else "safe")
            assert (reason.premises.clues, reason.premises.total) == (proof.clues, proof.uses_total)
        again = Transcript.parse(game.text)
        assert again == game
        assert again.to_json() == game.to_json()


def test_the_json_of_a_game_is_checked_by_the_command(command, tmp_path):
    ran = command(
        "play", "--board", "beginner", "--agent", "exact", "--seed", "3", "--json", "--proofs"
    )
    steps = json.loads(ran.out)["steps"]
    proved = [step["reason"] for step in steps if step["reason"]["kind"] == "proved"]
    assert len(proved) > 10
    for reason in proved:
        proof, position = tmp_path / "proof.json", tmp_path / "position.txt"
        proof.write_text(json.dumps(reason["proof"]))
        position.write_text(reason["view"])
        assert reason["proof"]["premises"] == reason["premises"]
        assert command("check-proof", str(proof), str(position)).out.startswith("accepted: ")


class Liar:
    """Calls every move proved."""

    def act(self, view):
        return Decision.open(view.hidden[0], Proved("trust-me"))


def test_what_is_not_certain_has_no_proof():
    game = mp.play("5x5/6", Liar(), seed=1, proofs=True)
    assert 1 not in game.proofs
    assert isinstance(game.steps[0].decision.reason, Proved)


def test_a_proof_of_no_step_is_refused():
    text = mp.play("4x4/2", "exact", seed=3).text
    broken = text.replace("1 open", "| mineproof proof 1\n1 open", 1)
    with pytest.raises(NotationError, match="is a proof of no step"):
        Transcript.parse(broken)


def test_the_lines_of_a_game_tell_its_proofs(command, tmp_path):
    game = ("play", "--board", "beginner", "--agent", "exact", "--seed", "3", "--proofs")
    out = command(*game, "--no-live").out
    assert "   The 1 at 5,8 puts one mine in 4,7 or 4,8. The 1 at 5,7 has its mine there" in out
    file = tmp_path / "game.txt"
    assert command(*game, "--quiet", "--transcript", str(file)).status == 0
    assert Transcript.parse(file.read_text(encoding="utf-8")).proofs


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--quiet"], "--quiet shows no proofs; accepted: with --transcript FILE"),
        (["--agent", "human"], "--proofs explains an agent's moves; accepted: any agent but human"),
    ],
)
def test_refusals(command, options, said):
    ran = command("play", "--proofs", *options)
    assert ran.status == 2
    assert said in ran.err
