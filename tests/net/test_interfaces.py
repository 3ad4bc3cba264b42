"""Which networks there are, which of them are used, and what is said when there is none."""

import errno
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from ipaddress import IPv4Interface, IPv6Interface
from types import SimpleNamespace

import pytest

from quadrille.client.network.options import is_address
from quadrille.net.core.errors import LocalError
from quadrille.net.link import broadcast, interfaces
from quadrille.net.link.broadcast import Broadcast
from quadrille.net.link.interfaces import Interface, check, facing, outside, present, usable
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.net.neighbours.seeds import endpoints
from tests.net.ports import udp_port


def interface(name: str, network: str, label: str = "") -> Interface:
    return Interface(name, (IPv4Interface(network),), label)


LO = interface("lo", "127.0.0.1/8")
ETH = interface("eth0", "192.168.1.7/24")
LOCAL = interface("eth1", "169.254.3.4/16")
TUNNEL = interface("tun0", "10.8.0.2/32")
WINDOWS = interface("{4D36}", "10.0.0.5/8", "Ethernet 2")


def test_addresses_and_broadcasts() -> None:
    assert (LO.address, LO.broadcast) == ("127.0.0.1", "127.255.255.255")
    assert (ETH.address, ETH.broadcast) == ("192.168.1.7", "192.168.1.255")
    assert TUNNEL.broadcast is None
    assert ETH.admits("192.168.1.200") and not ETH.admits("192.168.2.1")


def test_link_local_only_where_there_is_nothing_better() -> None:
    assert usable([LO, LOCAL, ETH, TUNNEL], None) == (LO, ETH, TUNNEL)
    assert usable([LO, LOCAL], None) == (LO, LOCAL)
    assert usable([LO], None) == (LO,)


def test_chosen_by_name_label_or_address() -> None:
    found = [LO, LOCAL, ETH, WINDOWS]
    assert usable(found, ["eth1"]) == (LOCAL,)
    assert usable(found, ["10.0.0.5", "lo"]) == (LO, WINDOWS)
    assert usable(found, ["Ethernet 2"]) == (WINDOWS,)
    assert usable(found, ["eth7"]) == ()


def test_what_is_said_when_there_is_none() -> None:
    with pytest.raises(LocalError, match="no network at all"):
        check([], None)
    with pytest.raises(LocalError, match=r'no interface "eth7" .* lo \(127.0.0.1\), eth0 \(192.168.1.7\)'):
        check([LO, ETH], ["lo", "eth7"])
    check([LO], None)


def test_this_machine() -> None:
    assert any(one.network.is_loopback for one in present())
    assert facing("127.0.0.1") == "127.0.0.1"
    assert facing("no host") == "127.0.0.1"
    assert facing("::1") == facing("no:host") == "::1"


@contextmanager
def on_air(monkeypatch: pytest.MonkeyPatch, *found: Interface, chosen: list[str] | None = None) -> Iterator[Broadcast]:
    """Beacons on a machine that has these interfaces."""
    monkeypatch.setattr(broadcast, "present", lambda: found)
    with closing(Broadcast(udp_port(), chosen)) as air:
        air.open()
        yield air


