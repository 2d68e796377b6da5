"""An experiment as data: which agents play which games, under which rules.

Its text is TOML and reads back to an equal value; its `digest` names it. A game is named by
(seed, index): every agent meets the same mines, on every board, on every machine.

>>> experiment = Experiment.of(["random", "single-point"], boards=["beginner"], games=50, seed=1)
>>> Experiment.parse(experiment.text) == experiment
True
>>> len(experiment), experiment.rows
(50, 100)
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import mineproof
from mineproof.agents.adapters.source import AgentSource
from mineproof.agents.agent import AgentFactory
from mineproof.board.deal import check_room
from mineproof.board.worlds import World
from mineproof.errors import InputError, UnknownName, quoted, text_of
from mineproof.files import parse_file
from mineproof.inference.verdict import check_rules
from mineproof.lab.board_range import expanded
from mineproof.lab.rows import SCHEMAS
from mineproof.match.entrants import AnyAgent, entrants
from mineproof.match.isolation import Limits, make_player
from mineproof.rng import check_seed
from mineproof.rules import Rules, RuleValue
from mineproof.view.setting import AnyBoard, AnyRules, Setting
from mineproof.whole import whole

__all__ = ["Experiment", "Place", "file_digest", "source_digest"]

MOST_GAMES = 10**9
_SECRET_BYTES = 16
_SECRET = re.compile("[0-9a-f]{32}")
_WORLDS_ON = "hex:"
"""How the text of a board begins whose layouts a file of worlds can hold."""
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
        **words: RuleValue,
    ) -> Experiment:
        """An experiment from what a person gives.

        Agents are names, files, objects or classes. Boards and rules are given as to
        `mineproof.play`: `first_click="any"`, or in `rules`. A board's text may be a range of
        mines, `16x30/50..100:10`. `sources` are digests of agents'
        files; those not given are taken of the files now.
        """
        entered = entrants(agents)
        places = (*expanded(boards), *worlds)
        settings = [Setting.of(place, rules, **words) for place in places]
        known = {} if sources is None else sources
        digests = {
            entrant.name: known.get(entrant.name) or source_digest(entrant.name)
            for entrant in entered
            if entrant.make is None
        }
        games, seed = _checked("games", games, MOST_GAMES), check_seed(seed)
        return cls(
            tuple(entrant.name for entrant in entered),
            tuple(setting.board.text for setting in settings if setting.layout is None),
            _worlds(settings),
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
        _checked("games", self.games, MOST_GAMES)
        _checked("games a shard", self.shard_games, MOST_GAMES)
        check_seed(self.seed)
        check_seed(self.agent_seed, "agent seed")
        if self.records not in SCHEMAS:
            raise UnknownName("kind of records", self.records, SCHEMAS)
        if not 0 <= whole(self.samples, "samples") <= MOST_GAMES:
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

    @property
    def unwritable(self) -> str | None:
        """What of it no text can hold: objects, or layouts that are no world of hexagons."""
        if self.objects:
            return "objects"
        boards = {world.layout.topology.text for world in self.worlds}
        if any("#" in board or not board.startswith(_WORLDS_ON) for board in boards):
            return "layouts"
        return None

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that name this experiment."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @cached_property
    def text(self) -> str:
        """The experiment as TOML. Raises InputError where no text can hold it."""
        from mineproof.lab import experiment_text

        return experiment_text.write(self)

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
        from mineproof.lab import experiment_text

        return experiment_text.parse(text)

    def __str__(self) -> str:
        return self.text


def _worlds(settings: Sequence[Setting]) -> tuple[World, ...]:
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


def file_digest(path: str | Path) -> str:
    """The SHA-256 of a file. Raises InputError."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{quoted(str(path))} cannot be read: {error.strerror}") from None


def source_digest(agent: str) -> str | None:
    """The digest of an agent's file; None where it has none that could be read."""
    source = AgentSource.parse(agent)
    if source is None or source.file is None or not Path(source.file).is_file():
        return None
    return file_digest(source.file)


def _checked(name: str, value: int, most: int) -> int:
    number = whole(value, name)
    if number < 1:
        raise InputError(f"{number} {name}; accepted: 1 or more")
    if number > most:
        raise InputError(f"{number} {name}; accepted: at most {most}")
    return number
