"""Motions: decisions of seats other than moves. Each class defines its signers, what the signatures are bound to,
objections to it, and its effect.

A motion is four values on the wire, decoded by `read_motion` only. net/tables/accord.py decides when a motion is
proposed, signed and written. Specification: docs/protocols/log.md, "Motions".
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Final

from quadrille.net.core.shapes import named, pack, row, whole, word
from quadrille.net.entries.standing import Standing
from quadrille.net.entries.terms import GUEST, KEY, MOST_ENTRIES, NAME, NEWCOMER, NOBODY, Chair, chairs_objection
from quadrille.rules.match import Left, Played


@dataclass(frozen=True, slots=True)
class TableMotion:
    """The four values of every motion on the wire. Seats sign all four, even those that a motion does not use."""

    number: int = 0
    key: bytes = NOBODY
    name: str = ""

    WORD: ClassVar[str]

    def plain(self) -> tuple[Any, ...]:
        """Return the motion as messages, entries and signatures have it."""
        return (self.WORD, self.number, self.key, self.name)

    def signers(self, standing: Standing) -> tuple[int, ...]:
        """Return the seats that must sign, one of each peer: it signs for all seats that its peer holds."""
        return standing.speakers()

    def signer_key(self, standing: Standing, seat: int) -> bytes:
        """Return the key that signs for a seat."""
        return standing.keys[seat]

    def bound(self, standing: Standing, head: bytes) -> bytes | None:
        """Return the hash that the signatures name at that head of the log; None if nobody can sign."""
        return head

    def objection(self, standing: Standing, author: bytes) -> str | None:
        """Say why the terms or the moment do not allow the motion in an entry of that author."""
        return None

    def done(self, standing: Standing, head: bytes) -> Standing:
        """Apply the motion; `head` is the head of the log before it."""
        raise AssertionError(f"{self.WORD} does nothing")


# Motions that need the agreement of all seats still in; the seat to move writes them.


class JointMotion(TableMotion):
    """A motion of all seats: one Decline ends it."""

    __slots__ = ()


class DrawMotion(JointMotion):
    """The game is a draw."""

    __slots__ = ()
    WORD = "draw"

    def done(self, standing: Standing, head: bytes) -> Standing:
        match = standing.match.copy()
        match.agree()
        return replace(standing, match=match)


class TakebackMotion(JointMotion):
    """The last `number` moves are taken back."""

    __slots__ = ()
    WORD = "takeback"

    def signers(self, standing: Standing) -> tuple[int, ...]:
        """Return the seats that are in afterwards: one that left meanwhile comes back by its own signature alone."""
        moves = [place for place, entry in enumerate(standing.match.since(0)) if isinstance(entry, Played)]
        taken = standing.match.since(moves[-self.number]) if 1 <= self.number <= len(moves) else []
        return standing.speakers(*(entry.seat for entry in taken if isinstance(entry, Left)))

    def objection(self, standing: Standing, author: bytes) -> str | None:
        if not standing.terms.takebacks or standing.deck is not None:
            return "this table takes no move back"
        return None if 1 <= self.number <= standing.match.ply else f"{self.number} moves can't be taken back"

    def done(self, standing: Standing, head: bytes) -> Standing:
        """Take the moves back; the clocks stay as they are."""
        match = standing.match.copy()
        match.undo(self.number)
        return replace(standing, match=match)


class PauseMotion(JointMotion):
    """No clock runs until the next move."""

    __slots__ = ()
    WORD = "pause"

    def done(self, standing: Standing, head: bytes) -> Standing:
        return replace(standing, paused=True)


class HandMotion(JointMotion):
    """Seat `number` is handed to the holder of `key`, who plays it as `name` from now on, and whose own it is.

    So a game at one keyboard is opened to the room, and a game of the network is finished at one keyboard.
    """

    __slots__ = ()
    WORD = "hand"

    def signers(self, standing: Standing) -> tuple[int, ...]:
        """Return all seats, and the newcomer if that key has none: nobody plays here who did not sit down here."""
        seats = standing.speakers()
        return seats if self.key in (standing.keys[seat] for seat in seats) else (*seats, NEWCOMER)

    def signer_key(self, standing: Standing, seat: int) -> bytes:
        return self.key if seat == NEWCOMER else standing.keys[seat]

    def objection(self, standing: Standing, author: bytes) -> str | None:
        if self.number not in standing.seats_in():
            return f"player {self.number + 1} is not in the game"
        if self.number in standing.lent:  # the others could take a seat from its absent owner for good
            return f"somebody plays for player {self.number + 1}, who may come back"
        if self.key == NOBODY or not self.name:
            return "a seat is handed to somebody by key and by name"
        if standing.due is not None:
            return "hand: cards are being opened, so the seat has to wait for a move"
        if standing.chairs[self.number].key == self.key:
            return f"player {self.number + 1} plays by that key already"
        return chairs_objection(standing.terms, self._chairs(standing)) or None

    def _chairs(self, standing: Standing) -> tuple[Chair, ...]:
        """Return the chairs after this. Where the key holds others, a new name is that of a guest at the same peer."""
        chairs = standing.chairs
        there = next((chair.at or chair.name for chair in chairs if chair.key == self.key), self.name)
        at = there if there != self.name else ""
        kind = GUEST if at and self.name != chairs[self.number].name else "person"
        return (*chairs[: self.number], Chair(self.key, self.name, kind, at), *chairs[self.number + 1 :])

    def done(self, standing: Standing, head: bytes) -> Standing:
        """Give the seat away. Cards that one peer has dealt from the seed are hidden by a new deal."""
        if standing.match.game.hidden and standing.deck is None:
            standing = replace(standing, match=standing.match.concealed())
        return replace(standing, chairs=self._chairs(standing)).written_by(self.key, {self.number}, standing.lent)


# Motions about one seat; `number` is the seat.


class SeatMotion(TableMotion):
    """A motion about a seat that is in the game."""

    __slots__ = ()

    @property
    def seat(self) -> int:
        return self.number

    def objection(self, standing: Standing, author: bytes) -> str | None:
        return None if self.seat in standing.seats_in() else f"player {self.seat + 1} is not in the game"


class SeatDecision(SeatMotion):
    """A decision of all other peers about a seat whose turn it is. It has no author; each signature is a promise."""

    __slots__ = ()

    @property
    def rank(self) -> tuple[bool, bytes]:
        """The order of decisions in one place: a seat that signed one may only change to a lower one. A stand-in ranks
        below any other.
        """
        return (self.WORD != StandInMotion.WORD, pack(self.plain()))

    def signers(self, standing: Standing) -> tuple[int, ...]:
        owner = standing.keys[self.seat : self.seat + 1]  # a message may name a seat that is not there
        return tuple(seat for seat in standing.speakers() if standing.keys[seat] not in owner)

    def objection(self, standing: Standing, author: bytes) -> str | None:
        """Require that seat's turn, at least two other peers, and no author."""
        if objection := super().objection(standing, author):
            return objection
        if self.seat != standing.turn:
            return f"{self.WORD}: the others decide about a seat on its turn, and not before"
        if author != NOBODY or len(standing.speakers()) < 3:
            return f"{self.WORD}: two players can't tell who is gone, and none decides it alone"
        return None


