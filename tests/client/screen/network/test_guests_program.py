"""`quadrille host --guests` as a program: what it says, that guests come and go with it, and what it leaves behind."""

import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from quadrille.client.commands import host as command
from quadrille.client.presence.guest_seats import FOLDER
from tests.client.conftest import Run
from tests.client.programs import Program
from tests.client.screen.network.telnet_client import Caller
from tests.net.ports import tcp_port, udp_port
from tests.waiting import DEADLINE

HOST = ("host", "barons", "--seats", "2", "--set", "width=3", "--set", "height=3", "--no-lot", "--guests")


def ports(telnet: int) -> tuple[str, ...]:
    """Where guests come in: at ports that no other test takes."""
    return "--guests-port", str(telnet), "--phone-port", str(tcp_port())


def call(port: int) -> Caller:
    """A caller, as soon as somebody listens there."""
    end = time.monotonic() + DEADLINE
    while True:
        try:
            return Caller(port)
        except ConnectionError:
            assert time.monotonic() < end


def is_open(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_it_is_off_and_says_what_it_means() -> None:
    import argparse

    parser = argparse.ArgumentParser(formatter_class=lambda prog: argparse.HelpFormatter(prog, width=1000))
    command.arguments(parser)
    assert parser.parse_args(["maze"]).guests == 0
    assert parser.parse_args(["maze", "--guests"]).guests == 1
    assert parser.parse_args(["maze", "--guests", "3"]).guests == 3
    assert parser.parse_args(["maze", "--guests=ask"]).guests == "ask"
    told = parser.format_help()
    assert "this program then holds their keys and hidden cards, and telnet is not encrypted" in told


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("host maze --guests 2", "there is room for 1 at this table, and not for 2 guests"),
        ("host maze --bots 1 --guests", "there is room for 0 at this table, and not for 1 guests"),
        ("host maze --bots 1 --guests=ask", "there is room for 0 at this table, and not for 1 guests"),
        ("host maze --guests-port 4023", "--guests-port is for guests: add --guests"),
        ("host maze --phone-port 4080", "--phone-port is for guests: add --guests"),
        ("host maze --guests --guests-port 4080 --phone-port 4080", "by telnet and by phone need two ports"),
        ("host maze --guests x", "x"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, words: str, why: str) -> None:
    ran = run(words)
    assert ran.code == 2 and why in ran.err


def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with Program(*HOST, *ports(port), home=tmp_path, port=udp_port(), name="Ann") as ann:
            ann.wait(f"port {port} can't be used.*--guests-port")
            assert ann.end() == 1


def test_a_host_in_plain_lines_and_a_guest(tmp_path: Path) -> None:
    port = tcp_port()
    with Program(*HOST, *ports(port), home=tmp_path, port=udp_port(), name="Ann") as ann:
        ann.wait("1 seat is kept for a guest without an install")
        ann.wait("No phone reaches this machine")
        ann.wait("http://127.0.0.1:[0-9]+/ in a browser, with the code ....-....")
        ann.wait(f"telnet 127.0.0.1 {port}")
        ann.wait("trust this program of yours with your guests' keys and hidden cards")
        ann.wait("encrypted by the QR code")
        ann.wait("Telnet is not encrypted")
        with call(port) as gus:
            gus.comes("Gus")
            ann.wait("Gus, guest sits down")
            ann.wait("^Your turn")
            ann.enter("a1")
            gus.sees("YOUR TURN")
            ann.enter("quit")
            assert ann.end() == 0
            assert "The host has left the table." in gus.end()
    assert not is_open(port)
    assert len(list((tmp_path / FOLDER).glob("*"))) == 1  # the game is not over: quadrille resume


@pytest.mark.slow
def test_a_host_who_is_asked_turns_one_guest_away_and_lets_another_in(tmp_path: Path) -> None:
    port, host = tcp_port(), (*HOST[:-1], "--guests=ask")
    with Program(*host, *ports(port), home=tmp_path, port=udp_port(), name="Ann") as ann:
        ann.wait("1 seat is kept for a guest")
        with call(port) as eve, call(port) as gus:
            for guest, name in ((eve, "Eve"), (gus, "Gus")):
                guest.sees("Your name")
                guest.press(name, "enter")
                guest.sees("The host is asked whether you may sit down.")
                if name == "Eve":
                    ann.wait("Eve, at 127.0.0.1, wants to sit down. Type yes or no.")
            ann.enter("no")
            eve.sees("The host does not let you sit down.")
            ann.wait("Gus, at 127.0.0.1, wants to sit down.")
            ann.enter("yes")
            gus.sees("Its code is")
            gus.press("enter")
            ann.wait("Gus, guest sits down")
            ann.enter("quit")
            assert ann.end() == 0


@pytest.mark.slow
def test_a_table_that_nobody_came_to_leaves_nothing(tmp_path: Path) -> None:
    port = tcp_port()
    with Program(*HOST, *ports(port), home=tmp_path, port=udp_port(), name="Ann") as ann:
        ann.wait("telnet")
        with call(port) as gus:
            gus.sees("Your name")
            gus.press("Gus", "enter")
            gus.sees("Its code is")
            ann.enter("quit")
            assert ann.end() == 0
            gus.end()
    assert not is_open(port) and not (tmp_path / FOLDER).exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_guests_go_when_their_host_is_killed(tmp_path: Path) -> None:
    port = tcp_port()
    with Program(*HOST, *ports(port), home=tmp_path, port=udp_port(), name="Ann") as ann:
        ann.wait("telnet")
        with call(port) as gus:
            gus.sees("Your name")
            ann.process.send_signal(signal.SIGKILL)
            assert "The host has left the table." in gus.end()
    assert not is_open(port)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
@pytest.mark.slow
def test_a_host_before_a_screen_leaves_and_comes_back_and_so_does_the_guest(tmp_path: Path) -> None:
    from tests.client.screen.pseudo_terminal import Program as Screen

    network = ("--home", str(tmp_path), "--port", str(udp_port()), "--interface", "127.0.0.1", "--name", "Ann")
    cli, port = (sys.executable, "-m", "quadrille.client.cli"), tcp_port()
    with Screen(*cli, *HOST, *ports(port), *network, home=tmp_path) as ann:
        ann.sees("1 seat is kept for a guest", f"telnet 127.0.0.1 {port}", "Telnet is not encrypted")
        with call(port) as gus:
            code = gus.comes("Gus")
            ann.sees("YOUR TURN")
            ann.press("b2", "enter")
            gus.sees("YOUR TURN")
            ann.press("c-q")
            assert ann.ends() == 0 and ann.is_clean()
            gus.end()
    assert not is_open(port)
    with Screen(*cli, "resume", *network, home=tmp_path) as ann:
        ann.sees("telnet 127.0.0.1 4")
        port = int(ann.text.split("telnet 127.0.0.1 ")[1].split(",")[0])
        with call(port) as gus:
            gus.sees("Your name")
            gus.press(code, "enter")
            gus.sees("YOUR TURN")
            gus.press("a1", "enter")
            # A seat that comes back may not play before it has heard how far the game is. Its line stays.
            while "try again" in gus.until(lambda one: "try again" in one.text or "A Ann moves" in one.text):
                gus.press("backspace")
                gus.no_longer_sees("try again")
                gus.press("1", "enter")
            ann.sees("YOUR TURN")
            ann.press("c-q")
            assert ann.ends() == 0
