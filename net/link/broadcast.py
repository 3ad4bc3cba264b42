"""The UDP half of a node: beacons out by every interface, datagrams in.

One socket hears all interfaces; one for each address speaks, so that a beacon leaves by its own interface and with its
own sender. What a datagram means is net/neighbours/neighbourhood.py's affair.
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
        """With `chosen` (names or addresses of interfaces) only those are spoken and listened to."""
        self.troubles: dict[str, str] = {}  # interface by interface, why beacons do not leave
        self._port = port
        self._chosen = chosen
        self._ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._mouths: dict[Interface, socket.socket] = {}

    def open(self) -> None:
        """Begin to listen; a LocalError says why that is not possible."""
        check(present(), self._chosen)
        _share(self._ear)
        try:
            self._ear.bind(("", self._port))
        except OSError as error:
            raise LocalError(_refusal(error, self._port)) from None
        self._ear.setblocking(False)
        self.refresh()

    def close(self) -> None:
        """Close all sockets."""
        for each in (self._ear, *self._mouths.values()):
            each.close()
        self._mouths.clear()

    def fileno(self) -> int:
        """What to poll."""
        return self._ear.fileno()

    def refresh(self) -> bool:
        """Look which interfaces there are now; whether one is new."""
        try:
            now = usable(present(), self._chosen)
        except OSError:  # no descriptors left to ask with
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
            with contextlib.suppress(OSError):  # whether a seed can be reached shows when it answers
                self._ear.sendto(datagram, (host, self._port))

    def heard(self) -> Iterator[tuple[str, bytes]]:
        """Datagrams and where they came from: what is there, but not more than is good for one turn."""
        for _ in range(DATAGRAMS_A_TURN):
            try:
                datagram, (address, _) = self._ear.recvfrom(_MOST_BYTES)
            except BlockingIOError:
                return
            except OSError:  # news of an earlier sending, on some systems
                continue
            if self.admits(address):
                yield address, datagram

    def admits(self, address: str) -> bool:
        """Whether something from there came by an interface that we listen to."""
        return self._chosen is None or any(interface.admits(address) for interface in self._mouths)

    def is_near(self, address: str) -> bool:
        """Whether an address is in one of the networks in which we are heard."""
        return any(interface.admits(address) for interface in self._mouths)

    def _note(self, interface: Interface, error: OSError) -> None:
        hint = ""
        if error.errno in (errno.EHOSTUNREACH, errno.EPERM, errno.EACCES):
            hint = " (does a firewall or a privacy setting keep this program from the local network?)"
        self.troubles[interface.name] = f"no beacon leaves by {interface.name}: {error.strerror or error}{hint}"


def _share(each: socket.socket) -> None:
    """Let others on this machine use the port as well: every ZRE node does, and each hears all broadcasts."""
    each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    each.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        with contextlib.suppress(OSError):  # some systems know its name only
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)


def _refusal(error: OSError, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"UDP port {port} is taken by a program that does not share it: end that program, or choose another port"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"this system does not let us listen at UDP port {port}: choose a port from 1024 up"
    return f"nobody can be heard at UDP port {port}: {error.strerror or error}"
