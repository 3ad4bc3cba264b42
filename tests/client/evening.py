"""Conversations of several people in a simulated network: no sockets, no processes, virtual time."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self
from unittest.mock import patch

from quadrille.client.plain.console import Console
from quadrille.client.plain.network import PlainNetworkTable, PlainStage
from quadrille.client.plain.network_evening import onward
from quadrille.client.plain.network_evening import plain_face as face_of
from quadrille.client.presence.place import KeptLogs
from quadrille.client.table.network.context import NetworkContext
from quadrille.client.table.network.stage import NetworkStage
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.seating import lobby as net
from quadrille.net.tables.table import Table
from tests.net.simulation import Peer, World


@contextmanager
def mute(silent: bytes) -> Iterator[None]:
    """The program with this key does not say that its own time is up, nor is it woken each millisecond to say so."""
    lose, deadline = Table.lose, Table.deadline.fget
    assert deadline is not None

    def loses(table: Table, how: str, now: int) -> None:
        if table.identity.key != silent:
            lose(table, how, now)

    def wanted(table: Table) -> int:
        return table._beat if table.identity.key == silent else deadline(table)

    with patch.object(Table, "lose", loses), patch.object(Table, "deadline", property(wanted)):
        yield


def plain_face(stage: NetworkStage, out: io.StringIO) -> PlainStage:
    """A place in plain lines, of which all are written down."""
    return face_of(stage, Console(None, out))


def here(face: PlainNetworkTable, event: object) -> None:
    """Something happens at the table of a face."""
    face.hear(net.At(face.table.log.table, event))


class Evening:
    """People around a table: what each types and what each is told. The first one hosts."""

    #: Whether people are asked whom they trust, as all are who do not play on the machine of another.
    asks = True

    def __init__(self, agreed: Terms, others: int = 0, *, guests: int | None = None) -> None:
        """`guests`: how many of those who could sit down do; all if absent."""
        self.world = World("evening", agreed, others=others)
        self.peers = list(self.world.peers.values())
        self.talks: dict[str, PlainStage] = {}
        self.outs: dict[str, io.StringIO] = {}
        self.world.act = self._act
        self.world.notice = self._notice
        for peer in self.peers:
            self.world.start(peer)
        host, *invited = self.peers[: agreed.seats]
        gathering = host.lobby.host(agreed, b"nonce", self.world.now)
        self.sit(host, WaitingRoom(self.context(host), gathering))
        self.settle(500)
        for guest in invited[:guests]:
            self.sit(guest, WaitingRoom(self.context(guest), guest.lobby.join(gathering.offer(), self.world.now)))
            self.settle(300)

    def peer(self, name: str) -> Peer:
        """Somebody by name."""
        return next(peer for peer in self.peers if peer.name == name)

    def context(self, peer: Peer) -> NetworkContext:
        """What a peer's places share."""
        nonce = peer.name.encode()
        return NetworkContext(
            peer.lobby, lambda: self.world.now, lambda _: None, self.bring, lambda: nonce, keep=KeptLogs().keep,
            come_along=self.bring, asks=self.asks,
        )  # fmt: skip

    def bring(self, kind: str, table: Table | bytes) -> Chair:
        """A bot of that kind is on its way: the last of the peers."""
        return Chair(self.peers[-1].identity.key, f"{kind}-1", "bot")

    def sit(self, peer: Peer, stage: NetworkStage) -> PlainStage:
        """A peer's first place."""
        face = self.talks[peer.name] = plain_face(stage, self.outs.setdefault(peer.name, io.StringIO()))
        face.begin()
        self.world.after(peer)
        return face

    def begin(self) -> Self:
        """Until all who sit are at the table."""
        self.world.run(lambda: all(isinstance(talk, PlainNetworkTable) for talk in self.talks.values()))
        self.settle()
        return self

    def _notice(self, peer: Peer, event: net.Event) -> None:
        if peer.name in self.talks:
            self.talks[peer.name].hear(event)
            self._onward(peer)

    def _act(self, peer: Peer) -> None:
        if peer.name in self.talks and peer.lobby:
            self.talks[peer.name].tick()
            self._onward(peer)

    def _onward(self, peer: Peer) -> None:
        self.talks[peer.name] = onward(self.talks[peer.name])

    def settle(self, time: int = 1500) -> None:
        """Let some time pass."""
        self.world.pass_time(time)

    def type(self, name: str, *lines: str) -> str:
        """What a person is told after typing these lines."""
        peer = self.peer(name)
        self.told(name)
        for line in lines:
            self.talks[name].typed(line)
            self._onward(peer)
            self.world.after(peer)
            self.settle()
        return self.told(name)

    def told(self, name: str) -> str:
        """What a person has been told since this was asked last."""
        text = self.outs[name].getvalue()
        self.outs[name].seek(0)
        self.outs[name].truncate()
        return text

    def crash(self, name: str, back: int | None = None) -> None:
        """Let somebody's program die, with nobody before it, and start again after so many milliseconds, if at all."""
        self.world.check_step = lambda: None
        self.talks.pop(name, None)
        self.world.crash(self.peer(name), back)

    def table(self, name: str) -> PlainNetworkTable:
        """A person's place at the table."""
        return self.talks[name]

    @property
    def mover(self) -> str:
        """Whose turn it is."""
        return next(
            name for name, talk in self.talks.items() if isinstance(talk, PlainNetworkTable) and talk.table.is_my_turn
        )
