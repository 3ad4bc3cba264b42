"""The tables that others offer, and which of them a person means. Nothing here changes anything."""

from quadrille.net.lobby import Lobby
from quadrille.net.log import Log
from quadrille.net.wire import Offer

#: Fewer digits than these mean no table.
FEWEST_DIGITS = 2
_DIGITS = frozenset("0123456789abcdef")


def offers(lobby: Lobby, *states: str) -> list[Offer]:
    """What all peers offer, or only tables in one of these states, in an order that stays."""
    found = {offer.table: offer for peer in lobby.peers.values() for offer in peer.tables}
    chosen = (offer for offer in found.values() if not states or offer.state in states)
    return sorted(chosen, key=lambda offer: (host_name(lobby, offer).casefold(), offer.table))


def host_name(lobby: Lobby, offer: Offer) -> str:
    """What the host goes by."""
    host = lobby.peers.get(offer.host)
    return host.name if host else ""


def has_room(offer: Offer, key: bytes) -> bool:
    """Whether there is a chair for the holder of that key: a free one, or one that the host keeps for it."""
    return len(offer.chairs) < offer.terms.seats or key in [chair.key for chair in offer.chairs]


def is_meant(lobby: Lobby, offer: Offer, text: str) -> bool:
    """Whether a person who writes this means that table: the name of its host, or how its number begins."""
    wanted = text.strip().casefold()
    return wanted == host_name(lobby, offer).casefold() or begins(offer.table, wanted)


def is_named(log: Log, text: str) -> bool:
    """Whether a person who writes this means that table at play: by who sat down there, or how its number begins."""
    wanted = text.strip().casefold()
    return wanted in [chair.name.casefold() for chair in log.now.chairs] or begins(log.table, wanted)


def begins(table: bytes, digits: str) -> bool:
    """Whether a table's number begins with these digits."""
    return len(digits) >= FEWEST_DIGITS and set(digits) <= _DIGITS and table.hex().startswith(digits)
