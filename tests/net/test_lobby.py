"""What people do around a table, in calm weather: invite, kick, watch, chat, motions, resign, rematch."""

from collections.abc import Callable
from typing import Any

import pytest

from quadrille.net.entries.motions import BackMotion, StandInMotion, all_of
from quadrille.net.entries.terms import Chair, Terms, TimeControl
from quadrille.net.entries.wire import Advert, Answer, Ask, Entries, Gone, Head, Message
from quadrille.net.game_log.news import ChatLine, Presence, Proposed
from quadrille.net.seating.chair_patience import PATIENCE
from quadrille.net.seating.gathering import Gathering
from quadrille.net.seating.gathering_phases import AGREEING, OPEN, ChairGranted, ChairRefused, TurnedDown
from quadrille.net.seating.lobby import LAST_WORDS, Arrived, At, Called, Invited, Lobby, SeatAwaited
from quadrille.net.tables import log_exchange
from quadrille.net.tables.table import Table
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
        assert watched.lines() == [ChatLine(speaker, "good luck")]
    assert len(room.events(ChatLine)) >= 2


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
    world.run(lambda: any(isinstance(event, At) and event.event == ChairRefused("not today") for _, event in heard))
    guest.lobby.join(offer, world.now)
    world.after(guest)
    world.run(lambda: any(isinstance(event, At) and "does not want you" in str(event.event) for _, event in heard))
    assert [chair.key for chair in gathering.chairs] == [host.identity.key]
    assert other.lobby


def test_a_chair_that_is_kept_waits_for_whom_it_is_kept_for() -> None:
    """Nobody else gets it, nothing begins before its owner has come, and one that goes again finds it kept."""
    world = World("kept", terms("barons", 2, SMALL), others=1)
    host, owner, other = world.peers.values()
    heard: list[tuple[str, object]] = []
    world.notice = lambda peer, event: heard.append((peer.name, event))  # type: ignore[method-assign]
    for peer in world.peers.values():
        world.start(peer)
    assert host.lobby and owner.lobby and other.lobby
    gathering = host.lobby.host(world.terms, b"one", world.now)
    kept = Chair(owner.identity.key, "on the way", "bot")
    gathering.keep(kept)
    assert gathering.chairs[1] == kept and gathering.offer().chairs[1] == kept
    world.after(host)
    world.run(lambda: all(peer.lobby and host.identity.key in peer.lobby.peers for peer in (owner, other)))
    other.lobby.join(gathering.offer(), world.now)
    world.after(other)
    refused = ChairRefused("all seats are taken")
    world.run(lambda: any(isinstance(event, At) and event.event == refused for _, event in heard))
    gathering.start(world.now)
    assert gathering.phase == OPEN
    owner.lobby.join(gathering.offer(), world.now)
    world.after(owner)
    world.run(lambda: not gathering.coming)
    assert gathering.chairs[1].name == owner.lobby.name
    gathering.receive(owner.identity.key, Gone(gathering.table), world.now)
    assert gathering.chairs[1] == kept and gathering.coming == {owner.identity.key}
    gathering.receive(owner.identity.key, Ask(gathering.table, "seat", "Bob", "bot"), world.now)
    gathering.start(world.now)
    assert gathering.phase == AGREEING


def test_a_chair_that_is_kept_no_more_is_free() -> None:
    own, other = identity(1), identity(2)
    lobby = Lobby(own, "Ann", "person", MemoryShelf(own.key))
    gathering = lobby.host(terms("barons", 2, SMALL), b"nonce", 0)
    gathering.keep(Chair(other.key, "on the way", "bot"))
    gathering.keep(Chair(identity(3).key, "one too many", "bot"))
    gathering.take_back(other.key)
    assert [chair.key for chair in gathering.chairs] == [own.key] and not gathering.coming


