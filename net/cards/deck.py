"""The deck that nobody holds, as everybody sees it: keys, shuffles, cards face down, and requests to the seats.

A pure function of the seats' entries, in the order of the log. It holds no secrets (seat_secrets.py has a seat's) and
knows no rules of a game (net/game_log/dealing.py joins the two). A message either gives a new deck, or a `PeerError`
and the deck as it was. Specification: docs/protocols/cards.md.

A card is an ElGamal pair (A, B) under the sum of the keys of all live seats: only all together can open it. A peer that
holds several seats takes part once, as the lowest of them: more keys of one peer would hide nothing from it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import reduce
from typing import Literal, TypeAlias

from quadrille.net.cards import group
from quadrille.net.cards.group import BASE, card_points, card_values, points, scalar, split
from quadrille.net.cards.proofs import PROOF_BYTES, check_known, check_same
from quadrille.net.cards.shuffle import Card, check_shuffle, read_cards
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import decimal, hashed
from quadrille.value import value

Duty: TypeAlias = Literal["key", "shuffle", "look", "share"]


@value
class Due:
    """A seat owes the deck something."""

    seat: int
    what: Duty


@value
class Shuffling:
    """A shuffle in progress: the seats shuffle one after another, then the cards lie in the slots."""

    cards: tuple[Card, ...]
    slots: tuple[int, ...]
    done: int = 0


@value
class Request:
    """A request for shares that open cards: those in `slots`, face up for all, or for seat `viewer` alone, which `by`
    plays.

    Shares are made from `points`. For a seat that looks, these are blinded by it, and there are none until it has
    done so. Seat `last` shares after the others. `cards` and `keys` are as they were when the last share came, so that
    the looker can compute its faces from this alone.
    """

    slots: tuple[int, ...]
    by: int | None = None
    id: bytes = b""
    before: bytes = b""
    points: tuple[bytes, ...] = ()
    shares: Mapping[int, tuple[bytes, ...]] = field(default_factory=dict)
    cards: tuple[Card, ...] = ()
    keys: Mapping[int, bytes] = field(default_factory=dict)
    last: int | None = None
    viewer: int | None = None

    def missing(self, live: Iterable[int]) -> list[int]:
        """List the seats that owe a share, in the order in which they give it."""
        owing = [seat for seat in live if seat not in self.shares and seat != self.by]
        return sorted(owing, key=lambda seat: seat == self.last)


@value
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
        if self.asked and self.asked.by is not None and not self.asked.points:
            return Due(self.asked.by, "look")
        if self.asked and (missing := self.asked.missing(self.live)):
            return Due(missing[0], "share")
        return None

    def take(
        self, data: bytes, proof: bytes, before: bytes = b"", id: bytes = b"", *, believes: bool = False
    ) -> "Deck":
        """Accept what the seat that is due gave. A look comes after the entry `before`, and has an `id`. No proof is
        checked by who `believes`: it is our own, or was checked before it was stored.

        net/game_log/log.py checks that this seat wrote, and that it wrote this.
        """
        due = self.due
        assert due is not None
        match due.what:
            case "key":
                return self._with_key(due.seat, data, proof, believes)
            case "shuffle":
                return self._with_shuffle(due.seat, data, proof, believes)
            case "look":
                return self._with_look(due.seat, data, proof, before, id, believes)
            case "share":
                return self._with_share(due.seat, data, proof, believes)

    # Keys

    def key_context(self, seat: int) -> bytes:
        return hashed("ctx/key", self.gid, decimal(self.epoch), decimal(seat))

    def _with_key(self, seat: int, key: bytes, proof: bytes, believes: bool) -> "Deck":
        """ "once per seat and epoch, keys distinct; when all live seats have one: H, must not be identity" """
        points(key)
        # The last seat could else give a point less the sum of all other keys, and open each card by itself.
        if key in self.keys.values():
            raise PeerError("a key that another seat has already")
        if not (believes or check_known(self.key_context(seat), key, proof)):
            raise PeerError("a key without a proof that its seat knows the secret")
        keys = {**self.keys, seat: key}
        if len(keys) < len(self.live):
            return replace(self, keys=keys)
        [joint] = points(reduce(group.plus, keys.values()))
        return replace(self, keys=keys, joint=joint)

    # Shuffles

    def begin(self, pile: str, values: Iterable[int], slots: Iterable[int], old: Iterable[int] = ()) -> "Deck":
        """Shuffle these values, which lie face up, with the cards in the `old` slots, into `slots`.

        A value's card is `(G, M + H)`: nobody needs to trust anybody for it.
        """
        values, old, slots = set(values), tuple(old), tuple(slots)
        assert self.due is None and self.asked is None, "a seat still owes the deck something"
        assert self.up >= values and len(values) + len(old) == len(set(slots)), "a shuffle has a slot for each card"
        made = tuple((BASE, group.plus(card_points()[value], self.joint)) for value in sorted(values))
        shuffling = Shuffling((*made, *(self.cards[slot] for slot in old)), slots)
        staying = {slot: card for slot, card in self.cards.items() if slot not in old}
        return replace(self, cards=staying, up=self.up - values, pile=pile, shuffling=shuffling, looked=())

    def shuffle_context(self, seat: int) -> bytes:
        """Return the context of the proof of a shuffle; each shuffle of an epoch has its own number."""
        assert self.shuffling is not None
        cards = [half for card in self.shuffling.cards for half in card]
        return hashed(
            "ctx/shuf", self.gid, decimal(self.epoch), decimal(self.shuffles), decimal(seat), self.joint, *cards
        )

    def _with_shuffle(self, seat: int, cards: bytes, proof: bytes, believes: bool) -> "Deck":
        """ "exactly the live seats, in seat order, once each; after the last one, new slots get the outputs" """
        now = self.shuffling
        assert now is not None
        fault = None if believes else check_shuffle(self.shuffle_context(seat), self.joint, now.cards, cards, proof)
        if fault is not None:
            raise PeerError(f"no shuffle of the cards: {fault}")
        after = replace(now, cards=read_cards(cards, len(now.cards)), done=now.done + 1)
        shuffled = replace(self, shuffling=after, shuffles=self.shuffles + 1)
        if after.done < len(self.live):
            return shuffled
        laid = zip(after.slots, after.cards, strict=True)
        return replace(shuffled, cards={**self.cards, **dict(laid)}, shuffling=None)

    # Requests

    def _ask(self, request: Request) -> "Deck":
        assert self.due is None and self.asked is None, "the deck still waits for an answer"
        return replace(self, asked=request)

    def ask_open(self, id: bytes, slots: tuple[int, ...], last: int | None = None) -> "Deck":
        """Turn up these cards for all: every live seat owes a share, `last` after the others."""
        return self._ask(Request(slots, id=id, points=tuple(self.cards[slot][0] for slot in slots), last=last))

    def ask_look(self, seat: int, slots: tuple[int, ...], viewer: int | None = None) -> "Deck":
        """Show these cards to one seat alone: first it blinds them. The `viewer` is another seat of the same peer."""
        return self._ask(Request(slots, seat, viewer=seat if viewer is None else viewer))

    def look_context(self, before: bytes, seat: int, slot: int, blinded: bytes) -> bytes:
        """Return the context of the proof of a blinded card: the place in the log, the seat and the slot."""
        return hashed("ctx/peek", self.gid, before, decimal(seat), decimal(slot), blinded)

    def _with_look(self, seat: int, data: bytes, proofs: bytes, before: bytes, id: bytes, believes: bool) -> "Deck":
        """ "U != A; PoK of s for U - A": the points are those of the cards, blinded by the looker's secret."""
        request = self.asked
        assert request is not None
        blinded = points(data, len(request.slots))
        if len(proofs) != PROOF_BYTES * len(blinded):
            raise PeerError(f"a look has a proof of {PROOF_BYTES} bytes for each card")
        for slot, point, proof in zip(request.slots, blinded, split(proofs, PROOF_BYTES), strict=True):
            # The others multiply the point that stands here: without a proof it could be that of any other card.
            rest = group.minus(point, self.cards[slot][0])
            if not (believes or check_known(self.look_context(before, seat, slot, point), rest, proof)):
                raise PeerError(f"the point that player {seat + 1} blinded is not that of the card in slot {slot}")
        return replace(self, asked=replace(request, id=id, before=before, points=blinded))._completed()

    def share_context(self, id: bytes, seat: int) -> bytes:
        return hashed("ctx/share", self.gid, id, decimal(seat))

    def _with_share(self, seat: int, data: bytes, proof: bytes, believes: bool) -> "Deck":
        """ "once per (rid, seat)": the requested points, each times the seat's secret."""
        request = self.asked
        assert request is not None
        shares = points(data, len(request.points))
        about = self.share_context(request.id, seat), self.keys[seat], request.points, shares, proof
        if not (believes or check_same(*about)):
            raise PeerError(f"a share that is not made with the key of player {seat + 1}")
        return replace(self, asked=replace(request, shares={**request.shares, seat: shares}))._completed()

    def _completed(self) -> "Deck":
        """Keep a completed look for its looker, who alone can compute the faces."""
        request = self.asked
        if request is None or request.by is None or not request.points or request.missing(self.live):
            return self
        whole = replace(request, cards=tuple(self.cards[slot] for slot in request.slots), keys=self.keys)
        return replace(self, asked=None, looked=(*self.looked, whole))

    @property
    def answered(self) -> Request | None:
        """The request that has all its shares; `open` gives its values."""
        return self.asked if self.asked and self.asked.by is None and self.due is None else None

    def open(self) -> tuple["Deck", tuple[int, ...]]:
        """Open the requested cards, which lie face up from now on. Return the deck after that, and their values."""
        request = self.answered
        assert request is not None
        faces = []
        for place, slot in enumerate(request.slots):
            shares = (given[place] for given in request.shares.values())
            faces.append(card_values().get(reduce(group.minus, shares, self.cards[slot][1])))
        values = tuple(face for face in faces if face is not None)
        if len(set(values)) < len(faces) or not self.up.isdisjoint(values):
            raise PeerError("an opened card does not belong to this deck")
        staying = {slot: card for slot, card in self.cards.items() if slot not in request.slots}
        return replace(self, asked=None, cards=staying, up=self.up | set(values)), values

    # Seats that go and come

    def leave(self, seat: int, secret: bytes) -> "Deck":
        """Remove a seat that leaves: its layer comes off every card, and all faces seen stay valid.

        net/game_log/dealing.py has checked the secret that the seat reveals. "open/peek requests forget the leaver;
        requests made *by* the leaver are void." If the cards do not lie yet, the others begin again without it.
        """
        live = tuple(other for other in self.live if other != seat)
        if self.shuffling or not self.joint:
            return self.deal_again(live)
        x, asked = scalar(secret), self.asked
        cards = {slot: (a, group.minus(b, group.times(x, a))) for slot, (a, b) in self.cards.items()}
        keys = {other: key for other, key in self.keys.items() if other != seat}
        if asked is not None:
            shares = {other: given for other, given in asked.shares.items() if other != seat}
            asked = replace(asked, shares=shares) if asked.by != seat else None
        joint = group.minus(self.joint, self.keys[seat])
        return replace(self, live=live, cards=cards, keys=keys, joint=joint, asked=asked)._completed()

    def deal_again(self, live: tuple[int, ...]) -> "Deck":
        """Begin a new epoch, of fresh keys and newly dealt cards: a seat vanished, or another plays for it."""
        return new_deck(self.gid, self.size, live, self.epoch + 1)


def new_deck(gid: bytes, size: int, live: tuple[int, ...], epoch: int = 0) -> Deck:
    """Lay all cards face up, before any key."""
    return Deck(gid, size, live, frozenset(range(size)), epoch)
