"""`quadrille who`: the people, programs and tables on the network, and the known peers."""

import argparse
from typing import Final

from quadrille.client.network.options import add_network, seconds

DESCRIPTION: Final = """List who is on the network, which tables wait for players, and which are playing.
With --known, list everyone you have ever met there.

KEY is a nickname, a name, or the first digits of a key."""


def arguments(parser: argparse.ArgumentParser) -> None:
    deeds = parser.add_mutually_exclusive_group()
    deeds.add_argument("--known", action="store_true", help="list all known peers, without asking the network")
    deeds.add_argument("--rename", nargs=2, metavar=("KEY", "NAME"), help='give a peer a nickname; "" removes it')
    deeds.add_argument("--block", metavar="KEY", help="block a peer")
    deeds.add_argument("--unblock", metavar="KEY", help="unblock a peer")
    parser.add_argument("--json", action="store_true", help="as data")
    parser.add_argument(
        "--for", type=seconds, default=2000, dest="time", metavar="SECONDS", help="seconds to look (default 2)"
    )
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.plain.who import who

    return who(settings)
