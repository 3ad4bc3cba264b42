"""The transcripts in the chapters about peers: real runs, the same every time, a line for each thing that was said.

`python -m tests.net.transcripts` prints them. In a chapter, lines that begin with `#` explain those below them.
"""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from quadrille.net.core.machine import drain
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.wire import Advert, Entries, Message
from quadrille.net.game_log import archive
from quadrille.net.game_log.log import Log
from quadrille.net.private_room.door import CONFIRM, SHARE
from quadrille.net.trust.proof import NONCE_HEADER, is_proof
from quadrille.net.zeromq import zre
from quadrille.net.zeromq.libzmq import Libzmq, WireEnd
from tests.net import street
from tests.net.cards.by_hand import dotter, play, serve
from tests.net.doors import HIGH, KEY, LOW, NOW, curve, door, headers
from tests.net.simulation import Peer, Weather, World, gather
from tests.net.street import House, Street
from tests.net.tables import begun, identity, terms

ANN, BOB = "Ann", "Bob"


def short(value: Any) -> str:
    """A value in a line: bytes by their first four hexadecimal digits."""
    match value:
        case bytes():
            return f"{value[:2].hex()}…" if len(value) > 2 else value.hex() or "-"
        case tuple() | list():
            return f"[{' '.join(map(short, value))}]"
        case str():
            return f'"{value}"'
        case bool() | None:
            return {True: "true", False: "false", None: "nil"}[value]
        case Entry():
            return f"entry {value.index}"
        case _ if is_dataclass(value):
            return short([getattr(value, field.name) for field in fields(value)])
    return str(value)


def said(message: Message | Advert) -> str:
    """A message by its fields: of terms the game, of chairs their number, of the table nothing, as there is one."""
    words = [type(message).__name__]
    for field in fields(message):
        value = getattr(message, field.name)
        match field.name:
            case "table":
                continue
            case "terms":
                words.append(f"terms of {value.game}")
            case "chairs":
                words.append(f"{len(value)} chairs")
            case "tables":
                words += [f"{one.terms.game} {len(one.chairs)}/{one.terms.seats} {one.state}" for one in value]
            case "accepted":
                words.append(f"{len(value)} commitments")
            case _:
                words.append(short(value))
    return " ".join(words)


def told(entry: Entry) -> str:
    """An entry in a line."""
    body = " ".join(map(short, entry.body.plain())) if entry.kind in ("move", "left") else ""
    return " ".join(
        filter(None, (f"{entry.index} {entry.kind}", body, f"{entry.used} ms -> {entry.digest[:2].hex()}…"))
    )


class Recorded(World):
    """A calm network of two, and what they say to each other."""

    def __init__(self) -> None:
        super().__init__("documents", terms("maze", 2, {"size": 2}, lot=False), Weather(delay=5))
        self.lines: list[str] = []
        for peer, name in zip(self.peers.values(), (ANN, BOB), strict=True):
            peer.name = name

    def send(self, peer: Peer, key: bytes, message: Message) -> None:
        what = said(message)
        if isinstance(message, Entries):
            what = f"Entries: {', '.join(map(told, message.entries))}"
        self.write(peer, self.peers[key], what)
        super().send(peer, key, message)

    def post(self, peer: Peer, other: Peer) -> None:
        self.write(peer, other, said(peer.lobby.advert).replace("Advert", "posting"))
        super().post(peer, other)

    def write(self, peer: Peer, other: Peer, what: str) -> None:
        """Write what a peer says for the first time."""
        if (line := f"{peer.name} -> {other.name}  {what}") not in (told[7:] for told in self.lines):
            self.lines.append(f"{self.now:2} ms  {line}")


@cache
def session() -> tuple[str, str]:
    """A whole game: gathered, until it begins; and played, until it is over."""
    world = Recorded()
    gather(world)
    world.run(world.settled)
    begun = next(number for number, line in enumerate(world.lines) if "Entries: 0" in line)
    return "\n".join(world.lines[: begun + 1]), "\n".join(world.lines[begun:])


