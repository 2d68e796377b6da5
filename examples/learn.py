"""A learner in one file: it learns Minesweeper on a small board by playing it, and then plays.

    pip install 'mineproof[gym]'
    python examples/learn.py                          # three to six minutes, writes my_learned.npz
    mineproof compare --agents single-point,exact,examples/learn.py:MyLearned \\
        --board 5x5/5 --games 4000 --seed 1

`learned.npz` holds the weights of such a run, and `Learned` plays with them; `MyLearned` plays with
yours.
Deep Q-learning with numpy alone. Q(position, cell) is the chance to win if that cell is opened
next. A move that loses is worth 0, one that wins 1, any other what the best next move is worth. The
network looks at a cell with all that is shown around it, so that what it learns in one place it
knows in every other, turned and mirrored too. The games are a batch in the core.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import mineproof as mp

BOARD = "5x5/5"
WEIGHTS = Path(__file__).with_name("learned.npz")
OWN_WEIGHTS = Path(__file__).with_name("my_learned.npz")

HIDDEN = 255
CLASSES = 11
"""A cell is hidden, shows 0 to 8, or is off the board."""
OFF_BOARD = 10
WIDTHS = (96, 64)

Array = NDArray[np.float32]


class Network:
    """Two hidden layers over the window around a cell; the same weights for every cell."""

    def __init__(self, rows: int, columns: int, weights: list[Array] | None = None) -> None:
        self.rows, self.columns = rows, columns
        self.height, self.width = 2 * rows - 1, 2 * columns - 1
        size = self.height * self.width * CLASSES
        rng = np.random.default_rng(1)
        shapes = [(size, WIDTHS[0]), WIDTHS, (WIDTHS[1], 1)]
        self.weights = weights or [
            part
            for inputs, outputs in shapes
            for part in (
                rng.normal(0, (2 / min(inputs, 81)) ** 0.5, (inputs, outputs)).astype(np.float32),
                np.zeros(outputs, dtype=np.float32),
            )
        ]
        row, column = np.divmod(np.arange(rows * columns), columns)
        down = row[:, None] - row + rows - 1
        across = column[:, None] - column + columns - 1
        self._onto = down * self.width + across
        """The place of a cell (first) in the window of another (second)."""
        places = np.arange(self.height * self.width)
        self._off_board = [np.setdiff1d(places, self._onto[:, cell]) for cell in range(len(row))]

    @staticmethod
    def classes(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """What cells show, as a class: hidden is 0, a clue one more than its number."""
        seen = np.where(codes == HIDDEN, 0, np.where(codes <= 8, codes + 1, OFF_BOARD))
        return seen.astype(np.uint8)

    def windows(self, codes: NDArray[np.uint8], cells: NDArray[Any]) -> NDArray[np.uint8]:
        """The windows around one cell of each board, a class for every place."""
        found = np.full((len(codes), self.height * self.width), OFF_BOARD, dtype=np.uint8)
        np.put_along_axis(found, self._onto[:, cells].T, self.classes(codes), axis=1)
        return found

    def chances(self, codes: NDArray[np.uint8]) -> Array:
        """The chance to win after each cell of each board."""
        first, bias, second, bias2, last, bias3 = self.weights
        cells = self.rows * self.columns
        # The layer over all windows of a board at once: one matrix, made of the window's weights.
        by_place = first.reshape(-1, CLASSES, WIDTHS[0])
        matrix = by_place[self._onto].transpose(0, 2, 1, 3).reshape(cells * CLASSES, -1)
        edge = np.stack([by_place[places, OFF_BOARD].sum(axis=0) for places in self._off_board])
        hot = one_hot(self.classes(codes))
        layer = hot @ matrix
        layer = layer.reshape(-1, cells, WIDTHS[0]) + (edge + bias)
        layer = np.maximum(layer, 0).reshape(-1, WIDTHS[0])
        layer = np.maximum(layer @ second + bias2, 0)
        return sigmoid(layer @ last + bias3).reshape(-1, cells)

    def layers(self, windows: NDArray[np.uint8]) -> tuple[Array, Array, Array, Array]:
        """The inputs of windows, both hidden layers, and the chance to win after each cell."""
        first, bias, second, bias2, last, bias3 = self.weights
        hot = one_hot(windows)
        one = np.maximum(hot @ first + bias, 0)
        two = np.maximum(one @ second + bias2, 0)
        return hot, one, two, sigmoid(two @ last + bias3)[:, 0]

    def gradients(self, windows: NDArray[np.uint8], worth: Array) -> tuple[list[Array], float]:
        """The gradients of the cross entropy between the chances and what moves were worth."""
        second, last = self.weights[2], self.weights[4]
        hot, one, two, chance = self.layers(windows)
        back = ((chance - worth) / len(worth))[:, None]
        back_two = (back @ last.T) * (two > 0)
        back_one = (back_two @ second.T) * (one > 0)
        loss = float(np.mean((chance - worth) ** 2))
        return [
            hot.T @ back_one,
            back_one.sum(axis=0),
            one.T @ back_two,
            back_two.sum(axis=0),
            two.T @ back,
            back.sum(axis=0),
        ], loss


def one_hot(classes: NDArray[np.uint8]) -> Array:
    """A 1 for the class of each place, 0 for the others."""
    hot = np.zeros((classes.size, CLASSES), dtype=np.float32)
    hot[np.arange(classes.size), classes.ravel()] = 1
    return hot.reshape(len(classes), -1)


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), dtype=np.float32)


class Adam:
    """Adam (Kingma and Ba, 2015)."""

    def __init__(self, weights: list[Array]) -> None:
        self._weights = weights
        self._means = [np.zeros_like(part) for part in weights]
        self._squares = [np.zeros_like(part) for part in weights]
        self._steps = 0

    def step(self, gradients: list[Array], rate: float) -> None:
        self._steps += 1
        scale = rate * (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        for part, mean, square, gradient in zip(
            self._weights, self._means, self._squares, gradients, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            part -= scale * mean / (np.sqrt(square) + 1e-8)


class Memory:
    """The last moves: their windows, and what they were worth."""

    def __init__(self, size: int, places: int) -> None:
        self.windows = np.zeros((size, places), dtype=np.uint8)
        self.worth = np.zeros(size, dtype=np.float32)
        self.kept = self._next = 0

    def add(self, windows: NDArray[np.uint8], worth: Array) -> None:
        at = (self._next + np.arange(len(worth))) % len(self.worth)
        self.windows[at], self.worth[at] = windows, worth
        self._next = (self._next + len(worth)) % len(self.worth)
        self.kept = min(self.kept + len(worth), len(self.worth))


def symmetries(height: int, width: int) -> list[NDArray[np.intp]]:
    """The ways to turn and mirror a window; those that keep its sizes."""
    places = np.arange(height * width).reshape(height, width)
    found = [places, places[::-1], places[:, ::-1], places[::-1, ::-1]]
    if height == width:
        found += [one.T for one in found[:4]]
    return [one.ravel() for one in found]


def moves(network: Network, envs: Any, explore: float) -> Iterator[tuple[Any, Array, Any]]:
    """Windows of the moves made, what they were worth, and which games were won or lost by them."""
    rng = np.random.default_rng(2)
    seen, _ = envs.reset(seed=1_000_000)
    shape = (envs.num_envs, -1)
    codes = seen["board"].reshape(shape).copy()
    legal = seen["action_mask"].astype(bool)
    chances = network.chances(codes)
    while True:
        greedy = np.where(legal, chances, -1).argmax(axis=1)
        wander = rng.random(len(greedy)) < explore
        cells = np.where(wander, envs.random_actions(), greedy)
        windows = network.windows(codes, cells)
        seen, _, ended, _, infos = envs.step(cells)
        codes = seen["board"].reshape(shape).copy()
        legal = seen["action_mask"].astype(bool)
        chances = network.chances(codes)
        best = np.where(legal, chances, 0).max(axis=1)
        worth = np.where(ended, infos["won"], best).astype(np.float32)
        yield windows, worth, (ended.sum(), (ended & infos["won"]).sum())


def train(
    board: str, most: int, games: int = 512, explore: float = 0.05, rate: float = 2e-3
) -> Network:
    """Learn from so many moves."""
    import gymnasium

    import mineproof.envs

    envs: Any = gymnasium.make_vec(
        mineproof.envs.ENVIRONMENT, games, board=board, autoreset_mode="SameStep"
    )
    network = Network(*envs.single_observation_space["board"].shape)
    adam = Adam(network.weights)
    memory = Memory(100_000, network.height * network.width)
    turns = symmetries(network.height, network.width)
    rng = np.random.default_rng(3)
    began, told = time.process_time(), 0.0
    played = won = steps = 0
    for windows, worth, (ended, good) in moves(network, envs, explore):
        memory.add(windows, worth)
        steps, played, won = steps + games, played + int(ended), won + int(good)
        gone = steps / most
        for _ in range(2):
            chosen = rng.integers(memory.kept, size=games)
            turned = memory.windows[chosen][:, turns[rng.integers(len(turns))]]
            gradients, _ = network.gradients(turned, memory.worth[chosen])
            adam.step(gradients, rate * max(1 - gone, 0.02))
        if gone >= 1 or gone - told >= 0.05:
            told = gone
            print(
                f"{steps:9,} moves, {time.process_time() - began:4.0f} CPU s:"
                f" {100 * won / max(played, 1):4.1f} % of {played:,} games won,"
                f" {100 * explore:.0f} % of the moves at random",
                flush=True,
            )
            played = won = 0
        if gone >= 1:
            return network
    raise AssertionError("the games never end")


@cache
def learned(weights: Path = WEIGHTS) -> tuple[mp.Board, Network]:
    """What was learned, and on which board; read once."""
    with np.load(weights, allow_pickle=False) as kept:
        board = mp.Board.parse(str(kept["board"]))
        parts = [kept[f"part{i}"].astype(np.float32) for i in range(6)]
    rows, columns = board.topology.lattice.dimensions
    return board, Network(rows, columns, parts)


class Learned:
    """The agent: opens the cell with the greatest chance to win, as it was learned."""

    weights = WEIGHTS

    def __init__(self) -> None:
        self._board, self._network = learned(self.weights)

    def act(self, view: mp.View) -> mp.Decision:
        if view.topology != self._board.topology:
            raise ValueError(f"this agent has learned {self._board} alone")
        cells = np.array(view.hidden)
        boards = np.broadcast_to(view.codes(), (len(cells), len(view)))
        *_, chances = self._network.layers(self._network.windows(boards, cells))
        return mp.Decision.open(int(cells[chances.argmax()]))


class MyLearned(Learned):
    """The same with the weights that this file wrote last."""

    weights = OWN_WEIGHTS


def policy_of(network: Network) -> Any:
    """The network as a policy of `mineproof.envs.evaluate`."""

    def choose(seen: dict[str, NDArray[Any]]) -> NDArray[Any]:
        chances = network.chances(seen["board"].reshape(len(seen["board"]), -1))
        best: NDArray[Any] = np.where(seen["action_mask"] != 0, chances, -1).argmax(axis=1)
        return best

    return choose


def save(network: Network, board: str, path: Path) -> None:
    """Write the weights, in half precision and without pickle."""
    parts = {f"part{i}": part.astype(np.float16) for i, part in enumerate(network.weights)}
    np.savez_compressed(path, board=np.array(board), **parts)  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn Minesweeper on a small board.")
    parser.add_argument("--board", default=BOARD)
    parser.add_argument("--moves", type=int, default=6_000_000)
    parser.add_argument("--out", type=Path, default=OWN_WEIGHTS)
    parser.add_argument("--evaluate", type=int, default=0, help="so many games at the end")
    options = parser.parse_args()
    network = train(options.board, options.moves)
    save(network, options.board, options.out)
    print(f"wrote {options.out}")
    if options.evaluate:
        from mineproof.envs import evaluate

        found = evaluate(policy_of(network), options.board, options.evaluate)
        print(found)


if __name__ == "__main__":
    main()
