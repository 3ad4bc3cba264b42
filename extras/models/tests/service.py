"""A chat service on loopback that does what it was told: it answers, is silent, fails, chatters, is cut."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

#: How it answers a request: a text, or bytes with a status, which with status 0 come one by one and without end; None:
#: it never does.
Said: TypeAlias = str | tuple[int, bytes] | None


def completion(text: str, **more: Any) -> bytes:
    """Return an answer as services write it."""
    usage = {"prompt_tokens": 40, "completion_tokens": 2}
    return json.dumps({"choices": [{"message": {"content": text, **more}}], "usage": usage}).encode()


class Service(ThreadingHTTPServer):
    """What it says, one after the other, and then by `usual`; what it was asked."""

    daemon_threads = True

    def __init__(self, usual: Callable[[dict[str, Any]], Said]) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.said: list[Said] = []
        self.usual = usual
        self.asked: list[tuple[str, str | None, dict[str, Any]]] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Request(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        said = self.server.said.pop(0) if self.server.said else self.server.usual(body)
        if said is None:
            self.server.over.wait()
            return
        status, data = (200, completion(said)) if isinstance(said, str) else said
        if not status:
            with suppress(OSError):  # the bot has had enough
                while not self.server.over.wait(0.05):
                    self.wfile.write(data)
            return
        self.send_response(abs(status))
        self.send_header("Content-Length", str(len(data) + (9 if status < 0 else 0)))  # a negative one is cut off
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def listed(body: dict[str, Any]) -> str:
    """Return the first of the legal moves that the bot has listed."""
    text: str = body["messages"][1]["content"]
    return f"The first will do.\nMOVE: {text.partition('at most:')[2].split(chr(10))[1]}"


@contextmanager
def serving(usual: Callable[[dict[str, Any]], Said] = listed) -> Iterator[Service]:
    with Service(usual) as service:
        thread = threading.Thread(target=service.serve_forever, args=(0.01,))
        thread.start()
        yield service
        service.over.set()
        service.shutdown()
        thread.join()
