"""The UDP half of a node: beacons out by every interface, datagrams in.

One socket for IPv4 and one for IPv6 receive on all interfaces. One socket for each address of IPv4 sends, so that a
beacon leaves by its own interface with its own sender address, and one for each interface with IPv6.
net/neighbours/neighbours.py decides what a datagram means. Specification: docs/protocols/discovery.md, "Beacons"
and "IPv6".
"""

import contextlib
import errno
import socket
import struct
from collections.abc import Iterator, Sequence
from typing import Final

from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import host_of, is_ipv6, socket_address
from quadrille.net.link.interfaces import (
    AnyInterface,
    Interface,
    Ipv6Interface,
    check,
    present,
    present_ipv6,
    usable,
    usable_ipv6,
)

DATAGRAMS_A_TURN = 200
#: All machines on a link: the group of RFC 4291 that CZMQ's beacons use, too.
GROUP: Final = "ff02::1"
_MOST_BYTES = 2048


class Broadcast:
    """Sockets for beacons on one UDP port."""

    def __init__(self, port: int, chosen: Sequence[str] | None) -> None:
        """`chosen` (names or addresses of interfaces) limits sending and receiving to those."""
        self.troubles: dict[str, str] = {}  # by interface: why its beacons do not leave
        self._port = port
        self._chosen = chosen
        self._ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._ipv6_ear = _ipv6_socket()
        self._mouths: dict[Interface, socket.socket] = {}
        self._ipv6_mouths: dict[Ipv6Interface, socket.socket] = {}

    def open(self) -> None:
        """Begin to listen; a LocalError explains a failure."""
        check(present(), self._chosen, present_ipv6())
        _share(self._ear)
        try:
            self._ear.bind(("", self._port))
        except OSError as error:
            raise LocalError(_refusal(error, self._port)) from None
        self._ear.setblocking(False)
        self._open_ipv6_ear()
        self.refresh()

    def _open_ipv6_ear(self) -> None:
        """IPv4 is enough for most, so that nothing here is a failure."""
        if self._ipv6_ear is None:
            return
        _share(self._ipv6_ear)
        try:
            self._ipv6_ear.bind(("", self._port))
            self._ipv6_ear.setblocking(False)
        except OSError as error:
            self._ipv6_ear.close()
            self._ipv6_ear = None
            if error.errno == errno.EADDRINUSE:
                self.troubles["IPv6"] = _refusal(error, self._port)

    def close(self) -> None:
        for each in (*self.ears, *self._mouths.values(), *self._ipv6_mouths.values()):
            each.close()
        self._mouths.clear()
        self._ipv6_mouths.clear()

    @property
    def ears(self) -> list[socket.socket]:
        """The sockets that receive."""
        return [self._ear, *([self._ipv6_ear] if self._ipv6_ear is not None else [])]

    def refresh(self) -> bool:
        """Read the interfaces again; True if there is a new one."""
        try:
            now = usable(present(), self._chosen)
            with_ipv6 = usable_ipv6(present_ipv6(), self._chosen) if self._ipv6_ear is not None else ()
        except OSError:  # no descriptor left to ask with
            return False
        for interface in self._mouths.keys() - set(now):
            self._mouths.pop(interface).close()
            self.troubles.pop(interface.name, None)
        for gone in self._ipv6_mouths.keys() - set(with_ipv6):
            self._ipv6_mouths.pop(gone).close()
            self.troubles.pop(gone.name, None)
        new = [interface for interface in now if interface not in self._mouths]
        for interface in new:
            self._open_mouth(interface)
        new_ipv6 = [interface for interface in with_ipv6 if interface not in self._ipv6_mouths]
        for one in new_ipv6:
            self._open_ipv6_mouth(one)
        return bool(new or new_ipv6)

    def _open_mouth(self, interface: Interface) -> None:
        with contextlib.ExitStack() as unless_open:
            try:
                mouth = unless_open.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                _share(mouth)
                mouth.bind((interface.address, 0))
                mouth.setblocking(False)
            except OSError as error:
                self._note(interface.name, error)
            else:
                unless_open.pop_all()
                self._mouths[interface] = mouth

    def _open_ipv6_mouth(self, interface: Ipv6Interface) -> None:
        """The system chooses the sender address, which is link-local if there is one."""
        mouth = _ipv6_socket()
        if mouth is None or self._ipv6_ear is None:
            return
        joined = socket.inet_pton(socket.AF_INET6, GROUP) + struct.pack("@I", interface.index)
        with contextlib.suppress(OSError):  # joined already; and some systems deliver to this group without
            self._ipv6_ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, joined)
        try:
            mouth.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface.index)
            mouth.setblocking(False)
        except OSError as error:
            mouth.close()
            self._note_ipv6(interface, error)
        else:
            self._ipv6_mouths[interface] = mouth

    def announce(self, datagram: bytes, hosts: Sequence[str], *, by_ipv6: bool) -> None:
        """Broadcast by every interface, and send to each host. Interfaces without a broadcast of IPv4 multicast by
        IPv6, `by_ipv6` all that can.
        """
        broadcasting = set()
        for interface, mouth in self._mouths.items():
            if interface.broadcast is None:
                continue
            try:
                mouth.sendto(datagram, (interface.broadcast, self._port))
                broadcasting.add(interface.name)
                self.troubles.pop(interface.name, None)
            except OSError as error:
                self._note(interface.name, error)
        for one, mouth in self._ipv6_mouths.items():
            if by_ipv6 or one.name not in broadcasting:
                self._multicast(one, mouth, datagram)
        for host in hosts:
            with contextlib.suppress(OSError):  # an answer will show whether the seed can be reached
                ear = self._ipv6_ear if is_ipv6(host) else self._ear
                if ear is not None:
                    ear.sendto(datagram, socket_address(host, self._port))

    def _multicast(self, interface: Ipv6Interface, mouth: socket.socket, datagram: bytes) -> None:
        try:
            mouth.sendto(datagram, (GROUP, self._port, 0, interface.index))
        except OSError as error:
            self._note_ipv6(interface, error)
        else:
            if self._needs(interface):
                self.troubles.pop(interface.name, None)

    def heard(self) -> Iterator[tuple[str, bytes]]:
        """Received datagrams with their senders, up to the limit of one turn. IPv4 comes first, because a peer is
        called where it is heard first.
        """
        for ear in self.ears:
            yield from self._heard_at(ear)

    def _heard_at(self, ear: socket.socket) -> Iterator[tuple[str, bytes]]:
        for _ in range(DATAGRAMS_A_TURN):
            try:
                datagram, whence = ear.recvfrom(_MOST_BYTES)
            except BlockingIOError:
                return
            except OSError:  # some systems report an earlier send here
                continue
            host = host_of(whence)
            if host is not None and self.admits(host):
                yield host, datagram

    def addresses(self) -> list[str]:
        """Our addresses of IPv4 on the interfaces that we use."""
        return [interface.address for interface in self._mouths]

    @property
    def has_ipv6(self) -> bool:
        """Whether an interface that we use has IPv6."""
        return bool(self._ipv6_mouths)

    def admits(self, host: str) -> bool:
        """Whether a packet from this host came by an interface that we use."""
        return self._chosen is None or self.is_near(host)

    def is_near(self, host: str) -> bool:
        """Whether a host is in a network that our beacons reach."""
        used: Sequence[AnyInterface] = (*self._mouths, *self._ipv6_mouths)
        return any(interface.admits(host) for interface in used)

    def _needs(self, interface: Ipv6Interface) -> bool:
        """Whether its multicasts are all that it has, because it was chosen or nothing has IPv4."""
        without = all(one.name != interface.name for one in self._mouths)
        return without and (self._chosen is not None or all(one.network.is_loopback for one in self._mouths))

    def _note_ipv6(self, interface: Ipv6Interface, error: OSError) -> None:
        if self._needs(interface):
            self._note(interface.name, error)

    def _note(self, name: str, error: OSError) -> None:
        hint = ""
        if error.errno in (errno.EHOSTUNREACH, errno.EPERM, errno.EACCES):
            hint = " (does a firewall or a privacy setting keep this program from the local network?)"
        self.troubles[name] = f"no beacon leaves by {name}: {error.strerror or error}{hint}"


def _ipv6_socket() -> socket.socket | None:
    """A socket for IPv6 alone; None if this system has no IPv6, or no descriptor left."""
    with contextlib.ExitStack() as unless_made:
        try:
            made = unless_made.enter_context(socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        except OSError:
            return None
        unless_made.pop_all()
        return made


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
