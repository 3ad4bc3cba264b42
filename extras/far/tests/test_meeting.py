"""Programs with a ticket meet at its relays, whatever those do. extras/far/docs/relay.md, "Members"."""

import ipaddress
import re
import socket
from random import Random

import pytest

from extras.far.tests.relays import Running, enter, have_met, unreached, words_for
from quadrille.client.words.absent_peers import missing
from quadrille.extras.far.relay import CHUNK
from quadrille.extras.far.ticket import MeetingPlace, Ticket
from quadrille.net.core.errors import LocalError
from quadrille.net.core.ip_addresses import is_virtual
from tests.net.party import Company
from tests.net.ports import tcp_port


def test_two_programs_meet_over_a_relay_alone(company: Company) -> None:
    with Running() as server:
        ann, bob = enter(company, words_for(server.port), "ann", "bob")
        company.until(lambda: have_met(ann, bob))
        [peer] = ann.node.neighbours.peers()
        assert is_virtual(peer.address) and ann.node.neighbours.introducible(peer.id, peer.id) is None
        assert server.relay.counts == {} and unreached(ann) == missing(ann) == []


def test_a_relay_that_dies_is_replaced_by_the_next_one_of_the_ticket(company: Company) -> None:
    with Running() as first, Running() as second:
        both = enter(company, words_for(first.port, second.port), "ann", "bob")
        company.until(lambda: have_met(*both))
        used, other = (first, second) if carries(first) else (second, first)  # whichever answered both of them first
        used.kill()
        company.until(lambda: carries(other) and all(unreached(one) for one in both))
        company.until(lambda: have_met(*both))
        assert [f"127.0.0.1:{used.port} can't be used" in said for said in unreached(both[0])] == [True]


def carries(server: Running) -> bool:
    """Whether two members speak through a relay."""
    return any(line.other for line in list(server.relay.lines.values()))


@pytest.mark.parametrize("last_words", [False, True])
def test_the_only_relay_is_used_again_when_it_is_back(company: Company, *, last_words: bool) -> None:
    with Running() as first:
        both = enter(company, words_for(first.port), "ann", "bob")
        company.until(lambda: have_met(*both))
        first.kill(last_words=last_words)
        company.until(lambda: not any(one.lobby.here for one in both))
        with Running(port=first.port):
            company.until(lambda: have_met(*both))


def test_a_host_is_reached_at_its_own_relay_which_serves_its_meeting_alone(company: Company) -> None:
    port = tcp_port()
    mine, other = words_for(port), words_for(port, secret=2)
    [ann] = enter(company, mine, "ann", own_place=mine.places[0])
    [bob] = enter(company, mine, "bob")
    [eve] = enter(company, other, "eve")
    company.until(lambda: have_met(ann, bob))
    company.until(lambda: unreached(eve))
    assert unreached(eve) == [f"The relay at 127.0.0.1:{port} can't be used: it is full."]


def test_a_host_is_reached_by_ipv6(company: Company) -> None:
    """Its node knows IPv4 only; only the connection to a relay knows more."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6) as free:
            port = free.getsockname()[1]
    except OSError:
        pytest.skip("this machine has no IPv6")
    ticket = Ticket((MeetingPlace(ipaddress.ip_address("::1"), port),), 1)
    [ann], [bob] = enter(company, ticket, "ann", own_place=ticket.places[0]), enter(company, ticket, "bob")
    company.until(lambda: have_met(ann, bob))


def test_a_port_that_is_taken_keeps_a_host_from_starting(company: Company) -> None:
    with Running() as server:
        ticket = words_for(server.port)
        told = f"TCP port {server.port} is taken by another program: choose another port$"
        with pytest.raises(LocalError, match=told):
            enter(company, ticket, "ann", own_place=ticket.places[0])


class Remembered(bytearray):
    """The buffer of a relay, and all that was taken from it."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.seen = b""

    def __getitem__(self, at):  # type: ignore[no-untyped-def, override]
        found = super().__getitem__(at)
        self.seen += bytes(found)
        return found


