"""Bytes of simulated games, as hashes: what peers send and what their shelves keep does not change with the code.

A hash that differs means that an entry, a message or a promise is written in another way than logs on disks and other
programs have it. Only a change of the protocol may change a hash here.
"""

from hashlib import sha256

from quadrille.net.entries.motions import BackMotion, DropMotion, FlagMotion, StandInMotion, all_of
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.net.entries.wire import Message, sealed
from tests.net.cards.dotter_world import DotterWorld, small
from tests.net.sessions import Session
from tests.net.simulation import Peer, Weather, World
from tests.net.tables import terms
from tests.net.test_lobby import Room

SMALL = {"width": 4, "height": 4}


class Recorded:
    """Everything that is sent in a world."""

    def __init__(self, world: World) -> None:
        self.said: list[bytes] = []
        send = world.send

        def record(peer: Peer, key: bytes, message: Message) -> None:
            self.said.append(sealed(message, peer.identity))
            send(peer, key, message)

        world.send = record  # type: ignore[method-assign]


def digest(world: World, said: list[bytes]) -> str:
    """A hash of all that was said, in its order, and of all that is kept."""
    found = sha256()
    for data in said:
        found.update(len(data).to_bytes(4, "big") + data)
    for peer in world.peers.values():
        for _, index, data in peer.shelf.kept:
            found.update(index.to_bytes(4, "big") + data)
        for (_, label), data in sorted(peer.shelf.secrets.items()):
            found.update(label.encode() + data)
    return found.hexdigest()[:16]


def room(agreed: Terms, others: int = 0) -> tuple[Room, Recorded]:
    made = Room(agreed, others)
    return made, Recorded(made.world)


def dead(made: Room, seat: int) -> Peer:
    """The program of a seat dies, and the others have waited for it as long as the terms say."""
    peer = made.world.peers[made.world.logs()[0].now.keys[seat]]
    made.world.crash(peer, None)
    made.settle(made.world.terms.grace + 5000)
    return peer


def kinds(made: World) -> list[str]:
    """The kinds of all entries in the log."""
    return [entry.kind for entry in made.logs()[0].entries]


def test_what_all_seats_agree_on() -> None:
    made, recorded = room(terms("barons", 3, SMALL, clock=TimeControl(60_000, 0)))
    made.play(0, "a1")
    for motion in (all_of("takeback", 1), all_of("pause"), all_of("draw")):
        for seat in range(3):
            if motion == all_of("draw") and seat == 1:
                made.do(seat, lambda table: table.decline())
            elif motion != all_of("draw") or seat == 0:
                made.do(seat, lambda table, motion=motion: table.agree(motion, made.world.now))
    made.play(0, "a1")
    for seat in range(3):
        made.do(seat, lambda table: table.agree(all_of("draw"), made.world.now))
    assert kinds(made.world) == ["begin", "move", "motion", "motion", "move", "motion"]
    assert digest(made.world, recorded.said) == "1870a3d7d63723f3"


def test_a_resignation_and_a_drop() -> None:
    made, recorded = room(terms("barons", 4, SMALL, grace=2000))
    made.do(2, lambda table: table.resign(made.world.now))
    made.play(0, "a1")
    dead(made, 1)
    for seat in (0, 3):
        made.do(seat, lambda table: table.agree(DropMotion(1), made.world.now))
    assert kinds(made.world) == ["begin", "left", "move", "motion"]
    assert digest(made.world, recorded.said) == "e973489869294252"


def test_a_flag_that_all_the_others_saw_fall() -> None:
    made, recorded = room(terms("barons", 3, SMALL, clock=TimeControl(1000, 0), grace=2000))
    dead(made, 0)
    for seat in (1, 2):
        made.do(seat, lambda table: table.agree(FlagMotion(0), made.world.now))
    assert kinds(made.world) == ["begin", "motion", "left"]
    assert digest(made.world, recorded.said) == "a8cfed6045396f0f"


def test_a_stand_in_and_the_owner_who_comes_back() -> None:
    made, recorded = room(terms("barons", 3, SMALL, grace=2000), others=1)
    owner = dead(made, 0)
    [newcomer] = made.others
    for seat in (1, 2):
        made.do(seat, lambda table: table.agree(StandInMotion(0, newcomer.identity.key, "p3"), made.world.now))
    made.settle()
    owner.dead = False
    made.world.start(owner)
    made.settle()
    assert owner.lobby
    for table in owner.lobby.tables.values():
        table.agree(BackMotion(0), made.world.now)
    made.world.after(owner)
    made.settle()
    assert kinds(made.world) == ["begin", "motion", "motion"]
    assert digest(made.world, recorded.said) == "ea9484d7057cb3ee"


def test_a_session_in_bad_weather() -> None:
    made = Session("bytes", terms("barons", 3, {"width": 4, "height": 3}, grace=1000), every=10**9)
    assert digest(made, made.said) == "55bbb9ae2a6338ef"


def test_a_game_with_cards_in_bad_weather() -> None:
    weather = Weather(loss=30, delay=100, cuts=3, crashes=3)
    world = DotterWorld("bytes", small(2), weather)
    recorded = Recorded(world)
    world.run(world.settled)
    assert digest(world, recorded.said) == "972e5427f6e8b1c6"
