"""The interfaces of this machine: addresses and broadcast addresses of IPv4, and links by which IPv6 multicasts leave.

Read again and again, because cables are plugged in and pulled. Only sending shows which addresses really carry
packets; some platforms list dead ones too.
"""

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

import ifaddr

from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import family_of, host_of, is_ipv6, is_link_local_ipv6, is_loopback, socket_address
from quadrille.rules.squares import quoted

#: Interfaces by which Apple's machines talk among themselves, and which stay awake for each packet.
_APPLE_ONLY: Final = ("awdl", "llw")


@dataclass(frozen=True, slots=True)
class Interface:
    """One IPv4 address of the machine. Point-to-point links (many VPNs) have no broadcast address."""

    family: ClassVar = socket.AF_INET
    name: str
    network: ipaddress.IPv4Interface
    label: str = ""  # the interface's display name on Windows

    @property
    def address(self) -> str:
        return str(self.network.ip)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Our address in a tuple of one, for an interface with IPv6 has several."""
        return (self.address,)

    @property
    def broadcast(self) -> str | None:
        """The directed broadcast address, which leaves by no other interface."""
        return str(self.network.network.broadcast_address) if self.network.network.prefixlen < 31 else None

    def admits(self, address: str) -> bool:
        """Whether a packet from this address belongs to this interface."""
        if is_ipv6(address):
            return self.network.is_loopback and is_loopback(address)
        return ipaddress.IPv4Address(address) in self.network.network


@dataclass(frozen=True, slots=True)
class Ipv6Interface:
    """An interface with IPv6, whether or not it has IPv4 too. A multicast leaves by its index."""

    family: ClassVar = socket.AF_INET6
    broadcast: ClassVar = None
    name: str
    index: int
    addresses: tuple[ipaddress.IPv6Interface, ...]  # link-local ones first
    label: str = ""

    @property
    def address(self) -> str:
        return str(self.addresses[0].ip)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Our addresses as net/core/ip_addresses.py writes them."""
        return tuple(f"{one.ip}%{self.index}" if one.ip.is_link_local else str(one.ip) for one in self.addresses)

    def admits(self, host: str) -> bool:
        """Whether a packet from this host (net/core/ip_addresses.py) belongs to this interface."""
        if is_link_local_ipv6(host):
            return host.endswith(f"%{self.index}")
        return is_ipv6(host) and any(ipaddress.IPv6Address(host) in one.network for one in self.addresses)


AnyInterface: TypeAlias = Interface | Ipv6Interface


def present() -> tuple[Interface, ...]:
    """The interfaces of this moment."""
    return tuple(
        Interface(adapter.name, ipaddress.IPv4Interface(f"{ip.ip}/{ip.network_prefix}"), adapter.nice_name)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if isinstance(ip.ip, str)
    )


def present_ipv6() -> tuple[Ipv6Interface, ...]:
    """The interfaces of this moment that have IPv6, without the loopback, on which IPv4 is enough."""
    found = []
    for adapter in ifaddr.get_adapters():
        addresses = [
            ipaddress.IPv6Interface(f"{ip.ip[0].partition('%')[0]}/{ip.network_prefix}")
            for ip in adapter.ips
            if not isinstance(ip.ip, str)
        ]
        addresses.sort(key=lambda one: not one.ip.is_link_local)
        if addresses and adapter.index and not adapter.name.startswith(_APPLE_ONLY) and not addresses[0].ip.is_loopback:
            found.append(Ipv6Interface(adapter.name, adapter.index, tuple(addresses), adapter.nice_name))
    return tuple(found)


def usable_ipv6(found: Sequence[Ipv6Interface], chosen: Sequence[str] | None) -> tuple[Ipv6Interface, ...]:
    """Those chosen by name or by an IPv6 address; by default all."""
    if chosen is None:
        return tuple(found)
    wanted = {one.partition("%")[0] for one in chosen}
    return tuple(
        one for one in found if {one.name, one.label, *(str(address.ip) for address in one.addresses)} & wanted
    )


def usable(found: Sequence[Interface], chosen: Sequence[str] | None) -> tuple[Interface, ...]:
    """The interfaces chosen by name or address; by default all, but link-local ones only if there is nothing better."""
    if chosen is not None:
        return tuple(one for one in found if {one.name, one.label, one.address} & set(chosen))
    better = any(not one.network.is_link_local and not one.network.is_loopback for one in found)
    return tuple(one for one in found if not (better and one.network.is_link_local))


def outside(chosen: Sequence[str] | None) -> tuple[str, ...]:
    """Our addresses that mean something on other machines, those of IPv4 first."""
    with_ipv6 = usable_ipv6(present_ipv6(), chosen)
    return (
        *(one.address for one in usable(present(), chosen) if not one.network.is_loopback),
        *(str(one.ip) for interface in with_ipv6 for one in interface.addresses if not one.ip.is_link_local),
    )


def check(found: Sequence[Interface], chosen: Sequence[str] | None, with_ipv6: Sequence[Ipv6Interface] = ()) -> None:
    """Raise a LocalError if a choice matches no interface, or if the machine has no network."""
    if not found and not with_ipv6:
        raise LocalError(
            "this machine has no network at all, not even within itself: bring up an interface, such as lo"
        )
    for choice in chosen or ():
        if not usable(found, [choice]) and not usable_ipv6(with_ipv6, [choice]):
            there_are: Sequence[AnyInterface] = (*found, *with_ipv6)
            there = ", ".join(f"{one.name} ({one.address})" for one in there_are)
            kind = "an address" if with_ipv6 else "an IPv4 address"
            raise LocalError(f"there is no interface {quoted(choice)} with {kind}; there are {there}")


def facing(host: str) -> str:
    """Our address as this host sees it: the source address the system would use. Sends nothing."""
    try:
        with socket.socket(family_of(host), socket.SOCK_DGRAM) as probe:
            probe.connect(socket_address(host, 9))
            own = host_of(probe.getsockname())
    except OSError:  # no route, or no descriptors left
        own = None
    return own or ("::1" if is_ipv6(host) else "127.0.0.1")
