"""Bots in the seats of a log that one peer holds, beside a person at the same keyboard, and of a peer of two seats."""

import json
from typing import Any

import pytest

from quadrille.ai.bots import talk as talk_module
from quadrille.ai.bots.lines.dialogue import Chosen
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.peer.seated import BEAT, SeatedBot
from quadrille.net.entries.motions import (
    BackMotion,
    DropMotion,
    FlagMotion,
    HandMotion,
    PauseMotion,
    StandInMotion,
    TableMotion,
    TakebackMotion,
)
from quadrille.net.entries.table_store import MemoryShelf
from quadrille.net.entries.terms import Chair, Terms, TimeControl
from quadrille.net.game_log.news import Declined
from quadrille.net.seating import lobby as net
from quadrille.net.seating.own_table import own_table
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.chance import Stream
from quadrille.rules.errors import RulesError
from tests.ai.guests import SMALL, BotWorld
from tests.ai.inside import Anything, talk
from tests.client.evening import mute
from tests.net.simulation import Peer, World, gather
from tests.net.tables import terms

OWN = Identity(bytes(32))


class Home:
    """A person's own table: they have the first seat, and a bot each of the others."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, agreed: Terms, *programs: Talk | BotFault) -> None:
        self.now = 0
        monkeypatch.setattr(talk_module, "now", lambda: self.now)
        entropy, names = Stream("home", "entropy"), ["Ann", "x", "y", "z"][: agreed.seats]
        chairs = tuple(
            Chair(OWN.key, name, "bot" if at else "person", "Ann" * (at > 0)) for at, name in enumerate(names)
        )
        self.table = own_table(OWN, MemoryShelf(), agreed, chairs, 0, lambda size: entropy.word().to_bytes(size, "big"))
        self.programs = programs or tuple(talk() for _ in names[1:])
        self.bots = [SeatedBot(self.table, at, one, None, forfeits=False) for at, one in enumerate(self.programs, 1)]

    def act(self, wait: int = 0) -> list[Any]:
        self.now += wait
        return [event for bot in self.bots for event in bot.act(self.now) if not hasattr(event, "omit")]

    def play(self, at: int = 0) -> None:
        self.table.play(str([*self.table.view.moves][at]), self.now)

    def told(self, seat: int) -> list[dict[str, Any]]:
        program: Any = self.programs[seat - 1]
        return [json.loads(line) for line in program.program.told]

    @property
    def plies(self) -> int:
        return self.table.log.now.match.ply


BARONS = terms("barons", 3, SMALL, lot=False)


def test_bots_answer_a_person_at_once_and_each_other_after_a_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(monkeypatch, BARONS)
    home.act()
    home.play()
    assert any(isinstance(event, Chosen) for event in home.act()) and home.plies == 2
    home.act()
    assert home.plies == 2 and home.bots[1].deadline == BEAT
    home.act(BEAT - 1)
    assert home.plies == 2
    home.act(1)
    assert home.plies == 3 and home.table.log.now.turn == 0


def test_with_a_clock_bots_wait_for_no_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(monkeypatch, terms("barons", 3, SMALL, lot=False, clock=TimeControl(60_000, 0)))
    home.act()
    home.play()
    home.act()
    home.act()
    assert home.plies == 3
    assert [line["clock"]["left"] for line in home.told(2) if line["do"] == "turn"] == [[60_000] * 3]


def test_a_bot_rests_at_home_while_the_game_is_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(monkeypatch, BARONS)
    home.act()
    home.play()
    home.table.agree(PauseMotion(), home.now)
    home.act()
    assert home.plies == 1 and "turn" not in [line["do"] for line in home.told(1)]


@pytest.mark.parametrize(("kind", "loses"), [("crash", False), ("illegal", False), ("time", True)])
def test_a_fault_at_home_waits_for_the_person_unless_the_time_is_up(
    monkeypatch: pytest.MonkeyPatch, kind: str, loses: bool
) -> None:
    """Another bot can take the seat and play on."""
    clock = TimeControl(60_000, 0) if loses else None
    home = Home(monkeypatch, terms("barons", 3, SMALL, lot=False, clock=clock), BotFault(kind, "failed"), talk())
    assert any(isinstance(event, BotFault) for event in home.act())
    home.play()
    home.act()
    assert (1 in home.table.log.now.seats_in()) is not loses
    if not loses:
        home.bots[0] = SeatedBot(home.table, 1, talk(), None, forfeits=False)
        home.act()
        assert home.plies == 2


def test_moves_are_taken_back_while_a_bot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer to a position that is gone means nothing; it hears the end like everybody."""
    home = Home(monkeypatch, BARONS)
    home.act()
    home.play()
    home.act()
    home.act()
    home.table.agree(TakebackMotion(2), home.now)
    home.act(BEAT)
    assert home.plies == 0 and home.table.log.now.turn == 0
    while not home.table.over:
        home.play(-1)
        home.act(BEAT)
        home.act(BEAT)
    home.act()
    for seat in (1, 2):
        assert [line["do"] for line in home.told(seat)].count("over") == 1
    assert [item["undone"] for line in home.told(1) for item in line.get("news", ()) if "undone" in item] == [1]


