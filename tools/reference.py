"""Write docs/reference.md from the docstrings of every exported name; with --check, compare."""

from __future__ import annotations

import argparse
import enum
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import mineproof

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference.md"

HEAD = """# Reference

Every name that `mineproof` exports, from its docstring. The examples run as tests. This page is
written by `tools/reference.py`; [the glossary](glossary.md) says what the words mean.

```python
>>> import mineproof as mp
```
"""

ROOMS: dict[str, tuple[str, ...]] = {
    "Boards": ("Board", "Topology", "CellSet", "Layout"),
    "Rules": ("Rules", "Mines", "FirstClick", "OnMine", "Goal"),
    "What the player sees": ("View", "Mark"),
    "What follows": ("analyze", "analyze_many", "Analysis", "Session", "Budget"),
    "Why": ("explain", "explain_all", "check_proof", "Proof", "NoProof"),
    "The best move": ("advise", "Advice", "win_chances", "endgame", "optimal"),
    "Playing": ("play", "play_many", "Games", "Referee", "Transcript", "Outcome"),
    "Boards without guesses": (*("generate",),),
    "Looking back": ("review", "Review", "Replay", "chains"),
    "Agents": ("Agent", "Decision", "Action", "Proved", "Guessed", "policies"),
    "Comparing": ("compare", "Comparison"),
    "Errors": (
        *("MineproofError", "InputError", "BoardError", "RulesError", "NotationError"),
        *("UnknownName", "InconsistentPosition", "BudgetExceeded"),
        *("IllegalMove", "AgentFailure"),
    ),
}
"""The sections of the page. A name that is missing here, or that is not exported, is an error."""


def page() -> str:
    """The whole page."""
    listed = [name for names in ROOMS.values() for name in names]
    if sorted(listed) != sorted(mineproof.__all__):
        strange = sorted(set(listed) ^ set(mineproof.__all__))
        sys.exit(f"reference: ROOMS and mineproof.__all__ differ in {', '.join(strange)}")
    parts = [HEAD]
    for room, names in ROOMS.items():
        parts.append(f"## {room}\n")
        parts += [_entry(name) for name in names]
    return "\n".join(parts)


def _entry(name: str) -> str:
    value = getattr(mineproof, name)
    lines = [f"### {name}", ""]
    if not isinstance(value, ModuleType) and (signature := _signature(name, value)):
        lines += [f"`{signature}`", ""]
    lines += [_markdown(inspect.getdoc(value) or ""), ""]
    if members := list(_members(value)):
        lines += [*members, ""]
    return "\n".join(lines)


def _signature(name: str, value: Any) -> str:
    if isinstance(value, type):
        if issubclass(value, enum.Enum | BaseException) or getattr(value, "_is_protocol", False):
            return ""
        return name + _parameters(value) if value.__init__ is not object.__init__ else ""
    return name + _parameters(value)


class _Bare:
    """A text that a signature shows as it is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _parameters(function: Any, *, bound: bool = False) -> str:
    """The signature of a function or class; of a method without what it is bound to."""
    found = inspect.signature(function)
    shown = [
        one.replace(annotation=_annotation(one.annotation), default=_default(one.default))
        for one in list(found.parameters.values())[bound:]
        if not one.name.startswith("_")
    ]
    returned = found.return_annotation
    made = isinstance(function, type) or returned == "None"
    end = inspect.Signature.empty if made else _annotation(returned)
    return str(inspect.Signature(shown, return_annotation=end))


def _annotation(value: Any) -> Any:
    return _Bare(value) if isinstance(value, str) else value


def _default(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return _Bare(str(value))
    return _Bare("...") if repr(value) == "<factory>" else value


def _members(value: Any) -> Iterator[str]:
    """A line for every public method, property and field that the class itself defines."""
    if not isinstance(value, type) or issubclass(value, BaseException):
        return
    if issubclass(value, enum.Enum):
        yield from (f"- `{value.__name__}.{member.name}`" for member in value)
        return
    for name, member in vars(value).items():
        if name.startswith("_") or isinstance(member, type):
            continue
        if isinstance(member, property):
            yield _member(name, member.fget)
        elif isinstance(member, classmethod | staticmethod):
            yield _member(name + _parameters(member.__func__, bound=True), member.__func__)
        elif inspect.isfunction(member):
            yield _member(name + _parameters(member, bound=True), member)
        elif hasattr(member, "func") and not name.startswith("__"):  # a cached property
            yield _member(name, member.func)


def _member(what: str, function: Any) -> str:
    said = inspect.getdoc(function) or ""
    first = " ".join(said.split("\n\n")[0].split())
    return f"- `{what}`" + (f": {first}" if first else "")


def _markdown(text: str) -> str:
    """A docstring as Markdown: its examples become blocks."""
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith(">>>") and not inside:
            lines += ["```python", line]
            inside = True
        elif inside and not line.strip():
            lines += ["```", ""]
            inside = False
        else:
            lines.append(line)
    if inside:
        lines.append("```")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, report differences")
    check = parser.parse_args().check
    wanted = page()
    found = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if found == wanted:
        print("reference: docs/reference.md says what the docstrings say")
        return 0
    if check:
        print("reference: docs/reference.md differs; write it anew with: make reference")
        return 1
    PAGE.write_text(wanted, encoding="utf-8")
    print("reference: wrote docs/reference.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
