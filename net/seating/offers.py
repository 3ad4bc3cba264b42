"""The tables that others offer, and which of them a person means. Nothing here changes anything."""

from quadrille.net.entries.wire import Offer
from quadrille.net.game_log.log import Log
from quadrille.net.seating.lobby import Lobby

#: Fewer digits than these mean no table.
FEWEST_DIGITS = 2
#: Maximum tables that are told to be unplayable.
MOST_UNPLAYABLE = 5
_DIGITS = frozenset("0123456789abcdef")


def offers(lobby: Lobby, *states: str) -> list[Offer]:
    """What all peers offer, or only tables in one of these states, in an order that stays."""
    found = {offer.table: offer for peer in lobby.peers.values() for offer in peer.tables}
    chosen = (offer for offer in found.values() if not states or offer.state in states)
    return sorted(chosen, key=lambda offer: (host_name(lobby, offer).casefold(), offer.table))


def unplayable(lobby: Lobby) -> list[tuple[Offer, str]]:
    """Tables that can't be played here, each with the reason, in an order that stays; no more than a list bears."""
    found = [pair for peer in lobby.peers.values() for pair in peer.unplayable]
    return sorted(found, key=lambda pair: (host_name(lobby, pair[0]).casefold(), pair[0].table))[:MOST_UNPLAYABLE]


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
