"""The news of a station besides its lobby's events: remarks on peers, each once, and programs unlike ours."""

from dataclasses import dataclass
from typing import Final

from quadrille.net.core.ip_addresses import is_virtual
from quadrille.net.core.machine import LONGEST_GAP
from quadrille.net.entries.entry import NOBODY
from quadrille.net.neighbours.neighbour import Doubled, Peer
from quadrille.net.private_room.door import Obstacle
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import plain_name
from quadrille.net.trust.proof import GAME_HEADER, spoken
from quadrille.rules.native.install import UPDATE

#: The mark of our family among ZRE programs. It never changes; another header carries the protocol version.
GAME: Final = "quadrille/1"
#: The protocol of this program.
SPEAKS: Final = 3
#: Skipped milliseconds (net/core/machine.py) after which others may have missed us. They wait for five seconds, and we
#: may have been silent for two of these before.
STANDSTILL: Final = 2000
#: Maximum remembered peers with programs unlike ours.
MOST_UNLIKE: Final = 1024


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark about a peer for the person: another name, another protocol, an identity in use twice."""

    key: bytes
    text: str


@dataclass(frozen=True, slots=True)
class IncompatibleProgram:
    """A peer of our family whose program speaks another protocol, so nobody can play with it here."""

    name: str
    key: bytes | None
    address: str
    speaks: int

    @property
    def text(self) -> str:
        """The problem and what to do. With our number only the mark of the family differs, which ours never changes."""
        if self.speaks == SPEAKS:
            return f"{self.name}'s program is of a newer family than yours: {UPDATE}"
        both = f"{self.name}'s program speaks protocol {self.speaks}, yours {SPEAKS}"
        if self.speaks < SPEAKS:
            return f"{both}: ask {self.name} to {UPDATE}"
        return f"{both}: yours is older, {UPDATE}"


class StationNews:
    """The remarks of one station. Strangers and adverts can cause one again and again; the person reads it once."""

    def __init__(self) -> None:
        self.remarks: list[Remark] = []
        #: Peers that are met and speak an older protocol than ours, by ZRE identity.
        self.incompatible: dict[bytes, IncompatibleProgram] = {}
        self._told_unlike: set[bytes] = set()
        self._told_names: dict[bytes, tuple[str, ...]] = {}  # the last of each peer that is here, by key
        self._told_obstacles: set[Obstacle] = set()

    def is_alike(self, peer: Peer, key: bytes | None) -> bool:
        """Return True if a peer that is met is of our family and speaks our protocol; remark on one that does not."""
        if (speaks := spoken(peer.headers)) == 0:
            return False
        alike = speaks >= SPEAKS and peer.headers.get(GAME_HEADER) == GAME
        if not alike or speaks > SPEAKS:
            # the address of a peer on an overlay would mean nothing
            nameless = "somebody far away" if is_virtual(peer.address) else f"somebody at {peer.address}"
            program = IncompatibleProgram(plain_name(peer.name) if peer.name else nameless, key, peer.address, speaks)
            if not alike:
                self.incompatible[peer.id] = program
            if peer.id not in self._told_unlike and len(self._told_unlike) < MOST_UNLIKE:
                self._told_unlike.add(peer.id)
                self.remarks.append(Remark(key or NOBODY, program.text))
        return alike

    def stood_still(self, time: int) -> None:
        """Remark on `time` skipped milliseconds: others may have missed this program meanwhile."""
        if time >= STANDSTILL:
            self.remarks.append(Remark(NOBODY, f"this program stood still for {(time + LONGEST_GAP) // 1000} s"))

    def named(self, key: bytes, texts: tuple[str, ...]) -> None:
        """Remark on the name of a peer. These texts come again with each of its adverts."""
        texts_told = self._told_names.get(key, ())
        self.remarks += [Remark(key, text) for text in texts if text not in texts_told]
        self._told_names[key] = texts

    def departed(self, key: bytes) -> None:
        self._told_names.pop(key, None)

    def obstacle(self, obstacle: Obstacle) -> None:
        """Remark on what keeps us and others apart at the door of a private room."""
        if obstacle not in self._told_obstacles:
            self._told_obstacles.add(obstacle)
            self.remarks.append(Remark(NOBODY, obstacle.value))

    def doubled(self, event: Doubled, key: bytes, *, is_own: bool) -> None:
        """Remark on an identity that is in use on a second machine."""
        host = event.endpoint.host
        if is_own:
            text = f"your identity is in use on another machine ({host}) too: close one of them"
        else:
            whose = f"{plain_name(event.name)} ({fingerprint(key)})"
            text = f"{whose}: the same identity is in use on another machine ({host}): close one of them"
        self.remarks.append(Remark(key, text))
