"""Dotter at a table of peers: seats that crash, go, vanish, give the deck garbage or nothing, are played on for.

And who shares last. In all weathers: many_games.py.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from quadrille.net.entries.bodies import MotionBody, ShareBody
from quadrille.net.entries.entry import resignation, statement
from quadrille.net.entries.faults import Fault
from quadrille.net.entries.motions import BackMotion, DropMotion, StandInMotion
from quadrille.net.entries.wire import Entries, Message, Motion, Resign
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Blamed
from quadrille.net.game_log.own_cards import OwnCards
from quadrille.net.tables.table import Table
from quadrille.rules import record
from quadrille.rules.chance import Stream
from quadrille.rules.core import HIDDEN
from tests.net.by_hand import culprits, cut
from tests.net.cards.by_hand import answer, dotter, drop, hand_of, lend, owner, play, seated, serve, shelf_of
from tests.net.cards.dotter_world import GRACE, DotterWorld, small
from tests.net.simulation import Peer
from tests.net.tables import TABLE

pytestmark = pytest.mark.usefixtures("numbers")


def settled(world: DotterWorld) -> Log:
    world.run(world.settled)
    assert world.blamed == []
    return world.logs()[0]


def test_a_game_of_several_rounds() -> None:
    """Each round has its own shuffle; with 53 cards two are never drawn, and are shuffled on face down."""
    log = settled(DotterWorld("rounds", small(2, lap_points=300, max_rounds=2, jokers=1)))
    assert [entry.kind for entry in log.entries].count("shuffle") == 4
    assert log.now.match.state.sealed().pile.name == "round 2"


def resign_one(world: DotterWorld, peer: Peer) -> None:
    """One of its seats; most often it is not the one to move."""

    def resign(table: Table, now: int) -> None:
        inside = [seat for seat in table.seats if seat in table.log.now.seats_in()]
        table.resign(now, inside[world.now % len(inside)] if inside else None)

    world.do(peer, lambda lobby, now: [resign(table, now) for table in lobby.tables.values()])


#: A crash: the seat says the same again byte for byte, or the world finds two entries signed in one place. Where a seat
#: vanishes the others deal the cards anew and go on; all they had looked at, they look at again.
HARM: dict[str, Callable[[DotterWorld, Peer], None]] = {
    "crashes and comes back": lambda world, peer: world.crash(peer, 1000),
    "leaves": resign_one,
    "vanishes": lambda world, peer: world.crash(peer, None),
}


@pytest.mark.first(3)
@pytest.mark.parametrize(("held", "step", "harm"), [
    ((1, 1), 47, "crashes and comes back"), ((1, 1, 1), 83, "leaves"), ((1, 1, 1), 59, "vanishes"),
    ((2, 1), 67, "crashes and comes back"), ((2, 1, 2), 53, "leaves"), ((2, 1, 1), 71, "vanishes"),
    ((1, 1), 1, "crashes and comes back"), ((1, 1, 1), 10, "crashes and comes back"), ((1, 1, 1), 10, "leaves"),
    ((1, 1, 1), 4, "vanishes"), ((2, 1), 5, "crashes and comes back"), ((2, 1, 2), 11, "leaves"),
    ((2, 1, 1), 9, "vanishes"),
])  # fmt: skip
def test_at_every_entry_a_peer(harm: str, held: tuple[int, ...], step: int) -> None:
    """The same game again and again, and each time it happens at another length of the log, to another peer."""
    calm = settled(DotterWorld(harm, small(sum(held)), held=held))
    for length in range(1, len(calm.entries), step):
        world = DotterWorld(harm, small(sum(held)), held=held)
        world.run(lambda: any(len(log.entries) >= length or log.now.over for log in world.logs()))  # noqa: B023
        HARM[harm](world, world.seated[length % len(held)])
        try:
            settled(world)
        except AssertionError as error:
            raise AssertionError(f"at entry {length}: {error}") from error


def played_until(world: DotterWorld, text: str) -> None:
    """Until somebody has made such a move, and all that it owes is done."""

    def done() -> bool:
        logs = world.logs()
        plies = [str(entry.move) for entry in logs[0].now.match.entries if hasattr(entry, "move")] if logs else []
        return bool(plies) and plies[-1].startswith(text) and logs[0].now.owed == "move"

    world.run(done)


def test_another_plays_on_until_the_owner_is_back() -> None:
    """A stand-in gets new cards in place of those its seat had seen, and so does the owner who comes back."""
    world = DotterWorld("another", small(3, lap_points=1000, max_rounds=1))
    played_until(world, "peek")
    log = world.logs()[0]
    seat = log.now.turn
    gone, deputy = (world.peers[log.now.keys[one]] for one in (seat, seat - 1))
    motion = StandInMotion(seat, deputy.key, "deputy")
    world.crash(gone, None)

    def act(peer: Peer) -> None:
        for table in peer.lobby.tables.values():
            now, keys = world.clock(peer), table.log.now.keys
            if peer is gone and keys[seat] == deputy.key and not table.over:
                table.agree(BackMotion(seat), now)
            elif table.seat is not None and table.log.now.turn == seat and seat in table.overdue(now):
                table.agree(motion, now)
            elif table.is_my_turn:
                table.play(str(table.view.moves.sample(world.dice)), now)

    world.act = act  # type: ignore[method-assign]
    world.run(lambda: any(log.now.keys[seat] == deputy.key for log in world.logs()))
    gone.dead = False
    world.start(gone)
    log = settled(world)
    assert log.now.keys[seat] == gone.key
    assert log.now.deck.epoch == 2


def test_a_stand_in_does_not_sign_a_resignation_of_the_seat_it_was_lent() -> None:
    """New cards have new keys, so each peer signs its own resignations again. That of a lent seat is its owner's."""
    log = serve(dotter(3))
    seat = log.now.turn
    deputy = (seat + 1) % 3
    secret = hand_of(log, owner(seat)).secret(seat)
    said = Resign(TABLE, seat, owner(seat).sign(resignation(TABLE, seat, secret)), secret)
    lend(log, seat, owner(deputy))
    table = seated(cut(log), deputy)
    table.receive(owner(seat).key, said, 0)
    serve(log)
    table.receive(owner(deputy).key, Entries(TABLE, tuple(log.entries)), 0)
    assert table.accord.by_owners == {(Resign.NUMBER, seat): said} and not culprits(table)


