"""The built site, served as any static host would, and a browser at it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.browser.conftest import audit, browser, visit

__all__ = ["audit", "browser", "visit"]

SITE = Path(__file__).resolve().parents[2] / "build" / "site"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


class Host:
    """A folder on a port of its own, which can be stopped and started again."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder = folder
        self._server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=folder))
        self.port = self._server.server_port
        self.address = f"http://127.0.0.1:{self.port}"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="session")
def coach() -> Iterator[str]:
    """The address of the built site, in place of a server's."""
    assert (SITE / "index.html").exists(), "the site is not built: make site"
    host = Host(SITE)
    yield host.address
    host.stop()
