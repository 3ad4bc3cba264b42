"""A person who is on the network and at no table: what is told there is for its lobby."""

from quadrille.client.table.network.floods import Kind
from quadrille.client.table.network.notices import Invitation, Whereabouts
from quadrille.client.table.network.stage import AtTable, NetworkStage
from quadrille.net.program.station import Remark
from quadrille.net.seating.lobby import Began, Called, Event, Invited, SeatAwaited


class Bystander(NetworkStage):
    """At no table; one that this person has agreed to play on at leads away from here."""

    place = Whereabouts.LOBBY

    def hear(self, event: Event | Remark) -> None:
        match event:
            case Invited(key, table, terms):
                invitation = Invitation(self.context.somebody(key), table, terms, Whereabouts.LOBBY)
                self.tell(Kind.INVITATION, key, invitation)
            case Began(name) if self.context.calls.awaits(name):
                self.onward = AtTable(name)
            case Remark() | Called() | SeatAwaited():
                self.overhear(event)
