"""The deck that nobody holds, as everybody sees it: keys, shuffles, cards face down, and requests to the seats.

A pure function of the seats' entries, in the order of the log. It holds no secrets (seat_secrets.py has a seat's) and
knows no rules of a game (net/game_log/dealing.py joins the two). A message either gives a new deck, or a `PeerError`
and the deck as it was. Specification: docs/protocols/cards.md.

A card is an ElGamal pair (A, B) under the sum of the keys of all live seats: only all together can open it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Literal, TypeAlias

from quadrille.net.cards.group import BASE, Group, card_points, card_values, points, scalar
from quadrille.net.cards.proof_checker import ProofChecker
from quadrille.net.cards.shuffle import Card, read_cards
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import decimal, hashed

Duty: TypeAlias = Literal["key", "shuffle", "look", "share"]


@dataclass(frozen=True, slots=True)
class Due:
    """A seat owes the deck something."""

    seat: int
    what: Duty


@dataclass(frozen=True, slots=True)
class Shuffling:
    """A shuffle in progress: the seats shuffle one after another, then the cards lie in the slots."""

    cards: tuple[Card, ...]
    slots: tuple[int, ...]
    done: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """A request for shares that open cards: `slots` face up for all, or for seat `by` alone.

    Shares are made from `points`. For a seat that looks, these are blinded by it, and there are none until it has
    done so. `cards` and `keys` are as they were when the last share came, so that the looker can compute its faces
    from this alone.
    """

    kind: Literal["open", "look"]
    by: int | None = None
    slots: tuple[int, ...] = ()
    id: bytes = b""
    before: bytes = b""
    points: tuple[bytes, ...] = ()
    shares: tuple[tuple[int, tuple[bytes, ...]], ...] = ()
    cards: tuple[Card, ...] = ()
    keys: tuple[tuple[int, bytes], ...] = ()
    last: int | None = None

    def missing(self, live: Iterable[int]) -> list[int]:
        """The seats that owe a share, in their order; `last` comes last."""
        had = [seat for seat, _ in self.shares]
        owing = [seat for seat in live if seat not in had and (seat != self.by or self.kind != "look")]
        return sorted(owing, key=lambda seat: seat == self.last)


@dataclass(frozen=True, slots=True)
class Deck:
    """`live` seats hold a key each in this epoch; `up` are the values that lie face up and in no slot.

    `pile` is the game's name for the cards shuffled last.
    """

    gid: bytes
    size: int
    live: tuple[int, ...]
    up: frozenset[int]
    epoch: int = 0
    keys: Mapping[int, bytes] = field(default_factory=dict)
    joint: bytes = b""
    cards: Mapping[int, Card] = field(default_factory=dict)
    pile: str = ""
    shuffles: int = 0
    shuffling: Shuffling | None = None
    asked: Request | None = None
    looked: tuple[Request, ...] = ()

    @property
    def due(self) -> Due | None:
        """The seat to act and what it owes; None if the deck waits for the game."""
        for seat in self.live:
            if seat not in self.keys:
                return Due(seat, "key")
        if self.shuffling:
            return Due(self.live[self.shuffling.done], "shuffle")
        if self.asked and not self.asked.points:
            assert self.asked.by is not None
            return Due(self.asked.by, "look")
        if self.asked and (missing := self.asked.missing(self.live)):
            return Due(missing[0], "share")
        return None

    def is_due(self, seat: int, what: Duty) -> None:
        """Raise a PeerError unless that seat owes this now."""
        if self.due != Due(seat, what):
            raise PeerError(f"player {seat + 1} owes the deck no {what} now")

    # Keys

    def key_context(self, seat: int) -> bytes:
        """The context of the proof of a key."""
        return hashed("ctx/key", self.gid, decimal(self.epoch), decimal(seat))

    def take_key(self, checker: ProofChecker, seat: int, key: bytes, proof: bytes) -> "Deck":
        """ "once per seat and epoch, keys distinct; when all live seats have one: H, must not be identity" """
        self.is_due(seat, "key")
        points(checker.group, key)
        if key in self.keys.values():
            raise PeerError("a key that another seat has already")
        if not checker.knows(self.key_context(seat), key, proof):
            raise PeerError("a key without a proof that its seat knows the secret")
        keys = {**self.keys, seat: key}
        if len(keys) < len(self.live):
            return replace(self, keys=keys)
        [joint] = points(checker.group, _sum(checker.group, keys.values()))
        return replace(self, keys=keys, joint=joint)

    # Shuffles

    def begin(
        self, checker: ProofChecker, pile: str, values: Iterable[int], slots: Iterable[int], old: Iterable[int] = ()
    ) -> "Deck":
        """These values, which lie face up, and the cards in the `old` slots are shuffled, and come to lie in `slots`.

        A value's card is `(G, M + H)`: nobody needs to trust anybody for it.
        """
        group, values, old, slots = checker.group, tuple(values), tuple(old), tuple(slots)
        if self.due is not None or self.asked is not None:
            raise PeerError("a seat still owes the deck something, so no shuffle can begin")
        if not (self.up.issuperset(values) and self.cards.keys() >= set(old)):
            raise PeerError("only face-up cards and cards in slots can be shuffled")
        if len(values) + len(old) != len(slots) or len(set(slots)) < len(slots):
            raise PeerError("a shuffle has a slot for each card")
        made = tuple((BASE, group.plus(card_points(group)[value], self.joint)) for value in values)
        shuffling = Shuffling((*made, *(self.cards[slot] for slot in old)), slots)
        staying = {slot: card for slot, card in self.cards.items() if slot not in old}
        up = self.up - set(values)
        return replace(self, cards=staying, up=up, pile=pile, shuffling=shuffling, looked=())

    def shuffle_context(self, seat: int) -> bytes:
        """The context of the proof of a shuffle; each shuffle of an epoch has its own number."""
        assert self.shuffling is not None
        cards = [half for card in self.shuffling.cards for half in card]
        return hashed(
            "ctx/shuf", self.gid, decimal(self.epoch), decimal(self.shuffles), decimal(seat), self.joint, *cards
        )

    def take_shuffle(self, checker: ProofChecker, seat: int, cards: bytes, proof: bytes) -> "Deck":
        """ "exactly the live seats, in seat order, once each; after the last one, new slots get the outputs" """
        self.is_due(seat, "shuffle")
        now = self.shuffling
        assert now is not None
        if fault := checker.shuffle_fault(self.shuffle_context(seat), self.joint, now.cards, cards, proof):
            raise PeerError(f"no shuffle of the cards: {fault}")
        after = replace(now, cards=tuple(read_cards(cards)), done=now.done + 1)
        if len(after.cards) != len(now.cards):
            raise PeerError(f"no shuffle of the cards: {len(after.cards)} cards, and not {len(now.cards)}")
        if after.done < len(self.live):
            return replace(self, shuffling=after, shuffles=self.shuffles + 1)
        laid = {**self.cards, **dict(zip(after.slots, after.cards, strict=True))}
        return replace(self, cards=laid, shuffling=None, shuffles=self.shuffles + 1)

    # Requests

    def _ask(self, request: Request) -> "Deck":
        if self.due is not None or self.asked is not None:
            raise PeerError("the deck still waits for an answer")
        if not self.cards.keys() >= set(request.slots):
            raise PeerError("a requested slot holds no hidden card")
        return replace(self, asked=request)

    def ask_open(self, id: bytes, slots: tuple[int, ...], last: int | None = None) -> "Deck":
        """Turn up these cards for all: every live seat owes a share, `last` after the others."""
        points = tuple(self.cards[slot][0] for slot in slots if slot in self.cards)
        return self._ask(Request("open", None, slots, id, points=points, last=last))

    def ask_look(self, seat: int, slots: tuple[int, ...]) -> "Deck":
        """Show these cards to one seat alone: first it blinds them."""
        return self._ask(Request("look", seat, slots))

    def look_context(self, before: bytes, seat: int, slot: int, blinded: bytes) -> bytes:
        """The context of the proof of a blinded card: the place in the log, the seat and the slot."""
        return hashed("ctx/peek", self.gid, before, decimal(seat), decimal(slot), blinded)

    def take_look(
        self, checker: ProofChecker, seat: int, before: bytes, id: bytes, said: bytes, proofs: bytes
    ) -> "Deck":
        """ "U != A; PoK of s for U - A": the points are those of the cards, blinded by the looker's secret."""
        self.is_due(seat, "look")
        request, group = self.asked, checker.group
        assert request is not None
        blinded = points(group, said, len(request.slots))
        if len(proofs) != 2 * len(said):
            raise PeerError("a look has a proof of 64 bytes for each card")
        for place, (slot, one) in enumerate(zip(request.slots, blinded, strict=True)):
            rest = group.minus(one, self.cards[slot][0])
            context = self.look_context(before, seat, slot, one)
            proof = proofs[64 * place : 64 * place + 64]
            if not (group.is_point(rest) and checker.knows(context, rest, proof)):
                raise PeerError(f"the point that player {seat + 1} blinded is not that of the card in slot {slot}")
        return replace(self, asked=replace(request, id=id, before=before, points=blinded))._completed()

    def share_context(self, id: bytes, seat: int) -> bytes:
        """The context of the proof of a share: this very request."""
        return hashed("ctx/share", self.gid, id, decimal(seat))

    def take_share(self, checker: ProofChecker, seat: int, said: bytes, proof: bytes) -> "Deck":
        """ "once per (rid, seat)": the requested points, each times the seat's secret."""
        self.is_due(seat, "share")
        request = self.asked
        assert request is not None
        shares = points(checker.group, said, len(request.points))
        if not checker.same(self.share_context(request.id, seat), self.keys[seat], request.points, shares, proof):
            raise PeerError(f"a share that is not made with the key of player {seat + 1}")
        given = tuple(sorted((*request.shares, (seat, shares))))
        return replace(self, asked=replace(request, shares=given))._completed()

    def _completed(self) -> "Deck":
        """Keep a completed look for its looker, who alone can compute the faces."""
        request = self.asked
        if request is None or request.kind != "look" or not request.points or request.missing(self.live):
            return self
        cards = tuple(self.cards[slot] for slot in request.slots)
        whole = replace(request, cards=cards, keys=tuple(sorted(self.keys.items())))
        return replace(self, asked=None, looked=(*self.looked, whole))

    @property
    def answered(self) -> Request | None:
        """The request that has all its shares; `open` gives its values."""
        return self.asked if self.asked and self.asked.kind != "look" and self.due is None else None

    def open(self, checker: ProofChecker) -> tuple["Deck", tuple[int, ...]]:
        """The values of the opened cards, which lie face up from now on."""
        request = self.answered
        assert request is not None
        assert request.kind == "open"
        faces = []
        for place, slot in enumerate(request.slots):
            sums = _sum(checker.group, [shares[place] for _, shares in request.shares])
            faces.append(card_values(checker.group).get(checker.group.minus(self.cards[slot][1], sums)))
        if None in faces or len(set(faces)) < len(faces) or not self.up.isdisjoint(faces):
            raise PeerError("an opened card does not belong to this deck")
        values = tuple(face for face in faces if face is not None)
        staying = {slot: card for slot, card in self.cards.items() if slot not in request.slots}
        return replace(self, asked=None, cards=staying, up=self.up | set(values)), values

    # Seats that go and come

    def check_secret(self, checker: ProofChecker, seat: int, secret: bytes) -> int:
        """ "xG = X_j": the secret of that seat's key as a number, or a refusal."""
        x = scalar(secret)
        if self.keys.get(seat) != checker.group.base(x):
            raise PeerError(f"this is not the secret of the key of player {seat + 1}")
        return x

    def leave(self, checker: ProofChecker, seat: int, secret: bytes) -> "Deck":
        """A seat leaves and reveals its secret: its layer is removed from every card, and all faces seen stay valid.

        "open/peek requests forget the leaver; requests made *by* the leaver are void." If the cards do not lie yet,
        the others begin again without it.
        """
        group, x = checker.group, self.check_secret(checker, seat, secret)
        live = tuple(other for other in self.live if other != seat)
        if self.shuffling or not self.joint:
            return self.deal_again(live)
        cards = {slot: (a, group.minus(b, group.times(x, a))) for slot, (a, b) in self.cards.items()}
        keys = {other: key for other, key in self.keys.items() if other != seat}
        joint = group.minus(self.joint, self.keys[seat])
        asked = self._without(seat)
        return replace(self, live=live, cards=cards, keys=keys, joint=joint, asked=asked)._completed()

    def _without(self, seat: int) -> Request | None:
        request = self.asked
        if request is None or request.by == seat:
            return None
        return replace(request, shares=tuple(pair for pair in request.shares if pair[0] != seat))

    def deal_again(self, live: tuple[int, ...]) -> "Deck":
        """A new epoch, because a seat vanished or another plays for it: fresh keys, and the hidden cards are dealt
        again.
        """
        return new_deck(self.gid, self.size, live, self.epoch + 1)


def new_deck(gid: bytes, size: int, live: tuple[int, ...], epoch: int = 0) -> Deck:
    """A deck with all cards face up, before any key."""
    return Deck(gid, size, live, frozenset(range(size)), epoch)


def _sum(group: Group, points: Iterable[bytes]) -> bytes:
    return reduce(group.plus, points)