def test_a_bot_at_home_is_told_no_card_that_another_seat_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The peer has dealt all of them, and the log does not hide them from its program."""

    class Peeks(Anything):
        def choose(self, view: Any, clock: Any, rng: Any) -> str:
            return next((text for text in map(str, view.moves) if text.startswith("peek")), str(next(iter(view.moves))))

    home = Home(monkeypatch, terms("dotter", 2, {"laps": 1}, lot=False, takebacks=False), talk(Peeks()))
    for _ in range(6):
        home.act(BEAT)
        if home.table.log.now.turn == 0:
            peeks = [text for text in map(str, home.table.view.moves) if text.startswith("peek")]
            home.table.play((peeks or [str(next(iter(home.table.view.moves)))])[0], home.now)
    home.act(BEAT)
    news = [item for line in home.told(1) for item in line.get("news", ()) if item.get("move", "").startswith("peek")]
    faces = {seat: {face for item in news if item["seat"] == seat for face in item["faces"]} for seat in (0, 1)}
    assert faces[0] == {"?"} and faces[1] and "?" not in faces[1]


# Bots at a table where a seat is gone: they sign decisions about it, play on there, and give it back to its owner


class Trio(BotWorld):
    """A person p0, who goes when a test says so; p1, who decides; and a bot p2, which plays."""

    def __init__(self, *, agreed: Terms | None = None) -> None:
        super().__init__("trio", agreed or terms("barons", 3, SMALL, grace=2000, lot=False))
        self.goes_on = False  # the person plays, and the owner wants its seat back
        gather(self)
        self.owner, self.person, self.bot = self.peers.values()
        self.run(lambda: all(self.begun(peer) for peer in self.peers.values()))
        self.bring(self.bot, asks=lambda *_: "no")
        self.its, self.bots = self.seat_of(self.person), self.seat_of(self.bot)
        self.guests["p2"].hear(net.Began(self.bots.log.table), self.now)

    def check_step(self) -> None:
        """Who is replaced may have written unseen: its log is no prefix of the others' until it has heard of that."""

    def act(self, peer: Peer) -> None:
        super().act(peer)
        if self.goes_on and peer.name not in self.guests and peer.lobby and peer.lobby.tables:
            table = self.seat_of(peer)
            if table.seat is None:
                table.agree(BackMotion(0), self.now)
            elif peer is self.person:
                self.play_first(peer, table)

    def seat_of(self, peer: Peer) -> Table:
        """The one table, as a peer has it."""
        [table] = peer.lobby.tables.values()
        return table

    def propose(self, motion: TableMotion) -> None:
        """The person does, as soon as the owner is overdue there."""
        self.run(lambda: self.its.overdue(self.now) == (0,))
        assert self.its.agree(motion, self.now)
        self.after(self.person)

    @property
    def stand_in(self) -> StandInMotion:
        """That the bot plays on."""
        return StandInMotion(0, self.bot.key, "p2")

    def replace(self) -> None:
        """The owner goes, and the person proposes that the bot plays on."""
        self.crash(self.owner, None)
        self.propose(self.stand_in)


