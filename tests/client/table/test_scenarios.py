"""One game, three seats: at one keyboard, among three programs, and where one program holds two of the seats.

What a person may wish, and what comes of it, is the same at each table; only the agreement of all takes an answer of
each program.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import pytest

from quadrille.client.screen.network.session import NetworkSession
from quadrille.client.screen.table.messages import head_right
from quadrille.client.screen.table.model import Model, Question
from quadrille.client.screen.table.shown import seated
from quadrille.client.table.game_setup import Cover
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import About, CardsSeen, Fact, ProposedHere, Refused, ShownMotion, Why
from quadrille.client.table.stage import WATCHING
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import BareWish, OtherLine, PlayMove, Takeback, TextWish, Verb, Wish
from quadrille.client.words.commands import Place
from quadrille.client.words.table import lines_of
from quadrille.net.entries.motions import HandMotion
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.news import Took
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Agreed, Deal, Left, Match
from quadrille.rules.registry import game
from tests.client.evening import SMALL, Evening, barons
from tests.client.screen.keyboard import press
from tests.client.sittings import Sitting, moves_of
from tests.net.tables import terms

CLOCK: Final = TimeControl(60_000, 0)


class Keyboard:
    """Three people at one keyboard."""

    programs = (0,)

    def __init__(self) -> None:
        match = Match(game("barons"), SMALL, 3, deal=Deal("s"))
        self.sitting = Sitting.of(match, ("", "", ""), CLOCK, ("p0", "p1", "p2")).begun()
        self.now = 0

    def seat(self, program: int) -> TableSeat:
        return self.sitting.seat

    def wish(self, program: int, wish: Wish) -> list[Why | Exception]:
        self.sitting = self.sitting.after(wish)
        return [notice.why for notice in self.sitting.said if isinstance(notice, Refused)]

    def passes(self, time: int) -> None:
        self.now += time
        self.sitting = self.sitting.after(self.now)

    def names(self) -> tuple[str, ...]:
        return self.sitting.seats.names


class Programs:
    """Three people, each with a program."""

    programs: tuple[int, ...] = (0, 1, 2)
    made: Callable[[], Evening] = staticmethod(lambda: Evening(barons(3, clock=CLOCK)))

    def __init__(self) -> None:
        self.evening = type(self).made().begin()

    def seat(self, program: int) -> TableSeat:
        stage = self.evening.talks[f"p{program}"].stage
        assert isinstance(stage, TableSeat)
        return stage

    def wish(self, program: int, wish: Wish) -> list[Why | Exception]:
        return self.evening.wish(f"p{program}", wish)

    def passes(self, time: int) -> None:
        self.evening.settle(time)

    def names(self) -> tuple[str, ...]:
        if isinstance(self.evening.talks["p0"].stage, WaitingRoom):
            self.evening.begin()
        return self.seat(0).seats.names


class Beside(Programs):
    """Two people at one program, and one at another."""

    programs = (0, 1)
    made = staticmethod(lambda: Evening(barons(3, clock=CLOCK), guests=1, beside=(("p2", "person"),)))


Party: TypeAlias = Keyboard | Programs
each = pytest.mark.parametrize("made", [Keyboard, Programs, Beside])


def match_of(party: Party) -> Match:
    return party.seat(0).match


def holder(party: Party) -> int:
    """The program whose person is to move."""
    return next(one for one in party.programs if party.seat(one).turn in party.seat(one).mine)


def plays(party: Party, *moves: str) -> None:
    for move in moves:
        assert party.wish(holder(party), PlayMove(move)) == []


def all_wish(party: Party, wish: Wish) -> None:
    """One wishes it, and every other program agrees."""
    assert party.wish(0, wish) == []
    for other in party.programs[1:]:
        assert party.wish(other, BareWish.AGREE) == []


def moves(party: Party) -> list[str]:
    return moves_of(match_of(party))


@each
def test_everybody_moves_in_turn_and_every_program_shows_the_same(made: Callable[[], Party]) -> None:
    party = made()
    plays(party, "a1", "b2", "c3", "a2")
    assert moves(party) == ["a1", "b2", "c3", "a2"] and len(set(party.names())) == 3
    assert {party.seat(one).match.state.digest() for one in party.programs} == {match_of(party).state.digest()}
    [why] = party.wish(holder(party), PlayMove("a1"))
    assert isinstance(why, RulesError) and len(moves(party)) == 4
    mine = [seat for one in party.programs for seat in party.seat(one).mine]
    assert sorted(mine) == [0, 1, 2], "each seat is somebody's"


@each
def test_moves_are_taken_back_when_all_agree(made: Callable[[], Party]) -> None:
    party = made()
    assert party.wish(0, Takeback(1)) != [] and moves(party) == []
    plays(party, "a1", "b2", "c3")
    all_wish(party, Takeback(2))
    assert moves(party) == ["a1"]
    plays(party, "b3")
    assert moves(party) == ["a1", "b3"]


@each
def test_a_draw_ends_the_game_when_all_agree_and_then_nothing_is_played(made: Callable[[], Party]) -> None:
    party = made()
    plays(party, "a1")
    all_wish(party, BareWish.DRAW)
    assert match_of(party).entries[-1] == Agreed() and match_of(party).over
    for wish, why in (
        (PlayMove("b2"), Why.NO_COMMAND),
        (OtherLine("b2"), Why.NO_COMMAND),
        (BareWish.DRAW, Why.OVER),
        (BareWish.RESIGN, Why.OVER),
    ):
        assert party.wish(0, wish) == [why]


@each
def test_no_time_passes_in_a_pause(made: Callable[[], Party]) -> None:
    party = made()
    plays(party, "a1", "b2", "c3")
    before = [party.seat(0).table.time_left(seat, party.seat(0).context.now()) or 0 for seat in range(3)]
    all_wish(party, BareWish.PAUSE)
    party.passes(50_000)
    if isinstance(party, Keyboard):  # the same word ends it there; among several programs the next move does
        assert party.wish(0, PlayMove("a2")) == [Why.PAUSED]
        party.wish(0, BareWish.PAUSE)
    plays(party, "a2")
    clocks = party.seat(0).clocks
    assert clocks is not None and all(abs(left - was) < 3000 for left, was in zip(clocks.left, before, strict=True))


@each
def test_who_resigns_or_has_no_time_left_is_out_and_the_others_play_on(made: Callable[[], Party]) -> None:
    party = made()
    plays(party, "a1")
    assert party.wish(holder(party), BareWish.RESIGN) == []
    assert match_of(party).entries[-1] == Left(1, "resigned") and match_of(party).turn == 2
    party.passes(62_000)
    assert match_of(party).entries[-1] == Left(2, "time")
    assert match_of(party).over and match_of(party).over.places[0] == 1


@pytest.mark.parametrize("made", [Keyboard, Beside])
def test_whoever_plays_on_at_a_keyboard_resigns_and_not_somebody_who_has_left(made: Callable[[], Party]) -> None:
    """At a program with two seats, the second one out of turn gave up the seat that had left, and stayed."""
    party = made()
    assert party.wish(0, BareWish.RESIGN) == []
    while len(party.programs) > 1 and holder(party) == 0:
        plays(party, str(next(iter(match_of(party).state.moves))))
    assert party.wish(0, BareWish.RESIGN) == []
    if not match_of(party).over:
        plays(party, str(next(iter(match_of(party).state.moves))))
    assert len({entry.seat for entry in match_of(party).entries if isinstance(entry, Left)}) == 2


@each
def test_a_rematch_moves_everybody_up_one_seat(made: Callable[[], Party]) -> None:
    party = made()
    assert party.wish(0, BareWish.REMATCH) != []
    before, dealt = party.names(), match_of(party).deal
    all_wish(party, BareWish.DRAW)
    for program in party.programs:
        assert party.wish(program, BareWish.REMATCH) == []
    assert party.names() == (*before[1:], *before[:1]) and match_of(party).deal != dealt
    plays(party, "b2")


def test_two_people_at_one_keyboard_do_not_only_watch_while_their_hands_are_hidden() -> None:
    made = Evening(terms("dotter", 3, {"laps": 1}, takebacks=False), guests=1, beside=(("p2", "person"),)).begin()
    made.settle(4000)
    seat = made.table("p0").stage
    assert seat.people == (1, 2) and seat.viewer is None, "it is the turn of the other program"
    shown = seated(seat, (), here=1)
    assert shown.place is Place.SEAT and "WATCHING" not in head_right(Model(shown))[0]


def test_a_bot_of_this_program_is_no_second_reader_of_its_sentences() -> None:
    made = Evening(barons(3), guests=1, beside=(("Vic (level 2 of p0)", "bot"),)).begin()
    seat = made.table("p0").stage
    own, bot = (seat.seats.names.index(name) for name in ("p0", "Vic"))
    seat.context.deputies[seat.number, bot] = "2"
    assert seat.reader == own and seated(seat, (), here=1).chairs[own].name == "you"


def test_two_people_at_one_keyboard_hide_their_hands_from_each_other_on_the_network_too() -> None:
    made = Evening(
        terms("dotter", 3, {"laps": 1}, lot=False, takebacks=False), guests=1, beside=(("p2", "person"),)
    ).begin()
    made.settle(4000)
    seat, face = made.table("p0").stage, made.table("p0")
    assert seat.people == (0, 1) and seat.viewer == 0 and seat.cover is None
    assert "It is the turn of player 2 (p2)." in made.type("p0", "draw")
    for name in ("p0", "p1"):
        made.type(name, "draw")
    assert seat.viewer == 0, "nobody has seen a card"
    made.type("p0", "peek p1 1a 1b")
    made.settle(2000)
    assert seat.viewer == 0 and seat.cover == Cover(1, 0)
    shown = seated(seat, (), here=1)
    assert shown.cover == Cover(1, 0) and shown.viewer == 0
    assert [chair.name for chair in shown.chairs] == ["p0", "p2", "p1"]
    assert lines_of(seat, Left(0, "resigned")) == ["p0 has resigned."], "two people read this"
    assert face.prompt == "Press Enter, then hand over to player 2 (p2) "
    made.type("p0", "")
    assert seat.viewer == 1 and seat.cover is None
    asked = press(Model(seated(seat, (), here=1)), "f9")[0].overlay
    assert asked == Question("Resign for p2, who will lose this game?", BareWish.RESIGN)
    hidden = [face for face in seat.view.board.faces if face >= 0]
    assert hidden == [], "the second person has seen no card"
    station, options = SimpleNamespace(lobby=seat.context.lobby), SimpleNamespace(room=None)
    place: Any = SimpleNamespace(context=seat.context, station=station, options=options)
    session = NetworkSession(place)
    session.front = seat
    seat.say(CardsSeen(("9H",)))
    session._collect(seat)
    assert session._fresh == ["You see 9♥."] and not session._said, "the other one may read all that happened"


# One signature stands for a host and for all at its program: guests by phone, and people at one keyboard


class Table:
    """p0 hosts, Ben is p0's guest, and p1 has a program of its own; "screen" looks on at p0's."""

    def __init__(self) -> None:
        self.evening = Evening(barons(3), guests=1, beside=(("Ben", "guest"),)).begin()
        host = self.evening.talks["p0"].stage
        assert isinstance(host, TableSeat)
        here = {name: TableSeat(host.context, host.table, guest=name) for name in ("Ben", "")}
        self.seats = {"p0": host, "Ben": here["Ben"], "screen": here[""], "p1": self.evening.table("p1").stage}
        for one in here.values():
            one.begin()
        hears = host.hear

        def hear(event: object) -> None:
            for one in here.values():
                one.hear(event)
            hears(event)

        host.hear = hear

    def wish(self, name: str, wish: Wish) -> list[Why | Exception]:
        return self.evening.wish("p1" if name == "p1" else "p0", wish, self.seats[name])

    def asked(self) -> list[str]:
        return [name for name, seat in self.seats.items() if seat.vote.is_asked]

    @property
    def over(self) -> bool:
        return all(seat.table.over is not None for seat in self.seats.values())


@pytest.fixture
def table() -> Table:
    return Table()


def test_names_say_where_a_guest_sits_to_those_elsewhere(table: Table) -> None:
    assert table.seats["p0"].seats.kinds[1] == "guest" and table.seats["p1"].seats.kinds[1] == "at p0's"
    assert {seat.seats.names[1] for seat in table.seats.values()} == {"Ben"}
    table.wish("Ben", TextWish(Verb.SAY, "hello"))
    assert [(line.who, line.line, line.own) for line in table.seats["p1"].said] == [(1, "hello", False)]
    assert [line.own for line in table.seats["Ben"].said] == [True]
    table.seats["p0"].table.say(f"Cleo{WATCHING}: hi")  # who has no chair
    table.evening.world.after(table.evening.peer("p0"))
    table.evening.settle(300)
    assert [table.seats[name].said[-1].who for name in ("Ben", "p1")] == ["Cleo (watching)", "Cleo (watching) at p0's"]


@pytest.mark.parametrize("first", ["p0", "Ben", "p1"])
def test_all_here_are_asked_before_the_peer_signs(table: Table, first: str) -> None:
    table.wish("p0", PlayMove("a1"))
    assert table.wish(first, BareWish.DRAW) == []
    others = [name for name in ("p0", "Ben") if name != first]
    assert [name for name in table.asked() if name != "p1"] == others
    for name in others:
        assert table.wish(name, BareWish.AGREE) == [] and table.wish(name, BareWish.AGREE) == [Why.NOTHING_TO_ANSWER]
    if first != "p1":
        assert table.asked() == ["p1"] and table.wish("p1", BareWish.AGREE) == []
    assert table.over


def test_who_proposes_sees_all_who_must_agree_here_and_elsewhere(table: Table) -> None:
    for first, others in {"p0": (1, 2), "Ben": (0, 2)}.items():
        table.wish(first, BareWish.DRAW)
        assert table.seats[first].concern() == ProposedHere(ShownMotion("draw"), others)
        table.wish(first, BareWish.DECLINE)


@pytest.mark.parametrize("first", ["Ben", "p1"])
def test_who_comes_back_to_a_table_is_asked_what_is_open_there(table: Table, first: str) -> None:
    table.wish(first, BareWish.DRAW)
    table.seats["p0"] = back = TableSeat(table.seats["p0"].context, table.seats["p0"].table)
    assert not back.vote.is_asked
    back.begin()
    assert back.vote.is_asked and table.wish("p0", BareWish.DECLINE) == [] and table.asked() == []


def test_a_bot_is_not_asked_once_its_seat_was_taken_back(table: Table) -> None:
    host = table.seats["p0"]
    host.context.deputies[host.table.log.table, 2] = "2"
    for name, wish in {"p0": BareWish.DRAW, "Ben": BareWish.AGREE, "p1": BareWish.AGREE}.items():
        assert table.wish(name, wish) == []
    assert table.over


@pytest.mark.parametrize(("first", "no"), [("p0", "Ben"), ("Ben", "p0"), ("p1", "Ben"), ("p1", "p0")])
def test_one_no_declines_for_all_here(table: Table, first: str, no: str) -> None:
    table.wish("p0", PlayMove("a1"))
    table.wish(first, BareWish.DRAW)
    assert no in table.asked()
    table.wish(no, BareWish.DECLINE)
    assert table.asked() == [] and not table.over
    assert all(seat.vote.open is None for seat in table.seats.values())


def test_who_only_looks_on_signs_nothing_for_the_guests_here(table: Table) -> None:
    assert table.wish("screen", BareWish.DRAW) == [Why.NO_SEAT] and table.asked() == []


@pytest.mark.parametrize("is_asleep", [True, False])
def test_nobody_waits_for_the_consent_of_a_guest_who_is_asleep_or_for_whom_a_bot_plays(
    table: Table, is_asleep: bool
) -> None:
    host = table.seats["p0"]
    table.wish("p0", PlayMove("a1"))
    if is_asleep:
        host.context.asleep.add("Ben")
    else:
        host.context.deputies[host.table.log.table, 1] = "2"
    assert table.wish("p0", BareWish.DRAW) == [] and table.asked() == ["p1"]


def test_only_who_leads_goes_on_with_another_game_and_only_own_guests_are_kicked(table: Table) -> None:
    assert table.wish("p0", TextWish(Verb.KICK, "p1")) == [Why.NO_GUEST_OF_YOURS] and table.wish(
        "p0", TextWish(Verb.KICK, "Eve")
    ) == [Why.NOBODY_SITS]
    assert table.wish("p0", TextWish(Verb.KICK, "")) == [Why.NAME_MISSING]
    assert table.wish("p0", TextWish(Verb.KICK, "ben")) == [] and table.seats["Ben"].stand_in == "Level 2"
    for name in ("p0", "Ben", "screen", "p1"):
        assert "no table can be opened here" in str(table.wish(name, TextWish(Verb.NEXT, "maze")))


def test_what_is_proposed_lapses_with_the_move_of_another_one_here(table: Table) -> None:
    table.wish("p0", PlayMove("a1"))
    table.wish("p0", BareWish.DRAW)
    table.wish("Ben", PlayMove("b1"))
    assert table.asked() == [] and table.wish("Ben", BareWish.AGREE) == [Why.NOTHING_TO_ANSWER]


def test_a_proposal_stands_when_word_of_the_entry_before_it_comes_late(table: Table) -> None:
    """A guest's wish is granted between a turn of the station and the report of what the turn took."""
    table.wish("p0", PlayMove("a1"))
    table.wish("p0", BareWish.DRAW)
    for name in ("p0", "Ben"):
        table.seats[name].hear_here(Took(table.seats[name].table.log.entries[-1]))
    assert table.asked() == ["Ben"] and table.wish("p0", BareWish.DRAW) == [Why.AGREED_ALREADY]


