"""Programs that meet over real relays on loopback. extras/far/docs/relay.md."""

import ipaddress
import socket
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from extras.far.tests.test_relay import running
from quadrille.client.words.network.absent_peers import missing
from quadrille.extras.far.link.relay_link import PlaceReport
from quadrille.extras.far.link.relay_links import RelayLinks
from quadrille.extras.far.relay import frames
from quadrille.extras.far.relay.exchange import PassOn
from quadrille.extras.far.relay.frames import Frame, FrameKind
from quadrille.extras.far.relay.ticket import MeetingPlace, Ticket
from quadrille.extras.far.table_ticket import way_of
from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import is_virtual
from quadrille.net.program.station import Station


def words_for(port: int, *more: int, secret: int = 1) -> Ticket:
    """The keys of one secret are computed once."""
    return Ticket(tuple(MeetingPlace(ipaddress.ip_address("127.0.0.1"), one) for one in (port, *more)), secret)


def station(folder: Path, name: str, ticket: Ticket, own_place: MeetingPlace | None = None) -> Station:
    return Station(name, "person", folder=folder / name, far=way_of(ticket, own_place).far, interfaces=())


def reports(one: Station) -> list[PlaceReport]:
    """What a program knows of the relays of its ticket."""
    assert isinstance(one.node.overlay, RelayLinks)
    return one.node.overlay.reports()


def turn_until_met(*stations: Station, others: int = 1) -> None:
    for _ in range(2000):
        for one in stations:
            one.turn(5)
        if all(len(one.lobby.here) == others for one in stations):
            return
    raise AssertionError([(reports(one), one.node.counts, one.node.halfway()) for one in stations])


def test_two_programs_meet_over_a_relay_alone(tmp_path: Path) -> None:
    with running() as server:
        ticket = words_for(server.port)
        with station(tmp_path, "ann", ticket) as ann, station(tmp_path, "bob", ticket) as bob:
            turn_until_met(ann, bob)
            [peer] = ann.node.peers()
            assert is_virtual(peer.address) and ann.node.introducible(peer.id, bytes(16)) is None
            assert server.exchange.counts == {}


def test_three_programs_meet_over_two_relays_of_which_one_is_dead(tmp_path: Path) -> None:
    with running() as dead:
        port = dead.port
    with running() as server, ExitStack() as stack:
        ticket = words_for(port, server.port)
        people = [stack.enter_context(station(tmp_path, name, ticket)) for name in ("ann", "bob", "cyd")]
        turn_until_met(*people, others=2)
        first, second = reports(people[0])
        assert first.trouble == "no program listens there" and not second.trouble
        [said] = missing(people[0])
        assert first.trouble in said


def test_a_host_is_reached_at_its_own_relay(tmp_path: Path) -> None:
    with running() as free:
        port = free.port
    ticket = words_for(port)
    with station(tmp_path, "ann", ticket, own_place=ticket.places[0]) as ann, station(tmp_path, "bob", ticket) as bob:
        turn_until_met(ann, bob)


