"""`quadrille outlet`: lets a bot in its box reach one host."""

import argparse
from typing import Final

from quadrille.ai.bots.process.isolation import OUTLET
from quadrille.rules.errors import RulesError
from quadrille.rules.squares import quoted

DESCRIPTION: Final = """Open an outlet for bots in their boxes: a socket in a file of your home, which leads to one host
and nowhere else. A box shows it to a bot whose command names the file. It stays open until Ctrl-C.

  quadrille outlet ~/chat.outlet api.example.com:443"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar=f"FILE{OUTLET}", help="the file of the socket, which must not be there yet")
    parser.add_argument("where", metavar="HOST:PORT", help="the only host that can be reached, and its port")


def run(settings: argparse.Namespace) -> int:
    import asyncio

    from quadrille.extras.models.outlet import free_outlet, lead

    path, (host, _, port) = free_outlet(settings.file), settings.where.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 1 << 16):
        raise RulesError(f"{quoted(settings.where)} is no host with a port, such as api.example.com:443")
    try:
        asyncio.run(lead(path, host.strip("[]"), int(port)))
    except KeyboardInterrupt:
        return 130
    return 0
