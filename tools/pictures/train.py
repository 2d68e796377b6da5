"""Train the network of the reader of pictures: `python -m tools.pictures train`.

It needs PyTorch, which nothing else here does: `pip install torch`. On two cores it takes less
than 30 minutes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from pathlib import Path
from random import Random

import numpy as np

from mineproof.picture import network
from tools.pictures import looks

OTHERS = 6
"""What is no cell, for each board."""


def example(task: tuple[int, str | None]) -> tuple[np.ndarray, np.ndarray]:
    """Cells of the look of a seed, sampled a little off the grid, and their kinds."""
    seed, folder = task
    rng = Random(f"train {seed}")
    look = looks.random_look(seed, folder)
    rows = looks.mixed_rows(rng, 5, 9)
    picture = looks.draw(look, rows, rng.randrange(100), seed)
    pixels = np.asarray(picture.image)
    cell = picture.cell

    def spans(start: float, count: int, most: float) -> np.ndarray:
        shift = rng.uniform(-most, most) * cell
        grow = rng.uniform(-0.03, 0.03) * cell
        begin = start + np.arange(count) * cell
        return np.stack([begin + shift - grow, begin + cell + shift + grow], axis=1)

    cells = network.sample(pixels, spans(picture.top, 5, 0.05), spans(picture.left, 9, 0.05))
    kinds = [network.KINDS.index(kind) for row in rows for kind in row]
    others = []
    for _ in range(OTHERS):
        if rng.random() < 0.5 and look.font:  # another letter where a digit would be
            letter = looks.replace(look, faces={})
            image = looks._ground(letter, "0", 0, look.size * 2, rng.random() < 0.3)
            mark = rng.choice("ABCDEFGHJKLMNPRSTUVWXYZabdefghkmnprty9#%&@=+\u2654\u2656\u2658")
            side = look.size * 2
            looks._digit(
                letter, looks.ImageDraw.Draw(image), mark, look.digits[rng.randrange(8)], side,
                (side / 2, side / 2),
            )  # fmt: skip
            box = np.array([[0.0, side]])
            others.append(network.sample(np.asarray(image), box, box))
        else:  # half a cell off
            marks = [k for k, kind in enumerate(kinds) if network.KINDS[kind] in "12345678F*Q"]
            r, c = divmod(rng.choice(marks), 9) if marks else (0, 0)
            by = [rng.uniform(0.35, 0.65) * rng.choice((-1, 1)), rng.uniform(-0.65, 0.65)]
            rng.shuffle(by)
            y, x = picture.top + (r + by[0]) * cell, picture.left + (c + by[1]) * cell
            others.append(
                network.sample(pixels, np.array([[y, y + cell]]), np.array([[x, x + cell]]))
            )
    cells = np.concatenate([cells, *others])
    return cells, np.array(kinds + [len(network.KINDS) - 1] * OTHERS)


def examples(seeds: range, folder: str | None, jobs: int) -> tuple[np.ndarray, np.ndarray]:
    with multiprocessing.Pool(jobs) as pool:
        found = pool.map(example, [(seed, folder) for seed in seeds], chunksize=20)
    return np.concatenate([cells for cells, _ in found]), np.concatenate([k for _, k in found])


def main(arguments: list[str]) -> None:
    import torch
    from torch import nn

    parser = argparse.ArgumentParser(prog="python -m tools.pictures train", description=__doc__)
    parser.add_argument("--fonts", help="a folder with unpacked Debian packages of fonts")
    parser.add_argument("--looks", type=int, default=6000)
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cells", help="keep the drawn cells in this file, or take them from it")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--out", default=str(Path(network.__file__).with_name("network.f16")))
    options = parser.parse_args(arguments)
    started = time.monotonic()
    torch.manual_seed(1)
    kept = Path(options.cells) if options.cells else None
    if kept is not None and kept.exists():
        with np.load(kept) as file:
            cells, kinds = file["cells"], file["kinds"]
    else:
        cells, kinds = examples(range(options.looks), options.fonts, options.jobs)
        if kept is not None:
            np.savez(kept, cells=cells, kinds=kinds)
    print(f"{len(cells)} cells, {time.monotonic() - started:.0f} s", flush=True)
    first = len(cells) * 49 // 50  # the last looks are for watching
    model = nn.Sequential(
        nn.Conv2d(network.CHANNELS, 20, 3, stride=2, padding=1), nn.ReLU(),
        nn.Conv2d(20, 32, 3, stride=2, padding=1), nn.ReLU(),
        nn.Flatten(), nn.Dropout(0.1), nn.Linear(1152, 64), nn.ReLU(),
        nn.Linear(64, len(network.KINDS)),
    ).to(options.device)  # fmt: skip
    planes = torch.cat(
        [
            torch.from_numpy(network.features(part).astype(np.float16))
            for part in np.array_split(cells, max(1, len(cells) // 2000))
        ]
    )
    wanted = torch.from_numpy(kinds)
    if options.device != "cpu":
        planes, wanted = planes.to(options.device), wanted.to(options.device)
    batch = 256
    steps = options.epochs * (first // batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps + 1)
    judge = nn.CrossEntropyLoss(label_smoothing=0.02)
    rng = np.random.default_rng(1)
    for epoch in range(options.epochs):
        model.train()
        order = rng.permutation(first)
        for start in range(0, first - batch + 1, batch):
            chosen = torch.from_numpy(order[start : start + batch]).to(planes.device)
            # Colours mean little: half of the time they are exchanged.
            turn = [0, 1, *(2 + rng.permutation(3))] if rng.random() < 0.5 else [0, 1, 2, 3, 4]
            loss = judge(model(planes[chosen][:, turn].float()), wanted[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        model.eval()
        with torch.no_grad():
            given = model(planes[first:].float()).argmax(1).cpu().numpy()
        right = given == kinds[first:]
        spent = time.monotonic() - started
        print(f"epoch {epoch + 1}: {right.mean():.4f} of watched cells, {spent:.0f} s", flush=True)
        layers = [value.detach().cpu().numpy() for value in model.parameters()]
        Path(options.out).write_bytes(network.packed(layers))
    wrong = sorted(zip(kinds[first:][~right], given[~right], strict=True))
    print(" ".join(f"{network.KINDS[a]}{network.KINDS[b]}" for a, b in wrong[:400]))
