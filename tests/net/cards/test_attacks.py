"""Everything that a seat may try with its entries for the deck, as the others get it: refused when it comes, the seat
named, and nothing changed (docs/protocols/cards.md).

Each attack is an entry in the place of one of an honest game's, signed by the seat that cheats; what stands there
honestly is taken by the same log.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Final

import pytest

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, IDENTITY, ORDER, RISTRETTO, card_points, scalar_bytes
from quadrille.net.cards.proofs import prove_known, prove_same
from quadrille.net.cards.shuffle import Card, prove_shuffle
from quadrille.net.entries.entry import Entry, resignation
from quadrille.net.game_log.log import Log
from tests.net.cards.by_hand import ELSEWHERE, answer, before, owner, seat_secrets, signed
from tests.net.cards.refused import KINDS, assert_refused, game

Body = tuple[Any, ...]
DRAWS: Final = Draws(bytes(range(32)), b"of a cheat", "anything")


@dataclass(frozen=True)
class Attack:
    """In the place of the entry of this kind that this seat owed (the first, second, ... time), it writes that body.

    Or another seat does (`author`), or an entry of another kind (`writes`).
    """

    kind: str
    seat: int
    body: Callable[[Log], Body]
    why: str
    number: int = 0
    author: int | None = None
    writes: str = ""
    used: int = 0

    def log(self) -> Log:
        return before(game(), self.kind, self.seat, self.number)

    def entry(self, log: Log) -> Entry:
        author = self.seat if self.author is None else self.author
        return signed(log, author, self.writes or self.kind, self.body(log), self.used)


def against(kind: str, seat: int, why: str, bodies: dict[str, Callable[[Log], Body]], **more: Any) -> dict[str, Attack]:
    """Attacks in one place that are refused for one reason."""
    return {name: Attack(kind, seat, body, why, **more) for name, body in bodies.items()}


def said(kind: str, seat: int, number: int = 0, table: bytes = b"") -> Body:
    """What that seat honestly said there."""
    log = game(table)
    place = len(before(log, kind, seat, number).entries)
    return log.entries[place].body.plain()


def key_of(log: Log, x: int, point: bytes | None = None, *, seat: int = 2, context: bytes = b"") -> Body:
    """A key with a proof by who knows x, which may be the proof of something else."""
    X = RISTRETTO.base(x) if point is None else point  # noqa: N806
    return X, prove_known(RISTRETTO, context or log.now.deck.key_context(seat), DRAWS, x, X)


def rogue_key(log: Log) -> Body:
    """With it the sum of all keys would be one whose secret the last seat knows alone."""
    others = reduce(RISTRETTO.plus, log.now.deck.keys.values())
    return key_of(log, 77, RISTRETTO.minus(RISTRETTO.base(77), others))


def key_that_ends_it(log: Log) -> Body:
    """With it the sum of all keys would be the identity: cards would lie open."""
    others = reduce(RISTRETTO.plus, log.now.deck.keys.values())
    return key_of(log, 77, RISTRETTO.minus(IDENTITY, others))


def shared_key(log: Log) -> Body:
    """Two who are one: seat 0 has told its secret, so the proof is a right one."""
    return key_of(log, int.from_bytes(seat_secrets(log, 0).secret(0), "little"))


def cancelling_key(log: Log) -> Body:
    """All who are one, and know all secrets: each proof is a right one, and the sum of the keys is the identity."""
    return key_of(log, -sum(int.from_bytes(seat_secrets(log, seat).secret(0), "little") for seat in (0, 1)) % ORDER)


WRONG_KEY = "a key without a proof that its seat knows the secret"
KEYS: Final = against("key", 2, WRONG_KEY, {
    "rogue key": rogue_key,
    "a key that makes the sum the identity": key_that_ends_it,
    "proof of another secret": lambda log: key_of(log, 5, RISTRETTO.base(6)),
    "proof by another seat": lambda log: key_of(log, 5, context=log.now.deck.key_context(1)),
    "proof for another epoch": lambda log: key_of(log, 5, context=replace(log.now.deck, epoch=1).key_context(2)),
    "key of another game": lambda log: said("key", 2, table=ELSEWHERE),
}) | against("key", 2, "a key that another seat has already", {
    "copied key": lambda log: said("key", 1),
    "a key that two seats know": shared_key,
}) | against("key", 2, "not a point", {
    "a key of who knows all others, and makes the sum the identity": cancelling_key,
    "a key that is no point": lambda log: key_of(log, 5, b"\xff" * 32),
}) | {"key of the epoch before": Attack("key", 1, lambda log: said("key", 1), WRONG_KEY, number=1)}  # fmt: skip


# Shuffles: test_shuffle.py tries the cards and the proofs themselves


def shuffle_of(log: Log, seat: int) -> Body:
    """An honest shuffle by that seat's secrets."""
    return seat_secrets(log, seat)._shuffle(log.now.deck)


