"""Games of Dotter in the simulated network, with what only a test may know: every card of every deck."""

from collections.abc import Sequence
from typing import Any

from quadrille.net.cards.deck import Deck
from quadrille.net.entries.terms import Terms
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.own_cards import seat_secrets
from quadrille.net.tables.table import Table
from quadrille.rules.board import UNKNOWN
from tests.net.cards.by_hand import faces_by
from tests.net.network import CALM, Weather
from tests.net.simulation import World, gather
from tests.net.tables import terms

GRACE = 5000


def small(seats: int, **options: Any) -> Terms:
    """A short game: the first lap of 21 points wins."""
    return terms("dotter", seats, {"laps": 1, "lap_points": 21, **options}, takebacks=False, grace=GRACE)


class DotterWorld(World):
    """A world that looks into every seat's view whenever a log has grown."""

    def __init__(
        self,
        seed: str,
        terms: Terms,
        weather: Weather = CALM,
        others: int = 0,
        held: Sequence[int] = (),
    ) -> None:
        super().__init__(seed, terms, weather, others, held=held)
        self.truths: dict[tuple[bytes, int, int], dict[int, int]] = {}
        self.looked: dict[bytes, bytes] = {}
        gather(self)

    def truth(self, log: Log, deck: Deck) -> dict[int, int]:
        """The card in every slot: what all live seats together could tell."""
        name = (deck.gid, deck.epoch, deck.shuffles)
        if name not in self.truths and deck.cards:
            there = [(seat, self.peers[log.now.keys[seat]]) for seat in deck.live]
            own = [seat_secrets(log, seat, peer.identity, peer.shelf) for seat, peer in there]
            self.truths[name] = faces_by(deck, [one.secret(deck.epoch) for one in own])
        return self.truths.get(name, {})

    def check_step(self) -> None:
        super().check_step()
        for peer in self.honest():
            for table in peer.lobby.tables.values():
                if self.looked.get(peer.key) != table.log.head:
                    self.looked[peer.key] = table.log.head
                    for seat in table.seats or (None,):
                        self.check_view(table, seat)

    def check_view(self, table: Table, seat: int | None) -> None:
        """A seat knows what it has looked at and what lies face up, and nothing else."""
        state, deck = table.log.now.match.state, table.log.now.deck
        sealed = state.sealed()
        if table.over or deck is None or deck.pile != sealed.pile.name or deck.due is not None:
            return
        truth = self.truth(table.log, deck)
        mine = set(sealed.looks[seat]) if seat is not None else set()
        if seat is not None and seat not in table.log.now.seats_in():
            return  # who left still knows what it saw, while its cards are those
        for at, face in enumerate(table.hand.view(seat).board.faces):
            if at in sealed.up:
                assert face == sealed.up[at]
            else:
                assert face == (truth[at] if at in mine else UNKNOWN)
