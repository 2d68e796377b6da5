"""The hostile suite: no bad agent stops the others, and no honest one is harmed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mineproof.lab.comparison import compare
from mineproof.sandbox.agent import Limits
from tests.hostile.batch import HASTY, PATIENT, judge, killed_and_resumed, play, playable, write
from tests.hostile.kinds import CHEATS, KINDS, Kind

LONG = Limits(move_seconds=600.0, game_seconds=3600.0, start_seconds=600.0)


def contained(place: Path, kinds: list[Kind], *options: str) -> None:
    written = write(place / "class", kinds, honest=3)
    status, found, said = play(place, "--jobs", "2", "--out", "results", *options)
    assert status == 0, said
    assert (place / "class.csv").is_file()
    verdicts = judge(written, found)
    assert len(verdicts) == len(kinds) + 3
    assert [(one.kind, one.said) for one in verdicts if not one.contained] == []


def test_every_kind_is_contained_and_has_its_row(tmp_path: Path) -> None:
    contained(tmp_path, [k for k in playable([*KINDS, *CHEATS]) if not k.hangs], *PATIENT)


def test_what_hangs_is_ended(tmp_path: Path) -> None:
    written = write(tmp_path / "class", [kind for kind in KINDS if kind.hangs], honest=0)
    status, found, said = play(tmp_path, "--jobs", "2", *HASTY)
    assert status == 0, said
    assert all(one.contained for one in judge(written, found))


@pytest.mark.parametrize("without", ["namespaces", "landlock", "landlock,filter"])
def test_where_a_layer_is_missing_the_others_keep_the_run_alive(
    tmp_path: Path, without: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a layer that is left keeps from harm; the whole table is `make hostile`'s."""
    monkeypatch.setenv("MINEPROOF_WITHOUT", without)
    kinds = [kind for kind in playable([*KINDS, *CHEATS]) if kind.needs and not kind.hangs]
    assert kinds
    contained(tmp_path, kinds, *PATIENT)


def test_honest_agents_reach_the_same_among_bad_ones(tmp_path: Path) -> None:
    """A run with bad agents, and one without, from the same secret: the same rows."""
    bad = [kind for kind in playable(KINDS) if not kind.hangs][:12]
    write(tmp_path / "class", bad, honest=2)
    agents = sorted(str(path) for path in (tmp_path / "class").glob("*.py"))
    honest = [agent for agent in agents if "honest" in agent]
    among = compare(agents, "5x5/4", games=3, jobs=2, limits=LONG)
    alone = compare(honest, "5x5/4", games=3, secret=among.secret, limits=LONG)
    assert among.secret == alone.secret is not None
    rows = [replace(row, seconds=0.0) for row in among.rows if row.agent in honest]
    assert rows == [replace(row, seconds=0.0) for row in alone.rows]


def test_a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    kinds = [kind for kind in playable(KINDS) if not kind.hangs][:10]
    assert killed_and_resumed(tmp_path / "killed", kinds, agents=16, kills=2)
