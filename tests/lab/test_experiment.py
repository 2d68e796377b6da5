"""Experiments as data: their text, their digest, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof
from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.board.worlds import World
from mineproof.errors import InputError, NotationError
from mineproof.lab.experiment import Experiment, shard_size
from mineproof.lab.shards import shards_of
from mineproof.match.isolation import Limits

WORLDS = tuple(
    World(name, Layout.of(Topology.parse("hex:3x3"), [mine]))
    for name, mine in (("A1", 1), ("A2", 5))
)


@settings(max_examples=60)
@given(
    agents=st.lists(
        st.text(min_size=1).filter(lambda t: "\ud800" not in t), min_size=1, unique=True
    ),
    boards=st.lists(
        st.sampled_from(["beginner", "expert", "9x9/20%", "hex:7x7/10", "graph:0-1,1-2/1"]),
        min_size=1,
        unique=True,
    ),
    games=st.integers(1, 10**9),
    seed=st.integers(0, 2**64 - 1),
    first_click=st.sampled_from(["any", "safe", "opening"]),
    move_seconds=st.floats(0.001, 1e6),
)
def test_the_text_reads_back(
    agents: list[str],
    boards: list[str],
    games: int,
    seed: int,
    first_click: str,
    move_seconds: float,
) -> None:
    names = [name for name in agents if ".py" not in name] or ["random"]
    experiment = Experiment.of(
        names,
        boards=boards,
        games=games,
        seed=seed,
        limits=Limits(move_seconds=move_seconds),
        first_click=first_click,
    )
    again = Experiment.parse(experiment.text)
    assert again == experiment
    assert again.digest == experiment.digest


def test_worlds_are_part_of_the_text() -> None:
    experiment = Experiment.of(["random"], worlds=WORLDS, games=7)
    assert Experiment.parse(experiment.text) == experiment
    assert experiment.rules.given.corner_centre
    assert len(experiment) == 14
    assert [experiment.game(n)[1] for n in range(4)] == [0, 0, 1, 1]
    assert [experiment.game(n)[0].world for n in range(4)] == ["A1", "A2", "A1", "A2"]


def test_a_text_by_hand_needs_little() -> None:
    experiment = Experiment.parse(
        'mineproof-experiment = 1\nagents = ["random"]\nboards = ["beginner"]\n'
        'rules = "first-click=opening"\n'
    )
    assert experiment == Experiment.of(["random"], boards=["beginner"], first_click="opening")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ("", "version"),
        ("mineproof-experiment = 2", "version"),
        ("mineproof-experiment = ", "not TOML"),
        ("agents = 3", "agents"),
        ("agents = [3]", "texts"),
        ('agents = ["random", "random"]', "twice"),
        ("boards = []", "one kind"),
        ('boards = ["beginer"]', "did you mean beginner"),
        ("games = 0", "1 or more"),
        ("games = true", "games"),
        ("games = 1.5", "games"),
        ("seed = -1", "accepted: 0 to"),
        ('seed = "x"', "seed"),
        ('rules = "first-click=maybe"', "accepted: any"),
        ('rules = "mines=3"', "mines"),
        ("jobs = 2", "jobs is not known"),
        ("limits = {move = 3}", "move is not known"),
        ("limits = {move-seconds = -3}", "not positive"),
    ],
)
def test_a_wrong_text_is_refused_in_one_line(changed: str, said: str) -> None:
    lines = {
        "mineproof-experiment": "mineproof-experiment = 1",
        "agents": 'agents = ["random"]',
        "boards": 'boards = ["beginner"]',
    }
    if changed:
        lines[changed.split(" ")[0]] = changed
    else:
        del lines["mineproof-experiment"]
    with pytest.raises(NotationError) as caught:
        Experiment.parse("\n".join(lines.values()))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_changed_agent_makes_another_experiment(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def act(self, view): return 0\n")
    first = Experiment.of([str(file)], boards=["beginner"])
    assert Experiment.parse(first.text) == first
    file.write_text("class Mine:\n    def act(self, view): return 1\n")
    assert Experiment.of([str(file)], boards=["beginner"]).digest != first.digest
    with pytest.raises(InputError, match="another one than was meant"):
        first.check()


def test_another_version_of_mineproof_makes_another_experiment() -> None:
    now = Experiment.of(["random"], boards=["beginner"])
    before = Experiment.parse(now.text.replace(mineproof.__version__, "0.0.0"))
    assert before.digest != now.digest
    with pytest.raises(InputError, match=r"of mineproof '0\.0\.0'"):
        before.check()


def test_unknown_agents_and_crowded_boards_are_found_before_playing() -> None:
    with pytest.raises(InputError, match="did you mean random"):
        Experiment.of(["randon"], boards=["beginner"]).check()
    with pytest.raises(InputError, match="do not fit"):
        Experiment.of(["random"], boards=["3x3/9"]).check()


@given(st.integers(1, 5000), st.integers(1, 20), st.integers(1, 3))
@settings(max_examples=50)
def test_shards_hold_every_game_once(games: int, agents: int, boards: int) -> None:
    experiment = Experiment.of(
        [f"a{n}" for n in range(agents)],
        boards=[f"9x9/{10 + n}" for n in range(boards)],
        games=games,
    )
    played = [(s.agent, n) for s in shards_of(experiment) for n in range(s.start, s.stop)]
    assert sorted(played) == [(a, n) for a in range(agents) for n in range(games * boards)]
    assert len({shard.file for shard in shards_of(experiment)}) == len(shards_of(experiment))


def test_a_million_games_make_hundreds_of_files_not_thousands() -> None:
    assert 10**6 / shard_size(10**6, 1) < 300
