"""`quadrille host --guests` as a program: what it says, that guests come and go with it, and what it leaves behind."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

import pytest

from quadrille.client.commands import host as command
from quadrille.client.presence.guest_seats import FOLDER
from tests.client.conftest import Run
from tests.client.phones.doors import HOST
from tests.client.phones.page_client import PageClient
from tests.client.phones.served import Table, is_open, served
from tests.client.phones.test_seats import at_table, left, move, sit, told
from tests.net.ports import tcp_port, udp_port
from tests.waiting import soon

TABLE = ("barons", "--seats", "2", "--set", "width=3", "--set", "height=3")


def page(table: Table) -> PageClient:
    return PageClient(HOST, table.port, table.code)


def test_it_is_off_and_says_what_it_means() -> None:
    parser = argparse.ArgumentParser(formatter_class=lambda prog: argparse.HelpFormatter(prog, width=1000))
    command.arguments(parser)
    assert parser.parse_args(["maze"]).guests == 0
    assert parser.parse_args(["maze", "--guests"]).guests == 1
    assert parser.parse_args(["maze", "--guests", "3"]).guests == 3
    assert parser.parse_args(["maze", "--guests=ask"]).guests == "ask"
    assert "this program then holds their keys and hidden cards" in parser.format_help()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("host maze --guests 2", "there is room for 1 at this table, and not for 2 guests"),
        ("host maze --bots 1 --guests", "there is room for 0 at this table, and not for 1 guests"),
        ("host maze --bots 1 --guests=ask", "there is room for 0 at this table, and not for 1 guests"),
        ("host maze --phone-port 4080", "--phone-port is for guests: add --guests"),
        ("host maze --guests x", "x"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, words: str, why: str) -> None:
    ran = run(words)
    assert ran.code == 2 and why in ran.err


async def test_a_host_in_plain_lines_and_a_guest(tmp_path: Path) -> None:
    with served(tmp_path, *TABLE) as table:
        ann = table.host
        for line in ("1 seat is kept for a guest without an install", "No phone reaches this machine"):
            assert line in ann.text
        await told(ann, "trust this program of yours with your guests' keys and hidden cards")
        await told(ann, "encrypted by the QR code")
        async with page(table) as gus:
            await sit(gus, "Gus")
            await told(ann, "Gus, guest sits down")
            await told(ann, "^Your turn")
            ann.enter("a1")
            await gus.until(lambda parts: parts.get("at") == 1)
            ann.enter("quit")
            assert ann.end() == 0
            await left(gus)
            assert gus.socket.close_reason == "The host has gone."
    assert not is_open(table.port)
    assert len(list((tmp_path / FOLDER).glob("*"))) == 1  # the game is not over: quadrille resume


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize("killed", [False, True])
async def test_guests_go_with_their_host_and_a_table_that_nobody_came_to_leaves_nothing(
    tmp_path: Path, *, killed: bool
) -> None:
    with served(tmp_path, *TABLE) as table:
        async with page(table) as gus:
            await gus.until(lambda parts: parts.get("stage") == "door")
            if killed:
                table.host.end(signal.SIGKILL)
            else:
                table.host.enter("quit")
                assert table.host.end() == 0
            await left(gus)
            assert gus.socket.close_reason == "The host has gone."
    assert not is_open(table.port) and (killed or not (tmp_path / FOLDER).exists())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
@pytest.mark.slow
def test_a_host_before_a_screen_leaves_and_comes_back_and_so_does_the_guest(tmp_path: Path) -> None:
    from tests.client.screen.pseudo_terminal import Program as Screen

    network = ("--home", str(tmp_path), "--port", str(udp_port()), "--interface", "127.0.0.1", "--name", "Ann")
    cli, port = (sys.executable, "-m", "quadrille.client.cli"), tcp_port()

    async def first() -> str:
        given = ("host", *TABLE, "--no-lot", "--guests", "--phone-port", str(port))
        with Screen(*cli, *given, *network, home=tmp_path) as ann:
            await asyncio.to_thread(ann.sees, "1 seat is kept for a guest", "and type the code")
            assert await asyncio.to_thread(soon, lambda: is_open(port))
            code = ann.text.partition("and type the code ")[2][:9]
            async with PageClient(HOST, port, code) as gus:
                await sit(gus, "Gus")
                await at_table(gus)
                ann.press("b2", "enter")
                await gus.until(lambda parts: parts.get("at") == 1)
                ann.press("c-q")
                assert ann.ends() == 0 and ann.is_clean()
                await left(gus)
                return gus.seat["token"]

    async def again(token: str) -> None:
        with Screen(*cli, "resume", *network, home=tmp_path) as ann:
            await asyncio.to_thread(ann.sees, "Guests come by http://127.0.0.1:4")
            there = int(ann.text.partition("Guests come by http://127.0.0.1:")[2].partition("/")[0])
            assert await asyncio.to_thread(soon, lambda: is_open(there))
            async with PageClient(HOST, there, token) as gus:
                await gus.until(lambda parts: parts.get("at") == 1)
                await move(gus)
                await asyncio.to_thread(ann.sees, "YOUR TURN")
                ann.press("c-q")
                assert ann.ends() == 0

    asyncio.run(again(asyncio.run(first())))
