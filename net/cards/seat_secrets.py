"""The secrets of one seat of a deck: 32 bytes. Its answers and the faces it saw follow from them and the log.

Nothing else is stored. The same deck gives the same answer byte for byte, after a crash too, and the faces that a
seat saw are recomputed from the requests on record. Specification: docs/protocols/cards.md.
"""

from typing import Any, Final

from quadrille.net.cards import group
from quadrille.net.cards.deck import Deck, Request
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import card_values, scalar_bytes
from quadrille.net.cards.proofs import prove_known, prove_same
from quadrille.net.cards.shuffle import prove_shuffle
from quadrille.net.core.errors import PeerError
from quadrille.net.core.hashing import decimal

SEED_BYTES: Final = 32


class SeatSecrets:
    """The secrets of one seat at one table."""

    def __init__(self, gid: bytes, seat: int, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise PeerError(f"a seat's secret has {SEED_BYTES} bytes, not {len(seed)}")
        self.gid = gid
        self.seat = seat
        self._seed = seed

    def _draws(self, label: str, *context: bytes) -> Draws:
        return Draws(self._seed, self.gid, label, *context)

    def secret(self, epoch: int) -> bytes:
        """Return the secret of the key in that epoch: a seat that resigns reveals it, and so does an open book."""
        return scalar_bytes(self._key(epoch))

    def _key(self, epoch: int) -> int:
        return self._draws("key", decimal(epoch)).scalar()

    def fit(self, deck: Deck) -> bool:
        """Check that these secrets made the key that the seat gave in this epoch, if it gave one."""
        return deck.keys.get(self.seat) in (None, group.base(self._key(deck.epoch)))

    # Answers to the deck

    def answer(self, deck: Deck, before: bytes) -> tuple[Any, ...]:
        """Write the body that answers the deck, after the log's entry of that hash."""
        due = deck.due
        assert due is not None
        assert due.seat == self.seat
        match due.what:
            case "key":
                return self._give_key(deck)
            case "shuffle":
                return self._shuffle(deck)
            case "look":
                return self._look(deck, before)
            case "share":
                return self._share(deck)

    def _give_key(self, deck: Deck) -> tuple[bytes, bytes]:
        x = self._key(deck.epoch)
        key, context = group.base(x), deck.key_context(self.seat)
        return key, prove_known(context, self._draws("n/key"), x, key)

    def _shuffle(self, deck: Deck) -> tuple[bytes, bytes]:
        assert deck.shuffling is not None
        return prove_shuffle(deck.shuffle_context(self.seat), deck.joint, deck.shuffling.cards, self._draws("shuf"))

    def _blind(self, before: bytes, slot: int) -> int:
        return self._draws("blind", before, decimal(slot)).scalar()

    def _look(self, deck: Deck, before: bytes) -> tuple[bytes, bytes]:
        assert deck.asked is not None
        points, proofs = [], []
        for slot in deck.asked.slots:
            s = self._blind(before, slot)
            rest = group.base(s)
            blinded = group.plus(deck.cards[slot][0], rest)
            context = deck.look_context(before, self.seat, slot, blinded)
            points.append(blinded)
            proofs.append(prove_known(context, self._draws("n/peek"), s, rest))
        return b"".join(points), b"".join(proofs)

    def _share(self, deck: Deck) -> tuple[bytes, bytes]:
        request = deck.asked
        assert request is not None
        x, context = self._key(deck.epoch), deck.share_context(request.id, self.seat)
        shares = [group.times(x, point) for point in request.points]
        key = deck.keys[self.seat]
        proof = prove_same(context, self._draws("n/share"), x, key, request.points, shares)
        return b"".join(shares), proof

    # Faces seen

    def faces(self, deck: Deck, viewer: int | None = None) -> dict[int, int]:
        """Compute the values in the slots at which a seat, by default this one, has looked with these secrets since the
        last deal.
        """
        key, viewer = group.base(self._key(deck.epoch)), self.seat if viewer is None else viewer
        looked = (look for look in deck.looked if look.viewer == viewer and key in look.keys.values())
        return {slot: self._face(deck, look, place) for look in looked for place, slot in enumerate(look.slots)}

    def _face(self, deck: Deck, look: Request, place: int) -> int:
        """ "M = B - x_pA - sum(D_j - s X_j)"; a proved deck holds its own cards."""
        (a, b), s, n = look.cards[place], self._blind(look.before, look.slots[place]), len(look.shares)
        keys, shares = (look.keys[seat] for seat in look.shares), (given[place] for given in look.shares.values())
        layers = group.total((self._key(deck.epoch), *[-s] * n, *[1] * n), (a, *keys, *shares))
        return card_values()[group.minus(b, layers)]
