"""A batch in the core: a setting in the words that the core takes."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np

from mineproof.board.deal import given_cells, kept_free_for_given
from mineproof.envs.batch import Autoreset, Play
from mineproof.inference.engine.ground import ground_of
from mineproof.kernel import core
from mineproof.rules import Goal, Mines, OnMine
from mineproof.view.channels import EXACT, Channel, channel, proves_zero
from mineproof.view.setting import Setting

__all__ = ["CoreBatch"]

_WHOLE = 2**64


class CoreBatch:
    """A batch of games of the core; see `Batch`. The arrays are its memory, taken once."""

    def __init__(self, play: Play, games: int, threads: int, autoreset: Autoreset) -> None:
        setting = play.setting
        batch = core.GameBatch(
            ground_of(setting.board.topology).board,
            _rules(setting),
            games,
            threads,
            play.flags,
            setting.rules.total_known,
            "end" if play.illegal_ends else "stay",
            autoreset.value,
            play.most_steps,
        )
        self.shown, self.legal, self.mines_left = batch.shown, batch.legal, batch.mines_left
        self.final_shown, self.final_legal = batch.final_shown, batch.final_legal
        self.final_mines_left = batch.final_mines_left
        self.opened, self.won, self.illegal = batch.opened, batch.won, batch.illegal
        self.terminated, self.truncated = batch.terminated, batch.truncated
        self.moved = batch.moved
        self.reset, self.step, self.first_illegal = batch.reset, batch.step, batch.first_illegal
        self.random_actions, self.seed_actions = batch.random_actions, batch.seed_actions


def _rules(setting: Setting) -> core.GameRules:
    rules, topology = setting.rules, setting.board.topology
    fixed = rules.mines.fixed(len(topology))
    uniform = rules.mines == Mines.uniform()
    made = core.GameRules(
        fixed or 0,
        rules.first_click.value,
        rules.cascade,
        "uniform" if uniform else "independent" if fixed is None else "number",
        int((rules.mines.chance or 0) * _WHOLE),
        rules.on_mine is OnMine.CONTINUE,
        rules.goal is Goal.MARK_ALL,
        given_cells(topology, rules.given),
        kept_free_for_given(topology, rules),
        rules.given.drawn(len(topology)),
    )
    if setting.layout is not None:
        made.lay(setting.layout.mines)
    through = channel(rules.clues)
    if through is not EXACT:
        for neighbours in np.unique(topology.degrees).tolist():
            below, last = _chances(through, neighbours)
            made.lie(neighbours, below, last, proves_zero(through, neighbours))
    return made


def _chances(through: Channel, neighbours: int) -> tuple[list[int], list[int]]:
    """For every true count the chances out of 2**64 of showing nothing, 0, 1, ... or less.

    The second list says which of a row's is certain, so that none need hold 2**64.
    """
    below: list[int] = []
    last: list[int] = []
    for true in range(neighbours + 1):
        total = Fraction(0)
        certain = neighbours + 1
        for place, word in enumerate([None, *range(neighbours + 1)]):
            total += through.likelihood(word, true, neighbours)
            if total == 1:
                certain = min(certain, place)
            below.append(min(ceil(total * _WHOLE), _WHOLE - 1))
        last.append(certain)
    return below, last
