"""The deck and the seats' secrets against a recorded game of three seats: two looks at the same cards, an opening."""

from dataclasses import replace
from functools import cache, reduce
from typing import Any

import msgpack

from quadrille.net.cards import group
from quadrille.net.cards.deck import Deck, Request, new_deck
from quadrille.net.cards.group import hashed_point
from quadrille.net.cards.seat_secrets import SeatSecrets
from quadrille.net.core.hashing import hashed, short
from tests.net.cards.recorded import FOLDER, GID, SEEDS, TOLD

ALL_SECRETS = [SeatSecrets(GID, seat, seed) for seat, seed in enumerate(SEEDS)]


def recorded() -> list[tuple[int, str, dict[str, Any], bytes, bytes]]:
    """Seat, kind and body of each entry, the hash of the entry before it and its own."""
    data = (FOLDER / "card-vectors.log.msgpack").read_bytes()
    rows = []
    for core, _ in msgpack.unpackb(data):
        _, _, before, seat, kind, body = core
        rows.append((seat, kind, body, before, short("entry", msgpack.packb(core))))
    return rows


@cache
def played() -> tuple[list[Deck], list[bytes]]:
    """The deck after each entry, and the numbers that were drawn."""
    deck, after, numbers = new_deck(GID, 54, (0, 1, 2)), [], []
    for seat, kind, body, before, hash in recorded():
        match kind:
            case "key":
                deck = deck.take(body["X"], body["p"])
            case "begin":
                deck = deck.begin("round 1", body["v"], range(54))
            case "shuf":
                deck = deck.take(body["o"], body["f"])
            case "peek":
                deck = deck.ask_look(seat, tuple(body["c"]))
                deck = deck.take(body["U"], body["p"], before, hash)
            case "open":
                deck = deck.ask_open(hash, tuple(body["c"]))
            case "rand":
                base = hashed_point("rnd/base", GID, hash)  # a request for no card, which no game makes
                deck = replace(deck, asked=Request((), id=hash, points=(base,)))
            case "share":
                deck = deck.take(body["D"], body["p"])
                if request := deck.answered:
                    deck, faces = deck.open()
                    told = {str(slot): face for slot, face in zip(request.slots, faces, strict=True)}
                    assert told == (TOLD["opened"] if request.slots else {})
                    if not request.slots:
                        total = reduce(group.plus, [shares[0] for shares in request.shares.values()])
                        numbers.append(hashed("rnd/out", GID, request.id, total))
        after.append(deck)
    return after, numbers


def test_the_recorded_game() -> None:
    decks, numbers = played()
    deck = decks[-1]
    assert deck.joint.hex() == TOLD["H"]
    assert deck.due is None
    assert [number.hex() for number in numbers] == list(TOLD["rand"].values())
    assert {slot: face for slot, face in TOLD["opened"].items() if face in deck.up} == TOLD["opened"]
    assert deck.cards.keys() == set(range(54)) - {int(slot) for slot in TOLD["opened"]}


def test_the_seats_see_what_the_recorded_seats_saw() -> None:
    decks, _ = played()
    seen = [{str(slot): face for slot, face in seat_secrets.faces(decks[-1]).items()} for seat_secrets in ALL_SECRETS]
    assert seen == [TOLD["view0"], {}, TOLD["view2"]]


def test_the_seats_say_what_the_recorded_seats_said() -> None:
    """Byte for byte: all that seats owed follows from their seeds and the deck."""
    decks, _ = played()
    before = new_deck(GID, 54, (0, 1, 2))
    fields = {"key": ("X", "p"), "shuf": ("o", "f"), "share": ("D", "p"), "peek": ("U", "p")}
    told = 0
    for deck, (seat, kind, body, prev, _) in zip(decks, recorded(), strict=True):
        if kind in fields:
            asked = before.ask_look(seat, tuple(body["c"])) if kind == "peek" else before
            assert ALL_SECRETS[seat].answer(asked, prev) == tuple(body[name] for name in fields[kind])
            told += 1
        before = deck
    assert told == 18


def test_every_card_is_where_the_vectors_say() -> None:
    """All three secrets together open the whole deck: "plaintext_order"."""
    decks, _ = played()
    laid = next(deck for deck in decks if len(deck.cards) == 54)
    for seat, seat_secrets in enumerate(ALL_SECRETS):
        laid = laid.leave(seat, seat_secrets.secret(0)) if seat < 2 else laid
    opened = laid.ask_open(b"all", tuple(range(54)))
    share = ALL_SECRETS[2].answer(opened, b"")
    _, faces = opened.take(*share).open()
    assert {str(slot): face for slot, face in enumerate(faces)} == TOLD["plaintext_order"]
