"""What people do around a table, in calm weather: invite, kick, watch, chat, motions, resign, rematch."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from quadrille.net.entries import motions
from quadrille.net.entries.entry import statement
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.entries.wire import Answer, Ask, Decline, Entries, Gone, Motion, Offer
from quadrille.net.game_log.news import ChatLine, Declined, Proposed
from quadrille.net.seating.gathering import (
    AGREEING,
    OPEN,
    ChairGranted,
    ChairRefused,
    Gathering,
    SeatWanted,
    TurnedDown,
)
from quadrille.net.seating.lobby import Invited, Lobby, SeatAwaited
from quadrille.net.seating.offers import is_meant
from quadrille.net.seating.own_table import own_table as begun_alone
from quadrille.net.tables.table import LAST_WORDS, MOST_IN_LINE, Table
from tests.net.simulation import NOTICED, Peer, QuietWorld, gather
from tests.net.tables import identity, terms

SMALL = {"width": 4, "height": 4}


class Room(QuietWorld):
    """A table at play."""

    def __init__(self, agreed: Terms, others: int = 0, **more: Any) -> None:
        super().__init__("lobby", agreed, others=others, **more)
        gather(self)
        self.begin()

    def table(self, seat: int) -> Table:
        """The table of whoever has that seat."""
        tables = [peer.lobby.tables for peer in self.seated if peer.lobby]
        return next(table for own in tables for table in own.values() if seat in table.seats)

    def does(self, seat: int, action: Callable[[Table], object]) -> None:
        """A seat does something, and all hear of it."""
        table = self.table(seat)
        action(table)
        self.after(self.peers[table.identity.key])
        self.settle()

    def settle(self, time: int = 3000) -> None:
        self.pass_time(time)
        assert len({log.head for log in self.logs()}) == 1

    def play(self, seat: int, text: str) -> None:
        self.does(seat, lambda table: table.play(text, self.now))

    def looks_on(self, peer: Peer) -> bytes:
        """A peer asks the first seat to look on at the table, which is named."""
        name = self.table(0).log.table
        self.do(peer, lambda lobby, _: lobby.watch(name, self.seated[0].key))
        self.settle()
        return name


@pytest.mark.parametrize(("watchers", "sees"), [("anyone", True), ("invited", False), ("nobody", False)])
def test_who_may_look_on(watchers: str, sees: bool) -> None:
    room = Room(terms("barons", 2, SMALL, watchers=watchers), others=1)
    [late] = room.others
    host, name = room.seated[0], room.looks_on(late)
    assert (name in late.lobby.tables) is sees and bool(room.events(ChairRefused)) is not sees
    if watchers == "invited":
        room.do(host, lambda lobby, _: lobby.let_watch(name, late.key))
        room.settle()
        room.crash(host, 500)  # it is remembered
        room.run(lambda: host.lobby is not None)
        room.settle()
        room.looks_on(late)
        assert name in late.lobby.tables


def test_a_table_at_play_is_meant_by_the_name_of_each_player() -> None:
    """Each of them posts it: a person who named its host was told that there is no such table."""
    room = Room(terms("barons", 2, SMALL), others=1)
    log, there = room.table(0).log, (*room.seated, *room.others)
    for host in room.seated:
        offer = Offer(log.table, host.key, log.now.terms, log.now.chairs, "playing", 0)
        assert [is_meant(room.others[0].lobby, offer, peer.name.upper()) for peer in there] == [True, True, False]


class Offered(QuietWorld):
    """A table that a host offers, and the others, who know of it."""

    def __init__(self, agreed: Terms, others: int = 0, **more: Any) -> None:
        super().__init__("offered", agreed, others=others, **more)
        self.host, *self.guests = self.peers.values()
        for peer in self.peers.values():
            self.start(peer)
        self.table = self.host.lobby.host(agreed, b"one", self.now)
        self.after(self.host)
        self.run(lambda: all(self.host.key in peer.lobby.peers for peer in self.guests))

    def hosts(self, action: Callable[[Gathering], object]) -> None:
        """The host does something about its table, and others hear of it."""
        self.do(self.host, lambda *_: action(self.table))

    def hears(self, peer: Peer, what: object) -> None:
        """Go on until that peer has heard this event, or one of this kind."""
        self.run(lambda: any(one is peer and what in (event, type(event)) for one, event in self.heard))

    def joins(self, peer: Peer) -> None:
        self.do(peer, lambda lobby, now: lobby.join(self.table.offer(), now))

    def sits(self, *peers: Peer) -> None:
        for peer in peers:
            self.joins(peer)
            self.hears(peer, ChairGranted())

    def begins(self) -> None:
        self.hosts(lambda table: table.start(self.now))
        self.run(lambda: all(self.table.table in peer.lobby.tables for peer in self.peers.values()))


def test_an_invitation_and_a_kick() -> None:
    made = Offered(terms("barons", 3, SMALL))
    guest, _ = made.guests
    made.hosts(lambda table: table.invite(guest.key))
    made.hears(guest, Invited)
    made.sits(guest)
    made.hosts(lambda table: table.kick(guest.key, "not today"))
    made.hears(guest, ChairRefused("not today"))
    made.joins(guest)
    made.hears(guest, ChairRefused("the host does not want you at this table"))
    assert [chair.key for chair in made.table.chairs] == [made.host.key]


def test_a_chair_that_is_kept_waits_for_whom_it_is_kept_for() -> None:
    """Nobody else gets it, nothing begins before its owner has come, and one that goes again finds it kept."""
    made = Offered(terms("barons", 2, SMALL), others=1)
    (owner, other), table, now = made.guests, made.table, made.now
    kept = Chair(owner.key, "on the way", "bot")
    table.keep(kept)
    assert table.chairs[1] == kept and table.offer().chairs[1] == kept
    made.after(made.host)
    made.joins(other)
    made.hears(other, ChairRefused("all seats are taken"))
    table.start(now)
    assert table.phase == OPEN
    made.sits(owner)
    assert table.chairs[1].name == owner.name and not table.coming
    table.receive(owner.key, Gone(table.table), now)
    assert table.chairs[1] == kept and table.coming == {owner.key}
    table.receive(owner.key, Ask(table.table, "seat", "Bob", "bot"), now)
    table.start(now)
    assert table.phase == AGREEING


def test_what_was_said_before_the_game_is_heard_at_the_table() -> None:
    made = Offered(terms("barons", 2, SMALL))
    made.sits(*made.guests)
    made.table.say("good evening", [peer.key for peer in made.guests])
    made.begins()
    said = [ChatLine(made.host.key, "good evening")]
    made.run(lambda: [table.lines() for table in made.tables()] == [said, said])


def test_who_is_invited_says_why_it_does_not_come() -> None:
    made = Offered(terms("barons", 3, SMALL))
    guest, stranger = made.guests
    made.hosts(lambda table: table.invite(guest.key))
    made.hears(guest, Invited)
    invited = Invited(made.host.key, made.table.table, made.terms)
    for peer, why in ((stranger, "nobody asked me"), (guest, "too late for me"), (guest, "said twice")):
        made.do(peer, lambda lobby, _, why=why: lobby.turn_down(invited, why))
        if why == "too late for me":
            made.hears(made.host, TurnedDown)
    made.pass_time(2000)
    assert made.events(TurnedDown) == [TurnedDown(guest.key, "too late for me")]


@pytest.mark.parametrize("held", [(1, 1), (2, 1), (1, 3), (2, 1, 1)])
def test_a_rematch_with_everybody_one_seat_further(held: tuple[int, ...]) -> None:
    room = Room(terms("barons", sum(held), SMALL), held=held)
    one, *others = room.seated
    for peer in room.seated:
        room.do(peer, lambda _, now, peer=peer: own_table(peer).agree(motions.all_of("draw"), now))
        room.settle()
    first = own_table(one).log
    before = first.now.chairs
    again = one.lobby.rematch(first.table, b"again", room.now)
    room.after(one)
    for peer in others:
        room.run(lambda peer=peer: peer.lobby.peers[one.key].tables)
        room.do(peer, lambda lobby, now, peer=peer: lobby.join(lobby.peers[one.key].tables[0], now, peer.others))
    room.run(lambda: len(again.chairs) == sum(held))
    room.do(one, lambda _, now: again.start(now))
    room.run(lambda: all(again.table in peer.lobby.tables for peer in others))
    assert others[0].lobby.tables[again.table].log.now.chairs == (*before[1:], before[0])


def own_table(peer: Peer) -> Table:
    """The one table of a peer."""
    [table] = peer.lobby.tables.values()
    return table


def holder(room: Room, seat: int) -> Peer:
    """Who writes for a seat."""
    return room.peers[room.table(seat).identity.key]


def trio() -> Room:
    """Three at a table, where the second is to move."""
    room = Room(terms("barons", 3, SMALL, grace=2000, lot=False))
    room.play(0, "a1")
    return room


def test_who_asked_to_look_on_as_the_link_broke_asks_again() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    name = room.table(0).log.table
    room.sever(late, room.seated[0], 5000)
    room.do(late, lambda lobby, _: lobby.watch(name, room.seated[0].key))
    room.run(lambda: name in late.lobby.tables)
    assert late.lobby.tables[name].seat is None


def test_the_owner_takes_its_seat_back_from_who_stands_in() -> None:
    """Seats sign all values of a motion, also senseless ones: the others wrote another than was signed, and failed."""
    room = trio()
    first, owner, deputy = (holder(room, seat) for seat in range(3))
    room.crash(owner, None)
    room.run(lambda: all(1 in table.overdue(room.now) for table in room.tables()))
    for peer in (first, deputy):
        room.do(peer, lambda _, now, peer=peer: own_table(peer).agree(motions.StandInMotion(1, deputy.key, "Zoe"), now))
    room.settle()
    assert all(not table.gone for table in room.tables())
    table = own_table(deputy)
    assert table.seats == (1, 2) and table.is_my_turn
    room.start(owner)
    room.settle(5000)
    own = own_table(owner)
    assert own.seat is None
    room.do(owner, lambda _, now: own.agree(motions.BackMotion(1, identity(9).key, "whatever"), now))
    room.settle()
    assert own.seat == 1 and own.is_my_turn
    assert table.seats == (2,)
    assert not room.table(0).gone


def test_a_program_that_does_not_resume_is_told_once_that_somebody_waits() -> None:
    """Until it sits down there it is gone for the others, though it is on the network."""
    room = trio()
    away = holder(room, 1)
    table = room.table(0).log.table
    room.crash(away, None)
    room.settle(4000)
    away.lobby = Lobby(away.identity, away.name, "person", away.shelf, resumes=False)
    for other in (holder(room, 0), holder(room, 2)):
        room.meet(away, other)
    room.pass_time(5000)
    assert [event.log.table for event in room.events(SeatAwaited)] == [table]
    assert not away.lobby.tables and room.table(0).overdue(room.now) == (1,)
    room.do(away, lambda lobby, now: lobby.resume(table, now))
    room.settle()
    assert away.lobby.tables[table].is_my_turn
    assert not room.table(0).gone and not room.table(1).gone


def test_who_looked_on_and_went_is_told_nothing_more() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    name = room.looks_on(late)
    late.lobby = Lobby(late.identity, late.name, "person", late.shelf, resumes=False)
    room.settle(5000)
    assert late.key not in room.seated[0].lobby.tables[name].watchers


def test_who_looks_on_and_is_cut_off_costs_nothing_and_sees_the_game_again_when_it_is_back() -> None:
    """Keys are free: whoever comes with one after another would be remembered for each."""
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    watchers = room.seated[0].lobby.tables[room.looks_on(late)].watchers
    room.sever(late, room.seated[0], 9000)
    room.run(lambda: late.key not in watchers)
    table = room.table(0)
    table.play("a1", room.now)
    room.after(room.peers[table.identity.key])
    room.run(lambda: late.key in watchers and own_table(late).log.head == table.log.head)


def test_few_people_wait_for_a_seat_and_each_keeps_one_place() -> None:
    """Whoever asks again, in any number, overtakes nobody; programs do not wait; a place is free again once left."""
    room = Room(terms("barons", 2, SMALL))
    host, name = room.seated[0].lobby, room.table(0).log.table
    keys = [identity(number).key for number in range(2, 2 + MOST_IN_LINE + 1)]
    host.here.update(keys)

    def asks(key: bytes, kind: str = "person", *others: tuple[str, str]) -> tuple[bool, str]:
        host.outgoing.clear()
        host.receive(key, Ask(name, "seat", "Zoe", kind, others), room.now)
        [answer] = [message for to, message in host.outgoing if to == key and isinstance(message, Answer)]
        return answer.yes, answer.why

    assert asks(keys[0], "bot") == (False, "the game has begun")
    for place, key in enumerate(keys[:-1], 1):
        assert asks(key) == asks(key) == (True, f"number {place} in line")
        host.here.discard(keys[0])  # nobody needs its place yet
    host.here.add(keys[0])
    assert asks(keys[-1]) == (False, "the game has begun")
    host.receive(keys[1], Gone(name), room.now)
    assert asks(keys[2]) == (True, "number 2 in line") and asks(keys[1]) == (True, f"number {MOST_IN_LINE} in line")
    host.went(keys[3], room.now)  # away: its place is kept until somebody else needs it
    assert asks(keys[-1]) == (True, f"number {MOST_IN_LINE} in line") and asks(keys[4]) == (True, "number 3 in line")
    for key in keys:
        host.receive(key, Gone(name), room.now)
    host.open_seats(name, host.tables[name].seats)
    assert asks(keys[2], "bot") == (True, "") and asks(keys[4]) == (True, "number 2 in line")
    assert asks(keys[2], "person", ("Zed", "person")) == (False, "not that many seats are free there")
    host.receive(keys[2], Ask(name, "seat", "", "person"), room.now)
    assert host.tables[name].accord.newcomer == keys[4], "nobody is handed a seat without a name"
    host.tables[name].log.now = replace(host.tables[name].log.now, lent=dict.fromkeys((0, 1), bytes(32)))
    assert asks(keys[2], "bot") == (False, "the game has begun"), "whose seat this peer plays may come back to it"


@pytest.mark.parametrize("free", ["declines", "goes", "leaves a bot's"])
def test_a_seat_of_a_rematch_goes_to_who_waited_first(free: str) -> None:
    """It was kept for one who does not come, and a person at the table could only look on once more."""
    room = Room(terms("barons", 2, SMALL, lot=False), others=1)
    [late], [one, other] = room.others, room.seated
    name = room.looks_on(late)
    late.lobby.kind = "person"
    room.do(late, lambda lobby, _: lobby.ask_for_seat(name))
    room.does(0, lambda table: table.agree(motions.all_of("draw"), room.now))
    room.does(1, lambda table: table.agree(motions.all_of("draw"), room.now))
    assert one.lobby.tables[name].over and room.events(SeatWanted) == [SeatWanted(late.key)] * 2
    if free != "leaves a bot's":
        log = one.lobby.tables[name].log
        people = tuple(replace(chair, kind="person") for chair in log.now.chairs)
        log.now = replace(log.now, chairs=people)
    again = one.lobby.rematch(name, b"again", room.now)
    room.after(one)
    room.settle(1000)
    invited = [event for peer, event in room.heard if peer is late and isinstance(event, Invited)][-1]
    offer = Offer(again.table, one.key, invited.terms, (), "open", 0)
    room.do(late, lambda lobby, now: lobby.join(offer, now))
    room.settle(1000)
    if free == "declines":
        room.do(other, lambda lobby, _: lobby.turn_down(replace(invited), "no rematch"))
    elif free == "goes":
        room.do(one, lambda _, now: again.drop_free_chairs())
    room.settle(1000)
    assert [chair.key for chair in again.chairs] == [one.key, late.key]
    room.do(one, lambda _, now: again.start(now))
    room.run(lambda: again.table in late.lobby.tables)
    assert late.lobby.tables[again.table].seats == ((0,) if free == "leaves a bot's" else (1,))


def test_a_seat_that_asks_again_when_the_game_has_begun_gets_its_entries_and_is_at_the_table() -> None:
    """Its program had died: it was gone for the host as long as it stayed, and could be dropped."""
    room = Room(terms("barons", 2, SMALL))
    host, guest = room.seated
    [table] = host.lobby.tables.values()
    host.lobby.went(guest.key, room.now)
    host.lobby.came(guest.key, room.now)
    assert table.gone
    host.lobby.outgoing.clear()
    host.lobby.receive(guest.key, Ask(table.log.table, "seat", "Bob", "bot"), room.now)
    sent = [message for key, message in host.lobby.outgoing if key == guest.key]
    assert [message.entries for message in sent if isinstance(message, Entries)] and not table.gone


def test_ended_games_are_forgotten_but_for_the_last_two_and_the_one_that_is_shown() -> None:
    agreed = terms("barons", 2, SMALL)
    world = Offered(agreed)
    [guest] = world.guests
    for number in range(5):
        if number:
            world.table = world.host.lobby.host(agreed, b"%d" % number, world.now)
            world.after(world.host)
        world.joins(guest)
        world.run(lambda: len(world.table.chairs) == agreed.seats)
        world.begins()
        world.do(world.host, lambda lobby, now: lobby.tables[world.table.table].resign(now))
        if number == 4:
            assert len(world.host.lobby.forget_ended(lambda _: False)) == 2, (
                "others may not know how the last one ended"
            )
            break
        world.pass_time(LAST_WORDS + 3000)
    shown, *others = list(guest.lobby.tables)
    world.pass_time(LAST_WORDS + 3000)
    assert guest.lobby.forget_ended(lambda name: name == shown) == others[:2]
    assert list(guest.lobby.tables) == [shown, *others[2:]]


class Opened(QuietWorld):
    """A game that one peer began alone, at a seat of each kind, and offers to the others."""

    def __init__(self, agreed: Terms, others: int = 0) -> None:
        super().__init__("opened", agreed, others=others)
        self.host, *self.guests = self.peers.values()
        for peer in self.peers.values():
            self.start(peer)
        key = self.host.key
        chairs = (Chair(key, "Ann", "person"), *(Chair(key, f"bot {n}", "bot", "Ann") for n in range(1, agreed.seats)))
        dealt = replace(agreed, more=(("deal", '["a seed of its own",{}]'),))  # by which nobody else sits down
        name = begun_alone(self.host.identity, self.host.shelf, dealt, chairs, self.now).log.table
        self.table = self.host.lobby.resume(name, self.now)

    def plays(self, peer: Peer, text: str = "") -> None:
        table = peer.lobby.tables[self.table.log.table]
        self.do(peer, lambda *_: table.play(text or str(next(iter(table.view.moves))), self.now))
        self.pass_time(3000)


@pytest.mark.parametrize("game", ["barons", "dotter"])
def test_a_game_begun_alone_is_opened_to_the_room_and_goes_on(game: str) -> None:
    """The seat changes hands by a motion of all who play; what is hidden is dealt anew by both. In the end they play
    once more: how the first game began binds nobody, neither its deal nor that one keyboard could take a look back.
    """
    world = Opened(terms(game, 2, SMALL if game == "barons" else {}, lot=False))
    [guest], name = world.guests, world.table.log.table
    world.plays(world.host)
    world.do(world.host, lambda lobby, _: lobby.open_seats(name, (1,)))
    world.run(lambda: any(one.tables for one in guest.lobby.peers.values()))
    world.do(guest, lambda lobby, now: lobby.join(lobby.peers[world.host.key].tables[0], now))
    world.pass_time(5000)
    theirs = guest.lobby.tables[name]
    assert theirs.seats == (1,) and world.table.seats == (0,) and theirs.log.head == world.table.log.head
    assert theirs.log.now.chairs[1] == Chair(guest.key, guest.lobby.name, "person")
    assert (theirs.log.now.deck is not None) == (game == "dotter")
    assert world.host.lobby.advert.tables[0].state == "playing", "nothing is free there any more"
    before = len(theirs.log.entries)
    for _ in range(3):
        mover = guest if theirs.log.now.turn == 1 else world.host
        world.plays(mover)
    assert len(theirs.log.entries) >= before + 3 and theirs.log.head == world.table.log.head
    world.do(guest, lambda _, now: theirs.resign(now))
    world.run(lambda: world.table.over is not None)
    world.do(world.host, lambda lobby, now: lobby.rematch(name, b"again", now))
    world.run(lambda: [event.terms for event in world.events(Invited)] == [theirs.log.now.terms.offered])


@pytest.mark.parametrize("game", ["barons", "dotter"])
def test_a_game_of_two_is_finished_at_one_keyboard_when_both_agree(game: str) -> None:
    room = Room(terms(game, 2, SMALL if game == "barons" else {}, takebacks=False, lot=False))
    ann, ben = room.table(0), room.table(1)
    hand = motions.HandMotion(1, ann.identity.key, "Ben")
    room.run(lambda: ann.log.now.due is ben.log.now.due is None)
    room.does(1, lambda table: table.agree(hand, room.now))
    assert ann.seats == (0,), "the other has to agree"
    room.does(0, lambda table: table.agree(hand, room.now))
    assert ann.seats == (0, 1) and ben.seats == () and ann.log.now.chairs[1].at == ann.log.now.chairs[0].name
    for _ in range(6):
        room.does(ann.seat or 0, lambda table: table.play(str(next(iter(table.view.moves))), room.now))
    assert len(ann.log.now.match.entries) == 6


def test_who_asks_for_a_free_seat_gets_it_though_another_never_agrees_or_a_move_or_motion_comes_between() -> None:
    world = Opened(terms("barons", 3, SMALL, lot=False), others=1)
    [first, second, mute], name, draw = world.guests, world.table.log.table, motions.all_of("draw")
    world.host.lobby.open_seats(name, (1, 2))
    world.do(world.host, lambda lobby, now: lobby.receive(mute.key, Ask(name, "seat", "mute", "bot"), now))
    assert world.table.accord.newcomer == mute.key
    world.crash(mute, 60_000)
    world.pass_time(NOTICED + 1000)
    world.do(first, lambda lobby, _: lobby.watch(name, world.host.key))
    world.do(second, lambda lobby, _: lobby.watch(name, world.host.key))
    world.pass_time(3000)
    world.do(first, lambda lobby, _: lobby.ask_for_seat(name))
    world.run(lambda: world.table.accord.newcomer == first.key)
    world.plays(world.host)
    assert first.lobby.tables[name].seats == (1,), "the move was there before its signature"
    world.do(first, lambda lobby, now: lobby.tables[name].agree(draw, now))
    world.do(second, lambda lobby, _: lobby.ask_for_seat(name))
    world.pass_time(3000)
    assert world.table.accord.open == draw
    world.plays(first)
    world.do(first, lambda lobby, now: lobby.tables[name].agree(lobby.tables[name].accord.open, now))
    world.pass_time(3000)
    assert second.lobby.tables[name].seats == (2,)


def test_who_lets_an_offer_of_a_seat_lapse_goes_behind_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that is here and never signs would keep the seat from all."""
    world = Opened(terms("barons", 2, SMALL, lot=False), others=1)
    [first, mute], name = world.guests, world.table.log.table
    world.host.lobby.open_seats(name, (1,))
    world.do(first, lambda lobby, _: lobby.watch(name, world.host.key))
    world.pass_time(3000)
    monkeypatch.setattr(mute.lobby, "receive", lambda *_: None)
    world.do(world.host, lambda lobby, now: lobby.receive(mute.key, Ask(name, "seat", "mute", "bot"), now))
    world.do(first, lambda lobby, _: lobby.ask_for_seat(name))
    world.pass_time(3000)
    world.plays(world.host)
    assert mute.key in world.host.lobby.here and first.lobby.tables[name].seats == (1,)