def test_nobody_is_bound_by_a_yes_to_a_draw_before_a_move_that_is_not_reported_yet(table: Table) -> None:
    table.wish("p0", PlayMove("a1"))
    table.wish("p0", BareWish.DRAW)
    table.seats["Ben"].table.play("b1", table.evening.world.now)
    table.seats["Ben"].wish(BareWish.AGREE)
    assert table.seats["Ben"].table.accord.open is None


def test_a_guest_resigns_alone_and_all_here_want_a_rematch_or_there_is_none(table: Table) -> None:
    table.wish("Ben", BareWish.RESIGN)
    table.wish("p0", PlayMove("a1"))
    assert not table.over
    table.wish("p1", BareWish.RESIGN)
    assert table.over
    assert table.wish("Ben", BareWish.REMATCH) == [] and table.seats["p0"].who_wants_rematch == 1
    table.wish("p0", BareWish.DECLINE)
    assert all(seat.onward is None for seat in table.seats.values())
    table.wish("p0", BareWish.REMATCH)
    assert table.seats["Ben"].who_wants_rematch == 0 and table.wish("Ben", BareWish.AGREE) == []
    assert table.seats["Ben"].onward is not None


def test_a_stand_in_of_the_host_s_plays_for_a_guest_and_for_nobody_elsewhere(table: Table) -> None:
    assert table.wish("p0", TextWish(Verb.STAND_IN, "3")) == [Why.NOBODY_OVERDUE]
    table.wish("p0", PlayMove("a1"))
    assert table.wish("p0", TextWish(Verb.STAND_IN, "3")) == [] and table.seats["Ben"].stand_in == "Level 3"
    assert table.wish("Ben", TextWish(Verb.STAND_IN, "3")) == [Why.NOT_HERE], "a guest starts no program of the host's"


