"""The list of tables on the network, as text or data."""

import argparse
import json
from typing import Any

from quadrille.client.claimed_names import shown_name
from quadrille.client.network.options import network_options
from quadrille.client.network.surroundings import look_around
from quadrille.client.network.unfinished_games import count, mention
from quadrille.client.table.network.table_search import unplayable_tables
from quadrille.client.words.network.table import unplayable_lines
from quadrille.client.words.network.terms import DIGITS, terms_text
from quadrille.net.entries.wire import Offer
from quadrille.net.seating.lobby import Lobby
from quadrille.net.seating.offers import host_name, offers
from quadrille.net.trust.identity import fingerprint
from quadrille.rules.drawing.plain_text import aligned


def tables(settings: argparse.Namespace) -> int:
    seen = look_around(network_options(settings), settings.time)
    lobby = seen.lobby
    found = offers(lobby)
    if settings.json:
        print(json.dumps([_data(lobby, offer) for offer in found], indent=2))
    elif found:
        rows = [
            (
                offer.table.hex()[:DIGITS],
                shown_name(host_name(lobby, offer), offer.host),
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
    if not settings.json and (lines := unplayable_lines(unplayable_tables(lobby))):
        print("\n".join(lines))
        if seen.missing:
            print("\n".join(seen.missing))
    if not settings.json and (text := mention(count(settings.home))):
        print(text)
    return seen.code or 0


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
        "arbiter": _arbiter(lobby, offer),
    }


def _arbiter(lobby: Lobby, offer: Offer) -> dict[str, Any] | None:
    key = offer.terms.arbiter
    if key is None:
        return None
    peer = lobby.peers.get(key)
    own = key == offer.host or key in [chair.key for chair in offer.chairs]
    return {"key": key.hex(), "fingerprint": fingerprint(key), "name": peer.name if peer else None, "plays": own}
