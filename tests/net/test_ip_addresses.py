"""Addresses of IPv4 and IPv6: how they are written, what is none, and what limits count as one."""

import pytest

from quadrille.net.core.ip_addresses import bracketed, crowd_of, host_of, is_host, socket_address
from quadrille.net.neighbours.neighbour import Endpoint


@pytest.mark.parametrize(
    ("address", "host"),
    [
        (("10.0.0.1", 5670), "10.0.0.1"),
        (("fd77:0:0::1", 5670, 0, 0), "fd77::1"),
        (("fe80::1", 5670, 0, 2), "fe80::1%2"),
        (("fe80::1%eth0", 5670, 0, 2), "fe80::1%2"),
        (("::1", 5670, 0, 0), "::1"),
        (("fe80::1", 5670, 0, 0), None),  # on which link?
        (("::ffff:10.0.0.1", 5670, 0, 0), None),
        (("::", 5670, 0, 0), None),
        (("ff02::1", 5670, 0, 2), None),
        (("nonsense", 5670, 0, 2), None),
    ],
)
def test_the_host_of_a_packet(address: tuple[object, ...], host: str | None) -> None:
    assert host_of(address) == host


def test_the_addresses_that_one_machine_can_have() -> None:
    assert crowd_of("10.0.0.1") == "10.0.0.1"
    assert crowd_of("fd77::1") == crowd_of("fd77::ffff:1") != crowd_of("fd77:0:0:1::1")
    assert crowd_of("fe80::1%2") == crowd_of("fe80::2%2") != crowd_of("fe80::1%3")
    assert crowd_of("a:posting says what it likes") == "a:posting says what it likes"


@pytest.mark.parametrize(("hosts", "are"), [
    ("10.0.0.1 fd77::1 2001:db8::1 ::1 127.0.0.1", True),
    (" fe80::1 fe80::1%2 ::ffff:10.0.0.1 :: ff02::1 fd77:0::1 FD77::1 0.0.0.0 240.1.0.1", False),
])  # fmt: skip
def test_an_address_of_one_machine_that_others_may_be_told(hosts: str, are: bool) -> None:
    assert {is_host(host) for host in hosts.split(" ")} == {are}


def test_an_address_for_a_socket() -> None:
    assert socket_address("10.0.0.1", 9) == ("10.0.0.1", 9)
    assert socket_address("fe80::1%2", 9) == ("fe80::1", 9, 0, 2)
    for wrong in ("fe80::1%eth0", "fe80::1%-1", "fe80::1%" + "9" * 5000, "fe80::1%１"):
        with pytest.raises(OSError, match="no index of an interface"):
            socket_address(wrong, 9)


def test_an_endpoint_in_a_hello_names_no_interface_of_ours() -> None:
    assert str(Endpoint("10.0.0.1", 49152)) == "tcp://10.0.0.1:49152"
    assert str(Endpoint("fe80::1%2", 49152)) == "tcp://[fe80::1]:49152"
    assert bracketed("fd77::1") == "[fd77::1]"
