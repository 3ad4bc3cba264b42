"""What holds beside the table of attacks: shuffles that violate one equation, entries as a whole, and the deck itself,
which refuses what is not owed or not there also where nobody has looked before.
"""

from dataclasses import replace
from typing import Any, Final

import pytest

from quadrille.net.cards.deck import Deck
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import BASE
from quadrille.net.cards.proof_checker import ProofChecker, Witness
from quadrille.net.cards.proofs import prove_known, prove_same
from quadrille.net.cards.shuffle import read_cards
from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import KeyBody, LeftBody, ShareBody, ShuffleBody
from quadrille.net.entries.entry import NOBODY, Entry
from quadrille.net.entries.faults import Fault, Fork, Late
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.log import Log
from tests.net.cards.by_hand import ELSEWHERE, answer, before, dotter, drop, owner, play, seat_secrets, serve, signed
from tests.net.cards.groups import BEST
from tests.net.cards.refused import KINDS, assert_refused, deck_of, game, honest, numbers, picture
from tests.net.cards.stub import STUB
from tests.net.tables import identity

DRAWS: Final = Draws(bytes(range(32)), b"of a cheat", "anything")


# Shuffles of other rounds and epochs


def test_a_shuffle_of_another_round_is_refused() -> None:
    """The same seat's, of the same epoch: shuffles are counted."""
    log = dotter(2, STUB)
    while log.now.match.state.board.round == 0:
        state = serve(log).now.match.state
        rows = [(player, row) for player in range(2) for row in range(state.board.drawn[player])]
        down = [(player, row) for player, row in rows if 3 * row in state.board.down(player)]
        text = (
            "draw"
            if state.board.serves()
            else f"score p{down[0][0] + 1} " + " ".join(f"{down[0][1] + 1}{letter}" for letter in "abc")
        )
        play(log, text)
        if log.now.owed == "share":
            serve(log, "share", 1)
            log.take(log.write(ShareBody.read(answer(log)), owner(1)))
    assert log.now.owed == "shuffle"
    first = next(entry for entry in log.entries if entry.kind == "shuffle")
    assert isinstance(first.body, ShuffleBody) and len(first.body.cards) == 64 * 54
    for old in (first.body.plain(), (first.body.cards, answer(log)[1])):
        with pytest.raises(Fault, match="no shuffle of the cards: tw") as caught:
            log.take(signed(log, 0, "shuffle", old))
        assert caught.value.culprit == owner(0).key
    assert log.take(signed(log, 0, "shuffle", answer(log)))


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
    again = (body[0], prove_same(BEST, context, DRAWS, x, deck.keys[0], deck.asked.points, shares))
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


def test_the_deck_takes_nothing_out_of_turn() -> None:
    """Also where nobody looked first whose turn it is."""
    checker = ProofChecker(STUB)
    due = zip(KINDS, (1, 1, 2, 1), strict=True)
    keys, shuffle, look, share = (before(numbers(), kind, seat) for kind, seat in due)

    def given(kind: str, seat: int) -> tuple[Any, ...]:
        return next(e.body.plain() for e in numbers().entries if e.kind == kind and e.author == owner(seat).key)

    for seat in (0, 2):
        with pytest.raises(PeerError, match="owes the deck no key now"):
            deck_of(keys).take_key(checker, seat, *key_in_numbers(deck_of(keys), seat))
        with pytest.raises(PeerError, match="owes the deck no shuffle now"):
            deck_of(shuffle).take_shuffle(checker, seat, *given("shuffle", seat))
        with pytest.raises(PeerError, match="owes the deck no share now"):
            deck_of(share).take_share(checker, seat, *given("share", 0))
    for seat in (0, 1):
        with pytest.raises(PeerError, match="owes the deck no look now"):
            deck_of(look).take_look(checker, seat, look.head, bytes(32), *given("look", 2))


def key_in_numbers(deck: Deck, seat: int) -> tuple[bytes, bytes]:
    key = STUB.base(42)
    return key, prove_known(STUB, deck.key_context(seat), DRAWS, 42, key)


def test_the_deck_begins_no_shuffle_of_what_is_not_there() -> None:
    checker, deck = ProofChecker(STUB), deck_of(serve(play(dotter(2, STUB), "draw")))
    for values, slots, old in (((0,), range(55), range(54)), ((), range(53), range(54)), ((), [0] * 54, range(54))):
        with pytest.raises(PeerError):
            deck.begin(checker, "round 2", values, slots, old)
    waiting = deck.ask_look(0, (0,))
    for ask in (
        lambda: waiting.ask_look(1, (1,)),
        lambda: waiting.ask_open(b"", (1,)),
        lambda: deck.ask_look(0, (54,)),
    ):
        with pytest.raises(PeerError):
            ask()
    with pytest.raises(PeerError, match="a seat still owes"):
        waiting.begin(checker, "round 2", (), range(54), range(54))


@pytest.mark.parametrize("how", ["doubled", "garbage", "up already"])
def test_an_opening_shows_what_no_proof_should_have_let_through(how: str) -> None:
    """A second line: an checker that believes everything takes a crooked deck, and what is turned up is looked at."""
    believes = Witness(ProofChecker(STUB))
    log = dotter(2, STUB)
    log.checker = believes
    serve(log, "shuffle", 1)
    cards = read_cards(shuffle_body(log))
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
