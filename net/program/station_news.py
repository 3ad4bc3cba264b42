"""A station's messages for a person besides its lobby's events: remarks on peers, and incompatible programs."""

from dataclasses import dataclass
from typing import Final

from quadrille.net.core.ip_addresses import is_virtual
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import plain_name
from quadrille.rules.native.install import UPDATE

#: The mark of our family among ZRE programs. It never changes; another header carries the protocol version.
GAME: Final = "quadrille/1"
#: The protocol of this program.
SPEAKS: Final = 2


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark about a peer for the person: another name, another protocol, an identity in use twice."""

    key: bytes
    text: str


@dataclass(frozen=True, slots=True)
class Unlike:
    """A peer of our family whose program speaks another protocol, so nobody can play with it here."""

    name: str
    key: bytes | None
    address: str
    speaks: int

    @property
    def text(self) -> str:
        """The problem and what to do."""
        both = f"{self.name}'s program speaks protocol {self.speaks}, yours {SPEAKS}"
        if self.speaks < SPEAKS:
            return f"{both}: ask {self.name} to {UPDATE}"
        return f"{both}: yours is older, {UPDATE}"


def somebody_at(host: str) -> str:
    """A peer without a name, for the person. Its address on an overlay would mean nothing."""
    return "somebody far away" if is_virtual(host) else f"somebody at {host}"


def doubled_words(name: str, key: bytes, host: str, *, is_own: bool) -> str:
    """A message for the person about an identity that is in use on a second machine."""
    if is_own:
        return f"your identity is in use on another machine ({host}) too: close one of them"
    whose = f"{plain_name(name)} ({fingerprint(key)})"
    return f"{whose}: the same identity is in use on another machine ({host}): close one of them"
