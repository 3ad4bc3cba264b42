"""One end of a socket pair for each stream of a meeting. The node has the other, and reads and writes it like any
connection of its own.

Part of relay_links.py. Specification: extras/far/docs/relay.md, "Streams".
"""

import selectors
import socket
from collections.abc import Callable
from functools import partial
from typing import Final

from quadrille.extras.far.relay.meeting import Meeting, StreamKey
from quadrille.net.zeromq.sockets import CHUNK, look

#: Unread bytes of a stream above which it is given up.
MOST_UNREAD: Final = 1 << 20


class _Pipe:
    """Our end, for one stream."""

    __slots__ = ("key", "socket", "unread", "watched", "writes")

    def __init__(self, key: StreamKey, end: socket.socket) -> None:
        self.key = key
        self.socket = end
        self.unread = bytearray()
        self.watched = 0
        #: Whether bytes may still follow towards the node.
        self.writes = True


class RelayPipes:
    """All streams of one meeting, towards the node."""

    def __init__(self, meeting: Meeting, selector: selectors.BaseSelector, moved: Callable[[int], None]) -> None:
        """`moved(now)` is called when the node has said something by a stream."""
        self._meeting = meeting
        self._selector = selector
        self._moved = moved
        self._pipes: dict[StreamKey, _Pipe] = {}
        self._full: set[StreamKey] = set()  # streams from which nothing is read for now

    def open(self, key: StreamKey) -> socket.socket:
        """The node's end of a new stream."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        pipe = self._pipes[key] = _Pipe(key, ours)
        self._want(pipe)
        return theirs

    def give(self, key: StreamKey, data: bytes) -> None:
        """Pass bytes on to the node."""
        if (pipe := self._pipes.get(key)) is not None:
            pipe.unread += data
            self._pass(pipe)

    def end(self, key: StreamKey) -> None:
        """Nothing follows."""
        if (pipe := self._pipes.get(key)) is not None:
            pipe.writes = False
            self._pass(pipe)

    def drop(self, key: StreamKey) -> None:
        """The stream is gone."""
        if (pipe := self._pipes.pop(key, None)) is not None:
            look(self._selector, pipe.socket, pipe.watched, 0, partial(self._ready, pipe))
            pipe.socket.close()
            self._full.discard(key)

    def close(self) -> None:
        for key in list(self._pipes):
            self.drop(key)

    def go_on(self) -> None:
        """Read again from streams that take more by now."""
        for key in [key for key in self._full if not self._meeting.is_full(key)]:
            self._full.discard(key)
            self._want(self._pipes[key])

    def _pass(self, pipe: _Pipe) -> None:
        try:
            while pipe.unread:
                del pipe.unread[: pipe.socket.send(pipe.unread)]
            if not pipe.writes:
                pipe.socket.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            if len(pipe.unread) > MOST_UNREAD:
                return self._give_up(pipe)
        except OSError:
            return self._give_up(pipe)
        return self._want(pipe)

    def _ready(self, pipe: _Pipe, mask: int, now: int) -> None:
        if mask & selectors.EVENT_WRITE:
            self._pass(pipe)
        if mask & selectors.EVENT_READ and pipe.key in self._pipes:
            self._read(pipe, now)
        return self._moved(now)

    def _read(self, pipe: _Pipe, now: int) -> None:
        try:
            data = pipe.socket.recv(CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return self._give_up(pipe)
        if not data:
            self._meeting.end(pipe.key, now)
            return self.drop(pipe.key)
        self._meeting.send(pipe.key, data, now)
        if self._meeting.is_full(pipe.key):
            self._full.add(pipe.key)
            self._want(pipe)
        return None

    def _give_up(self, pipe: _Pipe) -> None:
        self._meeting.reset(pipe.key)
        self.drop(pipe.key)

    def _want(self, pipe: _Pipe) -> None:
        wanted = (0 if pipe.key in self._full else selectors.EVENT_READ) | (selectors.EVENT_WRITE if pipe.unread else 0)
        look(self._selector, pipe.socket, pipe.watched, wanted, partial(self._ready, pipe))
        pipe.watched = wanted
