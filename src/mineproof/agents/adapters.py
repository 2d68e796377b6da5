"""Agents that others wrote, in the shapes they come in: a file, an installed package, CS50's."""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from mineproof.agents.agent import AgentFactory, Decision, Guessed, Proved
from mineproof.agents.catalog import AGENTS
from mineproof.agents.program import Manifest, files_of, words_of
from mineproof.errors import AgentFailure, InputError, UnknownName, as_given, quoted
from mineproof.view.view import View

__all__ = ["AgentSource", "Cs50Agent", "entry_point_names", "path_text"]


# ----------------------------------------------------------------------------
# An unchanged `minesweeper.py` of Harvard's CS50 AI course, as an agent.
#
# Its class `MinesweeperAI(height, width)` is told every opened cell by `add_knowledge(cell, count)`
# and asked for `make_safe_move()`, then `make_random_move()`; `mines` are the cells it is sure of.
# A safe move counts as proved, a random one as a guess, and a cell of `mines` is flagged as proved
# when no safe move is left. If it opens such a cell after all, as its own runner lets it, the flag
# is taken off first. It knows cells as (row, column), so it plays plain square boards only.

NAME = "cs50"
_METHODS = ("add_knowledge", "make_safe_move", "make_random_move")

MakeAI: TypeAlias = Callable[..., Any]


def is_cs50(candidate: object) -> bool:
    """Whether a class has the methods of CS50's `MinesweeperAI`."""
    return all(callable(getattr(candidate, method, None)) for method in _METHODS)


class Cs50Agent:
    """Plays by a `MinesweeperAI`, a new one each game. Raises AgentFailure off square boards."""

    def __init__(self, make: MakeAI) -> None:
        self._make = make
        self._ai: Any = None
        self._told: View | None = None
        self._next: Decision | None = None

    def act(self, view: View) -> Decision:
        if self._next is not None:
            decision, self._next = self._next, None
            return decision
        new = None if self._told is None else view.opened_since(self._told)
        if new is None:
            self._ai = self._make(*self._size(view))
            new = tuple(view.opened)
        self._told = view
        for cell in new:
            self._tell(view, cell)
        if (safe := self._cell(view, self._ai.make_safe_move())) is not None:
            return self._open_move(view, Decision.open(safe, Proved(NAME)))
        for place in sorted(getattr(self._ai, "mines", ())):
            mine = self._cell(view, place)
            if mine is not None and view.is_hidden(mine) and not view.is_flagged(mine):
                return Decision.flag(mine, Proved(NAME))
        if (guess := self._cell(view, self._ai.make_random_move())) is not None:
            among = max(view.hidden_count - view.flag_count, 1)
            return self._open_move(view, Decision.open(guess, Guessed(NAME, among)))
        return Decision.stop("no move left")

    def _open_move(self, view: View, decision: Decision) -> Decision:
        """A decision to open a cell; of a flagged one, first that to take the flag off."""
        cell = decision.cell
        if cell is None or not view.is_flagged(cell):
            return decision
        self._next = decision
        return Decision.unflag(cell)

    @staticmethod
    def _size(view: View) -> tuple[int, ...]:
        topology = view.topology
        if topology.name != "square" or topology.blocked:
            raise AgentFailure(
                f"a CS50 agent plays square boards without blocked cells, not {topology.text}"
            )
        return topology.lattice.dimensions

    def _tell(self, view: View, cell: int) -> None:
        place = view.topology.coordinates(cell)
        clue = view.clue(cell)
        if clue is not None:
            self._ai.add_knowledge(place, clue)
            return
        # Its interface has no word for an opened mine or a cell without a clue: mark both by hand.
        self._ai.moves_made.add(place)
        mark = "mark_mine" if cell in view.opened_mines else "mark_safe"
        if hasattr(self._ai, mark):
            getattr(self._ai, mark)(place)

    @staticmethod
    def _cell(view: View, place: object) -> int | None:
        if place is None:
            return None
        if not (isinstance(place, tuple) and all(type(part) is int for part in place)):
            raise AgentFailure(
                f"the agent answered {as_given(place)}; accepted: (row, column) or None"
            )
        try:
            return view.topology.cell(place)
        except InputError as error:
            raise AgentFailure(f"the agent answered with a wrong cell: {error}") from None


# ----------------------------------------------------------------------------
# Where a user's agent comes from: `path/to/file.py:Class`, `command: java Sweeper`, an entry point.
#
# Reading the name runs nothing; `load` runs foreign code and is called in a process made for that.
# A class in a file is an agent where it has `act`, and is adapted where it is CS50's
# `MinesweeperAI`. A folder stands for agent.py, minesweeper.py or the only Python file in it; what
# a folder or a link leaves open shows when it is loaded. A folder with `agent.toml` holds a program
# (`program.py`). An entry point of the group `mineproof.agents` names a class, or a function
# without arguments that makes an agent.

GROUP = "mineproof.agents"
_MAIN_FILES = ("agent.py", "minesweeper.py")
_PLAIN = re.compile(r"[^\[\]>+]+")
_COMMAND = re.compile(r"command:\s*(?P<command>.*)", re.DOTALL)
_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w*))?", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:\\|[tnr]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")


