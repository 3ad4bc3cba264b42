"""`quadrille peers`: the peers on the network, and the known peers."""

import argparse
from typing import Final

from quadrille.client.network.options import add_network, seconds

DESCRIPTION: Final = """Who is on the network now; with --known, everybody who was ever met there.

KEY is a nickname, a name, or the first digits of a key."""


def arguments(parser: argparse.ArgumentParser) -> None:
    deeds = parser.add_mutually_exclusive_group()
    deeds.add_argument("--known", action="store_true", help="everybody you know, without asking the network")
    deeds.add_argument(
        "--rename", nargs=2, metavar=("KEY", "NAME"), help='call somebody by a nickname; "" takes it away'
    )
    deeds.add_argument("--block", metavar="KEY", help="hear nothing more of somebody")
    deeds.add_argument("--unblock", metavar="KEY", help="hear of somebody again")
    parser.add_argument("--json", action="store_true", help="as data")
    parser.add_argument(
        "--for", type=seconds, default=2000, dest="time", metavar="SECONDS", help="look so long; 2 if absent"
    )
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.plain.peers_list import peers

    return peers(settings)
