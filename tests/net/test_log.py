"""The log, entry by entry: what stands, what is refused, and whose fault it is."""

from dataclasses import replace
from typing import Any

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import LeftBody, MotionBody, MoveBody
from quadrille.net.entries.entry import NOBODY, Entry, consent, read_entry, resignation, statement
from quadrille.net.entries.faults import Desync, Fault, Fork, Gap, Late
from quadrille.net.entries.motions import (
    BackMotion,
    DrawMotion,
    DropMotion,
    StandInMotion,
    TableMotion,
    TakebackMotion,
    all_of,
)
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.log import Log, replayed
from quadrille.rules.match import Left
from quadrille.rules.record import write
from tests.net.tables import TABLE, beginning, begun, identity, mover, terms

SMALL = {"width": 3, "height": 3}


def moved(log: Log, text: str, used: int = 0) -> Entry:
    entry = log.write(MoveBody(text), mover(log), used)
    log.take(entry)
    return entry


def signatures(log: Log, motion: TableMotion, *numbers: int) -> tuple[tuple[int, bytes], ...]:
    """Signatures of those identities by their seats."""
    keys = log.now.keys
    found = []
    for number in numbers:
        own = identity(number)
        found.append((keys.index(own.key), own.sign(statement(log.table, log.head, motion))))
    return tuple(sorted(found))


class TestBeginning:
    def test_all_seats_signed_the_terms_and_drew_a_seed(self) -> None:
        log = begun(terms(options=SMALL, lot=False))
        assert [chair.name for chair in log.now.chairs] == ["name 0", "name 1"]
        assert log.now.turn == 0

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


class TestMoves:
    def test_the_same_log_from_its_bytes(self) -> None:
        log = begun(terms(options=SMALL))
        for text in ("a1", "b2", "c3"):
            moved(log, text)
        again = replayed(TABLE, [read_entry(entry.data) for entry in log.entries])
        assert again.head == log.head
        assert again.now.match.state == log.now.match.state

    def test_twice_the_same_is_nothing_new(self) -> None:
        log = begun(terms(options=SMALL))
        assert not log.take(moved(log, "a1"))

    def test_out_of_turn_or_illegal_is_the_author_s_fault(self) -> None:
        log = begun(terms(options=SMALL, lot=False))
        with pytest.raises(Fault, match="was not its author's to write") as caught:
            log.write(MoveBody("a1"), identity(2))
        assert caught.value.culprit == identity(2).key
        moved(log, "a1")
        for text, why in (("a1", "belongs to player 1"), ("B2", "in another way"), ("z9", "off the board")):
            with pytest.raises(Fault, match=why):
                log.write(MoveBody(text), identity(2))
        assert len(log.entries) == 2

    def test_a_signature_that_is_not_the_author_s(self) -> None:
        log = begun(terms(options=SMALL))
        entry = log.write(MoveBody("a1"), mover(log))
        with pytest.raises(Fault, match="signature") as caught:
            log.take(replace(entry, signature=bytes(64)))
        assert caught.value.culprit == NOBODY

    def test_after_a_missing_entry_comes_a_gap(self) -> None:
        log, other = begun(terms(options=SMALL)), begun(terms(options=SMALL))
        moved(log, "a1")
        with pytest.raises(Gap):
            other.take(moved(log, "a2"))

    def test_another_position_is_a_desync(self) -> None:
        log = begun(terms(options=SMALL))
        author = mover(log)
        entry = replace(log.write(MoveBody("a1"), author), digest=bytes(32)).signed(author)
        with pytest.raises(Desync, match="leads to position 000000000000 there"):
            log.take(entry)

    def test_two_entries_of_one_author_in_one_place_prove_cheating(self) -> None:
        log = begun(terms(options=SMALL))
        author = mover(log)
        one, other = (log.write(MoveBody(text), author) for text in ("a1", "b2"))
        log.take(one)
        with pytest.raises(Fork) as caught:
            log.take(other)
        assert caught.value.culprit == author.key
        assert caught.value.proof == (one.data, other.data)
        assert log.entries[-1] == one

    def test_nothing_after_the_end(self) -> None:
        log = begun(terms(options={"width": 2, "height": 2}))
        for text in ("a1", "a2", "b1", "b2"):
            moved(log, text)
        with pytest.raises(Fault, match="the game is over: every square is claimed"):
            log.write(MoveBody("a1"), identity(1))


