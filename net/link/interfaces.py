"""The IPv4 interfaces of this machine, their addresses and broadcast addresses.

Read again and again, because cables are plugged in and pulled. Only sending shows which addresses really carry
packets; some platforms list dead ones too.
"""

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass

import ifaddr

from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import family_of, host_of, is_ipv6, socket_address
from quadrille.rules.squares import quoted


@dataclass(frozen=True, slots=True)
class Interface:
    """One IPv4 address of the machine. Point-to-point links (many VPNs) have no broadcast address."""

    name: str
    network: ipaddress.IPv4Interface
    label: str = ""  # the interface's display name on Windows

    @property
    def address(self) -> str:
        return str(self.network.ip)

    @property
    def broadcast(self) -> str | None:
        """The directed broadcast address, which leaves by no other interface."""
        return str(self.network.network.broadcast_address) if self.network.network.prefixlen < 31 else None

    def admits(self, address: str) -> bool:
        """Whether a packet from this address belongs to this interface."""
        return ipaddress.IPv4Address(address) in self.network.network


def present() -> tuple[Interface, ...]:
    """The interfaces of this moment."""
    return tuple(
        Interface(adapter.name, ipaddress.IPv4Interface(f"{ip.ip}/{ip.network_prefix}"), adapter.nice_name)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if isinstance(ip.ip, str)
    )


def only_ipv6() -> dict[str, str]:
    """Interfaces other than the loopback with IPv6 but no IPv4, each with an address."""
    found = {}
    for adapter in ifaddr.get_adapters():
        sixes = [ip.ip[0] for ip in adapter.ips if not isinstance(ip.ip, str)]
        if sixes and len(sixes) == len(adapter.ips) and not ipaddress.IPv6Address(sixes[0]).is_loopback:
            found[adapter.name] = str(sixes[0])
    return found


def usable(found: Sequence[Interface], chosen: Sequence[str] | None) -> tuple[Interface, ...]:
    """The interfaces chosen by name or address; by default all, but link-local ones only if there is nothing better."""
    if chosen is not None:
        return tuple(one for one in found if {one.name, one.label, one.address} & set(chosen))
    better = any(not one.network.is_link_local and not one.network.is_loopback for one in found)
    return tuple(one for one in found if not (better and one.network.is_link_local))


def check(found: Sequence[Interface], chosen: Sequence[str] | None) -> None:
    """Raise a LocalError if a choice matches no interface, or if the machine has no network."""
    sixes = only_ipv6()
    if not found and sixes:
        there = ", ".join(f"{name} ({address})" for name, address in sixes.items())
        raise LocalError(
            f"this machine has IPv6 only ({there}), and this version needs IPv4: give an interface an IPv4 address, "
            "by DHCP or by hand such as 169.254.1.2 on a link without a router"
        )
    if not found:
        raise LocalError(
            "this machine has no network at all, not even within itself: bring up an interface, such as lo"
        )
    for choice in chosen or ():
        if choice in sixes or choice in sixes.values():
            raise LocalError(
                f"interface {quoted(choice)} has IPv6 only, and this version needs IPv4: give it an IPv4 address"
            )
        if not usable(found, [choice]):
            there = ", ".join(f"{one.name} ({one.address})" for one in found)
            raise LocalError(f"there is no interface {quoted(choice)} with an IPv4 address; there are {there}")


def facing(host: str) -> str:
    """Our address as this host sees it: the source address the system would use. Sends nothing."""
    try:
        with socket.socket(family_of(host), socket.SOCK_DGRAM) as probe:
            probe.connect(socket_address(host, 9))
            own = host_of(probe.getsockname())
    except OSError:  # no route, or no descriptors left
        own = None
    return own or ("::1" if is_ipv6(host) else "127.0.0.1")
