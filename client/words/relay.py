"""Sentences of a relay, and those about tickets and relays for players."""

from collections.abc import Mapping

from quadrille.net.relay.ticket import RELAY_PORT


def begun(port: int) -> str:
    """Say where a relay listens, and how a player names it."""
    named = "HOST" if port == RELAY_PORT else f"HOST:{port}"
    return (
        f"This relay listens at TCP port {port}, until Ctrl-C. A player names it with --relay {named}, where HOST is a "
        "name or an address of this machine that others reach."
    )


def ended(served: int, refused: Mapping[str, int]) -> str:
    """Say what a relay has done, in numbers that tell of nobody."""
    reasons = ", ".join(f"{why.lower().replace('_', ' ')}: {count}" for why, count in sorted(refused.items()))
    return f"Meetings served: {served}." + (f" Refused or closed: {reasons}." if reasons else "")
