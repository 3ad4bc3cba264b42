"""What a seat can tell about cards that it may not know: nothing, by all that it receives and stores.

Two deals are compared that differ in such cards alone. All seats have the same secrets in both and make the same moves;
only the order in which one seat that the observer does not know laid the cards is another, so that two cards are
exchanged which the observer never looked at and which never lay face up. A key fixes what a ciphertext holds, so the
bytes of the cards can't be the same in both: they hide by the decisional Diffie-Hellman problem. What is compared is
therefore, byte for byte,

1. **everything but points and proofs** (here, at a real table of three in the real group): all entries up to the
   shuffle in question as they are; after that the kinds, authors, places, moves, times and digests of all entries; the
   positions, the observer's view and what it has seen, the record, what its program tells it. Of what differs (cards,
   points, shares, proofs, and with them the hashes `before` and the signatures) all lengths and places are the same,
   in what comes, in what is sent, and on the shelf.
2. **the points**: no point of a look or a share comes twice, however often a card is looked at, and each look adds
   another blind to it. So nobody who can only add points and compare them can tell that two looks were at one card.

Proofs are of kinds that tell nothing (docs/protocols/cards.md, "Proofs"), as long as no nonce is used again
(test_group.py).

And all bytes are searched (test_secrecy_bytes.py), of what every seat of a game in bad weather was told and stored, and
of the file of a real store: no card's point and no secret of another seat is in it, until a seat leaves or opens its
book.
"""

from functools import cache
from typing import Any, Final

import pytest

from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import RISTRETTO, card_points, split
from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import unpack
from quadrille.net.entries.entry import Entry
from quadrille.net.entries.table_store import TableStore
from quadrille.net.entries.wire import Entries, Message
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Took
from quadrille.net.tables.table import Table
from quadrille.rules import record
from tests.net.cards.by_hand import cut, dotter, owner, play, seat_secrets, seated, serve, shelf_of
from tests.net.simulation import MemoryShelf

#: Seat 0 observes. It sees the cards at 0, 1, 3 and 4; those at 6, 7 and 8 are turned up for all; seat 1 sees those at
#: 5, 9 and 10, seat 2 that at 5 too; nobody sees those from 11 on.
MOVES: Final = (
    *("draw", "draw", "draw", "peek p1 1a 1b", "peek p2 1b 1c", "peek p2 1a 1c", "peek p2 1a 1b", "peek p1 1a 1b"),
    *("score p3 1a 1b 1c", "draw", "peek p1 2a 2b", "draw", "draw"),
)
EXCHANGED: Final = {"cards that others have seen": (5, 9), "one that another has seen": (5, 40), "unseen": (12, 53)}


def dealt(exchanged: tuple[int, int] | None) -> Log:
    """The game, where the last seat to shuffle laid these two cards the other way round."""
    log = serve(dotter(3), "shuffle", 2)
    really = Draws.permutation

    def laid(draws: Draws, length: int) -> list[int]:
        order = really(draws, length)
        if exchanged:
            one, other = exchanged
            order[one], order[other] = order[other], order[one]
        return order

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Draws, "permutation", laid)
        serve(log)
    return serve(play(log, *MOVES))


@cache
def deals() -> dict[str, Log]:
    return {"as it was": dealt(None), **{name: dealt(pair) for name, pair in EXCHANGED.items()}}


class Observed:
    """All that the program of one seat gets, keeps, says and tells, entry by entry."""

    def __init__(self, log: Log, seat: int, shelf: TableStore | None = None) -> None:
        self.shelf = MemoryShelf(owner(seat).key)
        self.table = Table(cut(log, 1), owner(seat), shelf or self.shelf, 0)
        (shelf or self.shelf).keep_entry(log.entries[0])
        shelf_of(log, owner(seat), shelf or self.shelf)
        self.received: list[Message] = []
        self.views: list[Any] = []
        for entry in log.entries[1:]:
            message = Entries(log.table, (entry,))
            self.received.append(message)
            self.table.receive(entry.author, message, 0)
            state = self.table.view
            self.views.append((state.plain(), state.scene(), self.table.log.now.match.state.plain()))
        assert self.table.log.head == log.head

    def derived(self) -> list[Any]:
        """What its program tells, and what it can print."""
        log = self.table.log
        events = [event if not isinstance(event, Took) else public(event.entry) for event in self.table.events]
        faces = seat_secrets(log, self.table.seat or 0).faces(log.now.deck)
        standings = [(one.match.pending, one.owed, one.turn, one.remaining, one.keys) for one in log.standings]
        return [self.views, events, record.write(log.now.match), faces, standings, log.now.match.state.digest()]


