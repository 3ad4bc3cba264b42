"""`quadrille watch`: look on at a game."""

import argparse
from typing import Final

from quadrille.client.choosing import Choosing
from quadrille.client.ending import Ending
from quadrille.client.network_options import add_network, cleanly, station
from quadrille.client.sitting import parlour, sit
from quadrille.client.tables_there import at_address, is_address
from quadrille.net.wire import Offer

DESCRIPTION: Final = "Look on at a game on the network: the only one, or one of a list. Its whole log is checked."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("table", metavar="TABLE", nargs="?", default="", help="its number, its host, or HOST:PORT")
    add_network(parser)


@cleanly
def run(settings: argparse.Namespace) -> int:
    """Find the game and look on."""
    address = settings.table if is_address(settings.table) else None
    if address:
        settings.connect = [*settings.connect, address]
    mine = station(settings)
    with Ending(mine.node.wake_up) as ending, mine:

        def go(offer: Offer) -> None:
            mine.lobby.watch(offer.table, offer.host)

        accepts = at_address(mine, address) if address else None
        talk = Choosing(parlour(mine), "" if address else settings.table, ("playing",), go, accepts)
        return sit(mine, talk, ending)
