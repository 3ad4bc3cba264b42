"""The log, entry by entry: what stands, what is refused, and whose fault it is; and its archive, where any byte changed
is found, with its line and its author.
"""

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.bodies import BY_ITSELF, EntryBody, ExcludedBody, LeftBody, MotionBody, MoveBody
from quadrille.net.entries.entry import NOBODY, Entry, read_entry, resignation, statement
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.motions import DrawMotion, DropMotion, StandInMotion, TakebackMotion, all_of
from quadrille.net.entries.terms import MOST_ENTRIES, TimeControl
from quadrille.net.entries.wire import Entries, Motion, Resign
from quadrille.net.game_log import archive
from quadrille.net.game_log.archive import BadArchive
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Stopped, Took
from quadrille.net.tables import table as table_module
from quadrille.net.tables.table import Table
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Left
from quadrille.rules.record import write
from tests.net.by_hand import CrashShelf, agreed, culprits, moved, signatures, table_of, three, with_moves
from tests.net.tables import SMALL, TABLE, beginning, begun, identity, mover, terms


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
        """And is nobody's fault: a key is named only for what it has signed."""
        body = replace(beginning(terms(options=SMALL)), **{name: value})
        with pytest.raises(Fault, match=why) as caught:
            Log(TABLE).write(body, None)
        assert caught.value.culprit == NOBODY

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
    ({"seats": 3}, "", 1, MotionBody(DropMotion(2), ()), 0, "on its turn, and not before"),
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


def test_a_table_stops_in_words_before_an_entry_that_no_log_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later entry would be dropped by all others, and could not be read back here."""
    entry = three().entries[0]
    assert read_entry(replace(entry, index=MOST_ENTRIES - 1).data)
    with pytest.raises(PeerError, match="core"):
        read_entry(replace(entry, index=MOST_ENTRIES).data)
    monkeypatch.setattr(table_module, "MOST_ENTRIES", 3)
    log = with_moves(three(), "a1")
    table = table_of(2, log)
    table.play("b2", 0)
    for stopped in (table, table_of(3, log)):  # the other one was started again
        assert stopped.stopped == Stopped(NOBODY, "its log is full: it has 3 entries") and len(log.entries) == 3
        with pytest.raises(RulesError):
            stopped.play("c3", 0)


@pytest.mark.parametrize("how", ["resigned", "dropped", "protocol"])
def test_a_seat_that_left_is_back_by_a_takeback_only_if_it_signs_that(how: str) -> None:
    """And a cheat is out again at once: the others keep the proof."""
    log = three()
    fork = log.write(MoveBody("b2"), mover(log))
    moved(log, "a1")
    table = table_of(2, log)
    match how:
        case "resigned":
            table.receive(identity(1).key, Resign(TABLE, 0, identity(1).sign(resignation(TABLE, 0, b"")), b""), 0)
        case "dropped":
            with_moves(log, "b1", "b2").take(agreed(log, DropMotion(0)))
        case _:
            table.receive(identity(1).key, Entries(TABLE, (fork,)), 0)
    takeback = TakebackMotion(log.now.match.ply)
    assert log.now.seats_in() == (1, 2) and table.is_my_turn
    with pytest.raises(Fault, match="not signed by just the seats that it needs"):
        log.write(MotionBody(takeback, signatures(log, takeback, 3)), identity(2))
    assert TakebackMotion(99).signers(log.now) == log.now.speakers(), "as before, where that can't be"
    length = len(log.entries)
    for number in (1, 3):
        [[seat, signature]] = signatures(log, takeback, number)
        table.receive(identity(number).key, Motion(TABLE, log.head, takeback, seat, signature), 0)
    assert table.agree(takeback, 0) and log.entries[length].body.motion == takeback
    assert log.now.seats_in() == ((1, 2) if how == "protocol" else (0, 1, 2)) and not culprits(table)


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
        with pytest.raises(Fault, match="not that seat's own"):
            log.write(MotionBody(motion, ((1, stale[0][1]),)), identity(1))
        log.take(log.write(MotionBody(motion, signatures(log, motion, 2)), identity(1)))
        assert log.now.match.ply == 1
        assert log.now.turn == 1


# What is well formed, rightly signed and senseless: it is refused, and nothing ends of it. Cases that people found;
# tests/fuzz/machines.py looks for more of them.

DROP = DropMotion(99)


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
    later = begun(replace(agreed, seats=len(sitting)), TABLE, *sitting, turn=2).entries[0]
    table.receive(identity(3).key, Entries(TABLE, (later,)), 5000)
    assert table.log.entries == [later] and table.log.now.terms.seats == len(sitting)
    assert [bool(event.replaced) for event in table.events if isinstance(event, Took)] == [True]
    assert table.seats == (table.log.now.keys.index(identity(1).key),)
    assert all(seat < len(sitting) and table.log.now.keys[seat] != identity(1).key for seat in table.gone)


@pytest.mark.parametrize("ahead", [0, 1], ids=["alone", "behind entries that wait"])
@pytest.mark.parametrize(
    ("sitting", "takes", "stands"),
    [
        ((2, 3), True, True),
        ((2, 3, 4), True, True),
        ((2, 4), True, False),
        ((8, 9), True, False),
        ((1, 3), False, False),
    ],
)
def test_nobody_begins_another_table_in_the_place_of_mine(
    ahead: int, sitting: tuple[int, ...], takes: bool, stands: bool
) -> None:
    """A later entry 0 needs no signature of mine: strangers could send one, or one player with friends. All the others
    together can begin without me.
    """
    agreed, table = terms(seats=len(sitting), options=SMALL, lot=False, takebacks=takes), table_of(1, three())
    head, waiting = table.log.head, with_moves(three(), "a1", "b2").entries[3 - ahead :]
    later = begun(agreed, TABLE, *sitting, turn=2).entries[0]
    table.receive(identity(2).key, Entries(TABLE, (*waiting, later)), 0)
    assert table.log.head == (later.hash if stands else head)


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
        with pytest.raises(Fault, match="begins with what all seats agreed on"):
            log.take(entry)
    assert len(log.entries) == 1


def test_a_move_that_comes_after_its_time_loses_by_time() -> None:
    """A bot's answer may come before the clock was looked at; the move could not be written, and the program failed."""
    log = begun(terms(options=SMALL, clock=TimeControl(500, 0)))
    own = mover(log)
    table = Table(log, own, CrashShelf(own.key), 0)
    table.wake(0)
    assert table.deadline == 501
    table.play("a1", 501)
    assert [entry.body.how for entry in log.entries[1:] if isinstance(entry.body, LeftBody)] == ["time"]
    assert table.over is not None


