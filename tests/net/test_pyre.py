"""Interoperation with Pyre, an independent ZRE node: it sees us, our groups and headers; we see it."""

import socket
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from quadrille.net.link.interfaces import Interface, present
from quadrille.net.neighbours.neighbour import NeighbourLimits, PeerLeft, PeerMet
from quadrille.net.program.hall_desk import SMALL
from quadrille.net.seating.lobby import Departed, Dropped
from tests.net.company import Company
from tests.net.party import Party
from tests.net.ports import udp_port
from tests.net.programs import Program

pytestmark = pytest.mark.skipif(find_spec("pyre") is None, reason="zeromq-pyre is not installed")


def hears_itself(interface: Interface) -> bool:
    """Whether broadcasts come back from there: not every machine of a cloud or a container lets them."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth,
    ):
        ear.settimeout(5)
        mouth.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        try:
            ear.bind(("", udp_port()))
            mouth.bind((interface.address, 0))
            mouth.sendto(b"echo?", (interface.broadcast or "", ear.getsockname()[1]))
            return ear.recv(100) == b"echo?"
        except OSError:
            return False


@cache
def broadcasts_here() -> bool:
    """Pyre beacons by the first interface that it takes for good, and never by the loopback."""
    found = [one for one in present() if not one.network.is_loopback and not one.network.is_link_local]
    return bool(found) and all(map(hears_itself, found))


@pytest.fixture
def broadcasts() -> None:
    if not broadcasts_here():
        pytest.skip("Pyre needs an interface besides the loopback, by which broadcasts come back")


class PyrePeer(Program):
    """Pyre in its process."""

    def __init__(self, port: int) -> None:
        super().__init__("pyre", sys.executable, "-W", "ignore", "-m", "tests.net.pyre_peer", str(port))

    @property
    def tcp_port(self) -> int:
        return int(self.said("STARTED")[0]["endpoint"].rpartition(":")[2])


@pytest.fixture
def party() -> Iterator[Party]:
    with Party() as it:
        yield it


@pytest.fixture
def pyre(party: Party) -> Iterator[PyrePeer]:
    peer = PyrePeer(party.port)
    try:
        party.until(lambda: peer.said("STARTED"))
        yield peer
    finally:
        peer.kill()


@pytest.mark.usefixtures("broadcasts")
def test_meeting_and_talking(party: Party, pyre: PyrePeer) -> None:
    zoe = party.invite("Zoë", {"X-GAME": "quadrille", "größe": "voll"}, interfaces=None)
    party.until(lambda: zoe.peers() == {"pyre"} and pyre.said("ENTER"))
    assert [met.peer.headers for met in zoe.of(PeerMet)] == [{"X-FROM": "pyre"}]
    [enter] = pyre.said("ENTER")
    assert (enter["peer"], enter["name"]) == (zoe.id.hex(), "Zoë")
    assert enter["headers"] == {"X-GAME": "quadrille", "größe": "voll"}
    pyre.tell("join", "CHAT")  # its groups are its own affair
    zoe.node.whisper(zoe.of(PeerMet)[0].peer.id, "schön".encode())
    party.until(lambda: pyre.said("WHISPER"))
    assert [whisper["content"] for whisper in pyre.said("WHISPER")] == [["schön"]]
    pyre.tell("shout", "CHAT", "hello all")
    pyre.tell("leave", "CHAT")
    pyre.tell("whisper", zoe.id.hex(), "hello you")
    party.until(zoe.said)
    assert zoe.said() == [("pyre", b"hello you")]
    pyre.tell("stop")
    party.until(lambda: zoe.of(PeerLeft))


def test_a_seed(party: Party, pyre: PyrePeer) -> None:
    zoe = party.invite("zoe", port=udp_port(), seeds=[f"127.0.0.1:{pyre.tcp_port}"])
    party.until(lambda: zoe.peers() == {"pyre"} and pyre.said("ENTER"))
    pyre.tell("whisper", zoe.id.hex(), "hello")
    party.until(zoe.said)
    party.is_over(zoe)


@pytest.mark.usefixtures("broadcasts")
def test_our_farewell_and_return(party: Party, pyre: PyrePeer) -> None:
    zoe = party.invite("zoe", interfaces=None)
    party.until(lambda: pyre.said("ENTER"))
    party.is_over(zoe)
    party.until(lambda: pyre.said("EXIT"))
    again = party.invite("zoe", identity=zoe.id, interfaces=None)
    party.until(lambda: len(pyre.said("ENTER")) == 2 and again.peers() == {"pyre"})


@pytest.mark.slow
@pytest.mark.usefixtures("broadcasts")
def test_in_a_hall_it_meets_everybody(tmp_path: Path) -> None:
    """docs/protocols/hall.md: "Zyre and Pyre peers call everybody whom they hear, and are called back"."""
    with Company(tmp_path) as company:
        there = [company.enter(f"p{number}", interfaces=None) for number in range(SMALL + 4)]
        company.until(lambda: all(one.crowd().there >= len(there) - 1 for one in there))
        pyre = PyrePeer(company.port)
        try:
            met = {station.identity.peer.hex() for station in there}
            company.until(lambda: {entered["peer"] for entered in pyre.said("ENTER")} == met)
            for key in met:
                pyre.tell("whisper", key, "hello")
            pyre.tell("stop")
            company.until(lambda: pyre.process.poll() is not None)
        finally:
            pyre.kill()
        assert not [event for _, event in company.told if isinstance(event, Departed | Dropped)]


@pytest.mark.slow
@pytest.mark.usefixtures("broadcasts")
def test_after_65535_messages_we_begin_anew(party: Party, pyre: PyrePeer) -> None:
    """Pyre counts modulo 65535, ZRE's numbers have 16 bits: it believes that messages were lost, and we come back."""
    zoe = party.invite("zoe", limits=NeighbourLimits(messages_a_second=100_000, burst=100_000), interfaces=None)
    party.until(lambda: zoe.peers() == {"pyre"} and pyre.said("ENTER"))
    peer = zoe.of(PeerMet)[0].peer.id
    for number in range(65_600):
        if not zoe.node.whisper(peer, b"x"):
            break
        if number % 100 == 0:
            party.until(lambda so_far=number: not zoe.peers() or len(pyre.said("WHISPER")) >= so_far - 500)
    party.until(lambda: len(pyre.said("ENTER")) >= 2 and zoe.peers() == {"pyre"})
    zoe.node.whisper(peer, b"again")
    party.until(lambda: pyre.said("WHISPER")[-1]["content"] == ["again"])
