"""The rule of every TCP listener for the connections that come to it: how many come and stand, and which gives way.

The doorkeeper counts connections of one address, of one network of IPv6, and of all. Where a count is full, a newcomer
takes the place of the oldest connection there that has proved nothing; it is refused only if all have. First words have
a deadline. So silence costs honest people nothing, and the crowd behind one address takes nothing from others.

Each address has a pace for newcomers, checked before one of their bytes is read. First words give back what a newcomer
took, so that only those that say nothing, give way or break a limit are slowed down.

Peers, relays, phones and the live page of a tournament have this rule (docs/protocols/links.md, "Connections"). Pure;
the caller passes the time in.
"""

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator
from enum import IntEnum
from typing import Final, Generic, TypeVar

from quadrille.net.core.ip_addresses import is_loopback, subnet_of
from quadrille.net.core.limits import Bucket, Buckets, a_second

Caller = TypeVar("Caller", bound=Hashable)
#: Milliseconds for the first words of a connection.
FIRST_WORDS: Final = 5000
#: Newcomers from an address, and from a network of IPv6, whose other addresses are left as many: a page takes six at
#: once, and ten phones may share one address. The maximum of remembered addresses, and of networks.
PACES: Final = (a_second(5, 64), a_second(10, 128))
MOST_PACED: Final = 1024


class Full(IntEnum):
    """The limit that refused a newcomer: a number of connections that have proved something, or the pace."""

    ADDRESS = 0
    NETWORK = 1
    ALL = 2
    PACE = 3


class Doorkeeper(Generic[Caller]):
    """The connections of one listener."""

    def __init__(
        self,
        most: int,
        dismiss: Callable[[Caller, int], None],
        *,
        of_an_address: int | None = None,
        proved: Callable[[], Container[Caller]] | None = None,
    ) -> None:
        """Admit at most `most` connections: half as many from one address unless `of_an_address` says how many, and
        half as many again from one IPv6 network.

        `dismiss` closes a connection that gives way. Connections in `proved()` keep their places; without `proved`, all
        that have said their first words do.
        """
        each = most // 2 if of_an_address is None else of_an_address
        self._limits = (each, each * 3 // 2, most)  # by Full
        self._dismiss = dismiss
        self._proved = proved
        self._paces = tuple(Buckets[str](pace, most=MOST_PACED) for pace in PACES)
        self._sources: dict[Caller, tuple[str, str, str]] = {}  # by Full; the oldest first
        self._count: Counter[tuple[Full, str]] = Counter()
        self._silent: dict[Caller, int] = {}  # since when; the oldest first

    def __iter__(self) -> Iterator[Caller]:
        return iter(self._sources)

    def admit(self, caller: Caller, address: str, now: int) -> Full | None:
        """Let a newcomer in, in the place of another if necessary. Return the limit that leaves no room, or None."""
        sources = (address, subnet_of(address), "")
        if not all(pace.take(now) for pace in self._paces_of(sources)):
            return Full.PACE
        for full, limit in zip(Full, self._limits, strict=False):
            if self._count[full, sources[full]] >= limit:
                kept, all_there = (self._proved(), self._sources) if self._proved else ((), self._silent)
                candidates = (
                    connection
                    for connection in all_there
                    if connection not in kept and self._sources[connection][full] == sources[full]
                )
                if (oldest := next(candidates, None)) is None:
                    return full
                self.failed(oldest, now)
                self.left(oldest)
                self._dismiss(oldest, now)
        self._sources[caller] = sources
        self._silent[caller] = now
        self._count.update(zip(Full, sources, strict=False))
        return None

    def _paces_of(self, sources: tuple[str, str, str]) -> Iterator[Bucket]:
        """Yield the paces that a newcomer takes from: none within this machine, whose programs all have one address."""
        if not any(map(is_loopback, sources)):
            yield from (pace.of(source) for pace, source in zip(self._paces, sources, strict=False))

    def spoke(self, caller: Caller) -> None:
        """Note that a connection has said its first words: it takes nothing from its pace any more."""
        if self._silent.pop(caller, None) is not None:
            for pace in self._paces_of(self._sources[caller]):
                pace.give_back()

    def failed(self, caller: Caller, now: int) -> None:
        """Note that a connection gives way or breaks a limit: it takes from its pace, as silent ones have done."""
        if caller in self._sources and caller not in self._silent:
            for pace in self._paces_of(self._sources[caller]):
                if not pace.rest(now):  # no debt grows, in which others of that address would wait
                    pace.pay(now, 1)

    def left(self, caller: Caller) -> None:
        """Forget a connection that is closed."""
        self._silent.pop(caller, None)
        for counted in zip(Full, self._sources.pop(caller, ()), strict=False):
            self._count[counted] -= 1
            if not self._count[counted]:
                del self._count[counted]

    def late(self, now: int) -> list[Caller]:
        """Return the connections that have missed the deadline of the first words."""
        return [connection for connection, since in self._silent.items() if now - since >= FIRST_WORDS]
