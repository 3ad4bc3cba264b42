"""The log, entry by entry: what stands, what is refused, and whose fault it is."""

from dataclasses import replace
from typing import Any

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import BY_ITSELF, EntryBody, LeftBody, MotionBody, MoveBody
from quadrille.net.entries.entry import resignation
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.motions import DrawMotion, DropMotion, TakebackMotion, all_of
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.log import Log
from quadrille.rules.match import Left
from quadrille.rules.record import write
from tests.net.tables import SMALL, TABLE, beginning, begun, identity, moved, signatures, terms, with_moves


class TestBeginning:
    def test_seats_are_drawn_by_lot_from_the_joint_seed(self) -> None:
        orders = {tuple(chair.name for chair in begun(terms(seats=3), bytes([n]) * 16).now.chairs) for n in range(40)}
        assert len(orders) == 6

    @pytest.mark.parametrize(
        ("name", "value", "why"),
        [
            ("secrets", (b"x" * 32, b"\x02" * 32), "did not sign these commitments and this secret"),
            ("signatures", (b"x" * 64, b"y" * 64), "did not sign these terms"),
            ("turn", 2, "did not sign these terms"),
            ("chairs", (), "without all its seats"),
        ],
    )
    def test_what_was_not_agreed_is_refused(self, name: str, value: Any, why: str) -> None:
        body = replace(beginning(terms(options=SMALL)), **{name: value})
        with pytest.raises(Fault, match=why):
            Log(TABLE).write(body, None)

    def test_terms_that_our_rules_cannot_play(self) -> None:
        for wrong in (terms(rules=99), replace(terms(), game="chess"), replace(terms(), seats=9)):
            with pytest.raises(PeerError):
                Log(TABLE).write(beginning(wrong), None)

    def test_a_log_from_before_an_option_is_a_game_as_it_was_then(self) -> None:
        """A table of Dotter that people kept has no `looks`, whose usual value is 2 now."""
        now = terms("dotter", takebacks=False)
        old = replace(now, options=tuple(row for row in now.options if row[0] != "looks"))
        found = [begun(one, b"s" * 16).now.match.state.options.looks for one in (old, now)]
        assert found == [0, 2]


CLOCK = TimeControl(10_000, 0)
FOREIGN = identity(1).sign(resignation(TABLE, 2, b""))
DRAW, TAKEBACK, PAUSE = DrawMotion(), TakebackMotion(1), all_of("pause")
#: Terms, the moves before it, its author, an entry, and why that can't be written: the author is to blame.
REFUSED: list[tuple[dict[str, Any], str, int, EntryBody, int, str]] = [
    ({}, "", 2, MoveBody("a1"), 0, "was not its author's to write"),
    ({}, "a1", 2, MoveBody("a1"), 0, "belongs to player 1"),
    ({}, "a1", 2, MoveBody("B2"), 0, "in another way"),
    ({}, "a1", 2, MoveBody("z9"), 0, "off the board"),
    ({"options": {"width": 2, "height": 2}}, "a1 a2 b1 b2", 1, MoveBody("a1"), 0, "over: every square is claimed"),
    ({"clock": CLOCK}, "", 1, MoveBody("a1"), 10_001, "moved 1 ms after its time was up"),
    ({"clock": CLOCK}, "", 1, LeftBody(1, "time"), 0, "only the seat itself"),
    ({}, "", 1, LeftBody(0, "time"), 0, "this game has no clock"),
    *(({}, "", 1, LeftBody(1, how), 0, f"only the seat itself may state {how}") for how in BY_ITSELF[1:]),
    ({"seats": 3}, "", 1, LeftBody(2, "resigned", FOREIGN), 0, "did not sign its resignation"),
    ({"takebacks": False}, "a1", 2, MotionBody(TAKEBACK, ()), 0, "takes no move back"),
    ({"seats": 3}, "", 1, MotionBody(DRAW, ((1, bytes(64)),)), 0, "not signed by just the seats that it needs"),
]


@pytest.mark.parametrize(("more", "moves", "author", "body", "used", "why"), REFUSED)
def test_what_can_not_be_written_is_its_author_s_fault(
    more: dict[str, Any], moves: str, author: int, body: EntryBody, used: int, why: str
) -> None:
    log = with_moves(begun(terms(lot=False, **{"options": SMALL, **more})), *moves.split())
    length = len(log.entries)
    with pytest.raises(Fault, match=why) as caught:
        log.write(body, identity(author), used)
    assert caught.value.culprit == identity(author).key and len(log.entries) == length


class TestClocks:
    def test_the_time_used_is_taken_off_and_the_increment_added(self) -> None:
        log = begun(terms(options=SMALL, lot=False, clock=TimeControl(10_000, 500)))
        moved(log, "a1", 3000)
        assert log.now.remaining == (7500, 10_000)

    def test_no_clock_runs_until_the_next_move(self) -> None:
        log = begun(terms(options=SMALL, lot=False, clock=CLOCK))
        log.take(log.write(MotionBody(PAUSE, signatures(log, PAUSE, 2)), identity(1)))
        assert log.now.paused
        with pytest.raises(Fault, match="no clock runs in a pause"):
            log.write(MoveBody("a1"), identity(1), 1)
        moved(log, "a1")
        assert not log.now.paused
        moved(log, "b2", 4000)
        assert log.now.remaining == (10_000, 6000)


class TestLeaving:
    @pytest.mark.parametrize("how", BY_ITSELF)
    def test_a_seat_loses_by_its_own_word_on_its_move(self, how: str) -> None:
        log = begun(terms(options=SMALL, lot=False, clock=CLOCK))
        log.take(log.write(LeftBody(0, how), identity(1)))
        assert log.now.over is not None and log.now.over.places == (2, 1)
        assert [entry.how for entry in log.now.match.entries if isinstance(entry, Left)] == [how]
        assert f"p1 {how}" in write(log.now.match)


class TestMotions:
    def test_a_motion_is_bound_to_the_head(self) -> None:
        log = begun(terms(options=SMALL, lot=False))
        motion = TakebackMotion(1)
        moved(log, "a1")
        stale = signatures(log, motion, 1)
        moved(log, "b2")
        with pytest.raises(Fault, match="is not its own"):
            log.write(MotionBody(motion, ((1, stale[0][1]),)), identity(1))
        log.take(log.write(MotionBody(motion, signatures(log, motion, 2)), identity(1)))
        assert log.now.match.ply == 1
        assert log.now.turn == 1

    def test_all_the_others_drop_a_seat_on_its_turn(self) -> None:
        log = begun(terms(seats=3, options=SMALL, lot=False))
        motion = DropMotion(0)
        log.take(log.write(MotionBody(motion, signatures(log, motion, 2, 3)), None))
        assert log.now.seats_in() == (1, 2)
        again = DropMotion(2)
        with pytest.raises(Fault, match="on its turn, and not before"):
            log.write(MotionBody(again, signatures(log, again, 2)), None)
