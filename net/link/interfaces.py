"""The interfaces of this machine: addresses and broadcast addresses of IPv4, and links by which IPv6 multicasts leave.

Read again and again, because cables are plugged in and pulled. Only sending shows which addresses really carry
packets; some platforms list dead ones too.
"""

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import ifaddr

from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import family_of, host_of, is_ipv6, is_link_local_ipv6, is_loopback, socket_address
from quadrille.rules.squares import quoted

#: Interfaces by which Apple's machines talk among themselves, and which stay awake for each packet.
_APPLE_ONLY: Final = ("awdl", "llw")
#: An address behind the usual gateway (RFC 5737).
_ELSEWHERE: Final = "192.0.2.1"


@dataclass(frozen=True, slots=True)
class Interface:
    """One IPv4 address of the machine, or all IPv6 networks of an interface: a multicast leaves by its index."""

    name: str
    networks: tuple[ipaddress.IPv4Interface | ipaddress.IPv6Interface, ...]  # link-local ones of IPv6 first
    label: str = ""  # the interface's display name on Windows
    index: int = 0  # of an interface with IPv6

    @property
    def network(self) -> ipaddress.IPv4Interface | ipaddress.IPv6Interface:
        """The only network of IPv4, or the first of IPv6."""
        return self.networks[0]

    @property
    def has_ipv6(self) -> bool:
        return self.network.version == 6

    @property
    def address(self) -> str:
        return str(self.network.ip)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Our addresses as net/core/ip_addresses.py writes them."""
        of_a_link = f"%{self.index}" if self.has_ipv6 else ""
        return tuple(f"{network.ip}{of_a_link if network.ip.is_link_local else ''}" for network in self.networks)

    @property
    def broadcast(self) -> str | None:
        """The directed broadcast address, which leaves by no other interface; point-to-point links (many VPNs) and IPv6
        have none.
        """
        network = self.network.network
        return None if self.has_ipv6 or network.prefixlen >= 31 else str(network.broadcast_address)

    def admits(self, host: str) -> bool:
        """Return True if a packet from this host (net/core/ip_addresses.py) belongs to this interface."""
        if is_link_local_ipv6(host):
            return self.has_ipv6 and host.endswith(f"%{self.index}")
        if self.network.is_loopback and is_loopback(host):
            return True
        return any(ipaddress.ip_address(host) in network.network for network in self.networks)


def present() -> tuple[Interface, ...]:
    """Read the interfaces of this moment: those with IPv4, then those with IPv6. Leave out IPv6's loopback and Apple's
    own links, where IPv4 is enough.
    """
    with_ipv4, with_ipv6 = list[Interface](), list[Interface]()
    for adapter in ifaddr.get_adapters():
        ipv6 = []
        for ip in adapter.ips:
            if isinstance(ip.ip, str):
                network = ipaddress.IPv4Interface(f"{ip.ip}/{ip.network_prefix}")
                with_ipv4.append(Interface(adapter.name, (network,), adapter.nice_name))
            else:
                ipv6.append(ipaddress.IPv6Interface(f"{ip.ip[0].partition('%')[0]}/{ip.network_prefix}"))
        ipv6.sort(key=lambda one: not one.ip.is_link_local)
        if ipv6 and adapter.index and not adapter.name.startswith(_APPLE_ONLY) and not ipv6[0].ip.is_loopback:
            with_ipv6.append(Interface(adapter.name, tuple(ipv6), adapter.nice_name, adapter.index))
    return (*with_ipv4, *with_ipv6)


def usable(present: Sequence[Interface], chosen: Sequence[str] | None) -> tuple[Interface, ...]:
    """Select the interfaces chosen by name or address; by default all, but link-local ones of IPv4 only if there is
    nothing better.
    """
    if chosen is not None:
        wanted = {*chosen, *(interface.partition("%")[0] for interface in chosen)}
        return tuple(
            interface
            for interface in present
            if {interface.name, interface.label, *(str(each.ip) for each in interface.networks)} & wanted
        )
    with_ipv4 = [interface.network for interface in present if not interface.has_ipv6]
    better = any(not interface.is_link_local and not interface.is_loopback for interface in with_ipv4)
    return tuple(
        interface for interface in present if interface.has_ipv6 or not (better and interface.network.is_link_local)
    )


def usable_ipv4(chosen: Sequence[str] | None) -> tuple[Interface, ...]:
    return tuple(interface for interface in usable(present(), chosen) if not interface.has_ipv6)


def outside(chosen: Sequence[str] | None) -> tuple[str, ...]:
    """Return our addresses that mean something on other machines: those of IPv4 first, and the likeliest of them.

    A network of many has a broadcast address, and most tunnels have none; of several networks the one with the usual
    gateway is rather the Wi-Fi than a bridge of virtual machines.
    """
    gateway = facing(_ELSEWHERE)
    likely = sorted(
        usable(present(), chosen),
        key=lambda one: (one.has_ipv6, one.broadcast is None, one.network.is_link_local, one.address != gateway),
    )
    return tuple(
        str(network.ip)
        for interface in likely
        for network in interface.networks
        if not network.ip.is_loopback and not (interface.has_ipv6 and network.ip.is_link_local)
    )


def check(present: Sequence[Interface], chosen: Sequence[str] | None) -> None:
    """Raise a LocalError if a choice matches no interface, or if the machine has no network."""
    if not present:
        raise LocalError(
            "this machine has no network at all, not even within itself: bring up an interface, such as lo"
        )
    for choice in chosen or ():
        if not usable(present, [choice]):
            there = ", ".join(f"{interface.name} ({interface.address})" for interface in present)
            kind = "an address" if any(interface.has_ipv6 for interface in present) else "an IPv4 address"
            raise LocalError(f"there is no interface {quoted(choice)} with {kind}; there are {there}")


def facing(host: str) -> str:
    """Return our address as this host sees it: the source address the system would use. Send nothing."""
    try:
        with socket.socket(family_of(host), socket.SOCK_DGRAM) as probe:
            probe.connect(socket_address(host, 9))
            own = host_of(probe.getsockname())
    except OSError:  # no route, or no descriptors left
        own = None
    return own or ("::1" if is_ipv6(host) else "127.0.0.1")
