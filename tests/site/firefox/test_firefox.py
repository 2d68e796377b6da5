"""The built site in Debian's Firefox, driven by its own protocol, Marionette."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.browser import FIREFOX, find_browser

PATIENCE = 120.0


class Firefox:
    """A Firefox of the test's own: commands of WebDriver over a socket, by Marionette."""

    def __init__(self, profile: Path) -> None:
        found = find_browser(FIREFOX)
        assert found is not None, "no Firefox: apt-get install firefox-esr"
        # Port 0: Firefox takes a free one, and says which in its profile.
        (profile / "user.js").write_text('user_pref("marionette.port", 0);\n')
        words = ["--headless", "--marionette", "--no-remote", "--profile", str(profile)]
        self._process = subprocess.Popen(
            [found, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        said = profile / "MarionetteActivePort"
        deadline = time.monotonic() + PATIENCE
        while not said.exists() or not said.read_text().strip():
            assert self._process.poll() is None, "Firefox has ended"
            assert time.monotonic() < deadline, "Firefox did not start"
            time.sleep(0.05)
        self._socket = socket.create_connection(
            ("127.0.0.1", int(said.read_text())), timeout=PATIENCE
        )
        self._number = 0
        self._read()
        self.ask("WebDriver:NewSession", {})
        self.ask("WebDriver:SetTimeouts", {"script": int(1000 * PATIENCE)})

    def ask(self, command: str, fields: dict[str, Any]) -> Any:
        self._number += 1
        data = json.dumps([0, self._number, command, fields]).encode()
        self._socket.sendall(b"%d:%s" % (len(data), data))
        _, _, error, answer = self._read()
        assert error is None, error
        return answer

    def _read(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._socket.recv(1)
        size, data = int(length[:-1]), b""
        while len(data) < size:
            data += self._socket.recv(size - len(data))
        return json.loads(data)

    def run(self, body: str) -> Any:
        """What an asynchronous function with this body gives."""
        script = (
            "const done = arguments[arguments.length - 1];"
            f"(async () => {{{body}}})().then(done, (error) => done('failed: ' + error));"
        )
        return self.ask("WebDriver:ExecuteAsyncScript", {"script": script, "args": []})["value"]

    def close(self) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait(PATIENCE)


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    one = Firefox(tmp_path)
    yield one
    one.close()


def test_a_game_is_played_explained_and_watched(firefox: Firefox, coach: str) -> None:
    firefox.ask("WebDriver:Navigate", {"url": f"{coach}/#/play?board=beginner&seed=3"})
    opened = firefox.run(
        """const later = () => new Promise((go) => setTimeout(go, 20));
        const until = async (test) => { while (!test()) await later(); };
        const cell = () => document.querySelector("[data-cell='40']");
        await until(cell);
        cell().dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        await until(() => /open|around/.test(cell().getAttribute("aria-label")));
        return cell().getAttribute("aria-label");"""
    )
    assert "failed" not in opened
    told = firefox.run(
        """const api = await import("./static/api.js");
        const text = "square 3x3 mines=2\\n1..\\n12.\\n01.";
        const why = await api.positionExplain(text, 2);
        const watched = await api.watch({ board: "6x6/6", agents: ["sat"], seed: 3 });
        return [why.certain, watched.games[0].steps.length > 0];"""
    )
    assert told == ["safe", True]
