"""A peer holds seats, and somebody plays each: several people at one keyboard of a table on the network."""

from tests.client.evening import Evening, barons
from tests.net.tables import terms

CARDS = {"laps": 1, "lap_points": 21}


def test_two_at_one_keyboard_and_one_elsewhere_play_in_turn() -> None:
    made = Evening(barons(3), guests=1, beside=(("Ben", "person"),)).begin()
    stage = made.table("p0").stage
    assert stage.people == (0, 1) and stage.seats.names == ("p0", "Ben", "p1")
    assert made.table("p1").stage.seats.names[1] == "Ben"
    assert "It is the turn of player 1 (p0)." in made.told("p0")
    assert "It is the turn of player 2 (Ben)." in made.type("p0", "a1")
    made.type("p0", "a2")
    made.type("p1", "a3")
    assert stage.match.ply == 3 and stage.turn == 0


def test_hands_at_one_keyboard_of_a_network_are_covered_until_they_change() -> None:
    made = Evening(terms("dotter", 3, CARDS, lot=False, takebacks=False), guests=1, beside=(("Ben", "person"),)).begin()
    face = made.table("p0")
    made.world.run(lambda: face.stage.match.turn == 0 and face.table.log.now.due is None)
    made.settle()
    made.type("p0", "draw")
    assert face.stage.held.cover is None, "nobody has looked at a card yet"
    made.type("p0", "draw")
    made.type("p1", "draw")
    peeks = [str(move) for move in face.stage.view.moves if str(move).startswith("peek p3")]
    made.type("p0", peeks[0])
    made.world.run(lambda: face.table.log.now.due is None and face.stage.turn == 1)
    made.settle()
    cover = face.stage.held.cover
    assert cover is not None and cover.seat == 1 and "hand over to player 2 (Ben)" in face.prompt
    assert face.stage.viewer == 0, "Ben's hand is not shown before"
    made.type("p0", "")
    assert face.stage.held.cover is None and face.stage.viewer == 1


def test_a_table_of_one_seat_for_each_program_refuses_a_second_one() -> None:
    made = Evening(barons(3, held=1), guests=0)
    host, late = made.peers[0], made.peers[1]
    gathering = next(iter(host.lobby.gatherings.values()))
    late.lobby.join(gathering.offer(), made.world.now, [("Ben", "person")])
    made.world.after(late)
    made.settle()
    assert len(gathering.chairs) == 1
