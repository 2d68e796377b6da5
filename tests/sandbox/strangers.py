"""Agents of others for the tests of isolation: a file with many classes."""

from __future__ import annotations

__all__ = ["AGENTS"]

AGENTS = """
import ctypes, os, random, subprocess, sys, time
from mineproof import Decision, Guessed, Proved

class First:
    def act(self, view):
        print("to nobody"); print("nor here", file=sys.stderr)
        return view.hidden[0]

class Random:
    def act(self, view):
        return random.choice(list(view.hidden))

class Own:
    def begin(self, view, rng):
        self.rng = rng
    def act(self, view):
        return self.rng.choice(list(view.hidden))

class Reasons:
    def act(self, view):
        for cell in view.hidden:
            if not view.is_flagged(cell):
                if view.flag_count < 2:
                    return Decision.flag(cell, Proved("by hand"))
                return Decision.open(cell, Guessed("left to right", 3, 0.5, (cell,)))
    def knowledge(self, view):
        return f"{view.flag_count} flags"

class Raises:
    def act(self, view):
        raise ValueError("boom\\nand more")

class Hangs:
    def act(self, view):
        while True:
            pass

class Slow:
    # Every move takes 0.3 s by a clock that it prints; the second is never answered.
    moves = 0
    def act(self, view):
        self.moves += 1
        print(0.3 * self.moves)
        while self.moves > 1:
            time.sleep(60)
        return view.hidden[0]

class Eats:
    def act(self, view):
        kept = []
        while True:
            kept.append(bytearray(10_000_000))

class Opened:
    def act(self, view):
        return view.opened[0] if view.opened_count else 0

class Nonsense:
    def act(self, view):
        return "north"

class Nothing:
    def act(self, view):
        return None

class Off:
    def act(self, view):
        return (7, 700)

class Exits:
    def act(self, view):
        os._exit(7)

class SysExits:
    def act(self, view):
        sys.exit("good bye")

class Killed:
    def act(self, view):
        os.kill(os.getpid(), 9)

class Forges:
    def act(self, view):
        for channel in range(3, 30):
            try:
                os.write(channel, b'["move","open",0,null]\\\\n["move","open",1,null]\\\\n')
            except OSError:
                pass
        return 0

class Floods:
    def act(self, view):
        for channel in range(3, 30):
            try:
                os.write(channel, b"x" * 3_000_000)
            except OSError:
                pass
        return 0

class Spawns:
    def act(self, view):
        here = subprocess.Popen(["sleep", "300"])
        away = subprocess.Popen(["sleep", "300"], start_new_session=True)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(300)
            os._exit(0)
        raise RuntimeError("done")

class Strange:
    def __init__(self):
        raise KeyError("never made")
    def act(self, view):
        return 0

class FallsFar:
    def act(self, view):
        return helper()

def helper():
    return random.choice([])

class NoAct:
    pass
"""
