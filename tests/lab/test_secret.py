"""The secret of the deals: drawn for agents from outside, kept, resumed and repeated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mineproof.board.deal import deal, kept_free
from mineproof.errors import InputError
from mineproof.lab.core_games import play_in_core
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.rows import same_rows
from mineproof.lab.runner import run
from mineproof.lab.shards import Bench, Shard, _refereed
from mineproof.lab.store import read_experiment
from mineproof.lab.transcripts import game_of
from mineproof.match.game import play
from mineproof.match.isolation import Limits
from mineproof.rng import Purpose, Stream
from tests.core import needs_core
from tests.lab.processes import Rows

SECRET = "00112233445566778899aabbccddeeff"
PATIENT = Limits(move_seconds=600.0, game_seconds=3600.0, start_seconds=600.0)
HALF = "class Mine:\n    def act(self, view):\n        return view.hidden[len(view.hidden) // 2]\n"


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "agents").mkdir()
    path = tmp_path / "agents" / "mine.py"
    path.write_text(HALF)
    return str(path)


def experiment(file: str, secret: str | None = None) -> Experiment:
    return Experiment.of(
        [file, "random"], boards=["5x5/4"], games=6, seed=1, limits=PATIENT, secret=secret
    )


def test_only_agents_from_outside_need_a_secret(file: str) -> None:
    ours = Experiment.of(["random", "exact"], boards=["5x5/4"])
    assert ours.sealed() == ours
    assert ours.deal_seed(7) == ours.seed
    theirs = experiment(file)
    assert theirs.secret is None
    drawn = {theirs.sealed().secret for _ in range(3)}
    assert len(drawn) == 3
    assert None not in drawn
    assert experiment(file, SECRET).sealed().secret == SECRET


def test_every_game_has_a_seed_that_tells_nothing_of_another(file: str) -> None:
    sealed = experiment(file, SECRET)
    seeds = [sealed.deal_seed(index) for index in range(100)]
    assert len(set(seeds)) == 100
    assert seeds == [experiment(file, SECRET).deal_seed(index) for index in range(100)]
    other = experiment(file, SECRET[::-1])
    assert not set(seeds) & {other.deal_seed(index) for index in range(100)}


def test_the_text_holds_the_secret(file: str) -> None:
    sealed = experiment(file, SECRET)
    assert f'secret = "{SECRET}"' in sealed.text
    assert Experiment.parse(sealed.text) == sealed
    assert "secret =" not in experiment(file).text
    for wrong in ("12", "g" * 32, SECRET.upper()):
        with pytest.raises(InputError, match="hexadecimal"):
            experiment(file, wrong)


def test_a_folder_is_taken_up_with_its_secret_and_repeated_by_it(
    file: str, tmp_path: Path, rows: Callable[[Path], Rows]
) -> None:
    first = run(experiment(file), folder=tmp_path / "results")
    kept = read_experiment(tmp_path / "results")
    assert first.experiment.secret == kept.secret is not None
    (tmp_path / "results" / "games-000-000000.parquet").unlink()
    before = rows(tmp_path / "results")
    again = run(experiment(file), folder=tmp_path / "results")
    assert again.experiment == kept
    assert set(before) < set(rows(tmp_path / "results"))
    run(Experiment.read(tmp_path / "results" / "experiment.toml"), folder=tmp_path / "repeated")
    assert rows(tmp_path / "repeated") == rows(tmp_path / "results")
    other = run(experiment(file), folder=tmp_path / "other")
    assert other.experiment.secret != kept.secret
    with pytest.raises(InputError, match="another secret of the deals"):
        run(experiment(file, SECRET), folder=tmp_path / "results")
    found = game_of(tmp_path / "results", file, 3)
    with Results(tmp_path / "results") as results:
        opened = results.query("SELECT opened FROM games WHERE game = 3 AND agent = ?", [file])
    assert opened == [(sum(step.opened for step in found.transcript.steps),)]


def test_all_agents_meet_the_same_deals(file: str) -> None:
    left = run(experiment(file, SECRET))
    sealed = left.experiment
    place, index = sealed.game(4)
    game = play("5x5/4", "random", sealed.deal_seed(index), index=index, agent_seed=1)
    table = left.table(1)
    assert table["opened"][4] == sum(step.opened for step in game.steps)
    assert place.board == "square:5x5/4"


@needs_core
@pytest.mark.parametrize("agent", ["random", "exact"])
def test_the_core_and_the_referee_deal_alike_from_a_secret(file: str, agent: str) -> None:
    sealed = Experiment.of(
        [file, agent], boards=["6x6/6", "5x5/4"], games=9, seed=2, secret=SECRET, limits=PATIENT
    )
    shard = Shard(1, 0, 0, len(sealed))
    bench = Bench(sealed)
    refereed = _refereed(sealed, shard, bench, None, lambda: 0.0, False)
    assert same_rows(play_in_core(sealed, agent, 0, len(sealed)), refereed)


def test_seeds_that_are_tried_do_not_give_the_deal_away(file: str) -> None:
    """The first route of the issue: small seeds, tried until the agent's own stream comes out."""
    sealed = experiment(file, SECRET)
    topology = sealed.places[0].setting.board.topology
    first = kept_free(topology, sealed.rules.first_click, (12,))
    mines = sealed.places[0].setting.rules.mines
    found = [
        seed
        for seed in range(200)
        if Stream(seed, 0, Purpose.AGENT).next()
        == Stream(sealed.agent_seed, 0, Purpose.AGENT).next()
    ]
    assert found == [1]  # the stream of the agent is found, and the deal is another
    dealt = deal(topology, mines, sealed.deal_seed(0), 0, tuple(first))
    assert dealt != deal(topology, mines, found[0], 0, tuple(first))
