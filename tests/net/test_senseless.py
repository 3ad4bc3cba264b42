"""What is well formed, rightly signed and senseless: it is refused, and nothing ends of it.

Cases that people found; tests/fuzz/machines.py looks for more of them.
"""

from dataclasses import replace
from typing import Any

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import EntryBody, ExcludedBody, LeftBody, MotionBody, MoveBody
from quadrille.net.entries.entry import NOBODY, Entry, statement
from quadrille.net.entries.faults import Fault, Late
from quadrille.net.entries.motions import DropMotion, StandInMotion
from quadrille.net.entries.terms import TimeControl
from quadrille.net.entries.wire import Entries
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Took
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from tests.net.tables import SMALL, TABLE, MemoryShelf, beginning, begun, identity, mover, table_of, terms

DROP = DropMotion(99)


def begun_by(agreed: Any, turn: int, *own: Identity) -> Entry:
    """An entry 0 that these have agreed on."""
    return Log(TABLE).write(beginning(agreed, turn=turn, sitting=own), None)


@pytest.mark.parametrize("body", [MotionBody(DROP, ()), MotionBody(StandInMotion(99), ()), ExcludedBody(25, (b"",))])
def test_a_decision_about_a_seat_that_is_not_there_is_refused(body: EntryBody) -> None:
    log = begun(terms(options=SMALL))
    log.take(log.write(MoveBody("a1"), mover(log)))
    head, entry = log.head, Entry(TABLE, 1, log.entries[1].before, NOBODY, body, 0, bytes(32))
    with pytest.raises(PeerError, match="another stands there"):
        log.take(entry)
    assert log.head == head and not log.take_aside([entry])
    assert len(log.entries) == 2


@pytest.mark.parametrize(
    ("seats", "sitting", "clock"),
    [
        (2, (1, 3), None),
        (2, (1, 3), TimeControl(60_000, 0)),
        (3, (1, 2, 3, 4), None),
        (4, (1, 2, 3), None),
        (4, (1, 3), None),
    ],
)
def test_a_later_entry_0_takes_the_place_of_an_earlier_one(
    seats: int, sitting: tuple[int, ...], clock: TimeControl | None
) -> None:
    """Also with more seats or fewer. It ended every program at a table that had just begun: there is no standing before
    the first one. A host may begin with those who are here after a round whose entry 0 only an absent chair has heard.
    """
    agreed = terms("barons", seats, {"width": 4, "height": 4}, clock=clock)
    table = table_of(1, begun(agreed))
    if seats > 2:
        table.gone[2] = 0
    later = begun_by(replace(agreed, seats=len(sitting)), 2, *map(identity, sitting))
    table.receive(identity(3).key, Entries(TABLE, (later,)), 5000)
    assert table.log.entries == [later] and table.log.now.terms.seats == len(sitting)
    assert [bool(event.replaced) for event in table.events if isinstance(event, Took)] == [True]
    assert table.seats == (table.log.now.keys.index(identity(1).key),)
    assert all(seat < len(sitting) and table.log.now.keys[seat] != identity(1).key for seat in table.gone)


@pytest.mark.parametrize("others", [False, True])
def test_strangers_do_not_begin_a_table_of_mine_in_their_way(others: bool) -> None:
    """A later entry 0 needs no signature of those who sit here: it has to be of the same people's table."""
    agreed = terms(options=SMALL)
    log = begun(agreed)
    head = log.head
    if others:
        later = begun_by(agreed, 2, identity(8), identity(9))
    else:
        later = begun_by(replace(agreed, takebacks=False), 2, identity(1), identity(3))
    with pytest.raises(Late):
        log.take(later)
    assert log.head == head


@pytest.mark.parametrize("key", [NOBODY, identity(1).key, identity(8).key])
def test_nobody_stands_in_but_another_player_in_the_game(key: bytes) -> None:
    """Without a key anybody could write for that seat, without a signature, and otherwise to each."""
    log = begun(terms(seats=3, options=SMALL, lot=False))
    motion = StandInMotion(0, key, "nobody")
    pairs = [(seat, identity(seat + 1).sign(statement(TABLE, log.head, motion))) for seat in (1, 2)]
    with pytest.raises(Fault, match="a stand-in is that of another player in the game"):
        log.write(MotionBody(motion, tuple(pairs)), None)


def test_what_begins_no_log_is_refused_in_the_first_place_of_one() -> None:
    """Seats may sign any kind of entry there. The log compared its terms with those of the beginning, and failed."""
    log = begun(terms(options=SMALL))
    for body in (MoveBody("a1"), LeftBody(0, "resigned"), ExcludedBody(0, ())):
        entry = Entry(TABLE, 0, log.entries[0].before, identity(1).key, body, 0, bytes(32)).signed(identity(1))
        log.take_aside([entry])
        with pytest.raises(PeerError):
            log.take(entry)
    assert len(log.entries) == 1


def test_a_move_that_comes_after_its_time_loses_by_time() -> None:
    """A bot's answer may come before the clock was looked at; the move could not be written, and the program failed."""
    log = begun(terms(options=SMALL, clock=TimeControl(500, 0)))
    own = mover(log)
    table = Table(log, own, MemoryShelf(own.key), 0)
    table.wake(0)
    assert table.deadline == 501
    table.play("a1", 501)
    assert [entry.body.how for entry in log.entries[1:] if isinstance(entry.body, LeftBody)] == ["time"]
    assert table.over is not None
