"""An experiment as data: which agents play which games, under which rules.

Its text is TOML and reads back to an equal value; its `digest` names it. A game is named by
(seed, index): every agent meets the same mines, on every board, on every machine.

>>> experiment = Experiment.of(["random", "single-point"], boards=["beginner"], games=50, seed=1)
>>> Experiment.parse(experiment.text) == experiment
True
>>> len(experiment), experiment.rows
(50, 100)

>>> boards_in("hex:7x7/5..15:5")
('hex:7x7/5', 'hex:7x7/10', 'hex:7x7/15')
>>> range_text(("hex:7x7/5", "hex:7x7/10", "hex:7x7/15"))
'hex:7x7/5..15:5'
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import mineproof
from mineproof.agents.adapters import AgentSource
from mineproof.agents.agent import AgentFactory
from mineproof.board.layout import check_room
from mineproof.board.presets import WORLD_LATTICES, Board, World, format_worlds, parse_worlds
from mineproof.engine.analysis import check_rules
from mineproof.errors import (
    BoardError,
    InputError,
    NotationError,
    UnknownName,
    as_int,
    quoted,
    text_of,
)
from mineproof.fields import FieldTable, FieldValue, parse_toml
from mineproof.files import parse_file
from mineproof.game.play import AnyAgent, named_agents
from mineproof.lab.table import SCHEMAS
from mineproof.rng import check_seed
from mineproof.rules import Mines, Rules, RuleWords, share_text, split_words
from mineproof.sandbox.agent import Limits, make_player
from mineproof.view.channels import channel
from mineproof.view.setting import AnyBoard, AnyRules, Setting

MOST_GAMES = 10**9
_MOST_FILES = 1000
"""Files of a program that its digest covers."""
_SECRET_BYTES = 16
_SECRET = re.compile("[0-9a-f]{32}")
FORMAT = 1
"""The version of the text; a text of another version is refused."""
_HEADER = "mineproof-experiment"
_FEWEST_A_SHARD, _MOST_A_SHARD, _FEWEST_SHARDS, _SHARDS = 16, 4096, 4, 64


@dataclass(frozen=True)
class Place:
    """Where a game is played: a board or a world, by the names that rows carry."""

    board: str
    world: str | None
    setting: Setting


@dataclass(frozen=True)
class Experiment:
    """Agents times places times games. `games` counts games on each board or world.

    Boards or worlds, never both. Agents from files are pinned by the digests of their files in
    `sources`: a file that was changed since makes another experiment, as does another `version` of
    mineproof. `objects` make the players of the agents that are no names; such an experiment is
    played in this process, and has no text. What it records is a row a game, or with `positions`
    one position of every game; `samples` games are then played out for what its best move is worth.
    With a `secret`, 32 hexadecimal digits, the deals come from a hash of it, the seed and the
    index; `run` draws one where agents from outside take part.
    Raises InputError.
    """

    agents: tuple[str, ...]
    boards: tuple[str, ...]
    worlds: tuple[World, ...]
    rules: Rules
    games: int
    seed: int
    agent_seed: int
    shard_games: int
    limits: Limits
    sources: tuple[tuple[str, str], ...] = ()
    version: str = mineproof.__version__
    objects: tuple[tuple[str, AgentFactory], ...] = ()
    records: str = "games"
    samples: int = 0
    secret: str | None = None

    @classmethod
    def of(
        cls,
        agents: Sequence[AnyAgent],
        *,
        boards: Sequence[AnyBoard] = (),
        worlds: Sequence[World] = (),
        games: int = 100,
        seed: int = 0,
        agent_seed: int | None = None,
        shard_games: int | None = None,
        limits: Limits | None = None,
        sources: Mapping[str, str] | None = None,
        records: str = "games",
        samples: int = 0,
        secret: str | None = None,
        rules: AnyRules | None = None,
        **words: Unpack[RuleWords],
    ) -> Experiment:
        """An experiment from a caller's arguments.

        Agents are names, files, objects or classes. Boards and rules are given as to
        `mineproof.play`: `first_click="any"`, or in `rules`. A board's text may be a range of
        mines, `16x30/50..100:10`. `sources` are digests of agents' files; missing ones are
        computed from the files now.
        """
        entered = named_agents(agents)
        places = (*expand_ranges(boards), *worlds)
        settings = [Setting.of(place, rules, **words) for place in places]
        known = {} if sources is None else sources
        digests = {
            entrant.name: known.get(entrant.name) or source_digest(entrant.name)
            for entrant in entered
            if entrant.make is None
        }
        games, seed = _check_count("games", games, MOST_GAMES), check_seed(seed)
        return cls(
            tuple(entrant.name for entrant in entered),
            tuple(setting.board.text for setting in settings if setting.layout is None),
            _worlds_of(settings),
            _common_rules(settings),
            games,
            seed,
            seed if agent_seed is None else check_seed(agent_seed, "agent seed"),
            shard_size(games * len(settings), len(agents)) if shard_games is None else shard_games,
            Limits() if limits is None else limits,
            tuple((agent, digest) for agent, digest in digests.items() if digest),
            objects=tuple((entrant.name, entrant.make) for entrant in entered if entrant.make),
            records=records,
            samples=samples,
            secret=secret,
        )

    def __post_init__(self) -> None:
        if not self.agents:
            raise InputError("no agent is named; accepted: at least one")
        for kind, names in (
            ("agent", self.agents),
            ("board", self.boards),
            ("world", [world.name for world in self.worlds]),
        ):
            twice = [name for name, count in Counter(names).items() if count > 1]
            if twice:
                raise InputError(f"{kind} {quoted(twice[0])} is given twice; accepted: each once")
        if bool(self.boards) == bool(self.worlds):
            raise InputError("an experiment is played on boards or on worlds; accepted: one kind")
        _check_count("games", self.games, MOST_GAMES)
        _check_count("games a shard", self.shard_games, MOST_GAMES)
        check_seed(self.seed)
        check_seed(self.agent_seed, "agent seed")
        if self.records not in SCHEMAS:
            raise UnknownName("kind of records", self.records, SCHEMAS)
        if not 0 <= as_int(self.samples, "samples") <= MOST_GAMES:
            raise InputError(f"{self.samples} samples; accepted: 0 to {MOST_GAMES}")
        if self.secret is not None and not _SECRET.fullmatch(text_of(self.secret, "secret")):
            raise InputError(f"the secret is no {2 * _SECRET_BYTES} hexadecimal digits")
        # The mines are those of each board, so that equal experiments have equal rules.
        object.__setattr__(self, "rules", replace(self.rules, mines=Rules().mines))

    def __len__(self) -> int:
        """How many games each agent plays."""
        return self.games * (len(self.boards) or len(self.worlds))

    @property
    def rows(self) -> int:
        """How many games are played in all."""
        return len(self.agents) * len(self)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The boards or worlds, in order."""
        found = []
        named: list[str | World] = [*self.boards, *self.worlds]
        for board in named:
            setting = Setting.of(board, self.rules)
            name = None if setting.world is None else setting.world.name
            found.append(Place(setting.board.text, name, setting))
        return tuple(found)

    @property
    def place_names(self) -> list[tuple[str, str | None]]:
        """The boards or worlds by the names that rows carry, in order."""
        return [(place.board, place.world) for place in self.places]

    @property
    def sharing(self) -> int:
        """How many games in turn share a deal: one on each board. Worlds share none."""
        return len(self.boards) or 1

    def game(self, number: int) -> tuple[Place, int]:
        """Game `number` of `range(len(self))`: its place, and its index there.

        Places take turns, so that what was played first covers them all.
        """
        index, place = divmod(number, len(self.places))
        return self.places[place], index

    def deal_seed(self, index: int) -> int:
        """The seed of the deal of game `index`, on every board: the seed, or a hash of the secret.

        It gives away neither the secret nor the seed of another game.
        """
        if self.secret is None:
            return self.seed
        named = f"{self.seed} {index}".encode()
        key = bytes.fromhex(self.secret)
        return int.from_bytes(hashlib.blake2b(named, digest_size=8, key=key).digest(), "little")

    def sealed(self, secret: str | None = None) -> Experiment:
        """This experiment with a secret, drawn unless given, if agents from outside take part.

        They could find a seed by trying. One that has a secret keeps it.
        """
        if self.secret is not None or not self.outsiders:
            return self
        drawn = secrets.token_hex(_SECRET_BYTES) if secret is None else secret
        return replace(self, secret=drawn)

    def check(self) -> None:
        """Raise InputError for what cannot be played here: an unknown agent, too many mines."""
        if self.version != mineproof.__version__:
            raise InputError(
                f"the experiment is of mineproof {quoted(self.version)}, and this is"
                f" {mineproof.__version__}; accepted: the same, or a text without the version"
            )
        objects = dict(self.objects)
        for agent in self.agents:
            if agent in objects:
                continue
            player = make_player(agent, self.limits)
            for place in self.places:
                check_rules(player, place.setting.rules, len(place.setting.board.topology))
        for place in self.places:
            if place.world is None:
                check_room(place.setting.board.topology, place.setting.rules)
        for agent, digest in self.sources:
            if source_digest(agent) != digest:
                raise InputError(f"the file of agent {quoted(agent)} is another one than was meant")

    @cached_property
    def outsiders(self) -> tuple[str, ...]:
        """The agents that are not ours: from files, from other packages, and objects."""
        objects = dict(self.objects)
        return tuple(
            agent
            for agent in self.agents
            if agent in objects or AgentSource.parse(agent) is not None
        )

    @property
    def rules_text(self) -> str:
        """The rules without the mines, which are those of each board."""
        return " ".join(word for word in self.rules.text.split() if not word.startswith("mines="))

    # -- text --------------------------------------------------------------------------------
    #
    #     mineproof-experiment = 1
    #     agents = ["random", "single-point"]
    #     boards = ["square:9x9/10"]

    @property
    def unwritable(self) -> str | None:
        """What of it no text can hold: objects, or layouts that no file of worlds can hold."""
        if self.objects:
            return "objects"
        if any(world.layout.topology.name not in WORLD_LATTICES for world in self.worlds):
            return "layouts"
        return None

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that name this experiment."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @cached_property
    def text(self) -> str:
        """The experiment as TOML. Raises InputError where no text can hold it."""
        if self.unwritable is not None:
            raise InputError(
                f"{self.unwritable} have no text; accepted: agents by name, and boards or worlds"
            )
        lines = [
            f"{_HEADER} = {FORMAT}",
            f"version = {toml_text(self.version)}",
            f"agents = {toml_list(self.agents)}",
            f"rules = {toml_text(self.rules_text)}",
            f"games = {self.games}",
            f"seed = {toml_seed(self.seed)}",
            f"agent-seed = {toml_seed(self.agent_seed)}",
            f"shard-games = {self.shard_games}",
        ]
        if self.records != "games":
            lines += [f"records = {toml_text(self.records)}", f"samples = {self.samples}"]
        if self.secret is not None:
            lines.append(f"secret = {toml_text(self.secret)}")
        if self.boards:
            lines.append(f"boards = {toml_list(self.boards)}")
        else:
            lines.append(f"worlds = '''\n{format_worlds(self.worlds)}'''")
        lines += ["", "[limits]"]
        lines += [
            f"{field.name.replace('_', '-')} = {getattr(self.limits, field.name)!r}"
            for field in fields(Limits)
        ]
        if self.sources:
            lines += ["", "[sources]"]
            lines += [f"{toml_text(agent)} = {toml_text(digest)}" for agent, digest in self.sources]
        return "\n".join(lines) + "\n"

    @classmethod
    def read(cls, path: str | Path) -> Experiment:
        """The experiment of a TOML file. Raises NotationError."""
        return parse_file(path, cls.parse)

    @classmethod
    def parse(cls, text: str) -> Experiment:
        """The experiment of a TOML text.

        Only agents and boards or worlds must be there. Raises NotationError; a key that is not
        known is refused.
        """
        data = parse_toml(text)
        version = data.pop(_HEADER, None)
        if version != FORMAT:
            raise NotationError(
                f"not an experiment of version {FORMAT}; accepted: {_HEADER} = {FORMAT}"
            )
        try:
            return _experiment(FieldTable(data))
        except NotationError:
            raise
        except InputError as error:
            raise NotationError(str(error)) from None

    def __str__(self) -> str:
        return self.text


