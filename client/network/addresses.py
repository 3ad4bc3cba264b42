"""Ways to this machine for people without Quadrille: its addresses, a port, and sockets that follow the networks."""

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, Generic, TypeVar

from quadrille.net.core.errors import LocalError
from quadrille.net.link.interfaces import Interface, usable_ipv4

Server = TypeVar("Server")
#: An address behind the usual gateway (RFC 5737). No packet is sent there.
_ELSEWHERE: Final = ("192.0.2.1", 9)
#: Seconds between looks at the interfaces.
_LOOK_EVERY: Final = 2


def reachable(interfaces: Sequence[Interface]) -> tuple[str, ...]:
    """Return the addresses at which other machines may reach this one, the likeliest first.

    A network of many has a broadcast address, and most tunnels have none; of several networks the one with the usual
    gateway is rather the Wi-Fi than a bridge of virtual machines.
    """
    by_gateway = _gateway_address()
    outside = [interface for interface in interfaces if not interface.network.is_loopback]
    outside.sort(
        key=lambda interface: (
            interface.broadcast is None,
            interface.network.is_link_local,
            interface.address != by_gateway,
        )
    )
    return tuple(dict.fromkeys(interface.address for interface in outside))


def _gateway_address() -> str:
    """Return the address of this machine from which packets go to the usual gateway; "" without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return ""


def free_port(wanted: int | None, usual: Sequence[int], option: str) -> int:
    """Return the port that somebody wants, or the first free one of the usual ones; a LocalError if it is taken."""
    for port in (wanted,) if wanted else (*usual, 0):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if sys.platform != "win32":  # on Windows the option would let two programs share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError as error:
                reason = error.strerror or str(error)
                continue
            return int(probe.getsockname()[1])
    raise LocalError(f"port {wanted} can't be used ({reason}): name another one with {option}")


class ListeningSockets(Generic[Server]):
    """A server for each address of the chosen interfaces, followed as they change."""

    def __init__(
        self,
        interfaces: Sequence[str] | None,
        start: Callable[[str], Awaitable[Server]],
        stop: Callable[[Server], None],
    ) -> None:
        self._interfaces = interfaces
        self._start = start
        self._stop = stop
        self.servers: dict[str, Server] = {}
        self._follows: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start to listen, and follow the addresses of this machine; an OSError if one of them can't be used now."""
        try:
            for address in sorted(self._wanted()):  # in this order, so that of two programs one gets all of them
                self.servers[address] = await self._start(address)
        except OSError:
            while self.servers:
                self._stop(self.servers.popitem()[1])
            raise
        self._follows = asyncio.create_task(self._follow())

    async def look(self) -> None:
        """Listen where the machine is now."""
        wanted = self._wanted()
        for address in [address for address in self.servers if address not in wanted]:
            self._stop(self.servers.pop(address))
        for address in wanted - set(self.servers):
            with suppress(OSError):  # another program has the port there, or the address has gone again
                self.servers[address] = await self._start(address)

    def _wanted(self) -> set[str]:
        return {interface.address for interface in usable_ipv4(self._interfaces)}

    def admit(self, here: str, there: str) -> bool:
        """Tell whether a connection from `there` to our address `here` came from the local network of that address."""
        return any(interface.address == here and interface.admits(there) for interface in usable_ipv4(self._interfaces))

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            await self.look()

    def stop_following(self) -> None:
        if self._follows is not None:
            self._follows.cancel()
