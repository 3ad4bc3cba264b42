"""Peers that hold several seats: what one signature of theirs says, and what is decided about them takes; and peers
that hold all: games at one keyboard, without a network, at the same Table as any other.
"""

import json
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries import motions
from quadrille.net.entries.bodies import ExcludedBody, LeftBody, MotionBody
from quadrille.net.entries.entry import Entry, resignation, statement
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.terms import DEAL, Chair, Terms, TimeControl, chairs_objection
from quadrille.net.entries.wire import Entries, Motion, Resign
from quadrille.net.game_log import archive, books
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.game_log.news import Blamed, Presence
from quadrille.net.game_log.precedence import is_final
from quadrille.net.game_log.two_logs import Difference, Ground, difference
from quadrille.net.seating.own_table import own_table as begun_alone
from quadrille.net.tables.table import HEARTBEAT, Table
from quadrille.rules import record
from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from tests.net.by_hand import CrashShelf, agreed, both, culprits, cut, moved, table_of
from tests.net.cards.by_hand import leave
from tests.net.cards.dotter_world import DotterWorld, small
from tests.net.tables import TABLE, begun, identity, mover, terms
from tests.net.test_lobby import Room, own_table

pytestmark = pytest.mark.usefixtures("numbers")

SMALL = {"width": 4, "height": 4}
#: Who holds the seats of most logs here: the first peer three of them, which are not side by side.
HOLDERS = (1, 2, 1, 3, 1)


def five(**more: Any) -> Log:
    return begun(terms("barons", 5, SMALL, lot=False, **more), TABLE, *HOLDERS)


def move(log: Log) -> Entry:
    return moved(log, str(next(iter(log.now.match.state.moves))))


# Motions


@pytest.mark.parametrize("wrong", [((1, 2), (3, 3), (4, 1)), ((1, 2),), ((1, 2), (2, 1), (3, 3))])
def test_a_motion_is_signed_as_the_lowest_seat_of_each_peer(wrong: tuple[tuple[int, int], ...]) -> None:
    """Not as another one of it, not by all its seats, and not by fewer peers."""
    log = five()
    said = statement(TABLE, log.head, motions.DrawMotion())
    row = tuple((seat, identity(number).sign(said)) for seat, number in wrong)
    with pytest.raises(Fault, match="not signed by just the seats that it needs"):
        log.write(MotionBody(motions.DrawMotion(), row), mover(log))


def test_a_peer_that_signs_as_another_of_its_seats_is_blamed_and_heard_no_further() -> None:
    log = five()
    table = table_of(2, log)
    signature = identity(1).sign(statement(TABLE, log.head, motions.DrawMotion()))
    for seat, blamed in ((2, 1), (4, 2), (0, 2)):
        table.receive(identity(1).key, Motion(TABLE, log.head, motions.DrawMotion(), seat, signature), 0)
        assert len(culprits(table)) == blamed
    assert table.accord.signed == {0: signature}


@pytest.mark.parametrize("seat", [0, 1, 20])
def test_nobody_takes_back_a_seat_that_is_not_lent(seat: int) -> None:
    """It may be an echo of what has been done since: nobody is blamed, and nothing changes."""
    table = table_of(1, five())
    table.receive(identity(2).key, Motion(TABLE, table.log.head, motions.BackMotion(seat), seat, bytes(64)), 0)
    assert not table.events and not table.outgoing and len(table.log.entries) == 1


# Decisions about a peer


def test_two_peers_decide_nothing_about_each_other_however_many_seats_they_hold() -> None:
    log = begun(terms("barons", 4, SMALL, lot=False), TABLE, 1, 2, 1, 1)
    with pytest.raises(RulesError, match="two players can't tell who is gone"):
        table_of(2, log).agree(motions.DropMotion(0), 10**6)


