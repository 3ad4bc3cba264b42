"""A peer of Quadrille that shares nothing with it but docs/protocols/: finds a table of Maze, sits down, plays, goes.

To be read beside docs/protocols/ by authors of peers in other languages. Quotations are from these sections:

    ed25519.py    Keys                               log.py        Terms, Chance, The log, Archives
    zre.py        Discovery                          gathering.py  Gathering
    maze.py       Notation, Digest                   bot.py        Lobby, Play, Versioning
    messages.py   Hashes, Messages, Postings

It does not survive a crash. A peer that comes back has each of its entries on disk before it sends it, or it might sign
another in the same place, which is cheating ("Data on disk"). This one has a new key each time, so that it can't.
"""

import argparse
import contextlib
import hashlib
import secrets
import socket
import sys
import time
from pathlib import Path
from typing import Any

from ed25519 import key_of, sign, verified
from gathering import Gathering
from log import Log, is_playable, resignation
from messages import (
    POSTED,
    SHAPES,
    WORDS,
    Entry,
    Kind,
    opened,
    posting,
    read_entry,
    read_part,
    sealed,
    shaped,
    unpack,
)
from zre import Endpoint, Event, Network

#: Seconds: between two heads; how long a table that is over still speaks.
HEARTBEAT, LAST_WORDS = 1.0, 10.0
#: Maximum entries and bytes of one message.
MOST_ENTRIES, MOST_BYTES = 256, 48_000


def peer_of(key: bytes) -> bytes:
    """Return the ZRE identity of a peer, so that the key certifies it ("Keys")."""
    return hashlib.blake2b(key).digest()[:16]


