"""Bots that play on for a seat that is gone, sign for it, and go when its owner is back; in a simulated network."""

import pytest

from quadrille.ai.peer.guest import Guest
from quadrille.net.entries.motions import BackMotion, DropMotion, FlagMotion, StandInMotion
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.net.game_log.log import Log
from quadrille.net.game_log.news import Declined
from quadrille.net.seating import lobby as net
from quadrille.net.seating.lobby import Lobby
from quadrille.net.tables.table import Table
from quadrille.rules.errors import RulesError
from tests.ai.inside import talk
from tests.client.evening import mute
from tests.net.simulation import Peer, World, gather
from tests.net.tables import terms

SMALL = {"width": 3, "height": 3}


class Trio:
    """A person p0, who goes when a test says so; p1, who decides; a bot p2 that plays, and one, p3, to come."""

    def __init__(self, *, stands_in: bool = True, stays: bool = False, agreed: Terms | None = None) -> None:
        self.world = World("trio", agreed or terms("barons", 3, SMALL, grace=2000, lot=False), others=1)
        self.world.act = lambda peer: None  # type: ignore[method-assign]
        self.world.plays_on = False  # the bots themselves say whether they do
        # who is replaced may have written unseen: its log is no prefix of the others' until it has heard of that
        self.world.check_step = lambda: None  # type: ignore[method-assign]
        self.events: list[object] = []
        self.goes_on = False  # the person plays, and the owner wants its seat back
        gather(self.world)
        self.owner, self.person, self.bot, self.other = self.world.peers.values()
        self.world.run(lambda: all(self.world.begun(peer) for peer in (self.owner, self.person, self.bot)))
        assert self.bot.lobby and self.other.lobby
        self.other.lobby = Lobby(self.other.identity, self.other.name, "bot", self.other.shelf, resumes=False)
        for peer in (self.owner, self.person, self.bot):
            self.world.meet(self.other, peer)

        def answers(log: Log) -> bool:
            return stands_in

        self.guests = {
            peer.name: Guest(
                peer.lobby,
                talk,
                asks=lambda offer, at: "no",
                stands_in=answers,
                answers=lambda _: stands_in,
                stays=stays,
            )
            for peer in (self.bot, self.other)
            if peer.lobby
        }
        for table in self.bot.lobby.tables:
            self.guests["p2"].hear(net.Began(table), self.world.now)
        self.world.act = self._act  # type: ignore[method-assign]
        self.world.notice = self._notice  # type: ignore[method-assign]

    def _act(self, peer: Peer) -> None:
        if peer.name in self.guests and peer.lobby:
            self.guests[peer.name].act(self.world.now)
        elif self.goes_on and peer.lobby and peer.lobby.tables:
            table = self.table(peer)
            if table.seat is None:
                table.agree(BackMotion(0), self.world.now)
            elif table.is_my_turn and peer is self.person:
                table.play(str(next(iter(table.log.now.match.state.moves))), self.world.now)

    def _notice(self, peer: Peer, event: net.Event) -> None:
        self.events.append(event)
        if peer.name in self.guests:
            self.guests[peer.name].hear(event, self.world.now)

    def table(self, peer: Peer) -> Table:
        assert peer.lobby
        [table] = peer.lobby.tables.values()
        return table

    def replace(self) -> None:
        """The owner goes, and the person proposes that p3 plays on."""
        self.world.crash(self.owner, None)
        table = self.table(self.person)
        self.world.run(lambda: table.overdue(self.world.now) == (0,))
        assert table.agree(StandInMotion(0, self.other.identity.key, "p3"), self.world.now)
        self.world.after(self.person)

    def settle(self, time: int = 3000) -> None:
        self.world.pass_time(time)


def test_a_bot_stands_in_plays_on_and_goes_when_the_owner_is_back() -> None:
    trio = Trio()
    trio.replace()
    log = trio.table(trio.person).log
    trio.world.run(lambda: log.now.match.ply == 1)
    assert log.entries[2].author == trio.other.identity.key
    trio.world.start(trio.owner)
    trio.settle()
    trio.goes_on = True
    own = trio.table(trio.owner)
    trio.world.run(lambda: own.seat == 0)
    trio.settle()
    assert trio.guests["p3"].done
    assert "the seat is played by another again" in trio.guests["p3"].news
    trio.world.run(lambda: own.is_my_turn)
    assert len({log.head for log in trio.world.logs()}) == 1


def test_a_bot_that_stays_is_free_when_the_owner_is_back() -> None:
    trio = Trio(stays=True)
    trio.replace()
    trio.world.run(lambda: bool(trio.guests["p3"].sittings))
    trio.world.start(trio.owner)
    trio.settle()
    trio.goes_on = True
    trio.world.run(lambda: not trio.guests["p3"].sittings)
    assert not trio.guests["p3"].done


def test_a_bot_signs_for_a_seat_as_soon_as_its_time_is_over_there_too() -> None:
    """It noticed later than who proposed that the seat is gone: a no would have stood for good."""
    trio = Trio()
    trio.world.crash(trio.owner, None)
    person, bot = trio.table(trio.person), trio.table(trio.bot)
    trio.world.run(lambda: person.overdue(trio.world.now) == (0,))
    bot.gone[0] = trio.world.now
    person.agree(StandInMotion(0, trio.other.identity.key, "p3"), trio.world.now)
    trio.world.after(trio.person)
    trio.world.run(lambda: bot.log.now.keys[0] == trio.other.identity.key)
    assert trio.world.now >= bot.log.now.terms.grace


