"""Conversations of several people in a simulated network: no sockets, no processes, virtual time."""

import io

from quadrille.client.conversation import Conversation, Parlour
from quadrille.client.live_console import LiveConsole
from quadrille.client.network_table import NetworkTable
from quadrille.client.waiting import Waiting
from quadrille.net import lobby as net
from quadrille.net.table import Table
from quadrille.net.terms import Chair, Terms
from tests.net.simulation import Peer, World


class Evening:
    """People around a table: what each types and what each is told. The first one hosts."""

    def __init__(self, agreed: Terms, others: int = 0, *, guests: int | None = None) -> None:
        """`guests`: how many of those who could sit down do; all if absent."""
        self.world = World("evening", agreed, others=others)
        self.peers = list(self.world.peers.values())
        self.talks: dict[str, Conversation] = {}
        self.outs: dict[str, io.StringIO] = {}
        self.world.act = self._act  # type: ignore[method-assign]
        self.world.notice = self._notice  # type: ignore[method-assign]
        for peer in self.peers:
            self.world.start(peer)
        host, *invited = self.peers[: agreed.seats]
        assert host.lobby
        gathering = host.lobby.host(agreed, b"nonce", self.world.now)
        self.sit(host, Waiting(self.parlour(host), gathering))
        self.settle(500)
        for guest in invited[:guests]:
            assert guest.lobby
            self.sit(guest, Waiting(self.parlour(guest), guest.lobby.join(gathering.offer(), self.world.now)))
            self.settle(300)

    def parlour(self, peer: Peer) -> Parlour:
        """What a peer's conversations share."""
        out = self.outs.setdefault(peer.name, io.StringIO())
        assert peer.lobby
        nonce = peer.name.encode()
        return Parlour(
            peer.lobby, LiveConsole(None, out), lambda: self.world.now, lambda _: None, self.bring, lambda: nonce
        )

    def bring(self, kind: str, table: Table) -> Chair:
        """A bot of that kind is on its way: the last of the peers."""
        return Chair(self.peers[-1].identity.key, f"{kind}-1", "bot")

    def sit(self, peer: Peer, talk: Conversation) -> None:
        """A peer's first conversation."""
        self.talks[peer.name] = talk
        talk.begin()
        self.world.after(peer)

    def begin(self) -> None:
        """Until all who sit are at the table."""
        self.world.run(lambda: all(isinstance(talk, NetworkTable) for talk in self.talks.values()))
        self.settle()

    def _notice(self, peer: Peer, event: net.Event) -> None:
        if peer.name in self.talks:
            self.talks[peer.name].hear(event)
            self._onward(peer)

    def _act(self, peer: Peer) -> None:
        if peer.name in self.talks and peer.lobby:
            self.talks[peer.name].tick()
            self._onward(peer)

    def _onward(self, peer: Peer) -> None:
        talk = self.talks[peer.name]
        if talk.successor is not None:
            self.talks[peer.name] = talk.successor
            talk.successor.begin()

    def settle(self, time: int = 1500) -> None:
        """Let some time pass."""
        end = self.world.now + time
        self.world.run(lambda: self.world.now > end)

    def type(self, name: str, *lines: str) -> str:
        """What a person is told after typing these lines."""
        peer = next(peer for peer in self.peers if peer.name == name)
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

    def table(self, name: str) -> NetworkTable:
        """A person's conversation at the table."""
        talk = self.talks[name]
        assert isinstance(talk, NetworkTable)
        return talk

    @property
    def mover(self) -> str:
        """Whose turn it is."""
        return next(
            name for name, talk in self.talks.items() if isinstance(talk, NetworkTable) and talk.table.is_my_turn
        )
