"""A bot as a guest at tables, in a simulated network: it sits down, plays, answers, goes."""

from typing import Any

import pytest

from quadrille.ai.guest import Guest
from quadrille.ai.players import RandomPlayer
from quadrille.net import lobby as net
from quadrille.net.motions import all_of
from quadrille.rules.chance import Stream
from tests.net.simulation import Peer, World
from tests.net.tables import terms

SMALL = {"width": 3, "height": 3}


class Party:
    """A person, who hosts and does only what a test says, and bots."""

    def __init__(self, seats: int, *, stays: bool = False, **more: Any) -> None:
        self.world = World("party", terms("barons", seats, SMALL, lot=False, **more))
        self.world.act = self._act  # type: ignore[method-assign]
        self.world.notice = self._notice  # type: ignore[method-assign]
        self.host, *others = self.world.peers.values()
        for peer in self.world.peers.values():
            self.world.start(peer)
        self.guests: dict[str, Guest] = {}
        for peer in others:
            assert peer.lobby
            player = RandomPlayer(Stream("moves", peer.name))
            self.guests[peer.name] = Guest(peer.lobby, player, lambda offer: offer.terms.game == "barons", stays=stays)
        assert self.host.lobby
        self.lobby = self.host.lobby
        self.gathering = self.lobby.host(self.world.terms, b"nonce", self.world.now)
        self.world.after(self.host)
        self.begin()

    def begin(self) -> None:
        self.world.run(lambda: len(self.gathering.chairs) == self.world.terms.seats)
        self.gathering.start(self.world.now)
        self.world.after(self.host)
        self.world.run(lambda: self.gathering.table in self.lobby.tables)
        self.settle()

    def _act(self, peer: Peer) -> None:
        if peer.name in getattr(self, "guests", {}):
            self.guests[peer.name].act(self.world.now)

    def _notice(self, peer: Peer, event: net.Event) -> None:
        if peer.name in getattr(self, "guests", {}):
            self.guests[peer.name].hear(event, self.world.now)

    def settle(self, time: int = 2000) -> None:
        end = self.world.now + time
        self.world.run(lambda: self.world.now > end)

    @property
    def table(self) -> Any:
        return self.lobby.tables[self.gathering.table]

    def propose(self, kind: str, number: int = 0) -> None:
        self.table.agree(all_of(kind, number), self.world.now)
        self.world.after(self.host)
        self.settle()

    def play_out(self) -> None:
        while not self.table.over:
            if self.table.is_my_turn:
                self.table.play(str(next(iter(self.table.log.now.match.state.moves))), self.world.now)
                self.world.after(self.host)
            self.settle(500)


def test_a_bot_plays_to_the_end_and_goes() -> None:
    party = Party(3)
    party.play_out()
    party.settle(3000)
    for guest in party.guests.values():
        assert guest.done
        assert any("the game is over" in news for news in guest.news)


def test_a_bot_that_stays_comes_to_the_rematch() -> None:
    party = Party(2, stays=True)
    party.play_out()
    party.settle(3000)
    party.gathering = party.lobby.rematch(party.gathering.table, b"again", party.world.now)
    party.world.after(party.host)
    party.begin()
    party.play_out()
    assert not party.guests["p1"].done


@pytest.mark.parametrize(("kind", "agrees"), [("draw", False), ("takeback", True), ("abort", True), ("pause", True)])
def test_what_a_bot_agrees_to(kind: str, agrees: bool) -> None:
    party = Party(2)
    party.table.play("a1", party.world.now)
    party.world.after(party.host)
    party.settle()
    entries = len(party.table.log.entries)
    party.propose(kind, 2 if kind == "takeback" else 0)
    assert (len(party.table.log.entries) > entries) is agrees


def test_a_bot_that_is_refused_goes_or_stays() -> None:
    party = Party(2)
    world = World("full", terms("barons", 2, SMALL))
    assert party.guests["p1"].news[0].startswith("asking for a seat")
    host, other = world.peers.values()
    for peer in world.peers.values():
        world.start(peer)
    assert host.lobby and other.lobby
    gathering = host.lobby.host(world.terms, b"nonce", world.now)
    gathering.kicked.add(other.identity.key)
    guest = Guest(other.lobby, RandomPlayer(Stream("x")), lambda offer: True)
    world.act = lambda peer: guest.act(world.now) if peer is other else None  # type: ignore[method-assign]
    world.notice = lambda peer, event: guest.hear(event, world.now) if peer is other else None  # type: ignore[method-assign]
    world.after(host)
    world.run(lambda: guest.done)
    assert "the host does not want you at this table" in guest.news[-1]
