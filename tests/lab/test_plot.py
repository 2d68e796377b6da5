"""Plots: what is drawn against what, read from the figure itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.collections import LineCollection, PolyCollection

import mineproof as mp
from mineproof.errors import InputError
from mineproof.lab.comparison import Comparison
from mineproof.lab.figures.draw import figure_style, legend_name, look
from mineproof.lab.plot import comparison_figure, plot_comparison

AGENTS = ["random", "single-point"]


def figure_of(comparison: Comparison):
    with figure_style():
        return comparison_figure(comparison)


def names_of(figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


@pytest.mark.parametrize(
    ("board", "label", "at", "rules", "y_label"),
    [
        ("5x5/2..6:2", "mines", [2, 4, 6], {}, "games won (95 % intervals)"),
        (
            "5x5/0.1..0.3:0.1",
            "density",
            [0.1, 0.2, 0.3],
            {"on_mine": "continue"},
            "mean score (95 % intervals)",
        ),
    ],
)
def test_a_range_is_a_curve_for_each_agent(
    board: str, label: str, at: list[float], rules: dict[str, str], y_label: str
) -> None:
    found = mp.compare(AGENTS, board, games=6, seed=1, **rules)
    figure = figure_of(found)
    (axes,) = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == (label, y_label)
    assert names_of(figure) == AGENTS
    for result, line, band in zip(found.results, axes.lines, axes.collections, strict=True):
        own = [place for place in found.places if place.agent == result.agent]
        assert list(line.get_xdata()) == pytest.approx(at)
        assert list(line.get_ydata()) == [place.reached.value for place in own]
        edges = band.get_paths()[0].vertices[:, 1]
        assert min(edges) == min(place.reached.interval.low for place in own) >= 0
        assert max(edges) == max(place.reached.interval.high for place in own) <= 1


def test_many_agents_have_bars_and_the_axes_keep_their_room() -> None:
    agents = ["random", "single-point", "partition", "gauss", "sat", "reductio", "resolution"]
    few = figure_of(mp.compare(agents[:5], "4x4/2..3:1", games=2))
    many = figure_of(mp.compare(agents, "4x4/2..3:1", games=2))
    assert all(isinstance(one, PolyCollection) for one in few.axes[0].collections)
    assert all(isinstance(one, LineCollection) for one in many.axes[0].collections)
    assert (len(few.axes[0].collections), len(many.axes[0].collections)) == (5, 7)
    assert many.get_figheight() > few.get_figheight()


def test_boards_in_any_order_make_a_curve_from_left_to_right() -> None:
    found = mp.compare(["random"], ["5x5/6", "5x5/2"], games=2)
    (line,) = figure_of(found).axes[0].lines
    assert list(line.get_xdata()) == [2, 6]


def test_the_axis_names_the_mines_that_were_played() -> None:
    found = mp.compare(["random"], "9x9/5..25:5", games=2)
    with figure_style():
        axes = comparison_figure(found).axes[0]
    assert list(axes.get_xticks()) == [5, 10, 15, 20, 25]


def test_other_boards_are_dots_by_board() -> None:
    found = mp.compare(AGENTS, ["5x5/4", "hex:4x4/3"], games=6, seed=1)
    figure = figure_of(found)
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["square:5x5/4", "hex:4x4/3"]
    assert names_of(figure) == AGENTS
    assert axes.get_xlabel() == "games won (95 % intervals)"


def test_one_board_is_a_line_for_each_agent() -> None:
    found = mp.compare(AGENTS, "5x5/4", games=6, seed=1, on_mine="continue")
    figure = figure_of(found)
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_yticklabels()] == AGENTS
    assert names_of(figure) == []
    assert axes.get_xlabel() == "mean score (95 % intervals)"
    assert axes.get_title() == "square:5x5/4"


def test_names_are_no_formulas_and_none_is_left_out(tmp_path: Path) -> None:
    for name in ("_mine.py", "a$b$c.py"):
        (tmp_path / name).write_text(
            "class Mine:\n    def act(self, view):\n        return view.hidden[0]\n"
        )
    agents = [str(tmp_path / "a$b$c.py"), "random"]
    figure = figure_of(mp.compare(agents, "4x4/1..2:1", games=1))
    assert names_of(figure) == [legend_name(agents[0]), "random"]
    figure.savefig(tmp_path / "x.svg")
    assert legend_name("_mine.py") == " _mine.py"
    assert len(legend_name("x" * 300)) == 80


def test_the_first_49_series_look_different() -> None:
    assert len({look(number)[:2] for number in range(49)}) == 49


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_files_by_their_ending(tmp_path: Path, ending: str) -> None:
    found = mp.compare(["random"], "4x4/1..3:1", games=2)
    plot_comparison(found, tmp_path / f"x.{ending}")
    assert (tmp_path / f"x.{ending}").stat().st_size > 1000
    with pytest.raises(InputError, match="a file ending in"):
        plot_comparison(found, tmp_path / "x.txt")
    with pytest.raises(InputError, match="cannot be written"):
        plot_comparison(found, tmp_path / "nowhere" / f"x.{ending}")
