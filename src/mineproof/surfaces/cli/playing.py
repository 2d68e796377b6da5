"""What `mineproof play` does with its options: the game, who plays it, and the files it writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Decision
from mineproof.board.worlds import World
from mineproof.match.certainty import Judged
from mineproof.match.game import Watcher, play
from mineproof.match.isolation import IsolatedAgent, make_player
from mineproof.match.knowledge_log import KnowledgeLog, KnowledgeSize
from mineproof.match.outcome import Termination
from mineproof.match.printed import Listener
from mineproof.match.referee import Referee
from mineproof.match.transcript import Transcript
from mineproof.surfaces.cli.asking import asker
from mineproof.surfaces.cli.console import stdout_console
from mineproof.surfaces.cli.exits import FAILED
from mineproof.surfaces.cli.human import human_at
from mineproof.surfaces.cli.play_files import PlayFiles
from mineproof.surfaces.cli.play_options import HUMAN, PlayOptions
from mineproof.surfaces.cli.show_choice import choose_show, title_of
from mineproof.surfaces.cli.shows import LiveShow, Show
from mineproof.surfaces.cli.stepping import Stepping

__all__ = ["play_and_show"]


def play_and_show(options: PlayOptions) -> int:
    """Play the game, show it and write it; return the exit status."""
    chosen = options.chosen()
    files = PlayFiles(options.files, options.chain)
    try:
        with _player(options) as agent:
            game, sizes = _play(options, chosen, agent)
            files.write(game, title_of(options, chosen), sizes)
            _tell_the_rest(options, game, sizes, files, _listener(agent))
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same game again: {options.again()}") from None
    return FAILED if game.outcome.termination is Termination.FAILED else 0


@contextmanager
def _player(options: PlayOptions) -> Iterator[Agent | None]:
    """The agent, started, and closed after the game; None for a human."""
    agent = None if options.agent == HUMAN else make_player(options.agent, listener=Listener())
    try:
        if isinstance(agent, IsolatedAgent):
            agent.probe()
        yield agent
    finally:
        if isinstance(agent, IsolatedAgent):
            agent.close()


def _listener(agent: Agent | None) -> Listener | None:
    """What hears a user's agent; None for any other player."""
    return agent.listener if isinstance(agent, IsolatedAgent) else None


def _play(
    options: PlayOptions, chosen: str | World, agent: Agent | None
) -> tuple[Transcript, list[KnowledgeSize]]:
    """Play the game; its moves carry proofs or premises where anyone reads them.

    A user's agent is judged move by move; the catalog's are tested to be sound.
    """
    beside = _Beside()
    if (listener := _listener(agent)) is not None:
        assert agent is not None
        agent = judged = Judged(agent, dealt=not isinstance(chosen, World))
        beside = _Beside(unsound=judged.unsound, listener=listener)
    if agent is None or not options.moves_are_told:
        game, sizes = _shown(options, chosen, agent, beside)
    elif options.proofs:
        from mineproof.match.proving import Proving

        prover = Proving(agent)
        game, sizes = _shown(options, chosen, prover, replace(beside, proofs=prover.proofs))
        game = replace(game, proofs=prover.texts)
    else:
        from mineproof.match.naming_premises import NamingPremises

        game, sizes = _shown(options, chosen, NamingPremises(agent), beside)
    return game.with_unsound(beside.unsound), sizes


@dataclass(frozen=True)
class _Beside:
    """What is told beside the moves, while they are made: see `Show`."""

    proofs: Mapping[int, object] = field(default_factory=dict)
    unsound: Mapping[int, float] = field(default_factory=dict)
    listener: Listener | None = None


def _shown(
    options: PlayOptions, chosen: str | World, agent: Agent | None, beside: _Beside
) -> tuple[Transcript, list[KnowledgeSize]]:
    """Play with a show watching, and let it show the end; JSON has no show."""
    if options.as_json:
        assert agent is not None, "the options refuse a human who sees nothing"
        return _game(options, chosen, agent, None)
    show = choose_show(options, chosen)
    show.proofs, show.unsound, show.listener = beside.proofs, beside.unsound, beside.listener
    seen: list[tuple[Referee, Decision | None]] = []

    def watch(referee: Referee, decision: Decision | None) -> None:
        seen[:] = [(referee, decision)]
        show(referee, decision)

    with show if isinstance(show, LiveShow) else nullcontext():
        played = _game(options, chosen, _at_the_console(options, show, agent), watch)
        referee, last = seen[-1]
        show.tell_printed()
        show.end(referee, last, played[0].outcome)
    if isinstance(show, LiveShow):
        show.tell_mines(referee)
        show.tell_steps()
    return played


def _at_the_console(options: PlayOptions, show: Show, agent: Agent | None) -> Agent:
    """Who plays: a human, the agent with a pause before each move, or the agent."""
    ask = asker(show.console)
    if agent is None:
        return human_at(show, ask)
    return Stepping(agent, show, ask) if options.step else agent


def _game(
    options: PlayOptions, chosen: str | World, agent: Agent, watch: Watcher | None
) -> tuple[Transcript, list[KnowledgeSize]]:
    log = KnowledgeLog(agent) if options.files.measures_knowledge else None
    game = play(
        chosen,
        agent if log is None else log,
        options.seed,
        index=options.index,
        agent_seed=options.agent_seed,
        watch=watch,
        proofs=False,  # the agent already gives proofs, and is judged already
        judge=False,
        **options.rules.words,
    )
    return replace(game, agent=options.agent), [] if log is None else log.sizes


def _tell_the_rest(
    options: PlayOptions,
    game: Transcript,
    sizes: list[KnowledgeSize],
    files: PlayFiles,
    listener: Listener | None,
) -> None:
    """Print the JSON, and the longest chain where it is asked for, and draw it."""
    told: dict[str, Any] = {}
    if listener is not None and (printed := listener.to_json()):
        told["printed"] = printed
    if options.files.knowledge is not None:
        told["knowledge"] = [size.to_json() for size in sizes]
    if options.chain:
        from mineproof.chains.chains import of
        from mineproof.chains.influence import to_json
        from mineproof.chains.telling import draw_chain
        from mineproof.surfaces.cli.chaining import print_chain

        chains = of(game)
        if options.as_json:
            told["chain"] = to_json(chains)
        else:
            print_chain(stdout_console(), chains)
        if files.chain is not None:
            files.chain.write(draw_chain(chains))
    if options.as_json:
        print(json.dumps({**game.to_json(), **told}))
