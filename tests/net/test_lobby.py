"""What people do around a table, in calm weather: invite, kick, watch, chat, motions, resign, rematch."""

from collections.abc import Callable
from typing import Any

import pytest

from quadrille.net.core.errors import PeerError
from quadrille.net.entries.motions import BackMotion, DropMotion, StandInMotion
from quadrille.net.entries.terms import Chair, Terms, TimeControl
from quadrille.net.entries.wire import Advert, Ask, Entries, Gone, Head, Message, Offer
from quadrille.net.game_log.news import Blamed, ChatLine, Presence
from quadrille.net.seating.gathering import AGREEING, OPEN, PATIENCE, ChairGranted, ChairRefused, TurnedDown
from quadrille.net.seating.lobby import Arrived, At, Called, Invited, Lobby, SeatAwaited
from quadrille.net.tables.table import LAST_WORDS, Table
from tests.net.simulation import NOTICED, MemoryShelf, Peer, World, gather
from tests.net.tables import identity, terms

SMALL = {"width": 4, "height": 4}


class Room:
    """A world in which nobody moves by itself."""

    def __init__(self, agreed: Terms, others: int = 0) -> None:
        self.world = World("lobby", agreed, others=others)
        self.heard: list[tuple[str, object]] = []
        self.world.act = lambda peer: None  # type: ignore[method-assign]
        self.world.notice = self.notice  # type: ignore[method-assign]
        gather(self.world)
        self.seated, self.others = self.world.seated, self.world.others
        self.world.begin()

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
        self.world.pass_time(time)
        assert len({log.head for log in self.world.logs()}) == 1

    def play(self, seat: int, text: str) -> None:
        self.do(seat, lambda table: table.play(text, self.world.now))

    def looks_on(self, peer: Peer) -> bytes:
        """A peer asks the first seat to look on at the table, which is named."""
        name = self.table(0).log.table
        peer.lobby.watch(name, self.seated[0].identity.key)
        self.world.after(peer)
        self.settle()
        return name

    def events(self, kind: type) -> list[object]:
        return [event.event for _, event in self.heard if isinstance(event, At) and isinstance(event.event, kind)]


@pytest.mark.parametrize(("watchers", "sees"), [("anyone", True), ("invited", False), ("nobody", False)])
def test_who_may_look_on(watchers: str, sees: bool) -> None:
    room = Room(terms("barons", 2, SMALL, watchers=watchers), others=1)
    [late] = room.others
    host, name = room.seated[0], room.looks_on(late)
    assert (name in late.lobby.tables) is sees and bool(room.events(ChairRefused)) is not sees
    if watchers == "invited":
        host.lobby.let_watch(name, late.identity.key)
        room.world.after(host)
        room.settle()
        room.world.crash(host, 500)  # it is remembered
        room.world.run(lambda: host.lobby is not None)
        room.settle()
        room.looks_on(late)
        assert name in late.lobby.tables


class Offered:
    """A table that a host offers, and the others, who know of it."""

    def __init__(self, agreed: Terms, others: int = 0, *, sits: bool = True) -> None:
        self.world = world = World("offered", agreed, others=others)
        self.heard: list[tuple[Peer, object]] = []
        world.act = lambda peer: None  # type: ignore[method-assign]
        world.notice = self.notice  # type: ignore[method-assign]
        self.host, *self.others = world.peers.values()
        for peer in world.peers.values():
            world.start(peer)
        self.table = self.host.lobby.host(agreed, b"one", world.now, sits=sits)
        world.after(self.host)
        world.run(lambda: all(self.host.identity.key in peer.lobby.peers for peer in self.others))

    def notice(self, peer: Peer, event: object) -> None:
        self.heard.append((peer, event.event if isinstance(event, At) else event))

    def hears(self, peer: Peer, what: object) -> None:
        """Go on until that peer has heard this event, or one of this kind."""
        self.world.run(lambda: any(one is peer and what in (event, type(event)) for one, event in self.heard))

    def joins(self, peer: Peer) -> None:
        peer.lobby.join(self.table.offer(), self.world.now)
        self.world.after(peer)

    def sits(self, *peers: Peer) -> None:
        for peer in peers:
            self.joins(peer)
            self.hears(peer, ChairGranted())

    def begins(self) -> None:
        self.table.start(self.world.now)
        self.world.after(self.host)
        self.world.run(lambda: all(self.table.table in peer.lobby.tables for peer in (self.host, *self.others)))


def test_an_invitation_and_a_kick() -> None:
    made = Offered(terms("barons", 3, SMALL))
    guest, _ = made.others
    made.table.invite(guest.identity.key)
    made.world.after(made.host)
    made.hears(guest, Invited)
    made.sits(guest)
    made.table.kick(guest.identity.key, "not today")
    made.world.after(made.host)
    made.hears(guest, ChairRefused("not today"))
    made.joins(guest)
    made.hears(guest, ChairRefused("the host does not want you at this table"))
    assert [chair.key for chair in made.table.chairs] == [made.host.identity.key]


