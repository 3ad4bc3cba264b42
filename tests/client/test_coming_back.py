"""Seats that are gone and unfinished games, with real programs: who plays on meanwhile, and who comes back where."""

import signal
from pathlib import Path

import pytest

from tests.client.programs import Program, legal_move, play_on, to_move
from tests.client.test_network import SMALL, run
from tests.net.ports import udp_port


@pytest.fixture
def port() -> int:
    return udp_port()


def trio(tmp_path: Path, port: int) -> tuple[Program, Program, Program]:
    """Three people at a table, seated as they came, whose seats may be gone for a second."""
    words = ("host", "barons", "--seats", "3", *SMALL, "--no-lot", "--grace", "1s")
    ann = Program(*words, home=tmp_path / "a", port=port, name="Ann")
    ann.wait(r"^Table \w{8} is open")
    bob = Program("join", home=tmp_path / "b", port=port, name="Bob")
    ann.wait(r"^Bob sits down")
    cid = Program("join", home=tmp_path / "c", port=port, name="Cid")
    ann.wait(r"^Cid sits down")
    for program in (ann, bob, cid):
        program.wait(r"player 3  Cid")
    return ann, bob, cid


@pytest.mark.slow
def test_a_bot_stands_in_for_a_seat_that_is_gone_until_its_owner_is_back(tmp_path: Path, port: int) -> None:
    ann, bob, cid = trio(tmp_path, port)
    with ann, bob, cid:
        ann.wait(r"^Your turn")
        ann.enter("b2")
        bob.wait(r"^Your turn")
        bob.end(signal.SIGKILL)
        ann.wait(r"^player 2 \(Bob\) has been away for longer than agreed")
        cid.wait(r"  stand-in BOT    let a bot of yours play, such as 3 or mcts")
        cid.wait(r"^  quit ")
        ann.enter("stand-in random")
        ann.wait(r"^\w+ \(random of Ann\) comes to play for player 2 \(Bob\)")
        cid.wait(r"^player 1 \(Ann\) proposes that \w+ \(random of Ann\) plays for player 2 \(Bob\), who is away")
        cid.enter("yes")
        cid.wait(r"^\w+ \(random of Ann\) plays for player 2")
        cid.wait(r"^player 2 \(\w+ for Bob\): \w\d")
        cid.wait(r"^Your turn")
        with Program("resume", home=tmp_path / "b", port=port, name="Bob") as back:
            back.wait(r"^\w+( \(random of Ann\))? plays for you. Type back to take your seat again")
            back.enter("back")
            cid.enter(legal_move(cid))
            ann.wait(r"^player 2 \(Bob\) plays again")
            ann.wait(r"^Your turn")
            ann.enter(legal_move(ann))
            back.wait(r"^Your turn")
            back.enter(legal_move(back))
            cid.wait(r"^player 2 \(Bob\): \w\d")


@pytest.mark.slow
def test_a_bot_that_stood_in_comes_back_with_its_host(tmp_path: Path, port: int) -> None:
    ann, bob, cid = trio(tmp_path, port)
    with ann, bob, cid:
        ann.wait(r"^Your turn")
        ann.enter("b2")
        bob.wait(r"^Your turn")
        bob.end(signal.SIGKILL)
        ann.wait(r"^  quit ")
        ann.enter("stand-in random")
        cid.wait(r"Type yes or no")
        cid.enter("yes")
        cid.wait(r"^Your turn")
        cid.enter(legal_move(cid))
        ann.wait(r"^Your turn")
        ann.end(signal.SIGKILL)
        cid.wait(r"^player 1 \(Ann\) is away")
        with Program("resume", home=tmp_path / "a", port=port, name="Ann") as again:
            again.wait(r"^  player 2  \w+ for Bob")
            again.wait(r"^Your turn")
            again.enter(legal_move(again))
            cid.wait(r"^player 2 \(\w+ for Bob\): \w\d")


@pytest.mark.slow
def test_only_resume_sits_down_again_and_the_others_say_what_is_unfinished(tmp_path: Path, port: int) -> None:
    home = tmp_path / "b"
    with (
        Program("host", "barons", "--seats", "2", *SMALL, home=tmp_path / "a", port=port, name="Ann") as ann,
        Program("join", home=home, port=port, name="Bob") as bob,
    ):
        assert to_move(ann, bob)
        table = bob.text.split(", table ")[1][:8]
        bob.end(signal.SIGKILL)
        ann.wait(r"^player \d \(Bob\) is away")
        with Program("host", "maze", home=home, port=port, name="Bob") as other:
            other.wait(r"^1 unfinished table: quadrille resume$")
            other.wait(rf"^Ann waits for you at table {table}: quadrille resume {table}$")
            other.enter("quit")
            assert other.end() == 0
        network = ("--port", str(port), "--interface", "127.0.0.1", "--home", str(home))
        assert "1 unfinished table: quadrille resume\n" in run("who", "--for", "1", *network).stdout
        assert not any("Bob) is back" in line for line in ann.lines)
        with Program("resume", table, home=home, port=port, name="Bob") as again:
            again.wait(r"^Barons, 2 players")
            assert not any("unfinished" in line for line in again.lines)
            ann.wait(r"^player \d \(Bob\) is back")
        assert run("resume", table, "--forget", *network).stdout == f"Table {table} is forgotten.\n"
        assert "unfinished" not in run("who", "--for", "1", *network).stdout
        assert "no game was left in the middle" in run("resume", *network).stderr
        with Program("host", "maze", home=home, port=port, name="Bob") as other:
            other.wait(r"^Ann is on the network")
            other.enter("quit")
            assert other.end() == 0
            assert not any("waits for you" in line for line in other.lines)


@pytest.mark.slow
def test_a_bot_that_is_killed_goes_on_at_its_own_table(tmp_path: Path, port: int) -> None:
    words = ("bot", "random", "--join", "Ann", "--name", "Cid")
    with Program("host", "barons", "--seats", "2", *SMALL, home=tmp_path / "a", port=port, name="Ann") as ann:
        ann.wait(r"^Table \w{8} is open")
        with Program(*words, home=tmp_path / "b", port=port) as bot:
            play_on(ann, plies=1)
            bot.end(signal.SIGKILL)
        ann.wait(r"^player \d \(Cid\) is away")
        with Program(*words, home=tmp_path / "b", port=port) as bot:
            bot.wait(r"^Cid: playing as player \d at table")
            ann.wait(r"^player \d \(Cid\) is back")
            bot.end(signal.SIGTERM)