def entry_point_names() -> tuple[str, ...]:
    """The agents that installed packages offer."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def path_text(path: str | Path) -> str:
    """A path as a text that any terminal, table and file can hold; `AgentSource.parse` reads it.

    >>> print(path_text("class/no\\u00a0break.py"))
    class/no\\xa0break.py
    """
    return "".join(
        char
        if char == os.sep or (char.isprintable() and char != "\\")
        else char.encode("unicode_escape").decode()
        for char in str(path)
    )


def _path_of(text: str) -> str:
    """The path that a text stands for, which may be a `path_text`."""
    path = _ESCAPED.sub(lambda found: found[0].encode().decode("unicode_escape"), text)
    return path if path != text and os.path.lexists(path) else text


@dataclass(frozen=True)
class AgentSource:
    """A file and the class in it (None: the only one there), or the name of an entry point.

    Of a program, `file` is the folder that it runs in, and `command` what was typed to start it.
    """

    file: str | None
    name: str | None
    command: str | None = None

    @classmethod
    def parse(cls, text: str) -> AgentSource | None:
        """What a text names, or None where it names neither a file nor an entry point.

        Raises InputError for a file that is not there, and for a command that cannot be read.
        """
        if match := _COMMAND.fullmatch(text):
            words_of(match["command"])
            return cls(os.curdir, None, match["command"])
        if match := _FILE.fullmatch(text):
            path = Path(_path_of(match["path"]))
            if not os.path.lexists(path):
                raise InputError(
                    f"agent file {quoted(match['path'])} is not there; accepted: a Python file,"
                    " as path/to/file.py:ClassName"
                )
            return cls(str(path), match["name"] or None)
        # A name that no file can have is an error for pathlib and no folder for os.path.
        if os.sep in text and os.path.isdir(folder := _path_of(text)):  # noqa: PTH112
            return cls(folder, None)
        # To look through the installed packages costs more than many a game.
        if text in AGENTS or not _PLAIN.fullmatch(text):
            return None
        return cls(None, text) if text in entry_point_names() else None

    @property
    def folder(self) -> Path | None:
        """The folder that its code lies in, wherever links lead."""
        if self.file is None:
            return None
        path = Path(os.path.realpath(self.file))
        return path if path.is_dir() else path.parent

    def program(self) -> list[str] | None:
        """The words that start its program; None where it is Python code. Raises InputError."""
        command = self.command
        if command is None and self.file is not None:
            manifest = Manifest.read(Path(self.file))
            command = None if manifest is None else manifest.command
        return None if command is None else words_of(command)

    def program_files(self) -> list[Path]:
        """What its program's command names of files. Raises InputError."""
        words, folder = self.program(), self.folder
        return [] if words is None or folder is None else list(files_of(words, folder))

    def load(self) -> AgentFactory:
        """Import the code and return what makes an agent.

        Raises InputError where it holds no such agent, and whatever the code itself raises.
        """
        if self.file is None:
            for point in entry_points(group=GROUP):
                if point.name == self.name:
                    return _factory_of(point.load(), point.name)
            raise UnknownName("agent", self.name or "", entry_point_names())
        path = Path(self.file)
        if not path.exists():
            raise InputError("it is a link to a file that is not there")
        if not (path.is_file() or path.is_dir()):
            raise InputError("it is a pipe or a device; accepted: a Python file")
        return _from_module(module_of(main_file(path) if path.is_dir() else path), self.name)


def main_file(folder: Path) -> Path:
    """The file of a folder that holds its agent. Raises InputError if that is left open."""
    files = sorted(path for path in folder.glob("*.py") if not path.name.startswith((".", "_")))
    for name in _MAIN_FILES:
        if folder / name in files:
            return folder / name
    if len(files) == 1:
        return files[0]
    raise InputError(
        f"the folder holds {len(files) or 'no'} Python files; accepted: one, or one of them named"
        f" {' or '.join(_MAIN_FILES)}"
    )


def module_of(path: Path) -> ModuleType:
    """The module of a file, which may import its neighbours, under a name that hides no other."""
    sys.path.append(str(path.resolve().parent))
    name = f"mineproof_agent_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{quoted(str(path))} cannot be imported; accepted: a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _from_module(module: ModuleType, name: str | None) -> AgentFactory:
    own = {
        key: value
        for key, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__
    }
    agents = [key for key, value in own.items() if _acts(value) or is_cs50(value)]
    if name is None:
        if len(agents) == 1:
            return _factory_of(own[agents[0]], agents[0])
        if not agents:
            raise InputError(
                "the file has no class with a method `act`, and none like CS50's MinesweeperAI"
            )
        raise InputError(f"the file has several agents; add one of :{', :'.join(agents)}")
    if not hasattr(module, name):
        raise UnknownName("class", name, agents or own)
    return _factory_of(getattr(module, name), name)


def _acts(candidate: object) -> bool:
    return callable(getattr(candidate, "act", None))


def _factory_of(candidate: Any, name: str) -> AgentFactory:
    if not callable(candidate):
        raise InputError(f"{name} is no class; accepted: a class with a method `act`")
    if inspect.isclass(candidate) and not _acts(candidate):
        if is_cs50(candidate):
            return lambda: Cs50Agent(candidate)
        raise InputError(f"class {name} has no method `act`; accepted: act(self, view)")
    factory: AgentFactory = candidate
    return factory