def in_order(log: Log) -> list[Card]:
    """All cards anew, in the order of their values."""
    return [(RISTRETTO.base(7), RISTRETTO.total((7, 1), (log.now.deck.joint, M))) for M in card_points(RISTRETTO)]


def stacked(log: Log) -> Body:
    """A right proof, but of another deck before: the last seat would know every card's place."""
    deck = log.now.deck
    return prove_shuffle(RISTRETTO, deck.shuffle_context(1), deck.joint, in_order(log), DRAWS)


NOT_MINE = "was not its author's to write"
NO_SHUFFLE = "no shuffle of the cards: tw"
BEFORE: Final = "no shuffle of the cards: length"
SHUFFLES: Final = against("shuffle", 1, NO_SHUFFLE, {
    "stacked deck": stacked,
    "shuffle of another game": lambda log: said("shuffle", 1, table=ELSEWHERE),
}) | {
    "shuffle out of turn": Attack("shuffle", 1, lambda log: shuffle_of(log, 2), NOT_MINE, author=2),
    "shuffle of another seat": Attack("shuffle", 2, lambda log: said("shuffle", 1), NO_SHUFFLE),
    "shuffle of the epoch before": Attack("shuffle", 0, lambda log: said("shuffle", 0), BEFORE, number=1),
}  # fmt: skip


def look_of(
    log: Log, *, slots: tuple[int, ...] = (), blinds: tuple[int, ...] = (11, 12), said_slots: tuple[int, ...] = ()
) -> Body:
    """A look at the cards in these slots, by these blinds, with proofs that say they are in those."""
    deck = log.now.deck
    assert deck.asked is not None and deck.asked.by is not None
    slots, said_slots = slots or deck.asked.slots, said_slots or deck.asked.slots
    points, proofs = [], []
    for slot, told, s in zip(slots, said_slots, blinds, strict=True):
        U = RISTRETTO.plus(deck.cards[slot][0], RISTRETTO.base(s)) if s else deck.cards[slot][0]  # noqa: N806
        context = deck.look_context(log.head, deck.asked.by, told, U)
        points.append(U)
        proofs.append(prove_known(RISTRETTO, context, DRAWS, s, RISTRETTO.base(s)))
    return b"".join(points), b"".join(proofs)


WRONG_LOOK = "blinded is not that of the card in slot"
LOOKS: Final = against("look", 2, WRONG_LOOK, {
    "the point of another slot": lambda log: look_of(log, slots=(0, 4)),
    "proof for another slot": lambda log: look_of(log, said_slots=(0, 2)),
    "both cards, in the wrong order": lambda log: look_of(log, slots=(1, 0)),
    "the same card twice": lambda log: look_of(log, slots=(0, 0)),
    "unblinded": lambda log: look_of(log, blinds=(11, 0)),
    "one's own point instead": lambda log: (RISTRETTO.base(11) * 2, look_of(log)[1]),
    "look of another game": lambda log: said("look", 2, table=ELSEWHERE),
}) | {
    "replayed look": Attack("look", 2, lambda log: said("look", 2), WRONG_LOOK, number=1),
    "another seat's look at the same cards": Attack("look", 0, lambda log: said("look", 2), WRONG_LOOK),
    "look of the epoch before": Attack("look", 1, lambda log: said("look", 1), WRONG_LOOK, number=1),
    "a proof too few": Attack("look", 2, lambda log: (look_of(log)[0], look_of(log)[1][:64]), "a proof of 64 bytes"),
    "a point too few": Attack("look", 2, lambda log: (look_of(log)[0][:32], look_of(log)[1][:64]), "2 points take 64"),
    "another's look": Attack("look", 2, look_of, NOT_MINE, author=1),
}  # fmt: skip


