"""An honest game of three seats to attack, and what it means that an attack is refused.

The game is a real one in the real group: looks of all seats, two of them at the same cards, a score, a seat that is
dropped, a new epoch.
"""

from functools import cache
from typing import Any, Final

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.entry import NOBODY, Entry, read_entry
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.wire import Entries, opened, sealed
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Blamed
from tests.net.cards.by_hand import cut, dotter, drop, owner, play, seat_secrets, seated, serve
from tests.net.simulation import MemoryShelf

#: The entries that a deck waits for.
KINDS: Final = ("key", "shuffle", "look", "share")


def played(log: Log) -> Log:
    """Both who look at the same cards and who look at their own; then seat 2 is gone."""
    play(log, "draw", "draw", "peek p1 1a 1b", "peek p1 1a 1b", "peek p2 1a 1b", "peek p2 1a 1c")
    serve(play(log, "score p1 1a 1b 1c", "draw"))
    return serve(drop(log, 2))


@cache
def game(table: bytes = b"") -> Log:
    """The honest game. Nobody may change it: tests get what is cut from it."""
    return played(dotter(3, table=table) if table else dotter(3))


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
    shelf = MemoryShelf(owner(honest).key)
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
