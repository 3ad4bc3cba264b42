"""Precedence: which of two branches of a log stands when two entries compete for one place.

A place has one author, the seat whose turn it is. So two entries in it mean one of three things: the others decided
about a seat that was gone and had written something unseen, they decided twice, or a seat signed two entries. All
peers compute the same answer from the same entries, so they return to one log. Pure functions; log.py adds and
removes entries. Specification: docs/protocols/log.md, "Precedence".
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from quadrille.net.entries.bodies import BeginBody, ExcludedBody, LeftBody, MotionBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.motions import FlagMotion, HandMotion, SeatDecision, SeatMotion
from quadrille.net.entries.standing import Standing

#: The entries from one place on.
Branch: TypeAlias = Sequence[Entry]


def decided_about(entry: Entry) -> int | None:
    """Return the seat about which the others decided in this entry."""
    match entry.body:
        case MotionBody(SeatDecision(seat)):
            return seat
        case ExcludedBody(seat) if entry.author == NOBODY:
            return seat
    return None


def wins(challenger: Branch, here: Branch, before: Standing, vouchers: Iterable[bytes] = ()) -> bool:
    """Return True if the challenger replaces the branch that stands here, after the same standing.

    `vouchers` are the keys that vouch for the seat's own entry, if the other branch is a decision about that seat.
    """
    first, stands = challenger[0], here[0]
    decided, undecided = decided_about(first), decided_about(stands)
    # Only the seat whose turn it is owns the place. Any other pair has nothing to contend for, and its second entry is
    # late: a seat that could bring an old place up again would hold the table for ever.
    seat = before.turn if decided is None else decided
    if seat is None or seat >= before.terms.seats or (undecided not in (None, seat)):
        return False
    owner = before.keys[seat]
    if any(entry.author != owner for entry, about in ((first, decided), (stands, undecided)) if about is None):
        return False
    # 1, final, before all else: signatures that were kept back until the seat has won undo nothing that all others
    # played on from. The branch that stands is asked first: only a coalition of liars makes two final branches, and
    # neither replaces the other again and again.
    if is_final(here, before, seat):
        return False
    if is_final(challenger, before, seat):
        return True
    # 3, two alike. A forger alone can make as many branches as it likes, and grind for a small hash: so what the
    # others went on from counts first.
    if decided is None and undecided is None:
        ours, theirs = (len(_went_on(branch, before, seat)) for branch in (here, challenger))
        return theirs > ours or (theirs == ours and first.hash < stands.hash)
    if decided is not None and undecided is not None:
        return first.hash < stands.hash
    # 2, decided: the seat's own entry is believed only if one of those who decided has seen it. Otherwise a seat that
    # was put out could make an entry afterwards and say that it had been there before.
    decision = first if undecided is None else stands
    vouched = not deciders(decision, before).isdisjoint(vouchers)
    return vouched == (decision is stands)


def signed_twice(here: Entry, there: Entry, keys: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the keys with two different signatures of the same bytes, in two entries that all made together.

    Honest programs sign the same bytes the same way. If a second signature were accepted, a seat that has those of the
    others could make another such entry at any time. `keys` write for the seats before the entries.
    """
    match here.body, there.body:
        case BeginBody() as old, BeginBody() as new if old.plain()[:4] == new.plain()[:4]:  # what the chairs sign
            first, second = ((*body.signatures, *body.revelations) for body in (old, new))
            pairs = zip(old.keys * 2, first, second, strict=False)
            return tuple(key for key, signature, other in pairs if signature != other)
        case MotionBody(motion, signatures), MotionBody(same, others) if motion == same:
            rows = zip(signatures, others, strict=False)
            return tuple(keys[seat] for (seat, signature), (_, other) in rows if signature != other)
    return ()


def deciders(decision: Entry, before: Standing) -> frozenset[bytes]:
    """Return the keys that signed a decision about a seat."""
    seats = [seat for seat, _ in decision.body.signatures] if isinstance(decision.body, MotionBody) else []
    return frozenset(before.keys[seat] for seat in seats if seat < before.terms.seats)


def is_final(branch: Branch, before: Standing, seat: int) -> bool:
    """Return True if a seat's entry in this place is final, because all other peers went on after it.

    A peer whose seats have all left the game since is not needed.
    """
    gone = {other for entry in branch[1:] for other in _gone(entry, before)}
    staying = {before.keys[other] for other in before.seats_in() if other not in gone}
    return staying - {before.keys[seat]} <= _went_on(branch, before, seat)


def _went_on(branch: Branch, before: Standing, seat: int) -> set[bytes]:
    """Return the keys of the other peers that have gone on from the first entry of a branch."""
    others = {before.keys[other] for other in before.seats_in()} - {before.keys[seat]}
    return others & {entry.author for entry in branch[1:]}


def _gone(entry: Entry, before: Standing) -> tuple[int, ...]:
    """Return the seats that no longer write after this entry, or not by their old key."""
    match entry.body:
        case LeftBody(seat) | MotionBody(FlagMotion(seat) | HandMotion(seat)):
            return (seat,)
        case ExcludedBody(seat) | MotionBody(SeatMotion(seat)) if seat < len(before.keys):
            return before.beside(seat)
    return ()