def test_a_relay_sees_no_byte_that_it_knows(company: Company) -> None:
    """Keys, identities, names, the secret and the passphrase: none of it is in what passes."""
    with Running() as server:
        server.relay.buffer = seen = Remembered(CHUNK)
        ticket = words_for(server.port, secret=0x0123456789ABCDE)
        ann, bob = enter(company, ticket, "ann", "bob")
        company.until(lambda: have_met(ann, bob))

        parts = [part for one in (ann.identity, bob.identity) for part in (one.key, one.peer, one.curve().public)]
        words = ticket.keys
        keys = [words.number, words.seal, words.room.passphrase.encode(), ticket.secret.to_bytes(8, "big")]
        known = [*parts, *keys, b"X-GAME", b"quadrille", b"ann", b"bob"]
    # A client of CURVE shows a key made for this connection alone, and the words of its greeting.
    passed = seen.seen
    assert len(passed) > 2000 and ticket.keys.room_at(ticket.places[0]).encode() in passed and b"CURVE" in passed
    assert [part for part in known if part in passed or part.hex().encode() in passed] == []


# Relays that lie


def lying(monkeypatch: pytest.MonkeyPatch, lie: str, server: Running) -> None:
    """Have one relay lie: what it says to members, and whom it splices."""
    from quadrille.extras.far import relay

    random, memory, say = Random(8), list[str](), relay._Line.say

    def says(line: relay._Line, words: str) -> None:
        if line._relay is not server.relay:
            return say(line, words)
        kind, *rest = words.split() or [""]
        memory.extend([words] if kind == "HERE" else [])
        match lie, kind:
            case "withholds", "RING":
                return None
            case "splices wrong pairs", "RING":  # whoever calls is spliced to another than the one that it calls
                members = server.relay.rooms[line.room].members.values()
                return say(next(other for other in members if other is not line), words)
            case "swaps", "HERE":
                words = f"HERE {line.number} {rest[1]}"  # who calls that member calls itself
            case "repeats", "RING" | "HERE":
                say(line, random.choice(memory) if memory else words)
                say(line, words)
            case "invents", "RING" | "HERE" | "OK" if line.phase is relay._Phase.WAITING:
                for sealed in (random.randbytes(94).hex(), "0g", "00"):
                    say(line, f"HERE {random.randrange(99)} {sealed}")
                say(line, f"RING {random.randbytes(16).hex()} {random.randrange(9)}")
                say(line, "GONE 99\nHERE\nRING\nWHAT 1 2 3 4")
        return say(line, words)

    monkeypatch.setattr(relay._Line, "say", says)


@pytest.mark.slow
@pytest.mark.parametrize("lie", ["withholds", "splices wrong pairs", "swaps", "repeats", "invents"])
def test_a_lying_relay_costs_time_and_no_game(lie: str, company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second relay of the ticket is honest; the first one withholds calls, swaps members, and so on."""
    with Running() as first, Running() as second:
        lying(monkeypatch, lie, first)
        both = enter(company, words_for(first.port, second.port), "ann", "bob")
        company.until(lambda: have_met(*both))
        assert [one.guard.counts for one in both] == [{}, {}]


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "what listens there is no relay"),
        (b"OK\n", "what listens there is no relay"),
        (b"\xff\xff\n", "what listens there is no relay"),
        (b"x" * 600, "what listens there is no relay"),
        (b"OK 1\n" + b"\n" * 10_000, "what listens there is no relay"),
        (b"OK 1\n", "it closes the connection"),
        (b"", "it closes the connection"),
        (b"NO version 2\n", "this program is older"),
        (b"NO version 0\n", "it is older"),
        (b"NO full\n", "it is full"),
        (b"OK 1\nNO ending\n", "it has been ended"),
        (b"NO \x1b[31m\n", "it refuses this program"),
    ],
)
def test_what_is_wrong_with_a_relay_is_said_in_words(company: Company, answer: bytes, words: str) -> None:
    """Of a relay that answers so and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        [ann] = enter(company, words_for(server.getsockname()[1]), "ann")
        ann.turn(20)
        accepted, _ = server.accept()
        with accepted:
            accepted.recv(1024)
            accepted.sendall(answer)
        company.until(lambda: unreached(ann))
    [said] = unreached(ann)
    assert re.fullmatch(rf"The relay at 127\.0\.0\.1:\d+ can't be used: .*{re.escape(words)}\.", said), said


def test_a_meeting_where_nobody_is_says_so(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quadrille.extras.far.meeting.ALONE", 0)
    with Running() as server:
        [ann] = enter(company, words_for(server.port), "ann")
        company.until(lambda: missing(ann))
        assert missing(ann)[0].startswith("Nobody else is where this ticket leads") and unreached(ann) == []
