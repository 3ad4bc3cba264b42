"""`quadrille share`: the program itself for the neighbours of this machine."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quadrille.client.network.options import port

if TYPE_CHECKING:
    from quadrille.client.share.parcel import Parcel

#: The port to type; the next free one where it is taken.
_PORTS: Final = range(8765, 8775)
#: Maximum lines about who has fetched something.
_MOST_TOLD: Final = 200
DESCRIPTION: Final = """Share Quadrille itself with the local network: one line, typed on another machine,
installs it there without the internet. It is made of what is installed here, and
shared until Ctrl-C.

The other machine needs Python 3.11 or later. Compiled packages fit machines like
this one; on others people can play at one keyboard and against bots, but not on
the network, unless you bring wheels for them. Get these while you have internet,
for each system and version of Python:

  pip download PyNaCl cffi pyzmq --no-deps --only-binary :all: -d wheels \\
      --python-version 3.13 --platform win_amd64
  quadrille share --wheels wheels

For a Mac the platform is macosx_11_0_arm64; for Linux give two of them,
manylinux2014_x86_64 and manylinux_2_28_x86_64."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--wheels", metavar="FOLDER", type=Path, help="also share the wheels in this folder, for other machines"
    )
    parser.add_argument("--list", action="store_true", help="only list the files with their SHA-256; share nothing")
    parser.add_argument(
        "--interface", action="append", metavar="I", help="only this network interface, by name or address; repeatable"
    )
    parser.add_argument("--port", type=port, metavar="TCP", help=f"{_PORTS[0]} if absent, or the next free one")


def run(settings: argparse.Namespace) -> int:
    import asyncio

    from quadrille.client.share.parcel import parcel
    from quadrille.client.words.share import STOPPED, grouped, listed

    shared = parcel(settings.wheels)
    if settings.list:
        files = [(file.name, file.size, file.sha256) for file in shared.files.values()]
        print(*listed(files), f"Fingerprint: {grouped(shared.fingerprint)}", sep="\n")
        return 0
    try:
        asyncio.run(_serve(shared, settings))
    except KeyboardInterrupt:  # on Windows
        print()
    print(STOPPED)
    return 0


async def _serve(shared: "Parcel", settings: argparse.Namespace) -> None:
    import asyncio
    import signal
    import sys

    from quadrille.client.network.addresses import free_port, reachable
    from quadrille.client.share.server import ShareServer
    from quadrille.client.words.share import ALONE, TAKEN, sent_text
    from quadrille.net.core.errors import LocalError
    from quadrille.net.link.interfaces import check, present, usable

    chosen = None if settings.interface is None else tuple(settings.interface)
    check(present(), chosen)
    found = {one.address: one for one in usable(present(), chosen)}
    order = reachable(tuple(found.values())) or (tuple(found) if chosen is not None else ())
    if not order:
        raise LocalError(ALONE)
    number = free_port(settings.port, _PORTS, "--port")
    told: set[str] = set()

    def sent(address: str, name: str) -> None:
        """Tell the host once, so that repeated requests flood no screen."""
        text = sent_text(address, name)
        if text and text not in told and len(told) < _MOST_TOLD:
            told.add(text)
            print(text, flush=True)

    server = ShareServer(shared.files, chosen, number, sent)
    ended = asyncio.Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP") if sys.platform != "win32" else ():
        asyncio.get_running_loop().add_signal_handler(getattr(signal, name), ended.set)
    try:
        listens = await server.open()
        here = [found[address] for address in order if address in listens]
        if not here:
            raise LocalError(TAKEN)
        networks = {one.address: f"{one.label or one.name} ({one.network.network})" for one in here}
        print(_invitation(shared, number, networks), flush=True)
        await ended.wait()
    finally:
        await server.close()
    if sys.stdout.isatty():
        print()  # after ^C


def _invitation(shared: "Parcel", port: int, networks: dict[str, str]) -> str:
    from quadrille.client.words.share import invitation, machines_text, served_text

    files = [file for _, file in shared.wheels]
    names = list(dict.fromkeys(file.name.partition("-")[0] for file in files))
    served = served_text(len(files) + 1, sum(file.size for file in files), names)
    who = machines_text([(one.platform, one.python) for one in shared.machines()], for_all=shared.is_for_all)
    return invitation(shared.own, shared.fingerprint, port, networks, served, who)