def test_a_chair_that_is_kept_waits_for_whom_it_is_kept_for() -> None:
    """Nobody else gets it, nothing begins before its owner has come, and one that goes again finds it kept."""
    made = Offered(terms("barons", 2, SMALL), others=1)
    (owner, other), table, now = made.others, made.table, made.world.now
    kept = Chair(owner.identity.key, "on the way", "bot")
    table.keep(kept)
    assert table.chairs[1] == kept and table.offer().chairs[1] == kept
    made.world.after(made.host)
    made.joins(other)
    made.hears(other, ChairRefused("all seats are taken"))
    table.start(now)
    assert table.phase == OPEN
    made.sits(owner)
    assert table.chairs[1].name == owner.name and not table.coming
    table.receive(owner.identity.key, Gone(table.table), now)
    assert table.chairs[1] == kept and table.coming == {owner.identity.key}
    table.receive(owner.identity.key, Ask(table.table, "seat", "Bob", "bot"), now)
    table.start(now)
    assert table.phase == AGREEING


def test_a_chair_that_is_kept_no_more_is_free() -> None:
    own, other = identity(1), identity(2)
    lobby = Lobby(own, "Ann", "person", MemoryShelf(own.key))
    gathering = lobby.host(terms("barons", 2, SMALL), b"nonce", 0)
    gathering.keep(Chair(other.key, "on the way", "bot"))
    gathering.keep(Chair(identity(3).key, "one too many", "bot"))
    gathering.take_back(other.key)
    assert [chair.key for chair in gathering.chairs] == [own.key] and not gathering.coming


def test_a_host_begins_with_those_who_are_here() -> None:
    """Free chairs and one kept for a guest who has not come are dropped; a bot on its way is waited for."""
    made = Offered(terms("barons", 4, SMALL), others=1)
    here, bot, late, _ = made.others
    made.sits(here)
    made.table.keep(Chair(bot.key, "on the way", "bot"))
    made.table.keep(Chair(late.key, "on the way", "person"))
    made.table.go_on_without(late.key)
    made.world.after(made.host)
    assert made.table.terms.seats == 3 and made.table.coming == {bot.key}
    made.joins(late)
    made.hears(late, ChairRefused("all seats are taken"))
    made.sits(bot)
    made.table.start(made.world.now)
    made.world.after(made.host)
    seated = (made.host, here, bot)
    made.world.run(lambda: all(made.table.table in peer.lobby.tables for peer in seated))
    assert {log.now.terms.seats for log in made.world.logs()} == {3}


def test_a_table_goes_on_with_no_fewer_seats_than_its_game_has() -> None:
    made = Offered(terms("barons", 4, SMALL))
    made.table.keep(Chair(made.others[0].key, "on the way", "person"))
    before = (made.table.terms, list(made.table.chairs), set(made.table.coming))
    with pytest.raises(PeerError, match="2 to"):
        made.table.go_on_without(made.others[0].key)
    assert before == (made.table.terms, made.table.chairs, made.table.coming)


def cut_off(time: int) -> Offered:
    """A guest has its chair, and then the link to the host is cut for so many milliseconds."""
    made = Offered(terms("barons", 2, SMALL))
    made.sits(*made.others)
    made.world.sever(made.host, *made.others, time)
    made.world.run(lambda: len(made.table.chairs) == 1)
    return made


def test_a_guest_whose_link_breaks_before_the_game_asks_again_when_the_host_is_back() -> None:
    """A machine that stands still for a moment just then may break it, and a person's program went away."""
    made = cut_off(NOTICED + PATIENCE - 1000)
    made.world.run(lambda: len(made.table.chairs) == 2)
    assert not any(isinstance(event, ChairRefused) for _, event in made.heard)
    made.begins()


def test_what_was_said_before_the_game_is_heard_at_the_table() -> None:
    made = Offered(terms("barons", 2, SMALL))
    made.sits(*made.others)
    made.table.say("good evening", [peer.identity.key for peer in made.others])
    made.begins()
    said = [ChatLine(made.host.identity.key, "good evening")]
    made.world.run(lambda: [table.lines() for table in made.world.tables()] == [said, said])


def test_who_is_invited_says_why_it_does_not_come() -> None:
    made = Offered(terms("barons", 3, SMALL))
    guest, stranger = made.others
    made.table.invite(guest.identity.key)
    made.world.after(made.host)
    made.hears(guest, Invited)
    invited = Invited(made.host.identity.key, made.table.table, made.world.terms)
    for peer, why in ((stranger, "nobody asked me"), (guest, "too late for me"), (guest, "said twice")):
        peer.lobby.turn_down(invited, why)
        made.world.after(peer)
        if why == "too late for me":
            made.hears(made.host, TurnedDown)
    made.world.pass_time(2000)
    said = [event for _, event in made.heard if isinstance(event, TurnedDown)]
    assert said == [TurnedDown(guest.identity.key, "too late for me")]


