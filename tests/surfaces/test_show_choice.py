"""Which way `play` shows a game."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from mineproof.board.worlds import World, parse_worlds
from mineproof.surfaces.cli import show_choice
from mineproof.surfaces.cli.play_options import PlayOptions
from mineproof.surfaces.cli.shows import BoardsShow, LinesShow, LiveShow


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=StringIO(), width=80, height=40, force_terminal=True)
    monkeypatch.setattr(show_choice, "stdout_console", lambda: console)


@pytest.fixture
def world() -> World:
    return parse_worlds("S1\n1 1\n1 t\n")[0]


@pytest.mark.usefixtures("terminal")
def test_a_world_is_printed_board_by_board_on_a_terminal_too(world: World) -> None:
    def shown(**options: bool) -> object:
        asked = PlayOptions(worlds="worlds.txt", world="S1", **options)  # type: ignore[arg-type]
        return show_choice.choose_show(asked, world)

    assert type(shown()) is BoardsShow
    assert type(shown(live=True)) is LiveShow
    assert type(shown(boards=False)) is LiveShow
    assert type(shown(boards=False, live=False)) is LinesShow


@pytest.mark.usefixtures("terminal")
def test_a_board_is_redrawn_in_place_on_a_terminal() -> None:
    asked = PlayOptions(board="5x5/4")
    assert type(show_choice.choose_show(asked, "5x5/4")) is LiveShow