@pytest.mark.slow
def test_who_looks_on_sees_what_all_may_know() -> None:
    """From the beginning, checked; and after the end what is in the log is the same for all."""
    world = DotterWorld("watch", small(2, lap_points=121), others=1)
    played_until(world, "peek")
    [watcher] = world.others
    log = world.logs()[0]
    world.do(watcher, lambda lobby, _: lobby.watch(log.table, log.now.keys[0]))
    world.run(lambda: world.begun(watcher))
    table: Table = next(iter(watcher.lobby.tables.values()))
    settled(world)
    assert table.seat is None
    faces = [face for entry in table.log.now.match.entries for face in getattr(entry, "faces", ())]
    assert HIDDEN in faces
    log = world.logs()[0]
    assert table.log.head == log.head and table.log.now.deck == log.now.deck
    assert record.write(table.log.now.match) == record.write(log.now.match)


KINDS = ("key", "shuffle", "look", "share")
Lie = Callable[["LyingWorld", Entries], list[Message]]


class LyingWorld(DotterWorld):
    """The second seat does not give what it owes, from its first entry of that kind on."""

    def __init__(self, kind: str, lie: Lie) -> None:
        super().__init__(f"liar {kind}", small(3))
        self.liar = self.seated[1]
        self.kind = kind
        self.liars[self.liar.key] = lambda world, peer, key, message: (
            lie(self, message) if self.owes(message) else [message]
        )

    def owes(self, message: Message) -> bool:
        """Whether there is such an entry of the liar in it."""
        entries = message.entries if isinstance(message, Entries) else ()
        return any(entry.kind == self.kind and entry.author == self.liar.key for entry in entries)


def nothing(world: LyingWorld, message: Entries) -> list[Message]:
    return []


def garbage(world: LyingWorld, message: Entries) -> list[Message]:
    """Each such entry with other bytes in it every time, rightly signed."""
    own, said = world.liar.identity, []
    for entry in message.entries:
        if entry.author == own.key and entry.kind == world.kind:
            dice = Stream("garbage", str(world.steps))
            body = tuple(bytes(dice.randrange(256) for _ in field) for field in entry.body.plain())
            entry = replace(entry, body=type(entry.body)(*body)).signed(own)
        said.append(entry)
    return [Entries(message.table, tuple(said))]