def test_a_game_of_protocol_2_is_read_as_it_was_written() -> None:
    """Every byte of a log whose peers hold one seat each means what it meant."""
    text = (Path(__file__).parent / "protocol-2.log").read_text("ascii")
    log = archive.read(text)
    assert archive.write(log) == text and log.now.over and log.now.speakers() == log.now.seats_in()


def test_any_character_changed_is_refused() -> None:
    text = archive.write(with_moves(three(2), "a1"))
    for place in range(0, len(text), 2):
        for sign in "A=\n":
            if text[place] != sign:
                with pytest.raises(BadArchive):
                    archive.read(text[:place] + sign + text[place + 1 :])


def test_any_cut_is_refused_but_between_entries() -> None:
    text = archive.write(with_moves(three(2), "a1", "b2"))
    ends = [place for place, sign in enumerate(text, 1) if sign == "\n"]
    for cut in range(len(text)):
        if cut in ends[1:]:
            assert len(archive.read(text[:cut]).entries) == ends.index(cut)
        else:
            with pytest.raises(BadArchive):
                archive.read(text[:cut])


def test_the_first_fault_is_named_with_its_author() -> None:
    lines = archive.write(with_moves(three(2), "a1")).splitlines()
    with pytest.raises(BadArchive, match="line 2: entry 0 should be here, not entry 1"):
        archive.read("\n".join([lines[0], lines[2], lines[1]]) + "\n")


def test_an_illegal_move_in_an_archive() -> None:
    log = with_moves(three(2), "a1")
    author = identity(2)
    entry = log.write(MoveBody("b2"), author)
    forged = archive.write(log).rstrip("\n")
    broken = replace(entry, body=MoveBody("a1")).signed(author)
    with pytest.raises(BadArchive, match="line 4: entry 2 is not a legal move: a1 belongs to player 1") as caught:
        archive.read(f"{forged}\n{base64.b64encode(broken.data).decode()}\n")
    assert caught.value.culprit == author.key
    assert caught.value.culprit != NOBODY
