"""Interoperation with Pyre, an independent ZRE node: it sees us, our groups and headers; we see it."""

import socket
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from quadrille.net.link.interfaces import Interface, usable_ipv4
from quadrille.net.neighbours.neighbour import PeerLeft, PeerMet
from tests.net.party import Guest, Party
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


@pytest.fixture(scope="module")
def broadcasts() -> None:
    """Pyre beacons by the first interface that it takes for good, and never by the loopback."""
    found = [one for one in usable_ipv4(None) if not one.network.is_loopback and not one.network.is_link_local]
    if not found or not all(map(hears_itself, found)):
        pytest.skip("Pyre needs an interface besides the loopback, by which broadcasts come back")


class PyrePeer(Program):
    """Pyre in its process."""

    def __init__(self, port: int) -> None:
        super().__init__("pyre", sys.executable, "-W", "ignore", "-m", "tests.net.pyre_peer", str(port))

    @property
    def tcp_port(self) -> int:
        return int(self.said("STARTED")[0]["endpoint"].rpartition(":")[2])


@pytest.fixture
def pyre(party: Party) -> Iterator[PyrePeer]:
    peer = PyrePeer(party.port)
    try:
        party.until(lambda: peer.said("STARTED"))
        yield peer
    finally:
        peer.kill()


@pytest.fixture
def zoe(party: Party) -> Guest:
    return party.invite("Zoë", {"X-GAME": "quadrille", "größe": "voll"}, interfaces=None)


@pytest.mark.usefixtures("broadcasts")
@pytest.mark.parametrize("order", [("pyre", "zoe"), ("zoe", "pyre")], ids=["pyre first", "pyre second"])
def test_meeting_and_talking(party: Party, request: pytest.FixtureRequest, order: tuple[str, str]) -> None:
    there = {name: request.getfixturevalue(name) for name in order}
    pyre, zoe = there["pyre"], there["zoe"]
    party.until(lambda: zoe.peers() == {"pyre"} and pyre.said("ENTER"))
    assert [met.peer.headers for met in zoe.of(PeerMet)] == [{"X-FROM": "pyre"}]
    [enter] = pyre.said("ENTER")
    assert (enter["peer"], enter["name"]) == (zoe.id.hex(), "Zoë")
    assert enter["headers"] == {"X-GAME": "quadrille", "größe": "voll"}
    pyre.tell("join", "CHAT")  # its groups are its own affair
    zoe.node.neighbours.whisper(zoe.of(PeerMet)[0].peer.id, "schön".encode())
    party.until(lambda: pyre.said("WHISPER"))
    assert [whisper["content"] for whisper in pyre.said("WHISPER")] == [["schön"]]
    pyre.tell("shout", "CHAT", "hello all")
    pyre.tell("leave", "CHAT")
    pyre.tell("whisper", zoe.id.hex(), "hello you")
    party.until(zoe.said)
    assert zoe.said() == [("pyre", b"hello you")]
    pyre.tell("stop")
    party.until(lambda: zoe.of(PeerLeft))


@pytest.mark.slow
def test_a_seed(party: Party, pyre: PyrePeer) -> None:
    zoe = party.invite("zoe", port=udp_port(), seeds=[f"127.0.0.1:{pyre.tcp_port}"])
    party.until(lambda: zoe.peers() == {"pyre"} and pyre.said("ENTER"))
    pyre.tell("whisper", zoe.id.hex(), "hello")
    party.until(zoe.said)
    party.is_over(zoe)
