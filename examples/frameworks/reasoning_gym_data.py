"""The tasks for reasoning-gym (`pip install reasoning-gym`): importing this file registers them.

reasoning_gym.create_dataset("mineproof", kind="chance", level=2, size=100, seed=1)

A wrong yes or no scores -1, as everywhere in mineproof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reasoning_gym.factory import ProceduralDataset, register_dataset

from mineproof.tasks.task import Task


@dataclass
class MineproofConfig:
    """Which tasks: item n of the data set is the task of `seed` + n."""

    kind: str = "certain"
    level: int = 1
    split: str = "train"
    rendering: str = "rows"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raises InputError for what is unknown."""
        Task(0, self.kind, self.level, self.split)


class MineproofDataset(ProceduralDataset):  # type: ignore[misc, unused-ignore]
    """Tasks as items; the metadata of an item names its task, so that any process can grade it."""

    def __init__(self, config: MineproofConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        if not 0 <= idx < self.size:
            raise IndexError(idx)
        task = Task(self.seed + idx, self.config.kind, self.config.level, self.config.split)
        row = task.to_json(self.config.rendering)
        metadata = {
            "source_dataset": "mineproof",
            "source_index": idx,
            "difficulty": {"level": task.level},
            **{name: row[name] for name in ("kind", "level", "split", "seed", "rendering")},
        }
        return {"question": row["prompt"], "answer": row["answer"], "metadata": metadata}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """The exact grade."""
        return Task.from_json(entry["metadata"]).grade(answer).score


register_dataset("mineproof", MineproofDataset, MineproofConfig)