def test_cables_are_plugged_in_and_pulled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second address of the loopback plays a network that comes and goes; the third one cannot be used."""
    other, wrong = interface("eth0", "127.0.0.2/8"), interface("eth1", "192.0.2.77/24")
    with on_air(monkeypatch, LO) as air:
        assert air.refresh() is False
        monkeypatch.setattr(broadcast, "present", lambda: (LO, other, wrong))
        assert air.refresh() is True
        assert list(air.troubles) == ["eth1"] and "no beacon leaves by eth1" in air.troubles["eth1"]
        air.announce(b"beacon", (), by_ipv6=False)
        heard = {address for address, datagram in air.heard() if datagram == b"beacon"}
        assert heard == {"127.0.0.1", "127.0.0.2"}
        monkeypatch.setattr(broadcast, "present", lambda: (LO,))
        air.refresh()
        air.announce(b"again", ["127.0.0.1"], by_ipv6=False)
        assert [datagram for _, datagram in air.heard()] == [b"again", b"again"]


def test_only_what_comes_by_chosen_interfaces_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "present", lambda: (LO, ETH))
    with closing(Broadcast(udp_port(), ["eth0"])) as air:
        assert not air.admits("127.0.0.1")
        air._mouths[ETH] = air._ear
        assert air.admits("192.168.1.1") and not air.admits("127.0.0.1")


def test_the_wifi_comes_before_bridges_and_tunnels(monkeypatch: pytest.MonkeyPatch) -> None:
    docker, wlan = interface("docker0", "172.17.0.1/16"), interface("wlan0", "192.168.1.5/24")
    monkeypatch.setattr(interfaces, "present", lambda: (LO, TUNNEL, docker, wlan))
    monkeypatch.setattr(interfaces, "facing", lambda _: wlan.address)
    assert outside(None) == (wlan.address, docker.address, TUNNEL.address)
    monkeypatch.setattr(interfaces, "facing", lambda _: TUNNEL.address)  # all traffic goes through the tunnel
    assert outside(None)[-1] == TUNNEL.address
    assert outside(["lo"]) == ()


class Adapter:
    """An adapter as ifaddr tells of it."""

    def __init__(self, name: str, index: int, *addresses: str | tuple[str, int, int]) -> None:
        self.name = self.nice_name = name
        self.index = index
        self.ips = [
            SimpleNamespace(ip=address, network_prefix=24 if type(address) is str else 64) for address in addresses
        ]


LOOPBACK = Adapter("lo", 1, "127.0.0.1", ("::1", 0, 0))


def test_interfaces_with_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    eth = Adapter("eth0", 2, ("fd77::1", 0, 0), ("fe80::1", 0, 2))
    both = Adapter("wlan0", 3, "192.168.1.7", ("fe80::7%3", 0, 3))
    monkeypatch.setattr("ifaddr.get_adapters", lambda: [LOOPBACK, eth, both, Adapter("awdl0", 4, ("fe80::9", 0, 4))])
    found = tuple(one for one in present() if one.has_ipv6)
    assert [(one.name, one.index, one.address) for one in found] == [("eth0", 2, "fe80::1"), ("wlan0", 3, "fe80::7")]
    assert found[0].hosts == ("fe80::1%2", "fd77::1")
    assert outside(None) == ("192.168.1.7", "fd77::1")
    assert usable(found, None) == found
    for choice in ("eth0", "fe80::1", "fe80::1%eth0", "fd77::1"):
        assert usable(found, [choice]) == found[:1]
    assert usable(found, ["192.168.1.7"]) == ()


def test_packets_of_an_interface_with_ipv6() -> None:
    eth = Interface("eth0", (IPv6Interface("fe80::1/64"), IPv6Interface("fd77::1/64")), index=2)
    assert eth.admits("fe80::7%2") and eth.admits("fd77::7")
    assert not eth.admits("fe80::7%3") and not eth.admits("fe80::7%22") and not eth.admits("fd78::7")
    assert not eth.admits("10.0.0.1") and not ETH.admits("fd77::7")


def test_a_machine_with_ipv6_only_has_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    eth = Interface("eth0", (IPv6Interface("fe80::1/64"),), index=2)
    check([eth], None)
    check([LO, eth], ["eth0"])
    check([LO, eth], ["fe80::1%eth0"])
    with pytest.raises(
        LocalError, match=r'no interface "eth7" with an address; there are lo \(127.0.0.1\), eth0 \(fe80::1\)'
    ):
        check([LO, eth], ["eth7"])


def test_a_machine_without_ipv6_makes_no_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its kernel has no IPv6 at all, or has it without any address."""
    made = socket.socket

    def without(family: int = -1, *arguments: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return made(family, *arguments)

    for maker in (made, without):
        monkeypatch.setattr(broadcast.socket, "socket", maker)
        with on_air(monkeypatch, LO) as air:
            air.announce(b"beacon", ["fd77::1", "fe80::1%9"], by_ipv6=True)
            assert [datagram for _, datagram in air.heard()] == [b"beacon"]
            assert air.troubles == {}
            assert len(air.ears) == (2 if maker is made and socket.has_ipv6 else 1)


def test_multicasts_that_do_not_leave_are_said_only_where_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interface with this index is none. Where IPv4 works, it is not missed."""
    gone = Interface("eth9", (IPv6Interface("fe80::1/64"),), index=999_999)
    for chosen in (None, ["eth9"]):
        with on_air(monkeypatch, LO, gone, chosen=chosen) as air:
            air.announce(b"beacon", (), by_ipv6=True)
            assert "no beacon leaves by eth9" in air.troubles["eth9"]
    monkeypatch.setattr(broadcast, "present", lambda: (LO, ETH, gone))
    with closing(Broadcast(udp_port(), None)) as air:
        air._mouths[ETH] = air._ear
        air.refresh()
        assert air.troubles == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[fd77::1]:50000", Endpoint("fd77::1", 50000)),
        ("[fd77::1]", Endpoint("fd77::1", 0)),
        ("FD77:0::1", Endpoint("fd77::1", 0)),
        ("::1", Endpoint("::1", 0)),
        ("fe80::1%1", Endpoint("fe80::1%1", 0)),
        ("[fe80::1%1]:80", Endpoint("fe80::1%1", 80)),
        ("127.0.0.1:80", Endpoint("127.0.0.1", 80)),
        ("127.0.0.1", Endpoint("127.0.0.1", 0)),
    ],
)
def test_an_address_is_read(text: str, found: Endpoint) -> None:
    assert endpoints(text) == [found]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("fe80::1", r"on every link: say by which interface of this machine, as in fe80::1%eth0"),
        ("[FE80::1]:80", r"on every link"),
        ("fe80::1%no-such", "is found"),
        ("::ffff:10.0.0.1", "is found"),
        ("ff02::1%1", "is found"),
        ("::", "is found"),
        ("[fd77::1", r"is no peer's address: .* in brackets, as in \[fd77::1\]:50000"),
        ("[fd77::1]:", "is no peer's address"),
        ("[fd77::1]50000", "is no peer's address"),
        ("[fd77::1]:65536", "is no peer's address"),
        ("[10.0.0.1]:80", "is no peer's address"),
        ("[]:80", "is no peer's address"),
        ("1:2:3", "is found"),
        *((f"127.0.0.1:{port}", "is no peer's address") for port in ("", "0", "65536", "9" * 5000, "１", "+1")),
    ],
)
def test_what_is_no_address_of_a_machine_is_refused(text: str, why: str) -> None:
    with pytest.raises(LocalError, match=why):
        endpoints(text)


def test_what_a_person_types_is_an_address_or_not() -> None:
    assert (
        is_address("[fd77::1]:50000") and is_address("fd77::1") and is_address("fe80::1%eth0") and is_address("host:80")
    )
    assert not is_address("Ann") and not is_address("3f2a") and not is_address("host:" + "1" * 5000)
