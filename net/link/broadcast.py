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
from quadrille.net.core.ip_addresses import family_of, host_of, is_ipv6, socket_address
from quadrille.net.link.interfaces import Interface, check, present, usable
from quadrille.net.zeromq.sockets import refusal

DATAGRAMS_A_TURN = 200  # a guess: a flood of them leaves time for the connections
#: All machines on a link: the group of RFC 4291 that CZMQ's beacons use, too.
GROUP: Final = "ff02::1"
_MOST_BYTES = 2048
#: Broadcasts after which an interface that brings nothing, not even these, counts as shut: two go out each second, and
#: a turn may take a few.
UNHEARD: Final = 12
_NO_NETWORK: Final = (errno.ENETDOWN, errno.ENETUNREACH, errno.ENODEV, errno.EADDRNOTAVAIL)


class Broadcast:
    """Sockets for beacons on one UDP port."""

    def __init__(self, port: int, chosen: Sequence[str] | None) -> None:
        """Use only the `chosen` interfaces (names or addresses), or all."""
        self.troubles: dict[str, str] = {}  # by interface: why its beacons do not leave
        self._port = port
        self._chosen = chosen
        self._ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._ipv6_ear = _ipv6_socket()
        self._mouths: dict[Interface, socket.socket] = {}
        self._unheard: dict[Interface, int] = {}  # broadcasts since anything came in there
        self._dead: set[Interface] = set()  # the system says that no network is there
        self.has_network = False
        #: This machine has lost its network, other than its own.
        self.is_cut_off = False

    def open(self) -> None:
        """Begin to listen; a LocalError explains a failure. IPv4 is enough for most, so none of IPv6 is a failure."""
        check(present(), self._chosen)
        try:
            _listen(self._ear, self._port)
        except OSError as error:
            raise self._refusal(error) from None
        if self._ipv6_ear is not None:
            try:
                _listen(self._ipv6_ear, self._port)
            except OSError as error:
                self._ipv6_ear.close()
                self._ipv6_ear = None
                if error.errno == errno.EADDRINUSE:
                    self.troubles["IPv6"] = str(self._refusal(error))
        self.refresh()

    def close(self) -> None:
        for each in (*self.ears, *self._mouths.values()):
            each.close()
        self._mouths.clear()

    def _refusal(self, error: OSError) -> LocalError:
        taken = "a program that does not share it: end that program, or choose another port"
        return refusal(f"UDP port {self._port}", error, taken=taken, nobody="nobody can be heard")

    @property
    def ears(self) -> list[socket.socket]:
        """The sockets that receive: of IPv4, and of IPv6 if there is IPv6."""
        return [self._ear, *([self._ipv6_ear] if self._ipv6_ear is not None else [])]

    def refresh(self) -> bool:
        """Read the interfaces again. Return True if there is a new one."""
        try:
            now = [one for one in usable(present(), self._chosen) if self._ipv6_ear is not None or not one.has_ipv6]
        except OSError:  # no descriptor left to ask with
            return False
        for gone in self._mouths.keys() - set(now):
            self._mouths.pop(gone).close()
            self.troubles.pop(gone.name, None)
            self._unheard.pop(gone, None)
            self._dead.discard(gone)
        new = [interface for interface in now if interface not in self._mouths]
        for interface in new:
            with contextlib.ExitStack() as unless_open:
                try:
                    mouth = unless_open.enter_context(socket.socket(family_of(interface.address), socket.SOCK_DGRAM))
                    self._prepare(mouth, interface)
                except OSError as error:
                    self._note(interface, error)
                else:
                    unless_open.pop_all()
                    self._mouths[interface] = mouth
        outward = (one for one in self._mouths if self._chosen is not None or not one.network.is_loopback)
        had_network, self.has_network = self.has_network, any(one not in self._dead for one in outward)
        self.is_cut_off = not self.has_network and (had_network or self.is_cut_off)
        return bool(new)

    def shut(self) -> list[str]:
        """Return the interfaces where nothing comes in, our own broadcasts included: a firewall drops it."""
        unheard = (
            interface for interface, count in self._unheard.items() if count >= UNHEARD and interface not in self._dead
        )
        return [f"{interface.name} ({interface.address})" for interface in unheard]

    def _prepare(self, mouth: socket.socket, interface: Interface) -> None:
        """Have what a socket sends leave by this interface. With IPv6 the system chooses the sender address, which is
        link-local if there is one.
        """
        if interface.has_ipv6:
            joined = socket.inet_pton(socket.AF_INET6, GROUP) + struct.pack("@I", interface.index)
            for ear in self.ears[1:]:
                with contextlib.suppress(OSError):  # joined already; some systems deliver to this group without
                    ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, joined)
            mouth.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface.index)
        else:
            _share(mouth)
            mouth.bind((interface.address, 0))
        mouth.setblocking(False)

    def announce(self, datagram: bytes, hosts: Sequence[str], *, by_ipv6: bool) -> None:
        """Broadcast by every interface, and send to each host. Interfaces without a broadcast of IPv4 multicast by
        IPv6, `by_ipv6` all that can.
        """
        broadcasting = set[str]()
        for interface in self._mouths:
            if interface.broadcast and self._send(interface, datagram, interface.broadcast):
                broadcasting.add(interface.name)
                self._unheard[interface] = self._unheard.get(interface, 0) + 1
        for interface in self._mouths:
            if interface.has_ipv6 and (by_ipv6 or interface.name not in broadcasting):
                self._send(interface, datagram, f"{GROUP}%{interface.index}")
        for host in hosts:
            with contextlib.suppress(OSError):  # an answer will show whether the seed can be reached
                ear = self._ipv6_ear if is_ipv6(host) else self._ear
                if ear is not None:
                    ear.sendto(datagram, socket_address(host, self._port))

    def _send(self, interface: Interface, datagram: bytes, to: str) -> bool:
        try:
            self._mouths[interface].sendto(datagram, socket_address(to, self._port))
        except OSError as error:
            self._note(interface, error)
            if error.errno in _NO_NETWORK:
                self._dead.add(interface)
            return False
        self._dead.discard(interface)
        if self._counts(interface):
            self.troubles.pop(interface.name, None)
        return True

    def heard(self) -> Iterator[tuple[str, bytes]]:
        """Yield received datagrams with their senders, up to the limit of one turn. IPv4 comes first, because a peer is
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
                for interface in [interface for interface in self._unheard if interface.admits(host)]:
                    del self._unheard[interface]
                yield host, datagram

    def admits(self, host: str) -> bool:
        """Return True if a packet from this host came by an interface that we use."""
        return self._chosen is None or self.is_near(host)

    def is_near(self, host: str) -> bool:
        """Return True for a host in a network that our beacons reach."""
        return any(interface.admits(host) for interface in self._mouths)

    def _counts(self, interface: Interface) -> bool:
        """Return True if a person should hear of trouble there: trouble with IPv4; with IPv6, if its multicasts are all
        that the interface has, because the person chose it or nothing has IPv4.
        """
        with_ipv4 = [mouth for mouth in self._mouths if not mouth.has_ipv6]
        if not interface.has_ipv6 or any(mouth.name == interface.name for mouth in with_ipv4):
            return not interface.has_ipv6
        return self._chosen is not None or all(mouth.network.is_loopback for mouth in with_ipv4)

    def _note(self, interface: Interface, error: OSError) -> None:
        hint = ""
        if error.errno in (errno.EHOSTUNREACH, errno.EPERM, errno.EACCES):
            hint = " (does a firewall or a privacy setting keep this program from the local network?)"
        if self._counts(interface):
            name = interface.name
            self.troubles[name] = f"no beacon leaves by {name}: {error.strerror or error}{hint}"


def _ipv6_socket() -> socket.socket | None:
    """Make a socket for IPv6 alone; None if this system has no IPv6, or no descriptor left."""
    with contextlib.ExitStack() as unless_made:
        try:
            made = unless_made.enter_context(socket.socket(socket.AF_INET6, socket.SOCK_DGRAM))
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        except OSError:
            return None
        unless_made.pop_all()
        return made


def _listen(ear: socket.socket, port: int) -> None:
    _share(ear)
    ear.bind(("", port))
    ear.setblocking(False)


def _share(each: socket.socket) -> None:
    """Share the port with other programs of this machine: every ZRE node does, and each receives all broadcasts."""
    each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    each.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        with contextlib.suppress(OSError):  # some systems know the name of this option only
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
