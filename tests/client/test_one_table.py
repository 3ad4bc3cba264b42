"""A peer holds seats, and somebody plays each: several people at one keyboard of a table on the network."""

from quadrille.net.entries.motions import HandMotion
from quadrille.net.game_log.news import Proposed
from tests.client.evening import Evening, barons, here


def test_a_table_of_one_seat_for_each_program_refuses_a_second_one() -> None:
    made = Evening(barons(3, held=1), guests=0)
    host, late = made.peers[0], made.peers[1]
    gathering = next(iter(host.lobby.gatherings.values()))
    late.lobby.join(gathering.offer(), made.world.now, [("Ben", "person")])
    made.world.after(late)
    made.settle()
    assert len(gathering.chairs) == 1


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