@pytest.mark.first(2)
@pytest.mark.parametrize("lie", [garbage, nothing])
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_dropped_and_the_others_play_on(kind: str, lie: Lie) -> None:
    world = LyingWorld(kind, lie)
    liar = world.liar.key
    world.run(world.settled)
    log = world.logs()[0]
    seat = log.now.keys.index(liar)
    [dropped] = [entry for entry in log.entries if entry.kind == "motion"]
    assert isinstance(dropped.body, MotionBody) and dropped.body.motion == DropMotion(seat)
    assert log.now.over and log.now.deck.live == tuple(other for other in range(3) if other != seat)
    assert not any(entry.kind == kind and entry.author == liar for entry in log.entries)
    assert any(entry.kind == "move" for entry in log.entries[dropped.index :])
    assert all(liar in peer.lobby.here for peer in world.honest()), "it was here all the time"
    assert {found.culprit for found in world.blamed} == ({liar} if lie is garbage else set())
    assert all(isinstance(found, Blamed) for found in world.blamed)


def test_nobody_is_dropped_within_the_grace() -> None:
    world = LyingWorld("shuffle", nothing)
    world.run(
        lambda: any(log.now.owed == "shuffle" and log.now.keys[log.now.turn] == world.liar.key for log in world.logs())
    )
    began = world.now
    world.run(lambda: any(entry.kind == "motion" for log in world.logs() for entry in log.entries))
    assert world.now - began >= GRACE


DRAWS = ("draw", "draw", "draw")
SCORE = "score p2 1a 1b 1c"


def game(*moves: str) -> Log:
    """Dotter for three, where the first seat scores after these moves."""
    return play(serve(dotter(3)), *moves)


def order(log: Log) -> list[int]:
    """The seats in the order in which they share."""
    seats = []
    while log.now.owed == "share":
        seats.append(log.now.turn)
        log.take(log.write(ShareBody.read(answer(log)), owner(log.now.turn)))
    return seats


@pytest.mark.parametrize(("moves", "shares"), [
    ((*DRAWS, SCORE), [1, 2, 0]),
    ((*DRAWS, "draw", SCORE), [0, 2, 1]),
])  # fmt: skip
def test_the_scorer_shares_last(moves: tuple[str, ...], shares: list[int]) -> None:
    log = game(*moves)
    up = len(log.now.deck.up)
    assert order(log) == shares
    assert len(log.now.deck.up) == up + 3


def test_the_scorer_still_shares_last_after_another_seat_vanished() -> None:
    """The cards are dealt anew, and the move that turns them up is still the first seat's."""
    assert order(serve(drop(game(*DRAWS, SCORE), 1), "share")) == [2, 0]


def test_an_owner_is_not_back_while_cards_are_turned_up() -> None:
    """A new deal in place of the last share would show another score, and cost nobody a seat."""
    log = play(serve(lend(serve(game("draw")), 1, owner(2))), "draw", "draw", SCORE)
    bound = BackMotion(1).bound(log.now, log.head)
    signature = owner(1).sign(statement(log.table, bound, BackMotion(1)))
    serve(log, "share", 1)
    with pytest.raises(Fault, match="owner has to wait for a move"):
        log.write(MotionBody(BackMotion(1), ((1, signature),)), owner(2))
    table = Table(log, owner(2), shelf_of(log, owner(2)), 0)
    table.receive(owner(1).key, Motion(log.table, bound, BackMotion(1), 1, signature), 0)
    table.wake(0)
    assert [entry.kind for entry in log.entries[-2:]] == ["move", "share"], "it gives its share first"


def test_who_stands_in_is_told_which_cards_lay_where_it_looks_again() -> None:
    """It holds a lower seat than before, and so another name in the deck: it was told of none."""
    log = serve(game(*DRAWS, "peek p1 1a 1b", "peek p1 1b 1c", "draw"))
    hand = OwnCards(log, owner(1), shelf_of(log, owner(1)))
    saw = [faces for entry in log.entries[1:] if (faces := hand.saw(entry))]
    length = len(log.entries)
    serve(lend(log, 0, owner(1)))
    again = [entry for entry in log.entries[length:] if hand.saw(entry)]
    assert [hand.saw_before(entry) for entry in again] == [(None, None), *saw], "of the lent seat's it saw none"
