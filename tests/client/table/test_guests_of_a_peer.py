"""One signature stands for a host and for all at its program: guests by phone, and people at one keyboard."""

import pytest

from quadrille.client.screen.network.session import seated
from quadrille.client.table.notices import Why
from quadrille.client.table.stage import WATCHING
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table.wishes import BareWish, PlayMove, ProposeMotion, TextWish, Verb, Wish
from quadrille.net.entries.motions import HandMotion
from quadrille.net.game_log.news import Proposed
from tests.client.evening import Evening, barons, here


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
        return [name for name, seat in self.seats.items() if seat.is_asked]

    @property
    def over(self) -> bool:
        return all(seat.table.over is not None for seat in self.seats.values())


@pytest.fixture
def table() -> Table:
    return Table()


def test_each_plays_the_own_seat_alone(table: Table) -> None:
    assert [seat.people for seat in table.seats.values()] == [(0,), (1,), (), (2,)]
    assert table.wish("Ben", PlayMove("a1")) != [] and table.wish("p0", PlayMove("a1")) == []
    assert table.wish("p0", PlayMove("b1")) != [] and table.wish("Ben", PlayMove("b1")) == []
    assert table.wish("screen", PlayMove("c1")) != []
    shown = [seated(seat, (), here=2) for seat in table.seats.values()]
    assert [one.is_mine for one in shown] == [False, False, False, True]


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
    assert table.wish(first, ProposeMotion("draw")) == []
    others = [name for name in ("p0", "Ben") if name != first]
    assert [name for name in table.asked() if name != "p1"] == others
    for name in others:
        assert table.wish(name, BareWish.AGREE) == [] and table.wish(name, BareWish.AGREE) == [Why.NOTHING_TO_ANSWER]
    if first != "p1":
        assert table.asked() == ["p1"] and table.wish("p1", BareWish.AGREE) == []
    assert table.over


@pytest.mark.parametrize(("first", "no"), [("p0", "Ben"), ("Ben", "p0"), ("p1", "Ben"), ("p1", "p0")])
def test_one_no_declines_for_all_here(table: Table, first: str, no: str) -> None:
    table.wish("p0", PlayMove("a1"))
    table.wish(first, ProposeMotion("draw"))
    assert no in table.asked()
    table.wish(no, BareWish.DECLINE)
    assert table.asked() == [] and not table.over
    assert all(seat.proposed is None for seat in table.seats.values())


def test_who_only_looks_on_signs_nothing_for_the_guests_here(table: Table) -> None:
    assert table.wish("screen", ProposeMotion("draw")) == [Why.NO_PROPOSAL] and table.asked() == []


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
    assert table.wish("p0", ProposeMotion("draw")) == [] and table.asked() == ["p1"]


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
    table.wish("p0", ProposeMotion("draw"))
    table.wish("Ben", PlayMove("b1"))
    assert table.asked() == [] and table.wish("Ben", BareWish.AGREE) == [Why.NOTHING_TO_ANSWER]


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


# Several people at one keyboard of a table on the network


def test_a_table_of_one_seat_for_each_program_refuses_a_second_one() -> None:
    made = Evening(barons(3, held=1), guests=0)
    host, late = made.peers[0], made.peers[1]
    gathering = next(iter(host.lobby.gatherings.values()))
    late.lobby.join(gathering.offer(), made.world.now, [("Ben", "person")])
    made.world.after(late)
    made.settle()
    assert len(gathering.chairs) == 1


def test_who_asks_for_a_further_seat_that_is_not_there_reads_why() -> None:
    made = Evening(barons(3, held=1), guests=1)
    host, late = made.peers[0], made.peers[1]
    late.lobby.gatherings[next(iter(host.lobby.gatherings))].add("Emil", "guest")
    made.world.after(late)
    made.settle()
    told = "There is no further seat for you at this table: one peer may hold 1 seat here, and no more."
    assert told in made.told("p1")


def test_a_second_person_at_a_keyboard_is_no_guest_of_it() -> None:
    made = Evening(barons(4), guests=1, beside=(("Zoe", "person"), ("Dora", "guest"))).begin()
    assert " (08f1 5d98 39f4 865c), you\n" in (own := made.type("p0", "seats")) and ", a guest\n" in own
    assert ", at p0's\n" in (there := made.type("p1", "seats")) and ", a guest at p0's\n" in there


def test_a_game_is_finished_at_one_keyboard_once_both_have_agreed() -> None:
    made = Evening(barons()).begin()
    made.type("p0", "a1")
    assert made.type("p1", "hand Zoe") == "No other player here is called Zoe: seats shows who plays.\n"
    assert "that p0 takes over the seat of player 2 (p1)" in made.type("p1", "hand p0")
    assert made.table("p0").stage.people == (0,)
    made.settle()
    made.type("p0", "yes")
    stage = made.table("p0").stage
    assert stage.people == (0, 1) and stage.is_alone and made.table("p1").stage.people == ()
    made.type("p0", "a2")
    made.type("p0", "a3")
    assert stage.match.ply == 3 and made.table("p1").stage.match.ply == 3, "the other looks on"


def test_a_seat_that_was_handed_on_is_named_by_who_held_it_also_in_what_comes_late() -> None:
    made = Evening(barons(3)).begin()
    made.type("p0", "a1")
    assert "that p0 takes over the seat of player 2 (p1)" in made.type("p1", "hand p0")
    made.type("p0", "yes")
    made.type("p2", "yes")
    told = "p0 has taken over the seat of player 2 (p1).\n"
    assert all(told in made.told(name) for name in ("p0", "p1")), "and not p1, whose name the seat keeps"
    new = HandMotion(1, made.peers[2].identity.key, "Zoe")
    made.table("p0").stage.table.agree(new, made.world.now)
    made.world.after(made.peers[0])
    made.settle()
    made.type("p2", "yes")
    assert made.table("p0").stage.table.log.now.chairs[1].name == "Zoe"
    here(made.table("p0"), Proposed(new, (0, 2)))
    assert "agrees that Zoe takes over the seat of player 2 (p1)" in made.told("p0")
