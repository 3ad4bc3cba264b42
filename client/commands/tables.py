"""`quadrille tables`: the tables on the network."""

import argparse
import json
from typing import Any, Final

from quadrille.client.conversation import DIGITS
from quadrille.client.network_options import add_network, cleanly, seconds
from quadrille.client.table_words import terms_text
from quadrille.client.tables_there import look_around
from quadrille.net.lobby import Lobby
from quadrille.net.offers import host_name, offers
from quadrille.net.wire import Offer
from quadrille.rules.plain_text import aligned

DESCRIPTION: Final = "The tables on the network: those that wait for players, and those at play."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--json", action="store_true", help="as data")
    parser.add_argument(
        "--for", type=seconds, default=2000, dest="time", metavar="SECONDS", help="look so long; 2 if absent"
    )
    add_network(parser)


@cleanly
def run(settings: argparse.Namespace) -> int:
    """Print the list."""
    lobby, code = look_around(settings, settings.time)
    found = offers(lobby)
    if settings.json:
        print(json.dumps([_data(lobby, offer) for offer in found], indent=2))
    elif found:
        rows = [
            (
                offer.table.hex()[:DIGITS],
                host_name(lobby, offer),
                f"{len(offer.chairs)}/{offer.terms.seats}",
                offer.state,
                terms_text(offer.terms),
            )
            for offer in found
        ]
        print("\n".join(line.rstrip() for line in aligned(rows, 5)))
        print("\nquadrille join TABLE sits down at an open one, quadrille watch TABLE looks on at one at play.")
    else:
        print("There is no table. quadrille host GAME opens one.")
    return code or 0


def _data(lobby: Lobby, offer: Offer) -> dict[str, Any]:
    terms = offer.terms
    return {
        "table": offer.table.hex(),
        "game": terms.game,
        "options": dict(terms.options),
        "host": {"name": host_name(lobby, offer), "key": offer.host.hex()},
        "seats": terms.seats,
        "chairs": [{"name": chair.name, "kind": chair.kind, "key": chair.key.hex()} for chair in offer.chairs],
        "state": offer.state,
        "clock": [terms.clock.initial, terms.clock.increment] if terms.clock else None,
        "watchers": terms.watchers,
        "takebacks": terms.takebacks,
        "lot": terms.lot,
        "grace": terms.grace,
    }
