"""What people at a table on the network are told and may type, in a simulated network."""

from pathlib import Path

import pytest

from quadrille.client.choosing import Choosing
from quadrille.client.waiting import Waiting
from quadrille.net import archive
from quadrille.net.lobby import Dropped
from quadrille.net.offers import offers
from quadrille.net.station import Remark
from quadrille.net.table import Blamed, Doubted, Stopped
from quadrille.net.terms import Clock
from tests.client.evening import Evening
from tests.net.tables import terms

SMALL = {"width": 3, "height": 3}


def evening(seats: int = 2, options: dict[str, int] | None = None, **more: object) -> Evening:
    made = Evening(terms("barons", seats, options or SMALL, lot=False, **more))
    made.begin()
    return made


def test_everybody_is_told_who_sits_where() -> None:
    made = evening()
    host, guest = made.told("p0"), made.told("p1")
    assert "Table " in host and "p1 sits down: 2 of 2 seats are taken." in host
    assert "You have a seat." in guest
    for text, own in ((host, "p0"), (guest, "p1")):
        assert "Barons, 2 players, width=3 height=3, table" in text
        assert f"{own} (" in text and ", you" in text
    assert "Your turn." in host and "It is the turn of player 1 (p0)." in guest


def test_moves_and_refusals() -> None:
    made = evening()
    assert "It is the turn of player 2 (p1)." in made.type("p0", "B2")
    assert "player 1 (p0): b2" in made.told("p1")
    assert "it is not your turn" in made.type("p0", "a1")
    assert "b2 belongs to player 1" in made.type("p1", "b2")
    assert "or did you mean moves?" in made.type("p1", "mvoes")
    assert "a1  a2" in made.type("p1", "moves")
    assert "moves" in made.type("p1", "help")
    assert "Claim" in made.type("p1", "rules")
    assert ">" in made.type("p1", "board")


@pytest.mark.parametrize(
    ("motion", "proposed", "done"),
    [
        ("draw", "proposes: a draw", "A draw is agreed."),
        ("abort", "proposes: to abort the game", "The game is aborted."),
        ("pause", "proposes: a pause", "The game is paused"),
        ("takeback", "proposes: to take back the last move.", "The last move is taken back."),
        ("adjourn", "proposes: to adjourn", "The game is adjourned."),
    ],
)
def test_what_all_agree_on(motion: str, proposed: str, done: str) -> None:
    made = evening(3)
    made.type("p0", "a1")
    made.told("p1"), made.told("p2")
    assert "You propose" in made.type("p0", motion)
    assert f"player 1 (p0) {proposed}" in made.told("p1")
    assert "It needs player 3 (p2) too." in made.type("p1", "yes")
    assert "player 2 (p1) agrees" in made.told("p2")
    assert done in made.type("p2", "yes")
    assert done in made.told("p0") and done in made.told("p1")
    assert made.talks["p0"].done is (motion == "adjourn")


def test_one_no_is_enough() -> None:
    made = evening(3)
    made.type("p0", "draw")
    assert "first answer yes or no" in made.type("p1", "pause")
    assert "You do not agree" in made.type("p1", "no")
    assert "player 2 (p1) does not agree: a draw." in made.told("p0")
    assert "nothing is proposed" in made.type("p2", "yes")
    assert "no move of yours has been made yet" in made.type("p0", "takeback")
    assert "3 moves can't be taken back" in made.type("p0", "takeback 3")
    assert "takes the number of moves" in made.type("p0", "takeback x")


def test_no_takebacks() -> None:
    made = evening(takebacks=False)
    assert "this table takes no move back" in made.type("p0", "a1", "takeback")


@pytest.mark.parametrize("name", ["p0", "p1"])
def test_resign(name: str) -> None:
    made = evening()
    made.type(name, "resign")
    assert f"({name}) has resigned" in made.told("p0") + made.told("p1") or made.table("p0").table.over
    assert made.table("p0").table.over and made.table("p1").table.over