def test_a_rematch_with_everybody_one_seat_further() -> None:
    room = Room(terms("barons", 2, {"width": 2, "height": 2}, clock=TimeControl(60_000, 0)))
    for seat, text in ((0, "a1"), (1, "a2"), (0, "b1"), (1, "b2")):
        room.play(seat, text)
    first = room.table(0)
    before = [chair.key for chair in first.log.now.chairs]
    one, other = room.seated
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


def named(room: Room, seat: int, peer: Peer) -> None:
    """The seat's peer is gone, and the others decide that somebody else plays on."""
    away = holder(room, seat)
    room.world.crash(away, None)
    room.world.run(lambda: all(seat in table.overdue(room.world.now) for table in room.world.tables()))
    motion = StandInMotion(seat, peer.identity.key, peer.name)
    for table in [room.table(other) for other in range(3) if other != seat]:
        assert table.agree(motion, room.world.now)
        room.world.after(next(one for one in room.seated if one.identity is table.identity))
    room.world.run(lambda: peer.lobby is not None and bool(peer.lobby.tables))
    room.settle()


def own_table(peer: Peer) -> Table:
    """The one table of a peer."""
    [table] = peer.lobby.tables.values()
    return table


def holder(room: Room, seat: int) -> Peer:
    """Who writes for a seat."""
    return room.world.peers[room.table(seat).identity.key]


def trio(**more: Any) -> Room:
    """Three at a table and one more on the network."""
    room = Room(terms("barons", 3, SMALL, grace=2000, lot=False, **more), others=1)
    room.play(0, "a1")
    return room


def test_who_asked_to_look_on_as_the_link_broke_asks_again() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    name = room.table(0).log.table
    room.world.sever(late, room.seated[0], 5000)
    late.lobby.watch(name, room.seated[0].identity.key)
    room.world.after(late)
    room.world.run(lambda: bool(late.lobby and name in late.lobby.tables))
    assert late.lobby.tables[name].seat is None


def test_the_owner_takes_its_seat_back_from_who_stands_in() -> None:
    room = trio()
    [fourth] = room.others
    owner = holder(room, 1)
    named(room, 1, fourth)
    assert all(not table.gone for table in room.world.tables()) and Presence(1, True) in room.events(Presence)
    table = own_table(fourth)
    assert table.seat == 1 and table.is_my_turn
    room.world.start(owner)
    room.settle(5000)
    own = own_table(owner)
    assert own.seat is None
    assert own.agree(BackMotion(1), room.world.now)
    room.world.after(owner)
    room.settle()
    assert own.seat == 1 and own.is_my_turn
    assert table.seat is None
    assert not room.table(0).gone


def test_a_program_that_does_not_resume_is_told_once_that_somebody_waits() -> None:
    """Until it sits down there it is gone for the others, though it is on the network."""
    room = trio()
    away = holder(room, 1)
    table = room.table(0).log.table
    room.world.crash(away, None)
    room.settle(4000)
    away.lobby = Lobby(away.identity, away.name, "person", away.shelf, resumes=False)
    for other in (holder(room, 0), holder(room, 2)):
        room.world.meet(away, other)
    room.world.pass_time(5000)
    waited = [event for _, event in room.heard if isinstance(event, SeatAwaited)]
    assert len(waited) == 1 and waited[0].log.table == table
    assert not away.lobby.tables and room.table(0).overdue(room.world.now) == (1,)
    away.lobby.resume(table, room.world.now)
    room.world.after(away)
    room.settle()
    assert away.lobby.tables[table].is_my_turn
    assert not room.table(0).gone and not room.table(1).gone


def left_alone() -> tuple[Room, Peer]:
    """A seat is gone for good, and a fourth peer, which does not resume, is only asked to play on for it."""
    room = trio()
    [fourth] = room.others
    fourth.lobby = Lobby(fourth.identity, fourth.name, "person", fourth.shelf, resumes=False)
    room.world.plays_on = False
    room.world.crash(holder(room, 1), None)
    room.world.run(lambda: all(table.overdue(room.world.now) for table in room.world.tables()))
    return room, fourth