class Watched(Street):
    """A street on which every datagram and message is written down as it arrives."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def write(self, sender: House, receiver: House, what: str) -> None:
        self.lines.append(f"{self.now - 1000:5} ms  {sender.name} -> {receiver.name}  {what}")

    def _hear(self, house: House, other: House, address: str, datagram: bytes) -> None:
        if house is not other:
            self.write(house, other, f"beacon: port {zre.decode_beacon(datagram).port}")
        super()._hear(house, other, address, datagram)

    def _connect(self, wire: street.Wire, key: bytes | None) -> None:
        super()._connect(wire, key)
        if wire.callee is not None:
            self.write(wire.caller, wire.callee, f"connection to {wire.endpoint.host}:{wire.endpoint.port}")

    def _arrive(self, wire: street.Wire, frames: list[bytes]) -> None:
        if wire.callee is not None:
            self.write(wire.caller, wire.callee, frame(frames))
        super()._arrive(wire, frames)


def frame(frames: Sequence[bytes]) -> str:
    """A message of a link in a line."""
    match zre.decode(frames):
        case zre.Hello() as hello:
            headers = [f"{name} {value if len(value) < 20 else value[:4] + '…'}" for name, value in hello.headers]
            return f'{hello.sequence} HELLO "{hello.name}" at {hello.endpoint}; {", ".join(headers[1:])}'
        case zre.Whisper(sequence, content):
            return f"{sequence} WHISPER {'proof' if is_proof(content[0]) else 'content'} {short(content[0])}"
        case other:
            return f"{other.sequence} {type(other).__name__.upper().replace('PINGOK', 'PING-OK')}"


def meeting() -> str:
    """Two programs of one family on one network, until they have met; then one of them leaves."""
    watched = Watched()
    ann = watched.build(ANN, "10.0.0.1", port=49152, identity=identity(1))
    bob = watched.build(BOB, "10.0.0.2", port=49153, identity=identity(2))
    watched.run_until(lambda: bool(ann.met and bob.met), 5000)
    watched.run(100)
    watched.leave(bob)
    watched.run(500)
    return "\n".join(watched.lines)


def doors() -> list[str]:
    """Ann and Bob prove their passphrases to each other; how the hearer's door holds the other after each message."""
    people = {ANN: LOW, BOB: HIGH}
    at = {ANN: door(LOW), BOB: door(HIGH, KEY, 2)}
    greetings = {ANN: headers(LOW), BOB: headers(HIGH, 2)}
    names = {SHARE: "SHARE", CONFIRM: "CONFIRM"}
    lines = []

    def write(sender: str, receiver: str, what: str) -> None:
        state = at[receiver].state(curve(people[sender]), NOW)
        lines.append(f"{sender} -> {receiver}  {what:14}  {sender} is {state.name.lower()}")

    for sender, receiver in ((ANN, BOB), (BOB, ANN)):
        at[receiver].hello(curve(people[sender]), people[sender].peer, greetings[sender], NOW)
        write(sender, receiver, "HELLO")
    while any(one.outgoing for one in at.values()):
        for sender, receiver in ((ANN, BOB), (BOB, ANN)):
            for _, words in drain(at[sender].outgoing):
                at[receiver].receive(curve(people[sender]), words, NOW)
                write(sender, receiver, f"{names[words[0]]} {short(words[1:])}")
    return lines


def connection() -> tuple[bytes, bytes]:
    """What the calling and the accepting end of a connection send, until the first two messages are through."""
    caller, callee = (Libzmq(b"\x01" + identity(1).peer, None, lambda _: False) for _ in range(2))
    calls, accepts = caller.end(None, calls=True), callee.end(None, calls=False)
    headers = street.ours(identity(1)) | {NONCE_HEADER: "03" * 16}
    hello = zre.Hello(1, "tcp://10.0.0.1:49152", (), 1, ANN, tuple(headers.items()))
    messages = [zre.encode(message) for message in (hello, zre.Ping(2))]
    for message in messages:
        assert calls.send(message)
    for end in (calls, accepts):
        while not end.join():
            pass
    said: dict[WireEnd, bytes] = {calls: b"", accepts: b""}
    heard: list[list[bytes]] = []
    while len(heard) < len(messages):
        for end, other in ((calls, accepts), (accepts, calls)):
            with contextlib.suppress(BlockingIOError):
                data = end.pipe.recv(4096)
                said[end] += data
                other.pipe.sendall(data)
        heard += [frames for _, frames in accepts.messenger.messages()]
    assert heard == messages
    for end, libzmq in ((calls, caller), (accepts, callee)):
        end.close()
        libzmq.close()
    return said[calls], said[accepts]


def small_game() -> Log:
    """A whole game of Maze by the identities 1 and 2, its times written by hand."""
    log = begun(terms("maze", 2, {"size": 2}, lot=False), bytes(range(16)))
    for number, move in enumerate(("a2-a1", "a1-b1", "b1-b2")):
        log.take(log.write(MoveBody(move), identity(1 + number % 2), 1000 + number))
    return log


def entries(log: Log) -> str:
    """The entries of a log, one to a line, with the names of those who signed them."""
    names = {identity(1).key: ANN, identity(2).key: BOB, NOBODY: "all"}
    return "\n".join(f"{names[entry.author]:3}  {told(entry)}" for entry in log.entries)


def looking() -> str:
    """Dotter for two: the deck is shuffled, a seat looks at two cards, the other scores three."""
    return entries(serve(play(dotter(2), "draw", "draw", "peek p2 1a 1b", "score p1 1a 1b 1c")))


BLOCKS: dict[str, Callable[[], str]] = {
    "meeting": meeting,
    "doors": lambda: "\n".join(doors()),
    "seating": lambda: session()[0],
    "playing": lambda: session()[1],
    "archive": lambda: archive.write(small_game()).rstrip("\n"),
    "looking": looking,
}

if __name__ == "__main__":
    for name, made in BLOCKS.items():
        print(f"```{name}\n{made()}\n```\n")
    for data in connection():
        print(data.hex())
