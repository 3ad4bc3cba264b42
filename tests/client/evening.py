"""Conversations of several people in a simulated network: no sockets, no processes, virtual time."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Self
from unittest.mock import patch

from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.plain.network import onward
from quadrille.client.plain.network import plain_face as face_of
from quadrille.client.plain.table import PlainTable
from quadrille.client.presence.place import KeptLogs
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import Refused, Why
from quadrille.client.table.stage import NetworkContext, NetworkStage
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import Wish
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.seating import lobby as net
from quadrille.net.seating.gathering import Gathering
from quadrille.net.tables.table import Table
from tests.net.simulation import Peer, World
from tests.net.tables import terms

SMALL: Final = {"width": 3, "height": 3}


def barons(seats: int = 2, **more: object) -> Terms:
    """A small game, in which the host has the first seat."""
    return terms("barons", seats, SMALL, lot=False, **more)


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


def plain_face(stage: NetworkStage, out: io.StringIO) -> PlainFace:
    return face_of(stage, Console(None, out))


def here(face: PlainTable, event: object) -> None:
    face.hear(net.At(face.table.log.table, event))


class Evening:
    """People around a table: what each types and what each is told. The first one hosts."""

    #: Whether people are asked whom they trust, as all are who do not play on the machine of another.
    by_touch = False

    def __init__(
        self, agreed: Terms, others: int = 0, *, guests: int | None = None, beside: tuple[tuple[str, str], ...] = (),
        kind: str = "bot",
    ) -> None:  # fmt: skip
        """`guests`: how many of those who could sit down do; all if absent. `beside` play at the host's program. All
        are of that `kind`.
        """
        self.world = World("evening", agreed, others=others)
        self.world.kind = kind
        self.peers = list(self.world.peers.values())
        self.talks: dict[str, PlainFace] = {}
        self.deputies: dict[str, dict[tuple[bytes, int], str]] = {}  # those of each program
        self.outs: dict[str, io.StringIO] = {}
        self.world.act = self._act
        self.world.notice = self._notice
        for peer in self.peers:
            self.world.start(peer)
        host, *invited = self.peers[: agreed.seats]
        gathering = self.opens(host.name, agreed, b"nonce", beside)
        self.settle(500)
        for guest in invited[:guests]:
            self.joins(guest.name, gathering)
            self.settle(300)

    def peer(self, name: str) -> Peer:
        return next(peer for peer in self.peers if peer.name == name)

    def context(self, peer: Peer) -> NetworkContext:
        nonce, deputies = peer.name.encode(), self.deputies.setdefault(peer.name, {})
        return NetworkContext(
            peer.lobby, lambda: self.world.now, lambda _: None, lambda: nonce, keep=KeptLogs().keep,
            come_along=self.bring, by_touch=self.by_touch, deputies=deputies,
        )  # fmt: skip

    def bring(self, kind: str, _: bytes) -> Chair:
        """Let a bot of that kind come: the last of the peers."""
        return Chair(self.peers[-1].identity.key, f"{kind}-1", "bot")

    def _play_lent(self, peer: Peer) -> None:
        """Let the stand-ins of a program make the first move of their list."""
        for name, table in peer.lobby.tables.items():
            turn = table.log.now.turn
            if table.is_my_turn and turn in table.log.now.lent and self.deputies.get(peer.name, {}).get((name, turn)):
                table.play(str(next(iter(table.view.moves))), self.world.now)

    def sit(self, peer: Peer, stage: NetworkStage) -> PlainFace:
        face = self.talks[peer.name] = plain_face(stage, self.outs.setdefault(peer.name, io.StringIO()))
        face.begin()
        self.world.after(peer)
        return face

    def opens(
        self, name: str, agreed: Terms, nonce: bytes = b"", beside: tuple[tuple[str, str], ...] = ()
    ) -> Gathering:
        peer = self.peer(name)
        gathering = peer.lobby.host(agreed, nonce or name.encode(), self.world.now, others=beside)
        self.sit(peer, WaitingRoom(self.context(peer), gathering))
        return gathering

    def joins(self, name: str, gathering: Gathering) -> None:
        """Give somebody a chair in a waiting room."""
        peer = self.peer(name)
        self.sit(peer, WaitingRoom(self.context(peer), peer.lobby.join(gathering.offer(), self.world.now)))

    def watches(self, name: str) -> None:
        """Let somebody look on at the table of the first."""
        peer, first = self.peer(name), self.peers[0]
        peer.lobby.watch(next(iter(first.lobby.tables)), first.identity.key)
        self.world.after(peer)
        self.settle(2000)
        self.returns(name)

    def start(self, name: str) -> None:
        self.world.start(self.peer(name))
        self.settle()

    def returns(self, name: str) -> None:
        """Seat a person at the table that the own program has come to."""
        peer = self.peer(name)
        self.sit(peer, TableSeat(self.context(peer), next(iter(peer.lobby.tables.values()))))

    def begin(self) -> Self:
        self.world.run(lambda: all(isinstance(talk, PlainTable) for talk in self.talks.values()))
        self.settle()
        return self

    def _notice(self, peer: Peer, event: net.Event) -> None:
        if peer.name in self.talks:
            self.talks[peer.name].hear(event)
            self._onward(peer)

    def _act(self, peer: Peer) -> None:
        if peer.name in self.talks and peer.lobby:
            self._play_lent(peer)
            self.talks[peer.name].tick()
            self._onward(peer)

    def _onward(self, peer: Peer) -> None:
        self.talks[peer.name] = onward(self.talks[peer.name])

    def settle(self, time: int = 1500) -> None:
        self.world.pass_time(time)

    def type(self, name: str, *lines: str) -> str:
        peer = self.peer(name)
        self.told(name)
        for line in lines:
            self.talks[name].typed(line)
            self._onward(peer)
            self.world.after(peer)
            self.settle()
        return self.told(name)

    def wish(self, name: str, wish: Wish, seat: TableSeat | None = None) -> list[Why | Exception]:
        """Wish something at the program of that name, at its own seat or at another one there; return the refusals."""
        peer, seat = self.peer(name), seat or self.table(name).stage
        seat.drain()
        seat.wish(wish)
        said = [notice.why for notice in seat.drain() if isinstance(notice, Refused)]
        self._onward(peer)
        self.world.after(peer)
        self.settle(300)
        return said

    def told(self, name: str) -> str:
        """Return what a person has been told since this was asked last."""
        text = self.outs[name].getvalue()
        self.outs[name].seek(0)
        self.outs[name].truncate()
        return text

    def crash(self, name: str) -> None:
        """Let somebody's program die, with nobody before it."""
        self.world.check_step = lambda: None
        self.talks.pop(name, None)
        self.world.crash(self.peer(name), None)

    def table(self, name: str) -> PlainTable:
        return self.talks[name]
