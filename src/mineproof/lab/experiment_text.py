"""The text of an experiment: TOML that reads back to an equal value.

    mineproof-experiment = 1
    agents = ["random", "single-point"]
    boards = ["square:9x9/10"]

Only agents and boards or worlds must be there; a key that is not known is refused.
"""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace

import mineproof
from mineproof.board.worlds import format_worlds, parse_worlds
from mineproof.errors import InputError, NotationError
from mineproof.lab.experiment import Experiment
from mineproof.lab.toml import Fields, toml_list, toml_seed, toml_text
from mineproof.match.isolation import Limits
from mineproof.rules import Rules, split_words
from mineproof.view.channels import channel

__all__ = ["FORMAT", "parse", "write"]

FORMAT = 1
"""The version of the text; a text of another version is refused."""

_HEADER = "mineproof-experiment"


def write(experiment: Experiment) -> str:
    """The text of an experiment. Raises InputError where no text can hold it."""
    if experiment.unwritable is not None:
        raise InputError(
            f"{experiment.unwritable} have no text; accepted: agents by name, and boards or worlds"
        )
    lines = [
        f"{_HEADER} = {FORMAT}",
        f"version = {toml_text(experiment.version)}",
        f"agents = {toml_list(experiment.agents)}",
        f"rules = {toml_text(experiment.rules_text)}",
        f"games = {experiment.games}",
        f"seed = {toml_seed(experiment.seed)}",
        f"agent-seed = {toml_seed(experiment.agent_seed)}",
        f"shard-games = {experiment.shard_games}",
    ]
    if experiment.records != "games":
        lines += [f"records = {toml_text(experiment.records)}", f"samples = {experiment.samples}"]
    if experiment.secret is not None:
        lines.append(f"secret = {toml_text(experiment.secret)}")
    if experiment.boards:
        lines.append(f"boards = {toml_list(experiment.boards)}")
    else:
        lines.append(f"worlds = '''\n{format_worlds(experiment.worlds)}'''")
    lines += ["", "[limits]"]
    lines += [
        f"{field.name.replace('_', '-')} = {getattr(experiment.limits, field.name)!r}"
        for field in fields(Limits)
    ]
    if experiment.sources:
        lines += ["", "[sources]"]
        lines += [
            f"{toml_text(agent)} = {toml_text(digest)}" for agent, digest in experiment.sources
        ]
    return "\n".join(lines) + "\n"


def parse(text: str) -> Experiment:
    """The experiment of a text. Raises NotationError."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotationError(f"not TOML: {error}") from None
    version = data.pop(_HEADER, None)
    if version != FORMAT:
        raise NotationError(
            f"not an experiment of version {FORMAT}; accepted: {_HEADER} = {FORMAT}"
        )
    try:
        return _experiment(Fields(data))
    except NotationError:
        raise
    except InputError as error:
        raise NotationError(str(error)) from None


def _experiment(taken: Fields) -> Experiment:
    worlds = taken.take("worlds", str, "")
    words = taken.take("rules", str, "")
    # A text from elsewhere opens no file: a table of clues must be written out in it.
    channel(Rules.parse(words).clues)
    seed = taken.number("seed", 0)
    version = taken.take("version", str, mineproof.__version__)
    experiment = Experiment.of(
        taken.texts("agents"),
        boards=taken.texts("boards"),
        worlds=parse_worlds(worlds) if worlds else (),
        games=taken.take("games", int, 100),
        seed=seed,
        agent_seed=taken.number("agent-seed", seed),
        secret=taken.take("secret", str, "") or None,
        shard_games=taken.take("shard-games", int, 0) or None,
        limits=_limits(Fields(taken.take("limits", dict, {}), "limits: ")),
        sources=taken.take("sources", dict, {}),
        records=taken.take("records", str, "games"),
        samples=taken.take("samples", int, 0),
        rules=split_words(words),
    )
    taken.end()
    return replace(experiment, version=version)


def _limits(taken: Fields) -> Limits:
    usual = Limits()
    values = {}
    for field in fields(Limits):
        default = getattr(usual, field.name)
        values[field.name] = taken.take(field.name.replace("_", "-"), type(default), default)
    taken.end()
    return Limits(**values)
