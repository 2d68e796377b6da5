"""Recorded games: every version of every format read, counted as players count, and damaged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.board.layout import measure
from mineproof.replay.clicks import Effect
from mineproof.replay.record import MouseEvent, Replay, name_of
from mineproof.replay.zini import ClickParts, best_zini, greedy_plan
from tests.replay.encoders import ENCODERS, Recorded, evf, random_game, rmv
from tests.replay.mutations import damage

ORACLE = """
import json, sys
import ms_toollib as ms
kinds = {"avf": ms.AvfVideo, "rmv": ms.RmvVideo, "mvf": ms.MvfVideo, "evf": ms.EvfVideo}
keys = "rtime zini hzini op isl left right double ce bbbv_solved ioe corr thrp rqp qg stnb path"
for path in sys.argv[1:]:
    video = kinds[path.rpartition(".")[2]](path)
    video.parse()
    video.analyse()
    video.analyse_for_features(["pluck"])
    video.current_time = 9e9
    print(json.dumps({key: getattr(video, key) for key in [*keys.split(), "pluck"]}))
"""
NAMES = {
    "time": "rtime",
    "openings": "op",
    "islands": "isl",
    "effective": "ce",
    "solved": "bbbv_solved",
}
KEYS = (
    *("time", "openings", "islands", "zini", "hzini", "left", "right", "double", "effective"),
    *("solved", "ioe", "corr", "thrp", "rqp", "qg", "path"),
)


def oracle(paths: list[Path]) -> list[dict[str, Any]]:
    """What ms_toollib says of these files, in a process of its own: it can end the interpreter."""
    names = [str(path) for path in paths]
    run = subprocess.run(
        [sys.executable, "-c", ORACLE, *names], capture_output=True, text=True, check=False
    )
    assert not run.returncode, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.parametrize("version", ENCODERS)
def test_every_version_is_read_as_it_was_written(version: str) -> None:
    ending, encode = ENCODERS[version]
    game = random_game(1, 16, 16, 40)
    game.player = b"Ada"
    replay = Replay.parse(encode(game))
    assert replay.format == ending
    assert replay.player == "Ada"
    assert (replay.rows, replay.cols) == (16, 16)
    assert sorted(map(divmod_16, replay.layout.cells)) == sorted(game.mines)
    # Formats that keep the state of the buttons write a move and a press as one event.
    pressed = [(time, kind, x, y) for time, kind, x, y in game.events if kind != "mv"]
    read = [(e.time, e.kind.value, e.x, e.y) for e in replay.events if e.kind.value != "mv"]
    # The place of the first press is that of the release in RMV, which leaves the press out.
    assert read[1:] == pressed[1:]
    assert read[0][1] == "lc"


def divmod_16(cell: int) -> tuple[int, int]:
    return divmod(cell, 16)


def comparable(version: str) -> bool:
    """Whether ms_toollib reads this version: of Clone it knows one."""
    return not version.startswith("mvf") or version == "mvf 0.97"


@pytest.mark.parametrize("version", [name for name in ENCODERS if comparable(name)])
def test_the_statistics_are_those_of_ms_toollib(version: str, tmp_path: Path) -> None:
    ending, encode = ENCODERS[version]
    sizes = [(8, 8, 10), (16, 16, 40), (9, 12, 6), (16, 30, 99)]
    paths = []
    for seed in range(12):
        path = tmp_path / f"{seed}.{ending}"
        path.write_bytes(encode(random_game(seed, *sizes[seed % 4])))
        paths.append(path)
    for path, theirs in zip(paths, oracle(paths), strict=True):
        ours = Replay.read(path).statistics.values
        if not theirs["bbbv_solved"]:
            theirs |= {"rqp": None, "qg": None}
        expected = {key: theirs[NAMES.get(key, key)] for key in KEYS}
        assert {key: ours[key] for key in KEYS} == expected


def test_pluck_is_that_of_ms_toollib(tmp_path: Path) -> None:
    paths = []
    for seed in range(60):
        path = tmp_path / f"{seed}.evf"
        path.write_bytes(evf(won_game(seed)))
        paths.append(path)
    found = [Replay.read(path) for path in paths]
    assert all(replay.transcript.outcome.won for replay in found)
    for replay, theirs in zip(found, oracle(paths), strict=True):
        assert replay.statistics.pluck == pytest.approx(theirs["pluck"], abs=1e-9)
        assert replay.statistics.values["stnb"] == theirs["stnb"]


def won_game(seed: int) -> Recorded:
    """A game that opens every safe cell, in an order of chance."""
    game = random_game(seed)
    game.events = game.events[:2]
    laid = set(game.mines)
    order = [(row, col) for row in range(8) for col in range(8) if (row, col) not in laid]
    for number, (row, col) in enumerate(sorted(order, key=lambda place: hash((seed, place)))):
        time = 10 * number
        game.events += [(time, kind, 16 * col + 3, 16 * row + 5) for kind in ("lc", "lr")]
    game.seconds = 1.5
    cells = [row * 8 + col for row, col in game.mines]
    game.three_bv = measure(mp.Layout.of("8x8", cells)).three_bv
    return game


# -- clicks --------------------------------------------------------------------

SMALL = Recorded(1, 4, [(0, 1)], [])


def played(events: list[tuple[str, int]], **changes: Any) -> Replay:
    """A game on `0*10` whose events each have a column; 9 is off the board."""
    game = Recorded(1, 4, [(0, 1)], [(10 * n, k, 16 * c + 1, 1) for n, (k, c) in enumerate(events)])
    return Replay.parse(evf(game))


def test_a_chord_and_a_flag_are_clicks_and_an_idle_right_press_is_none() -> None:
    replay = played([("lc", 0), ("lr", 0), ("rc", 1), ("rr", 1), *CHORD_AT_0])
    record = replay.played
    assert [click.action.value for click in record.moves] == ["open", "flag"]
    assert (record.left, record.right, record.double) == (1, 1, 1)
    assert record.clicks[-1].effect is Effect.NONE


CHORD_AT_0 = [("rc", 0), ("lc", 0), ("lr", 0), ("rr", 0)]


def test_a_game_that_was_only_begun_has_no_moves() -> None:
    replay = played([("lc", 0)])
    assert replay.transcript.steps == ()
    assert replay.transcript.outcome.termination.value == "unfinished"
    assert replay.statistics.to_json()["ioe"] == 0


def test_the_moves_are_a_game_that_can_be_replayed() -> None:
    for seed in range(20):
        game = Replay.parse(evf(random_game(seed))).transcript
        assert mp.Transcript.parse(game.text) == game
        assert len(list(game.views())) == len(game.steps) + 1


# -- writing -------------------------------------------------------------------


def test_a_game_is_written_as_rawvf_and_read_back() -> None:
    replay = Replay.parse(rmv(random_game(5), 2))
    back = Replay.parse(replay.rawvf.encode())
    assert back.events == replay.events
    assert back.layout == replay.layout
    assert back.statistics.to_json() == replay.statistics.to_json()
    assert "Program: mineproof\n" in replay.rawvf


# -- names ---------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["gbk", "utf-8"])
@pytest.mark.parametrize("name", ["王嘉宁", "Wang 嘉宁", "Ada"])
def test_chinese_names(name: str, encoding: str) -> None:
    assert name_of(name.encode(encoding)) == name


@pytest.mark.parametrize("name", ["Müller", "José", "Kamil Murañski", "Großer Zoë"])
def test_latin_names(name: str) -> None:
    assert name_of(name.encode("latin-1")) == name


def test_a_name_is_one_printable_line() -> None:
    assert name_of(b"a\nb\x1b[31m").isprintable()


# -- damage --------------------------------------------------------------------


def test_a_damaged_file_is_one_line_that_says_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "cut.evf"
    path.write_bytes(evf(random_game(2))[:200])
    with pytest.raises(mp.NotationError) as caught:
        Replay.read(path)
    said = str(caught.value)
    assert "stopped at byte 200, in the events, after" in said
    assert "read until there: EVF version 3, player 'A player', the board 8x8/10" in said
    assert "\n" not in said


def test_what_is_no_game_is_refused() -> None:
    for data in (b"", b"\0", b"hello", bytes(1000), b"*rmv", b"\x11M"):
        with pytest.raises(mp.NotationError):
            Replay.parse(data)


@pytest.mark.parametrize("version", ENCODERS)
def test_mutated_files_are_read_or_refused(version: str) -> None:
    """A small run; `python -m tests.replay.mutations 100000` is the large one."""
    assert damage(version, 60) >= 1


# -- fewest clicks -------------------------------------------------------------


def test_the_best_zini_lies_between_its_bound_and_the_greedy_ones() -> None:
    for seed in range(6):
        layout = Replay.parse(evf(random_game(seed))).layout
        parts = ClickParts(layout)
        best = best_zini(parts, trials=1500)
        greedy = len(greedy_plan(parts)), len(greedy_plan(parts, human=True))
        assert best.bound <= best.clicks <= min(greedy)
        assert clears(layout, best.plan.clicks)


def test_a_search_finds_what_greed_does_not() -> None:
    found = [ClickParts(Replay.parse(evf(random_game(seed))).layout) for seed in range(12)]
    assert any(best_zini(parts, trials=3000).clicks < len(greedy_plan(parts)) for parts in found)


def test_the_bound_is_below_the_least_of_all_lists_of_chords() -> None:
    """Every board of 3x3 with 2 mines, against a search of all plans."""
    topology = mp.Topology.parse("3x3")
    for one in range(9):
        for two in range(one):
            layout = mp.Layout.of(topology, [one, two])
            best = best_zini(ClickParts(layout), trials=300)
            assert best.bound <= fewest(layout) <= best.clicks


def clears(layout: mp.Layout, clicks: Any) -> bool:
    """Whether these clicks open every safe cell, by the referee."""
    from mineproof.view.setting import Setting

    referee = mp.Referee(Setting.of(layout))
    for action, cell in clicks:
        {"open": referee.open, "flag": referee.flag, "chord": referee.chord}[action.value](cell)
    return referee.outcome.won


def fewest(layout: mp.Layout) -> int:
    """The fewest clicks, by breadth first over what is open and flagged."""
    from mineproof.view.setting import Setting

    start: frozenset[Any] = frozenset()
    waiting, seen, steps = [((), start)], {start}, 0
    while True:
        following = []
        for clicks, _ in waiting:
            for action in ("open", "flag", "chord"):
                for cell in range(len(layout.topology)):
                    if (action == "flag") != layout.is_mine(cell):
                        continue
                    referee = mp.Referee(Setting.of(layout))
                    try:
                        for name, place in (*clicks, (action, cell)):
                            getattr(referee, name)(place)
                    except mp.IllegalMove:
                        continue
                    if referee.outcome.won:
                        return steps + 1
                    view = referee.view
                    state = frozenset([*view.opened, *(-1 - flag for flag in view.flags)])
                    if state not in seen:
                        seen.add(state)
                        following.append(((*clicks, (action, cell)), state))
        waiting, steps = following, steps + 1


def test_events_are_values() -> None:
    event = Replay.parse(evf(random_game(3))).events[0]
    assert event == MouseEvent(*event)
