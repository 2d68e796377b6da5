"""Slow tasks (proofs, chances to win, games of watched agents) and the processes that do them."""

from __future__ import annotations

import json
import signal
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import ceil
from typing import Any, Literal

from mineproof.advice.adviser import is_promised
from mineproof.agents.agent import Agent, Decision, Guessed, Proved
from mineproof.agents.catalog import make_agent
from mineproof.engine.analysis import Premises
from mineproof.errors import MineproofError
from mineproof.files import Closeable
from mineproof.game.narration import spoken_text
from mineproof.game.play import play
from mineproof.game.referee import Referee, Termination
from mineproof.game.transcript import Transcript
from mineproof.rules import Rules
from mineproof.sandbox.process import ChildLost, LineProcess, ParentLink
from mineproof.view.view import View
from mineproof.web.answers import StepReason, WatchedGame, WatchedStep
from mineproof.web.games import certificate_json, judged_json, no_guess_mines
from mineproof.web.positions import (
    changed_cells,
    changed_json,
    explanation_json,
    hint_json,
    view_json,
    wins_json,
)
from mineproof.web.requests import Refusal, refusal_of, task_answer

# ----------------------------------------------------------------------------
# Processes that do one task at a time and can be ended at any moment.
#
# A search in a SAT solver holds the interpreter lock as long as it takes, and so may an agent. In a
# process of their own, neither blocks the players.

_MODULE = "mineproof.web.tasks"
_START = 60.0  # seconds in which a process must have started
_NOT_STARTED = "no process for it could be started"


class TaskProcesses(Closeable):
    """Processes that wait for work. One that is too slow is ended, and another takes its place."""

    def __init__(self, most_idle: int) -> None:
        self._most_idle = most_idle
        self._idle: list[LineProcess] = []
        self._busy: set[LineProcess] = set()
        self._lock = threading.Lock()
        self._closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes."""
        with self._lock:
            return tuple(worker.pid for worker in (*self._idle, *self._busy))

    def warm_up(self) -> None:
        """Have one ready."""
        worker = self._take()
        self._busy.discard(worker)
        self._put_back(worker)

    def ask(self, task: str, asked: dict[str, Any], seconds: float, otherwise: str) -> Any:
        """What a worker answers. Raises Refusal: its own, or `otherwise` and the time it had."""
        worker = self._take()
        try:
            answer = _answer(worker, task, asked, seconds)
        finally:
            self._busy.discard(worker)
        if answer is None:
            worker.end()
        else:
            self._put_back(worker)
        return task_answer(answer, seconds, otherwise)

    def _take(self) -> LineProcess:
        with self._lock:
            if self._closed:
                raise Refusal("busy", "the server is ending")
            worker = self._idle_worker()
            fresh = worker is None
            try:
                worker = worker or LineProcess(_MODULE)
            except ChildLost:
                raise Refusal("failed", _NOT_STARTED) from None
            self._busy.add(worker)
        # Starting the process does not count towards the time of a task.
        if fresh and _answer(worker, "hello", {}, _START) is None:
            self._busy.discard(worker)
            worker.end()
            raise Refusal("failed", _NOT_STARTED)
        return worker

    def _idle_worker(self) -> LineProcess | None:
        """An idle process, or None; those that have died meanwhile are dropped."""
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            worker.end()
        return None

    def _put_back(self, worker: LineProcess) -> None:
        with self._lock:
            if worker.alive and not self._closed and len(self._idle) < self._most_idle:
                self._idle.append(worker)
                return
        worker.end()

    def close(self) -> None:
        """End every process."""
        with self._lock:
            self._closed = True
            workers = [*self._idle, *self._busy]
            self._idle.clear()
        for worker in workers:
            worker.end()


def _answer(worker: LineProcess, task: str, asked: dict[str, Any], seconds: float) -> Any:
    """The answer; None where the process did not give one within its time."""
    message = {"task": task, "seconds": seconds, "asked": asked}
    try:
        return json.loads(worker.ask(json.dumps(message).encode(), seconds))
    except (TimeoutError, ChildLost):
        return None


# -- The games of watched agents, played to their end, with the reasons of every step --


class _GameClock:
    """Ends a game when its time is up; the moves made so far stay."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.seconds = seconds

    @property
    def over(self) -> bool:
        return time.monotonic() > self._end

    def watch(self, referee: Referee, decision: Decision | None) -> None:
        if self.over and not referee.over:
            referee.stop(Termination.UNFINISHED, f"out of time after {self.seconds:g} s")


