"""What holds beside the table of attacks: shuffles that violate one equation, entries as a whole, and the deck itself,
which refuses what is not owed or not there also where nobody has looked before.
"""

from dataclasses import replace
from typing import Final

import pytest

from quadrille.net.cards.deck import new_deck
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE, RISTRETTO
from quadrille.net.cards.proof_checker import ProofChecker, Witness
from quadrille.net.cards.proofs import prove_same
from quadrille.net.cards.seat_secrets import SeatSecrets
from quadrille.net.cards.shuffle import read_cards
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import KeyBody, LeftBody, ShuffleBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.faults import Fault, Fork, Late
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.log import Log
from tests.net.cards.by_hand import ELSEWHERE, answer, before, dotter, drop, owner, play, seat_secrets, serve, signed
from tests.net.cards.refused import KINDS, assert_refused, deck_of, game, honest, picture
from tests.net.cards.stub import STUB
from tests.net.tables import identity

DRAWS: Final = Draws(bytes(range(32)), b"of a cheat", "anything")


# Shuffles of other rounds and epochs


def test_a_shuffle_of_another_round_is_refused() -> None:
    """The same seat's, of the same epoch: shuffles are counted."""
    checker, own = ProofChecker(STUB), SeatSecrets(STUB, bytes(16), 0, bytes(32))
    deck = new_deck(bytes(16), 3, (0,))
    deck = deck.take(checker, *own.answer(deck, b"")).begin(checker, "round 1", range(3), range(3))
    first = own.answer(deck, b"")
    later = deck.take(checker, *first).begin(checker, "round 2", (), range(3), range(3))
    for now in (replace(deck, shuffles=1), later):
        assert now.take(checker, *own.answer(now, b""))
        for old in (first, (first[0], own.answer(now, b"")[1])):
            with pytest.raises(PeerError, match="no shuffle of the cards: tw"):
                now.take(checker, *old)


def test_a_shuffle_of_another_epoch_is_refused() -> None:
    """As many cards, the same seat, the same number of the shuffle: but other keys, which the proof is bound to."""
    log = drop(serve(dotter(3, STUB), "shuffle", 2), 2)
    assert deck_of(serve(log, "shuffle", 0)).epoch == 1
    old = next(entry for entry in log.entries if entry.kind == "shuffle")
    assert isinstance(old.body, ShuffleBody)
    for body in (old.body.plain(), (old.body.cards, answer(log)[1])):
        assert_refused(log, signed(log, 0, "shuffle", body), owner(0).key, "no shuffle of the cards: tw")


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


def test_an_entry_after_another_than_the_last_is_a_race() -> None:
    """A stale `before` is nobody's fault, and changes nothing."""
    for kind in KINDS:
        log, entry = honest(kind, 1)
        was = picture(log)
        for old in (log.entries[-2].hash, bytes(32)):
            with pytest.raises(Late):
                log.take(replace(entry, before=old).signed(owner(log.now.turn or 0)))
        assert picture(log) == was


def test_two_entries_in_one_place_prove_cheating_however_right_each_is() -> None:
    """A share is unique, its proof is not: who proves it twice has signed twice."""
    log = before(game(), "share", 0)
    deck, body = deck_of(log), answer(log)
    assert deck.asked is not None
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
    assert caught.value.proof == (one.data, other.data)
    assert picture(log) == was


def test_no_seat_is_forfeited_with_a_secret() -> None:
    arbiter = identity(9)
    log = serve(play(dotter(3, STUB, arbiter=arbiter.key), "draw"))
    body = LeftBody(1, "forfeit", b"", seat_secrets(log, 1).secret(0))
    draft = Entry(log.table, len(log.entries), log.head, arbiter.key, body, 0, bytes(32)).signed(arbiter)
    with pytest.raises(Fault, match="only the arbiter may forfeit") as caught:
        log.take(draft)
    assert caught.value.culprit == arbiter.key
    log.take(log.write(LeftBody(1, "forfeit", b"", b""), arbiter))
    assert deck_of(log).epoch == 1


def test_what_the_deck_waits_for_takes_no_time_of_a_clock() -> None:
    log = serve(dotter(2, STUB, clock=TimeControl(1000, 0)))
    assert log.now.remaining == (1000, 1000)


def test_no_key_is_used_again() -> None:
    """In another game, by another seat, or in another epoch: all of them are different."""
    keys = [e.body.point for log in (game(), game(ELSEWHERE)) for e in log.entries if isinstance(e.body, KeyBody)]
    assert len(keys) == len(set(keys)) == 2 * (3 + 2)


# The deck itself, whoever calls it


@pytest.mark.parametrize("how", ["doubled", "garbage", "up already"])
def test_an_opening_shows_what_no_proof_should_have_let_through(how: str) -> None:
    """A second line: an checker that believes everything takes a crooked deck, and what is turned up is looked at."""
    log = dotter(2, STUB)
    log.checker = Witness(log.checker)
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
