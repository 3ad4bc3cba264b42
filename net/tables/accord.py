"""The decisions at a table besides its moves, as one peer received them: motions, promises, and proofs of guilt.

`Accord` has the decisions of the seats: motions of all, decisions about a seat that is gone, owners who come back, and
resignations. All but the last two are bound to the head of the log and void after the next entry. A decision about a
seat is a promise that holds through any crash, because it is on disk before it is sent. A peer that signed one takes no
entry of that seat in that place, unless another signer vouches for the entry. It vouches for no entry against which it
has decided. `Convictions` has the seats whose own signatures prove their guilt.

Machines without sockets and clock. table.py decides when an entry is written, net/entries/motions.py defines the
motions, net/game_log/log.py what proves guilt. Specification: docs/protocols/log.md, "Motions" and "Precedence".
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.bodies import MOST_PROOF_BYTES, EntryBody, ExcludedBody, LeftBody, MotionBody
from quadrille.net.entries.entry import NOBODY, Entry, read_entry, resignation, statement, vouching
from quadrille.net.entries.faults import Desync, Fault, Fork
from quadrille.net.entries.motions import (
    BackMotion,
    FlagMotion,
    JointMotion,
    SeatDecision,
    TableMotion,
    read_motion,
)
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.terms import NEWCOMER
from quadrille.net.entries.wire import Decline, Entries, Message, Motion, Resign, Vouch
from quadrille.net.game_log.log import Log, is_signed_by
from quadrille.net.game_log.news import Blamed, Convicted, Declined, Event, Proposed
from quadrille.net.game_log.own_cards import OwnCards
from quadrille.net.trust.identity import Identity, verified
from quadrille.rules.errors import RulesError

#: Maximum decisions about a seat that this peer signs at one head, each lower than the one before: enough for honest
#: others, who offer one stand-in each. A bot's peer signs by itself, so without it a liar who offers name after name
#: would have it write to its disk for ever.
MOST_PROMISES: Final = 32
#: Maximum proofs about one key that turn out to hold in another branch only: a liar makes any number, and we show each.
MOST_ACQUITTALS: Final = 4
#: A table keeps one proof of a key's guilt, and one invalid entry that the key signed.
PROOF: Final = "proof"
FAULT: Final = "fault"


class DueEntry(NamedTuple):
    """The body of an entry that this peer has to write, and whether its signature alone makes it."""

    body: EntryBody
    alone: bool = True


@dataclass(slots=True, eq=False)
class TableContext:
    """The state that a table shares with its decisions: the log, this peer's seats, absent seats, outgoing messages.

    `gone` maps seats without a peer to the time they left; a message for nobody is for all.
    """

    log: Log
    identity: Identity
    shelf: TableStore
    hand: OwnCards
    gone: dict[int, int] = field(default_factory=dict)
    outgoing: list[tuple[bytes | None, Message]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def seats(self) -> tuple[int, ...]:
        return self.log.now.seats_of(self.identity.key)

    def say(self, *messages: Message) -> None:
        """Send messages to all at the table."""
        self.outgoing += [(None, message) for message in messages]

    def secret(self, label: str) -> bytes | None:
        return self.shelf.secret(self.log.table, label)

    def keep(self, label: str, data: bytes) -> None:
        """Store data about the table; they are on disk when the call returns."""
        self.shelf.keep_secret(self.log.table, label, data)


class Accord:
    """The open decisions of one table."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._log = context.log
        #: The decision about a seat that this peer signed last at this head.
        self.promise: SeatDecision | None = None
        #: The open motion, and the seats that have signed it.
        self.open: TableMotion | None = None
        self.signed: dict[int, bytes] = {}
        self._declined: tuple[TableMotion, bytes] | None = None  # what was refused last at this head, and by whom
        #: The keys that somebody at this table did not want at another seat.
        self.turned_away: set[bytes] = set()
        #: How often a key had not signed for its seat when an entry came between: it goes behind who did so less often.
        self.lapses = Counter[bytes]()
        #: The messages by which owners of seats come back or resign, by number and seat: they need no other signature,
        #: and the author of the next entry carries them.
        self.by_owners: dict[tuple[int, int], Motion | Resign] = {}
        self._remember_promise()

    # Called for a person

    def agree(self, motion: TableMotion, flag_fell: Callable[[int], bool]) -> bool:
        """Propose a motion, or sign the open one. Return False if this peer has nothing to sign now; a RulesError
        explains why the motion is impossible.
        """
        seat, standing = self._signing_seat(motion), self._log.now
        if seat is None or standing.over:
            return False
        if objection := self._log.motion_objection(motion):
            raise RulesError(objection)
        if self._has_signed(motion, seat):
            return True  # repeated with every heartbeat
        self._declined = None
        if isinstance(motion, SeatDecision):
            if not self._context.gone.keys().isdisjoint(motion.signers(standing)):
                return False  # a seat that is not here can't sign, and a promise would keep that seat out until then
            if isinstance(motion, FlagMotion) and not flag_fell(motion.seat):
                raise RulesError(f"player {motion.seat + 1} has time left by the clock of this machine")
            self._check_promise(motion, open=motion == self.open and bool(self.signed))
            self._promise(motion)
        self._add(motion, seat, self._signature(motion))
        self._context.outgoing += self.said()
        return True

    def _signing_seat(self, motion: TableMotion) -> int | None:
        """Return the signer of a motion that this peer is; None if it has nothing to sign."""
        now, own = self._log.now, self._context.identity.key
        return next((seat for seat in motion.signers(now) if motion.signer_key(now, seat) == own), None)

    def _has_signed(self, motion: TableMotion, seat: int) -> bool:
        if isinstance(motion, BackMotion):
            return (Motion.NUMBER, seat) in self.by_owners
        return motion == self.open and seat in self.signed

    def _add(self, motion: TableMotion, seat: int, signature: bytes) -> None:
        """Record and report a seat's signature."""
        if isinstance(motion, BackMotion):
            message = Motion(self._log.table, self._log.now.lent[seat], motion, seat, signature)
            self.by_owners[message.NUMBER, seat] = message
            self._context.events.append(Proposed(motion, (seat,)))
            return
        if motion != self.open:
            self.open, self.signed = motion, {}
        self.signed[seat] = signature
        if self.newcomer is None:
            self._context.events.append(Proposed(motion, tuple(sorted(self.signed.keys() - {NEWCOMER}))))

    def _signature(self, motion: TableMotion) -> bytes:
        bound = motion.bound(self._log.now, self._log.head)
        assert bound is not None
        return self._context.identity.sign(statement(self._log.table, bound, motion))

    @property
    def newcomer(self) -> bytes | None:
        """The key that gets a seat by the open motion, until it signs: nobody else hears of the motion before."""
        if self.open is None or NEWCOMER in self.signed or NEWCOMER not in self.open.signers(self._log.now):
            return None
        return self.open.key

    def decline(self) -> None:
        if self.open is not None:
            self._context.say(Decline(self._log.table, self._log.head, self.open))
            self._declined = (self.open, self._context.identity.key)
            self.turned_away.add(self.open.key)
            self.open, self.signed = None, {}

    def resign(self, seat: int) -> Resign:
        """Sign the resignation of a seat of this peer."""
        secret = self._context.hand.secret(seat)
        signature = self._context.identity.sign(resignation(self._log.table, seat, secret))
        self.by_owners[Resign.NUMBER, seat] = message = Resign(self._log.table, seat, signature, secret)
        return message

    # Messages of others

    def hear(self, author: bytes, message: Motion | Decline | Resign) -> None:
        """Process a message about a decision; `due` says whether an entry must be written now."""
        match message:
            case Motion():
                self._hear_motion(author, message)
            case Decline(_, before, motion) if before == self._log.head and motion == self.open:
                self._hear_decline(author, motion)
            case Resign():
                self._hear_resign(author, message)

    def _hear_decline(self, author: bytes, motion: TableMotion) -> None:
        """End a motion that all must sign. A decision about a seat survives: that seat may stay away."""
        if author in [motion.signer_key(self._log.now, seat) for seat in motion.signers(self._log.now)]:
            self._context.events.append(Declined(motion, author))
            if isinstance(motion, JointMotion):
                self.open, self.signed, self._declined = None, {}, (motion, author)
                self.turned_away.add(motion.key)

    def _hear_motion(self, author: bytes, message: Motion) -> None:
        """Add a signature for a motion at this head; another peer may have relayed it."""
        motion, seat = message.motion, message.seat
        if message.before != motion.bound(self._log.now, self._log.head):
            self._vouch(author, message)
            return
        if self._log.now.over or (seat in self._context.seats and not isinstance(motion, BackMotion)):
            return  # my own signature is no news; it may be an echo of a motion declined since
        if self._is_declined(author, message):
            return
        if objection := self._objection(message):
            self._context.events.append(Blamed(author, objection))
            return
        if self._may_open(motion) and not self._has_signed(motion, seat):
            newcomer = self.newcomer
            self._add(motion, seat, message.signature)
            if author == newcomer:  # now the others hear of the motion, and not a heartbeat later
                self._context.outgoing += self.said()

    def _is_declined(self, author: bytes, message: Motion) -> bool:
        """Repeat a refusal of this peer. A motion that another peer has refused stays refused until that peer signs it:
        bots agree to what they hear, and would open it again and again.
        """
        motion, key = self._declined or (None, b"")
        if motion != message.motion:
            return False
        if key == self._context.identity.key and isinstance(motion, JointMotion):
            self._context.outgoing.append((author, Decline(self._log.table, self._log.head, motion)))
        return author != key

    def _may_open(self, motion: TableMotion) -> bool:
        """Return whether a motion is open, or may open now. Of two decisions about a seat the lower one stays open.
        None waits for a motion that the absent seat has to sign too. No other motion waits for a newcomer.
        """
        here = self.open
        if isinstance(motion, BackMotion) or here in (None, motion) or not self.signed or self.newcomer:
            return True
        return isinstance(motion, SeatDecision) and (not isinstance(here, SeatDecision) or motion.rank < here.rank)

    def _objection(self, message: Motion) -> str | None:
        """Say why a motion or its signature is invalid."""
        motion, log = message.motion, self._log
        if objection := log.motion_objection(motion):
            return objection
        if not is_signed_by(log.now, motion, message.seat, message.signature, table=log.table, head=log.head):
            return f"{motion.WORD}: a signature that is not that seat's own"
        return None

    def _hear_resign(self, author: bytes, message: Resign) -> None:
        seat, known = message.seat, self.by_owners.get((message.NUMBER, message.seat))
        if self._log.now.over or seat not in self._log.now.seats_in() or known == message:
            return
        if known is not None and not self._log.takes_leave(seat, message.secret):
            return  # an old one, repeated: cards were dealt again since then
        if not self._is_owners(message):
            self._context.events.append(Blamed(author, "a resignation that is not that seat's own"))
            return
        self.by_owners[message.NUMBER, seat] = message

    def _is_owners(self, message: Motion | Resign) -> bool:
        """Return True if the owner of a seat has signed this message: the seat may be another peer's now."""
        now, seat = self._log.now, message.seat
        if isinstance(message, Motion):
            return message.before == now.lent.get(seat)
        return verified(now.chairs[seat].key, message.signature, resignation(message.table, seat, message.secret))

    # Promises

    def _check_promise(self, motion: SeatDecision, *, open: bool) -> None:
        """Allow one decision per head, because the receiver of two could choose between them. An `open` one that is
        lower is the exception (`SeatDecision.rank`).
        """
        promised = self.promise or motion
        may_change = open and motion.rank < promised.rank and len(self._kept()) < MOST_PROMISES
        if promised != motion and not may_change:
            raise RulesError(
                f"you have agreed to {promised.WORD} player {promised.seat + 1} already: one decision about a seat can "
                "be made in one place, and the others can still agree to that one"
            )

    def _promise(self, motion: SeatDecision) -> None:
        """Promise, on disk first, that a seat is gone: from now on this peer takes no entry of that seat here."""
        if self.promise != motion:
            self._context.keep(_label(self._log.head, len(self._kept())), pack(motion.plain()))
            self.promise = motion

    def _kept(self) -> list[SeatDecision]:
        """Return the decisions that this peer has signed at this head, in order."""
        decisions = list[SeatDecision]()
        while (data := self._context.secret(_label(self._log.head, len(decisions)))) is not None:
            motion = read_motion(unpack(data))
            assert isinstance(motion, SeatDecision)
            decisions.append(motion)
        return decisions

    def refuses(self, entry: Entry) -> bool:
        """Return True if this peer signed a decision about the entry's seat in that place, and no other signer
        vouches for the entry.

        A signer that vouches for the entry will not sign the decision, so the entry stands.
        """
        standing, motion = self._log.now, self.promise
        if motion is None or entry.before != self._log.head or entry.author != standing.keys[motion.seat]:
            return False
        deciding = {standing.keys[seat] for seat in motion.signers(standing)} - {self._context.identity.key}
        return deciding.isdisjoint(self._log.vouchers(entry.hash))

    # Vouches

    def _vouch(self, author: bytes, message: Motion) -> None:
        """Show the entry in whose place another peer decides about a seat, and vouch for it.

        A peer that has signed such a decision itself only relays the vouches of others.
        """
        log, motion, identity = self._log, message.motion, self._context.identity
        entry = next(
            (entry_there for entry_there in reversed(log.entries[1:]) if entry_there.before == message.before), None
        )
        if not isinstance(motion, SeatDecision) or entry is None:
            return
        before = log.standings[entry.index - 1]
        if motion.seat != before.turn or entry.author != before.keys[motion.seat]:
            return
        if not is_signed_by(before, motion, message.seat, message.signature, table=log.table, head=entry.before):
            return
        others = [before.keys[seat] for seat in motion.signers(before)]
        silent = identity.key in others and identity.key not in log.vouchers(entry.hash)
        if silent and self._context.secret(_label(message.before, 0)) is None:
            self._context.shelf.settle(log.table)
            signature = identity.sign(vouching(log.table, entry.before, entry.hash))
            log.vouch(identity.key, entry.hash, entry.before, signature)
        if vouches := self.vouches(entry):
            self._context.outgoing.append((author, Entries(log.table, (entry,))))
            self._context.outgoing += [(author, vouch) for vouch in vouches]

    def vouches(self, entry: Entry) -> list[Vouch]:
        signatures = self._log.vouchers(entry.hash).items()
        return [Vouch(entry.table, entry.before, entry.hash, key, signature) for key, signature in signatures]

    # Effects

    def _remember_promise(self) -> None:
        """Renew the promise made at this head before a crash: it still holds, and is sent again."""
        kept = self._kept()
        seat = self._signing_seat(kept[-1]) if kept else None
        if seat is not None:
            self.promise = self.open = kept[-1]
            self.signed = {seat: self._signature(self.open)}

    def clear(self, *, replaced: bool) -> None:
        """Forget everything bound to the old head: a new entry is in the log. A former head may have returned."""
        if (newcomer := self.newcomer) is not None:
            self.lapses[newcomer] += 1
        self.open, self.signed, self._declined, self.promise = None, {}, None, None
        now = self._log.now
        self.by_owners = {
            key: message
            for key, message in self.by_owners.items()
            if message.seat in now.seats_in() and self._is_owners(message)
        }
        for number, seat in [*self.by_owners] if now.deck is not None else ():
            if number == Resign.NUMBER and seat in self._context.seats and seat not in now.lent:
                self.resign(seat)  # a new deal has other keys, and the last seat of a peer leaves with its secret
        if replaced:
            self._remember_promise()

    def due(self, *, writes_next: bool) -> DueEntry | None:
        """Return the entry that this peer has to write now: a motion with all its signatures, or a resignation.

        `writes_next`: the next entry is this peer's own.
        """
        standing, motion = self._log.now, self.open
        if standing.over:
            return None
        if motion is not None and self.signed.keys() == set(motion.signers(standing)):
            signed = tuple(sorted(self.signed.items()))
            if isinstance(motion, SeatDecision):
                return DueEntry(MotionBody(motion, signed), alone=False)
            if writes_next:
                own = self._signing_seat(motion)
                return DueEntry(MotionBody(motion, tuple(pair for pair in signed if pair[0] != own)))
        if not writes_next:
            return None
        for _, message in sorted(self.by_owners.items()):
            match message:
                case Motion(_, _, back, seat, signature) if standing.due is None:
                    return DueEntry(MotionBody(back, ((seat, signature),)))
                case Resign(_, seat, signature, secret) if self._log.takes_leave(seat, secret):
                    return DueEntry(LeftBody(seat, "resigned", signature, secret))
        return None

    def said(self) -> list[tuple[bytes | None, Message]]:
        """Return the messages that this peer repeats with every heartbeat, each with the key that it is for."""
        said: list[tuple[bytes | None, Message]] = [(None, message) for message in self.by_owners.values()]
        table, head = self._log.table, self._log.head
        if (motion := self.open) is not None:
            said += [(self.newcomer, Motion(table, head, motion, *signed)) for signed in self.signed.items()]
        # A promise holds whatever its peer wants by now. Others vouch only for an entry that they know it keeps out.
        if (own := self.promise) and own != motion and (seat := self._signing_seat(own)) is not None:
            said.append((None, Motion(table, head, own, seat, self._signature(own))))
        return said


