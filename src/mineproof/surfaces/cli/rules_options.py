"""The options for the rules of a game, declared once for every command that plays.

An option left out is None. The default then depends on what is played: a dealt board and a named
world have different ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

__all__ = ["FirstClickRule", "RuleOptions", "RulesText", "words_of"]

RULES = "Rules"
"""The panel of these options in `--help`."""

RulesText = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="RULES",
        help="The rules of a report, report0 to report4, or a text such as"
        " 'first-click=any total=unknown'. Options beside it replace its words.",
        rich_help_panel=RULES,
    ),
]

FirstClickRule = Annotated[
    str | None,
    typer.Option(
        "--first-click",
        metavar="any|safe|opening",
        help="What the first cell may be: anything, safe, or a zero."
        "  [default: safe; any for worlds]",
        rich_help_panel=RULES,
    ),
]


@dataclass(frozen=True)
class RuleOptions:
    """The rules of a game as they were given."""

    rules: RulesText = None
    first_click: FirstClickRule = None
    on_mine: Annotated[
        str | None,
        typer.Option(
            "--on-mine",
            metavar="lose|continue",
            help="What happens when a mine is opened.  [default: lose]",
            rich_help_panel=RULES,
        ),
    ] = None
    total: Annotated[
        str | None,
        typer.Option(
            "--total",
            metavar="known|unknown",
            help="Whether the player knows the number of mines.  [default: known]",
            rich_help_panel=RULES,
        ),
    ] = None
    clues: Annotated[
        str | None,
        typer.Option(
            "--clues",
            metavar="CHANNEL",
            help="exact, withheld:P, optimistic, cautious, noisy:P or table:FILE."
            "  [default: exact]",
            rich_help_panel=RULES,
        ),
    ] = None
    given: Annotated[
        str | None,
        typer.Option(
            "--given",
            metavar="CELLS",
            help="Cells opened at the start: none, corner+centre, random:K, f=F (F times the"
            " square root of the cells) or cells such as '0,0;3,4'."
            "  [default: none; corner+centre for worlds]",
            rich_help_panel=RULES,
        ),
    ] = None
    cascade: Annotated[
        str | None,
        typer.Option(
            "--cascade",
            metavar="on|off",
            help="Whether a zero opens its neighbours.  [default: on]",
            rich_help_panel=RULES,
        ),
    ] = None
    goal: Annotated[
        str | None,
        typer.Option(
            "--goal",
            metavar="clear|mark-all",
            help="What wins: every safe cell open, or every cell marked.  [default: clear]",
            rich_help_panel=RULES,
        ),
    ] = None

    @property
    def said(self) -> dict[str, str]:
        """The options that were given, by their names."""
        return {name: value for name, value in vars(self).items() if value is not None}

    @property
    def words(self) -> dict[str, str]:
        """Every rule that was given with its word. Raises InputError."""
        options = self.said
        return words_of(options.pop("rules", None), **options)


def words_of(rules: str | None, **options: str | None) -> dict[str, str]:
    """The words of a rules text, replaced by those of options beside it. Raises InputError."""
    from mineproof.rules import split_words

    said = {} if rules is None else split_words(rules)
    words = {key.replace("-", "_"): word for key, word in said.items()}
    return words | {name: word for name, word in options.items() if word is not None}
