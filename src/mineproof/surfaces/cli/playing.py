"""What `mineproof play` does with its options: the game, who plays it, and the files it writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Decision
from mineproof.board.worlds import World
from mineproof.match.game import Watcher, play
from mineproof.match.isolation import IsolatedAgent, make_player
from mineproof.match.outcome import Termination
from mineproof.match.referee import Referee
from mineproof.match.transcript import Transcript
from mineproof.surfaces.cli.asking import asker
from mineproof.surfaces.cli.console import stdout_console
from mineproof.surfaces.cli.exits import FAILED
from mineproof.surfaces.cli.human import human_at
from mineproof.surfaces.cli.outputs import Output
from mineproof.surfaces.cli.play_options import HUMAN, PlayOptions
from mineproof.surfaces.cli.show import LiveShow, Show
from mineproof.surfaces.cli.show_choice import choose_show
from mineproof.surfaces.cli.stepping import Stepping

__all__ = ["play_and_show"]


def play_and_show(options: PlayOptions) -> int:
    """Play the game, show it and write it; return the exit status."""
    chosen = options.chosen()
    transcript = Output.named("--transcript", options.transcript)
    picture = Output.named("--svg", options.svg)
    try:
        with _player(options) as agent:
            game = _play(options, chosen, agent)
            if transcript is not None:
                transcript.write(game.text)
            _tell_the_rest(options, game, picture)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same game again: {options.again()}") from None
    return FAILED if game.outcome.termination is Termination.FAILED else 0


@contextmanager
def _player(options: PlayOptions) -> Iterator[Agent | None]:
    """The agent, started, and closed after the game; None for a human."""
    agent = None if options.agent == HUMAN else make_player(options.agent)
    try:
        if isinstance(agent, IsolatedAgent):
            agent.probe()
        yield agent
    finally:
        if isinstance(agent, IsolatedAgent):
            agent.close()


def _play(options: PlayOptions, chosen: str | World, agent: Agent | None) -> Transcript:
    if agent is None or not options.proofs:
        return _shown(options, chosen, agent, {})
    from mineproof.match.proving import Proving

    prover = Proving(agent)
    return replace(_shown(options, chosen, prover, prover.proofs), proofs=prover.texts)


def _shown(
    options: PlayOptions, chosen: str | World, agent: Agent | None, proofs: Mapping[int, object]
) -> Transcript:
    """Play with a show watching, and let it show the end; JSON has no show."""
    if options.as_json:
        assert agent is not None, "the options refuse a human who sees nothing"
        return _game(options, chosen, agent, None)
    show = choose_show(options, chosen)
    show.proofs = proofs
    seen: list[tuple[Referee, Decision | None]] = []

    def watch(referee: Referee, decision: Decision | None) -> None:
        seen[:] = [(referee, decision)]
        show(referee, decision)

    with show if isinstance(show, LiveShow) else nullcontext():
        game = _game(options, chosen, _at_the_console(options, show, agent), watch)
        referee, last = seen[-1]
        show.end(referee, last, game.outcome)
    return game


def _at_the_console(options: PlayOptions, show: Show, agent: Agent | None) -> Agent:
    """Who plays: a human, the agent with a pause before each move, or the agent."""
    ask = asker(show.console)
    if agent is None:
        return human_at(show, ask)
    return Stepping(agent, show, ask) if options.step else agent


def _game(
    options: PlayOptions, chosen: str | World, agent: Agent, watch: Watcher | None
) -> Transcript:
    game = play(
        chosen,
        agent,
        options.seed,
        index=options.index,
        agent_seed=options.agent_seed,
        watch=watch,
        proofs=False,  # the agent already gives proofs
        **options.rules.words,
    )
    return replace(game, agent=options.agent)


def _tell_the_rest(options: PlayOptions, game: Transcript, picture: Output | None) -> None:
    """Print the JSON, and the longest chain where it is asked for, and draw it."""
    if not options.chain:
        if options.as_json:
            print(json.dumps(game.to_json()))
        return
    from mineproof.chains.chains import of
    from mineproof.chains.influence import to_json
    from mineproof.chains.telling import draw_chain
    from mineproof.surfaces.cli.chaining import print_chain

    chains = of(game)
    if options.as_json:
        print(json.dumps({**game.to_json(), "chain": to_json(chains)}))
    else:
        print_chain(stdout_console(), chains)
    if picture is not None:
        picture.write(draw_chain(chains))
