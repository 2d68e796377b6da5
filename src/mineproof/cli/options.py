"""Options that several commands take, declared once, alone or in groups (`declarations.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from mineproof.cli.declarations import Argument, Option
from mineproof.errors import InputError, quoted
from mineproof.files import check_writable, write_bytes

AsJson = Annotated[bool, Option("--json", help="Print one JSON object.")]
PositionFile = Annotated[
    str,
    Argument(
        metavar="POSITION",
        help="A file with a position, or - for stdin: a header such as 'square 3x3 mines=2', then"
        " rows of digits for clues, . for hidden cells and F for flags; also what other programs"
        " and chats write, or a link of JSMinesweeper.",
    ),
]
PositionMines = Annotated[
    str | None,
    Option(
        "--mines",
        metavar="M",
        help="How many mines there are, for a position that does not say, such as rows without a"
        " header.",
    ),
]
BoardName = Annotated[
    str | None,
    Option(metavar="BOARD", help="Such as expert, hex:7x7/10, 9x9/20%.  [default: expert]"),
]

AgentSeed = Annotated[
    int | None, Option(metavar="N", help="The seed of the agent's choices.  [default: the seed]")
]
EngineName = Annotated[
    str | None, Option(metavar="E", help="Where to play: local, or dask://host:port.")
]
RunFolder = Annotated[str, Argument(metavar="DIR", help="A folder that `compare --out` wrote.")]
StateBudget = Annotated[
    int | None, Option(metavar="STATES", help="Give up a count past this many states.")
]


def check_budget(budget: int | None, default: int) -> int:
    """The states that a count may take. Raises InputError for a `--budget` below 1."""
    if budget is not None and budget < 1:
        raise InputError(f"--budget {budget}; accepted: 1 or more states")
    return default if budget is None else budget


@dataclass(frozen=True)
class LimitOptions:
    """Limits for an agent from a file."""

    move_seconds: Annotated[
        float | None,
        Option(metavar="S", help="Time limit of a move by an agent from a file.  [default: 10]"),
    ] = None
    game_seconds: Annotated[
        float | None,
        Option(metavar="S", help="Time limit of a game by an agent from a file.  [default: 120]"),
    ] = None
    memory_mb: Annotated[
        int | None,
        Option(metavar="MB", help="Memory limit of an agent from a file.  [default: 2048]"),
    ] = None

    @property
    def given_limits(self) -> dict[str, Any]:
        """The limits that were given, as `Limits` names them."""
        return {name: value for name, value in vars(self).items() if value is not None}


# ----------------------------------------------------------------------------
# The options for the rules of a game, declared once for every command that plays.
#
# An option left out is None. The default then depends on what is played: a dealt board and a named
# world have different ones.

RULES = "Rules"
"""The panel of these options in `--help`."""
CHANNEL_FORMS = "exact, withheld:P, optimistic, cautious, noisy:P or table:FILE"
"""The channels as `--clues` takes them. Written out: their catalog would slow down every start."""

RulesText = Annotated[
    str | None,
    Option(
        "--rules",
        metavar="RULES",
        help="The rules of a report, report0 to report4, or a text such as"
        " 'first-click=any total=unknown'. Options beside it replace its words.",
        panel=RULES,
    ),
]

FirstClickRule = Annotated[
    str | None,
    Option(
        "--first-click",
        metavar="any|safe|opening",
        help="What the first cell may be: anything, safe, or a zero."
        "  [default: safe; any for worlds]",
        panel=RULES,
    ),
]


@dataclass(frozen=True)
class RuleOptions:
    """The rules of a game as they were given."""

    PANEL = RULES

    rules: RulesText = None
    first_click: FirstClickRule = None
    on_mine: Annotated[
        str | None,
        Option(
            metavar="lose|continue", help="What happens when a mine is opened.  [default: lose]"
        ),
    ] = None
    total: Annotated[
        str | None,
        Option(
            metavar="known|unknown",
            help="Whether the player knows the number of mines.  [default: known]",
        ),
    ] = None
    clues: Annotated[
        str | None, Option(metavar="CHANNEL", help=f"{CHANNEL_FORMS}.  [default: exact]")
    ] = None
    given: Annotated[
        str | None,
        Option(
            metavar="CELLS",
            help="Cells opened at the start: none, corner+centre, random:K, f=F (F times the"
            " square root of the cells) or cells such as '0,0;3,4'."
            "  [default: none; corner+centre for worlds]",
        ),
    ] = None
    cascade: Annotated[
        str | None,
        Option(metavar="on|off", help="Whether a zero opens its neighbours.  [default: on]"),
    ] = None
    goal: Annotated[
        str | None,
        Option(
            metavar="clear|mark-all",
            help="What wins: every safe cell open, or every cell marked.  [default: clear]",
        ),
    ] = None
    guesses: Annotated[
        str | None,
        Option(
            metavar="dealt|fair|cruel",
            help="fair: a best guess opens no mine; cruel: any other guess does.  [default: dealt]",
        ),
    ] = None

    @property
    def given_words(self) -> dict[str, str]:
        """The options that were given, by their names."""
        return {name: value for name, value in vars(self).items() if value is not None}

    @property
    def words(self) -> dict[str, str]:
        """Every rule that was given with its word. Raises InputError."""
        options = self.given_words
        return words_of(options.pop("rules", None), **options)


def words_of(rules: str | None, **options: str | None) -> dict[str, str]:
    """The words of a rules text, replaced by those of options beside it. Raises InputError."""
    from mineproof.rules import split_words

    of_text = {} if rules is None else split_words(rules)
    words = {key.replace("-", "_"): word for key, word in of_text.items()}
    return words | {name: word for name, word in options.items() if word is not None}


# -- Files that an option names and a command writes ---------------------------


@dataclass(frozen=True)
class OutputFile:
    """A file to be written, and the option that named it.

    Refused at once if no file can be there, so that no game is played that cannot be kept.
    """

    option: str
    path: str

    def __post_init__(self) -> None:
        try:
            check_writable(self.path)
        except (OSError, ValueError) as error:
            raise self._error(error, "a file in an existing folder") from None

    @classmethod
    def of(cls, option: str, path: str | None) -> OutputFile | None:
        """The file of an option; None where the option was not given."""
        return None if path is None else cls(option, path)

    def write(self, content: str | bytes) -> None:
        """Write the file, whole or not at all. Raises InputError."""
        try:
            write_bytes(self.path, content.encode() if isinstance(content, str) else content)
        except (OSError, ValueError) as error:
            raise self._error(error, "a writable file") from None

    def _error(self, error: Exception, accepted: str) -> InputError:
        # A path with a null byte or a lone surrogate is a ValueError, which has no `strerror`.
        reason = getattr(error, "strerror", None) or "not a path"
        return InputError(
            f"{self.option} {quoted(self.path)} cannot be written: {reason}; accepted: {accepted}"
        )
