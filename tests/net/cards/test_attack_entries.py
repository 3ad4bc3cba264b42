"""What holds beside the table of attacks: bytes that are not what they should be wherever a point or a number stands,
entries as a whole, and a deck that no proof should have let through.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, IDENTITY, ORDER, RISTRETTO, split
from quadrille.net.cards.proofs import prove_same
from quadrille.net.cards.shuffle import read_cards
from quadrille.net.entries.bodies import ExcludedBody, KeyBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.faults import Fault, Fork
from quadrille.net.game_log.log import Log
from tests.net.cards.by_hand import (
    ELSEWHERE,
    answer,
    before,
    cut,
    dotter,
    leave,
    owner,
    play,
    seat_secrets,
    serve,
    signed,
)
from tests.net.cards.refused import KINDS, assert_refused, game, honest, picture
from tests.net.cards.stub import STUB
from tests.net.tables import identity

DRAWS: Final = Draws(bytes(range(32)), b"of a cheat", "anything")


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
    again = (body[0], prove_same(RISTRETTO, context, DRAWS, x, deck.keys[0], deck.asked.points, shares))
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
def test_an_opening_shows_what_no_proof_should_have_let_through(how: str) -> None:
    """A second line: an checker that believes everything takes a crooked deck, and what is turned up is looked at."""
    log = dotter(2, STUB)
    log.checker = log.checker.believing
    serve(log, "shuffle", 1)
    cards = read_cards(shuffle_body(log), 54)
    crooked = {
        "doubled": [cards[0], cards[0], *cards[2:]],
        "garbage": [cards[0], (STUB.plus(cards[1][0], BASE), cards[1][1]), *cards[2:]],
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


def shuffle_body(log: Log) -> bytes:
    data = answer(log)[0]
    assert isinstance(data, bytes)
    return data


@pytest.mark.parametrize(("move", "kind", "turn", "leaver"), [
    ("score p2 1a 1b 1c", "share", 2, 1),  # it has shared
    ("score p2 1a 1b 1c", "share", 1, 2),
    ("peek p2 1a 1b", "share", 2, 1),
    ("peek p2 1a 1b", "share", 1, 2),
    ("peek p2 1a 1b", "look", 0, 1),
])  # fmt: skip
def test_a_request_forgets_the_share_of_a_seat_that_leaves(move: str, kind: str, turn: int, leaver: int) -> None:
    """ "open/peek requests forget the leaver": with its secret told, its layer is no longer there."""
    log = play(dotter(3, STUB), "draw", "draw", "draw", move)
    stays, goes = serve(cut(log, len(log.entries))), serve(leave(serve(log, kind, turn), leaver))
    assert goes.now.deck.up == stays.now.deck.up
    assert seat_secrets(goes, 0).faces(goes.now.deck) == seat_secrets(stays, 0).faces(stays.now.deck)


@pytest.mark.parametrize("kind", ["look", "share"])
def test_a_request_of_a_seat_that_leaves_is_void(kind: str) -> None:
    log = serve(play(dotter(3, STUB), "draw", "draw", "draw", "peek p2 1a 1b"), kind)
    serve(leave(log, 0))
    assert log.now.deck.asked is None and not log.now.deck.looked and log.now.seats_in() == (1, 2)


def test_a_seat_that_is_excluded_tells_no_secret_so_the_cards_are_dealt_anew() -> None:
    log = serve(play(dotter(3, STUB), "draw"))
    both = sorted((signed(log, 1, "move", (text,)) for text in ("draw", "peek p1 1a 1b")), key=lambda one: one.hash)
    log.take(log.write(ExcludedBody(1, tuple(one.data for one in both)), None))
    assert log.now.deck.epoch == 1 and serve(log).now.deck.live == (0, 2)