def test_a_seat_that_is_gone_is_dropped_by_the_others() -> None:
    made = evening(3, grace=2000)
    gone = next(peer for peer in made.peers if peer.name == "p0")
    made.world.crash(gone, None)
    assert "nobody who has to move has been gone" in made.type("p1", "drop")
    made.settle(8000)
    text = made.told("p1")
    assert "player 1 (p0) is gone" in text and "drop: out of the game" in text
    assert text.count("drop: out of the game") == 1
    assert "You propose: that player 1 (p0), who is gone, is out of the game." in made.type("p1", "drop")
    assert "Type yes or no." in made.told("p2")
    assert "You do not agree" in made.type("p2", "wait")
    assert "player 1 (p0) has been dropped" in made.type("p2", "drop")
    assert made.table("p1").table.over is None


def test_two_can_t_tell_who_is_gone_and_it_comes_back() -> None:
    made = evening(grace=2000)
    gone = next(peer for peer in made.peers if peer.name == "p0")
    made.world.crash(gone, 20_000)
    del made.talks["p0"]
    made.settle(10_000)
    assert "player 1 (p0) is gone. The table waits." in made.told("p1")
    assert "two can't tell" in made.type("p1", "drop")
    assert "The table waits." in made.type("p1", "wait")
    assert made.talks["p1"].is_idle
    made.settle(20_000)
    assert "player 1 (p0) is back." in made.told("p1")


def test_talk_and_who_looks_on() -> None:
    made = Evening(terms("barons", 2, SMALL, watchers="invited", lot=False), others=1)
    made.begin()
    made.type("p0", "say good luck")
    assert "player 1 (p0): good luck" in made.told("p1")
    assert "write say and a line" in made.type("p0", "say")
    assert "p2 is invited to look on." in made.type("p0", "invite p2")
    assert 'nobody called "nobody" is here' in made.type("p0", "invite nobody")


def test_clocks_are_shown() -> None:
    made = evening(clock=Clock(300_000, 10_000))
    assert "Your turn (4:5" in made.told("p0")
    assert "It is the turn of player 2 (p1) (4:59 left)." in made.type("p0", "a1")
    assert ", 5:0" in made.type("p0", "seats")


def test_a_flag_falls() -> None:
    made = evening(clock=Clock(5000, 0))
    made.settle(6000)
    assert "player 1 (p0) has run out of time" in made.told("p1")


def test_a_rematch_that_both_want_at_once() -> None:
    made = evening(options={"width": 2, "height": 2})
    for name, move in (("p0", "a1"), ("p1", "a2"), ("p0", "b1"), ("p1", "b2")):
        made.type(name, move)
    assert "The game is over" in made.told("p0")
    for name in ("p0", "p1"):
        made.talks[name].typed("rematch")
    for peer in made.peers:
        made._onward(peer)
        made.world.after(peer)
    assert all(isinstance(talk, Waiting) for talk in made.talks.values())
    made.begin()
    assert made.table("p0").table.log.table == made.table("p1").table.log.table
    assert made.table("p0").table.seat == 1


def test_after_the_end() -> None:
    made = evening(options={"width": 2, "height": 2})
    assert "for when the game is over" in made.type("p0", "rematch")
    made.type("p0", "resign")
    assert "the game is over: rematch, save FILE or quit" in made.type("p0", "draw")
    assert "no command here, and the game is over" in made.type("p0", "a1")
    made.type("p0", "quit")
    assert made.talks["p0"].done and made.talks["p0"].code == 0


def test_save(tmp_path: Path) -> None:
    made = evening()
    made.type("p0", "a1")
    assert "kept in" in made.type("p0", f"save {tmp_path / 'log'}")
    assert "kept in" in made.type("p0", f"save {tmp_path / 'log'}")
    assert "save! " in made.type("p1", f"save {tmp_path / 'log'}")
    assert "kept in" in made.type("p1", f"save! {tmp_path / 'log'}")
    assert "a file is missing" in made.type("p1", "save")
    assert "No such file" in made.type("p1", f"save {tmp_path / 'no' / 'where'}")
    assert len(archive.read((tmp_path / "log").read_text()).entries) == 2