def _label(head: bytes, number: int) -> str:
    return f"promise/{head.hex()}" + (f"/{number}" if number else "")


class Convictions:
    """The culprits of one table."""

    def __init__(self, context: TableContext) -> None:
        """Load the proofs that were kept before a crash."""
        self._context = context
        self._found: dict[bytes, tuple[Entry, ...]] = {}
        self._shown: set[bytes] = set()  # the keys whose guilt this peer has shown to the others
        self._acquitted: dict[bytes, int] = {}
        for key in {*context.log.now.keys} - {context.identity.key}:
            if (kept := context.secret(evidence_label(PROOF, key))) is not None:
                self._found[key] = tuple(map(read_entry, unpack(kept)[1]))

    def convict(self, error: Fork | Desync, *proof: Entry) -> bool:
        """Keep a proof of a key's guilt, show it once, and exclude its seats. Return False if it is new and the key has
        no seat in the running game.
        """
        now, shown = self._context.log.now, tuple(sorted(proof, key=lambda entry: entry.hash))
        if error.culprit in self._shown:
            return True
        self._shown.add(error.culprit)
        self._context.say(*(Entries(self._context.log.table, (entry,)) for entry in shown))
        plays = not now.over and not {*now.seats_of(error.culprit)}.isdisjoint(now.seats_in())
        if plays:
            self._found[error.culprit] = shown
            self._context.events.append(Convicted(error.culprit, str(error), tuple(entry.data for entry in shown)))
        self._keep(PROOF, error, shown)  # last: the disk may refuse it, and the culprit has to go all the same
        return plays

    def _acquit(self, key: bytes) -> None:
        """Drop a proof about another branch, which proves nothing about this one. Another proof may."""
        del self._found[key]
        self._acquitted[key] = self._acquitted.get(key, 0) + 1
        if self._acquitted[key] < MOST_ACQUITTALS:
            self._shown.discard(key)

    def due(self, *, writes_next: bool) -> DueEntry | None:
        """Return the exclusion that this peer has to write now; `writes_next`: the next entry is its own."""
        log, standing = self._context.log, self._context.log.now
        if not self._context.seats or standing.over:
            return None
        for key, proof_found in [*self._found.items()]:
            proof, inside = self._outside(proof_found), {*standing.seats_of(key)} & {*standing.seats_in()}
            fits = len(proof) == 1 or sum(map(len, proof)) <= MOST_PROOF_BYTES
            is_its_turn = standing.turn in inside
            if proof and fits and inside and (writes_next or is_its_turn):
                body = ExcludedBody(standing.turn if is_its_turn and standing.turn is not None else min(inside), proof)
                if log.proves(body):
                    return DueEntry(body, not is_its_turn)
                self._acquit(key)
        return None

    def _outside(self, proof: Iterable[Entry]) -> tuple[bytes, ...]:
        """Return the entries of a proof but for the one that stands in the log: everybody has that one."""
        return tuple(entry.data for entry in proof if not self._context.log.stands(entry.index, entry.hash))

    def keep_fault(self, entry: Entry, error: Fault) -> None:
        """Keep an invalid entry signed by a seat at this head: a single one proves its author's fault."""
        log = self._context.log
        signed = error.culprit == entry.author != NOBODY and entry.before == log.head and entry.is_signed
        if signed and entry.author in log.now.keys:
            self._keep(FAULT, error, (entry,))

    def _keep(self, kind: str, error: Fault, proof: tuple[Entry, ...]) -> None:
        """Keep one proof of each culprit, as long as a reader who has the log needs."""
        label = evidence_label(kind, error.culprit)
        if self._context.secret(label) is None:
            data = tuple(entry.data for entry in proof)
            data = data if sum(map(len, data)) <= MOST_PROOF_BYTES else self._outside(proof)[:1]
            self._context.keep(label, pack((str(error), data)))


def evidence_label(kind: str, culprit: bytes) -> str:
    """Return the label under which a proof or a fault is kept of a key."""
    return f"{kind}/{culprit.hex()}"
