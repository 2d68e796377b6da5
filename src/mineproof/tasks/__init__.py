"""Tasks for language models: positions with one question each, and answers graded exactly.

>>> from mineproof.tasks import Task
>>> task = Task(seed=5, kind="certain", level=2)
>>> task.grade(task.solution).score
1.0
>>> task.grade("I see no certain cell.").verdict.value
'unreadable'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.registry import lazy_exports

if TYPE_CHECKING:
    from mineproof.tasks.conversation import Conversation as Conversation
    from mineproof.tasks.kinds import KINDS as KINDS
    from mineproof.tasks.renderings import RENDERINGS as RENDERINGS
    from mineproof.tasks.replies import Grade as Grade
    from mineproof.tasks.replies import Verdict as Verdict
    from mineproof.tasks.task import LEVELS as LEVELS
    from mineproof.tasks.task import SPLITS as SPLITS
    from mineproof.tasks.task import Task as Task

_HOMES = {
    "mineproof.tasks.conversation": ("Conversation",),
    "mineproof.tasks.kinds": ("KINDS",),
    "mineproof.tasks.renderings": ("RENDERINGS",),
    "mineproof.tasks.replies": ("Grade", "Verdict"),
    "mineproof.tasks.task": ("LEVELS", "SPLITS", "Task"),
}

__getattr__, __dir__, __all__ = lazy_exports(__name__, _HOMES)