def test_a_host_is_reached_by_ipv6(tmp_path: Path) -> None:
    """Its node knows IPv4 only; only the connection to a relay knows more."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6) as free:
            port = free.getsockname()[1]
    except OSError:
        pytest.skip("this machine has no IPv6")
    ticket = Ticket((MeetingPlace(ipaddress.ip_address("::1"), port),), 1)
    with station(tmp_path, "ann", ticket, own_place=ticket.places[0]) as ann, station(tmp_path, "bob", ticket) as bob:
        turn_until_met(ann, bob)


def test_a_relay_sees_no_byte_that_it_knows(tmp_path: Path) -> None:
    """Keys, identities, names, the secret and the words of ZMTP: none of it is in what passes."""
    seen = bytearray()
    with running() as server:
        read = server.exchange.read

        def reads(connection: int, data: bytes, now: int) -> int:
            seen.extend(data)
            return read(connection, data, now)

        server.exchange.read = reads  # type: ignore[method-assign]
        ticket = words_for(server.port)
        with station(tmp_path, "ann", ticket) as ann, station(tmp_path, "bob", ticket) as bob:
            turn_until_met(ann, bob)
            known = [
                *(part for one in (ann.identity, bob.identity) for part in (one.key, one.peer, one.curve().public)),
                *(b"CURVE", b"ZRE", b"DEALER", b"READY", b"HELLO", b"X-GAME", b"quadrille", b"ann", b"bob"),
                ticket.keys.seal, ticket.keys.room.passphrase.encode(), ticket.secret.to_bytes(8, "big"),
            ]  # fmt: skip
    assert len(seen) > 2000 and ticket.keys.number in seen
    assert [part for part in known if part in seen] == []


def test_another_ticket_is_another_meeting_at_the_same_relay(tmp_path: Path) -> None:
    with running() as server, ExitStack() as stack:
        mine, other = words_for(server.port), words_for(server.port, secret=2)
        people = [stack.enter_context(station(tmp_path, name, mine)) for name in ("ann", "bob")]
        eve = stack.enter_context(station(tmp_path, "eve", other))
        turn_until_met(*people)
        while len(server.exchange._meetings) < 2:
            eve.turn(50)
        assert not eve.lobby.here


def trouble_after(folder: Path, answer: bytes) -> str:
    """What a program says of a relay that answers so and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as stack:
        ann = stack.enter_context(station(folder, "ann", words_for(listener.getsockname()[1])))
        ann.turn(20)
        accepted, _ = listener.accept()
        with accepted:
            accepted.sendall(answer)
        for _ in range(1000):
            ann.turn(5)
            if trouble := reports(ann)[0].trouble:
                return trouble
    raise AssertionError("it says nothing")


def test_a_program_that_is_no_relay_is_named(tmp_path: Path) -> None:
    assert trouble_after(tmp_path, b"HTTP/1.1 400 Bad Request\r\n\r\n") == "what listens there is no relay"


@pytest.mark.parametrize(
    ("body", "words"),
    [(b"\1\2", "this program is older"), (b"\1\0", "it is older"), (b"\2\1", "it is full"), (b"\x09\1", "it refuses")],
)
def test_a_relay_that_refuses_is_told_of_in_words(tmp_path: Path, body: bytes, words: str) -> None:
    assert words in trouble_after(tmp_path, Frame(FrameKind.REFUSED, body).packed)


def test_the_relay_of_a_host_serves_its_own_meeting_alone(tmp_path: Path) -> None:
    with running() as free:
        port = free.port
    mine, other = words_for(port), words_for(port, secret=2)
    with (
        station(tmp_path, "ann", mine, own_place=mine.places[0]) as ann,
        station(tmp_path, "eve", other) as eve,
    ):
        for _ in range(1000):
            ann.turn(5)
            eve.turn(5)
            if trouble := reports(eve)[0].trouble:
                break
        assert trouble == "it is full"


def test_a_port_that_is_taken_keeps_a_host_from_starting(tmp_path: Path) -> None:
    with running() as server:
        ticket = words_for(server.port)
        with pytest.raises(LocalError, match=f"TCP port {server.port} is taken"):
            station(tmp_path, "ann", ticket, own_place=ticket.places[0]).start()


def test_programs_meet_over_a_relay_that_repeats_and_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parcels come twice and later again, bytes of nobody among them, and words about members that are not so."""
    with running() as server, ExitStack() as stack:
        random, memory = Random(8), list[PassOn]()
        read = server.exchange.read

        def lies(connection: int, data: bytes, now: int) -> int:
            rest = read(connection, data, now)
            out = server.exchange.outgoing
            for action in [one for one in out if isinstance(one, PassOn)]:
                memory.append(action)
                out.append(random.choice(memory))
                number = random.randrange(1, 5)
                for lie in (frames.parcel_from(number, random.randbytes(90)), frames.came(number + 9)):
                    out.append(PassOn(action.connection, lie))
            return rest

        monkeypatch.setattr(server.exchange, "read", lies)
        people = [stack.enter_context(station(tmp_path, name, words_for(server.port))) for name in ("ann", "bob")]
        turn_until_met(*people)
        for _ in range(50):
            for one in people:
                one.turn(5)
        assert [one.guard.counts for one in people] == [{}, {}] and all(len(one.lobby.here) == 1 for one in people)
        assert len(memory) > 10
