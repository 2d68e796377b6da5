"""A deliberate search for the mines: from an environment, what it hands out and what it raises.

With the core, nothing that can be reached from an environment holds the mines or the seed. The
twin's games are Python objects, which a program that looks for them finds; docs/environment.md says
so. What an environment hands out tells nothing in either case.
"""

from __future__ import annotations

import copy
import gc
import pickle
import random
import types
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest

import mineproof as mp
from mineproof.envs import ENVIRONMENT
from mineproof.rng import Stream
from tests.core import needs_core

SEED = 0x5EED_CAFE_F00D_1234
BOARD = "expert"
MOVES = (200, 17, 463)

WAYS: list[dict[str, Any]] = [
    {},
    {"observe": "planes+chances", "reward": "sound", "info": ("risk", "certain")},
    {"first_click": "any", "clues": "noisy:0.1", "on_mine": "continue"},
    {"given": "random:3", "total": "unknown", "flags": True},
]


def played(options: dict[str, Any]) -> tuple[Any, list[Any]]:
    """An environment within a game, and everything that it handed out."""
    env = gymnasium.make(ENVIRONMENT, board=BOARD, **{"on_mine": "continue", **options})
    out: list[Any] = [env.reset(seed=SEED)]
    out += [env.step(cell) for cell in MOVES]
    return env, out


def truth(options: dict[str, Any]) -> frozenset[int]:
    """Where the mines of that game are."""
    words = {name: options[name] for name in options if name in ("first_click", "given", "clues")}
    referee = mp.Referee(BOARD, SEED, on_mine="continue", **words)
    for cell in MOVES:
        if referee.view.is_hidden(cell):
            referee.open(cell)
    referee.stop()
    assert referee.layout is not None
    return frozenset(referee.layout.cells)


def reachable(*roots: Any) -> Iterator[Any]:
    """Everything that objects refer to, as the garbage collector sees it: attributes, slots, the
    cells of closures, defaults, frames of tracebacks. Modules and their names are left out.
    """
    seen: set[int] = set()
    waiting = list(roots)
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, types.ModuleType):
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, types.FunctionType):
            waiting += [one.__closure__, one.__defaults__, one.__kwdefaults__, one.__dict__]
            continue
        if isinstance(one, type) and one.__module__.split(".")[0] != "mineproof":
            continue
        if isinstance(one, np.ndarray) and one.base is not None:
            waiting.append(one.base)
        if isinstance(one, types.FrameType):
            waiting += [one.f_locals, one.f_back]
            continue
        waiting += [other for other in gc.get_referents(one) if not _is_globals(other)]


def _is_globals(one: object) -> bool:
    return isinstance(one, dict) and "__builtins__" in one


