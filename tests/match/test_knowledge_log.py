"""How much an agent knows, step by step."""

from __future__ import annotations

from mineproof.agents.catalog import parse_agent
from mineproof.match import play
from mineproof.match.knowledge_log import KnowledgeLog, statements_of
from mineproof.match.naming_premises import NamingPremises
from mineproof.view import View


class Silent:
    """An agent that tells nothing of what it knows."""

    def act(self, view: View) -> int:
        return view.hidden[0]


def test_every_step_has_its_size() -> None:
    log = KnowledgeLog(NamingPremises(parse_agent("resolution").make()))
    game = play("16x16/25", log, 4, given="random:8", goal="mark-all")
    assert [size.step for size in log.sizes] == list(range(1, len(game.steps) + 1))
    views = list(game.views())
    last = log.sizes[-1]
    assert last.hidden == views[-2].hidden_count - views[-2].flag_count
    assert max(size.statements or 0 for size in log.sizes) > 10
    assert log.sizes[0].to_json().keys() == {"step", "statements", "open_clues", "hidden"}


def test_a_clue_is_open_while_it_touches_a_cell_neither_open_nor_flagged() -> None:
    view = View.parse("square 1x4 mines=1\n.101")
    log = KnowledgeLog(Silent())
    log.act(view)
    log.act(view.toggle_flag(0))
    assert [size.open_clues for size in log.sizes] == [1, 0]


def test_an_agent_that_tells_nothing_has_no_statements() -> None:
    log = KnowledgeLog(Silent())
    play("4x4/2", log, 1)
    assert {size.statements for size in log.sizes} == {None}
    log = KnowledgeLog(NamingPremises(parse_agent("random").make()))
    play("4x4/2", log, 1)
    assert log.sizes


def test_known_cells_are_no_statements() -> None:
    assert statements_of("-0,0 or -0,2\nsafe: 0,1\nmines: none") == (
        ["-0,0 or -0,2"],
        ["safe: 0,1", "mines: none"],
    )
    assert statements_of("") == ([], [])
