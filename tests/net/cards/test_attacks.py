"""Everything that a seat may try with its entries for the deck, as the others get it: refused when it comes, the seat
named, and nothing changed (docs/protocols/cards.md).

Each attack is an entry in the place of one of an honest game's, signed by the seat that cheats; what stands there
honestly is taken by the same log.

Beside the table of attacks: bytes that are not what they should be wherever a point or a number stands, entries as a
whole, and a deck that no proof should have let through.

The honest game to attack is a real one in the real group: looks of all seats, two of them at the same cards, a score, a
seat that is dropped, a new epoch.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce
from typing import Any, Final

import pytest

from quadrille.net.cards import group
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, IDENTITY, ORDER, scalar_bytes, split
from quadrille.net.cards.proofs import prove_known, prove_same
from quadrille.net.cards.shuffle import read_cards
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import ExcludedBody, KeyBody
from quadrille.net.entries.entry import NOBODY, Entry, read_entry, resignation
from quadrille.net.entries.faults import Fault, Fork
from quadrille.net.entries.wire import Entries, opened, sealed
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Blamed
from tests.net.by_hand import CrashShelf, cut
from tests.net.cards.by_hand import (
    ELSEWHERE,
    answer,
    before,
    dotter,
    drop,
    leave,
    owner,
    play,
    seat_secrets,
    seated,
    serve,
    signed,
)
from tests.net.tables import TABLE, identity

#: The entries that a deck waits for.
KINDS: Final = ("key", "shuffle", "look", "share")


@cache
def game(table: bytes = TABLE) -> Log:
    """The honest game: looks at the same cards and at others; then seat 2 is gone. Nobody may change it: tests get what
    is cut from it.
    """
    looks = ("peek p1 1a 1b", "peek p1 1a 1b", "peek p2 1a 1b", "peek p2 1a 1c")
    log = serve(play(dotter(3, table=table), "draw", "draw", *looks, "score p1 1a 1b 1c", "draw"))
    return serve(drop(log, 2))


def picture(log: Log) -> tuple[Any, ...]:
    """What a refused entry must leave as it was."""
    deck = log.now.deck
    faces = [seat_secrets(log, seat).faces(deck) for seat in range(3) if seat in deck.live]
    return log.head, deck, seated(log, 0).view.plain(), faces, len(log.standings), dict(log.books)


def assert_refused(log: Log, entry: Entry, culprit: bytes, why: str) -> None:
    """By the log, which names the culprit; and by the table of a seat, which says so and goes on as it was."""
    was = picture(log)
    with pytest.raises(Fault, match=why) as caught:
        log.take(entry)
    assert caught.value.culprit == culprit
    assert picture(log) == was
    honest = next(seat for seat in log.now.seats_in() if owner(seat).key != entry.author)
    sender = owner(next(seat for seat in log.now.seats_in() if seat != honest)).key
    shelf = CrashShelf(owner(honest).key)
    table = seated(log, honest, shelf)
    message = Entries(log.table, (entry,))
    try:
        read_entry(entry.data)
    except PeerError:
        with pytest.raises(PeerError):  # no entry at all: the message is refused where it comes in
            opened(sealed(message, owner(0)))
    else:
        table.receive(sender, message, 0)
        [blamed] = table.events
        assert isinstance(blamed, Blamed) and blamed.culprit == (sender if culprit == NOBODY else culprit)
    assert (table.stopped, shelf.kept, table.outgoing) == (None, [], [])
    assert picture(log) == was


def honest(kind: str, number: int = 0) -> tuple[Log, Entry]:
    """The log before an entry of that kind (the first, second, ... one), and the entry."""
    places = [entry.index for entry in game().entries if entry.kind == kind]
    return cut(game(), places[number]), game().entries[places[number]]


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


def said(kind: str, seat: int, number: int = 0, table: bytes = TABLE) -> Body:
    """What that seat honestly said there."""
    log = game(table)
    place = len(before(log, kind, seat, number).entries)
    return log.entries[place].body.plain()


def key_of(log: Log, x: int, point: bytes | None = None, *, context: bytes = b"") -> Body:
    """A key with a proof by who knows x, which may be the proof of something else."""
    X = group.base(x) if point is None else point  # noqa: N806
    return X, prove_known(context or log.now.deck.key_context(2), DRAWS, x, X)


def rogue_key(log: Log) -> Body:
    """With it the sum of all keys would be one whose secret the last seat knows alone."""
    others = reduce(group.plus, log.now.deck.keys.values())
    return key_of(log, 77, group.minus(group.base(77), others))


def key_that_ends_it(log: Log) -> Body:
    """With it the sum of all keys would be the identity: cards would lie open."""
    others = reduce(group.plus, log.now.deck.keys.values())
    return key_of(log, 77, group.minus(IDENTITY, others))


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
    "proof of another secret": lambda log: key_of(log, 5, group.base(6)),
    "proof by another seat": lambda log: key_of(log, 5, context=log.now.deck.key_context(1)),
    "proof for another epoch": lambda log: key_of(log, 5, context=replace(log.now.deck, epoch=1).key_context(2)),
    "key of another game": lambda log: said("key", 2, table=ELSEWHERE),
}) | against("key", 2, "a key that another seat has already", {
    "copied key": lambda log: said("key", 1),
    "a key that two seats know": shared_key,
}) | against("key", 2, "not a point", {
    "a key of who knows all others, and makes the sum the identity": cancelling_key,
}) | {"key of the epoch before": Attack("key", 1, lambda log: said("key", 1), WRONG_KEY, number=1)}  # fmt: skip


# Shuffles: test_shuffle.py tries the cards and the proofs themselves


NOT_MINE = "was not its author's to write"
NO_SHUFFLE = "no shuffle of the cards: tw"
BEFORE: Final = "no shuffle of the cards: length"
SHUFFLES: Final = against("shuffle", 1, NO_SHUFFLE, {
    "shuffle of another game": lambda log: said("shuffle", 1, table=ELSEWHERE),
}) | {
    "shuffle out of turn": Attack(
        "shuffle", 1, lambda log: seat_secrets(log, 2)._shuffle(log.now.deck), NOT_MINE, author=2
    ),
    "shuffle of another seat": Attack("shuffle", 2, lambda log: said("shuffle", 1), NO_SHUFFLE),
    "shuffle of the epoch before": Attack("shuffle", 0, lambda log: said("shuffle", 0), BEFORE, number=1),
}  # fmt: skip


def look_of(
    log: Log, *, slots: tuple[int, ...] = (), blinds: tuple[int, ...] = (11, 12), said_slots: tuple[int, ...] = ()
) -> Body:
    """A look at the cards in these slots, by these blinds, with proofs that say they are in those."""
    deck = log.now.deck
    slots, said_slots = slots or deck.asked.slots, said_slots or deck.asked.slots
    points, proofs = [], []
    for slot, told, s in zip(slots, said_slots, blinds, strict=True):
        U = group.plus(deck.cards[slot][0], group.base(s)) if s else deck.cards[slot][0]  # noqa: N806
        context = deck.look_context(log.head, deck.asked.by, told, U)
        points.append(U)
        proofs.append(prove_known(context, DRAWS, s, group.base(s)))
    return b"".join(points), b"".join(proofs)


WRONG_LOOK = "blinded is not that of the card in slot"
LOOKS: Final = against("look", 2, WRONG_LOOK, {
    "the point of another slot": lambda log: look_of(log, slots=(0, 4)),
    "proof for another slot": lambda log: look_of(log, said_slots=(0, 2)),
    "both cards, in the wrong order": lambda log: look_of(log, slots=(1, 0)),
    "the same card twice": lambda log: look_of(log, slots=(0, 0)),
    "unblinded": lambda log: look_of(log, blinds=(11, 0)),
    "one's own point instead": lambda log: (group.base(11) * 2, look_of(log)[1]),
    "look of another game": lambda log: said("look", 2, table=ELSEWHERE),
}) | {
    "replayed look": Attack("look", 2, lambda log: said("look", 2), WRONG_LOOK, number=1),
    "another seat's look at the same cards": Attack("look", 0, lambda log: said("look", 2), WRONG_LOOK),
    "look of the epoch before": Attack("look", 1, lambda log: said("look", 1), WRONG_LOOK, number=1),
    "a point too few": Attack("look", 2, lambda log: (look_of(log)[0][:32], look_of(log)[1][:64]), "2 points take 64"),
    "another's look": Attack("look", 2, look_of, NOT_MINE, author=1),
}  # fmt: skip


def share_of(log: Log, x: int | None = None, change: Callable[[list[bytes]], list[bytes]] = list) -> Body:
    """Shares by that secret (the seat's own if none is said), changed, and proved as well as can be."""
    deck = log.now.deck
    own = int.from_bytes(seat_secrets(log, log.now.turn).secret(deck.epoch), "little")
    shares = change([group.times(own if x is None else x, U) for U in deck.asked.points])
    context, key = deck.share_context(deck.asked.id, log.now.turn), deck.keys[log.now.turn]
    proof = prove_same(context, DRAWS, own if x is None else x, key, deck.asked.points, shares)
    return b"".join(shares), proof


def share_for(log: Log, **other: Any) -> Body:
    """A right share, but of a request that is otherwise than this one."""
    deck = log.now.deck
    return seat_secrets(log, log.now.turn or 0)._share(replace(deck, asked=replace(deck.asked, **other)))


def other_key(log: Log) -> Body:
    """As right as can be, with a key that is not the seat's."""
    deck = log.now.deck
    shares = [group.times(99, U) for U in deck.asked.points]
    context = deck.share_context(deck.asked.id, 0)
    return b"".join(shares), prove_same(context, DRAWS, 99, group.base(99), deck.asked.points, shares)


WRONG_SHARE = "a share that is not made with the key of player"
SHARES: Final = against("share", 0, WRONG_SHARE, {
    "wrong share": lambda log: share_of(log, change=lambda row: [group.plus(row[0], BASE), row[1]]),
    "wrong shares that cancel out": lambda log: share_of(
        log, change=lambda row: [group.plus(row[0], BASE), group.minus(row[1], BASE)]
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
    "another seat's share": Attack("share", 1, lambda log: said("share", 0), WRONG_SHARE),
    "old share for a new request": Attack("share", 0, lambda log: said("share", 0), WRONG_SHARE, number=2),
    "old share for a new request of more cards": Attack(
        "share", 0, lambda log: said("share", 0), "3 points take 96 bytes", number=3
    ),
    "share of who looks": Attack("share", 0, lambda log: said("share", 0), NOT_MINE, author=2),
    "double share": Attack("share", 1, lambda log: said("share", 0), NOT_MINE, author=0),
}  # fmt: skip


def own_secret(log: Log) -> bytes:
    return seat_secrets(log, 1).secret(0)


def a_draw(log: Log) -> Body:
    return ("draw",)


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
    "its flag falls while it owes a share": Attack(
        "share", 1, lambda log: (1, "time", b"", own_secret(log)), "this game has no clock", writes="left"
    ),
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


# Bytes: refused when they come, the seat named, nothing changed

FIELD: Final = (1 << 255) - 19
#: Bytes that a careless reader takes for points: the identity, p + 2 (which is 2), p, odd, 2^255, 2^256 - 1, no square.
NO_POINTS: Final = (
    IDENTITY,
    (FIELD + 2).to_bytes(32, "little"),
    FIELD.to_bytes(32, "little"),
    b"\x01" + bytes(31),
    bytes(31) + b"\x80",
    b"\xff" * 32,
    b"\x08" + bytes(31),
)


def words(entry: Entry, sort: str) -> Iterator[tuple[int, int, int]]:
    """Where in a body there is a `point` or a `scalar`: the field, the place among its words, and the number there.

    Of a shuffle's many alike places the first and the last.
    """
    said, proof = (split(data) for data in entry.body.plain())
    places = {"point": [(0, place) for place in range(len(said))], "scalar": [(1, at) for at in range(len(proof))]}
    if entry.kind == "shuffle":
        n = len(said) // 2
        of_proof = (0, n - 1, n, 2 * n, 3 * n - 1, *range(3 * n, 3 * n + 5))
        places["point"] = [*((0, place) for place in (0, 1, 2 * n - 1)), *((1, place) for place in of_proof)]
        places["scalar"] = [(1, place) for place in (*range(3 * n + 5, 3 * n + 10), 4 * n + 9, 5 * n + 8)]
    for field, place in places[sort]:
        yield field, place, int.from_bytes((said, proof)[field][place], "little")


def with_field(entry: Entry, field: int, data: bytes) -> Entry:
    """The same with other bytes in that field, signed again."""
    parts = entry.body.plain()
    author = next(one for one in map(identity, range(1, 4)) if one.key == entry.author)
    return replace(entry, body=type(entry.body)(*parts[:field], data, *parts[field + 1 :])).signed(author)


def with_word(entry: Entry, field: int, place: int, word: bytes) -> Entry:
    data = entry.body.plain()[field]
    return with_field(entry, field, data[: 32 * place] + word + data[32 * place + 32 :])


@pytest.mark.first(1)
@pytest.mark.parametrize("kind", KINDS)
def test_bytes_that_are_no_points_are_refused_wherever_a_point_stands(kind: str) -> None:
    """ "Identity and non-canonical encodings are refused everywhere." """
    log, entry = honest(kind, 1)
    for field, place, number in words(entry, "point"):
        for word in (*NO_POINTS, (number + FIELD).to_bytes(33, "little")[:32], (FIELD - number).to_bytes(32, "little")):
            assert_refused(log, with_word(entry, field, place, word), entry.author, "point")


@pytest.mark.first(1)
@pytest.mark.parametrize("kind", KINDS)
def test_scalars_of_the_order_and_more_are_refused_wherever_a_scalar_stands(kind: str) -> None:
    log, entry = honest(kind, 1)
    for field, place, number in words(entry, "scalar"):
        for wrong in (number + ORDER, number + 2 * ORDER, ORDER, 2**256 - 1):
            word = wrong.to_bytes(32, "little")
            assert_refused(log, with_word(entry, field, place, word), entry.author, "does not serve the deck")


@pytest.mark.parametrize("kind", KINDS)
def test_lengths_are_exact(kind: str) -> None:
    log, entry = honest(kind, 1)
    for field, data in enumerate(entry.body.plain()):
        for other in (b"", data[:-1], data[1:], data[:-32], data + b"\0", data + data[:32], data * 2):
            assert_refused(log, with_field(entry, field, other), entry.author, "does not serve the deck")


# The envelope of an entry


def test_an_entry_that_its_author_did_not_sign_is_the_sender_s_fault() -> None:
    for kind in KINDS:
        log, entry = honest(kind, 1)
        other = owner(0) if entry.author != owner(0).key else owner(1)
        wrong = bytes([entry.signature[0] ^ 1]) + entry.signature[1:]
        for signature in (wrong, replace(entry).signed(other).signature, bytes(64)):
            assert_refused(log, replace(entry, signature=signature), NOBODY, "is not its author's")
        nobody = replace(entry, author=NOBODY, signature=bytes(64))
        assert_refused(log, nobody, NOBODY, "was not its author's to write")


def test_two_entries_in_one_place_prove_cheating_however_right_each_is() -> None:
    """A share is unique, its proof is not: who proves it twice has signed twice."""
    log = before(game(), "share", 0)
    deck, body = log.now.deck, answer(log)
    x, shares = int.from_bytes(seat_secrets(log, 0).secret(0), "little"), [body[0][:32], body[0][32:]]
    context = deck.share_context(deck.asked.id, 0)
    again = (body[0], prove_same(context, DRAWS, x, deck.keys[0], deck.asked.points, shares))
    one, other = signed(log, 0, "share", answer(log)), signed(log, 0, "share", again)
    assert one.body.plain()[0] == other.body.plain()[0] and one.hash != other.hash
    log.take(one)
    was = picture(log)
    with pytest.raises(Fork) as caught:
        log.take(other)
    assert caught.value.culprit == owner(0).key
    assert caught.value.proof == (one, other)
    assert picture(log) == was


def test_no_key_is_used_again() -> None:
    """In another game, by another seat, or in another epoch: all of them are different."""
    keys = [e.body.point for log in (game(), game(ELSEWHERE)) for e in log.entries if isinstance(e.body, KeyBody)]
    assert len(keys) == len(set(keys)) == 2 * (3 + 2)


# The deck itself, whoever calls it


@pytest.mark.parametrize("how", ["doubled", "garbage", "up already"])
@pytest.mark.usefixtures("numbers")
def test_an_opening_shows_what_no_proof_should_have_let_through(how: str) -> None:
    """A second line: a log that believes everything takes a crooked deck, and what is turned up is looked at."""
    log = dotter(2)
    log.believes = True
    serve(log, "shuffle", 1)
    cards = read_cards(answer(log)[0], 54)
    crooked = {
        "doubled": [cards[0], cards[0], *cards[2:]],
        "garbage": [cards[0], (group.plus(cards[1][0], BASE), cards[1][1]), *cards[2:]],
        "up already": [*cards[:3], cards[0], *cards[4:]],
    }[how]
    log.take(signed(log, 1, "shuffle", (b"".join(half for card in crooked for half in card), answer(log)[1])))
    play(log, "draw", "draw", "score p1 1a 1b 1c")
    if how == "up already":
        play(log, "score p2 1a 1b 1c")
    last = 1 if how == "up already" else 0  # the seat that scores
    serve(log, "share", last)
    with pytest.raises(Fault, match="an opened card does not belong to this deck"):
        log.take(signed(log, last, "share", answer(log)))


@pytest.mark.parametrize(("move", "kind", "turn", "leaver"), [
    ("score p2 1a 1b 1c", "share", 2, 1),  # it has shared
    ("score p2 1a 1b 1c", "share", 1, 2),
    ("peek p2 1a 1b", "share", 2, 1),
    ("peek p2 1a 1b", "share", 1, 2),
    ("peek p2 1a 1b", "look", 0, 1),
])  # fmt: skip
@pytest.mark.usefixtures("numbers")
def test_a_request_forgets_the_share_of_a_seat_that_leaves(move: str, kind: str, turn: int, leaver: int) -> None:
    """ "open/peek requests forget the leaver": with its secret told, its layer is no longer there."""
    log = play(dotter(3), "draw", "draw", "draw", move)
    stays, goes = serve(cut(log)), serve(leave(serve(log, kind, turn), leaver))
    assert goes.now.deck.up == stays.now.deck.up
    assert seat_secrets(goes, 0).faces(goes.now.deck) == seat_secrets(stays, 0).faces(stays.now.deck)


@pytest.mark.parametrize("kind", ["look", "share"])
@pytest.mark.usefixtures("numbers")
def test_a_request_of_a_seat_that_leaves_is_void(kind: str) -> None:
    log = serve(play(dotter(3), "draw", "draw", "draw", "peek p2 1a 1b"), kind)
    serve(leave(log, 0))
    assert log.now.deck.asked is None and not log.now.deck.looked and log.now.seats_in() == (1, 2)


@pytest.mark.usefixtures("numbers")
def test_a_seat_that_is_excluded_tells_no_secret_so_the_cards_are_dealt_anew() -> None:
    log = serve(play(dotter(3), "draw"))
    both = sorted((signed(log, 1, "move", (text,)) for text in ("draw", "peek p1 1a 1b")), key=lambda one: one.hash)
    log.take(log.write(ExcludedBody(1, tuple(one.data for one in both)), None))
    assert log.now.deck.epoch == 1 and serve(log).now.deck.live == (0, 2)