def test_a_seat_is_handed_to_who_looks_on_only_if_it_has_asked_and_the_others_hear_of_it_no_sooner() -> None:
    room = Room(terms("barons", 3, SMALL, lot=False), others=1)
    [late], name = room.others, room.table(0).log.table
    hand, draw = motions.HandMotion(0, late.key, "Zoe"), motions.all_of("draw")
    room.does(0, lambda table: table.agree(hand, room.now))
    room.does(1, lambda table: table.agree(draw, room.now))
    assert room.table(0).accord.open == draw, "it waits for no newcomer"
    room.play(0, "a1")
    room.looks_on(late)
    room.does(0, lambda table: table.agree(hand, room.now))
    assert room.events(Declined) == [Declined(hand, late.key)]
    assert {event.motion for event in room.events(Proposed)} == {draw}
    room.play(1, "b2")
    room.do(late, lambda lobby, _: lobby.ask_for_seat(name))
    room.does(0, lambda table: table.agree(hand, room.now))
    asked = {peer.key for peer, event in room.heard if isinstance(event, Proposed) and event.motion == hand}
    assert asked == room.peers.keys(), "it has signed, and so they are asked"
    for seat in (1, 2):
        room.does(seat, lambda table: table.agree(hand, room.now))
    assert late.lobby.tables[name].seats == (0,) and not late.lobby.tables[name].wants_seat
    assert room.table(1).log.now.chairs[0].name == "Zoe"


