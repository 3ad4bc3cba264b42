"""Motions that somebody declines, that can't be carried, or that no seat can have signed."""

import pytest

from quadrille.net.entries.bodies import MotionBody
from quadrille.net.entries.entry import statement
from quadrille.net.entries.motions import (
    MOTION,
    MOTIONS,
    BackMotion,
    DropMotion,
    StandInMotion,
    TableMotion,
    all_of,
    read_motion,
)
from quadrille.net.entries.wire import Decline, Motion
from quadrille.net.game_log.news import Blamed, Declined, Proposed
from quadrille.rules.errors import RulesError
from tests.net.tables import identity, terms
from tests.net.test_lobby import SMALL, Room


def test_who_declined_is_not_asked_again() -> None:
    room = Room(terms("barons", 2, SMALL))
    room.does(0, lambda table: table.agree(all_of("draw"), room.now))
    asked = len(room.events(Proposed))
    room.does(1, lambda table: table.decline())
    room.settle(10_000)
    assert len(room.events(Proposed)) == asked
    room.does(0, lambda table: table.agree(all_of("draw"), room.now))
    assert len(room.events(Proposed)) == asked + 1
    assert len(room.events(Declined)) == 2


def test_who_comes_to_the_table_hears_at_once_what_is_proposed() -> None:
    room = Room(terms("barons", 2, SMALL))
    room.does(0, lambda table: table.agree(all_of("draw"), room.now))
    table, now = room.table(0), room.now
    table.wake(table.deadline)
    table.outgoing.clear()
    table.came(room.table(1).identity.key, now)
    assert table.deadline <= now
    table.wake(now)
    assert [message.motion for _, message in table.outgoing if isinstance(message, Motion)] == [all_of("draw")]


def test_a_declined_motion_is_over_for_who_proposed_it() -> None:
    room = Room(terms("barons", 3, SMALL))
    room.does(0, lambda table: table.agree(all_of("draw"), room.now))
    room.does(2, lambda table: table.decline())
    assert room.events(Declined)
    room.does(1, lambda table: table.agree(all_of("pause"), room.now))
    for seat in (2, 0):
        room.does(seat, lambda table: table.agree(all_of("pause"), room.now))
    assert room.table(2).log.now.paused


def test_who_looks_on_declines_nothing() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    table = room.table(0)
    room.does(0, lambda table: table.agree(all_of("draw"), room.now))
    said = Decline(table.log.table, table.log.head, all_of("draw"))
    table.receive(late.identity.key, said, room.now)
    room.settle()
    assert not room.events(Declined)


def test_a_motion_about_no_seat_of_this_table() -> None:
    room = Room(terms("barons", 2, SMALL))
    table = room.table(0)
    other = room.table(1).identity.key
    table.receive(other, Motion(table.log.table, table.log.head, DropMotion(20), 20, bytes(64)), room.now)
    room.settle()
    assert room.events(Blamed)


@pytest.mark.parametrize("seat", [0, 1, 20])
def test_nobody_takes_back_a_seat_that_is_not_lent(seat: int) -> None:
    """It may be an echo of what has been done since: nobody is blamed, and nothing changes."""
    room = Room(terms("barons", 2, SMALL))
    table = room.table(0)
    other = room.table(1).identity.key
    motion = Motion(table.log.table, table.log.head, BackMotion(seat), seat, bytes(64))
    table.receive(other, motion, room.now)
    room.settle()
    assert not room.events(Blamed)
    assert not room.events(Proposed)
    assert len(table.log.entries) == 1


def test_a_motion_that_the_terms_rule_out_is_not_signed() -> None:
    room = Room(terms("barons", 2, SMALL, takebacks=False))
    room.play(0, "a1")
    table = room.table(1)
    with pytest.raises(RulesError, match="takes no move back"):
        table.agree(all_of("takeback", 1), room.now)
    room.settle()
    assert not room.events(Proposed)


def test_an_owner_who_signs_senseless_values_is_back_all_the_same() -> None:
    """Seats sign all values of a motion. The others wrote another motion than was signed, and failed."""
    room = Room(terms("barons", 3, SMALL, grace=2000), others=1)
    [newcomer] = room.others
    owner = room.peers[room.logs()[0].now.keys[0]]
    room.crash(owner, None)
    room.settle(7000)
    for seat in (1, 2):
        room.does(seat, lambda table: table.agree(StandInMotion(0, newcomer.identity.key, "p3"), room.now))
    strange = BackMotion(0, identity(9).key, "whatever")
    log = room.table(1).log
    bound = strange.bound(log.now, log.head)
    assert bound is not None
    signature = owner.identity.sign(statement(log.table, bound, strange))
    [table] = newcomer.lobby.tables.values()
    table.receive(owner.identity.key, Motion(log.table, bound, strange, 0, signature), room.now)
    room.after(newcomer)
    room.settle()
    assert log.entries[-1].body == MotionBody(strange, ((0, signature),))
    assert log.now.keys[0] == owner.identity.key


@pytest.mark.parametrize("motion", [kind(7, bytes([9]) * 32, "whatever") for kind in MOTIONS.values()])
def test_a_motion_comes_back_from_its_values_whatever_they_are(motion: TableMotion) -> None:
    assert read_motion(motion.plain()) == motion
    assert MOTION.fits(motion.plain())
