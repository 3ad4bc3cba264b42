"""What a peer that lies at its own table says instead of a message, or besides it."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from quadrille.net.entries.motions import DrawMotion
from quadrille.net.entries.wire import Entries, Message, Motion, Resign
from tests.net.simulation import Peer, World

TableLie: TypeAlias = Callable[[World, Peer, bytes, Message], list[Message]]


def says_it_again() -> TableLie:
    """Its last messages follow each message."""
    old: list[Message] = []

    def lie(world: World, peer: Peer, key: bytes, message: Message) -> list[Message]:
        old.append(message)
        return [message, *old[-5:]]

    return lie


def resigns_for_others(world: World, peer: Peer, key: bytes, message: Message) -> list[Message]:
    return [message, *(Resign(table, seat, bytes(64), b"") for table in own_tables(peer) for seat in range(4))]


def moves_for_others(world: World, peer: Peer, key: bytes, message: Message) -> list[Message]:
    """Motions that others never signed."""
    logs = [peer.lobby.tables[table].log for table in own_tables(peer) if peer.lobby]
    return [message, *(Motion(log.table, log.head, DrawMotion(), 0, bytes(64)) for log in logs)]


def writes_for_others(world: World, peer: Peer, key: bytes, message: Message) -> list[Message]:
    """Its own entry by the first peer of the world, to others than that."""
    match message:
        case Entries(table, (entry,)) if key != (other := next(iter(world.peers))) != peer.identity.key:
            return [Entries(table, (replace(entry, author=other),)), message]
    return [message]


def own_tables(peer: Peer) -> list[bytes]:
    return list(peer.lobby.tables) if peer.lobby else []


#: Each with whether it is found out: a repetition may be the network's.
TABLE_LIES: dict[str, tuple[Callable[[], TableLie], bool]] = {
    "again": (says_it_again, False),
    "resigns": (lambda: resigns_for_others, True),
    "motions": (lambda: moves_for_others, True),
    "entries": (lambda: writes_for_others, True),
}
