"""The tables that others offer, and lookup by a person's words. Nothing here changes anything."""

from quadrille.net.entries.wire import Offer
from quadrille.net.game_log.log import Log
from quadrille.net.seating.lobby import Lobby

#: Minimum digits to name a table.
FEWEST_DIGITS = 2
#: Maximum unplayable tables in a list.
MOST_UNPLAYABLE = 5
_DIGITS = frozenset("0123456789abcdef")


def offers(lobby: Lobby, *states: str) -> list[Offer]:
    """Return the offers of all peers, or only tables in one of these states, in a stable order."""
    by_table = {offer.table: offer for peer in lobby.peers.values() for offer in peer.tables}
    chosen = (offer for offer in by_table.values() if not states or offer.state in states)
    return sorted(chosen, key=lambda offer: (host_name(lobby, offer).casefold(), offer.table))


def unplayable(lobby: Lobby) -> list[tuple[Offer, str]]:
    """Return tables that can't be played here, each with the reason, in a stable order; as many as a list may hold."""
    pairs = [pair for peer in lobby.peers.values() for pair in peer.unplayable]
    return sorted(pairs, key=lambda pair: (host_name(lobby, pair[0]).casefold(), pair[0].table))[:MOST_UNPLAYABLE]


def host_name(lobby: Lobby, offer: Offer) -> str:
    host = lobby.peers.get(offer.host)
    return host.name if host else ""


def has_room(offer: Offer, key: bytes) -> bool:
    """Return True if the holder of that key can have a chair: a free one, or one reserved for it."""
    return len(offer.chairs) < offer.terms.seats or key in [chair.key for chair in offer.chairs]


def is_meant(lobby: Lobby, offer: Offer, text: str) -> bool:
    """Match a text with an offer: the host's name, the first digits of its number, or the name of a chair at play.

    Each player posts a running table, so that its host is any of them.
    """
    wanted = text.strip().casefold()
    at_play = [chair.name for chair in offer.chairs] if offer.state == "playing" else []
    return wanted in [name.casefold() for name in (host_name(lobby, offer), *at_play)] or begins(offer.table, wanted)


def is_named(log: Log, text: str) -> bool:
    """Match a text with a table at play: the name of a chair, or the first digits of its number."""
    wanted = text.strip().casefold()
    return wanted in [chair.name.casefold() for chair in log.now.chairs] or begins(log.table, wanted)


def begins(table: bytes, digits: str) -> bool:
    return len(digits) >= FEWEST_DIGITS and set(digits) <= _DIGITS and table.hex().startswith(digits)