@pytest.mark.parametrize(
    ("motion", "staying"),
    [
        (motions.DropMotion(2), (1, 3)),
        (motions.FlagMotion(2), (0, 1, 3, 4)),
        (motions.StandInMotion(2, identity(2).key, "Zoe"), (0, 1, 2, 3, 4)),
    ],
    ids=["drop", "flag", "stand-in"],
)
def test_who_is_gone_is_gone_from_all_its_seats_and_a_clock_is_one_seat_s(
    motion: motions.SeatDecision, staying: tuple[int, ...]
) -> None:
    log = five(clock=TimeControl(60_000, 0))
    move(log), move(log)
    entry = agreed(log, motion)
    assert [seat for seat, _ in entry.body.signatures] == [1, 3]
    log.take(entry)
    assert log.now.seats_in() == staying
    if isinstance(motion, motions.StandInMotion):
        assert log.now.seats_of(motion.key) == (0, 1, 2, 4) and {*log.now.lent} == {0, 2, 4}
        log.take(agreed(log, motions.BackMotion(4)))
        assert log.now.seats_of(identity(1).key) == (0, 2, 4) and not log.now.lent


def test_only_who_was_gone_comes_back_and_not_who_stands_in_for_a_seat() -> None:
    log = five()
    table = table_of(3, log)
    for number in (1, 2, 2):
        table.came(identity(number).key, 0)
    assert not table.events
    table.went(identity(1).key, 0), table.went(identity(1).key, 0)
    table.came(identity(1).key, 0)
    assert table.events == [Presence(seat, here) for here in (False, True) for seat in (0, 2, 4)]
    table.went(identity(1).key, 0)
    table.events.clear()
    table.receive(identity(2).key, Entries(TABLE, (agreed(log, motions.StandInMotion(0, BOB, "Zoe")),)), 0)
    assert not table.gone and not [event for event in table.events if isinstance(event, Presence)]


def test_a_seat_that_left_before_stays_with_its_owner_when_another_plays_on() -> None:
    log = five()
    leave(log, 0)
    while log.now.turn != 2:
        move(log)
    log.take(agreed(log, motions.StandInMotion(2, identity(2).key, "Zoe")))
    assert log.now.keys[0] == identity(1).key and log.now.seats_of(identity(2).key) == (1, 2, 4)


@pytest.mark.parametrize(
    ("turn", "lies", "staying"), [(0, False, (2, 3)), (1, False, (0, 2, 3)), (0, True, (0, 2, 3)), (1, True, (0, 2, 3))]
)
def test_nobody_loses_a_lent_seat_by_the_lies_of_who_stands_in_nor_by_a_drop_that_names_another(
    turn: int, lies: bool, staying: tuple[int, ...]
) -> None:
    log = begun(terms("barons", 4, SMALL, lot=False))
    log.take(agreed(log, motions.StandInMotion(0, identity(2).key, "Zoe")))
    for _ in range(turn):
        move(log)
    pair = both(log, identity(2), "b2", "c3")
    out = (
        log.write(ExcludedBody(turn, tuple(one.data for one in pair)), None)
        if lies
        else agreed(log, motions.DropMotion(turn))
    )
    log.take(out)
    assert log.now.seats_in() == staying
    assert 0 not in staying or (log.now.keys[0] == identity(1).key and not log.now.lent)


def test_a_proof_of_an_exclusion_names_the_seat_to_move_if_that_is_the_culprit_s() -> None:
    log = five()
    one, other = both(log, identity(1), "a1", "b2")
    log.take(one)
    move(log)  # it is the turn of the culprit's second seat
    with pytest.raises(Fault, match="on the seat's own turn"):
        log.write(ExcludedBody(0, (other.data,)), None)
    for number in (2, 3):
        table = table_of(number, cut(log))
        table.receive(identity(1).key, Entries(TABLE, (other,)), 0)
        last = table.log.entries[-1]
        assert (last.body.seat, last.author) == (2, bytes(32)) and table.log.now.seats_in() == (1, 3)


@pytest.mark.parametrize("kind", [motions.DropMotion, motions.StandInMotion, motions.FlagMotion])
def test_all_sign_what_is_said_of_a_seat_that_is_not_there_and_nobody_can(kind: type[motions.SeatDecision]) -> None:
    motion = kind(25, identity(8).key)
    assert motion.signers(five().now) == (0, 1, 3)
    with pytest.raises(RulesError, match="player 26 is not in the game"):
        table_of(2, five()).agree(motion, 0)


# Seats that leave


