"""`quadrille join`: sit down at a table of somebody else."""

import argparse
from typing import Final

from quadrille.client.choosing import Choosing
from quadrille.client.ending import Ending
from quadrille.client.network_options import add_network, cleanly, station
from quadrille.client.sitting import parlour, sit
from quadrille.client.tables_there import at_address, is_address
from quadrille.client.waiting import Waiting
from quadrille.net.station import now
from quadrille.net.wire import Offer

DESCRIPTION: Final = """Sit down at a table on the network.

  quadrille join                     the only open table, or one of a list
  quadrille join Ann                 the table that Ann has opened
  quadrille join 3f2a                the table whose number begins so
  quadrille join 192.168.1.5:49200   the table of a program that is there"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("table", metavar="TABLE", nargs="?", default="", help="its number, its host, or HOST:PORT")
    add_network(parser)


@cleanly
def run(settings: argparse.Namespace) -> int:
    """Find the table and sit down."""
    address = settings.table if is_address(settings.table) else None
    if address:
        settings.connect = [*settings.connect, address]
    mine = station(settings)
    with Ending(mine.node.wake_up) as ending, mine:
        room = parlour(mine)

        def go(offer: Offer) -> Waiting:
            return Waiting(room, mine.lobby.join(offer, now()))

        accepts = at_address(mine, address) if address else None
        talk = Choosing(room, "" if address else settings.table, ("open",), go, accepts)
        return sit(mine, talk, ending)
