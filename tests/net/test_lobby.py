"""What people do around a table, in calm weather: invite, kick, watch, chat, motions, resign, rematch."""

from collections.abc import Callable

import pytest

from quadrille.net.gathering import Refused
from quadrille.net.lobby import At, Invited
from quadrille.net.table import Line, Proposed, Table, all_of
from quadrille.net.terms import Clock, Terms
from tests.net.simulation import Peer, World, gather
from tests.net.tables import terms

SMALL = {"width": 4, "height": 4}


class Room:
    """A world in which nobody moves by itself."""

    def __init__(self, agreed: Terms, others: int = 0) -> None:
        self.world = World("lobby", agreed, others=others)
        self.heard: list[tuple[str, object]] = []
        self.world.act = lambda peer: None  # type: ignore[method-assign]
        self.world.notice = self.notice  # type: ignore[method-assign]
        gather(self.world)
        self.world.run(lambda: all(self.world.begun(peer) for peer in self.seated))

    @property
    def seated(self) -> list[Peer]:
        return list(self.world.peers.values())[: self.world.terms.seats]

    @property
    def others(self) -> list[Peer]:
        return list(self.world.peers.values())[self.world.terms.seats :]

    def notice(self, peer: Peer, event: object) -> None:
        self.heard.append((peer.name, event))

    def table(self, seat: int) -> Table:
        """The table of whoever has that seat."""
        tables = [peer.lobby.tables for peer in self.seated if peer.lobby]
        return next(table for own in tables for table in own.values() if table.seat == seat)

    def do(self, seat: int, action: Callable[[Table], object]) -> None:
        """A seat does something, and all hear of it."""
        table = self.table(seat)
        action(table)
        peer = next(peer for peer in self.seated if peer.lobby and table in peer.lobby.tables.values())
        self.world.after(peer)
        self.settle()

    def settle(self, time: int = 3000) -> None:
        end = self.world.now + time
        self.world.run(lambda: self.world.now > end)
        assert len({log.head for log in self.world.logs()}) == 1

    def play(self, seat: int, text: str) -> None:
        self.do(seat, lambda table: table.play(text, self.world.now))

    def events(self, kind: type) -> list[object]:
        return [event.event for _, event in self.heard if isinstance(event, At) and isinstance(event.event, kind)]


def test_a_takeback_that_all_agree_on() -> None:
    room = Room(terms("barons", 2, SMALL))
    room.play(0, "a1")
    room.play(1, "b2")
    motion = all_of("takeback", 1)
    room.do(1, lambda table: table.agree(motion, room.world.now))
    assert room.table(0).log.now.match.ply == 2
    assert {event.signed for event in room.events(Proposed)} == {(1,)}
    room.do(0, lambda table: table.agree(motion, room.world.now))
    assert room.table(1).log.now.match.ply == 1
    assert room.table(1).is_my_turn


def test_a_motion_that_one_declines() -> None:
    room = Room(terms("barons", 3, SMALL))
    motion = all_of("draw")
    room.do(0, lambda table: table.agree(motion, room.world.now))
    room.do(1, lambda table: table.decline())
    room.play(0, "a1")
    assert room.table(2).over is None


@pytest.mark.parametrize("resigns", [0, 1])
def test_a_seat_resigns_on_its_turn_and_on_another_s(resigns: int) -> None:
    room = Room(terms("barons", 2, SMALL))
    room.do(resigns, lambda table: table.resign(room.world.now))
    over = room.world.logs()[0].now.over
    assert over is not None
    assert over.places[resigns] == 2


def test_chat_and_its_history_for_who_comes_late() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    room.do(0, lambda table: table.say("good luck"))
    [late] = room.others
    assert late.lobby
    name = room.table(0).log.table
    late.lobby.watch(name, room.seated[0].identity.key)
    room.world.after(late)
    room.settle()
    watched = late.lobby.tables[name]
    assert watched.seat is None
    room.play(0, "a1")
    assert watched.log.head == room.table(0).log.head
    speaker = room.table(0).identity.key
    if speaker == room.seated[0].identity.key:
        assert watched.lines() == [Line(speaker, "good luck")]
    assert len(room.events(Line)) >= 2