class DropMotion(SeatDecision):
    """A seat that is gone leaves the game, with all others of its peer: a program that is gone plays none of them."""

    __slots__ = ()
    WORD = "drop"

    def done(self, standing: Standing, head: bytes) -> Standing:
        """Put the peer out. A seat that it only plays for another leaves if it is this one."""
        return standing.put_out("dropped", standing.keys[self.seat], self.seat)


class FlagMotion(SeatDecision):
    """A seat leaves the game because its time is up by the clocks of all the others."""

    __slots__ = ()
    WORD = "flag"

    def objection(self, standing: Standing, author: bytes) -> str | None:
        objection = None if standing.terms.clock else "flag: this game has no clock, so no time can run out"
        return super().objection(standing, author) or objection

    def done(self, standing: Standing, head: bytes) -> Standing:
        """Deal the cards again, because the seat's secret stays unknown. Each seat has a clock of its own."""
        return standing.left_by("time", self.seat).dealt_anew()


class StandInMotion(SeatDecision):
    """The peer with this `key` has a bot, called `name`, play on for a seat that is gone, and for all others of its
    peer. It plays here itself, and so it agrees by its signature.
    """

    __slots__ = ()
    WORD = "stand-in"

    def objection(self, standing: Standing, author: bytes) -> str | None:
        """Require the key of another peer in the game, so that nobody plays here who did not sit down here."""
        if objection := super().objection(standing, author):
            return objection
        others = [standing.keys[seat] for seat in self.signers(standing)]
        return None if self.key in others else "a stand-in is that of another player in the game"

    def done(self, standing: Standing, head: bytes) -> Standing:
        """Let the key write for the seats. The cards are dealt again, so it sees none that the owner saw."""
        seats = standing.beside(self.seat)
        lent = {**standing.lent, **dict.fromkeys(seats, head)}
        lent = {seat: mark for seat, mark in lent.items() if standing.chairs[seat].key != self.key}
        return standing.written_by(self.key, seats, lent)