def test_a_bot_plays_on_for_another_until_the_owner_is_back_and_then_in_its_own_seat() -> None:
    trio = Trio()
    trio.replace()
    log = trio.its.log
    trio.run(lambda: log.now.match.ply == 1)
    assert log.entries[2].author == trio.bot.key
    trio.start(trio.owner)
    trio.pass_time(3000)
    trio.goes_on = True
    own = trio.seat_of(trio.owner)
    trio.run(lambda: own.seat == 0)
    trio.pass_time(3000)
    assert len(trio.bots.seats) == 1 and not trio.guests["p2"].done
    trio.run(lambda: own.is_my_turn)
    assert len({log.head for log in trio.logs()}) == 1


def test_a_bot_signs_for_a_seat_as_soon_as_its_time_is_over_there_too() -> None:
    """It noticed later than who proposed that the seat is gone: a no would have stood for good."""
    trio = Trio()
    trio.crash(trio.owner, None)
    trio.run(lambda: trio.its.overdue(trio.now) == (0,))
    trio.bots.gone[0] = trio.now
    trio.propose(trio.stand_in)
    trio.run(lambda: trio.bots.log.now.keys[0] == trio.bot.key)
    assert trio.now >= trio.terms.grace


def test_a_bot_does_not_agree_that_a_seat_is_gone_which_it_sees() -> None:
    trio = Trio()
    trio.sever(trio.owner, trio.person, 60_000)
    trio.propose(trio.stand_in)
    trio.pass_time(3000)
    assert trio.told(Declined)
    assert trio.its.log.now.keys[0] == trio.owner.key


def test_a_bot_signs_a_flag_as_soon_as_its_own_clock_saw_it_fall() -> None:
    """The owner is here, has no time left, and its program does not say so."""
    trio = Trio(agreed=terms("barons", 3, SMALL, grace=600_000, lot=False, clock=TimeControl(10_000, 0)))
    bot = trio.bots
    bot.began = trio.now + 4000  # it heard of the turn later
    with mute(trio.owner.key):
        trio.run(lambda: trio.its.flag_fell(0, trio.now))
        assert trio.its.agree(FlagMotion(0), trio.now)
        trio.after(trio.person)
        trio.pass_time(1500)
        assert bot.log.now.seats_in() == (0, 1, 2) and not bot.flag_fell(0, trio.now)
        assert not trio.told(Declined)
        falls = bot.began + 10_000
        trio.run(lambda: bot.log.now.seats_in() == (1, 2))
        assert trio.now > falls and not trio.its.gone


def test_a_bot_keeps_no_flag_in_mind_where_no_clock_runs() -> None:
    trio = Trio()
    with pytest.raises(RulesError, match="this game has no clock"):
        trio.its.agree(FlagMotion(0), trio.now)
    [sitting] = trio.guests["p2"].sittings.values()
    sitting.proposed(FlagMotion(0), (trio.its.seat or 0,), trio.now)
    assert sitting._about_seat is None


def test_a_bot_agrees_that_a_seat_which_keeps_its_cards_back_is_out(monkeypatch: pytest.MonkeyPatch) -> None:
    serve = Table._serve
    silent = next(iter(World("trio", terms("barons", 3, SMALL)).peers))

    def withheld(table: Table, now: int) -> None:
        if table.identity.key != silent:
            serve(table, now)

    monkeypatch.setattr(Table, "_serve", withheld)
    trio = Trio(agreed=terms("dotter", 3, {"laps": 1}, lot=False, takebacks=False, grace=2000))
    assert trio.owner.key == silent
    trio.run(lambda: trio.its.overdue(trio.now) == (0,))
    assert not trio.its.gone
    trio.bots.began = trio.now  # its own clock has not seen that for long enough
    trio.propose(DropMotion(0))
    trio.pass_time(1000)
    assert trio.bots.log.now.seats_in() == (0, 1, 2)
    trio.run(lambda: trio.bots.log.now.seats_in() == (1, 2))