def asked(name: str, cut: int) -> tuple[World, Gathering, list[object]]:
    """A guest has its chair, and then the link to the host is cut for so many milliseconds: what the guest heard."""
    world = World(name, terms("barons", 2, SMALL))
    host, guest = world.peers.values()
    heard: list[object] = []

    def notice(peer: Peer, event: object) -> None:
        if peer is guest and isinstance(event, At):
            heard.append(event.event)

    world.notice = notice  # type: ignore[method-assign]
    for peer in (host, guest):
        world.start(peer)
    assert host.lobby and guest.lobby
    gathering = host.lobby.host(world.terms, b"one", world.now)
    world.after(host)
    world.run(lambda: bool(guest.lobby and guest.lobby.peers.get(host.identity.key)))
    guest.lobby.join(gathering.offer(), world.now)
    world.after(guest)
    world.run(lambda: ChairGranted() in heard)
    world.sever(host, guest, cut)
    world.run(lambda: len(gathering.chairs) == 1)
    return world, gathering, heard


def test_a_guest_whose_link_breaks_before_the_game_asks_again_when_the_host_is_back() -> None:
    """A machine that stands still for a moment just then may break it, and a person's program went away."""
    world, gathering, heard = asked("back", NOTICED + PATIENCE - 1000)
    world.run(lambda: len(gathering.chairs) == 2)
    assert not any(isinstance(event, ChairRefused) for event in heard)
    gathering.start(world.now)
    world.after(next(iter(world.peers.values())))
    world.run(lambda: all(map(world.begun, world.peers.values())))


def test_what_was_said_before_the_game_is_heard_at_the_table() -> None:
    world = World("early words", terms("barons", 2, SMALL))
    world.act = lambda peer: None  # type: ignore[method-assign]
    host, guest = world.peers.values()
    for peer in (host, guest):
        world.start(peer)
    assert host.lobby and guest.lobby
    gathering = host.lobby.host(world.terms, b"one", world.now)
    world.after(host)
    world.run(lambda: bool(guest.lobby and guest.lobby.peers.get(host.identity.key)))
    guest.lobby.join(gathering.offer(), world.now)
    world.after(guest)
    world.run(lambda: len(gathering.chairs) == 2)
    gathering.say("good evening", [guest.identity.key])
    gathering.start(world.now)
    world.after(host)
    world.run(lambda: all(map(world.begun, (host, guest))))
    assert all(table.lines() == [ChatLine(host.identity.key, "good evening")] for table in world.tables())


def test_a_guest_whose_host_stays_away_goes_in_the_end() -> None:
    world, gathering, heard = asked("away", 10 * PATIENCE)
    gone = world.now
    world.run(lambda: ChairRefused("the host is gone") in heard)
    assert PATIENCE <= world.now - gone <= PATIENCE + 1000 and len(gathering.chairs) == 1


def test_who_is_invited_says_why_it_does_not_come() -> None:
    world = World("no", terms("barons", 3, SMALL))
    host, guest, stranger = world.peers.values()
    heard: list[object] = []
    world.notice = lambda peer, event: heard.append(event)  # type: ignore[method-assign]
    for peer in world.peers.values():
        world.start(peer)
    assert host.lobby and guest.lobby and stranger.lobby
    gathering = host.lobby.host(world.terms, b"one", world.now)
    gathering.invite(guest.identity.key)
    world.after(host)
    world.run(lambda: any(isinstance(event, Invited) for event in heard))
    [invited] = [event for event in heard if isinstance(event, Invited)]
    stranger.lobby.turn_down(Invited(host.identity.key, gathering.table, world.terms), "nobody asked me")
    world.after(stranger)
    guest.lobby.turn_down(invited, "too late for me")
    guest.lobby.turn_down(invited, "said twice")
    world.after(guest)
    end = world.now + 2000
    world.run(lambda: world.now > end)
    said = [event.event for event in heard if isinstance(event, At) and isinstance(event.event, TurnedDown)]
    assert said == [TurnedDown(guest.identity.key, "too late for me")]