def test_a_motion_that_was_declined_is_not_opened_again_by_what_was_on_its_way() -> None:
    """Bots sign what they hear: two of them opened it again for each other, and never came to an end."""
    room = Room(terms("barons", 3, SMALL, lot=False))
    table, draw = room.table(0), motions.all_of("draw")
    about, keys = (table.log.table, table.log.head), table.log.now.keys
    own = [room.peers[key].identity.sign(statement(*about, draw)) for key in keys]
    one, two = (Motion(*about, draw, seat, own[seat]) for seat in (1, 2))
    for seat, message in ((1, one), (2, Decline(*about, draw)), (1, one), (1, two)):
        table.receive(keys[seat], message, room.now)
    assert table.accord.open is None
    table.receive(keys[2], two, room.now)
    assert table.accord.open == draw, "that seat has thought better of it"


def test_an_entry_goes_to_the_seats_before_the_watchers() -> None:
    room = Room(terms("barons", 2, SMALL), others=3)
    for peer in room.others:
        room.looks_on(peer)
    mover = room.table(room.table(0).log.now.turn or 0)
    mover.play(str(next(iter(mover.view.moves))), room.now)
    lobby = room.peers[mover.identity.key].lobby
    lobby.flush(room.now)
    told = [key for key, message in lobby.outgoing if isinstance(message, Entries)]
    assert len(told) == 4 and told[0] in mover.log.now.keys


