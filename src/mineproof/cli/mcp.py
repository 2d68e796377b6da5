"""`mineproof mcp`: the tools for language models, over the Model Context Protocol."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from mineproof.errors import MissingLibrary

if TYPE_CHECKING:
    from mineproof.web.tools import MinesweeperTools

_INSTRUCTIONS = (
    "Exact Minesweeper. Never reason about a position yourself: pass it as text to these tools and"
    " report what they say. mineproof://notation says how a position and a cell are written."
)


def command() -> None:
    """Give a language model the coach's tools (Model Context Protocol).

    A client starts this command and speaks with it over standard input and output. The model then
    asks instead of reasoning: read_position, analyse, explain, check_claim, best_move, review,
    generate, practise and render. Every answer is exact; where the exact answer takes too long, it
    is "not available".
    """
    try:
        import mcp.server.mcpserver  # noqa: F401
    except ImportError:
        raise MissingLibrary("the server of tools needs", "mcp", "'mineproof[mcp]'") from None
    from mineproof.web.tools import MinesweeperTools

    if sys.stdin.isatty():
        print("mineproof: a client speaks here; Ctrl-C ends it", file=sys.stderr)
    with MinesweeperTools() as tools:
        make_server(tools).run("stdio")


def make_server(tools: MinesweeperTools) -> Any:
    """The server of these tools, with the notation as a resource and one prompt."""
    from mcp.server.mcpserver import MCPServer
    from mcp_types import ToolAnnotations

    import mineproof
    from mineproof.web.tools import COACHING, GUIDE

    server = MCPServer(
        "mineproof", instructions=_INSTRUCTIONS, version=mineproof.__version__, log_level="ERROR"
    )
    reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    for tool in tools.tools:
        server.add_tool(_with_tool_errors(tool), annotations=reads, structured_output=True)

    def notation() -> str:
        """How positions and cells are written, and what the words of the answers mean."""
        return GUIDE

    def coach(position: str) -> str:
        """Coach a player through a position, with the least help first."""
        return f"{COACHING}\nThe position:\n\n{position}"

    server.resource("mineproof://notation", mime_type="text/markdown")(notation)
    server.prompt()(coach)
    return server


def _with_tool_errors(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool with refusals in the form whose text the library passes on to the model."""
    from mcp.server.mcpserver.exceptions import ToolError

    from mineproof.web.tools import ToolRefusal

    @wraps(tool)
    def told(*arguments: Any, **words: Any) -> Any:
        try:
            return tool(*arguments, **words)
        except ToolRefusal as refusal:
            raise ToolError(str(refusal)) from None

    return told
