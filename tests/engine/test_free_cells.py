"""Cells that the rules keep free of mines: in the view, engine, logics, proofs, environments."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

import mineproof as mp
from mineproof.agents.catalog import LOGICS
from mineproof.engine.analysis import infer
from mineproof.engine.enumerate import weights
from mineproof.engine.exact import settled_cells
from mineproof.engine.twin import TwinAnalysis
from mineproof.envs.batch import Autoreset, GameSetup, make_batch
from mineproof.envs.games import views_of
from mineproof.proofs import documents
from mineproof.view.setting import Setting
from mineproof.view.view import View
from tests.core import players_need_core

TEXT = "square 2x4 mines=2 clues=cautious free=0,1;1,0;1,1\n2...\n....\n"

RULES = [
    "first-click=opening clues=cautious",
    "first-click=opening clues=noisy:0.2 total=unknown",
    "first-click=opening clues=withheld:0.3",
    "first-click=opening cascade=off total=unknown",
    "given=corner+centre first-click=opening clues=optimistic",
    "given=random:2 total=unknown clues=withheld:0.3",
]


def positions(rules: str, seeds: int = 2) -> list[View]:
    """Views of a few games with random moves."""
    found = []
    for board in ("4x4/3", "4x4/~20%", "hex:4x3/uniform"):
        for seed in range(seeds):
            referee, rng = mp.Referee(board, seed, rules=rules), random.Random(seed)
            for _ in range(3):
                free = [cell for cell in referee.view.hidden if not referee.over]
                if not free:
                    break
                try:
                    referee.open(rng.choice(free))
                except mp.IllegalMove:  # no room for an opening there
                    continue
                found.append(referee.view)
    return found


def test_a_view_carries_them_until_they_open() -> None:
    view = mp.View.parse(TEXT)
    assert view.free.names == ("0,1", "1,0", "1,1")
    assert view.text == TEXT
    assert mp.View.parse(view.text) == view
    bare = mp.View.parse(TEXT.replace(" free=0,1;1,0;1,1", ""))
    assert view != bare
    assert view == bare.with_free([(0, 1), (1, 0), (1, 1)])
    later = view.reveal({(0, 1): 1})
    assert later.free.names == ("1,0", "1,1")
    assert view.free.names == ("0,1", "1,0", "1,1")
    assert view.with_rules("mines=1 clues=optimistic").free == view.free
    assert view.with_free([(0, 0)]) is view  # it is open already
    with pytest.raises(mp.InputError, match="0,3 is an opened mine"):
        bare.reveal({(0, 3): mp.Mark.MINE}).with_free([(0, 3)])
    with pytest.raises(mp.InputError, match="0,1 is kept free by the rules"):
        view.reveal({(0, 1): mp.Mark.MINE})


@pytest.mark.parametrize("free", ["free=9,9", "free=", "free=0,1 free=1,0", "free=nowhere"])
def test_a_malformed_header_names_its_line(free: str) -> None:
    with pytest.raises(mp.NotationError, match="line 1"):
        mp.View.parse(f"square 1x3 mines=1 clues=cautious {free}\n1..")


def test_the_referee_tells_what_the_deal_keeps_free() -> None:
    referee = mp.Referee("6x6/8", 1, first_click="opening", clues="cautious")
    assert not referee.view.free
    view = referee.open((0, 0))
    assert view.free.names == ("0,1", "1,0", "1,1")
    assert mp.analyze(view).safe.mask & view.free.mask == view.free.mask
    given = mp.Referee("6x6/4", 1, given="0,0", first_click="opening", clues="cautious").view
    assert given.free.names == ("0,1", "1,0", "1,1")


@pytest.mark.parametrize("rules", RULES)
def test_engine_session_twin_and_oracle_agree(rules: str) -> None:
    session = None
    for view in positions(rules):
        assert mp.View.parse(view.text) == view
        whole, mined = weights(view)
        found, twin = mp.analyze(view), TwinAnalysis(view)
        assert twin.fractions() == {cell: mined[cell] / whole for cell in view.hidden}
        assert np.allclose(found.p.array, twin.p.array, atol=1e-12)
        assert (found.safe, found.mines) == (twin.safe, twin.mines)
        assert set(view.free) <= set(found.safe)
        assert found.solutions == twin.solutions
        assert set(view.free) <= set(settled_cells(view)[0])
        if session is None or view.opened_since(session.view) is None:
            session = mp.Session(view)
        else:
            session.follow(view)
        assert np.allclose(session.p.array, twin.p.array, atol=1e-12)
        assert not found.safe or found.least_risk == twin.least_risk


def test_a_session_reports_each_certain_cell_once() -> None:
    referee = mp.Referee("6x6/4", 3, first_click="opening", clues="withheld:0.3")
    session, told = mp.Session(referee.view), list[int]()
    while not referee.over:
        while any(new := session.newly_certain()):
            told += [*new[0], *new[1]]
        safe = list(mp.analyze(referee.view).safe)
        assert set(safe) <= set(told)
        assert len(set(told)) == len(told)
        if not safe and referee.view.opened_count:
            break
        session.follow(referee.open(safe[0] if safe else 14))


@pytest.mark.parametrize("rules", RULES[:4])
def test_proofs_may_cite_the_rule(rules: str) -> None:
    for view in positions(rules, 1):
        found, analysis = mp.explain_all(view), mp.analyze(view)
        assert {p.cell for p in found.proofs} == {*analysis.safe, *analysis.mines}
        for proof in (*found.proofs, *([found.uncertain] if found.uncertain else [])):
            assert mp.check_proof(proof, view)
            text = documents.to_text(proof)
            assert documents.read_documents(text, view) == [proof]
            assert list(documents.from_json(documents.to_json(proof), view)) == [proof]


def test_the_rule_is_a_premise_in_words_and_a_forged_one_is_rejected() -> None:
    view = mp.View.parse("square 1x4 mines=2 clues=withheld:0.3 free=0,2\n.1..")
    proof = mp.explain(view, (0, 2))
    assert isinstance(proof, mp.Proof)
    assert str(proof) == "By the rule of the first click 0,2 is safe."
    assert proof.technique.name == "first click"
    mine = mp.explain(view, (0, 0))
    assert isinstance(mine, mp.Proof)
    assert mine.clues == (1, 2)
    assert "the rule of the first click" in mine.summary
    other = mp.View.parse("square 1x4 mines=2 clues=withheld:0.3\n.1..")
    text = documents.to_text(mine).replace(mine.position, documents.digest(other))
    (forged,) = documents.read_documents(text, other)
    verdict = mp.check_proof(forged, other)
    assert not verdict
    assert "is not kept free by the rules" in verdict.reason


@pytest.mark.parametrize("name", players_need_core(sorted({*LOGICS} - {"none"})))
def test_every_logic_proves_them(name: str) -> None:
    view = mp.Referee("5x5/4", 2, first_click="opening", clues="cautious").open((2, 2))
    assert view.free
    verdict = infer(LOGICS[name].make(), view)
    assert set(view.free) <= set(verdict.safe)


def test_a_trusted_flag_on_one_is_a_contradiction() -> None:
    view = mp.View.parse(TEXT).toggle_flag((1, 0))
    for answer in (mp.analyze, TwinAnalysis):
        with pytest.raises(mp.InconsistentPosition, match="the flag at 1,0"):
            answer(view, trust_flags=True)


def test_environments_know_them() -> None:
    for rules in ("first-click=opening clues=cautious", "first-click=opening total=unknown"):
        play = GameSetup(Setting.of("6x6/8", rules), True, False, 50)
        batch = make_batch(play, 3, 1, Autoreset.SAME_STEP)
        batch.reset(None, [1, 2, 3], 0)
        batch.step(np.array([14, 50, 0], dtype=np.int64))
        batch.step(np.array([14, 15, 0], dtype=np.int64))
        referees = [mp.Referee("6x6/8", seed, rules=rules) for seed in (1, 2, 3)]
        referees[0].open(14)
        referees[1].flag(14), referees[1].open(15)
        referees[2].open(0)
        views = views_of(play, batch.shown, batch.mines_left, batch.first)
        assert views == [referee.view for referee in referees]


# -- What a player believes who is not told the total ---------------------------


@pytest.mark.parametrize(
    ("rules", "chance"),
    [
        ("first-click=opening clues=optimistic", "5/16"),
        ("first-click=safe", "5/24"),
        ("first-click=any", "1/5"),
        ("given=corner+centre first-click=any", "5/23"),
    ],
)
def test_the_belief_follows_what_the_rules_keep_free(rules: str, chance: str) -> None:
    referee = mp.Referee("5x5/5", 1, rules=f"{rules} total=unknown cascade=off")
    view = referee.view if referee.given else referee.open((2, 2))
    assert view.density == Fraction(chance)
    assert mp.analyze(view).fractions()[4] == Fraction(chance)


def test_a_uniform_number_is_drawn_among_the_cells_that_may_have_a_mine() -> None:
    # Of 1x3 one cell is free; two mines are as likely as one, and one lies left or right.
    view = View(mp.Topology.parse("1x3"), "mines=uniform:2 total=unknown", [0])
    assert mp.analyze(view).fractions() == {0: 0, 1: Fraction(3, 4), 2: Fraction(3, 4)}
    assert np.allclose(mp.analyze(view).p.array, [0, 0.75, 0.75])
    assert view.text.startswith("square 1x3 mines=unknown density=uniform:2 free=0,0")
    with pytest.raises(mp.InputError, match="at most uniform:3"):
        View(mp.Topology.parse("1x3"), "mines=uniform:4 total=unknown")
    with pytest.raises(mp.InputError, match="told to a player; accepted: uniform"):
        mp.Board("1x3", "uniform:2")


def test_cells_drawn_as_given_say_that_there_are_more_safe_ones() -> None:
    view = mp.View.parse(
        "square 1x3 mines=unknown density=1/2 given=random:1\n??.".replace("??", "?.")
    )
    # One of three layouts' safe cells was drawn: with more mines there were fewer to draw from.
    chances = mp.analyze(
        view.with_rules("mines=~1/2 total=unknown given=random:1 clues=withheld:1")
    )
    assert chances.fractions()[2] == Fraction(9, 14)