class BackMotion(SeatMotion):
    """The owner of a seat plays again, at all seats that went with it to the stand-in. Only the owner signs, and the
    signature stays valid until it is written.
    """

    __slots__ = ()
    WORD = "back"

    def signers(self, standing: Standing) -> tuple[int, ...]:
        return (self.seat,)

    def signer_key(self, standing: Standing, seat: int) -> bytes:
        """Return the owner's key, not the stand-in's."""
        return standing.chairs[seat].key

    def bound(self, standing: Standing, head: bytes) -> bytes | None:
        """Return the head at which the stand-in was decided; None if nobody plays for the seat, or it has left."""
        return standing.lent.get(self.seat) if self.seat in standing.seats_in() else None

    def objection(self, standing: Standing, author: bytes) -> str | None:
        objection = super().objection(standing, author)
        has_it = objection is None and standing.keys[self.seat] == standing.chairs[self.seat].key
        return f"player {self.seat + 1} has its seat" if has_it else objection

    def done(self, standing: Standing, head: bytes) -> Standing:
        """Let the owner write for the seats, with new cards."""
        owner, mark = standing.chairs[self.seat].key, standing.lent.get(self.seat)
        seats = {seat for seat, other in standing.lent.items() if other == mark and standing.chairs[seat].key == owner}
        lent = {seat: other for seat, other in standing.lent.items() if seat not in seats}
        return standing.written_by(owner, seats, lent)


#: Motions of all seats by their words; bots get the same words.
BY_ALL: Final[Mapping[str, type[JointMotion]]] = MappingProxyType(
    {kind.WORD: kind for kind in (DrawMotion, TakebackMotion, PauseMotion)}
)
MOTIONS: Final[Mapping[str, type[TableMotion]]] = MappingProxyType(
    {**BY_ALL, **{kind.WORD: kind for kind in (HandMotion, DropMotion, StandInMotion, BackMotion, FlagMotion)}}
)


def read_motion(plain: tuple[Any, ...]) -> TableMotion:
    kind, number, key, name = plain
    return MOTIONS[kind](number, key, name)


MOTION: Final = named(
    "motion",
    row(word(*MOTIONS), whole(MOST_ENTRIES), KEY, NAME),
    read=read_motion,
    plain=TableMotion.plain,
)


def all_of(kind: str, number: int = 0) -> JointMotion:
    """Make the motion of all seats with that word."""
    return BY_ALL[kind](number)