def test_a_bot_does_not_agree_that_a_seat_is_gone_which_it_sees() -> None:
    trio = Trio()
    trio.world.sever(trio.owner, trio.person, 60_000)
    table = trio.table(trio.person)
    trio.world.run(lambda: table.overdue(trio.world.now) == (0,))
    table.agree(StandInMotion(0, trio.other.identity.key, "p3"), trio.world.now)
    trio.world.after(trio.person)
    trio.settle()
    assert any(isinstance(event, net.At) and isinstance(event.event, Declined) for event in trio.events)
    assert table.log.now.keys[0] == trio.owner.identity.key


def test_a_bot_signs_a_flag_as_soon_as_its_own_clock_saw_it_fall() -> None:
    """The owner is here, has no time left, and its program does not say so."""
    trio = Trio(agreed=terms("barons", 3, SMALL, grace=600_000, lot=False, clock=TimeControl(10_000, 0)))
    person, bot = trio.table(trio.person), trio.table(trio.bot)
    bot.began = trio.world.now + 4000  # it heard of the turn later
    with mute(trio.owner.key):
        trio.world.run(lambda: person.flag_fell(0, trio.world.now))
        assert person.agree(FlagMotion(0), trio.world.now)
        trio.world.after(trio.person)
        trio.settle(1500)
        assert bot.log.now.seats_in() == (0, 1, 2) and not bot.flag_fell(0, trio.world.now)
        assert not any(isinstance(event, net.At) and isinstance(event.event, Declined) for event in trio.events)
        falls = bot.began + 10_000
        trio.world.run(lambda: bot.log.now.seats_in() == (1, 2))
        assert trio.world.now > falls and not person.gone


def test_a_bot_keeps_no_flag_in_mind_where_no_clock_runs() -> None:
    trio = Trio()
    person, bot = trio.table(trio.person), trio.table(trio.bot)
    with pytest.raises(RulesError, match="this game has no clock"):
        person.agree(FlagMotion(0), trio.world.now)
    sitting = trio.guests["p2"].sittings[bot.log.table]
    sitting.proposed(FlagMotion(0), (person.seat or 0,), trio.world.now)
    assert sitting._about_seat is None


def test_a_bot_agrees_that_a_seat_which_keeps_its_cards_back_is_out(monkeypatch: pytest.MonkeyPatch) -> None:
    serve = Table._serve
    silent = next(iter(World("trio", terms("barons", 3, SMALL), others=1).peers))

    def withheld(table: Table, now: int) -> None:
        if table.identity.key != silent:
            serve(table, now)

    monkeypatch.setattr(Table, "_serve", withheld)
    trio = Trio(agreed=terms("dotter", 3, {"laps": 1}, lot=False, takebacks=False, grace=2000))
    assert trio.owner.identity.key == silent
    person, bot = trio.table(trio.person), trio.table(trio.bot)
    trio.world.run(lambda: person.overdue(trio.world.now) == (0,))
    assert not person.gone
    bot.began = trio.world.now  # its own clock has not seen that for long enough
    person.agree(DropMotion(0), trio.world.now)
    trio.world.after(trio.person)
    trio.settle(1000)
    assert bot.log.now.seats_in() == (0, 1, 2)
    trio.world.run(lambda: bot.log.now.seats_in() == (1, 2))


def test_a_bot_that_has_signed_another_decision_goes_on() -> None:
    """A second decision in the same place is refused by its table, and ends no program."""
    trio = Trio()
    trio.world.crash(trio.owner, None)
    bot = trio.table(trio.bot)
    trio.world.run(lambda: bot.overdue(trio.world.now) == (0,))
    sitting = trio.guests["p2"].sittings[bot.log.table]
    for motion in (DropMotion(0), StandInMotion(0, trio.other.identity.key, "p3")):
        sitting.proposed(motion, (trio.table(trio.person).seat or 0,), trio.world.now)
        sitting.act(trio.world.now)
    assert bot.accord.promise == DropMotion(0)


def test_a_bot_does_not_stand_in_where_it_does_not_want_to() -> None:
    trio = Trio(stands_in=False)
    trio.replace()
    log = trio.table(trio.person).log
    trio.settle(10_000)
    assert log.now.keys[0] != trio.other.identity.key and not trio.guests["p3"].sittings


def test_a_bot_takes_its_own_seat_back() -> None:
    trio = Trio()
    trio.replace()
    log = trio.table(trio.person).log
    trio.world.run(lambda: log.now.match.ply == 1)
    trio.world.start(trio.owner)
    assert trio.owner.lobby
    trio.guests["p0"] = Guest(trio.owner.lobby, talk, asks=lambda offer, at: "no")
    trio.guests["p0"].hear(net.Began(log.table), trio.world.now)
    trio.goes_on = True
    trio.world.run(lambda: log.now.keys[0] == trio.owner.identity.key)
