"""How a table of somebody else is found: to sit down there, or to look on."""

import argparse
from collections.abc import Callable

from quadrille.client.choosing import Choosing
from quadrille.client.conversation import Conversation
from quadrille.client.network.options import is_address, network_options
from quadrille.client.sitting import Place
from quadrille.client.tables_there import at_address
from quadrille.client.waiting import Waiting
from quadrille.net.station import now
from quadrille.net.wire import Offer


def join(settings: argparse.Namespace) -> int:
    """Sit down at an open table."""
    with Place(network_options(settings)) as place:
        return place.sit(seat_at(place, settings.table))


def watch(settings: argparse.Namespace) -> int:
    """Look on at a table at play."""
    with Place(network_options(settings)) as place:
        return place.sit(view_of(place, settings.table))


def seat_at(place: Place, wanted: str) -> Choosing:
    """Looks for an open table and sits down there."""

    def go(offer: Offer) -> Waiting:
        return Waiting(place.parlour, place.station.lobby.join(offer, now()))

    return _look_for(place, wanted, "open", go, sits=True)


def view_of(place: Place, wanted: str) -> Choosing:
    """Looks for a table at play and looks on there."""

    def go(offer: Offer) -> None:
        place.station.lobby.watch(offer.table, offer.host)

    return _look_for(place, wanted, "playing", go)


def _look_for(
    place: Place, wanted: str, state: str, go: Callable[[Offer], Conversation | None], *, sits: bool = False
) -> Choosing:
    if not is_address(wanted):
        return Choosing(place.parlour, wanted, (state,), go, sits=sits)
    accepts = at_address(place.station, wanted)
    place.station.node.seed(wanted)
    return Choosing(place.parlour, "", (state,), go, accepts, sits=sits)
