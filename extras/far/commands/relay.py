"""`quadrille relay`: join the connections of people who hold a ticket."""

import argparse
from typing import Final

from quadrille.client.network.options import port

DESCRIPTION: Final = """Run a relay, by which people in different networks meet with a ticket. It is for a
machine that both can reach: a rented one, or one at home with an open port.

  quadrille relay                              on that machine, until Ctrl-C
  quadrille host maze --ticket --relay HOST    a player's ticket then leads there

A relay sees how much passes between addresses, and when. All else is sealed. It
keeps no accounts, writes nothing to disk, and refuses more than its limits."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=port, metavar="TCP", help="TCP port to listen at (default 4696)")


def run(settings: argparse.Namespace) -> int:
    import asyncio
    import contextlib

    from quadrille.extras.far.relay import Relay, listener
    from quadrille.extras.far.ticket import RELAY_PORT

    number, relay = settings.port or RELAY_PORT, Relay()
    listening = listener(number)

    async def serve() -> None:
        """Say so within the loop, where Ctrl-C is waited for already."""
        print(
            f"This relay listens at TCP port {number}, until Ctrl-C. A player names it with --relay "
            f"HOST{'' if number == RELAY_PORT else f':{number}'}, where HOST is a name or an address of this machine "
            "that others reach.",
            flush=True,
        )
        await relay.serve(listening)

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve())
    reasons = ", ".join(f"{reason}: {count}" for reason, count in sorted(relay.counts.items()))
    print(f"Meetings served: {relay.served}." + (f" Refused or closed: {reasons}." if reasons else ""))
    return 0
