"""A comparison as a page: what it tells, and that a stranger's words stay text."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import mineproof as mp
from mineproof.lab.comparison_page import comparison_page
from mineproof.match.luck import luck_of
from mineproof.view.view import View


class Fails:
    """Opens a cell, then breaks."""

    def act(self, view: View) -> int:
        if view.opened_count:
            raise ValueError("<b>no & more</b>")
        return 0


def test_the_table_the_pairs_and_the_failures_are_there() -> None:
    compared = mp.compare([Fails(), "exact"], board="4x4/3", games=6, seed=1)
    page = comparison_page(compared)
    failing, exact = compared.results
    said = unescape(page)
    assert exact.agent in said
    assert f"{100 * exact.rate:.1f} %" in said
    assert "Games lost by failing" in said
    assert "<b>no & more</b>" in said
    assert "<b>no" not in page
    assert sum(count for _, count in failing.failures) > 0
    assert "knows more than it was shown" not in said


def test_who_knows_too_much_is_named() -> None:
    compared = mp.compare([Fails(), "exact"], board="4x4/3", games=2, seed=1)
    cheat = replace(compared.results[0], luck=luck_of([0.5] * 40))
    page = comparison_page(replace(compared, results=(cheat, compared.results[1])))
    assert "knows more than it was shown" in unescape(page)


def test_boards_and_scores_have_their_tables() -> None:
    compared = mp.compare(
        ["single-point", "sat"], board=["4x4/3", "4x4/5"], games=3, on_mine="continue"
    )
    said = unescape(comparison_page(compared))
    assert "Mean score" in said
    assert "square:4x4/5" in said
