"""What is said of peers that should be here and are not: real stations and sockets within this machine."""

import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.words.network import absent_peers as sentences
from quadrille.client.words.network.absent_peers import missing
from quadrille.net.link.node import Node
from quadrille.net.neighbours.neighbour import Trouble
from quadrille.net.neighbours.neighbourhood import Crowd, Halfway
from quadrille.net.program.station import Remark, Station, Unlike, now
from quadrille.net.trust.identity import Identity
from tests.client.evening import Evening
from tests.net.ports import udp_port
from tests.net.tables import terms

PATIENCE = 120_000  # milliseconds; only a failing test waits so long
LOOPBACK = ["127.0.0.1"]


class Looking:
    """A station of a person, and what it was told."""

    def __init__(self, folder: Path, *seeds: str) -> None:
        self.station = Station(
            "Ann",
            "person",
            folder=folder,
            port=udp_port(),
            interfaces=LOOPBACK,
            seeds=[f"127.0.0.1:{s}" for s in seeds],
        )
        self.remarks: list[Remark] = []

    def until(self, condition: Callable[[], object], *others: Node) -> None:
        end = now() + PATIENCE
        while not condition():
            assert now() < end
            self.remarks += [event for event in self.station.turn(20) if isinstance(event, Remark)]
            for other in others:
                other.turn(5)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Something of another kind that takes connections."""
    with closing(socket.create_server(("127.0.0.1", 0))) as made:
        yield made


def test_every_trouble_has_a_sentence() -> None:
    assert sentences._TROUBLES.keys() == set(Trouble)
    assert len(set(sentences._TROUBLES.values())) == len(Trouble)


def test_n13_where_nobody_listens(tmp_path: Path, listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    listener.close()
    looking = Looking(tmp_path, str(port))
    with looking.station as station:
        looking.until(lambda: missing(station))
        text = f"Nobody listens at 127.0.0.1:{port}: is Quadrille running there, and is the port right?"
        assert missing(station) == [text]


@pytest.mark.parametrize("banner", [b"", b"220 mail.example ESMTP\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_n13_where_another_program_answers(tmp_path: Path, listener: socket.socket, banner: bytes) -> None:
    port = listener.getsockname()[1]
    listener.settimeout(60)
    looking = Looking(tmp_path, str(port))
    with looking.station as station:
        station.turn(0)
        other, _ = listener.accept()
        with closing(other):
            other.sendall(banner)
            looking.until(lambda: missing(station))
        text = f"127.0.0.1:{port} takes connections, but what is there is not Quadrille: is the port right?"
        assert missing(station) == [text]


def test_n13_where_no_machine_is(tmp_path: Path) -> None:
    """192.0.2.0/24 is nobody's (RFC 5737): there is no way there, or no answer."""
    station = Station("Ann", "person", folder=tmp_path, port=udp_port(), interfaces=LOOPBACK, seeds=["192.0.2.1:5000"])
    with station:
        end = now() + PATIENCE
        while not missing(station) and now() < end:
            station.turn(20)
        assert "192.0.2.1:5000" in missing(station)[0]


@pytest.mark.parametrize(
    ("headers", "name", "text"),
    [
        ({}, "zyre", "The program at 127.0.0.1:{} meets people as Quadrille does, but is another one"),
        ({"X-GAME": "quadrille/1"}, "Bob", "Bob's program speaks protocol 1, yours 2: ask Bob to update it (git pull"),
        ({"X-GAME": "quadrille/3"}, "Bob", "Bob's program speaks protocol 3, yours 2: yours is older, update it"),
        ({"X-GAME": "quadrille/1"}, "", "Somebody at 127.0.0.1's program speaks protocol 1, yours 2"),
    ],
)
def test_n14_other_programs_and_other_versions_are_named(
    tmp_path: Path, headers: dict[str, str], name: str, text: str
) -> None:
    identity = Identity(secrets.token_bytes(32))
    headers = headers and headers | {"X-KEY": identity.key.hex()}
    with Node(identity.peer, name, headers, port=udp_port(), interfaces=LOOPBACK) as other:
        looking = Looking(tmp_path, str(other.tcp_port))
        with looking.station as station:
            looking.until(lambda: missing(station), other)
            [told] = missing(station)
            assert told.startswith(text.format(other.tcp_port))
            assert station.lobby.here == set()
            looking.until(lambda: not headers or looking.remarks, other)
            assert [remark.text[:20] for remark in looking.remarks] == [one.text[:20] for one in station.unlike()]
            assert len(looking.remarks) == bool(headers)


@pytest.mark.parametrize(
    ("there", "told"),
    [
        (False, "Nobody answers at 1.2.3.4:555 yet. Waiting for an answer."),
        (True, "There is no table at 1.2.3.4:555 yet. Waiting for one."),
    ],
)
def test_a6_where_nobody_answers_at_an_address_that_is_said(*, there: bool, told: str) -> None:
    made = Evening(terms("barons", 2, lot=False), guests=0)
    for gathering in list(made.peers[0].lobby.gatherings.values()):
        gathering.leave()
    made.world.after(made.peers[0])
    guest = made.peers[1]
    made.sit(guest, TableSearch(made.context(guest), sits=True, address="1.2.3.4:555", is_there=lambda _: there))
    made.settle(6000)
    assert told in made.told("p1")


def told_of(crowd: Crowd) -> list[str]:
    class Counted(Station):
        def __init__(self) -> None:
            self.node = SimpleNamespace(relays=lambda: ([], False))

        def crowd(self) -> Crowd:
            return crowd

        def halfway(self) -> list[Halfway]:
            return []

        def unlike(self) -> list[Unlike]:
            return []

    return missing(Counted())


def test_n3_the_limits_of_rooms_and_halls_are_told() -> None:
    assert told_of(Crowd(12, 64, 0)) == told_of(Crowd(12, 64, 0, 900, 4096)) == []
    assert told_of(Crowd(64, 64, 2)) == [
        "64 programs have been met here and 64 are the most, so that 2 others found no place: close some that nobody "
        "uses, or meet in a private room."
    ]
    assert told_of(Crowd(64, 64, 1, 70, 4096)) == [
        "64 programs have been met here and 64 are the most, so that another one found no place: update older "
        "programs, which link with everybody, or meet in a private room."
    ]
    assert told_of(Crowd(12, 64, 0, 4096, 4096)) == [
        "4096 programs or more are here, and no more can be listed: some people and tables are missing in every list."
    ]
