"""The program that serves guests, which their host starts (presence/guest_door.py). It ends with its standard input.

It is a separate process, so that no guest can block the host's table or read the memory of the host's program.
"""

import argparse
import asyncio
import signal
import sys
import threading
from typing import Final

if sys.platform != "win32":
    import resource

from quadrille.client.network.options import NetworkOptions, add_network, network_options, port
from quadrille.client.phones.door import PhoneDoor
from quadrille.client.presence.consent import listen, say
from quadrille.client.presence.guest_seats import GuestSeats
from quadrille.client.screen.network import session  # noqa: F401 - now, and not when the first guest waits for it
from quadrille.net.core.errors import NetError
from quadrille.net.core.home import home

#: Memory limit in bytes, many times what the largest table takes; an attack on memory ends only this program.
_MEMORY: Final = 1 << 30
_ENDING: Final = ("SIGTERM", "SIGHUP", "SIGINT")


def main() -> int:
    """Serve guests until the host leaves; return the exit code."""
    parser = argparse.ArgumentParser(prog="quadrille host --guests", allow_abbrev=False)
    parser.add_argument("--phone-port", type=port)
    add_network(parser)
    settings = parser.parse_args()
    limit_memory()
    try:
        options = network_options(settings)  # standard input begins with the room's passphrase
        asyncio.run(_serve(options, GuestSeats(options, home(options.home))))
    except (NetError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def limit_memory() -> None:
    """Limit this program's memory, if the system can."""
    if sys.platform != "win32":
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = _MEMORY if hard == resource.RLIM_INFINITY else min(_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


async def _serve(options: NetworkOptions, seats: GuestSeats) -> None:
    door = PhoneDoor(options, seats, say)
    await door.open()
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for name in _ENDING:
        if sys.platform != "win32" and (number := getattr(signal, name, None)):
            loop.add_signal_handler(number, ended.set)
    threading.Thread(target=listen, args=(door.hear, loop, ended), daemon=True).start()
    await ended.wait()
    await door.close()


if __name__ == "__main__":
    sys.exit(main())