def test_a_rematch_with_everybody_one_seat_further() -> None:
    room = Room(terms("barons", 2, {"width": 2, "height": 2}, clock=TimeControl(60_000, 0)))
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


def holder(room: Room, seat: int) -> Peer:
    """Who writes for a seat."""
    return room.world.peers[room.table(seat).identity.key]


def trio(**more: Any) -> Room:
    """Three at a table and one more on the network."""
    room = Room(terms("barons", 3, SMALL, grace=2000, lot=False, **more), others=1)
    room.play(0, "a1")
    return room


def test_who_is_named_to_stand_in_sits_down_and_plays_on() -> None:
    room = trio()
    [fourth] = room.others
    named(room, 1, fourth)
    assert fourth.lobby
    [table] = fourth.lobby.tables.values()
    assert table.seat == 1 and table.is_my_turn
    table.play("b2", room.world.now)
    room.world.after(fourth)
    room.settle()
    assert {log.now.match.ply for log in room.world.logs()} == {2}


def test_who_asked_to_look_on_as_the_link_broke_asks_again() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    assert late.lobby
    name = room.table(0).log.table
    room.world.sever(late, room.seated[0], 5000)
    late.lobby.watch(name, room.seated[0].identity.key)
    room.world.after(late)
    room.world.run(lambda: bool(late.lobby and name in late.lobby.tables))
    assert late.lobby.tables[name].seat is None


def test_a_seat_is_not_gone_any_more_once_somebody_who_is_here_stands_in() -> None:
    room = trio()
    [fourth] = room.others
    named(room, 1, fourth)
    assert all(not table.gone for table in room.world.tables())
    assert Presence(1, True) in room.events(Presence)
    room.world.crash(fourth, None)
    room.settle(10_000)
    assert all(table.overdue(room.world.now) == (1,) for table in room.world.tables())


def test_a_log_of_many_messages_is_told_to_who_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_exchange, "MOST_BYTES", 2000)
    room = trio()
    for number in range(8):
        turn = room.table(0).log.now.turn
        assert turn is not None
        state = room.table(0).log.now.match.state
        room.play(turn, str(next(iter(state.moves))))
        assert room.table(0).log.now.match.ply == number + 2
    turn = room.table(0).log.now.turn
    assert turn is not None
    [fourth] = room.others
    named(room, turn, fourth)
    assert fourth.lobby
    [table] = fourth.lobby.tables.values()
    assert table.seat == turn


def test_the_owner_takes_its_seat_back_from_who_stands_in() -> None:
    room = trio()
    [fourth] = room.others
    owner = holder(room, 1)
    named(room, 1, fourth)
    room.world.start(owner)
    room.settle(5000)
    assert owner.lobby and fourth.lobby
    [own] = owner.lobby.tables.values()
    assert own.seat is None
    assert own.agree(BackMotion(1), room.world.now)
    room.world.after(owner)
    room.settle()
    assert own.seat == 1 and own.is_my_turn
    [other] = fourth.lobby.tables.values()
    assert other.seat is None
    assert not room.table(0).gone


def test_a_program_that_does_not_resume_is_told_once_that_somebody_waits() -> None:
    room = trio()
    away = holder(room, 1)
    table = room.table(0).log.table
    room.world.crash(away, None)
    room.settle(4000)
    away.lobby = Lobby(away.identity, away.name, "person", away.shelf, resumes=False)
    for other in (holder(room, 0), holder(room, 2)):
        room.world.meet(away, other)
    end = room.world.now + 5000
    room.world.run(lambda: room.world.now > end)
    waited = [event for _, event in room.heard if isinstance(event, SeatAwaited)]
    assert len(waited) == 1 and waited[0].log.table == table
    assert not away.lobby.tables
    away.lobby.resume(away.shelf.entries(table), room.world.now)
    room.world.after(away)
    room.settle()
    assert away.lobby.tables[table].is_my_turn


