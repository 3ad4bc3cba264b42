"""Peers of IPv4, of IPv6 and of both on one link: who meets whom, by what, how many beacons that takes, and what limits
count. Real hosts are in lan_scenes.py.
"""

import errno
import socket

import pytest

from quadrille.net.core.doorkeeper import PACES
from quadrille.net.link import node
from quadrille.net.link.broadcast import GROUP
from quadrille.net.neighbours.neighbour import Endpoint, NeighbourLimits, PeerMet
from quadrille.net.neighbours.neighbours import IPV6_BEACON, MISSED_OF_MANY, MOST_CONTACTS, BeaconLog, Neighbour
from quadrille.net.zeromq.zre import Hello
from tests.documents import section
from tests.net.party import Party
from tests.net.ports import udp_port
from tests.net.street import Desk, House, Street
from tests.net.tables import identity

FOUR, SIX = "10.0.0.{}", "fe80::{}%2"


def houses(street: Street, *kinds: tuple[str, ...]) -> list[House]:
    """A peer of our kind with these kinds of addresses."""
    return [
        street.build(f"h{number}", *(kind.format(number) for kind in own), identity=identity(number))
        for number, own in enumerate(kinds, 1)
    ]


def test_where_both_have_ipv4_it_is_used_and_there_is_one_link_each_way() -> None:
    street = Street()
    there = houses(street, *[(FOUR, SIX)] * 4)
    street.run(60_000)
    met = {event.peer.address for house in there for event in house.events if isinstance(event, PeerMet)}
    assert met == {FOUR.format(number) for number in range(1, 5)}
    assert [len(house.peers()) for house in there] == [3] * 4
    assert street.dials == 12 and all(len(house.wires) == 3 for house in there)


def test_one_of_each_kind_and_one_of_both() -> None:
    street = Street()
    four, six, both = houses(street, (FOUR,), (SIX,), (FOUR, SIX))
    street.run(20_000)
    assert both.peers() == {"h1", "h2"} and four.peers() == six.peers() == {"h3"}
    assert both.machine.beacons_heard.count(street.now) == 2
    heard = six.machine.get(both.id)
    assert heard and heard.beacon_at is not None, "whoever has IPv6 alone hears all beacons of those that have both"


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("kinds", "by_ipv4", "by_ipv6"),
    [
        ([(FOUR,)] * 3, 1, 0),
        ([(SIX,)] * 3, 0, 1),
        ([(FOUR, SIX)] * 3, 1, 1 / IPV6_BEACON),  # not twice as many
        ([(FOUR, SIX), (FOUR, SIX), (SIX,)], 2 / 3, 1),
    ],
    ids=["IPv4", "IPv6", "both", "one without IPv4"],
)
def test_beacons_a_second_of_each_peer(kinds: list[tuple[str, ...]], by_ipv4: float, by_ipv6: float) -> None:
    street, seconds = Street(), 180
    houses(street, *kinds)
    street.run(10_000)
    street.announced.clear()
    street.run(1000 * seconds)
    found = [street.announced[kind] / seconds / len(kinds) for kind in ("IPv4", "IPv6")]
    assert found == pytest.approx([by_ipv4, by_ipv6], abs=0.03)


def test_numbers_in_the_document() -> None:
    text = " ".join(section("IPv6", "discovery").split())
    assert IPV6_BEACON == 10 and "multicasts the first, every tenth, and the last" in text
    assert MISSED_OF_MANY == 5 and "no broadcast of that identity has come for five intervals" in text
    assert f"`{GROUP}`" in text
    limits = NeighbourLimits()
    assert f"{PACES[0].units} a second, {PACES[0].burst} at once | twice as many" in text
    assert f"| streams that stand beside others | {limits.rivals_each} | {limits.rivals // 2} |" in text


def test_ipv4_is_where_a_peer_is_as_long_as_it_is_heard_there() -> None:
    ear = BeaconLog(1000)
    four, six = Endpoint("10.0.0.1", 5), Endpoint("fe80::1%2", 5)
    ear.note(b"peer", six, 0)
    assert ear.where(b"peer") == six and ear.needs_ipv6(0)
    ear.note(b"peer", four, 100)
    ear.note(b"peer", six, 200)
    assert ear.where(b"peer") == four
    later = 100 + 1000 * MISSED_OF_MANY
    assert not ear.needs_ipv6(later)
    ear.note(b"peer", six, later + 1)
    assert ear.where(b"peer") == six and ear.needs_ipv6(later + 1)
    ear.note(b"seed", Endpoint("fd77::1", 5), 2 * later + 2)
    assert not ear.needs_ipv6(2 * later + 2), "a seed beyond our links does not hear multicasts"


