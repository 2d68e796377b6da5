"""A task: a question about a position, named by a seed, a kind and a level.

The same four words give the same task on every machine. The position is the first of the games of
the seed that fits kind, level and split.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from functools import cached_property
from typing import Any

from mineproof.errors import BudgetExceeded, InputError, as_int, quoted
from mineproof.fields import FieldTable
from mineproof.generation.puzzles import canonical_key
from mineproof.rng import Stream, check_seed
from mineproof.tasks.kinds import KINDS, Question
from mineproof.tasks.positions import BOARDS, stages
from mineproof.tasks.renderings import PICTURE, RENDERINGS, board_text, png
from mineproof.tasks.replies import Grade
from mineproof.view.view import View

LEVELS = range(1, 6)
"""The rungs of the ladder of techniques, from a single clue to the number of mines."""
SPLITS = ("train", "test")
_TEST_SHARE = 5
"""One canonical position in so many is for tests."""
_MOST_STAGES = 20_000


def split_of(view: View) -> str:
    """Where a position belongs: symmetric positions always go together."""
    return SPLITS[int(canonical_key(view), 16) % _TEST_SHARE == 0]


class Task:
    """One task. `prompt` and `picture` are what a model gets, `grade` judges what it replies.

    It holds a view, never a layout; a pickle holds its four words and neither. Raises InputError
    for an unknown kind, level, split or rendering.

    >>> task = Task(seed=1, kind="claim", level=1)
    >>> task.grade(task.solution).score, task.grade("true").score
    (1.0, 0.0)
    """

    def __init__(
        self, seed: int, kind: str = "certain", level: int = 1, split: str = "train"
    ) -> None:
        self.seed, self.kind, self.level, self.split = check_seed(seed), kind, level, split
        self._kind = KINDS[kind]
        if as_int(level, "level") not in LEVELS:
            raise InputError(f"level {level}; accepted: {LEVELS[0]} to {LEVELS[-1]}")
        if split not in SPLITS:
            raise InputError(f"split {quoted(split)}; accepted: {' or '.join(SPLITS)}")

    def __repr__(self) -> str:
        return f"Task({self.seed}, {self.kind!r}, {self.level}, {self.split!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Task) and self.words == other.words

    def __hash__(self) -> int:
        return hash(self.words)

    def __reduce__(self) -> tuple[type[Task], tuple[int, str, int, str]]:
        return Task, self.words

    @property
    def words(self) -> tuple[int, str, int, str]:
        """Seed, kind, level and split."""
        return self.seed, self.kind, self.level, self.split

    @property
    def name(self) -> str:
        """The four words as one, such as `certain-3-train-17`."""
        return f"{self.kind}-{self.level}-{self.split}-{self.seed}"

    @cached_property
    def question(self) -> Question:
        """The question. Raises BudgetExceeded where so many positions have none."""
        rng = self._stream(self.split, self.seed)
        # Seeds 2k and 2k+1 have one yes between them, and a stream decides which.
        yes = bool(self._stream("yes", self.seed // 2).below(2) ^ self.seed & 1)
        for number, stage in enumerate(stages(self.level, rng)):
            if number == _MOST_STAGES:
                break
            fits = not self._kind.of_level or stage.level == self.level
            if fits and stage.uncertain and split_of(stage.view) == self.split:
                question = self._kind.pose(stage, rng, yes)
                if question is not None:
                    return question
        raise BudgetExceeded(f"{_MOST_STAGES} positions have no task {self.name}")

    def _stream(self, *salt: object) -> Stream:
        words = " ".join(map(str, (self.kind, self.level, *salt)))
        return Stream(int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "little"))

    @property
    def view(self) -> View:
        """The position."""
        return self.question.view

    def prompt(self, rendering: str = "rows") -> str:
        """What a model is asked, with the position in one of `RENDERINGS`."""
        shown = RENDERINGS[rendering](self.view)
        return f"{board_text(self.view)}\n\n{shown}\n\n{self.question.text}"

    @cached_property
    def picture(self) -> bytes:
        """The position as a PNG, for the rendering `picture`."""
        return png(self.view)

    def messages(self, rendering: str = "rows") -> list[dict[str, Any]]:
        """The prompt as the messages of a chat, with the picture where that is the rendering."""
        text = self.prompt(rendering)
        if rendering != PICTURE:
            return [{"role": "user", "content": text}]
        return [picture_message(text, self.view)]

    @property
    def solution(self) -> str:
        """A reply that gets full marks."""
        return self.question.solution

    def grade(self, reply: str | None) -> Grade:
        """The grade of a reply, whatever it is; None is a reply that never came."""
        return self.question.grade(reply)

    def to_json(self, rendering: str = "rows") -> dict[str, Any]:
        """A row of an export: `from_json` makes the task of it again."""
        return {
            "id": self.name,
            "kind": self.kind,
            "level": self.level,
            "split": self.split,
            "seed": self.seed,
            "rendering": rendering,
            "board": self.view.topology.text,
            "mines": self.view.total,
            "prompt": self.prompt(rendering),
            "answer": self.solution,
        }

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Task:
        """The task of a row. Raises NotationError and InputError."""
        fields = FieldTable(row)
        return cls(
            fields["seed"].whole_number(0),
            fields["kind"].text(),
            fields["level"].whole_number(),
            fields["split"].text(),
        )

    def line(self, rendering: str = "rows") -> str:
        """The row as a line of JSON."""
        return json.dumps(self.to_json(rendering), ensure_ascii=False)


def picture_message(text: str, view: View) -> dict[str, Any]:
    """A message of a chat: a text, and the position as a picture."""
    url = f"data:image/png;base64,{b64encode(png(view)).decode()}"
    parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": url}}]
    return {"role": "user", "content": parts}


assert set(BOARDS) == set(LEVELS)
