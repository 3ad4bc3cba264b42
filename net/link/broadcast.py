"""The UDP half of a node: beacons out by every interface, datagrams in.

One socket receives on all interfaces. One socket for each address sends, so that a beacon leaves by its own interface
with its own sender address. net/neighbours/neighbourhood.py decides what a datagram means.
"""

import contextlib
import errno
import socket
from collections.abc import Iterator, Sequence

from quadrille.net.core.errors import LocalError
from quadrille.net.link.interfaces import Interface, check, present, usable

DATAGRAMS_A_TURN = 200
_MOST_BYTES = 2048


class Broadcast:
    """Sockets for beacons on one UDP port."""

    def __init__(self, port: int, chosen: Sequence[str] | None) -> None:
        """`chosen` (names or addresses of interfaces) limits sending and receiving to those."""
        self.troubles: dict[str, str] = {}  # by interface: why its beacons do not leave
        self._port = port
        self._chosen = chosen
        self._ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._mouths: dict[Interface, socket.socket] = {}

    def open(self) -> None:
        """Begin to listen; a LocalError explains a failure."""
        check(present(), self._chosen)
        _share(self._ear)
        try:
            self._ear.bind(("", self._port))
        except OSError as error:
            raise LocalError(_refusal(error, self._port)) from None
        self._ear.setblocking(False)
        self.refresh()

    def close(self) -> None:
        for each in (self._ear, *self._mouths.values()):
            each.close()
        self._mouths.clear()

    def fileno(self) -> int:
        return self._ear.fileno()

    def refresh(self) -> bool:
        """Read the interfaces again; True if there is a new one."""
        try:
            now = usable(present(), self._chosen)
        except OSError:  # no descriptor left to ask with
            return False
        for interface in self._mouths.keys() - set(now):
            self._mouths.pop(interface).close()
            self.troubles.pop(interface.name, None)
        new = [interface for interface in now if interface not in self._mouths]
        for interface in new:
            self._open_mouth(interface)
        return bool(new)

    def _open_mouth(self, interface: Interface) -> None:
        with contextlib.ExitStack() as unless_open:
            try:
                mouth = unless_open.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                _share(mouth)
                mouth.bind((interface.address, 0))
                mouth.setblocking(False)
            except OSError as error:
                self._note(interface, error)
            else:
                unless_open.pop_all()
                self._mouths[interface] = mouth

    def announce(self, datagram: bytes, hosts: Sequence[str]) -> None:
        """Broadcast by every interface, and send to each host."""
        for interface, mouth in self._mouths.items():
            if interface.broadcast is None:
                continue
            try:
                mouth.sendto(datagram, (interface.broadcast, self._port))
                self.troubles.pop(interface.name, None)
            except OSError as error:
                self._note(interface, error)
        for host in hosts:
            with contextlib.suppress(OSError):  # an answer will show whether the seed can be reached
                self._ear.sendto(datagram, (host, self._port))

    def heard(self) -> Iterator[tuple[str, bytes]]:
        """Received datagrams with their sender addresses, up to the limit of one turn."""
        for _ in range(DATAGRAMS_A_TURN):
            try:
                datagram, (address, _) = self._ear.recvfrom(_MOST_BYTES)
            except BlockingIOError:
                return
            except OSError:  # some systems report an earlier send here
                continue
            if self.admits(address):
                yield address, datagram

    def addresses(self) -> list[str]:
        """Our addresses on the interfaces that we use."""
        return [interface.address for interface in self._mouths]

    def admits(self, address: str) -> bool:
        """Whether a packet from this address came by an interface that we use."""
        return self._chosen is None or any(interface.admits(address) for interface in self._mouths)

    def is_near(self, address: str) -> bool:
        """Whether an address is in a network that our broadcasts reach."""
        return any(interface.admits(address) for interface in self._mouths)

    def _note(self, interface: Interface, error: OSError) -> None:
        hint = ""
        if error.errno in (errno.EHOSTUNREACH, errno.EPERM, errno.EACCES):
            hint = " (does a firewall or a privacy setting keep this program from the local network?)"
        self.troubles[interface.name] = f"no beacon leaves by {interface.name}: {error.strerror or error}{hint}"


def _share(each: socket.socket) -> None:
    """Share the port with other programs of this machine: every ZRE node does, and each receives all broadcasts."""
    each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    each.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        with contextlib.suppress(OSError):  # some systems know the name of this option only
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)


def _refusal(error: OSError, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"UDP port {port} is taken by a program that does not share it: end that program, or choose another port"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"this system does not let us listen at UDP port {port}: choose a port from 1024 up"
    return f"nobody can be heard at UDP port {port}: {error.strerror or error}"