def test_a_program_that_does_not_resume_is_asked_before_it_plays_on_for_somebody() -> None:
    room = trio()
    [fourth] = room.others
    fourth.lobby = Lobby(fourth.identity, fourth.name, "person", fourth.shelf, resumes=False)
    room.world.plays_on = False
    room.world.crash(holder(room, 1), None)
    room.world.run(lambda: all(table.overdue(room.world.now) for table in room.world.tables()))
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


def test_who_looked_on_and_went_is_told_nothing_more() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    assert late.lobby
    name = room.table(0).log.table
    late.lobby.watch(name, room.seated[0].identity.key)
    room.world.after(late)
    room.settle()
    late.lobby = Lobby(late.identity, late.name, "person", late.shelf, resumes=False)
    room.settle(5000)
    host = room.seated[0].lobby
    assert host and late.identity.key not in host.watchers[name]


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


def test_offers_are_said_again_ever_more_rarely() -> None:
    own, other = identity(1), identity(2)
    lobby = Lobby(own, "Ann", "person", MemoryShelf(own.key))
    lobby.came(other.key, 0)
    gathering = lobby.host(terms("barons", 2, SMALL), b"nonce", 0)
    times: list[int] = []
    now = 0
    while now < 250_000:
        times += [now for key, message in lobby.outgoing if isinstance(message, Advert) and message.tables]
        lobby.outgoing.clear()
        now = lobby.deadline
        lobby.wake(now)
    assert times == [0, 5000, 15_000, 35_000, 75_000, 135_000, 195_000]
    lobby.outgoing.clear()
    gathering.sit(Chair(other.key, "Bob", "person"))
    lobby.flush(now)
    assert [type(message) for _, message in lobby.outgoing] == [Advert]
    assert lobby.deadline == now + 5000


def test_who_asks_for_a_table_that_is_not_there_hears_what_there_is() -> None:
    own, other = identity(1), identity(2)
    lobby = Lobby(own, "Ann", "person", MemoryShelf(own.key))
    lobby.came(other.key, 0)
    lobby.outgoing.clear()
    lobby.receive(other.key, Ask(b"no such table...", "seat", "Bob", "person"), 100)
    assert [type(message) for _, message in lobby.outgoing] == [Answer, Advert]


def test_who_was_invited_to_look_on_may_do_so_after_a_restart() -> None:
    room = Room(terms("barons", 2, SMALL, watchers="invited"), others=1)
    [late] = room.others
    host = room.seated[0]
    assert host.lobby and late.lobby
    name = room.table(0).log.table
    host.lobby.let_watch(name, late.identity.key)
    room.world.after(host)
    room.settle()
    room.world.crash(host, 500)
    room.world.run(lambda: host.lobby is not None)
    room.settle()
    late.lobby.watch(name, host.identity.key)
    room.world.after(late)
    room.settle()
    assert name in late.lobby.tables


def test_who_is_on_the_network_and_not_at_the_table_is_gone_there() -> None:
    room = trio()
    away = holder(room, 1)
    room.world.crash(away, None)
    room.settle(4000)
    away.lobby = Lobby(away.identity, away.name, "person", away.shelf, resumes=False)
    for other in (holder(room, 0), holder(room, 2)):
        room.world.meet(away, other)
    room.settle(4000)
    table = room.table(0)
    assert table.overdue(room.world.now) == (1,)
    away.lobby.resume(away.shelf.entries(table.log.table), room.world.now)
    room.world.after(away)
    room.settle()
    assert not table.gone and not room.table(1).gone


def test_an_advert_that_changes_300_times_a_second_is_few_events() -> None:
    """The first ones are told at once, then one now and again; the last one is told in any case."""
    lobby, peer = Lobby(identity(1), "Ann", "person", MemoryShelf(identity(1).key)), identity(2).key
    events: list[Arrived] = []
    lobby.came(peer, 0)
    for now in range(10_000):
        if now % 10 < 3:
            lobby.receive(peer, Advert(f"name {now}", "person", ()), now)
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
