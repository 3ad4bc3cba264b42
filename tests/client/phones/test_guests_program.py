"""`quadrille host --guests` as a program: what it says, that guests come and go with it, and what it leaves behind."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from quadrille.client.commands import host as command
from quadrille.client.presence.guest_seats import FOLDER
from quadrille.client.table.wishes import Host
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


def test_guests_are_let_in_only_where_the_host_says_so() -> None:
    command.arguments(parser := argparse.ArgumentParser())
    words = (["maze"], ["maze", "--guests"], ["maze", "--guests", "3"], ["maze", "--guests=ask"])
    assert [parser.parse_args(row).guests for row in words] == [0, "all", 3, "ask"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("host maze --guests 3", "there is room for 2 at this table, and not for 3 guests"),
        ("host maze --bots 2 --guests", "there is room for 0 at this table, and not for 1 guests"),
        ("host maze --bots 2 --guests=ask", "there is room for 0 at this table, and not for 1 guests"),
        ("host maze --guests 2 --watchers nobody", "with bots or guests in all seats you only watch"),
        ("host maze --phone-port 4080", "--phone-port is for guests: add --guests"),
        ("host maze --guests x", "x"),
        ("evening", "an evening needs a screen for its lobby"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, words: str, why: str) -> None:
    ran = run(words)
    assert ran.code == 2 and why in ran.err


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("maze --guests", (2, 1)),
        ("maze --guests 2", (2, 2)),
        ("maze --bots 1 --guests", (2, 1)),
        ("barons --guests", (4, 3)),
        ("barons --guests=ask", (4, 3)),
        ("barons --guests --seats 3", (3, 2)),
        ("barons --bots 1 --guests", (4, 2)),
        ("barons --bots 1 --guests 2", (4, 2)),
        ("barons --seats 2 --bots 1 --guests", (2, 1)),
    ],
)
def test_guests_have_all_free_seats_unless_a_number_is_named(
    monkeypatch: pytest.MonkeyPatch, words: str, wanted: tuple[int, int]
) -> None:
    """Seats, and those of them for guests. The host has one unless others have all."""
    found: list[Host] = []
    monkeypatch.setattr(command, "spend", lambda settings, wish: found.append(wish) or 0)
    command.arguments(parser := argparse.ArgumentParser())
    assert command.run(parser.parse_args(words.split())) == 0
    assert [(wish.terms.seats, wish.guests) for wish in found] == [wanted]


@pytest.mark.slow
async def test_two_phones_play_and_the_host_only_shows(tmp_path: Path) -> None:
    with served(tmp_path, *TABLE, guests=2) as table:
        async with page(table) as gus, page(table) as hans:
            await sit(gus, "Gus")
            await sit(hans, "Hans")
            await told(table.host, "You are watching")
            await at_table(gus, hans)
            while not gus.parts.get("over"):
                mover, other = (gus, hans) if gus.parts["head"]["mine"] else (hans, gus)
                await move(mover)
                await other.until(lambda parts, at=mover.parts["at"]: parts["at"] == at)
            await told(table.host, "^The game is over")
            await gus.ask("word", word="rematch", rest="")
            await hans.until(lambda parts: parts.get("ask"))
            await hans.ask("answer", yes=True)
            await told(table.host, "player 1  Hans .*, a guest")  # the host's board goes along
            table.host.enter("quit")
            assert table.host.end() == 0


async def test_a_host_begins_without_a_guest_who_has_not_come_and_with_a_bot(tmp_path: Path) -> None:
    with served(tmp_path, "barons", "--set", "width=4", "--set", "height=4", guests="all") as table:
        ann = table.host
        async with page(table) as gus:
            await sit(gus, "Gus")
            await told(ann, "Gus, guest sits down")
            ann.enter("bot random", "start")
            await told(ann, "Barons, 3 players")
            await at_table(gus)
            assert len(gus.parts["players"]) == 3


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
            assert await asyncio.to_thread(ann.end) == 0
            await left(gus)
            assert gus.socket.close_reason == "The host has gone."
    assert not is_open(table.port)
    assert len(list((tmp_path / FOLDER).glob("*/seat.txt"))) == 1  # the game is not over: quadrille resume


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
                await asyncio.to_thread(table.host.end, signal.SIGKILL)
            else:
                table.host.enter("quit")
                assert await asyncio.to_thread(table.host.end) == 0
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
            await asyncio.to_thread(ann.sees, f"Guests come by http://127.0.0.1:{port}")  # as before
            async with PageClient(HOST, port, token) as gus:
                await gus.until(lambda parts: parts.get("at") == 1)
                await move(gus)
                await asyncio.to_thread(ann.sees, "YOUR TURN")
                ann.press("c-q")
                await asyncio.to_thread(ann.sees, "Tables on this network", "Gus")  # the evening goes on
                ann.press("c-q")
                assert ann.ends() == 0

    asyncio.run(again(asyncio.run(first())))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
@pytest.mark.slow
async def test_an_evening_leads_two_phones_from_the_lobby_to_one_game_and_the_next(tmp_path: Path) -> None:
    from tests.client.screen.pseudo_terminal import Program as Screen

    network = ("--home", str(tmp_path), "--port", str(udp_port()), "--interface", "127.0.0.1", "--name", "Ann")
    port = tcp_port()
    words = (sys.executable, "-m", "quadrille.client.cli", "evening", "--phone-port", str(port), *network)
    with Screen(*words, home=tmp_path) as ann:

        async def typed(keys: Sequence[str], *told: str) -> None:
            ann.press(*keys)
            await asyncio.to_thread(ann.sees, *told)

        await asyncio.to_thread(ann.sees, "From this machine alone", "People and bots")
        code = " ".join(ann.text.split()).partition("type the code ")[2][:9]
        async with PageClient(HOST, port, code) as gus, PageClient(HOST, port, code) as hans:
            for client, name in ((gus, "Gus"), (hans, "Hans")):
                await sit(client, name)
            await asyncio.to_thread(ann.sees, "Gus", "Hans", "here by phone")
            await typed(["name Zoe", "enter"], "would have to scan")
            await typed(["new barons", "enter"], "all 2 who are here")
            ann.press("enter")
            await at_table(gus, hans)
            await asyncio.to_thread(ann.sees, "connections")
            assert len(gus.parts["players"]) == 3
            for keys, told in ((["f9"], "Resign?"), (["y"], "You have resigned"), (["c-q"], "Tables on this network")):
                await typed(keys, told)
            for client in (gus, hans):
                await client.until(lambda parts: parts["at"] == 1)
            while not gus.parts.get("over"):
                mover, other = (gus, hans) if gus.parts["head"]["mine"] else (hans, gus)
                await move(mover)
                await other.until(lambda parts, at=mover.parts["at"]: parts["at"] >= at)
            await typed(["new maze", "enter"], "Maze", "The basics")
            await typed([*["down"] * 5, "right"], "all 2 who are here")
            ann.press("enter")
            for client in (gus, hans):
                await client.until(lambda parts: parts.get("stage") == "table" and len(parts["players"]) == 2)
            await asyncio.to_thread(ann.sees, "WATCHING")
            await typed(["c-q"], "Tables on this network")
            ann.press("c-q")
            assert ann.ends() == 0
