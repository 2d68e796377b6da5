"""Endpoints that speak as OpenAI's chat completions do, over HTTP by the standard library.

The key comes from the environment and goes to the endpoint alone: it is in no message, no file and
no error, not even where the endpoint sends it back. Redirects are not followed.
"""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from mineproof.errors import InputError, MineproofError, one_line, quoted

_MOST_BYTES = 8 * 2**20
_CHUNK = 64 * 1024
_LONGEST_NOTE = 300
_AGAIN = (408, 409, 425, 429, 500, 502, 503, 504)
"""Statuses that say nothing about the request: it is sent again."""
_PAUSES = (0.5, 2.0, 5.0)
_HIDDEN_KEY = "(key)"

OPEN_TOOL = {
    "type": "function",
    "function": {
        "name": "open_cells",
        "description": "Open hidden cells, in their order.",
        "parameters": {
            "type": "object",
            "properties": {
                "open": {"type": "array", "items": {"type": "string"}, "description": "ROW,COLUMN"}
            },
            "required": ["open"],
        },
    },
}
"""How a model may open cells in a game by a call of a tool."""


class EndpointFailure(MineproofError):
    """The endpoint cannot be reached or is busy: nothing is known of the model's answer."""


@dataclass(frozen=True)
class ModelReply:
    """What came back for one request; `text` is None where no reply came, and `fault` says why."""

    text: str | None
    fault: str = ""
    message: Mapping[str, Any] = field(default_factory=dict)
    """The assistant's message, to be sent again with the next request."""
    call: str | None = None
    """The id of the tool call that the text is the argument of."""
    asked_tokens: int = 0
    told_tokens: int = 0
    seconds: float = 0.0


class Endpoint:
    """A model behind an address, asked one list of messages at a time, from any thread."""

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        key: str | None = None,
        seconds: float = 120.0,
        settings: Mapping[str, Any] | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`seconds` is the time of one reply; `settings` are further fields of every request.

        Raises InputError for an address that is none, or that holds a key.
        """
        self.url = f"{checked_url(base_url)}/chat/completions"
        self.model, self.seconds = model, seconds
        self._key, self._pause = key, pause
        self._settings = dict(settings or {})
        self._opener = urllib.request.build_opener(_NoRedirects)

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r}, {self.model!r})"

    def ask(self, messages: list[dict[str, Any]], tools: bool = False) -> ModelReply:
        """The reply. One that is late or malformed is a reply without a text.

        Raises EndpointFailure where the endpoint is not there or stays busy, and InputError where
        it refuses the request itself.
        """
        fields = {"model": self.model, "messages": messages, **self._settings}
        if tools:
            fields["tools"] = [OPEN_TOOL]
        body = json.dumps(fields).encode()
        reason = ""
        for pause in (*_PAUSES, None):
            start = time.monotonic()
            try:
                data = self._post(body, start + self.seconds)
            except TimeoutError:
                return ModelReply(None, "late", seconds=time.monotonic() - start)
            except urllib.error.HTTPError as error:
                told = self._without_key(_text_of(error))
                if error.code not in _AGAIN:
                    raise InputError(
                        f"the endpoint refuses the request: {error.code} {told}; accepted: the"
                        " model, the address and the key that it knows"
                    ) from None
                reason = f"{error.code} {told}"
            except (OSError, http.client.HTTPException) as error:
                if isinstance(getattr(error, "reason", None), TimeoutError):
                    return ModelReply(None, "late", seconds=time.monotonic() - start)
                reason = self._without_key(one_line(error, _LONGEST_NOTE)) or type(error).__name__
            else:
                return _reply_of(self._without_key(data), time.monotonic() - start)
            if pause is not None:
                self._pause(pause)
        raise EndpointFailure(f"the endpoint does not answer: {reason}")

    def _post(self, body: bytes, end: float) -> str:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self.url, body, headers)
        data = bytearray()
        with self._opener.open(request, timeout=self.seconds) as answer:
            # The limit of a socket is that of one read: an answer in drops would never be late.
            while chunk := answer.read1(_CHUNK):
                data += chunk
                if time.monotonic() > end:
                    raise TimeoutError
                if len(data) > _MOST_BYTES:
                    break
        return data.decode("utf-8", "replace")

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, _HIDDEN_KEY) if self._key else text


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


def checked_url(text: str) -> str:
    """An address without a slash at its end. Raises InputError."""
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port
    except ValueError:
        known = False
    if not known:
        raise InputError(f"--base-url {quoted(text)}; accepted: such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(
            "--base-url holds a name, a key or a query; accepted: the key in the environment"
        )
    return text.rstrip("/")


def key_of(variable: str) -> str | None:
    """The key in a variable of the environment; None where there is none. Raises InputError."""
    key = os.environ.get(variable, "").strip()
    if key and not (key.isascii() and key.isprintable()):
        raise InputError(f"the variable {quoted(variable)} holds no key; accepted: printable ASCII")
    return key or None


def _text_of(error: urllib.error.HTTPError) -> str:
    try:
        return one_line(error.read(2_000).decode("utf-8", "replace"), _LONGEST_NOTE)
    except OSError:
        return ""


def _reply_of(data: str, seconds: float) -> ModelReply:
    """The reply that an answer holds, whatever it is."""
    try:
        answer = json.loads(data)
        message = answer["choices"][0]["message"]
        content, calls = message.get("content"), message.get("tool_calls")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return ModelReply(None, "malformed", seconds=seconds)
    usage = answer.get("usage")
    bare = ModelReply(
        None,
        "malformed",
        asked_tokens=_count(usage, "prompt_tokens"),
        told_tokens=_count(usage, "completion_tokens"),
        seconds=seconds,
    )
    if isinstance(calls, list) and calls:
        try:
            call = calls[0]
            text, name = call["function"]["arguments"], str(call["id"])
        except (LookupError, TypeError):
            return bare
        # Parallel calls would each need an answer: only the first one is made.
        said = {"role": "assistant", "content": None, "tool_calls": [call]}
        return replace(bare, text=str(text), fault="", message=said, call=name)
    if isinstance(content, list):  # parts, as some endpoints send them
        parts = (one.get("text") for one in content if isinstance(one, dict))
        content = "".join(part for part in parts if isinstance(part, str))
    if content is not None and not isinstance(content, str):
        return bare
    said = {"role": "assistant", "content": content or ""}
    return replace(bare, text=content, fault="", message=said)


def _count(usage: Any, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if type(value) is int and 0 <= value < 2**53 else 0
