"""Confinement in real processes: each layer by itself, and what is left where one is missing."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mineproof.sandbox.confinement import ENDINGS, LAYERS, Confinement, ExitReport
from mineproof.sandbox.linux import program, without_results
from mineproof.sandbox.process import LineProcess
from mineproof.sandbox.protection import protection
from tests.interrupts import PATIENCE, until
from tests.lab.processes import alive, descendants

TRIES = """
import json, os, socket, sys
from mineproof.sandbox.confinement import active_layers
from mineproof.sandbox.process import ParentLink

parent = ParentLink()
for line in parent:
    try:
        said = repr(eval(line))
    except OSError as error:
        said = type(error).__name__
    parent.answer(said.encode())
"""

HOLDS = """
import sys
from mineproof.sandbox.confinement import Confinement
from mineproof.sandbox.process import LineProcess
children = []
for without in json_without:
    child = LineProcess("tries", stranger=Confinement(without=tuple(without)))
    for start_new_session in (False, True):
        child.ask(b"__import__('subprocess').Popen(['sleep', '1000000'], env={},"
                  b" start_new_session=%r).pid" % start_new_session, 120)
    children.append(child)
print("ready", flush=True)
sys.stdin.readline()
"""

Start = Callable[..., LineProcess]


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tries.py").write_text(TRIES)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    return tmp_path


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[LineProcess] = []

    def begin(*without: str, folder: Path | None = None) -> LineProcess:
        place = None if folder is None else str(folder)
        started.append(LineProcess("tries", stranger=Confinement(place, without=without)))
        return started[-1]

    yield begin
    for child in started:
        child.end()


def ask(child: LineProcess, expression: str) -> str:
    return child.ask(expression.encode(), PATIENCE).decode()


def test_a_confinement_survives_its_text() -> None:
    wanted = Confinement("/some/where", 17, ("landlock",), ("/some/file",), 7)
    assert Confinement.parse(wanted.text) == wanted


def test_what_holds_is_what_was_tried() -> None:
    found = protection()
    names = [layer.name for layer in found.layers]
    assert len(set(names)) == len(names)
    assert found.missing == tuple(layer.name for layer in found.layers if not layer.holds)
    assert (found.warning is None) == (not found.missing)


@pytest.mark.parametrize("without", [LAYERS, LAYERS[:3], LAYERS[:2], LAYERS[:1], ()])
def test_a_layer_that_is_left_out_is_said_to_be(
    without: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEPROOF_WITHOUT", ",".join(without))
    found = {layer.name: layer for layer in protection().layers}
    assert all(
        layer.holds or layer.name in (protection().warning or "") for layer in found.values()
    )
    if "filter" in without:
        assert not found["the network"].holds
        assert not found["reading files"].holds
    if "supervisor" in without:
        assert not found["memory and processes"].holds
    assert found["the environment"].holds


def test_a_stranger_gets_a_clean_environment(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "very secret")
    child = start()
    assert ask(child, "os.environ.get('API_TOKEN')") == "None"
    assert "very secret" not in ask(child, "dict(os.environ)")


def test_a_stranger_reads_its_folder_and_no_results(start: Start, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "results").mkdir(parents=True)
    (mine / "data").mkdir()
    (mine / "results" / "experiment.toml").write_text("secret")
    (mine / "data" / "numbers.txt").write_text("1 2 3")
    elsewhere = tmp_path.parent / f"{tmp_path.name}.txt"
    elsewhere.write_text("private")
    assert without_results(mine) == [mine / "data"]
    child = start(folder=mine)
    assert ask(child, f"open({str(mine / 'data' / 'numbers.txt')!r}).read()") == "'1 2 3'"
    if json.loads(ask(child, "active_layers().landlock")):
        for path in (mine / "results" / "experiment.toml", elsewhere):
            said = ask(child, f"open({str(path)!r}).read()")
            assert said in ("PermissionError", "FileNotFoundError")


def test_a_folder_that_is_too_large_to_look_through_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "large").mkdir()
    for number in range(5100):
        (tmp_path / "large" / str(number)).touch()
    assert without_results(tmp_path) == [tmp_path / "small", tmp_path / "tries.py"]
    assert without_results(tmp_path / "nowhere") == []


def held_processes(child: LineProcess) -> bool:
    return ask(child, "active_layers().processes") == "True"


def test_in_a_namespace_it_sees_nobody_else(start: Start) -> None:
    child = start()
    if held_processes(child):
        assert ask(child, "os.getppid()") == "1"
        assert ask(child, "[n for n in os.listdir('/proc') if n.isdigit()]") == "['1', '2']"
    else:
        assert ask(child, "active_layers().watched") == "True"


@pytest.mark.parametrize("way", ["SIGKILL", "SIGTERM", "SIGHUP", "end"])
def test_however_the_main_process_ends_nothing_is_left(way: str) -> None:
    program = HOLDS.replace("json_without", repr([[], ["namespaces"]]))
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as main:
        assert main.stdin is not None
        assert main.stdout is not None
        assert main.stdout.readline() == "ready\n"
        below = descendants(main.pid)
        assert len(below) >= 8  # two supervisors, their strangers, and two sleepers of each
        if way == "end":
            main.stdin.write("\n")
            main.stdin.flush()
            assert main.wait(PATIENCE) == 0
        else:
            main.send_signal(getattr(signal, way))
    until(lambda: not any(map(alive, below)))


@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
@pytest.mark.parametrize("alone", [None, 4711])
@pytest.mark.parametrize("writes", [True, False])
def test_every_jump_of_the_filter_stays_inside(
    processor: str, alone: int | None, writes: bool
) -> None:
    code = program(processor, alone, writes=writes)
    lines = [struct.unpack("HBBI", code[n : n + 8]) for n in range(0, len(code), 8)]
    assert len(lines) < 4096
    for place, (kind, yes, no, _) in enumerate(lines):
        if kind & 7 == 5:  # a jump
            assert place + 1 + max(yes, no) < len(lines)
    assert lines[-1][0] == 6  # it ends by an answer
    with pytest.raises(OSError, match="no filter"):
        program("z80", alone)


def test_how_a_stranger_ended_survives_the_pipe() -> None:
    for ended in (
        ExitReport(0),
        ExitReport(9),
        ExitReport(7 << 8),
        ExitReport(9, next(iter(ENDINGS))),
    ):
        assert ExitReport.of(ended.data) == ended
    assert ExitReport.of(b"") == ExitReport(signal.SIGKILL)