def holds_mines(one: Any, mines: frozenset[int], cells: int) -> bool:
    """Whether a value is the layout, in one of the forms in which it could be kept."""
    if isinstance(one, mp.Layout | mp.Referee):
        return True
    if isinstance(one, int) and one in (SEED, sum(1 << cell for cell in mines)):
        return True
    if isinstance(one, bytes | bytearray) and len(one) in (cells, cells // 8):
        raw = np.frombuffer(one, dtype=np.uint8)
        bits = raw if len(one) == cells else np.unpackbits(raw, bitorder="little")
        return any(set(np.flatnonzero(bits == value)) == mines for value in np.unique(bits))
    if isinstance(one, np.ndarray) and one.dtype.kind in "biuf" and one.size:
        if one.size % cells == 0:
            rows = one.reshape(-1, cells)
            return any(
                set(np.flatnonzero(row == value)) == mines
                for row in rows
                for value in np.unique(row)
            )
        return set(one.ravel().tolist()) == mines
    if isinstance(one, list | tuple | set | frozenset) and len(one) == len(mines):
        return all(isinstance(cell, int) for cell in one) and set(one) == mines
    return False


def found(mines: frozenset[int], *roots: Any) -> list[Any]:
    cells = len(mp.Board.parse(BOARD).topology)
    return [one for one in reachable(*roots) if holds_mines(one, mines, cells)]


def test_the_search_finds_what_is_there() -> None:
    """It would be worth nothing if it did not."""
    mines = truth({})
    layout = mp.Layout.of("16x30", mines)

    def closure() -> mp.Layout:
        return layout

    class Slotted:
        __slots__ = ("kept",)

    slotted = Slotted()
    slotted.kept = sorted(mines)  # type: ignore[attr-defined]
    hidden_in: list[Any] = [
        {"deep": [(layout,)]},
        closure,
        slotted,
        layout.mines.astype(np.float32).reshape(16, 30)[:, :][None],
        np.packbits(layout.mines, bitorder="little").tobytes(),
        {"seed": SEED},
    ]
    for one in hidden_in:
        assert found(mines, one), one


@needs_core
@pytest.mark.parametrize("options", WAYS, ids=str)
def test_nothing_that_can_be_reached_holds_the_mines_or_the_seed(options: dict[str, Any]) -> None:
    mines = truth(options)
    gc.collect()
    env, out = played(options)
    assert not found(mines, env, out)
    gc.collect()
    everywhere = [one for one in gc.get_objects() if isinstance(one, mp.Layout | mp.Referee)]
    assert not any(isinstance(one, mp.Referee) and one.seed == SEED for one in everywhere), (
        "a referee of the game is alive"
    )


@needs_core
def test_a_batch_holds_them_out_of_reach_too() -> None:
    envs = gymnasium.make_vec(ENVIRONMENT, 3, board=BOARD, on_mine="continue")
    out: list[Any] = [envs.reset(seed=[SEED, 1, 2])]
    out += [envs.step(np.full(3, cell)) for cell in MOVES]
    assert not found(truth({}), envs, out)


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_what_is_handed_out_holds_neither(options: dict[str, Any]) -> None:
    mines = truth(options)
    env, out = played(options)
    text = repr(env) + repr(env.unwrapped) + str(env) + repr(env.spec)
    assert str(SEED) not in text
    assert env.unwrapped.np_random_seed != SEED
    kept = pickle.dumps(env.unwrapped)
    assert SEED.to_bytes(8, "little") not in kept
    assert not found(mines, out, kept, pickle.loads(kept)._options, env.unwrapped.np_random)


@needs_core
def test_exceptions_carry_neither() -> None:
    env, _ = played({"illegal": "raise"})
    for action in (MOVES[0], -1, "x"):
        with pytest.raises(mp.MineproofError) as caught:
            env.unwrapped.step(action)
        assert str(SEED) not in str(caught.value)
        frames = []
        trace = caught.tb
        while trace is not None:  # this test's own frame knows the seed's name alone
            if "envs/" in trace.tb_frame.f_code.co_filename.replace("\\", "/"):
                frames.append(dict(trace.tb_frame.f_locals))
            trace = trace.tb_next  # type: ignore[assignment]
        frames = [one for one in frames if "caught" not in one]
        assert not found(truth({}), frames)


def test_no_game_is_of_a_seed_that_everybody_knows() -> None:
    """A row that was never seeded would play seed 0, and an index alone would bring a game back."""
    envs: Any = gymnasium.make_vec(ENVIRONMENT, 2, board=BOARD)
    for options in ({"reset_mask": [True, False]}, {"reset_mask": [False, True]}):
        for seed in (None, SEED):
            with pytest.raises(mp.InputError, match="accepted: after a reset of all games"):
                envs.reset(seed=seed, options=options)
    with pytest.raises(mp.InputError, match=r"accepted: after reset\(\)"):
        envs.step(np.zeros(2, dtype=np.int64))
    for env in (gymnasium.make(ENVIRONMENT, board=BOARD), envs):
        with pytest.raises(mp.InputError, match="index 0 without a seed"):
            env.reset(options={"index": 0})
        env.reset()
        with pytest.raises(mp.InputError, match="index 0 without a seed"):
            env.reset(options={"index": 0})


def test_a_copy_plays_nothing_before_a_game_of_its_own() -> None:
    env, _ = played({"illegal": "raise"})
    for other in (copy.copy(env.unwrapped), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (other.unwrapped.action_masks() == 0).all()
        with pytest.raises(mp.InputError, match="a step before the first game"):
            other.step(MOVES[0])
        other.reset()
        assert (other.unwrapped.action_masks() == 1).all()


@needs_core
def test_the_parts_of_an_environment_cannot_be_copied_or_made_anew() -> None:
    """Whoever copied the games could play one to its end and know the mines of the other."""
    for env in (
        gymnasium.make(ENVIRONMENT, board=BOARD),
        gymnasium.make_vec(ENVIRONMENT, 2, board=BOARD),
    ):
        playground: Any = env.unwrapped._games  # type: ignore[union-attr]
        env.reset(seed=SEED)
        batch = playground._batch.step.__self__
        assert gc.get_referents(batch) == []
        for part in (playground, playground._batch, batch):
            for way in (copy.deepcopy, pickle.dumps):
                with pytest.raises((TypeError, pickle.PicklingError)):
                    way(part)
        shallow = copy.copy(playground)
        assert shallow._batch.step.__self__ is batch
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        copy.copy(env)


def test_two_games_that_look_alike_are_alike_in_all_that_is_handed_out() -> None:
    """Layouts that differ where nothing is open give the same of everything."""
    games: dict[bytes, list[int]] = {}
    for seed in range(400):
        games.setdefault(mp.Referee("4x4/4", seed).open(5).codes().tobytes(), []).append(seed)
    seeds = max(games.values(), key=len)[:6]
    layouts = {_layout(seed) for seed in seeds}
    assert len(layouts) > 1
    told = set()
    for seed in seeds:
        said: list[Any] = []
        for mode in ("ansi", "svg", "rgb_array"):
            env: Any = gymnasium.make(
                ENVIRONMENT,
                board="4x4/4",
                render_mode=mode,
                observe="chances",
                reward="sound",
                info=("risk", "certain", "regret"),
                samples=0,
            )
            env.reset(seed=seed)
            said.append([env.step(5), env.render(), repr(env), env.unwrapped.action_masks()])
        told.add(pickle.dumps([_plain(one) for one in said]))
    assert len(told) == 1


def _layout(seed: int) -> frozenset[int]:
    referee = mp.Referee("4x4/4", seed)
    referee.open(5)
    referee.stop()
    assert referee.layout is not None
    return frozenset(referee.layout.cells)


def _plain(one: Any) -> Any:
    if isinstance(one, dict):
        return [(name, _plain(one[name])) for name in sorted(one)]
    if isinstance(one, list | tuple):
        return [_plain(part) for part in one]
    return one.tolist() if isinstance(one, np.ndarray) else one


def test_the_work_of_a_reset_does_not_depend_on_the_mines(monkeypatch: pytest.MonkeyPatch) -> None:
    """So its time tells nothing. Draws are counted; under `safe` there are none before a click."""
    monkeypatch.setattr("mineproof.kernel.core", None)
    draws = [0]
    plain = Stream.next

    def counted(stream: Stream) -> int:
        draws[0] += 1
        return plain(stream)

    monkeypatch.setattr(Stream, "next", counted)
    for rule in ("safe", "opening", "any"):
        env: Any = gymnasium.make(ENVIRONMENT, board="16x16/40", first_click=rule)
        counts = set()
        for seed in [random.Random(1).getrandbits(60) + k for k in range(20)]:
            before = draws[0]
            env.reset(seed=seed)
            counts.add(draws[0] - before)
        assert len(counts) == 1, rule
