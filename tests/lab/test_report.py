"""Pages and figures: reports, comparisons, walks through a game, and plots."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.collections import LineCollection, PolyCollection

import mineproof as mp
from mineproof.agents.catalog import parse_agent
from mineproof.errors import InputError, LabError
from mineproof.game import Transcript, play
from mineproof.game.annotate import KnowledgeLog, KnowledgeSize
from mineproof.game.luck import luck_of
from mineproof.game.narration import frames
from mineproof.lab.comparison import Comparison
from mineproof.lab.figures import (
    Curve,
    Point,
    bars,
    comparison_figure,
    curves,
    figure_style,
    knowledge_figure,
    legend_name,
    plot_comparison,
    saved_svg,
    series_style,
)
from mineproof.lab.report import (
    Agreement,
    Card,
    Claims,
    Estimate,
    Figure,
    Page,
    Part,
    ReportClaim,
    Section,
    Strip,
    SummaryLine,
    Table,
    Text,
    comparison_page,
    render,
    walk_page,
    write_page,
)
from mineproof.view.view import View

# ----------------------------------------------------------------------------
# The page as a text: escaped, self-contained, the same every time; its data as CSV.


HOSTILE = "<script>alert('x')</script>&\"]]>"


def figure(name: str = "figure", label: str = "score") -> str:
    points = tuple(Point(x, x / 10, x / 10 - 0.05, x / 10 + 0.05) for x in range(10))
    series = [Curve(label, points), Curve("published", points[:2], published=True)]
    return curves(name, f"A <figure> of {label}", series, x_label="x", y_label=label)


def page() -> Page:
    table = Table(
        "table",
        HOSTILE,
        ("agent", HOSTILE, "rate"),
        ((HOSTILE, 3, Estimate(0.5, 0.4, 0.6, True)), ("b", None, Estimate(0.25, 0.2, 0.3, True))),
        HOSTILE,
    )
    blocks = (
        Text(HOSTILE),
        table,
        Figure("figure", HOSTILE, figure(label=HOSTILE), table),
        Claims(HOSTILE, (ReportClaim(HOSTILE, Agreement.HOLDS, HOSTILE),)),
        Strip(HOSTILE, ((HOSTILE, '<svg xmlns="http://www.w3.org/2000/svg"/>'),)),
    )
    line = SummaryLine(HOSTILE, HOSTILE, HOSTILE, HOSTILE, Agreement.NOTHING, HOSTILE)
    card = Card(HOSTILE, figure("card"), HOSTILE, Agreement.NOTHING, HOSTILE, HOSTILE)
    part = Part(HOSTILE, HOSTILE, blocks)
    section = Section("000", HOSTILE, (part,), (line,), card)
    return Page(HOSTILE, (HOSTILE,), (section,), ((HOSTILE, HOSTILE),), ((HOSTILE, HOSTILE),))


def test_names_are_escaped() -> None:
    text = render(page())
    assert text.count("<script>") == 1
    assert "<script>alert" not in text


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = render(page())
    names = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert set(re.findall(r"https?://[^\s\"'<>)]+", text)) <= names
    for target in re.findall(r'(?:href|src)="([^"]*)"', text):
        assert target.startswith(("#", "data:"))


def test_the_same_report_is_the_same_text() -> None:
    assert render(page()) == render(page())


def test_ids_of_figures_do_not_meet() -> None:
    first = set(re.findall(r'\bid="([^"]+)"', figure("first")))
    second = set(re.findall(r'\bid="([^"]+)"', figure("second")))
    assert first
    assert not first & second
    used = set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", figure("first")))
    assert {name for pair in used for name in pair if name} <= first


@pytest.mark.parametrize("kind", ["curves", "bars"])
def test_figures_are_wellformed_and_take_the_colours_of_the_page(kind: str) -> None:
    points = (Point(0, 0.2, 0.1, 0.3), Point(1, 0.4))
    series = [Curve("a", points), Curve("theirs", points, published=True)]
    svg = (
        curves("f", "t", series, x_label="x", y_label="y", log=True)
        if kind == "curves"
        else bars("f", "t", ["one", "two"], series, y_label="y", percent=True, y_range=(0, 1))
    )
    root = ElementTree.fromstring(saved_svg(svg).split("\n", 1)[1])
    assert root.tag.endswith("svg")
    assert "var(--ink, #1b1f24)" in svg
    assert "var(--blue, #0072b2)" in svg
    assert "<style" not in svg
    assert ">theirs<" in svg


def test_an_estimate_takes_three_columns_of_csv() -> None:
    table = Table(
        "t", "t", ("agent", "rate"), (("a,b", Estimate(0.5, 0.4, 0.6, True)), ("c", None))
    )
    rows = list(csv.reader(io.StringIO(table.csv)))
    assert rows == [
        ["agent", "rate", "rate low", "rate high"],
        ["a,b", "0.5", "0.4", "0.6"],
        ["c", "", "", ""],
    ]


def test_the_page_and_its_files_are_written(tmp_path: Path) -> None:
    path = write_page(page(), tmp_path / "new")
    assert path.read_text(encoding="utf-8") == render(page())
    assert (tmp_path / "new" / "figures" / "figure.svg").exists()
    assert (tmp_path / "new" / "data" / "table.csv").exists()
    assert not list((tmp_path / "new").rglob("*.aside"))


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot be written"):
        write_page(page(), tmp_path / "file")


# ----------------------------------------------------------------------------
# A comparison as a page: what it tells, and that a stranger's words stay text.


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


# ----------------------------------------------------------------------------
# The page to walk through a game: escaped, self-contained, the same every time.


BOARDS = ["5x5/4", "hex:4x4/3", "triangle:3x6/3", "cube:3x3x3/2", "graph:0-1,1-2,2-3/1"]


def changes(page: str) -> list[dict[str, object]]:
    found = re.search(r'id="frames">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: list[dict[str, object]] = json.loads(found[1])
    return data


def logged(board: str, agent: str, seed: int) -> tuple[Transcript, list[KnowledgeSize]]:
    log = KnowledgeLog(parse_agent(agent).make())
    return play(board, log, seed), log.sizes


@pytest.mark.parametrize("board", BOARDS)
def test_every_step_is_on_the_page(board: str) -> None:
    game, sizes = logged(board, "single-point", 2)
    page = walk_page(game, board, sizes)
    assert page == walk_page(game, board, sizes)
    for frame in frames(game):
        assert f"<li><p>{frame.text}</p>" in page
    assert len(changes(page)) == len(game.steps) + 2
    assert "steps guessed: 1" in page
    assert "before the step: " in page
    assert page.count("<g>") == len(game.topology)


def test_what_changes_adds_up_to_the_board_after_every_step() -> None:
    game, _ = logged("9x9/10", "single-point", 1)
    looks: dict[int, list[str]] = {}
    for frame, one in zip(frames(game), changes(walk_page(game, "game")), strict=False):
        assert isinstance(one["cells"], list)
        looks.update({cell: look for cell, *look in one["cells"]})
        shown = [looks[cell][1] for cell in frame.view.topology.cells]
        view = frame.view
        clues = [str(view.clue(cell) or "") for cell in range(81)]
        assert shown == ["F" if view.is_flagged(cell) else clues[cell] for cell in range(81)]
        blue = {cell for cell, look in looks.items() if "premise" in look[3]}
        assert blue == set(frame.premises)


def test_nothing_is_taken_for_code_and_nothing_is_fetched() -> None:
    game, sizes = logged("4x4/2", "single-point", 2)
    page = walk_page(game, HOSTILE, sizes)
    assert "<script>alert" not in page
    assert "default-src 'none'" in page.replace("&#x27;", "'")
    assert "eval(" not in page
    assert not re.search(r"\b(?:src|href)=\"(?!data:)", page)
    assert page.count("http") == page.count("http-equiv") + page.count("http://www.w3.org/2000/svg")


def test_the_figure_is_of_the_knowledge_base_or_of_the_clues() -> None:
    _, sizes = logged("9x9/10", "resolution", 1)
    assert "statements in the knowledge base" in knowledge_figure("a game", sizes)
    silent = [KnowledgeSize(size.step, None, size.open_clues, size.hidden) for size in sizes]
    figure = knowledge_figure("a game", silent)
    assert "clues at hidden cells" in figure
    assert figure.startswith("<?xml")
    few = knowledge_figure("a game", [KnowledgeSize(step, 2 - step, 1, 3) for step in (0, 1, 2)])
    ticks = re.findall(r">([\d.]+)</text>", few)
    assert ticks
    assert all(tick.isdigit() for tick in ticks)  # statements and steps are counted


# ----------------------------------------------------------------------------
# Plots: what is drawn against what, read from the figure itself.


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
    assert len({series_style(number)[:2] for number in range(49)}) == 49


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_files_by_their_ending(tmp_path: Path, ending: str) -> None:
    found = mp.compare(["random"], "4x4/1..3:1", games=2)
    plot_comparison(found, tmp_path / f"x.{ending}")
    assert (tmp_path / f"x.{ending}").stat().st_size > 1000
    with pytest.raises(InputError, match="a file ending in"):
        plot_comparison(found, tmp_path / "x.txt")
    with pytest.raises(InputError, match="cannot be written"):
        plot_comparison(found, tmp_path / "nowhere" / f"x.{ending}")