@pytest.mark.parametrize(("watchers", "sees"), [("anyone", True), ("invited", False), ("nobody", False)])
def test_who_may_look_on(watchers: str, sees: bool) -> None:
    room = Room(terms("barons", 2, SMALL, watchers=watchers), others=1)
    [late] = room.others
    assert late.lobby
    name, host = room.table(0).log.table, room.seated[0]
    late.lobby.watch(name, host.identity.key)
    room.world.after(late)
    room.settle()
    assert (name in late.lobby.tables) is sees
    if watchers == "invited":
        assert host.lobby
        host.lobby.let_watch(name, late.identity.key)
        late.lobby.watch(name, host.identity.key)
        room.world.after(host)
        room.world.after(late)
        room.settle()
        assert name in late.lobby.tables


def test_an_invitation_and_a_kick() -> None:
    world = World("kick", terms("barons", 3, SMALL))
    host, guest, other = world.peers.values()
    heard: list[object] = []
    world.notice = lambda peer, event: heard.append((peer.name, event))  # type: ignore[method-assign]
    for peer in world.peers.values():
        world.start(peer)
    assert host.lobby
    assert guest.lobby
    gathering = host.lobby.host(world.terms, b"one", world.now)
    gathering.invite(guest.identity.key)
    world.after(host)
    world.run(lambda: any(isinstance(event, Invited) for _, event in heard))
    world.run(lambda: bool(guest.lobby and guest.lobby.peers.get(host.identity.key)))
    [offer] = guest.lobby.peers[host.identity.key].tables
    guest.lobby.join(offer, world.now)
    world.after(guest)
    world.run(lambda: len(gathering.chairs) == 2)
    gathering.kick(guest.identity.key, "not today")
    world.after(host)
    world.run(lambda: any(isinstance(event, At) and event.event == Refused("not today") for _, event in heard))
    guest.lobby.join(offer, world.now)
    world.after(guest)
    world.run(lambda: any(isinstance(event, At) and "does not want you" in str(event.event) for _, event in heard))
    assert [chair.key for chair in gathering.chairs] == [host.identity.key]
    assert other.lobby


def test_a_rematch_with_everybody_one_seat_further() -> None:
    room = Room(terms("barons", 2, {"width": 2, "height": 2}, clock=Clock(60_000, 0)))
    for seat, text in ((0, "a1"), (1, "a2"), (0, "b1"), (1, "b2")):
        room.play(seat, text)
    first = room.table(0)
    before = [chair.key for chair in first.log.now.chairs]
    one, other = room.seated
    assert one.lobby
    assert other.lobby
    again = one.lobby.rematch(first.log.table, b"again", room.world.now)
    room.world.after(one)
    room.world.run(lambda: any(isinstance(event, Invited) for _, event in room.heard))
    room.world.run(lambda: bool(other.lobby and other.lobby.peers[one.identity.key].tables))
    other.lobby.join(other.lobby.peers[one.identity.key].tables[0], room.world.now)
    room.world.after(other)
    room.world.run(lambda: len(again.chairs) == 2)
    again.start(room.world.now)
    room.world.after(one)
    room.world.run(lambda: again.table in (other.lobby.tables if other.lobby else ()))
    assert [chair.key for chair in other.lobby.tables[again.table].log.now.chairs] == [before[1], before[0]]


def test_a_host_who_does_not_sit_hears_of_the_beginning() -> None:
    agreed = terms("barons", 2, SMALL)
    world = World("aside", agreed, others=1)
    host, *guests = world.peers.values()
    world.act = lambda peer: None  # type: ignore[method-assign]
    for peer in world.peers.values():
        world.start(peer)
    assert host.lobby
    gathering = host.lobby.host(agreed, b"one", world.now, sits=False)
    world.after(host)
    world.run(lambda: all(peer.lobby and host.identity.key in peer.lobby.peers for peer in guests))
    for guest in guests:
        assert guest.lobby
        guest.lobby.join(gathering.offer(), world.now)
        world.after(guest)
    world.run(lambda: len(gathering.chairs) == 2)
    gathering.start(world.now)
    world.after(host)
    world.run(lambda: bool(host.lobby and gathering.table in host.lobby.tables))
    assert host.lobby.tables[gathering.table].seat is None