class TestClocks:
    def test_the_time_used_is_taken_off_and_the_increment_added(self) -> None:
        log = begun(terms(options=SMALL, lot=False, clock=TimeControl(10_000, 500)))
        moved(log, "a1", 3000)
        assert log.now.remaining == (7500, 10_000)

    def test_a_move_after_the_time_is_up_can_not_stand(self) -> None:
        log = begun(terms(options=SMALL, lot=False, clock=TimeControl(10_000, 0)))
        with pytest.raises(Fault, match="moved 1 ms after its time was up"):
            log.write(MoveBody("a1"), identity(1), 10_001)
        log.take(log.write(LeftBody(0, "time", b"", b""), identity(1)))
        assert log.now.over is not None
        assert log.now.over.places == (2, 1)

    def test_nobody_says_it_for_another(self) -> None:
        log = begun(terms(options=SMALL, lot=False, clock=TimeControl(10_000, 0)))
        with pytest.raises(Fault, match="only the seat itself"):
            log.write(LeftBody(1, "time", b"", b""), identity(1))


class TestLeaving:
    def test_a_resignation_is_carried_by_the_next_author(self) -> None:
        log = begun(terms(seats=3, options=SMALL, lot=False))
        signed = identity(3).sign(resignation(TABLE, 2, b""))
        log.take(log.write(LeftBody(2, "resigned", signed, b""), identity(1)))
        assert log.now.seats_in() == (0, 1)
        assert log.now.turn == 0

    def test_nobody_resigns_for_another(self) -> None:
        log = begun(terms(seats=3, options=SMALL, lot=False))
        with pytest.raises(Fault, match="player 3 did not sign its resignation"):
            log.write(LeftBody(2, "resigned", identity(1).sign(resignation(TABLE, 2, b"")), b""), identity(1))

    def test_only_the_arbiter_of_the_terms_forfeits(self) -> None:
        log = begun(terms(seats=2, options=SMALL, lot=False, arbiter=identity(7).key))
        with pytest.raises(Fault, match="only the arbiter"):
            log.write(LeftBody(0, "forfeit", b"", b""), identity(2))
        log.take(log.write(LeftBody(0, "forfeit", b"", b""), identity(7)))
        assert log.now.over is not None

    def test_a_forfeit_takes_the_place_of_what_its_seat_wrote_unseen(self) -> None:
        log = begun(terms(seats=2, options=SMALL, lot=False, arbiter=identity(7).key))
        decided = log.write(LeftBody(0, "forfeit", b"", b""), identity(7))
        moved(log, "a1", 0)
        log.take(decided)
        assert log.entries[-1] == decided

    @pytest.mark.parametrize("how", ["crash", "illegal", "stall", "protocol"])
    def test_a_seat_loses_by_the_word_of_its_own_program_on_its_move(self, how: str) -> None:
        log = begun(terms(seats=2, options=SMALL, lot=False))
        with pytest.raises(Fault, match=f"only the seat itself may state {how}"):
            log.write(LeftBody(1, how, b"", b""), identity(1))
        log.take(log.write(LeftBody(0, how, b"", b""), identity(1)))
        assert [entry.how for entry in log.now.match.entries if isinstance(entry, Left)] == [how]

    def test_nobody_runs_out_of_time_without_a_clock(self) -> None:
        log = begun(terms(seats=2, options=SMALL, lot=False))
        with pytest.raises(Fault, match="this game has no clock"):
            log.write(LeftBody(0, "time", b"", b""), identity(1))

    def test_a_forfeited_seat_is_named_in_the_record_as_such(self) -> None:
        log = begun(terms(seats=2, options=SMALL, lot=False, arbiter=identity(7).key))
        log.take(log.write(LeftBody(0, "forfeit", b"", b""), identity(7)))
        assert "p1 forfeit" in write(log.now.match)