def public(entry: Entry) -> tuple[Any, ...]:
    """An entry without what may differ: of bytes in the body only the length."""
    body = tuple(len(part) if isinstance(part, bytes) else part for part in entry.body.plain())
    return entry.table, entry.index, entry.author, entry.kind, body, entry.used, entry.digest, len(entry.data)


def lengths(value: Any) -> Any:
    """A message or a part of it, with bytes as their lengths only; what is packed in bytes is looked into."""
    match value:
        case bytes():
            try:
                return lengths(unpack(value)) if len(value) > 64 else len(value)
            except PeerError:
                return len(value)
        case tuple() | list():
            return [lengths(part) for part in value]
        case Entries(table, entries):
            return table, lengths([entry.data for entry in entries])
    return value


class TestTwoDeals:
    @pytest.mark.first(1)
    @pytest.mark.parametrize("name", EXCHANGED)
    def test_differ_in_what_the_others_know(self, name: str) -> None:
        """So that there is something to hide: seat 1 sees another card in one of them."""
        views = [seated(deals()[which], 1).view for which in ("as it was", name)]
        assert (views[0] != views[1]) == (name != "unseen")
        truths = [truth(deals()[which]) for which in ("as it was", name)]
        one, other = EXCHANGED[name]
        swapped = {**truths[0], one: truths[0][other], other: truths[0][one]}
        assert truths[1] == swapped != truths[0]

    @pytest.mark.first(1)
    @pytest.mark.parametrize("name", EXCHANGED)
    def test_are_the_same_to_who_does_not(self, name: str) -> None:
        here, there = Observed(deals()["as it was"], 0), Observed(deals()[name], 0)
        assert here.derived() == there.derived()
        entries = [one.table.log.entries for one in (here, there)]
        last = next(e.index for e in entries[0] if e.kind == "shuffle" and e.author == owner(2).key)
        assert [e.data for e in entries[0][:last]] == [e.data for e in entries[1][:last]]
        assert list(map(public, entries[0])) == list(map(public, entries[1]))
        assert [lengths(m) for m in here.received] == [lengths(m) for m in there.received]
        assert [(key, lengths(m)) for key, m in here.table.outgoing] == [
            (key, lengths(m)) for key, m in there.table.outgoing
        ]
        assert [(t, i, len(data)) for t, i, data in here.shelf.kept] == [(t, i, len(d)) for t, i, d in there.shelf.kept]
        assert here.shelf.secrets == there.shelf.secrets and len(here.shelf.secrets) == 1


def test_two_looks_at_one_card_have_no_point_and_no_blind_in_common() -> None:
    """What comes back as one share or another is not that of the card, or all could tell who saw which."""
    log, said, blinds, slots = deals()["as it was"], list[bytes](), list[bytes](), list[int]()
    for entry, before in zip(log.entries[1:], log.standings, strict=False):
        if entry.kind in ("look", "share"):
            said += split(entry.body.plain()[0])
        if entry.kind == "look" and before.deck and before.deck.asked:
            looked = before.deck.asked.slots
            slots += looked
            pairs = zip(said[-len(looked) :], looked, strict=True)
            blinds += [RISTRETTO.minus(point, before.deck.cards[slot][0]) for point, slot in pairs]
    assert len({*slots}) < len(slots) and len({*said}) == len(said) and len({*blinds}) == len(blinds)


def truth(log: Log) -> dict[int, int]:
    """Every card that lies face down."""
    deck = log.now.deck
    x = sum(int.from_bytes(seat_secrets(log, seat).secret(0), "little") for seat in range(3))
    numbers = {point: value for value, point in enumerate(card_points(RISTRETTO))}
    return {slot: numbers[RISTRETTO.minus(b, RISTRETTO.times(x, a))] for slot, (a, b) in deck.cards.items()}