def watch_games(asked: Mapping[str, Any]) -> list[WatchedGame]:
    """The games of all agents that are asked for, one after the other, within their time."""
    each = asked["seconds"] / len(asked["agents"])
    return [_game(asked, agent, each) for agent in asked["agents"]]


def _game(asked: Mapping[str, Any], name: str, seconds: float) -> WatchedGame:
    clock = _GameClock(seconds)
    agent: Agent = make_agent(name)
    game = play(
        asked["board"], agent, asked["seed"], watch=clock.watch, rules=Rules.parse(asked["rules"])
    )
    steps, last = _steps(game)
    last.stop(Termination.UNFINISHED)  # only a game that is over shows its layout
    return {
        "agent": name,
        "view": view_json(next(game.views())),
        "steps": steps,
        "won": game.outcome.won,
        "outcome": game.outcome.termination.value,
        "note": game.outcome.note,
        "layout": None if last.layout is None else list(last.layout.cells),
    }


def _steps(game: Transcript) -> tuple[list[WatchedStep], Referee]:
    """The steps with what each changed, and the referee of the replay at its end."""
    referee = game.referee()
    steps: list[WatchedStep] = []
    for number, step in enumerate(game.steps, 1):
        before = referee.view
        referee.apply(step.decision)
        after = referee.view
        steps.append(
            {
                "n": number,
                "cell": step.decision.cell,
                "action": step.decision.action.value,
                "changed": changed_json(after, changed_cells(before, after, step.decision)),
                "reason": _reason(step.decision, before),
                "risk": _risk(step.decision),
            }
        )
    return steps, referee


def _reason(decision: Decision, before: View) -> StepReason:
    reason, premises = decision.reason, Premises()
    kind: Literal["proved", "guessed", "unstated"] = "unstated"
    if is_promised(before):
        kind = "proved"  # by the rules, whatever its agent makes of it
    elif isinstance(reason, Proved):
        kind = "proved"
        premises = reason.premises
    elif isinstance(reason, Guessed):
        kind = "guessed"
    return {"kind": kind, "text": spoken_text(decision, before), "premises": list(premises.clues)}


def _risk(decision: Decision) -> float | None:
    if isinstance(decision.reason, Proved):
        return 0.0
    return decision.reason.risk if isinstance(decision.reason, Guessed) else None


# -- Positions to practise on, for the tools of language models ----------------


def practice_position(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A position with certain cells of a level. Raises InputError and BudgetExceeded."""
    from mineproof.tasks import Task

    view = Task(asked["seed"], "certain", asked["level"]).view
    return {"position": view.text, "level": asked["level"]}


# -- The tasks by name, and how one is done ------------------------------------


TASKS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "hello": lambda asked: "hello",
    "explain": explanation_json,
    "hint": hint_json,
    "no-guess": no_guess_mines,
    "certificate": certificate_json,
    "win": wins_json,
    "judge": judged_json,
    "watch": watch_games,
    "practise": practice_position,
}


def run_task(message: Mapping[str, Any]) -> dict[str, Any]:
    """Do a task; its answer, or the error it ended with, as JSON can hold it."""
    try:
        return {"answer": TASKS[message["task"]](message["asked"])}
    except MineproofError as error:
        return refusal_of(error).to_json()
    except Exception:
        traceback.print_exc()
        return Refusal("failed", "the server failed; its terminal says more").to_json()


# -- The process of `TaskProcesses`: `python -m mineproof.web.tasks` -----------

_MOST_MEMORY = 4 << 30


def main() -> None:
    """Do what each line of standard input asks for, one by one, until the server is gone."""
    # Whatever else is printed goes to the terminal, not among the answers.
    server = ParentLink()
    _limit_memory()
    for line in server:
        message = json.loads(line)
        _limit_time(message["seconds"])
        answer = json.dumps(run_task(message), allow_nan=False).encode()
        # Cancelled before the answer: with it, this process becomes idle, for as long as it takes.
        _limit_time(0)
        server.answer(answer)


def _limit_time(seconds: float) -> None:
    """Let the system end this process a little later, in case the server is gone by then."""
    if hasattr(signal, "alarm"):
        signal.alarm(ceil(seconds + 2) if seconds else 0)


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


if __name__ == "__main__":
    main()