def test_a_stand_in_plays_for_the_next_sleeper_who_has_none() -> None:
    """It took the place of the first one's bot."""
    made = Evening(barons(4), guests=1, beside=(("Ben", "guest"), ("Cleo", "guest"))).begin()
    host = made.table("p0").stage
    host.context.asleep.update(("Ben", "Cleo"))
    assert host.concern() == About(Fact.GUEST_ASLEEP, 1)
    for bot, seats in {"2": {1: "2"}, "3": {1: "2", 2: "3"}, "4": {1: "4", 2: "3"}}.items():
        assert made.wish("p0", TextWish(Verb.STAND_IN, bot)) == []
        assert {seat: bot for (_, seat), bot in host.context.deputies.items()} == seats
        assert host.concern() == (About(Fact.GUEST_ASLEEP, 2) if len(seats) == 1 else None)


# Several people at one keyboard of a table on the network


def test_who_asks_for_a_further_seat_that_is_not_there_gets_none_and_reads_why() -> None:
    made = Evening(barons(3, held=1), guests=1)
    host, late = made.peers[0], made.peers[1]
    [(table, gathering)] = host.lobby.gatherings.items()
    late.lobby.gatherings[table].add("Emil", "guest")
    made.world.after(late)
    made.settle()
    told = "There is no further seat for you at this table: one peer may hold 1 seat here, and no more."
    assert told in made.told("p1") and len(gathering.chairs) == 2