def test_a_bot_that_has_signed_another_decision_goes_on() -> None:
    """A second decision in the same place is refused by its table, and ends no program."""
    trio = Trio()
    trio.crash(trio.owner, None)
    trio.run(lambda: trio.bots.overdue(trio.now) == (0,))
    [sitting] = trio.guests["p2"].sittings.values()
    for motion in (DropMotion(0), trio.stand_in):
        sitting.proposed(motion, (trio.its.seat or 0,), trio.now)
        sitting.act(trio.now)
    assert trio.bots.accord.promise == DropMotion(0)


def test_a_bot_takes_its_own_seat_back() -> None:
    trio = Trio()
    trio.replace()
    log = trio.its.log
    trio.run(lambda: log.now.match.ply == 1)
    trio.start(trio.owner)
    trio.bring(trio.owner, asks=lambda *_: "no").hear(net.Began(log.table), trio.now)
    trio.goes_on = True
    trio.run(lambda: log.now.keys[0] == trio.owner.key)


def test_a_bot_that_stands_in_for_a_peer_plays_all_its_seats_and_signs_once() -> None:
    """p0 holds two of four seats, p1 decides, and the bot p2 plays."""
    world = BotWorld("two at one", terms("barons", 4, SMALL, grace=2000, lot=False))
    world.check_step = lambda: None  # type: ignore[method-assign]  # see `Trio`
    owner, person, bot, _ = world.peers.values()
    for peer in world.peers.values():
        world.start(peer)
    world.bring(bot)
    gathering = owner.lobby.host(world.terms, b"nonce", world.now, others=[("Dora", "person")])
    world.after(owner)
    world.run(lambda: owner.key in person.lobby.peers)
    world.do(person, lambda lobby, now: lobby.join(gathering.offer(), now))
    world.run(lambda: len(gathering.chairs) == 4)
    world.start_game(owner, gathering)
    world.run(lambda: bool(person.lobby.tables))
    [table] = person.lobby.tables.values()
    world.crash(owner, None)
    world.run(lambda: table.overdue(world.now) == (0, 1))
    assert table.agree(StandInMotion(0, bot.key, "p2"), world.now)
    world.after(person)
    world.run(lambda: table.log.now.match.ply == 2)
    assert {entry.author for entry in table.log.entries[2:4]} == {bot.key}
    assert [note for note in world.guests["p2"].news if "playing" in note] == [
        f"playing as player {seat} at table {table.log.table.hex()[:8]}" for seat in (4, 1, 2)
    ]
    table.agree(TakebackMotion(1), world.now)  # all programs of p2 are asked
    world.after(person)
    world.run(lambda: table.log.now.match.ply == 1)
    while not table.over:
        world.play_first(person, table)
        world.pass_time(500)
    world.pass_time(3000)
    assert world.guests["p2"].done and world.guests["p2"].fault is None


@pytest.mark.parametrize("handed", [True, False])
def test_a_bot_lets_others_hand_their_seats_on_and_keeps_its_own(handed: bool) -> None:
    trio = Trio()
    number = 0 if handed else trio.bots.seat or 0
    motion = HandMotion(number, trio.person.key, "Ann")
    for peer in (trio.person, trio.owner):
        trio.do(peer, lambda _, now, peer=peer: trio.seat_of(peer).agree(motion, now))
        trio.pass_time(1000)
    assert (trio.its.log.now.keys[number] == trio.person.key) is handed is not bool(trio.told(Declined))
