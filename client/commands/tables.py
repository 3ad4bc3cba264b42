"""`quadrille tables`: the tables on the network."""

import argparse
from typing import Final

from quadrille.client.network.options import add_network, seconds

DESCRIPTION: Final = "List the tables on the network: those that wait for players, and those at play."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as data")
    parser.add_argument(
        "--for", type=seconds, default=2000, dest="time", metavar="SECONDS", help="seconds to look (default 2)"
    )
    add_network(parser)


def run(settings: argparse.Namespace) -> int:
    from quadrille.client.plain.tables_list import tables

    return tables(settings)
