"""The state that the machines of one table share: the log, this peer's seat, absent seats, outgoing messages.

A value without decisions; table.py joins the machines. Specification: docs/protocols/play.md.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from quadrille.net.entries.bodies import EntryBody
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.wire import Message
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Event, Stopped
from quadrille.net.game_log.own_cards import OwnCards
from quadrille.net.trust.identity import Identity


class LogMark(NamedTuple):
    """The length of a log at some time, and whether the game was over then."""

    length: int
    over: bool


class DueEntry(NamedTuple):
    """The body of an entry that this peer has to write, and whether its signature alone makes it."""

    body: EntryBody
    alone: bool = True


@dataclass(slots=True, eq=False)
class TableContext:
    """`gone` maps seats without a peer to the time they left; a message for nobody is for all.

    A table that has `stopped` adds and writes nothing more.
    """

    log: Log
    identity: Identity
    shelf: TableStore
    hand: OwnCards
    gone: dict[int, int] = field(default_factory=dict)
    outgoing: list[tuple[bytes | None, Message]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    stopped: Stopped | None = None

    @property
    def seat(self) -> int | None:
        return self.hand.seat

    def mark(self) -> LogMark:
        """The present length of the log."""
        return LogMark(len(self.log.entries), over=self.log.now.over is not None)

    def stop(self, stopped: Stopped) -> None:
        """Add and write nothing more, for this reason."""
        self.stopped = stopped
        self.events.append(stopped)

    def say(self, *messages: Message) -> None:
        """Send messages to all at the table."""
        self.outgoing += [(None, message) for message in messages]

    def secret(self, label: str) -> bytes | None:
        """Our own stored data about the table under a label."""
        return self.shelf.secret(self.log.table, label)

    def keep(self, label: str, data: bytes) -> None:
        """Store data about the table; it is on disk when the call returns."""
        self.shelf.keep_secret(self.log.table, label, data)
