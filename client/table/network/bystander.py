"""A person on the network without a table; events go to the lobby."""

from quadrille.client.table.network.floods import Kind
from quadrille.client.table.network.notices import Invitation, Whereabouts
from quadrille.client.table.network.stage import AtTable, NetworkStage
from quadrille.net.program.station import Remark
from quadrille.net.seating.lobby import Began, Called, Event, Invited, SeatAwaited


class Bystander(NetworkStage):
    """A place without a table; a table where this person agreed to stand in leads away from here."""

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
