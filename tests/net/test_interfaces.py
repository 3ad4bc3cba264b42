"""Which networks there are, which of them are used, and what is said when there is none."""

from ipaddress import IPv4Interface
from types import SimpleNamespace

import pytest

from quadrille.client.network.options import is_address
from quadrille.net.core.errors import LocalError
from quadrille.net.link import broadcast
from quadrille.net.link.broadcast import Broadcast
from quadrille.net.link.interfaces import Interface, check, facing, only_ipv6, present, usable
from quadrille.net.neighbours.neighbour import Endpoint
from quadrille.net.neighbours.seeds import endpoints
from tests.net.ports import udp_port


def interface(name: str, network: str, label: str = "") -> Interface:
    return Interface(name, IPv4Interface(network), label)


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


def test_cables_are_plugged_in_and_pulled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second address of the loopback plays a network that comes and goes; the third one cannot be used."""
    other, wrong = interface("eth0", "127.0.0.2/8"), interface("eth1", "192.0.2.77/24")
    found = [LO]
    monkeypatch.setattr(broadcast, "present", lambda: tuple(found))
    port = udp_port()
    air = Broadcast(port, None)
    air.open()
    try:
        assert air.refresh() is False
        found[:] = [LO, other, wrong]
        assert air.refresh() is True
        assert list(air.troubles) == ["eth1"] and "no beacon leaves by eth1" in air.troubles["eth1"]
        air.announce(b"beacon", (), by_ipv6=False)
        heard = {address for address, datagram in air.heard() if datagram == b"beacon"}
        assert heard == {"127.0.0.1", "127.0.0.2"}
        found[:] = [LO]
        air.refresh()
        air.announce(b"again", ["127.0.0.1"], by_ipv6=False)
        assert [datagram for _, datagram in air.heard()] == [b"again", b"again"]
    finally:
        air.close()


def test_only_what_comes_by_chosen_interfaces_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "present", lambda: (LO, ETH))
    air = Broadcast(udp_port(), ["eth0"])
    try:
        assert not air.admits("127.0.0.1")
        air._mouths[ETH] = air._ear
        assert air.admits("192.168.1.1") and not air.admits("127.0.0.1")
    finally:
        air.close()


class Adapter:
    """An adapter as ifaddr tells of it."""

    def __init__(self, name: str, *addresses: str | tuple[str, int, int]) -> None:
        self.name = self.nice_name = name
        self.ips = [SimpleNamespace(ip=address, network_prefix=24) for address in addresses]


def test_n8_a_machine_with_ipv6_only_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    adapters = [Adapter("lo", ("::1", 0, 0)), Adapter("eth0", ("fd77::1", 0, 0), ("fe80::1", 0, 2))]
    monkeypatch.setattr("ifaddr.get_adapters", lambda: adapters)
    assert present() == ()
    assert only_ipv6() == {"eth0": "fd77::1"}
    with pytest.raises(LocalError, match=r"has IPv6 only \(eth0 \(fd77::1\)\), and this version needs IPv4: give"):
        check(present(), None)
    with pytest.raises(LocalError, match='interface "eth0" has IPv6 only'):
        check([LO], ["eth0"])
    adapters[1] = Adapter("eth0", ("fe80::1", 0, 2), "192.168.1.7")
    assert only_ipv6() == {}


@pytest.mark.parametrize("text", ["[fd77::1]:50000", "[fd77::1]", "fd77::1", "::1", "fe80::1%eth0", "[fe80::1%2]:80"])
def test_n8_an_ipv6_address_is_understood_and_refused(text: str) -> None:
    with pytest.raises(LocalError, match="is an IPv6 address, and this version speaks IPv4 only"):
        endpoints(text)


@pytest.mark.parametrize("text", ["host:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:" + "9" * 5000, "h:１", "h:+1"])
def test_n8_what_is_no_port_is_refused(text: str) -> None:
    with pytest.raises(LocalError, match="is no peer's address"):
        endpoints(text)


def test_n8_addresses_of_ipv4_are_read() -> None:
    assert endpoints("127.0.0.1:80") == [Endpoint("127.0.0.1", 80)]
    assert endpoints("127.0.0.1") == [Endpoint("127.0.0.1", 0)]
    assert is_address("[fd77::1]:50000") and is_address("fd77::1") and is_address("host:80")
    assert not is_address("Ann") and not is_address("3f2a") and not is_address("host:" + "1" * 5000)
