"""The context of a person on the network, which all places share: peers, time, and functions of the shell.

No socket and no console. A shell fills it in (client/presence/place.py), and so can a test.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from typing import NoReturn

from quadrille.client.bots.names import parts
from quadrille.client.claimed_names import shown_name
from quadrille.client.table.network.calls import Calls
from quadrille.client.table.notices import Arbiter, GuestAsks, GuestEntrance, NotGranted, Notice, Role, Why
from quadrille.client.value import value
from quadrille.net.core.errors import LocalError
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.game_log.log import Log
from quadrille.net.seating.lobby import AdvertisedPeer, Lobby
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import are_alike


def _refuses(why: str) -> Callable[..., NoReturn]:
    """Stand in for a function that a shell does not offer: raise `why`."""

    def refuse(*given: object) -> NoReturn:
        raise LocalError(why.format(*given))

    return refuse


@value
class NetworkContext:
    """`nickname` returns this person's name for the holder of a key. `bring` starts a bot that stands in at a table,
    `come_along` one that sits down before the game. `block` blocks a key, `keep` writes a log to a file and returns
    its path. `arbiters` are those that this person accepts.
    `missing` returns sentences about peers that should be here, `unreached` those about shut ways to an overlay,
    and `walled` those about peers that let nobody in. `asks`: the person can be asked, and answers. `room` has the
    options by which this person comes back to the same room. `entrance` is how guests come, while this person
    serves any; `at_door` has the keys of those who are here, `asking` those who want a seat, and `admit` answers one of
    them. `evening` returns the evening's points, or writes them to a file.
    """

    lobby: Lobby
    now: Callable[[], int]
    nickname: Callable[[bytes], str | None] = field(default=lambda _: None)
    bring: Callable[[str, Table], Chair] = field(
        default=_refuses("no bot can be brought along here: start it with quadrille bot {}")
    )
    nonce: Callable[[], bytes] = field(default=_refuses("no table can be opened here"))
    arbiters: set[bytes] = field(default_factory=set)
    block: Callable[[bytes], None] = field(default=_refuses("nobody can be blocked here"))
    keep: Callable[[str, Log, bool], str] = field(default=_refuses("no log can be kept here"))
    asks: bool = True
    missing: Callable[[], list[str]] = list
    unreached: Callable[[], list[str]] = list
    walled: Callable[[], Mapping[bytes, str]] = dict
    told_absent: set[str | bytes] = field(default_factory=set)
    room: str = ""
    entrance: Callable[[], GuestEntrance | None] = field(default=lambda: None)
    come_along: Callable[[str, bytes], Chair] = field(default=_refuses("no bot can be brought along here"))
    at_door: Callable[[], Collection[bytes]] = tuple
    asking: list[GuestAsks] = field(default_factory=list)
    admit: Callable[[int, bool], None] = field(default=lambda *_: None)
    evening: Callable[[str], Notice] = field(default=_refuses("no points are counted here"))
    calls: Calls = field(default_factory=Calls)

    @property
    def key(self) -> bytes:
        return self.lobby.identity.key

    def called(self, key: bytes, name: str) -> str:
        """Return the person's name for the holder of a key who claims `name`."""
        return self.nickname(key) or shown_name(name, key)

    def name(self, peer: AdvertisedPeer) -> str:
        return self.called(peer.key, peer.name)

    def somebody(self, key: bytes) -> str:
        """Return the person's name for a peer, if it is still here."""
        peer = self.lobby.peers.get(key)
        return self.name(peer) if peer else "Somebody"

    def peer(self, text: str) -> AdvertisedPeer:
        if not text.strip():
            raise NotGranted(Why.NAME_MISSING)
        digits = text.strip().lower().replace(" ", "")
        found = [
            peer
            for peer in self.lobby.peers.values()
            if any(are_alike(text, name) for name in (self.name(peer), peer.name, parts(peer.name)[0]))
            or (len(digits) >= 4 and fingerprint(peer.key).replace(" ", "").startswith(digits))
        ]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotGranted(
                Why.SEVERAL_CALLED, text=text, found=tuple((self.name(peer), fingerprint(peer.key)) for peer in found)
            )
        raise NotGranted(
            Why.NOBODY_CALLED, text=text, here=tuple(sorted(self.name(peer) for peer in self.lobby.peers.values()))
        )

    # An arbiter takes any seat whose turn it is out of the game. So nobody sits down under one unless it was named
    # with `--arbiter KEY`, or accepted when it was shown. Specification: docs/protocols/tables.md, "Terms".

    def arbiter(self, terms: Terms, host: bytes, chairs: Sequence[Chair]) -> Arbiter | None:
        """Return the arbiter that may take seats at this table out of the game."""
        key = terms.arbiter
        if key is None:
            return None
        if key == self.key:
            return Arbiter(key, Role.SELF)
        if key == host:
            return Arbiter(key, Role.HOST)
        if sitting := [chair for chair in chairs if chair.key == key]:
            return Arbiter(key, Role.SITTING, self.called(key, sitting[0].name))
        peer = self.lobby.peers.get(key)
        return Arbiter(key, Role.OTHER, self.called(key, peer.name) if peer else self.nickname(key) or "")

    def accepts(self, terms: Terms) -> bool:
        """Return whether this person knows the arbiter of these terms; True if there is none."""
        return terms.arbiter is None or terms.arbiter in (*self.arbiters, self.key)

    def check_arbiter(self, terms: Terms, host: bytes, chairs: Sequence[Chair]) -> None:
        """Refuse an arbiter that this person was not shown."""
        if not self.accepts(terms) and (arbiter := self.arbiter(terms, host, chairs)) is not None:
            raise NotGranted(Why.UNTOLD_ARBITER, arbiter=arbiter)
