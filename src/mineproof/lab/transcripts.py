"""Any game of a folder of results again: from its kept transcript, or played again from its seed.

game = game_of("results", "sat", 17)             game 17 on the only board
game = game_of("results", "sat", 17, "expert")   on this board
game.kept                                        whether its transcript was kept
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mineproof.board.presets import Board
from mineproof.errors import InputError, NotationError, quoted
from mineproof.lab.duck import connect
from mineproof.lab.experiment import Experiment
from mineproof.lab.shards import Bench, shards_of
from mineproof.lab.store import read_experiment
from mineproof.lab.transcript_files import read_transcripts
from mineproof.match.game import play_game
from mineproof.match.transcript import Transcript

__all__ = ["FoundGame", "game_of"]

_MOST_NAMED = 8


@dataclass(frozen=True)
class FoundGame:
    """A game of a folder; `kept` is False where it was played again, from the same seed."""

    transcript: Transcript
    kept: bool


def game_of(
    folder: str | Path, agent: str | None = None, index: int = 0, place: str | None = None
) -> FoundGame:
    """Game `index` of an agent on a board or world of a folder that `compare --out` wrote.

    The agent may be left out where there is one, and so may the board or world. A game whose
    transcript was not kept is played again: the same seed gives the same game. Raises InputError.
    """
    experiment = read_experiment(folder)
    number = experiment.agents.index(_agent(experiment, agent))
    at = _place(experiment, place)
    if not 0 <= index < experiment.games:
        raise InputError(f"game {index}; accepted: 0 to {experiment.games - 1}")
    game = index * len(experiment.places) + at
    shard = next(one for one in shards_of(experiment) if one.agent == number and game < one.stop)
    path = Path(folder) / shard.transcripts_file
    if not path.exists():
        return FoundGame(_played(experiment, number, game), kept=False)
    connection = connect(threads=1)
    try:
        text = read_transcripts(connection, path, experiment.digest, shard)[game - shard.start]
    finally:
        connection.close()
    return FoundGame(_read(text, path, experiment, number, game), kept=True)


def _agent(experiment: Experiment, name: str | None) -> str:
    if name is None and len(experiment.agents) == 1:
        return experiment.agents[0]
    if name is None:
        raise InputError(f"no agent is named; accepted: {_few(experiment.agents)}")
    if name not in experiment.agents:
        raise InputError(
            f"agent {quoted(name)} does not play here; accepted: {_few(experiment.agents)}"
        )
    return name


def _place(experiment: Experiment, name: str | None) -> int:
    """The place of a board or world among those of the experiment."""
    names = [board if world is None else world for board, world in experiment.place_names]
    if name is None and len(names) == 1:
        return 0
    if name is None:
        raise InputError(
            f"no board or world is named, and there are {len(names)}; accepted: {_few(names)}"
        )
    wanted = name if experiment.worlds else Board.parse(name).text
    if wanted not in names:
        raise InputError(f"{quoted(name)} is not played here; accepted: {_few(names)}")
    return names.index(wanted)


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(name if name.isprintable() else quoted(name) for name in names[:_MOST_NAMED])
    return shown if len(names) <= _MOST_NAMED else f"{shown} and {len(names) - _MOST_NAMED} more"


def _played(experiment: Experiment, agent: int, game: int) -> Transcript:
    experiment.check()
    place, index = experiment.game(game)
    name = experiment.agents[agent]
    bench = Bench(experiment)
    try:
        return play_game(
            place.setting,
            bench.agent(name),
            name,
            experiment.deal_seed(index),
            index,
            experiment.agent_seed,
        )
    finally:
        bench.close()


def _read(text: str, path: Path, experiment: Experiment, agent: int, game: int) -> Transcript:
    """The game of a text, which must be the one that was asked for. Raises InputError."""
    index = experiment.game(game)[1]
    if not all(line.isprintable() for line in text.split("\n")):
        raise InputError(f"{str(path)!a}, game {index}: no text; accepted: a transcript")
    try:
        found = Transcript.parse(text)
    except NotationError as error:
        raise InputError(f"{str(path)!a}, game {index}: {error.plain}") from None
    asked = (experiment.agents[agent], experiment.deal_seed(index), index)
    if (found.agent, found.seed, found.index) != asked:
        raise InputError(f"{str(path)!a} holds another game in the place of game {index}")
    return found