def test_a_program_that_does_not_resume_is_asked_before_it_plays_on_for_somebody() -> None:
    room, fourth = left_alone()
    for seat in (0, 2):
        room.do(seat, lambda table: table.agree(StandInMotion(1, fourth.identity.key, fourth.name), room.world.now))
    room.settle()
    called = [event for _, event in room.heard if isinstance(event, Called)]
    assert {event.seat for event in called} == {1}
    assert not fourth.lobby.tables
    assert not fourth.shelf.kept, "nothing is kept before its person says yes (F9)"
    for question in {event.key: event for event in called}.values():
        fourth.lobby.play_on(question)
    room.world.after(fourth)
    room.settle(5000)
    [table] = fourth.lobby.tables.values()
    assert fourth.shelf.entries(table.log.table) == [entry.data for entry in table.log.entries]
    assert table.seat == 1


def test_who_agrees_to_play_on_after_another_decision_was_signed_is_told_to_be_too_late() -> None:
    room, fourth = left_alone()
    for motion in (StandInMotion(1, fourth.identity.key, fourth.name), DropMotion(1)):
        room.do(0, lambda table, motion=motion: table.agree(motion, room.world.now))
    called = next(event for _, event in room.heard if isinstance(event, Called))
    room.world.do(fourth, lambda lobby, _: lobby.play_on(called))
    room.settle()
    assert {event.culprit for event in room.events(Blamed)} == {fourth.identity.key}  # type: ignore[attr-defined]
    assert room.table(0).accord.promise == DropMotion(1)


def test_who_looked_on_and_went_is_told_nothing_more() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    name = room.looks_on(late)
    assert late.lobby
    late.lobby = Lobby(late.identity, late.name, "person", late.shelf, resumes=False)
    room.settle(5000)
    host = room.seated[0].lobby
    assert host and late.identity.key not in host.watchers[name]


def test_who_asks_for_a_seat_as_the_game_begins_hears_that_it_has_begun() -> None:
    """Its Ask arrives when the host is at play already: it got no answer, and waited for ever."""
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    host = room.seated[0]
    table = room.table(0)
    late.lobby.join(Offer(table.log.table, host.identity.key, room.world.terms, (), "open", 0), room.world.now)
    room.world.after(late)
    room.settle()
    assert room.events(ChairRefused) == [ChairRefused("the game has begun")]
    assert not late.lobby.gatherings and late.identity.key not in host.lobby.watchers.get(table.log.table, ())


def test_a_seat_that_asks_again_when_the_game_has_begun_gets_its_entries_and_is_at_the_table() -> None:
    """Its program had died: it was gone for the host as long as it stayed, and could be dropped."""
    room = Room(terms("barons", 2, SMALL))
    host, guest = room.seated
    [table] = host.lobby.tables.values()
    host.lobby.went(guest.identity.key, room.world.now)
    host.lobby.came(guest.identity.key, room.world.now)
    assert table.gone
    host.lobby.outgoing.clear()
    host.lobby.receive(guest.identity.key, Ask(table.log.table, "seat", "Bob", "bot"), room.world.now)
    sent = [message for key, message in host.lobby.outgoing if key == guest.identity.key]
    assert [message.entries for message in sent if isinstance(message, Entries)] and not table.gone


def test_a_table_that_is_over_answers_and_does_not_speak() -> None:
    room = Room(terms("barons", 2, SMALL))
    room.do(0, lambda table: table.resign(room.world.now))
    room.settle(LAST_WORDS + 2000)
    said: list[Message] = []
    deliver = room.world.deliver
    room.world.deliver = lambda one, other, message: (said.append(message), deliver(one, other, message))[1]  # type: ignore[method-assign]
    room.settle(10_000)
    assert said == []
    one, other = room.seated
    assert one.lobby and other.lobby
    head = Head(room.table(0).log.table, 1, room.table(0).log.entries[0].hash)
    room.world.send(one, other.identity.key, head)
    room.settle()
    assert [type(message) for message in said] == [Head, Entries]


def test_an_advert_that_changes_300_times_a_second_is_few_events() -> None:
    """The first ones are told at once, then one now and again; the last one is told in any case."""
    lobby, peer = Lobby(identity(1), "Ann", "person", MemoryShelf(identity(1).key)), identity(2).key
    events: list[Arrived] = []
    lobby.came(peer, 0)
    for now in range(10_000):
        if now % 10 < 3:
            lobby.list_peer(peer, Advert(f"name {now}", "person", ()), now)
        if now >= lobby.deadline:
            lobby.wake(now)
        events += [event for event in lobby.events if isinstance(event, Arrived)]
        lobby.events.clear()
    assert [event.peer.name for event in events[:3]] == ["name 0", "name 1", "name 2"]
    assert len(events) <= 8 + 20
    assert lobby.peers[peer].name == "name 9992"  # whoever asks sees the newest
    while lobby.deadline < 12_000:
        lobby.wake(lobby.deadline)
    events += [event for event in lobby.events if isinstance(event, Arrived)]
    assert events[-1].peer.name == "name 9992"
