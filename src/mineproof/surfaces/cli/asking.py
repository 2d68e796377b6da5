"""A question on the console and the line typed in answer."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.console import Console

__all__ = ["asker"]


def asker(console: Console) -> Callable[[str], str]:
    """Ask on the console and read a line; EOFError at the end of the input."""

    def ask(prompt: str) -> str:
        console.print(prompt, end="", soft_wrap=True)
        console.file.flush()
        try:
            answer = input()
        except (EOFError, KeyboardInterrupt):
            console.print()
            raise
        if not sys.stdin.isatty():
            console.print()  # no Enter ended the line of the prompt
        return answer

    return ask