def share_of(log: Log, x: int | None = None, change: Callable[[list[bytes]], list[bytes]] = list) -> Body:
    """Shares by that secret (the seat's own if none is said), changed, and proved as well as can be."""
    deck = log.now.deck
    assert deck.asked is not None and log.now.turn is not None
    own = int.from_bytes(seat_secrets(log, log.now.turn).secret(deck.epoch), "little")
    shares = change([RISTRETTO.times(own if x is None else x, U) for U in deck.asked.points])
    context, key = deck.share_context(deck.asked.id, log.now.turn), deck.keys[log.now.turn]
    proof = prove_same(RISTRETTO, context, DRAWS, own if x is None else x, key, deck.asked.points, shares)
    return b"".join(shares), proof


def share_for(log: Log, **other: Any) -> Body:
    """A right share, but of a request that is otherwise than this one."""
    deck = log.now.deck
    assert deck.asked is not None
    return seat_secrets(log, log.now.turn or 0)._share(replace(deck, asked=replace(deck.asked, **other)))


def other_key(log: Log) -> Body:
    """As right as can be, with a key that is not the seat's."""
    deck = log.now.deck
    shares = [RISTRETTO.times(99, U) for U in deck.asked.points]
    context = deck.share_context(deck.asked.id, 0)
    return b"".join(shares), prove_same(RISTRETTO, context, DRAWS, 99, RISTRETTO.base(99), deck.asked.points, shares)


WRONG_SHARE = "a share that is not made with the key of player"
SHARES: Final = against("share", 0, WRONG_SHARE, {
    "wrong share": lambda log: share_of(log, change=lambda row: [RISTRETTO.plus(row[0], BASE), row[1]]),
    "wrong shares that cancel out": lambda log: share_of(
        log, change=lambda row: [RISTRETTO.plus(row[0], BASE), RISTRETTO.minus(row[1], BASE)]
    ),
    "share with another key": lambda log: share_of(log, 99),
    "share with another key, proved for that": other_key,
    "swapped shares": lambda log: share_of(log, change=lambda row: row[::-1]),
    "right shares, swapped, with their proof": lambda log: (answer(log)[0][32:] + answer(log)[0][:32], answer(log)[1]),
    "share of another game": lambda log: said("share", 0, table=ELSEWHERE),
    "share for a request of another name": lambda log: share_for(log, id=bytes(32)),
    "share of the cards themselves": lambda log: share_for(
        log, points=tuple(log.now.deck.cards[slot][0] for slot in (0, 1))
    ),
}) | against("share", 0, NOT_MINE, {"share out of turn": lambda log: said("share", 1)}, author=1) | {
    "identity share": Attack("share", 0, lambda log: (IDENTITY + answer(log)[0][32:], answer(log)[1]), "not a point"),
    "another seat's share": Attack("share", 1, lambda log: said("share", 0), WRONG_SHARE),
    "old share for a new request": Attack("share", 0, lambda log: said("share", 0), WRONG_SHARE, number=2),
    "old share for a new request of more cards": Attack(
        "share", 0, lambda log: said("share", 0), "3 points take 96 bytes", number=3
    ),
    "a share too many": Attack("share", 0, lambda log: (answer(log)[0] * 2, answer(log)[1]), "2 points take 64 bytes"),
    "share of who looks": Attack("share", 0, lambda log: said("share", 0), NOT_MINE, author=2),
    "double share": Attack("share", 1, lambda log: said("share", 0), NOT_MINE, author=0),
}  # fmt: skip