def test_what_others_did_wrong_is_said_with_their_names() -> None:
    made = evening()
    talk, culprit = made.table("p0"), made.table("p1").table.identity.key
    made.told("p0")
    talk.hear_here(Blamed(culprit, "entry 1 is no legal move"))
    talk.hear_here(Doubted(1, 1000, 9000))
    talk.hear_here(Stopped(culprit, "two different entries at 1, both signed"))
    talk.hear(Remark(culprit, 'p1 (0000 0000) now goes by "p9"'))
    talk.hear(Dropped(culprit, "no msgpack"))
    text = made.told("p0")
    assert "player 2 (p1) sent what can't stand, and nothing has changed: entry 1 is no legal move." in text
    assert "player 2 (p1) says it used 0:01, and it was 0:09 here." in text
    assert "The table has stopped: two different entries at 1, both signed. That was player 2 (p1)" in text
    assert 'now goes by "p9".' in text


def test_lines_from_a_pipe_wait_for_their_turn() -> None:
    made = evening()
    first, second = made.table("p0"), made.table("p1")
    assert not first.holds("a1") and second.holds("a1") and second.holds("nonsense")
    assert not second.holds("say hello") and not second.holds("draw")
    assert first.is_idle and not second.is_idle


def test_before_the_game() -> None:
    made = Evening(terms("barons", 3, SMALL, lot=False), guests=1)
    assert "p1 sits down: 2 of 3 seats are taken." in made.told("p0")
    assert "At this table: you and p1; 2 of 3 seats are taken.\nAlso on the network: p2." in made.type("p0", "who")
    assert "At this table: p0 and you" in made.type("p1", "who")
    assert "is no command here" in made.type("p0", "a1")
    assert "2 of 3 seats are taken: the game begins when all are" in made.type("p0", "start")
    assert "p2 is invited." in made.type("p0", "invite p2")
    assert "p1 has gone: 1 of 3 seats is taken." in made.type("p0", "kick p1")
    assert "There is no seat for you at this table: the host took your seat away." in made.told("p1")
    assert made.talks["p1"].done and made.talks["p1"].code == 1
    assert 'nobody called "p1" sits here' in made.type("p0", "kick p1")
    assert "The table is closed." in made.type("p0", "quit")


def test_choosing_among_tables() -> None:
    made = Evening(terms("barons", 3, SMALL, lot=False), others=1, guests=0)
    second, guest = made.peers[1], made.peers[3]
    assert second.lobby and guest.lobby
    made.sit(second, Waiting(made.parlour(second), second.lobby.host(made.world.terms, b"two", made.world.now)))
    lobby, room = guest.lobby, made.parlour(guest)
    chosen: list[bytes] = []
    talk = Choosing(room, "", ("open",), lambda offer: chosen.append(offer.table))
    made.sit(guest, talk)
    made.settle(3000)
    text = made.told("p3")
    assert "  1. " in text and "  2. " in text and "p1: Barons, 3 players" in text
    assert '"p9" names no one table' in made.type("p3", "p9")
    made.type("p3", "2")
    assert chosen == [offers(lobby)[1].table]


def test_choosing_waits_for_a_table() -> None:
    made = Evening(terms("barons", 3, SMALL, lot=False), others=1, guests=0)
    guest = made.peers[3]
    assert guest.lobby
    found: list[bytes] = []
    made.sit(guest, Choosing(made.parlour(guest), "p1", ("open",), lambda offer: found.append(offer.table)))
    made.settle(6000)
    assert 'There is no table "p1" yet; waiting for one. There is' in made.told("p3")
    second = made.peers[1]
    assert second.lobby
    gathering = second.lobby.host(made.world.terms, b"two", made.world.now)
    made.world.after(second)
    made.settle()
    assert found == [gathering.table]