def test_nobody_resigns_for_a_seat_of_another() -> None:
    log = five()
    table = table_of(2, log)
    for seat, number in ((2, 3), (3, 1), (4, 2)):
        said = resignation(TABLE, seat, b"")
        table.receive(identity(number).key, Resign(TABLE, seat, identity(number).sign(said), b""), 0)
    assert len(culprits(table)) == 3 and not table.accord.by_owners
    with pytest.raises(Fault, match="player 2 did not sign its resignation"):
        log.write(LeftBody(1, "resigned", identity(1).sign(resignation(TABLE, 1, b""))), identity(1))


def test_a_stand_in_resigns_no_seat_that_it_was_lent() -> None:
    """Its owner may come back: on that seat's turn too a resignation needs the owner's signature."""
    log = five()
    log.take(agreed(log, motions.StandInMotion(0, identity(2).key, "Zoe")))
    table = table_of(2, log)
    for seat in (0, 2):
        table.resign(0, seat)
    assert table.is_my_turn and table.log.head == log.head and not table.outgoing
    with pytest.raises(Fault, match="player 1 did not sign its resignation"):
        log.write(LeftBody(0, "resigned"), identity(2))
    said = Resign(TABLE, 0, identity(1).sign(resignation(TABLE, 0, b"")), b"")
    table.receive(identity(1).key, said, 0)
    assert table.log.now.seats_in() == (1, 2, 3, 4) and not culprits(table)


def test_a_resignation_ends_with_the_seat_of_who_signed_it() -> None:
    """Another peer has the seat by now: an entry with the resignation would be false, and its author stopped."""
    log = five()
    table, said = table_of(3, cut(log)), resignation(TABLE, 1, b"")
    table.receive(identity(2).key, Resign(TABLE, 1, identity(2).sign(said), b""), 0)
    log.take(agreed(log, motions.HandMotion(1, identity(8).key, "Zoe")))
    for _ in range(3):
        move(log)
    table.receive(identity(1).key, Entries(TABLE, tuple(log.entries)), 0)
    table.wake(HEARTBEAT)
    assert table.is_my_turn and table.log.head == log.head and not culprits(table)
    assert not [message for _, message in table.outgoing if isinstance(message, Resign)]


@pytest.mark.parametrize("out", [(1,), (2, 0), (0, 1, 2)])
def test_seats_of_one_peer_resign_one_after_another_on_the_turn_of_another(out: tuple[int, ...]) -> None:
    room = Room(terms("barons", 5, SMALL, lot=False), held=(3, 1, 1))
    for seat, text in enumerate(("a1", "b1", "c1")):
        room.play(seat, text)
    for seat in out:
        room.does(0, lambda table, seat=seat: table.resign(room.now, seat))
    assert {*room.logs()[0].now.seats_in()} == {*range(5)} - {*out}
    assert {entry.author for entry in room.logs()[0].entries[4:]} == {room.logs()[0].now.keys[3]}
    assert not room.events(Blamed)


# Cards


def test_a_peer_keeps_its_secret_until_its_last_seat_leaves_and_then_it_opens_its_cards() -> None:
    """The deck knows a peer by its lowest seat, and the last one that leaves may be another."""
    world = DotterWorld("leave", small(4, lap_points=300), held=(2, 1, 1))
    world.run(lambda: any(len(log.entries) >= 24 and log.now.due is None for log in world.logs()))
    leaves = [(peer, seat) for peer in world.seated[:2] for seat in own_table(peer).seats]  # and so the game is over
    for peer, seat in leaves:
        world.do(peer, lambda lobby, now, peer=peer, seat=seat: own_table(peer).resign(now, seat))
        world.run(lambda seat=seat: all(seat not in log.now.seats_in() for log in world.logs()))
    world.run(world.settled)
    log = world.logs()[0]
    gone = [entry.body for entry in log.entries if isinstance(entry.body, LeftBody)]
    assert [bool(body.secret) for body in gone] == [False, True, True]
    assert {*books.told(log)} <= {*books.pages(log)} and not world.blamed
    for page, secret in books.told(log).items():
        books.check(log, *page, secret)


# Precedence


def test_an_entry_is_final_once_each_other_peer_has_gone_on_by_any_of_its_seats() -> None:
    log = begun(terms("barons", 5, SMALL, lot=False), TABLE, 1, 2, 2, 1, 3)
    entries = [move(log) for _ in range(5)]
    before = log.standings[0]
    finals = [is_final(entries[:length], before, 0) for length in range(1, 6)]
    assert finals == [False, False, False, False, True], "its own second seat is nobody else's word"


