"""The tasks for Inspect (`pip install inspect-ai`); a game is one reply, with all its moves.

inspect eval examples/frameworks/inspect_task.py --model NAME -T kind=chance -T level=2
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task as InspectTask
from inspect_ai import task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

from mineproof.tasks.task import Task


@task  # type: ignore[untyped-decorator, unused-ignore]
def mineproof(
    kind: str = "certain",
    level: int = 1,
    count: int = 20,
    seed: int = 0,
    split: str = "test",
    rendering: str = "rows",
) -> InspectTask:
    """Tasks of one kind and level, graded exactly."""
    tasks = [Task(number, kind, level, split) for number in range(seed, seed + count)]
    samples = [
        Sample(
            id=one.name,
            input=one.prompt(rendering),
            target=one.solution,
            metadata=one.to_json(rendering),
        )
        for one in tasks
    ]
    return InspectTask(
        dataset=MemoryDataset(samples), solver=generate(), scorer=exact_grade(), name="mineproof"
    )


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator, unused-ignore]
def exact_grade() -> Any:
    """The exact grade of a reply."""

    async def score(state: TaskState, target: Target) -> Score:
        grade = Task.from_json(state.metadata).grade(state.output.completion)
        return Score(
            value=grade.score,
            answer=state.output.completion,
            explanation=grade.note or grade.verdict.value,
            metadata=grade.to_json(),
        )

    return score
