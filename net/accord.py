"""What the seats of one table decide together beside their moves, as one peer has heard it.

Motions that all agree on, decisions about a seat that is gone, resignations, and the exclusion of a seat that cheated.
All of it is bound to the head of the log and void after the next entry. A machine without sockets and without a clock:
net/table.py says when something is written. Specification: protocols.md, "Motions" and "Precedence".

One promise holds through any crash, because it is on disk before it is sent: this peer takes no entry of a seat in a
place where it has signed a decision about that seat, unless another that had to sign it vouches for the entry.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from quadrille.net.entry import MOST_PROOF_BYTES, Entry, consent, resignation, statement, vouching
from quadrille.net.faults import Desync, Fork
from quadrille.net.hand import Hand
from quadrille.net.identity import Identity, verified
from quadrille.net.log import Log
from quadrille.net.motions import BY_ALL, BY_OTHERS, back, rank
from quadrille.net.news import Blamed, Convicted, Declined, Event, Proposed
from quadrille.net.shapes import pack, unpack
from quadrille.net.shelf import Shelf
from quadrille.net.wire import Call, Consent, Decline, Entries, Message, Motion, Resign, Vouch
from quadrille.rules.errors import RulesError

#: Maximum decisions about a seat that this peer signs at one head, each lower than the one before.
MOST_PROMISES: Final = 4
#: Kind and body of an entry that is due, and whether this peer's signature alone makes it.
Due: TypeAlias = tuple[str, tuple[Any, ...], bool]


class Accord:
    """The open decisions of one table."""

    __slots__ = (
        "_calling",
        "_consents",
        "_convicted",
        "_declined",
        "_events",
        "_gone",
        "_hand",
        "_identity",
        "_log",
        "_motion",
        "_outgoing",
        "_returning",
        "_shelf",
        "_shown",
        "promise",
        "resigned",
        "signed",
    )

    def __init__(
        self,
        log: Log,
        identity: Identity,
        shelf: Shelf,
        hand: Hand,
        gone: dict[int, int],
        outgoing: list[tuple[bytes | None, Message]],
        events: list[Event],
    ) -> None:
        """`gone`, `outgoing` and `events` are those of the table."""
        self._log = log
        self._identity = identity
        self._shelf = shelf
        self._hand = hand
        self._gone = gone
        self._outgoing = outgoing
        self._events = events
        self._motion: tuple[Any, ...] | None = None
        #: The seats that have signed the open motion.
        self.signed: dict[int, bytes] = {}
        self._declined: tuple[Any, ...] | None = None
        self._returning: dict[int, bytes] = {}
        self._calling: tuple[Any, ...] | None = None
        self._consents: dict[tuple[Any, ...], bytes] = {}
        self._convicted: dict[int, tuple[bytes, ...]] = {}
        self._shown: set[bytes] = set()  # the keys whose guilt this peer has shown to the others
        #: Seats that have resigned, each with its signature and the secret of its key for the cards.
        self.resigned: dict[int, tuple[bytes, bytes]] = {}
        #: The decision about a seat that this peer has signed, with the head it is bound to.
        self.promise: tuple[bytes, tuple[Any, ...]] | None = None
        self._remember_promise()
        self._remember_proof()

    @property
    def _seat(self) -> int | None:
        return self._hand.seat

    @property
    def open(self) -> tuple[Any, ...] | None:
        """The motion that is open."""
        return self._motion

    # What a person does

    def agree(self, motion: tuple[Any, ...], flag_fell: Callable[[int], bool]) -> bool:
        """Propose a motion, or sign the one that is open. False when this peer has nothing to sign now; a RulesError
        says why the motion can't be carried at all.
        """
        seat, standing = self._seat, self._log.now
        if motion[0] == "back":
            keys = [chair.key for chair in standing.chairs]
            seat = keys.index(self._identity.key) if self._identity.key in keys else None
        if seat is None or standing.over or seat not in standing.needed(motion):
            return False
        if objection := self._log.motion_objection(motion):
            raise RulesError(objection)
        if (motion == self._motion and seat in self.signed) or (motion[0] == "back" and seat in self._returning):
            return True  # it is said again with every heartbeat
        self._declined = None
        if motion[0] in BY_OTHERS:
            if not self._gone.keys().isdisjoint(standing.needed(motion)):
                return False  # who is not here can't sign it, and a promise would keep the seat out until then
            if motion[0] == "flag" and not flag_fell(motion[1]):
                raise RulesError(f"player {motion[1] + 1} has time left by the clock of this machine")
            self._check_promise(motion)
            if self._must_call(motion):
                return True
            self._make_promise(motion)
        self._sign(motion, seat)
        return True

    def _sign(self, motion: tuple[Any, ...], seat: int) -> None:
        bound = self._log.now.bound(motion, self._log.head)
        assert bound is not None
        signature = self._identity.sign(statement(self._log.table, bound, motion))
        if motion[0] == "back":
            self._returning[seat] = signature
        elif motion == self._motion:
            self.signed[seat] = signature
        else:
            self._motion, self.signed = motion, {seat: signature}
        self._outgoing += [(None, message) for message in self._motions()]
        self._events.append(Proposed(motion, (seat,) if motion[0] == "back" else tuple(sorted(self.signed))))

    def _check_promise(self, motion: tuple[Any, ...]) -> None:
        """One decision at a head: two would let another choose which of them stands. But see `rank`."""
        promised = self.promise[1] if self.promise else motion
        goes_over = motion == self._motion and bool(self.signed) and rank(motion) < rank(promised)
        if promised != motion and not goes_over:
            raise RulesError(
                f"you have agreed to {promised[0]} player {promised[1] + 1} already: one decision about a seat can be "
                "made in one place, and the others can still agree to that one"
            )

    def _must_call(self, motion: tuple[Any, ...]) -> bool:
        """Ask the key that is to play on for a seat, unless it has agreed. Tables of protocol 1 do not ask."""
        kind, seat, key, _ = motion
        standing = self._log.now
        if kind != "stand-in" or standing.protocol == 1 or motion in self._consents:
            return False
        if key == self._identity.key:
            self._consents[motion] = self._identity.sign(consent(self._log.table, self._log.head, seat))
            return False
        self._calling = motion
        self._outgoing += self.calls()
        return True

    def calls(self) -> list[tuple[bytes, Call]]:
        """The question to the peer that is asked to play on for a seat, and that has not answered."""
        if self._calling is None:
            return []
        _, seat, key, _ = self._calling
        return [(key, Call(self._log.table, self._log.head, seat, self._log.now.terms.plain()))]

    def decline(self) -> None:
        """Do not agree to the motion that is open."""
        if self._motion is not None:
            self._outgoing.append((None, Decline(self._log.table, self._log.head, self._motion)))
            self._declined = self._motion
            self._motion, self.signed = None, {}

    def resign(self, seat: int) -> Resign:
        """Sign that this peer's seat goes out of the game."""
        secret = self._hand.secret()
        signature = self._identity.sign(resignation(self._log.table, seat, secret))
        self.resigned[seat] = (signature, secret)
        return Resign(self._log.table, seat, signature, secret)

    # What others do

    def is_called(self, key: bytes) -> bool:
        """Whether that peer is asked to play on for a seat."""
        return self._calling is not None and self._calling[2] == key

    def hear(self, author: bytes, message: Motion | Decline | Resign | Consent) -> None:
        """A message about what is decided; `due` says whether something is to be written now."""
        match message:
            case Motion():
                self._hear_motion(author, message)
            case Decline(_, before, motion) if before == self._log.head and motion == self._motion:
                self._hear_decline(author, motion)
            case Resign():
                self._hear_resign(author, message)
            case Consent():
                self._hear_consent(author, message)

    def _hear_decline(self, author: bytes, motion: tuple[Any, ...]) -> None:
        """One no ends a motion that all have to sign. One about a seat that is gone stays: that seat may stay away."""
        if author in [self._log.now.keys[seat] for seat in self._log.now.needed(motion)]:
            self._events.append(Declined(motion, author))
            if motion[0] in BY_ALL:
                self._motion, self.signed = None, {}

    def _hear_motion(self, author: bytes, message: Motion) -> None:
        """Somebody hands on a signature for a motion at this head."""
        motion, seat = message.motion, message.seat
        bound = self._log.now.bound(motion, self._log.head)
        if message.before != bound:
            self._vouch(author, message)
            return
        if self._log.now.over or (seat == self._seat and motion[0] != "back"):
            return  # my own signature is no news; it may be an echo of what has been declined since
        if motion == self._declined:
            if motion[0] in BY_ALL:
                self._outgoing.append((author, Decline(self._log.table, self._log.head, motion)))
            return
        if objection := self._objection(message):
            self._events.append(Blamed(author, objection))
            return
        if motion[0] == "back":
            if seat not in self._returning:
                self._returning[seat] = message.signature
                self._events.append(Proposed(motion, (seat,)))
            return
        if self._motion is not None and self._motion != motion and self.signed and not self._takes_over(motion):
            return
        if self._motion != motion:
            self._motion, self.signed = motion, {}
        if message.consent:
            self._consents[motion] = message.consent
        if seat not in self.signed:
            self.signed[seat] = message.signature
            self._events.append(Proposed(motion, tuple(sorted(self.signed))))

    def _objection(self, message: Motion) -> str | None:
        """Why a motion or its signature can't be right."""
        motion, log = message.motion, self._log
        if objection := log.motion_objection(motion):
            return objection
        if message.seat not in log.now.needed(motion) or not log.motion_signed(motion, message.seat, message.signature):
            return f"{motion[0]}: a signature that is not that seat's own"
        if motion[0] == "stand-in" and log.now.protocol > 1:
            if not verified(motion[2], message.consent, consent(log.table, log.head, motion[1])):
                return "stand-in: the one that is to play on has not agreed"
        elif message.consent:
            return f"{motion[0]}: no stand-in has to agree to this"
        return None

    def _takes_over(self, motion: tuple[Any, ...]) -> bool:
        """Of two decisions about a seat that are open at once the lower one stays open."""
        assert self._motion is not None
        return motion[0] in BY_OTHERS and self._motion[0] in BY_OTHERS and rank(motion) < rank(self._motion)

    def _hear_resign(self, author: bytes, said: Resign) -> None:
        seat, own = said.seat, (said.signature, said.secret)
        if self._log.now.over or seat not in self._log.now.seats_in() or self.resigned.get(seat) == own:
            return
        if seat in self.resigned and not self._log.takes_leave(seat, said.secret):
            return  # an old one, said again: since then cards were dealt anew
        if not verified(self._log.now.chairs[seat].key, own[0], resignation(self._log.table, seat, own[1])):
            self._events.append(Blamed(author, "a resignation that is not that seat's own"))
            return
        self.resigned[seat] = own

    def _hear_consent(self, author: bytes, said: Consent) -> None:
        """The peer that was asked plays on for a seat: now the seats can sign that."""
        motion, head = self._calling, self._log.head
        if motion is None or (said.before, said.seat, author) != (head, motion[1], motion[2]) or self._seat is None:
            return
        if not verified(author, said.signature, consent(self._log.table, head, said.seat)):
            self._events.append(Blamed(author, "it agrees to play on without its signature"))
            return
        self._calling, self._consents[motion] = None, said.signature
        try:
            self.agree(motion, lambda _: False)
        except RulesError as error:  # meanwhile another decision was signed
            self._events.append(Blamed(author, f"it comes too late to play on: {error}"))

    # Entries that another seat may not have seen

    def refuses(self, entry: Entry) -> bool:
        """Whether this is an entry of a seat about which I signed a decision in that place.

        Another that had to sign the decision may vouch for the entry. It will not sign then, so the entry stands.
        """
        if self.promise is None or entry.before != self.promise[0]:
            return False
        standing, motion = self._log.now, self.promise[1]
        if entry.author != standing.keys[motion[1]]:
            return False
        deciding = {standing.keys[seat] for seat in standing.needed(motion) if seat != self._seat}
        return deciding.isdisjoint(self._log.vouchers(entry.hash))

    def _vouch(self, author: bytes, message: Motion) -> None:
        """Somebody decides about a seat whose entry in that place is here: show the entry, and vouch for it.

        A peer that has signed such a decision itself only passes on what others signed.
        """
        log, motion = self._log, message.motion
        entry = next((one for one in reversed(log.entries[1:]) if one.before == message.before), None)
        if motion[0] not in BY_OTHERS or entry is None:
            return
        before = log.standings[entry.index - 1]
        if motion[1] != before.turn or entry.author != before.keys[motion[1]]:
            return
        mine = self._identity.key
        others = [key for seat, key in enumerate(before.keys) if seat != motion[1] and seat in before.seats_in()]
        if mine in others and mine not in log.vouchers(entry.hash) and not self._has_promised(message.before):
            self._shelf.settle(log.table)
            log.vouch(
                mine, entry.hash, entry.before, self._identity.sign(vouching(log.table, entry.before, entry.hash))
            )
        self._outgoing += [(author, vouch) for vouch in self.vouches(entry)]
        if log.vouchers(entry.hash):
            self._outgoing.append((author, Entries(log.table, (entry.data,))))

    def vouches(self, entry: Entry) -> list[Vouch]:
        """All that is known of those who vouch for an entry."""
        found = self._log.vouchers(entry.hash).items()
        return [Vouch(entry.table, entry.before, entry.hash, key, signature) for key, signature in found]

    # Promises and proofs, which survive a crash

    def _has_promised(self, head: bytes) -> bool:
        return self._shelf.secret(self._log.table, _promise_label(head, 0)) is not None

    def _make_promise(self, motion: tuple[Any, ...]) -> None:
        """Promise that a seat is gone, on disk first: from now on it writes nothing here that this peer takes."""
        if self.promise is None or self.promise[1] != motion:
            number = len(self._promises())
            kept = pack((motion, self._consents.get(motion, b"")))
            self._shelf.keep_secret(self._log.table, _promise_label(self._log.head, number), kept)
            self.promise = (self._log.head, motion)

    def _promises(self) -> list[tuple[Any, ...]]:
        """The decisions that this peer has signed at this head, one after another, each with the consent to it."""
        labels = [_promise_label(self._log.head, number) for number in range(MOST_PROMISES)]
        kept = (self._shelf.secret(self._log.table, label) for label in labels)
        found = [unpack(data) for data in kept if data is not None]
        return [(one, b"") if isinstance(one[0], str) else one for one in found]  # protocol 1 kept no consent

    def _remember_promise(self) -> None:
        """After a crash: a promise at this head still stands, and is said again."""
        if self._seat is None or not (kept := self._promises()):
            return
        motion, given = kept[-1]
        self._motion, self.promise = motion, (self._log.head, motion)
        if given:
            self._consents[motion] = given
        self.signed = {self._seat: self._identity.sign(statement(self._log.table, self._log.head, motion))}

    def convict(self, error: Fork | Desync, *proof: Entry) -> bool:
        """A seat has signed what proves its guilt: keep it, show it once, and put the seat out of the game. False where
        that is news, and no seat of the running game is to blame.
        """
        keys, shown = self._log.now.keys, tuple(one.data for one in sorted(proof, key=lambda one: one.hash))
        seat = keys.index(error.culprit) if error.culprit in keys else None
        if error.culprit in self._shown:
            return True
        self._shown.add(error.culprit)
        self._shelf.keep_secret(self._log.table, "proof", pack((error.culprit, str(error), shown)))
        self._outgoing.append((None, Entries(self._log.table, shown)))
        playing = seat is not None and seat in self._log.now.seats_in() and not self._log.now.over
        if seat is None or not playing or any(len(data) > MOST_PROOF_BYTES for data in shown):
            return False
        self._convicted[seat] = shown
        self._events.append(Convicted(error.culprit, str(error), shown))
        return True

    def acquit(self, seat: int) -> None:
        """A proof does not hold in this log. Another may."""
        del self._convicted[seat]
        self._shown.discard(self._log.now.keys[seat])

    def _remember_proof(self) -> None:
        kept = self._shelf.secret(self._log.table, "proof")
        if kept is not None:
            culprit, _, proof = unpack(kept)
            keys = self._log.now.keys
            if culprit in keys and culprit != self._identity.key:
                self._convicted[keys.index(culprit)] = proof

    # What follows

    def clear(self, *, replaced: bool) -> None:
        """A new entry is in the log: all that was bound to the old head is void. A head may have come back."""
        self._motion, self.signed, self._declined, self.promise = None, {}, None, None
        self._calling, self._consents = None, {}
        now, before = self._log.now, self._log.standings[-2] if len(self._log.standings) > 1 else self._log.now
        inside = now.seats_in()
        self._returning = {
            seat: own
            for seat, own in self._returning.items()
            if seat in inside and now.lent.get(seat) == before.lent.get(seat)
        }
        self.resigned = {seat: own for seat, own in self.resigned.items() if seat in inside}
        if self._seat is not None and self._seat in self.resigned and now.deck is not None:
            self.resign(self._seat)  # cards that were dealt anew have other keys
        if replaced:
            self._remember_promise()

    def due(self, *, writes_next: bool) -> Due | None:
        """The entry that this peer is to write now: a motion with all its signatures, a resignation, an exclusion.

        `writes_next` says whether the next entry is this peer's own.
        """
        standing, mine = self._log.now, writes_next
        if standing.over:
            return None
        for seat, proof in self._convicted.items():
            if seat in standing.seats_in() and self._seat is not None and (mine or standing.turn == seat):
                return "excluded", (seat, proof), standing.turn != seat
        if self._motion is not None and set(self.signed) == set(standing.needed(self._motion)):
            if self._motion[0] in BY_OTHERS:
                given = (self._consents[self._motion],) if self._motion in self._consents else ()
                return "motion", (self._motion, tuple(sorted(self.signed.items())), *given), False
            if mine:
                others = {seat: own for seat, own in self.signed.items() if seat != self._seat}
                return "motion", (self._motion, tuple(sorted(others.items()))), True
        for seat, signature in sorted(self._returning.items()) if mine and standing.owed == "move" else ():
            return "motion", (back(seat), ((seat, signature),)), True
        for seat, (signature, secret) in sorted(self.resigned.items()) if mine else ():
            if self._log.takes_leave(seat, secret):
                return "left", (seat, "resigned", signature, secret), True
        return None

    def said(self) -> list[Message]:
        """All that this peer says again with every heartbeat."""
        found: list[Message] = list(self._motions())
        if self._seat is not None and self._seat in self.resigned:
            found.append(Resign(self._log.table, self._seat, *self.resigned[self._seat]))
        return found

    def _motions(self) -> list[Motion]:
        said = [(self._motion, seat, own) for seat, own in self.signed.items() if self._motion is not None]
        said += [(back(seat), seat, own) for seat, own in self._returning.items()]
        found = []
        for motion, seat, signature in said:
            bound = self._log.now.bound(motion, self._log.head)
            assert bound is not None
            given = self._consents.get(motion, b"")
            found.append(Motion(self._log.table, bound, motion, seat, signature, given))
        return found


def _promise_label(head: bytes, number: int) -> str:
    return f"promise/{head.hex()}" + (f"/{number}" if number else "")