class TestMotions:
    def test_a_draw_needs_all_seats(self) -> None:
        log = begun(terms(seats=3, options=SMALL, lot=False))
        motion = DrawMotion()
        with pytest.raises(Fault, match="not signed by just the seats that it needs"):
            log.write(MotionBody(motion, signatures(log, motion, 2)), identity(1))
        log.take(log.write(MotionBody(motion, signatures(log, motion, 2, 3)), identity(1)))
        assert log.now.over is not None
        assert log.now.over.places == (1, 1, 1)

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

    def test_terms_without_takebacks(self) -> None:
        log = begun(terms(options=SMALL, lot=False, takebacks=False))
        moved(log, "a1")
        motion = TakebackMotion(1)
        with pytest.raises(Fault, match="takes no move back"):
            log.write(MotionBody(motion, signatures(log, motion, 1)), identity(2))

    def test_all_the_others_drop_a_seat_on_its_turn(self) -> None:
        log = begun(terms(seats=3, options=SMALL, lot=False))
        motion = DropMotion(0)
        log.take(log.write(MotionBody(motion, signatures(log, motion, 2, 3)), None))
        assert log.now.seats_in() == (1, 2)
        again = DropMotion(2)
        with pytest.raises(Fault, match="on its turn, and not before"):
            log.write(MotionBody(again, signatures(log, again, 2)), None)

    def test_two_seats_can_not_tell_who_is_gone(self) -> None:
        log = begun(terms(options=SMALL, lot=False))
        motion = DropMotion(0)
        with pytest.raises(Fault, match="no seat decides it alone"):
            log.write(MotionBody(motion, signatures(log, motion, 2)), None)

    def test_a_drop_takes_the_place_of_what_the_seat_wrote_unseen(self) -> None:
        log, gone = begun(terms(seats=3, options=SMALL, lot=False)), begun(terms(seats=3, options=SMALL, lot=False))
        motion = DropMotion(0)
        drop = log.write(MotionBody(motion, signatures(log, motion, 2, 3)), None)
        unseen = moved(gone, "a1")
        gone.take(drop)
        assert gone.head == drop.hash
        log.take(drop)
        with pytest.raises(Late):
            log.take(unseen)

    def test_a_stand_in_writes_for_the_seat_until_its_owner_is_back(self) -> None:
        log = begun(terms(seats=3, options=SMALL, lot=False))
        motion, lent = StandInMotion(0, identity(8).key, "deputy"), log.head
        agreed = identity(8).sign(consent(TABLE, lent, 0))
        log.take(log.write(MotionBody(motion, signatures(log, motion, 2, 3), agreed), None))
        with pytest.raises(Fault, match="was not its author's"):
            log.write(MoveBody("a1"), identity(1))
        again = BackMotion(0)
        signed = ((0, identity(1).sign(statement(TABLE, log.head, again))),)
        with pytest.raises(Fault, match="is not its own"):
            log.write(MotionBody(again, signed), identity(8))
        signed = ((0, identity(1).sign(statement(TABLE, lent, again))),)
        log.take(log.write(MotionBody(again, signed), identity(8)))
        moved(log, "a1")
        assert log.entries[-1].author == identity(1).key

    def test_of_two_decisions_the_smaller_hash_stands_everywhere(self) -> None:
        logs = [begun(terms(seats=3, options=SMALL, lot=False)) for _ in range(2)]
        motions = (DropMotion(0), StandInMotion(0, identity(8).key, "deputy"))
        agreed = ((), (identity(8).sign(consent(TABLE, logs[0].head, 0)),))
        entries = [
            logs[0].write(MotionBody(motion, signatures(logs[0], motion, 2, 3), *own), None)
            for motion, own in zip(motions, agreed, strict=True)
        ]
        for log, order in zip(logs, (entries, entries[::-1]), strict=True):
            for entry in order:
                try:
                    log.take(entry)
                except Late:
                    assert log.head == min(entry.hash for entry in entries)
        assert logs[0].head == logs[1].head == min(entry.hash for entry in entries)


def test_hidden_cards_need_the_deck_that_nobody_holds() -> None:
    with pytest.raises(PeerError, match="Dotter has hidden cards"):
        begun(terms("dotter"))


def test_no_clock_runs_until_the_next_move() -> None:
    log = begun(terms(options=SMALL, lot=False, clock=TimeControl(10_000, 0)))
    motion = all_of("pause")
    log.take(log.write(MotionBody(motion, signatures(log, motion, 2)), identity(1)))
    assert log.now.paused
    with pytest.raises(Fault, match="no clock runs in a pause"):
        log.write(MoveBody("a1"), identity(1), 1)
    moved(log, "a1")
    assert not log.now.paused
    moved(log, "b2", 4000)
    assert log.now.remaining == (10_000, 6000)