def test_who_declined_is_not_asked_again() -> None:
    room = Room(terms("barons", 2, SMALL))
    room.does(0, lambda table: table.agree(motions.all_of("draw"), room.now))
    asked = len(room.events(Proposed))
    room.does(1, lambda table: table.decline())
    room.settle(10_000)
    assert len(room.events(Proposed)) == asked
    room.does(0, lambda table: table.agree(motions.all_of("draw"), room.now))
    assert len(room.events(Proposed)) == asked + 1
    assert len(room.events(Declined)) == 2


def test_who_comes_to_the_table_hears_at_once_what_is_proposed() -> None:
    room = Room(terms("barons", 2, SMALL))
    room.does(0, lambda table: table.agree(motions.all_of("draw"), room.now))
    table, now = room.table(0), room.now
    table.wake(table.deadline)
    table.outgoing.clear()
    table.came(room.table(1).identity.key, now)
    assert table.deadline <= now
    table.wake(now)
    assert [message.motion for _, message in table.outgoing if isinstance(message, Motion)] == [motions.all_of("draw")]


def test_who_looks_on_declines_nothing() -> None:
    room = Room(terms("barons", 2, SMALL), others=1)
    [late] = room.others
    table = room.table(0)
    room.does(0, lambda table: table.agree(motions.all_of("draw"), room.now))
    said = Decline(table.log.table, table.log.head, motions.all_of("draw"))
    table.receive(late.identity.key, said, room.now)
    room.settle()
    assert not room.events(Declined)
