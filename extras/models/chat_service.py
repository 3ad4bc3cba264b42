"""A chat service: any that answers POST URL/chat/completions as OpenAI's does, over HTTP or by an outlet (outlet.py).

One request, one answer or a `ServiceError`; nothing is repeated here, and no redirect is followed.
"""

import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

#: Maximum bytes of an answer, and characters of one that a refusal repeats.
_LONGEST: Final = 4 << 20
_REPEATED: Final = 120
_PORTS: Final = {"http": 80, "https": 443}


class ServiceError(Exception):
    """A request that got no answer, with the reason."""


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """An answer: its text, the reasoning that the service gives beside it, and the tokens of both directions."""

    text: str
    reasoning: str
    tokens: tuple[int, int]


class ChatService:
    """One model of a service, at a URL that usually ends in /v1."""

    def __init__(self, url: str, model: str, key: str = "", outlet: str = "") -> None:
        try:
            parts = urlsplit(url)
            self.host, self.port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
        except ValueError:  # such as a port that no system has
            self.host = ""
        if not self.host or parts.scheme not in _PORTS or parts.query:
            raise RulesError(f"{quoted(url)} is no address of a chat service, such as https://api.example.com/v1")
        self.is_safe = parts.scheme == "https"
        self.model = model
        self._path = f"{parts.path.rstrip('/')}/chat/completions"
        self._key = key
        self._outlet = outlet

    def ask(self, messages: list[dict[str, str]], seconds: float) -> ChatAnswer:
        """Ask for the next message, within this many seconds."""
        end = time.monotonic() + seconds
        try:
            with self._line(seconds) as line, _cut_at(end, line):
                connection = http.client.HTTPConnection(self.host, self.port)
                connection.sock = line
                key = {"Authorization": f"Bearer {self._key}"} if self._key else {}
                headers = {"Content-Type": "application/json"} | key
                connection.request("POST", self._path, json.dumps({"model": self.model, "messages": messages}), headers)
                answer = connection.getresponse()
                body = answer.read(_LONGEST + 1)
            if time.monotonic() >= end:
                raise TimeoutError  # what was cut by us may look whole
        except (OSError, http.client.HTTPException) as error:
            late = f"it gave no whole answer within {seconds:.0f} seconds" if time.monotonic() >= end else ""
            raise ServiceError(late or f"{type(error).__name__}: {error}") from None
        if len(body) > _LONGEST:
            raise ServiceError(f"it answered with more than {_LONGEST >> 20} MiB")
        if answer.length:
            raise ServiceError("its answer was cut off")
        text = body.decode("utf-8", "replace")
        quote = quoted(text.replace(self._key, "(your key)") if self._key else text, _REPEATED)
        if answer.status != http.client.OK:
            raise ServiceError(f"it answered {answer.status} {quote}")
        return _reply(body, quote)

    def _line(self, seconds: float) -> socket.socket:
        """Connect to the service, or to the outlet that leads there."""
        if self._outlet:
            line = socket.socket(socket.AF_UNIX)
            line.settimeout(seconds)
            line.connect(self._outlet)
        else:
            line = socket.create_connection((self.host, self.port), seconds)
        return ssl.create_default_context().wrap_socket(line, server_hostname=self.host) if self.is_safe else line


@contextmanager
def _cut_at(end: float, line: socket.socket) -> Iterator[None]:
    """Shut a connection at a time: a service that sends byte after byte is never silent."""

    def cut() -> None:
        with suppress(OSError):  # the service has hung up
            line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(end - time.monotonic(), 0), cut)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _reply(body: bytes, quote: str) -> ChatAnswer:
    """Read an answer. A stranger may have written every part of it."""
    try:
        data = json.loads(body)
        message = data["choices"][0]["message"]
        text, usage = message["content"] or "", data.get("usage") or {}
        apart = message.get("reasoning_content") or message.get("reasoning") or ""
        tokens = [usage.get(name, 0) for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise ServiceError(f"its answer is no chat completion: {quote}") from None
    if not isinstance(text, str):
        raise ServiceError(f"its message is no text: {quote}")
    counted = [number if type(number) is int and number >= 0 else 0 for number in tokens]
    return ChatAnswer(text, apart if isinstance(apart, str) else "", (counted[0], counted[1]))