def _worlds_of(settings: Sequence[Setting]) -> tuple[World, ...]:
    """The worlds among settings; a layout without a name gets one."""
    found: list[World] = []
    for setting in settings:
        if setting.world is not None:
            found.append(setting.world)
        elif setting.layout is not None:
            found.append(World(f"layout-{len(found) + 1}", setting.layout))
    return tuple(found)


def _common_rules(settings: Sequence[Setting]) -> Rules:
    """The rules of all settings, whose mines may differ. Raises InputError."""
    rules = {replace(setting.rules, mines=Rules().mines) for setting in settings}
    if len(rules) > 1:
        raise InputError("the boards have different rules; accepted: boards under the same rules")
    return rules.pop() if rules else Rules()


def shard_size(games: int, agents: int) -> int:
    """How many of an agent's games a shard has: enough shards to spread and resume, few files."""
    shards = max(_FEWEST_SHARDS, _SHARDS // max(1, agents))
    return min(max(-(-games // shards), _FEWEST_A_SHARD), _MOST_A_SHARD)


def source_digest(agent: str) -> str | None:
    """The digest of an agent's file, of all that a program's command names; None without any."""
    source = AgentSource.parse(agent)
    if source is None or source.file is None:
        return None
    with suppress(OSError, InputError):  # it cannot be loaded either, and its row says so
        if Path(source.file).is_file():
            return hashlib.sha256(Path(source.file).read_bytes()).hexdigest()
        own = [path for path in source.program_files() if source.folder in path.parents]
        files = {file for path in own for file in (path, *path.rglob("*")) if file.is_file()}
        read = sorted(files)[:_MOST_FILES]
        return hashlib.sha256(b"".join(map(Path.read_bytes, read))).hexdigest() if read else None
    return None


def _check_count(name: str, value: int, most: int) -> int:
    number = as_int(value, name)
    if number < 1:
        raise InputError(f"{number} {name}; accepted: 1 or more")
    if number > most:
        raise InputError(f"{number} {name}; accepted: at most {most}")
    return number


# -- The first difference of two experiments, for the message that refuses another one's folder --


def first_difference(found: Experiment, wanted: Experiment) -> str:
    """The first thing in which two experiments differ, in a few words."""
    for field in fields(Experiment):
        theirs, ours = getattr(found, field.name), getattr(wanted, field.name)
        if theirs == ours:
            continue
        if field.name == "worlds":
            return "other worlds"
        if field.name == "secret":
            return "another secret of the deals"
        if field.name == "sources":
            return "the file of an agent was changed since"
        if field.name == "rules":
            theirs, ours = _other_words(found.rules_text, wanted.rules_text)
        return f"its {field.name.replace('_', ' ')} {_text_of(theirs)}, asked for {_text_of(ours)}"
    return "nothing that can be named"


def _other_words(first: str, second: str) -> tuple[str, str]:
    a, b = first.split(), second.split()
    return (
        " ".join(word for word in a if word not in b),
        " ".join(word for word in b if word not in a),
    )


def _text_of(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


# -- The fields of an experiment's text ----------------------------------------


def _experiment(table: FieldTable) -> Experiment:
    worlds = table.get("worlds", "").text()
    words = table.get("rules", "").text()
    # A text from elsewhere opens no file: a table of clues must be written out in it.
    channel(Rules.parse(words).clues)
    seed = _seed(table.get("seed", 0))
    version = table.get("version", mineproof.__version__).text()
    sources = table.get("sources", {}).table()
    experiment = Experiment.of(
        table.get("agents", []).texts(),
        boards=table.get("boards", []).texts(),
        worlds=parse_worlds(worlds) if worlds else (),
        games=table.get("games", 100).whole_number(),
        seed=seed,
        agent_seed=_seed(table.get("agent-seed", seed)),
        secret=table.get("secret", "").text() or None,
        shard_games=table.get("shard-games", 0).whole_number() or None,
        limits=_limits(table.get("limits", {}).table()),
        sources={agent: sources[agent].text() for agent in sources},
        records=table.get("records", "games").text(),
        samples=table.get("samples", 0).whole_number(),
        rules=split_words(words),
    )
    table.refuse_others()
    return replace(experiment, version=version)


def _seed(field: FieldValue) -> int:
    """A number of 64 bits, which TOML holds as a text where it has all of them."""
    text = field.value
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 20:
        return int(text)
    return field.whole_number()


def _limits(table: FieldTable) -> Limits:
    usual = Limits()
    values: dict[str, Any] = {}
    for one in fields(Limits):
        default = getattr(usual, one.name)
        value = table.get(one.name.replace("_", "-"), default)
        values[one.name] = value.number() if isinstance(default, float) else value.whole_number()
    table.refuse_others()
    return Limits(**values)


# -- Values as TOML ------------------------------------------------------------


def toml_text(text: str) -> str:
    """A TOML string. JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def toml_seed(seed: int) -> str:
    """A seed as a number where TOML can hold it, else as a text."""
    return str(seed) if seed < 2**63 else toml_text(str(seed))


def toml_list(items: Sequence[str]) -> str:
    return "[" + ", ".join(map(toml_text, items)) + "]"


# ----------------------------------------------------------------------------
# Several boards in one text: a range of mines, by number or by density.
#
#     16x30/50..100:10          50, 60, ... 100 mines
#     10x10/0.05..0.5:0.05      5 %, 10 %, ... 50 % of the cells
#     10x10/5%..50%:5%          the same
#     hex:7x7/~10%..30%:10%     each cell on its own
#
# Both ends are included; a step that does not meet the end stops before it. Steps are exact.

MOST_BOARDS = 500
"""So many boards a range may have."""

_NUMBER = r"\d{1,9}(?:\.\d{1,9})?%?|\.\d{1,9}%?"
_RANGE = re.compile(rf"(~?)({_NUMBER})\.\.({_NUMBER}):({_NUMBER})")
_ACCEPTED = "accepted: such as 16x30/50..100:10 or 10x10/0.05..0.5:0.05"


def boards_in(text: str) -> tuple[str, ...]:
    """The boards that a text names: those of a range, or the text itself. Raises BoardError."""
    shape, slash, mines = text.rpartition("/")
    if not slash or ".." not in mines:
        return (text,)
    match = _RANGE.fullmatch(mines)
    if match is None:
        raise BoardError(f"board {quoted(text)} has no range that can be read; {_ACCEPTED}")
    alone, *ends = match.groups()
    density = bool(alone) or any("." in end or "%" in end for end in ends)
    first, last, step = (_value(end) for end in ends)
    if density and not alone and any(_value(end) > 1 for end in ends):
        raise BoardError(f"board {quoted(text)} has no whole number of mines; {_ACCEPTED}")
    if not step:
        raise BoardError(f"board {quoted(text)} has a step of 0; {_ACCEPTED}")
    if last < first:
        raise BoardError(f"board {quoted(text)} ends before it begins; {_ACCEPTED}")
    count = int((last - first) / step) + 1
    if count > MOST_BOARDS:
        raise BoardError(f"board {quoted(text)} is {count} boards; accepted: at most {MOST_BOARDS}")
    values = [first + number * step for number in range(count)]
    return tuple(f"{shape}/{alone}{_text(value, density)}" for value in values)


def expand_ranges(boards: Iterable[AnyBoard]) -> list[AnyBoard]:
    """Boards with every range in its place spread out. Raises BoardError."""
    found: list[AnyBoard] = []
    for board in boards:
        found += boards_in(board) if isinstance(board, str) else (board,)
    return found


def _value(text: str) -> Fraction:
    return Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


def _text(value: Fraction, density: bool) -> str:
    return f"{share_text(100 * value)}%" if density else str(value)


@dataclass(frozen=True)
class Axis:
    """What distinguishes boards of one shape: their mines, by number or by density."""

    shape: str
    label: str
    boards: tuple[str, ...]
    texts: tuple[str, ...]
    values: tuple[Fraction, ...]
    """The number of mines, or the density as a share."""


def axis_of(boards: Sequence[str]) -> Axis | None:
    """What distinguishes boards, if they are one shape with different mines; else None."""
    read = [Board.parse(board, files=False) for board in boards]
    shapes = {board.topology.text for board in read}
    kinds = {board.mines.kind for board in read}
    if len(read) < 2 or len(shapes) > 1 or len(kinds) > 1:
        return None
    mines = [board.mines for board in read]
    if mines[0] == Mines.uniform():
        return None
    return Axis(
        shapes.pop(),
        "mines" if mines[0].is_number else "density",
        tuple(boards),
        tuple(one.text for one in mines),
        tuple(one.value for one in mines),
    )


def range_text(boards: Sequence[str]) -> str:
    """Boards in one text: as a range where they are one, else as a list."""
    axis = axis_of(boards)
    if axis is not None and len(boards) > 2:
        step = axis.values[1] - axis.values[0]
        ends = (axis.values[0], axis.values[-1], step)
        alone = "~" * axis.texts[0].startswith("~")
        low, high, between = (_text(end, axis.label == "density") for end in ends)
        text = f"{axis.shape}/{alone}{low}..{high}:{between}"
        # Only what reads back to these boards says so.
        readable = step > 0 and _RANGE.fullmatch(text.rpartition("/")[2])
        if readable and list(map(Board.parse, boards_in(text))) == list(map(Board.parse, boards)):
            return text
    return ", ".join(boards)
