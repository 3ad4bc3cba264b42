"""Interoperation with Pyre, an independent ZRE node: it sees us, our groups and headers; we see it."""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from quadrille.net.interfaces import present
from quadrille.net.neighbour import Joined, Left, LeftGroup, Limits, Met
from tests.net.party import Party, udp_port
from tests.net.processes import Child

pytestmark = pytest.mark.skipif(find_spec("pyre") is None, reason="zeromq-pyre is not installed")
has_network = any(not one.network.is_loopback and not one.network.is_link_local for one in present())


class PyrePeer(Child):
    """Pyre in its process."""

    def __init__(self, port: int) -> None:
        super().__init__(sys.executable, "-W", "ignore", str(Path(__file__).with_name("pyre_peer.py")), str(port))

    @property
    def tcp_port(self) -> int:
        return int(self.events("STARTED")[0][2].rpartition(":")[2])


@pytest.fixture
def party() -> Iterator[Party]:
    with Party() as it:
        yield it


@pytest.fixture
def pyre(party: Party) -> Iterator[PyrePeer]:
    peer = PyrePeer(party.port)
    party.until(lambda: peer.events("STARTED"))
    yield peer
    peer.close()


@pytest.mark.skipif(not has_network, reason="Pyre beacons by no loopback interface, and there is no other")
def test_meeting_and_talking(party: Party, pyre: PyrePeer) -> None:
    zoe = party.invite("Zoë", {"X-GAME": "quadrille", "größe": "voll"})
    zoe.node.join("TABLE")
    party.until(lambda: zoe.peers() == {"pyre"} and pyre.events("JOIN"))
    assert [met.peer.headers for met in zoe.of(Met)] == [{"X-FROM": "pyre"}]
    [enter] = pyre.events("ENTER")
    assert enter[1:4] == [zoe.id.hex(), "Zoë", {"X-GAME": "quadrille", "größe": "voll"}]
    assert pyre.events("JOIN")[0][4] == "TABLE"

    pyre.tell("join", "CHAT")
    party.until(lambda: zoe.of(Joined))
    assert zoe.node.shout("CHAT", "schön".encode()) == 1
    zoe.node.whisper(zoe.of(Met)[0].peer.id, b"psst")
    party.until(lambda: pyre.events("SHOUT") and pyre.events("WHISPER"))
    assert (pyre.events("SHOUT")[0][4:], pyre.events("WHISPER")[0][5]) == (["CHAT", ["schön"]], ["psst"])

    pyre.tell("shout", "TABLE", "hello table")
    pyre.tell("whisper", zoe.id.hex(), "hello you")
    party.until(lambda: len(zoe.said()) == 2)
    assert zoe.said() == [("pyre", "TABLE", b"hello table"), ("pyre", None, b"hello you")]

    zoe.node.leave("TABLE")
    pyre.tell("leave", "CHAT")
    party.until(lambda: zoe.of(LeftGroup) and pyre.events("LEAVE"))
    pyre.tell("stop")
    party.until(lambda: zoe.of(Left))


def test_a_seed(party: Party, pyre: PyrePeer) -> None:
    zoe = party.invite("zoe", port=udp_port(), seeds=[f"127.0.0.1:{pyre.tcp_port}"])
    party.until(lambda: zoe.peers() == {"pyre"} and pyre.events("ENTER"))
    pyre.tell("whisper", zoe.id.hex(), "hello")
    party.until(zoe.said)
    party.is_over(zoe)


@pytest.mark.skipif(not has_network, reason="Pyre beacons by no loopback interface, and there is no other")
def test_our_farewell_and_return(party: Party, pyre: PyrePeer) -> None:
    zoe = party.invite("zoe")
    party.until(lambda: pyre.events("ENTER"))
    party.is_over(zoe)
    party.until(lambda: pyre.events("EXIT"))
    again = party.invite("zoe", identity=zoe.id)
    party.until(lambda: len(pyre.events("ENTER")) == 2 and again.peers() == {"pyre"})


def test_281_of_our_joins_and_leaves(party: Party, pyre: PyrePeer) -> None:
    zoe = party.invite("zoe", port=udp_port(), seeds=[f"127.0.0.1:{pyre.tcp_port}"])
    party.until(lambda: zoe.peers() == {"pyre"})
    for number in range(281):
        zoe.node.join(f"g{number}")
        zoe.node.leave(f"g{number}")
    party.until(lambda: len(pyre.events("LEAVE")) == 281)
    assert not pyre.events("EXIT")


@pytest.mark.slow
@pytest.mark.skipif(not has_network, reason="Pyre beacons by no loopback interface, and there is no other")
def test_after_65535_messages_we_begin_anew(party: Party, pyre: PyrePeer) -> None:
    """Pyre counts modulo 65535, ZRE's numbers have 16 bits: it believes that messages were lost, and we come back."""
    zoe = party.invite("zoe", limits=Limits(messages_a_second=100_000, burst=100_000))
    party.until(lambda: zoe.peers() == {"pyre"} and pyre.events("ENTER"))
    peer = zoe.of(Met)[0].peer.id
    for number in range(65_600):
        if not zoe.node.whisper(peer, b"x"):
            break
        if number % 100 == 0:
            party.until(lambda so_far=number: not zoe.peers() or len(pyre.events("WHISPER")) >= so_far - 500, 60)
    party.until(lambda: len(pyre.events("ENTER")) >= 2 and zoe.peers() == {"pyre"}, 60)
    zoe.node.whisper(peer, b"again")
    party.until(lambda: pyre.events("WHISPER")[-1][5] == ["again"])
