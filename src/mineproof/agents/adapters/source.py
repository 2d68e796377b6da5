"""Where a user's agent comes from: `path/to/file.py:Class` or an entry point.

Reading the name runs nothing; `load` runs foreign code and is called in a process made for that.
A class in a file is an agent where it has `act`, and is adapted where it is CS50's
`MinesweeperAI`. A folder stands for agent.py, minesweeper.py or the only Python file in it; what a
folder or a link leaves open shows when it is loaded. An entry point of the group
`mineproof.agents` names a class, or a function without arguments that makes an agent.
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import sys
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from mineproof.agents.adapters.cs50 import Cs50Agent, is_cs50
from mineproof.agents.agent import AgentFactory
from mineproof.agents.catalog import AGENTS
from mineproof.errors import InputError, UnknownName, quoted

__all__ = ["GROUP", "AgentSource", "entry_point_names", "main_file"]

GROUP = "mineproof.agents"
_MAIN_FILES = ("agent.py", "minesweeper.py")
_PLAIN = re.compile(r"[^\[\]>+]+")
_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w*))?")


def entry_point_names() -> tuple[str, ...]:
    """The agents that installed packages offer."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


@dataclass(frozen=True)
class AgentSource:
    """A file and the class in it (None: the only one there), or the name of an entry point."""

    file: str | None
    name: str | None

    @classmethod
    def parse(cls, text: str) -> AgentSource | None:
        """What a text names, or None where it names neither a file nor an entry point.

        Raises InputError for a file that is not there.
        """
        if match := _FILE.fullmatch(text):
            path = Path(match["path"])
            if not (path.is_file() or path.is_symlink()):
                raise InputError(
                    f"agent file {quoted(match['path'])} is not there; accepted: a Python file,"
                    " as path/to/file.py:ClassName"
                )
            return cls(str(path), match["name"] or None)
        if os.sep in text and Path(text).is_dir():
            return cls(text, None)
        # To look through the installed packages costs more than many a game.
        if text in AGENTS or not _PLAIN.fullmatch(text):
            return None
        return cls(None, text) if text in entry_point_names() else None

    def load(self) -> AgentFactory:
        """Import the code and return what makes an agent.

        Raises InputError where it holds no such agent, and whatever the code itself raises.
        """
        if self.file is None:
            return _from_entry_point(self.name or "")
        path = Path(self.file)
        if not path.exists():
            raise InputError("it is a link to a file that is not there")
        return _from_module(_import_file(main_file(path) if path.is_dir() else path), self.name)


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


def _from_entry_point(name: str) -> AgentFactory:
    for point in entry_points(group=GROUP):
        if point.name == name:
            return _adapted(point.load(), name)
    raise UnknownName("agent", name, entry_point_names())


def _import_file(path: Path) -> ModuleType:
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
            return _adapted(own[agents[0]], agents[0])
        if not agents:
            raise InputError(
                "the file has no class with a method `act`, and none like CS50's MinesweeperAI"
            )
        raise InputError(f"the file has several agents; add one of :{', :'.join(agents)}")
    if not hasattr(module, name):
        raise UnknownName("class", name, agents or own)
    return _adapted(getattr(module, name), name)


def _acts(candidate: object) -> bool:
    return callable(getattr(candidate, "act", None))


def _adapted(candidate: Any, name: str) -> AgentFactory:
    if not callable(candidate):
        raise InputError(f"{name} is no class; accepted: a class with a method `act`")
    if inspect.isclass(candidate) and not _acts(candidate):
        if is_cs50(candidate):
            return lambda: Cs50Agent(candidate)
        raise InputError(f"class {name} has no method `act`; accepted: act(self, view)")
    factory: AgentFactory = candidate
    return factory
