"""A player (tests/net/player.py) with a ticket: --ticket WORDS [--relay-at PLACE].

It runs the relay at that place of the ticket, counted from 0, itself.
"""

from quadrille.extras.far.table_ticket import way_of
from quadrille.extras.far.ticket import read
from quadrille.net.link.overlay import FarRoom
from tests.net.player import Player, main


class FarPlayer(Player):
    """A player in the far room of a ticket."""

    def far_room(self) -> FarRoom:
        ticket, own = read([self.given.ticket]), self.given.relay_at
        return way_of(ticket, ticket.places[int(own)] if own else None).far


if __name__ == "__main__":
    main(FarPlayer, "--ticket", "--relay-at")
