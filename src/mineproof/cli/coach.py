"""`mineproof coach`: the coach's page, served to the browsers of this machine."""

from __future__ import annotations

import socket
import sys
import threading
import webbrowser
from typing import Annotated

import click

from mineproof.cli.declarations import Option
from mineproof.errors import InputError, MissingLibrary, quoted

DEFAULT_PORT = 8017
_TURN = 0.0005  # seconds after which a thread lets others run
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def command(
    port: Annotated[
        int, Option(metavar="N", help="The port to listen on; 0 takes any free port.")
    ] = DEFAULT_PORT,
    host: Annotated[
        str,
        Option(
            metavar="ADDRESS", help="The address to listen on; any other lets other machines in."
        ),
    ] = "127.0.0.1",
    show: Annotated[
        bool | None,
        Option("--open/--no-open", help="Open the page in the browser.  [default: on a terminal]"),
    ] = None,
) -> None:
    """Play, see the chances and ask why, in the browser.

    Serves the page, to this machine only, until it is interrupted (Ctrl-C).
    """
    if not 0 <= port <= 65535:
        raise InputError(f"--port {port} is not a port; accepted: 0 to 65535")
    try:
        import uvicorn

        from mineproof.web.app import make_app
        from mineproof.web.coach import Coach
        from mineproof.web.guard import limited_protocol
    except ImportError as error:
        name = error.name or "a library"
        raise MissingLibrary("the coach needs", name, name) from None
    listening = _listen(host, port)
    alone = host in _LOOPBACK
    names = _LOOPBACK if alone else (*_LOOPBACK, host, socket.gethostname())
    coach = Coach()
    app = make_app(coach, hosts=names, any_address=not alone)
    address = _address(host, listening.getsockname()[1])
    click.echo(f"the coach is at {address} (Ctrl-C ends it)")
    if not alone:
        click.echo(
            f"mineproof: warning: {host} lets everyone in your network play here; nothing is"
            " encrypted and nobody is asked who they are",
            err=True,
        )
    sys.stdout.flush()
    if show if show is not None else sys.stdout.isatty():
        # Some browsers block the caller until they are closed.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    # Work is done in threads: with the usual 5 ms, an answer may wait so long for its turn.
    sys.setswitchinterval(_TURN)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",  # no endpoint speaks it
        timeout_graceful_shutdown=2,  # seconds that Ctrl-C waits for answers under way
        timeout_keep_alive=30,
        http=limited_protocol(coach.limits),
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises InputError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "not an address"
        raise InputError(
            f"--host {quoted(host)} cannot be found: {reason}; accepted: such as 127.0.0.1"
        ) from None
    family, kind, protocol, _, where = found[0]
    listening = socket.socket(family, kind, protocol)
    # A server that ended a moment ago leaves its port taken for a while without this.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(where)
        listening.listen(256)
    except OSError as error:
        listening.close()
        raise InputError(
            f"--port {port} of {host} cannot be used: {error.strerror}; accepted: another --port,"
            " or 0 for any free one"
        ) from None
    return listening


def _address(host: str, port: int) -> str:
    """What to type into a browser of this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"
