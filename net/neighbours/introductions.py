"""Limits on introductions: only to hosts in our own networks, and not too often.

Part of neighbourhood.py. Specification: docs/protocols/discovery.md, "Neighbours".
"""

from collections.abc import Callable

from quadrille.net.core.errors import PeerError
from quadrille.net.core.ip_addresses import is_host, is_loopback
from quadrille.net.neighbours.neighbour import Contact, Neighbour, NeighbourLimits


def check(contact: Contact, speaker: str, facing: Callable[[str], str]) -> None:
    """Raise a PeerError for an introduction that no honest peer makes. A speaker at an address of our own, which is
    how we face it, is on this machine.
    """
    host, port = contact.endpoint
    if not is_host(host) or not 0 < port < 1 << 16:
        raise PeerError(f"an introduction to {contact.endpoint}: that is no host's address")
    if is_loopback(host) and not is_loopback(speaker) and facing(speaker) != speaker:
        raise PeerError("an introduction from another machine to an address within this one")


def refusal(
    contact: Contact, speaker: Neighbour, near: Callable[[str], bool], now: int, limits: NeighbourLimits
) -> str | None:
    """Why an introduction is not followed. An honest peer may be in networks that we are not in, or know more peers
    than we ask.
    """
    if speaker.place is None or (contact.endpoint.host != speaker.place.host and not near(contact.endpoint.host)):
        return "introduction to another network"
    earned = (now - speaker.introduced_at) * 1000 // limits.introduction_every
    if earned:
        speaker.introductions = min(limits.introductions * 1000, speaker.introductions + earned)
        speaker.introduced_at = now
    if speaker.introductions < 1000:
        return "too many introductions"
    speaker.introductions -= 1000
    return None