def own_secret(log: Log) -> bytes:
    return seat_secrets(log, 1).secret(0)


def a_draw(log: Log) -> Body:
    return ("draw",)


def flag_falls(log: Log) -> Body:
    return 1, "time", b"", own_secret(log)


NO_TIME: Final = "take no time of a clock"
NOT_OWED: Final = {
    **{
        f"unasked {kind}": Attack("move", 0, lambda log, kind=kind: said(kind, 0), "a move is owed", writes=kind)
        for kind in KINDS
    },
    "a move while the deck waits for its key": Attack("key", 0, a_draw, "a key is owed", writes="move"),
    "a move while the deck waits for its share": Attack("share", 1, a_draw, "share is owed", writes="move"),
    "a share while a look is owed": Attack("look", 2, lambda log: said("share", 0), "a look is owed", writes="share"),
    "a key in place of a shuffle": Attack("shuffle", 1, lambda log: said("key", 1), "a shuffle is owed", writes="key"),
    "time stated on a key": Attack("key", 1, answer, NO_TIME, used=1),
    "time stated on a shuffle": Attack("shuffle", 1, answer, NO_TIME, used=5),
    "time stated on a look": Attack("look", 2, answer, NO_TIME, used=5000),
    "time stated on a share": Attack("share", 1, answer, NO_TIME, used=2**40),
    "its flag falls while it owes a share": Attack("share", 1, flag_falls, "this game has no clock", writes="left"),
}


def gone_with(seat: int, secret: Callable[[Log], bytes], *, carried: bool = False) -> Callable[[Log], Body]:
    """A resignation that tells this secret, its own or one that somebody else carries."""

    def body(log: Log) -> Body:
        told = secret(log)
        said = owner(seat).sign(resignation(log.table, seat, told)) if carried else b""
        return seat, "resigned", said, told

    return body


def more(log: Log) -> bytes:
    """The same number to who does not look whether it is below the order."""
    return (int.from_bytes(seat_secrets(log, 0).secret(0), "little") + ORDER).to_bytes(32, "little")


def other_secret(log: Log) -> Body:
    """Seat 1's own, where it signed another."""
    said = owner(1).sign(resignation(log.table, 1, scalar_bytes(5)))
    return 1, "resigned", said, own_secret(log)


STAYS: Final = "does not leave its cards behind"
LEAVING: Final = against("move", 0, STAYS, {
    "wrong secret": gone_with(0, lambda log: scalar_bytes(5)),
    "no secret": gone_with(0, lambda log: b""),
    "nought for a secret": gone_with(0, lambda log: bytes(32)),
    "secret and the order": gone_with(0, more),
    "a secret cut short": gone_with(0, lambda log: seat_secrets(log, 0).secret(0)[:31]),
    "another seat's secret": gone_with(0, own_secret),
    "secret of another epoch": gone_with(0, lambda log: seat_secrets(log, 0).secret(1)),
    "a wrong secret, carried by another": gone_with(1, lambda log: scalar_bytes(5), carried=True),
}, number=1, writes="left") | {
    "another secret than was signed": Attack(
        "move", 0, other_secret, "did not sign its resignation", number=1, writes="left"
    ),
    "a secret where none is due": Attack(
        "key", 1, gone_with(1, own_secret), "matches no key of the deal", writes="left"
    ),
    "a secret of the epoch before where none is due": Attack(
        "key", 1, gone_with(1, own_secret), "matches no key of the deal", number=1, writes="left"
    ),
}  # fmt: skip

ATTACKS: Final = {**KEYS, **SHUFFLES, **LOOKS, **SHARES, **NOT_OWED, **LEAVING}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused_and_the_seat_is_named(name: str) -> None:
    attack = ATTACKS[name]
    log = attack.log()
    entry = attack.entry(log)
    assert_refused(log, entry, entry.author, attack.why)
