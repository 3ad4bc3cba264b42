"""How a table of somebody else is found: to sit down there, or to look on."""

import argparse
from collections.abc import Callable

from quadrille.client.choosing import Choosing
from quadrille.client.conversation import Conversation
from quadrille.client.sitting import Place
from quadrille.client.tables_there import at_address, is_address
from quadrille.client.waiting import Waiting
from quadrille.net.station import now
from quadrille.net.wire import Offer


def join(settings: argparse.Namespace) -> int:
    """Sit down at an open table."""

    def go(place: Place, offer: Offer) -> Waiting:
        return Waiting(place.parlour, place.station.lobby.join(offer, now()))

    return _find(settings, "open", go)


def watch(settings: argparse.Namespace) -> int:
    """Look on at a table at play."""

    def go(place: Place, offer: Offer) -> None:
        place.station.lobby.watch(offer.table, offer.host)

    return _find(settings, "playing", go)


def _find(settings: argparse.Namespace, state: str, go: Callable[[Place, Offer], Conversation | None]) -> int:
    address = settings.table if is_address(settings.table) else None
    if address:
        settings.connect = [*settings.connect, address]
    with Place(settings) as place:
        accepts = at_address(place.station, address) if address else None
        wanted = "" if address else settings.table
        return place.sit(Choosing(place.parlour, wanted, (state,), lambda offer: go(place, offer), accepts))
