"""The seats' decisions other than moves at one table, as one peer received them.

Motions of all seats, decisions about a seat that is gone, owners who come back, and resignations. All but the last
two are bound to the head of the log and void after the next entry. A machine without sockets and clock. table.py
decides when an entry is written, net/entries/motions.py defines the motions, and promises.py says what this peer may
no longer sign. Specification: docs/protocols/log.md, "Motions".
"""

from collections.abc import Callable

from quadrille.net.entries.bodies import LeftBody, MotionBody
from quadrille.net.entries.entry import consent, resignation, statement
from quadrille.net.entries.motions import BackMotion, FlagMotion, JointMotion, SeatDecision, StandInMotion, TableMotion
from quadrille.net.entries.wire import Call, Consent, Decline, Message, Motion, Resign
from quadrille.net.game_log.news import Blamed, Declined, Proposed
from quadrille.net.tables.promises import Promises
from quadrille.net.tables.table_context import DueEntry, TableContext
from quadrille.net.trust.identity import verified
from quadrille.rules.errors import RulesError


class Accord:
    """The open decisions of one table."""

    __slots__ = (
        "_calling",
        "_consents",
        "_context",
        "_declined",
        "_log",
        "_returning",
        "open",
        "promises",
        "resigned",
        "signed",
    )

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._log = context.log
        self.promises = Promises(context)
        #: The open motion, and the seats that have signed it.
        self.open: TableMotion | None = None
        self.signed: dict[int, bytes] = {}
        self._declined: TableMotion | None = None
        self._returning: dict[int, tuple[BackMotion, bytes]] = {}  # signed motions by seat
        self._calling: StandInMotion | None = None
        self._consents: dict[TableMotion, bytes] = {}
        #: Seats that have resigned, each with its signature and the secret of its key for the cards.
        self.resigned: dict[int, tuple[bytes, bytes]] = {}
        self._remember_promise()

    @property
    def promise(self) -> tuple[bytes, SeatDecision] | None:
        """The decision about a seat that this peer has signed, with the head it is bound to."""
        return self.promises.current

    # Called for a person

    def agree(self, motion: TableMotion, flag_fell: Callable[[int], bool]) -> bool:
        """Propose a motion, or sign the open one. False if this peer has nothing to sign now; a RulesError explains
        why the motion is impossible.
        """
        seat, standing = self._signing_seat(motion), self._log.now
        if seat is None or standing.over or seat not in motion.signers(standing):
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
            self.promises.check(motion, open=motion == self.open and bool(self.signed))
            if isinstance(motion, StandInMotion) and self._must_call(motion):
                return True
            self.promises.make(motion, self._consents.get(motion, b""))
        self._sign(motion, seat)
        return True

    def _signing_seat(self, motion: TableMotion) -> int | None:
        """The seat that this peer may sign for: the one it writes for, or the one it owns."""
        if not isinstance(motion, BackMotion):
            return self._context.seat
        keys = [chair.key for chair in self._log.now.chairs]
        return keys.index(self._context.identity.key) if self._context.identity.key in keys else None

    def _has_signed(self, motion: TableMotion, seat: int) -> bool:
        if isinstance(motion, BackMotion):
            return seat in self._returning
        return motion == self.open and seat in self.signed

    def _sign(self, motion: TableMotion, seat: int) -> None:
        signature = self._signature(motion)
        if isinstance(motion, BackMotion):
            self._returning[seat] = (motion, signature)
        elif motion == self.open:
            self.signed[seat] = signature
        else:
            self.open, self.signed = motion, {seat: signature}
        self._context.say(*self._motions())
        self._tell(motion, seat)

    def _signature(self, motion: TableMotion) -> bytes:
        bound = motion.bound(self._log.now, self._log.head)
        assert bound is not None
        return self._context.identity.sign(statement(self._log.table, bound, motion))

    def _tell(self, motion: TableMotion, seat: int) -> None:
        """Record a seat's signature."""
        signed = (seat,) if isinstance(motion, BackMotion) else tuple(sorted(self.signed))
        self._context.events.append(Proposed(motion, signed))

    def _must_call(self, motion: StandInMotion) -> bool:
        """Ask a stand-in's key, unless it has agreed or need not."""
        if motion.called(self._log.now) is None or motion in self._consents:
            return False
        if motion.key == self._context.identity.key:
            said = consent(self._log.table, self._log.head, motion.seat)
            self._consents[motion] = self._context.identity.sign(said)
            return False
        self._calling = motion
        self._context.outgoing += self.calls()
        return True

    def calls(self) -> list[tuple[bytes, Call]]:
        """The open question to the peer that is asked to stand in."""
        if self._calling is None:
            return []
        return [(self._calling.key, Call(self._log.table, self._log.head, self._calling.seat, self._log.now.terms))]

    def decline(self) -> None:
        """Refuse the open motion."""
        if self.open is not None:
            self._context.say(Decline(self._log.table, self._log.head, self.open))
            self._declined = self.open
            self.open, self.signed = None, {}

    def resign(self, seat: int) -> Resign:
        """Sign the resignation of this peer's seat."""
        secret = self._context.hand.secret()
        signature = self._context.identity.sign(resignation(self._log.table, seat, secret))
        self.resigned[seat] = (signature, secret)
        return Resign(self._log.table, seat, signature, secret)

    # Messages of others

    def is_called(self, key: bytes) -> bool:
        """Whether that peer is asked to stand in."""
        return self._calling is not None and self._calling.key == key

    def hear(self, author: bytes, message: Motion | Decline | Resign | Consent) -> None:
        """Process a message about a decision; `due` says whether an entry must be written now."""
        match message:
            case Motion():
                self._hear_motion(author, message)
            case Decline(_, before, motion) if before == self._log.head and motion == self.open:
                self._hear_decline(author, motion)
            case Resign():
                self._hear_resign(author, message)
            case Consent():
                self._hear_consent(author, message)

    def _hear_decline(self, author: bytes, motion: TableMotion) -> None:
        """One refusal ends a motion that all must sign. A decision about a seat survives it, because that seat may
        stay away.
        """
        if author in [self._log.now.keys[seat] for seat in motion.signers(self._log.now)]:
            self._context.events.append(Declined(motion, author))
            if isinstance(motion, JointMotion):
                self.open, self.signed = None, {}

    def _hear_motion(self, author: bytes, message: Motion) -> None:
        """Add a signature for a motion at this head; another peer may have relayed it."""
        motion, seat = message.motion, message.seat
        if message.before != motion.bound(self._log.now, self._log.head):
            self.promises.vouch(author, message)
            return
        if self._log.now.over or (seat == self._context.seat and not isinstance(motion, BackMotion)):
            return  # my own signature is no news; it may be an echo of a motion declined since
        if motion == self._declined:
            if isinstance(motion, JointMotion):
                self._context.outgoing.append((author, Decline(self._log.table, self._log.head, motion)))
            return
        if objection := self._objection(message):
            self._context.events.append(Blamed(author, objection))
            return
        if isinstance(motion, BackMotion):
            if seat not in self._returning:
                self._returning[seat] = (motion, message.signature)
                self._tell(motion, seat)
        elif self._opens(motion):
            if message.consent:
                self._consents = {motion: message.consent}  # only that of the open one is needed
            if seat not in self.signed:
                self.signed[seat] = message.signature
                self._tell(motion, seat)

    def _opens(self, motion: TableMotion) -> bool:
        """Whether a motion is open now. Of two decisions about a seat the lower one stays open."""
        here = self.open
        if here != motion:
            lower = isinstance(motion, SeatDecision) and isinstance(here, SeatDecision) and motion.rank < here.rank
            if here is not None and self.signed and not lower:
                return False
            self.open, self.signed = motion, {}
        return True

    def _objection(self, message: Motion) -> str | None:
        """Why a motion or its signature is invalid."""
        motion, log = message.motion, self._log
        if objection := log.motion_objection(motion):
            return objection
        signs = message.seat in motion.signers(log.now)
        if not signs or not log.motion_signed(motion, message.seat, message.signature):
            return f"{motion.WORD}: a signature that is not that seat's own"
        if not log.motion_consented(motion, message.consent):
            asked = motion.called(log.now) is not None
            why = "the one that is to play on has not agreed" if asked else "no stand-in has to agree to this"
            return f"{motion.WORD}: {why}"
        return None

    def _hear_resign(self, author: bytes, said: Resign) -> None:
        seat, own = said.seat, (said.signature, said.secret)
        if self._log.now.over or seat not in self._log.now.seats_in() or self.resigned.get(seat) == own:
            return
        if seat in self.resigned and not self._log.takes_leave(seat, said.secret):
            return  # an old one, repeated: cards were dealt again since then
        if not verified(self._log.now.chairs[seat].key, own[0], resignation(self._log.table, seat, own[1])):
            self._context.events.append(Blamed(author, "a resignation that is not that seat's own"))
            return
        self.resigned[seat] = own

    def _hear_consent(self, author: bytes, said: Consent) -> None:
        """The peer that was asked to stand in agrees: now the seats can sign."""
        motion, head = self._calling, self._log.head
        asked = motion is not None and (said.before, said.seat, author) == (head, motion.seat, motion.key)
        if motion is None or not asked or self._context.seat is None:
            return
        if not verified(author, said.signature, consent(self._log.table, head, said.seat)):
            self._context.events.append(Blamed(author, "it agrees to play on without its signature"))
            return
        self._calling, self._consents[motion] = None, said.signature
        try:
            self.agree(motion, lambda _: False)
        except RulesError as error:  # another decision was signed meanwhile
            self._context.events.append(Blamed(author, f"it comes too late to play on: {error}"))

    # Effects

    def _remember_promise(self) -> None:
        """After a crash: a promise at this head still holds, and is sent again."""
        if (kept := self.promises.remember()) is None or (seat := self._context.seat) is None:
            return
        self.open, given = kept
        if given:
            self._consents[self.open] = given
        self.signed = {seat: self._signature(self.open)}

    def clear(self, *, replaced: bool) -> None:
        """A new entry is in the log: everything bound to the old head is void. A former head may have returned."""
        self.open, self.signed, self._declined, self.promises.current = None, {}, None, None
        self._calling, self._consents = None, {}
        now, before = self._log.now, self._log.standings[-2] if len(self._log.standings) > 1 else self._log.now
        inside, seat = now.seats_in(), self._context.seat
        self._returning = {
            other: own
            for other, own in self._returning.items()
            if other in inside and now.lent.get(other) == before.lent.get(other)
        }
        self.resigned = {other: own for other, own in self.resigned.items() if other in inside}
        if seat is not None and seat in self.resigned and now.deck is not None:
            self.resign(seat)  # a new deal has other keys
        if replaced:
            self._remember_promise()

    def due(self, *, writes_next: bool) -> DueEntry | None:
        """The entry that this peer has to write now: a motion with all its signatures, or a resignation.

        `writes_next`: the next entry is this peer's own.
        """
        standing, motion = self._log.now, self.open
        if standing.over:
            return None
        if motion is not None and self.signed.keys() == set(motion.signers(standing)):
            signed = tuple(sorted(self.signed.items()))
            if isinstance(motion, SeatDecision):
                return DueEntry(MotionBody(motion, signed, self._consents.get(motion, b"")), alone=False)
            if writes_next:
                return DueEntry(MotionBody(motion, tuple(pair for pair in signed if pair[0] != self._context.seat)))
        if not writes_next:
            return None
        for seat, (back, signature) in sorted(self._returning.items()) if not standing.owes_cards else ():
            return DueEntry(MotionBody(back, ((seat, signature),)))
        for seat, (signature, secret) in sorted(self.resigned.items()):
            if self._log.takes_leave(seat, secret):
                return DueEntry(LeftBody(seat, "resigned", signature, secret))
        return None

    def said(self) -> list[Message]:
        """The messages that this peer repeats with every heartbeat."""
        found: list[Message] = list(self._motions())
        seat = self._context.seat
        if seat is not None and seat in self.resigned:
            found.append(Resign(self._log.table, seat, *self.resigned[seat]))
        return found

    def _motions(self) -> list[Motion]:
        said: list[tuple[TableMotion, int, bytes]] = []
        if self.open is not None:
            said += [(self.open, seat, own) for seat, own in self.signed.items()]
        said += [(back, seat, own) for seat, (back, own) in self._returning.items()]
        found = []
        for motion, seat, signature in said:
            bound = motion.bound(self._log.now, self._log.head)
            assert bound is not None
            given = self._consents.get(motion, b"")
            found.append(Motion(self._log.table, bound, motion, seat, signature, given))
        return found
