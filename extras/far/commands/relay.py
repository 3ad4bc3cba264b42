"""`quadrille relay`: pass sealed frames between people who hold a ticket."""

import argparse
from typing import TYPE_CHECKING, Final

from quadrille.client.network.options import port
from quadrille.client.table_setup import whole

if TYPE_CHECKING:
    from quadrille.extras.far.link.relay_server import RelayServer

DESCRIPTION: Final = """Run a relay, by which people in different networks meet with a ticket. It is for a
machine that both can reach: a rented one, or one at home with an open port.

  quadrille relay                              on that machine, until Ctrl-C
  quadrille host maze --ticket --relay HOST    a player's ticket then leads there

A relay sees how much passes between addresses, and when. All else is sealed. It
keeps no accounts, writes nothing to disk, and refuses more than its limits."""

#: Defaults of the limits that a person may change.
_CONNECTIONS: Final = 4096
_OF_AN_ADDRESS: Final = 64
#: Milliseconds between two looks at a signal.
_TURN: Final = 1000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=port, metavar="TCP", help="TCP port to listen at (default 4696)")
    parser.add_argument(
        "--connections", type=whole, default=_CONNECTIONS, metavar="N",
        help=f"most connections at once; a table of two takes two (default {_CONNECTIONS})",
    )  # fmt: skip
    parser.add_argument(
        "--per-address", type=whole, default=_OF_AN_ADDRESS, metavar="N",
        help=f"most connections from one address (default {_OF_AN_ADDRESS})",
    )  # fmt: skip


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.network.shutdown import Ending
    from quadrille.extras.far.link.relay_server import RelayServer
    from quadrille.extras.far.relay.exchange import RelayLimits
    from quadrille.extras.far.relay.ticket import RELAY_PORT
    from quadrille.rules.errors import RulesError

    if settings.connections < 2 or settings.per_address < 1:
        raise RulesError("a relay passes on between two: allow 2 connections or more, and 1 or more from an address")
    limits = RelayLimits(connections=settings.connections, of_an_address=settings.per_address)
    with RelayServer(settings.port or RELAY_PORT, limits=limits) as server, Ending(server.wake_up) as ending:
        print(_begun(server.port), flush=True)
        while ending.code is None:
            server.turn(_TURN)
        _tell(server)
    return 0


def _begun(port: int) -> str:
    from quadrille.extras.far.sentences import begun

    return begun(port)


def _tell(server: "RelayServer") -> None:
    from quadrille.extras.far.sentences import ended

    print(ended(server.exchange.served, server.exchange.counts))
