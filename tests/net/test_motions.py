"""Motions that somebody declines, that can't be carried, or that no seat can have signed."""

import pytest

from quadrille.net.entry import NOBODY
from quadrille.net.gathering import ChairRefused
from quadrille.net.lobby import At
from quadrille.net.motions import all_of
from quadrille.net.news import Blamed, Declined, Proposed
from quadrille.net.wire import Decline, Motion
from quadrille.rules.errors import RulesError
from tests.net.tables import terms
from tests.net.test_lobby import SMALL, Room


def test_who_declined_is_not_asked_again() -> None:
    room = Room(terms("barons", 2, SMALL))
    room.do(0, lambda table: table.agree(all_of("draw"), room.world.now))
    asked = len(room.events(Proposed))
    room.do(1, lambda table: table.decline())
    room.settle(10_000)
    assert len(room.events(Proposed)) == asked
    room.do(0, lambda table: table.agree(all_of("draw"), room.world.now))
    assert len(room.events(Proposed)) == asked + 1
    assert len(room.events(Declined)) == 2


def test_a_declined_motion_is_over_for_who_proposed_it() -> None:
    room = Room(terms("barons", 3, SMALL))
    room.do(0, lambda table: table.agree(all_of("draw"), room.world.now))
    room.do(2, lambda table: table.decline())
    assert room.events(Declined)
    room.do(1, lambda table: table.agree(all_of("pause"), room.world.now))
    for seat in (2, 0):
        room.do(seat, lambda table: table.agree(all_of("pause"), room.world.now))
    assert room.table(2).log.now.rest == "pause"


def test_who_looks_on_declines_nothing() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    table = room.table(0)
    room.do(0, lambda table: table.agree(all_of("draw"), room.world.now))
    said = Decline(table.log.table, table.log.head, all_of("draw"))
    table.receive(late.identity.key, said, room.world.now)
    room.settle()
    assert not room.events(Declined)


def test_a_motion_about_no_seat_of_this_table() -> None:
    room = Room(terms("barons", 2, SMALL))
    table = room.table(0)
    other = room.table(1).identity.key
    table.receive(
        other, Motion(table.log.table, table.log.head, ("drop", 20, NOBODY, ""), 20, bytes(64)), room.world.now
    )
    room.settle()
    assert room.events(Blamed)


@pytest.mark.parametrize("seat", [0, 1, 20])
def test_nobody_takes_back_a_seat_that_is_not_lent(seat: int) -> None:
    """It may be an echo of what has been done since: nobody is blamed, and nothing changes."""
    room = Room(terms("barons", 2, SMALL))
    table = room.table(0)
    other = room.table(1).identity.key
    motion = Motion(table.log.table, table.log.head, ("back", seat, NOBODY, ""), seat, bytes(64))
    table.receive(other, motion, room.world.now)
    room.settle()
    assert not room.events(Blamed)
    assert not room.events(Proposed)
    assert len(table.log.entries) == 1


def test_a_motion_that_the_terms_rule_out_is_not_signed() -> None:
    room = Room(terms("barons", 2, SMALL, takebacks=False))
    room.play(0, "a1")
    table = room.table(1)
    with pytest.raises(RulesError, match="takes no move back"):
        table.agree(all_of("takeback", 1), room.world.now)
    room.settle()
    assert not room.events(Proposed)


def test_who_may_not_look_on_hears_of_it() -> None:
    room = Room(terms("barons", 2, SMALL, watchers="nobody"), others=1)
    [late] = room.others
    assert late.lobby
    late.lobby.watch(room.table(0).log.table, room.seated[0].identity.key)
    room.world.after(late)
    room.settle()
    assert [event for _, event in room.heard if isinstance(event, At) and isinstance(event.event, ChairRefused)]