def test_addresses_of_ipv4_are_tried_first_and_none_is_lost_for_a_new_one() -> None:
    neighbour = Neighbour(b"peer")
    assert neighbour.learn(Endpoint("fe80::1%2", 5), hearsay=False)
    for number in range(MOST_CONTACTS + 2):
        assert neighbour.learn(Endpoint(f"10.0.0.{number}", 5), hearsay=False)
    new = Endpoint("fe80::2%2", 5)
    assert neighbour.learn(new, hearsay=False) and not neighbour.learn(new, hearsay=False)
    assert len(neighbour.contacts) == MOST_CONTACTS and neighbour.contacts[-1] == new
    relayed = Endpoint("240.1.0.1", 5)
    assert neighbour.learn(relayed, hearsay=False) and neighbour.contacts[-1] == relayed, "a relay only where need be"


def test_a_link_local_address_is_told_to_nobody() -> None:
    street = Street()
    six, both, other = houses(street, (SIX,), (FOUR, SIX), (FOUR, SIX))
    street.run(5000)
    assert both.machine.introducible(six.id, other.id) is None and both.peers() == {"h1", "h3"}
    assert both.machine.introducible(other.id, six.id) == Endpoint("10.0.0.3", other.machine.port)


def evicted(newcomer: str, *hosts: str) -> str | None:
    """The address that loses a place to a newcomer, where peers have come from these, in this order."""
    machine = Desk(NeighbourLimits(peers=len(hosts))).machine
    for number, host in enumerate(hosts):
        one = machine._add(bytes([number]) * 16, None)
        one.begin(Hello(1, "tcp://x:1", (), 0, "", ()), one.way, Endpoint(host, 5), None, number)
    least = machine._least(b"n" * 16, newcomer, 100, proves=False)
    return None if least is None else least.host


def test_neighbours_on_a_link_have_a_place_each_and_a_crowd_has_half_of_all() -> None:
    """An address is an address, but one machine can have all those of a network."""
    half = ("fe80::1%2", "fe80::2%2", "10.0.0.1", "10.0.0.2")
    assert evicted("10.0.0.3", *half) is None and evicted("fe80::3%2", *half) is None
    crowd = ("10.0.0.1", "fe80::1%2", "fe80::2%2", "fe80::3%2")
    assert evicted("10.0.0.3", *crowd) == evicted("fe80::3%3", *crowd) == "fe80::1%2"
    assert evicted("fe80::4%2", *crowd) is None
    assert evicted("fe80::3%2", "fe80::1%2", "fe80::2%2", "fe80::2%2", "10.0.0.1") == "fe80::2%2"


def test_streams_that_stand_beside_others_are_few_from_an_address_and_from_a_network() -> None:
    machine = Desk().machine
    limits = machine.limits

    def stand(number: int, host: str) -> None:
        rival = Neighbour(bytes([number]) * 16)
        rival.came_from, rival.way, rival.since = Endpoint(host, 5), number + 1, number
        machine._rivals.append(rival)

    def surplus(host: str) -> str | None:
        one = machine._surplus_rival(b"n" * 16, host)
        return None if one is None else one.host

    for number in range(limits.rivals_each):
        stand(number, "fd77::1")
    assert surplus("fd77::1") == "fd77::1" and surplus("fd77::2") is None
    for number in range(limits.rivals_each, limits.rivals // 2):
        stand(number, f"fd77::1:{number}")
    assert surplus("fd77::2") == "fd77::1" and surplus("fd78::1") is None


def test_connections_come_at_the_pace_of_their_address(party: Party) -> None:
    """How many have a place, of an address or a network: test_doorkeeper.py."""
    acceptor = party.invite("ann").node._lines
    ends: list[socket.socket] = []

    def comes(host: str) -> bool:
        mine, theirs = socket.socketpair()
        mine.setblocking(False)
        ends.append(theirs)
        before = len([*acceptor._doors])
        acceptor.adopt(mine, host, 0)
        return len([*acceptor._doors]) > before

    assert sum(comes("fd78::1") for _ in range(2 * PACES[0].burst)) == PACES[0].burst and comes("fd78::2")
    for each in ends:
        each.close()


def test_a_seed_with_an_address_of_ipv6_is_called(party: Party) -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    ann = party.invite("ann")
    bob = party.invite("bob", port=udp_port(), seeds=[f"[::1]:{ann.node.tcp_port}"])
    party.until_all_met()
    assert {peer.address for guest in (ann, bob) for peer in guest.node.neighbours.peers()} == {"::1"}
    ann.node.neighbours.whisper(bob.id, b"hello")
    party.until(lambda: bob.said() == [("ann", b"hello")])


def test_a_node_without_ipv6_listens_with_ipv4_alone(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    listen = node._listener

    def without_ipv6(family: socket.AddressFamily, port: int) -> socket.socket:
        if family is socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return listen(family, port)

    monkeypatch.setattr(node, "_listener", without_ipv6)
    ann, _ = party.invite("ann"), party.invite("bob")
    assert [one.family for one in ann.node._lines.listeners] == [socket.AF_INET]
    party.until_all_met()
