"""One game, three seats: at one keyboard, among three programs, and where one program holds two of the seats.

What a person may wish, and what comes of it, is the same at each table; only the agreement of all takes an answer of
each program.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

import pytest

from quadrille.client.screen.network.session import seated
from quadrille.client.table.game_setup import Cover
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import Refused, Why
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import BareWish, OtherLine, PlayMove, ProposeMotion, Takeback, Wish
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Agreed, Deal, Left, Match
from quadrille.rules.registry import game
from tests.client.evening import SMALL, Evening, barons
from tests.client.screen.positions import moves_of
from tests.client.sittings import Sitting
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
    all_wish(party, ProposeMotion("draw"))
    assert match_of(party).entries[-1] == Agreed() and match_of(party).over
    for wish, why in (
        (PlayMove("b2"), Why.NO_COMMAND),
        (OtherLine("b2"), Why.NO_COMMAND),
        (ProposeMotion("draw"), Why.OVER),
        (BareWish.RESIGN, Why.OVER),
    ):
        assert party.wish(0, wish) == [why]


@each
def test_no_time_passes_in_a_pause(made: Callable[[], Party]) -> None:
    party = made()
    plays(party, "a1", "b2", "c3")
    before = [party.seat(0).table.time_left(seat, party.seat(0).context.now()) or 0 for seat in range(3)]
    all_wish(party, ProposeMotion("pause"))
    party.passes(50_000)
    if isinstance(party, Keyboard):  # the same word ends it there; among several programs the next move does
        assert party.wish(0, PlayMove("a2")) == [Why.PAUSED]
        party.wish(0, ProposeMotion("pause"))
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
    all_wish(party, ProposeMotion("draw"))
    for program in party.programs:
        assert party.wish(program, BareWish.REMATCH) == []
    assert party.names() == (*before[1:], *before[:1]) and match_of(party).deal != dealt
    plays(party, "b2")


def test_two_people_at_one_keyboard_hide_their_hands_from_each_other_on_the_network_too() -> None:
    made = Evening(
        terms("dotter", 3, {"laps": 1}, lot=False, takebacks=False), guests=1, beside=(("p2", "person"),)
    ).begin()
    made.settle(4000)
    seat, face = made.table("p0").stage, made.table("p0")
    assert seat.people == (0, 1) and seat.viewer == 0 and seat.held.cover is None
    assert "It is the turn of player 2 (p2)." in made.type("p0", "draw")
    for name in ("p0", "p1"):
        made.type(name, "draw")
    assert seat.viewer == 0, "nobody has seen a card"
    made.type("p0", "peek p1 1a 1b")
    made.settle(2000)
    assert seat.viewer == 0 and seat.held.cover == Cover(1, 0)
    shown = seated(seat, (), here=1)
    assert shown.cover == Cover(1, 0) and shown.viewer == 0
    assert face.prompt == "Press Enter, then hand over to player 2 (p2) "
    made.type("p0", "")
    assert seat.viewer == 1 and seat.held.cover is None
    hidden = [face for face in seat.view.board.faces if face >= 0]
    assert hidden == [], "the second person has seen no card"