@pytest.mark.parametrize(("decided", "final"), [(motions.FlagMotion(2), False), (motions.DropMotion(2), True)])
def test_a_peer_that_has_left_with_all_its_seats_need_not_go_on(decided: motions.SeatDecision, final: bool) -> None:
    log = begun(terms("barons", 5, SMALL, lot=False, clock=TimeControl(60_000, 0)), TABLE, 1, 2, 3, 3, 1)
    before, first = log.standings[0], move(log)
    move(log)
    log.take(agreed(log, decided))
    assert is_final([first, *log.entries[2:]], before, 0) is final


def test_what_two_logs_prove_of_a_peer_with_several_seats() -> None:
    log = five()
    decided, played = cut(log), cut(log)
    decided.take(agreed(decided, motions.DropMotion(0)))
    for _ in range(3):
        move(played)
    assert difference(played, decided) == Difference(1, Ground.WENT_ON, (identity(2).key,))


# Seats that are handed over


def test_a_hand_needs_the_key_that_gets_the_seat_at_this_head() -> None:
    log = five()
    right, other = (agreed(log, motions.HandMotion(seat, identity(8).key, "Zoe")) for seat in (4, 3))
    *seats, _ = right.body.signatures
    for last, why in (((), "not signed by just the seats"), (other.body.signatures[-1:], "not that seat's own")):
        with pytest.raises(Fault, match=why):
            log.write(MotionBody(right.body.motion, (*seats, *last)), mover(log))
    move(log)
    with pytest.raises(Fault, match="not signed by just the seats"):
        log.write(right.body, mover(log))


@pytest.mark.parametrize(
    ("number", "name", "why"), [(1, "name 2", "two seats of one peer have one name"), (1, "", "by key and by name")]
)
def test_a_seat_is_handed_to_a_name_of_its_own(number: int, name: str, why: str) -> None:
    assert (motions.HandMotion(3, identity(number).key, name).objection(five().now, bytes(32)) or "").endswith(why)


@pytest.mark.parametrize(
    ("number", "name", "beside"),
    [(8, "Zoe", ("person",)), (1, "name 3", ("person", "name 0")), (1, "Zoe", ("guest", "name 0"))],
)
def test_a_new_name_at_a_peer_that_plays_is_that_of_its_guest(number: int, name: str, beside: tuple[str, ...]) -> None:
    log = five()
    log.take(agreed(log, motions.HandMotion(3, identity(number).key, name)))
    assert log.now.chairs[3] == Chair(identity(number).key, name, *beside)


def test_who_holds_as_many_seats_as_the_table_allows_is_handed_no_other() -> None:
    log = five(held=3)
    assert motions.HandMotion(3, identity(1).key, "Zoe").objection(log.now, bytes(32)) == (
        "one peer may hold 3 seats here, and no more"
    )
    assert motions.HandMotion(3, identity(2).key, "Zoe").objection(log.now, bytes(32)) is None


ANN, BOB = identity(1).key, identity(2).key
STRANGE = "the seat of a guest names another peer"


@pytest.mark.parametrize(
    ("chairs", "why"),
    [
        ((Chair(ANN, "Ann", "person"), Chair(ANN, "Dora", "guest", "Ann")), ""),
        ((Chair(ANN, "Dora", "guest", "Ann"), Chair(ANN, "Emil", "guest", "Ann")), ""),
        ((Chair(ANN, "Ann", "person"), Chair(ANN, "Dora", "person")), ""),
        ((Chair(ANN, "Ann", "person"), Chair(BOB, "Ann", "person")), ""),
        ((Chair(ANN, "Ann", "person"), Chair(ANN, "Ann", "guest", "Ann")), "two seats of one peer have one name"),
        ((Chair(ANN, "Ann", "person"), Chair(ANN, "Dora", "guest", "Bob")), STRANGE),
        ((Chair(ANN, "Emil", "guest", "Ann"), Chair(ANN, "Dora", "guest", "Bob")), STRANGE),
    ],
)
def test_the_chairs_of_one_peer_have_different_names_and_one_home(chairs: tuple[Chair, ...], why: str) -> None:
    """A guest would else look as if somebody else had brought it."""
    found = chairs_objection(terms("barons", 2), chairs)
    assert found.startswith(why) and bool(found) == bool(why)