class Bot:
    """One identity, at one table."""

    def __init__(self, name: str, *, port: int, broadcast: str, seeds: list[Endpoint]) -> None:
        self.secret, self.name = secrets.token_bytes(32), name
        self.key = key_of(self.secret)
        headers = {"X-GAME": "quadrille/1", "X-SPEAKS": "3", "X-KEY": self.key.hex()}  # "Keys"
        self.network = Network(
            peer_of(self.key),
            name,
            headers,
            port=port,
            broadcast=broadcast,
            seeds=seeds,
            prove=self._prove,
            is_proof=self._is_proof,
        )
        self.here: set[bytes] = set()  # the keys of peers of our kind that are met
        self.serials: dict[bytes, int] = {}  # by author, that of its newest posting
        self.offers: dict[bytes, Any] = {}  # by host, what that says
        self.refused: set[bytes] = set()  # tables where we may not sit
        self.gathering: Gathering | None = None
        self.log: Log | None = None
        self.resigned: dict[int, bytes] = {}  # seats that have said so; whose turn it is writes it
        self.since = self.beat = self.ends = 0.0
        self.is_done = False

    # "Proof of a link"

    def _prove(self, nonce: bytes, theirs: dict[str, str]) -> bytes | None:
        if theirs.get("X-SPEAKS", "1") == "1":
            return None  # "Who gets no proof"
        with contextlib.suppress(KeyError, ValueError):
            key, other = bytes.fromhex(theirs["X-KEY"]), bytes.fromhex(theirs["X-NONCE"])
            return sign(self.secret, b"quadrille/link" + peer_of(self.key) + peer_of(key) + nonce + other)
        return None

    def _is_proof(self, signature: bytes, nonce: bytes, theirs: dict[str, str]) -> bool:
        with contextlib.suppress(KeyError, ValueError):
            key, other = bytes.fromhex(theirs["X-KEY"]), bytes.fromhex(theirs["X-NONCE"])
            statement = b"quadrille/link" + peer_of(key) + peer_of(self.key) + other + nonce
            return verified(key, signature, statement)
        return False

    def tell(self, key: bytes, number: int, *fields: Any) -> None:
        """Send the content of one WHISPER ("Messages")."""
        if key in self.here:
            self.network.whisper(peer_of(key), sealed(self.secret, number, *fields))

    # "Lobby": who is there, and what they offer

    def hear(self, event: Event) -> None:
        """Process an event of the network."""
        try:
            key = bytes.fromhex(event.headers.get("X-KEY", ""))
            if event.headers.get("X-GAME") != "quadrille/1" or peer_of(key) != event.peer:
                return  # "Keys": a peer with other claims is none of ours
            if not self._speaks_enough(event.headers.get("X-SPEAKS", "1")):
                return  # "Versioning": envelopes of version 2 are for peers of protocol 2
            if event.what == "met":
                self.here.add(key)
                mine = posting(self.secret, time.time_ns() // 1_000_000, self.network.port, self.name)
                self.network.whisper(event.peer, mine)  # "Links": a posting goes to each peer that is met
            elif event.what == "left":
                self.here.discard(key)
                self.offers.pop(key, None)
                if self.gathering is not None and self.gathering.host == key:
                    self.gathering = None
            elif event.content.startswith(POSTED):
                self._read(event.content)
            else:
                author, number, fields = opened(event.content)
                if author == key:  # "Messages": a message is taken from its author only
                    self._receive(author, number, fields)
        except ValueError as error:
            print(f"dropped: {error}", flush=True)

    @staticmethod
    def _speaks_enough(said: str) -> bool:
        return said.isascii() and said.isdigit() and int(said[:9]) >= 3

    def _read(self, data: bytes) -> None:
        """Take what a host offers: a higher serial replaces a lower one. The rare posting of several parts is left."""
        author, serial, parts, content = read_part(data)
        if parts == 1 and serial >= self.serials.get(author, 0):
            self.serials[author] = serial
            tables = shaped(unpack(content), WORDS)[2] if content else ()
            self.offers[author] = [offer for offer in tables if offer[1] == author]

    def _receive(self, author: bytes, number: int, fields: Any) -> None:
        if number not in SHAPES:
            return  # chat, invitations, books: not for this peer
        table = fields[0]
        if self.log is not None and table == self.log.table:
            self._at_table(self.log, author, number, fields)
        elif self.gathering is not None and table == self.gathering.table:
            self._before(self.gathering, author, number, fields)
        elif number == Kind.ASK:
            self.tell(author, Kind.ANSWER, table, False, "there is no such table here")

    def _look_for_a_table(self) -> None:
        """Ask for a seat where one is free. An offer is `[table, host, terms, chairs, state, since]` ("Messages")."""
        for offer in [offer for offers in self.offers.values() for offer in offers]:
            table, _, terms, chairs, state, _ = offer
            if state == "open" and len(chairs) < 2 and table not in self.refused and is_playable(terms):
                self.gathering = Gathering(offer, self.secret, self.name, self.tell)
                print(f"asking for a seat at table {table.hex()[:8]}", flush=True)
                return

    # "Gathering"

    def _before(self, gathering: Gathering, author: bytes, number: int, fields: Any) -> None:
        if number == Kind.ANSWER and author == gathering.host and not fields[1]:
            print(f"no seat: {fields[2]!r}", flush=True)
            self._give_up(gathering)
        elif number == Kind.HEAD:  # it has begun, and something that would have told me was lost
            self.tell(author, Kind.WANT, gathering.table, 0)
        elif number == Kind.ENTRIES and fields[1]:
            entry = read_entry(fields[1][0])
            if author != gathering.host or entry.kind != "begin" or self.key in [key for key, *_ in entry.body[1]]:
                self._begin(gathering, entry)
                return
            print("no seat: a game is at play there", flush=True)  # "Free seats of a running game"
            self.tell(author, Kind.GONE, gathering.table)
            self._give_up(gathering)
        else:
            gathering.hear(author, number, fields)

    def _give_up(self, gathering: Gathering) -> None:
        self.refused.add(gathering.table)
        self.gathering = None

    def _begin(self, gathering: Gathering, entry: Entry) -> None:
        """Take entry 0."""
        log = Log(gathering.table)
        is_mine = entry.index == 0 and log.take(entry) and log.terms == gathering.terms and self.key in log.keys
        if is_mine and gathering.stands(entry):
            self.log, self.gathering, self.since = log, None, time.monotonic()
            print(f"at play as player {log.keys.index(self.key) + 1}", flush=True)

    # "Play"

    def _other(self, log: Log) -> bytes:
        return log.keys[1 - log.keys.index(self.key)]

    def _at_table(self, log: Log, author: bytes, number: int, fields: Any) -> None:
        if author not in log.keys:  # "Who may not look on gets a no to its Ask, and no answer to anything else"
            if number == Kind.ASK:
                self.tell(author, Kind.ANSWER, log.table, False, "look on at the other seat's")
            return
        match number, fields:
            case Kind.ENTRIES, (_, entries):
                self._take(log, author, entries)
            case Kind.HEAD, (_, length, head):
                self._compare(log, author, length, head)
            case Kind.WANT, (_, start):
                self._send(log, author, start)
            case Kind.MOTION, (_, before, motion, *_) if before == log.head and not log.over:
                self.tell(author, Kind.DECLINE, log.table, before, motion)
            case Kind.RESIGN, (_, (0 | 1) as seat, signature, b""):
                if verified(log.keys[seat], signature, resignation(log.table, seat)):
                    self.resigned[seat] = signature
            case _:  # said to others, or too late
                pass

    def _take(self, log: Log, author: bytes, entries: Any) -> None:
        """Take entries, which come twice, too early, and in pieces; the log knows which are new."""
        for entry in map(read_entry, entries):
            if entry.index > len(log.entries):
                self.tell(author, Kind.WANT, log.table, max(0, len(log.entries) - 1))
                return
            if log.take(entry):
                self._tell_of(log, "")

    def _compare(self, log: Log, author: bytes, length: int, head: bytes) -> None:
        """Compare heads. "Whoever is behind asks (Want), from the last entry it has"; a peer that is ahead need not
        wait for that.
        """
        here = len(log.entries)
        if length < here:
            self._send(log, author, max(0, length - 1))
        elif length > here or head != log.head:
            self.tell(author, Kind.WANT, log.table, max(0, here - 1))
        elif log.over:
            self.is_done = True  # the other seat has all of it too

    def _send(self, log: Log, to: bytes, start: int) -> None:
        """Send the entries that fit into one message; the peer asks for the rest."""
        chosen, size = [], 0
        for entry in log.entries[start : start + MOST_ENTRIES]:
            size += len(entry.data)
            if size <= MOST_BYTES:
                chosen.append(entry.data)
        if chosen:
            self.tell(to, Kind.ENTRIES, log.table, tuple(chosen))

    def _write(self, log: Log) -> None:
        """Write an entry: carry what the other has signed, or move. The log checks it as if it were another's."""
        used = int((time.monotonic() - self.since) * 1000)
        if (seat := 1 - log.keys.index(self.key)) in self.resigned:
            body = (seat, "resigned", self.resigned[seat], b"")
            entry = log.draft(self.key, "left", body, used, log.maze.digest((0, 1) if seat else (1, 0)))
        else:
            move = secrets.choice(log.maze.moves)
            entry = log.draft(self.key, "move", (log.maze.text(move),), used, log.maze.after(move).digest())
        log.take(entry.signed(self.secret))
        self._tell_of(log, " (mine)")
        self.tell(self._other(log), Kind.ENTRIES, log.table, (log.entries[-1].data,))

    def _tell_of(self, log: Log, whose: str) -> None:
        self.since, entry = time.monotonic(), log.entries[-1]
        print(f"entry {entry.index}: {entry.kind} {entry.body[0]}{whose}", flush=True)

    # Time

    def act(self, now: float) -> None:
        """Do what is due; call it again and again."""
        log, gathering = self.log, self.gathering
        if log is None and gathering is None:
            self._look_for_a_table()
        elif gathering is not None and now >= gathering.ends:
            self._give_up(gathering)
        elif gathering is not None:
            gathering.act(now)
        elif log is not None:
            if not log.over and log.keys[log.maze.turn] == self.key:
                self._write(log)
            if now >= self.beat:  # "Heads are told every second"
                self.beat = now + HEARTBEAT
                self.tell(self._other(log), Kind.HEAD, log.table, len(log.entries), log.head)
            if log.over:
                self.ends = self.ends or now + LAST_WORDS
                self.is_done = self.is_done or now >= self.ends

    def resign(self) -> None:
        """Resign at the end of this program in the middle of a game: opponents should not wait for ever."""
        if self.log is not None and not self.log.over:
            seat = self.log.keys.index(self.key)
            signature = sign(self.secret, resignation(self.log.table, seat))
            self.tell(self._other(self.log), Kind.RESIGN, self.log.table, seat, signature, b"")


def endpoint(text: str) -> Endpoint:
    """Read HOST:PORT of a command line."""
    host, _, port = text.rpartition(":")
    return socket.gethostbyname(host), int(port)


def main() -> int:
    """Play one game."""
    parser = argparse.ArgumentParser(description="A bot that plays one game of Maze, at any open table.")
    parser.add_argument("--name", default="wire", help="what others see")
    parser.add_argument("--port", type=int, default=5670, help="UDP port of the beacons")
    parser.add_argument(
        "--broadcast", default="127.255.255.255", help="where beacons go; within this machine if absent"
    )
    parser.add_argument("--connect", type=endpoint, action="append", default=[], metavar="HOST:PORT", help="a seed")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the log there")
    given = parser.parse_args()
    bot = Bot(given.name, port=given.port, broadcast=given.broadcast, seeds=given.connect)
    try:
        while not bot.is_done:
            for event in bot.network.turn(0.1):
                bot.hear(event)
            bot.act(time.monotonic())
    except KeyboardInterrupt:
        bot.resign()
        return 130
    finally:
        bot.network.close()
        if given.save and bot.log:
            given.save.write_text(bot.log.archive(), "ascii")
    if bot.log is None or not bot.log.over:
        return 1
    print(f"the game is over: player {bot.log.winner + 1} wins", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
