"""The log of a table: what everybody checks, entry by entry, and what follows from it.

A log is a pure function of its entries. It has no clock and sends nothing. What an entry leads to is net/ruling.py's to
say; here is which entry may stand in which place. Whatever is wrong with one is a `Fault` that names the culprit, and
changes nothing. Specification: protocols.md, "The log".

Who writes the next entry: the seat whose turn it is, so the order of turns is the order of the log. Only what the
others decide about a seat that is gone is written by nobody, on its turn, signed by all of them; it takes the place of
what that seat may have written there unseen.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from quadrille.net import dealing, ruling
from quadrille.net.cards.umpire import Umpire, Witness
from quadrille.net.entry import NOBODY, Entry, statement
from quadrille.net.errors import PeerError
from quadrille.net.faults import Desync, Fault, Fork, Gap, Late
from quadrille.net.hashing import short
from quadrille.net.identity import Identity, verified
from quadrille.net.motions import BY_OTHERS
from quadrille.net.standing import Standing


def genesis(table: bytes) -> bytes:
    """What the first entry names as the one before it."""
    return short("genesis", table)


class Log:
    """The entries of one table, each checked before it was taken."""

    __slots__ = ("_written", "books", "entries", "standings", "table", "umpire")

    def __init__(self, table: bytes, umpire: Umpire | None = None) -> None:
        """The umpire checks what is said about cards; a log without hidden cards needs none."""
        self.table = table
        self.umpire = umpire or Umpire()
        self.entries: list[Entry] = []
        self.books: dict[tuple[int, int], bytes] = {}  # net/books.py
        self.standings: list[Standing] = []
        self._written: tuple[Entry, Standing] | None = None

    @property
    def head(self) -> bytes:
        """The hash that the next entry has to name."""
        return self.entries[-1].hash if self.entries else genesis(self.table)

    @property
    def now(self) -> Standing:
        """What all entries come to; there must be one."""
        return self.standings[-1]

    # Taking entries

    def take(self, entry: Entry) -> bool:
        """Check an entry and add it; False when it was here already. A `PeerError` of this file says what is wrong."""
        if self._written is not None and self._written[0] is entry and entry.before == self.head:
            self.entries.append(entry)
            self.standings.append(self._written[1])
            self._written = None
            return True
        if entry.table != self.table:
            raise Fault(NOBODY, "an entry of another table")
        if entry.index > len(self.entries):
            raise Gap(f"entry {entry.index} came before entry {len(self.entries)}")
        if entry.index < len(self.entries) and self.entries[entry.index].hash == entry.hash:
            return False
        if not entry.is_signed():
            raise Fault(NOBODY, f"the signature of entry {entry.index} is not its author's")
        kept, culprit = len(self.entries), None
        if entry.index < kept:
            kept = entry.index
            culprit = self._signed_twice(entry)
            if culprit is None:
                self._check_replaces(entry)
        standing = self._after(entry, kept)
        if culprit is not None:
            raise Fork(culprit, self.entries[kept], entry)
        del self.entries[kept:], self.standings[kept:]
        self.entries.append(entry)
        self.standings.append(standing)
        return True

    def _check_replaces(self, entry: Entry) -> None:
        """Only what all the others decided about its author takes an entry's place."""
        here = self.entries[entry.index]
        if entry.index == 0:
            if entry.kind != "begin":
                raise Fault(entry.author, "a log begins with what all seats agreed on")
            chairs, others = ({chair[0] for chair in one.body[1]} for one in (here, entry))
            again = entry.body[0] == here.body[0] and not chairs.isdisjoint(others)
            if again and entry.body[2] > here.body[2] and len(self.entries) == 1:
                return
            raise Late("the table began otherwise")
        if entry.before != here.before:
            raise Late(f"entry {entry.index} follows another one than here")
        if entry.author == here.author and entry.author != NOBODY:
            raise Fork(entry.author, here, entry)
        gone, instead = _decided_about(entry), _decided_about(here)
        keys = self.standings[entry.index - 1].keys
        if gone is not None and gone >= len(keys):
            raise Fault(entry.author, f"there is no player {gone + 1} at this table")
        beaten = gone == instead and entry.hash < here.hash  # both decided, otherwise: the smaller hash stands
        if gone is None or (not beaten and keys[gone] != here.author):
            raise Late(f"entry {entry.index} comes too late: another stands there")

    def _signed_twice(self, entry: Entry) -> bytes | None:
        """Who signed the same otherwise in what all made together: honest programs sign the same bytes the same way.

        Else one who has the others' signatures could make another such entry whenever it liked.
        """
        here = self.entries[entry.index]
        if not here.author == entry.author == NOBODY or here.kind != entry.kind or here.before != entry.before:
            return None
        if entry.kind == "begin" and here.body[:3] == entry.body[:3]:
            keys = [chair[0] for chair in entry.body[1]]
            rows = [tuple(zip(keys, *body[3:5], strict=False)) for body in (here.body, entry.body)]
        elif entry.kind == "motion" and here.body[0] == entry.body[0]:
            rows = [here.body[1], entry.body[1]]
            keys = [self.standings[entry.index - 1].keys[seat] for seat, _ in here.body[1]]
        else:
            return None
        return next((key for key, one, other in zip(keys, *rows, strict=False) if one != other), None)

    def _after(self, entry: Entry, kept: int) -> Standing:
        """The standing that an entry leads to, from that after the first `kept` entries."""
        before = self.entries[kept - 1].hash if kept else genesis(self.table)
        if entry.before != before:
            raise Late(f"entry {entry.index} does not follow the one before it here")
        if entry.author == NOBODY and entry.used:
            raise Fault(NOBODY, "what all made together states no time")
        if entry.index == 0:
            standing = ruling.begun(entry)
        else:
            standing = ruling.continued(self.standings[kept - 1], entry, self.umpire)
        digest = standing.match.state.digest()
        if entry.digest != digest:
            here, there = digest.hex()[:12], entry.digest.hex()[:12]
            wrong = Fault if entry.author == NOBODY else Desync  # what nobody signed proves nothing about engines
            raise wrong(entry.author, f"entry {entry.index} leads to position {there} there, to {here} here")
        return dealing.asked(standing, entry.hash, self.umpire)

    # Writing entries

    def write(self, kind: str, body: tuple[Any, ...], identity: Identity | None, used: int = 0) -> Entry:
        """The next entry, signed (by nobody where identity is None); it is checked, and not taken yet."""
        author = identity.key if identity else NOBODY
        draft = Entry(self.table, len(self.entries), self.head, author, kind, body, used, bytes(32))
        own = Witness(self.umpire)
        standing = ruling.continued(self.now, draft, own) if draft.index else ruling.begun(draft)
        entry = replace(draft, digest=standing.match.state.digest())
        if identity:
            entry = entry.signed(identity)
        self._written = (entry, dealing.asked(standing, entry.hash, own))
        return entry

    def motion_objection(self, motion: tuple[Any, ...]) -> str | None:
        """Why a motion can't be carried at this head of the log, whoever signs it."""
        try:
            ruling.check_motion(self.now, motion, NOBODY)
        except Fault as error:
            return str(error)
        return None

    def takes_leave(self, seat: int, secret: bytes) -> bool:
        """Whether a seat may go now with that secret of its key for the cards; after a new deal it has another."""
        try:
            dealing.check_leave(self.now, seat, secret, self.umpire, politely=True)
        except PeerError:
            return False
        return True

    def motion_signed(self, motion: tuple[Any, ...], seat: int, signature: bytes) -> bool:
        """Whether that seat agreed to a motion at this head of the log."""
        standing = self.now
        bound = standing.bound(motion, self.head)
        key = standing.chairs[seat].key if motion[0] == "back" else standing.keys[seat]
        return bound is not None and verified(key, signature, statement(self.table, bound, motion))


def _decided_about(entry: Entry) -> int | None:
    """The seat that the others, or the arbiter, decided about in this entry."""
    match entry.kind, entry.body:
        case "motion", ((str() as kind, int() as seat, _, _), _) if kind in BY_OTHERS:
            return seat
        case "left", (int() as seat, "forfeit", _, _):
            return seat
    return None


def replayed(table: bytes, entries: Iterable[Entry], umpire: Umpire | None = None) -> Log:
    """A log from its entries, all checked."""
    log = Log(table, umpire)
    for entry in entries:
        log.take(entry)
    return log
