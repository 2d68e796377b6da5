"""Data sets of positions: exact labels, resumable, the same on every executor."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import mineproof as mp
from mineproof.agents.catalog import make_agent
from mineproof.lab.executors import make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.position_rows import record_position
from mineproof.lab.runner import run
from mineproof.lab.store import Store
from mineproof.surfaces.cli.main import run as run_command
from mineproof.view.setting import Setting
from tests.core import needs_core


def experiment(**options: Any) -> Experiment:
    return Experiment.of(
        ["single-point"],
        **{"boards": ["6x6/6"], "games": 40, "seed": 3, "records": "positions", **options},
    )


def rows(folder: Path) -> dict[str, Any]:
    return duckdb.sql(f"SELECT * FROM '{folder}/positions-*.parquet' ORDER BY game").fetchnumpy()


def test_the_text_round_trips_and_names_what_is_recorded() -> None:
    one = experiment(samples=5)
    assert Experiment.parse(one.text) == one
    assert 'records = "positions"\nsamples = 5\n' in one.text
    assert one.digest != replace(one, records="games", samples=0).digest
    assert "records" not in Experiment.of(["random"], boards=["4x4/3"]).text
    with pytest.raises(mp.InputError, match="unknown kind of records 'moves'"):
        experiment(records="moves")
    with pytest.raises(mp.InputError, match="-1 samples"):
        experiment(samples=-1)


def test_every_row_is_what_the_engine_says_of_a_position_of_its_game(tmp_path: Path) -> None:
    run(experiment(), folder=tmp_path / "set")
    found = rows(tmp_path / "set")
    assert found["game"].tolist() == list(range(40))
    for place in range(40):
        codes = np.asarray(found["codes"][place], dtype=np.uint8)
        view = mp.View.of_codes(mp.Topology.parse("6x6"), mp.Rules.parse("mines=6"), codes)
        analysis = mp.analyze(view)
        assert found["chances"][place] == pytest.approx(analysis.p.array, abs=1e-6)
        certain = np.asarray(found["certain"][place])
        assert set(np.flatnonzero(certain == 1)) == set(analysis.safe)
        assert set(np.flatnonzero(certain == 2)) == set(analysis.mines)
        game = mp.play("6x6/6", "single-point", seed=3, index=int(found["index"][place]))
        assert found["won"][place] == game.outcome.won
        assert found["moves"][place] == len(game.steps)
        assert game.steps[found["move"][place]].decision.cell == found["played"][place]
        assert view.is_hidden(int(found["best"][place]))
        assert found["risk"][place] == analysis.p[int(found["best"][place])]
        assert found["mines"][place] == 6


@needs_core
def test_the_best_move_is_the_advice_and_its_worth_is_exact_near_the_end() -> None:
    known = 0
    for index in range(12):
        row = record_position(Setting.of("5x5/4"), make_agent("exact"), "exact", 1, index, 1)
        codes = np.array(row["codes"], dtype=np.uint8)
        view = mp.View.of_codes(mp.Topology.parse("5x5"), mp.Rules.parse("mines=4"), codes)
        advice = mp.advise(view)
        assert advice is not None
        assert row["risk"] == advice.risk
        if not np.isnan(row["worth"]):
            known += 1
            assert row["worth"] == float(mp.endgame(view).chance)
    assert known > 6


@needs_core
def test_samples_estimate_what_is_not_known() -> None:
    agent = make_agent("exact")
    setting = Setting.of("9x9/20")
    without, sampled = (
        [record_position(setting, agent, "exact", 2, i, 2, samples)["worth"] for i in range(6)]
        for samples in (0, 20)
    )
    assert np.isnan(without).any()
    assert not np.isnan(sampled).any()


def test_it_resumes_and_is_the_same_in_processes(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(experiment(), folder=whole)
    with make_executor(2) as executor:
        run(experiment(), executor, folder=parts)
    files = sorted(path.name for path in whole.glob("*.parquet"))
    assert files == sorted(path.name for path in parts.glob("*.parquet"))
    lost = parts / files[1]
    lost.unlink()
    run(experiment(), folder=parts)
    one, other = rows(whole), rows(parts)
    for name in one:
        values = [np.ma.filled(np.ma.asarray(side[name]), -7) for side in (one, other)]
        assert [str(value) for value in values[0]] == [str(value) for value in values[1]], name
    with Store(parts, experiment()) as store:
        assert sum(len(shard) for shard in store.finished()) == 40


def test_a_damaged_shard_and_another_experiment_are_refused(tmp_path: Path) -> None:
    run(experiment(), folder=tmp_path)
    with pytest.raises(mp.InputError, match="holds another experiment"):
        run(experiment(samples=3), folder=tmp_path)
    (first, *_) = sorted(tmp_path.glob("*.parquet"))
    duckdb.sql(f"SELECT * FROM '{first}'").write_parquet(str(tmp_path / "copy"))
    first.write_bytes((tmp_path / "copy").read_bytes())
    (tmp_path / "copy").unlink()
    with pytest.raises(mp.InputError, match="is of another experiment"):
        run(experiment(), folder=tmp_path)


def test_the_command_writes_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dataset", "--board", "5x5/4", "--positions", "20", "--agent", "single-point"]
    assert run_command([*words, "--out", str(tmp_path / "set")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("20 positions of single-point on square:5x5/4 are in")
    assert run_command([*words, "--out", str(tmp_path / "set"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["positions"] == 20
    assert len(rows(tmp_path / "set")["game"]) == 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--positions", "0"], "0 games; accepted: 1 or more"),
        (["--agent", "exat"], "did you mean exact"),
        (["--board", "exprt"], "did you mean expert"),
        (["--samples", "-1"], "-1 samples"),
        (["--jobs", "0"], "0 jobs"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["dataset", "--out", str(tmp_path / "set"), *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