def test_a_game_is_finished_at_one_keyboard_once_both_have_agreed() -> None:
    made = Evening(barons()).begin()
    made.type("p0", "a1")
    assert made.type("p1", "hand Zoe") == 'Nobody called "Zoe" sits here.\n'
    assert made.type("p1", "hand").startswith("A name is missing. ")
    assert "that p0 takes over the seat of player 2 (p1)" in made.type("p1", "hand p0")
    assert made.table("p0").stage.people == (0,)
    made.settle()
    made.type("p0", "yes")
    stage = made.table("p0").stage
    assert stage.people == (0, 1) and stage.is_alone and made.table("p1").stage.people == ()
    made.type("p0", "a2")
    made.type("p0", "a3")
    assert stage.match.ply == 3 and made.table("p1").stage.match.ply == 3, "the other looks on"


@pytest.mark.parametrize(("called", "told"), [("p3", "p3"), ("p1", "another p1")])
def test_who_looks_on_is_handed_a_seat_once_all_who_play_agree(called: str, told: str) -> None:
    made = Evening(barons(3), 1).begin()
    late, name = made.peers[3], made.table("p1").stage.table.log.table
    made.world.do(late, lambda lobby, _: lobby.watch(name, made.peers[1].key))
    made.settle()
    made.world.do(late, lambda lobby, _: lobby.ask_for_seat(name))
    hand = HandMotion(1, late.key, called)
    made.world.do(made.peers[1], lambda lobby, now: lobby.tables[name].agree(hand, now))
    made.settle()
    assert f"proposes that {told} takes over the seat of player 2 (p1)" in made.told("p0")
    assert "(p1). player 3 (p2) must agree too." in made.type("p0", "yes")
    made.type("p2", "yes")
    assert f"{told} has taken over the seat of player 2 (p1).\n" in made.told("p0").replace("Another", "another")
    assert late.lobby.tables[name].seats == (1,)


def test_a_second_person_at_a_keyboard_is_no_guest_of_it() -> None:
    made = Evening(barons(4), guests=1, beside=(("Zoe", "person"), ("Dora", "guest"))).begin()
    assert " (08f1 5d98 39f4 865c), you\n" in (own := made.type("p0", "seats")) and ", a guest\n" in own
    assert ", at p0's\n" in (there := made.type("p1", "seats")) and ", a guest at p0's\n" in there