# All seats

ME = identity(1)
LAP = {"laps": 1, "lap_points": 21}
#: A table of each game.
GAMES = [
    terms("maze", 2), terms("barons", 4), terms("dollar-draw", 2), terms("coin-isolation", 3), terms("dotter", 4, LAP),
]  # fmt: skip
HIDDEN = GAMES[-1]


def opened(agreed: Terms, shelf: Any = None) -> Table:
    """A table that has begun, always the same one."""
    drawn = count(1)
    chairs = tuple(Chair(ME.key, f"player {seat}", "person") for seat in range(agreed.seats))
    return begun_alone(ME, shelf or CrashShelf(ME.key), agreed, chairs, 0, lambda size: bytes([next(drawn)]) * size)


def played(table: Table, moves: int = 10_000) -> Table:
    """So many random moves later, or at its end."""
    dice = Stream("own", "moves")
    for now in range(moves):
        if table.over is None:
            assert table.is_my_turn and table.seat == table.log.now.turn
            table.play(str(table.view.moves.sample(dice)), now)
    return table


@pytest.mark.parametrize("agreed", GAMES, ids=lambda agreed: agreed.game)
def test_a_whole_game_comes_back_from_its_archive(agreed: Terms) -> None:
    table = played(opened(agreed))
    assert table.over and table.log.now.deck is None
    text = record.write(table.log.now.match)
    back = archive.read(archive.write(table.log))
    assert back.head == table.log.head and record.write(back.now.match) == text


@pytest.mark.parametrize("agreed", [GAMES[3], HIDDEN], ids=["open", "hidden"])
def test_cards_that_can_not_lie_so_are_refused_whoever_brings_them(agreed: Terms) -> None:
    """The terms of one peer name its cards. Those of a stranger ended the program of who looked on, or read a file."""
    piles = {"layout": ["1"], "round 1": ["AS"]}
    strange = replace(agreed, more=((DEAL, json.dumps(["seed", piles])),))
    with pytest.raises(PeerError, match="was given outright"):
        played(opened(strange), 3)
    with pytest.raises(PeerError):
        begun(replace(strange, takebacks=False))


def test_a_game_by_hand() -> None:
    shelf = CrashShelf(ME.key)
    table = opened(terms("barons", 2, {"width": 2, "height": 2}, clock=TimeControl(60_000, 0), lot=False), shelf)
    for now, text in enumerate(("a1", "a2", "b1", "b2")):
        with pytest.raises(RulesError):
            table.play("c9", now)
        table.play(text, 1000 * (now + 1))
    assert table.over and table.log.now.remaining == (58_000, 58_000)
    assert shelf.entries(table.log.table) == [entry.data for entry in table.log.entries]


def test_a_clock_that_runs_out_takes_its_seat_and_the_others_play_on() -> None:
    table = opened(terms("barons", 3, {"width": 3, "height": 3}, clock=TimeControl(1000, 0)))
    table.wake(1001)
    assert table.log.now.seats_in() == (1, 2) and table.seat == 1


def test_a_look_is_seen_by_the_seat_that_looked_alone() -> None:
    table = opened(HIDDEN)
    while not (looks := [str(move) for move in table.view.moves if str(move).startswith("peek")]):
        played(table, 1)
    looker, everybody = table.seat, (None, *table.seats)
    before = {seat: table.hand.view(seat).board.faces for seat in everybody}
    table.play(looks[0], 0)
    assert [seat for seat in everybody if table.hand.view(seat).board.faces != before[seat]] == [looker]


def test_a_look_is_taken_back_where_nobody_else_plays_and_not_where_cards_are_dealt() -> None:
    table = played(opened(HIDDEN), 3)
    assert table.agree(motions.all_of("takeback", 2), 0) and table.log.now.match.ply == 1
    log = replayed(table.log.table, table.log.entries)
    log.take(agreed(log, motions.HandMotion(3, identity(2).key, "Bob")))
    assert log.now.deck is not None
    assert motions.all_of("takeback", 1).objection(log.now, bytes(32)) == "this table takes no move back"
    with pytest.raises(PeerError, match="a look can't be taken back"):
        begun(HIDDEN)
