"""Guests by telnet at a table of Ann's: real connections to a house in this process, and Ann before her own screen."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from quadrille.client.guests.server import MOST_OF_ONE, GuestServer
from quadrille.client.presence.consent import HostConsent
from quadrille.client.presence.guest_seats import GuestSeats, folders, prepared, sweep
from quadrille.client.screen.network.news import Host
from quadrille.client.screen.table.model import Model
from quadrille.net.entries.terms import Terms
from tests.client.screen.network.people import Guest as Person
from tests.client.screen.network.people import at_evening, network
from tests.client.screen.network.telnet_client import IAC, SB, WILL, WINDOW, Caller, window
from tests.net.ports import tcp_port, udp_port
from tests.net.tables import terms

SMALL = terms("barons", 2, {"width": 3, "height": 3}, lot=False)
STORE = Path("host")


class Door:
    """The house, and who calls there."""

    def __init__(self, house: GuestServer, home: Path, port: int) -> None:
        self.house = house
        self.home = home
        self.port = port

    async def call(self, *, dumb: bool = False) -> Caller:
        """Somebody connects."""
        return await asyncio.to_thread(lambda: Caller(self.port, dumb=dumb))

    def model(self, name: str) -> Model:
        """What is in the memory of a guest's screen."""
        guests = [visit.shell.model for visit in self.house.visits]
        front = next(one.evening.front for one in guests if one.name.startswith(name) and one.evening)
        assert isinstance(front, Model)
        return front

    @property
    def folders(self) -> list[Path]:
        """The identities that guests have."""
        return folders(self.home)


@asynccontextmanager
async def open_house(home: Path, udp: int, table: str, seats: int = 1) -> AsyncIterator[Door]:
    """Guests can come."""
    options, port = network(home, udp, "host"), tcp_port()
    kept = GuestSeats(options, home / STORE, [prepared(home / STORE)[0].name for _ in range(seats)])
    kept.find(table)
    house = GuestServer(options, table, "Barons, 2 players", kept, HostConsent(asks=False))
    await house.open(port)
    try:
        yield Door(house, home / STORE, port)
    finally:
        await house.close()
        assert not house.visits
        sweep(home / STORE)


def at_table(
    home: Path, story: Callable[[Person, Door], Awaitable[None]], agreed: Terms = SMALL, seats: int = 1
) -> None:
    """Ann has opened a table for guests; then the story."""

    async def evening() -> None:
        udp = udp_port()
        async with at_evening(home, udp, "Ann", Host(agreed)) as ann:
            await ann.sees(f"1 of {agreed.seats} seats taken")
            async with open_house(home, udp, ann.evening.table, seats) as door:
                await story(ann, door)

    asyncio.run(evening())


async def at(deed: Callable[..., str], *words: str) -> str:
    """Wait in a thread, while all else goes on."""
    return await asyncio.to_thread(deed, *words)


@pytest.mark.slow
def test_a25_a_guest_reads_its_name_beyond_ascii_from_the_door_to_the_farewell(tmp_path: Path) -> None:
    async def story(ann: Person, door: Door) -> None:
        with await door.call() as zoe:
            await at(zoe.sees, "Your name")
            zoe.press("Zoë")
            await at(zoe.sees, "> Zoë")
            zoe.press("enter")
            await at(zoe.sees, "There is a seat for you, Zoë, guest.")
            zoe.press("enter")
            await ann.sees("Zoë, guest")
            await at(zoe.sees, "Zoë")
            assert "\\x" not in zoe.text

    at_table(tmp_path, story)


@pytest.mark.slow
def test_a_guest_plays_a_whole_game(tmp_path: Path) -> None:
    async def story(ann: Person, door: Door) -> None:
        with await door.call() as gus:
            await at(gus.comes, "Gus")
            last = ""
            for number in range(8):  # equal turns: the ninth square stays free
                if number % 2:
                    await at(gus.sees, "YOUR TURN", f"last: A {last}")
                    gus.press(str(next(iter(ann.match.state.moves))), "enter")
                    await ann.at_table(number + 1)
                else:
                    last = await ann.plays()
            await ann.sees("OVER", "B Gus, guest")
            await at(gus.sees, "OVER", "F6 rematch")
            ann.press("say well played", "enter")
            await at(gus.sees, "well played")
            gus.press("say thänks", "enter")
            await ann.sees("Gus, guest: thänks")
            gus.press("c-q")
            assert "kept" not in await at(gus.end)
        await wait_until(lambda: not door.house.visits)
        assert door.folders == []

    at_table(tmp_path, story)


async def wait_until(there: Callable[[], bool]) -> None:
    """What is no screen's affair: until it is so."""
    async with asyncio.timeout(30):
        while not there():
            await asyncio.sleep(0.01)


@pytest.mark.slow
def test_a_code_gives_the_seat_back(tmp_path: Path) -> None:
    """From a connection that has died, and from one that is there still; not to somebody with another code."""

    async def story(ann: Person, door: Door) -> None:
        with await door.call() as gus:
            code = await at(gus.comes, "Gus")
            await ann.plays("b2")
            await at(gus.sees, "YOUR TURN")
        await ann.sees("Gus, guest (away)")
        assert len(door.folders) == 1
        with await door.call() as ida:
            await at(ida.sees, "Your name")
            ida.press("Ida", "enter")
            await at(ida.sees, "All seats for guests are taken.")
            ida.press("c-u", "bbbb-bbbb", "enter")
            await at(ida.sees, "No seat has that code.")
        with await door.call() as gus, await door.call() as again:
            await at(gus.sees, "Your name")
            gus.press(code.upper(), "enter")
            await at(gus.sees, "YOUR TURN")
            await ann.no_longer_sees("(away)")
            gus.press("a1", "enter")
            await ann.at_table(2)
            await at(again.sees, "Your name")
            again.press(code, "enter")
            await at(again.sees, "A Ann moves")
            assert "You have come again from elsewhere." in await at(gus.end)
            await ann.plays("c3")
            await at(again.sees, "YOUR TURN")
            again.press("c-q")
            assert f"Your seat is kept: connect again, and give {code}." in await at(again.end)

    at_table(tmp_path, story)


@pytest.mark.slow
def test_a_seat_that_is_given_up_before_the_game_is_free(tmp_path: Path) -> None:
    async def story(ann: Person, door: Door) -> None:
        with await door.call() as gus:
            code = await at(gus.comes, "Gus")
            await ann.sees("Gus, guest", "2 of 3 seats taken")
            await at(gus.sees, "2 of 3 seats taken")
        await ann.sees("1 of 3 seats taken")
        await wait_until(lambda: not door.house.visits)
        assert door.folders == []
        with await door.call() as ida:
            await at(ida.sees, "Your name")
            ida.press(code, "enter")
            await at(ida.sees, "No seat has that code.")
            ida.press("c-u")
            await at(ida.comes, "Ida")
            await ann.sees("Ida, guest", "2 of 3 seats taken")

    at_table(tmp_path, story, terms("barons", 3, {"width": 3, "height": 3}, lot=False))


@pytest.mark.slow
def test_who_comes_late_looks_on(tmp_path: Path) -> None:
    async def story(ann: Person, door: Door) -> None:
        with await door.call() as gus, await door.call() as ida:
            await at(gus.comes, "Gus")
            await ann.plays("b2")
            await at(ida.comes, "Ida")
            await at(ida.sees, "The game has begun without you. Enter looks on")
            ida.press("enter")
            await at(ida.sees, "B Gus, guest moves")
            ida.press("a1", "enter")
            await at(ida.sees, "You are only watching")
            ida.press("escape", "c-q")
            assert "kept" not in await at(ida.end)

    at_table(tmp_path, story, seats=2)


def test_no_hidden_card_of_another_is_in_a_guests_program(tmp_path: Path) -> None:
    """Neither on the screen nor in the memory behind it: what Ann peeks at, only Ann's program can open."""

    async def story(ann: Person, door: Door) -> None:
        with await door.call() as gus:
            await at(gus.comes, "Gus")
            for number in range(6):
                if number % 2:
                    await wait_until(lambda: door.model("Gus").table.is_mine)
                    gus.press("draw", "enter")
                    await ann.at_table(number + 1)
                else:
                    await ann.plays("draw")
            await ann.until(lambda _: ann.model.table.is_mine)
            peek = next(str(move) for move in ann.match.state.moves if str(move).startswith("peek"))
            await ann.plays(peek)
            await ann.sees("You see")
            await at(gus.sees, "YOUR TURN")
            hers, his = ann.model.table.view, door.model("Gus").table.view
            assert hers is not None and his is not None and his.viewer == 1
            assert "?" in str(his.scene()) and str(his.scene()) != str(hers.scene())
            assert b"You see" not in gus.heard
            gus.press(peek, "enter")
            await at(gus.sees, "You see")  # his own

    at_table(tmp_path, story, terms("dotter", 2, {"laps": 1}, lot=False, takebacks=False))


@pytest.mark.slow
def test_a_terminal_of_which_nothing_is_known_gets_plain_letters(tmp_path: Path) -> None:
    async def story(ann: Person, door: Door) -> None:
        with await door.call(dumb=True) as gus:
            await at(gus.sees, "Your name")
            gus.send(b"Gus\n")
            await at(gus.sees, "Its code is")
            gus.send(b"\n")
            await ann.plays("b2")
            await at(gus.sees, "YOUR TURN")
            gus.send(b"a1\r\n")
            await ann.at_table(2)
            assert gus.heard.isascii()

    at_table(tmp_path, story)


def send_on(caller: Caller, data: bytes) -> None:
    """Send it again and again."""
    while True:
        caller.line.send(data)


@pytest.mark.slow
def test_garbage_floods_and_resizes_hurt_nobody(tmp_path: Path) -> None:
    """Whatever one connection sends, another plays meanwhile."""

    async def story(ann: Person, door: Door) -> None:
        chance = random.Random(7)
        with await door.call() as gus, await door.call() as flood, await door.call() as half, await door.call() as late:
            await at(gus.comes, "Gus")
            await ann.plays("b2")
            flood.line.setblocking(False)
            half.send(bytes((IAC, SB, WINDOW)) + b"\0" * 3000)
            garbage = chance.randbytes(3000) + b"\x1b[200~" + b"".join(window(size, size) for size in range(200))
            with pytest.raises(BlockingIOError):  # nobody reads as fast as that
                send_on(flood, garbage)
            for size in range(1, 60, 7):
                late.send(bytes((IAC, WILL, WINDOW)) + window(size, 3 * size))
            await at(gus.sees, "YOUR TURN")
            gus.press("a1", "enter")
            await ann.at_table(2)
            late.send(window(24, 80))
            await at(late.sees, "Your name")

    at_table(tmp_path, story)


@pytest.mark.slow
def test_there_is_an_end_to_how_many_may_come(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path, udp_port(), "ab" * 8) as door:
            callers = [await door.call() for _ in range(200)]
            inside = callers[:MOST_OF_ONE]
            for one in inside:
                await at(one.sees, "Your name")
            for one in callers[MOST_OF_ONE:]:
                assert "Too many stand at the door" in await at(one.end)
                one.close()
            inside.pop().close()
            await wait_until(lambda: len(door.house.visits) == MOST_OF_ONE - 1)
            inside.append(await door.call())
            await at(inside[-1].sees, "Your name")
            for one in inside:
                one.close()
            await wait_until(lambda: not door.house.visits)

    asyncio.run(evening())


def test_the_host_ends_it(tmp_path: Path) -> None:
    async def evening() -> None:
        async with open_house(tmp_path, udp_port(), "ab" * 8) as door:
            gus = await door.call()
            await at(gus.comes, "Gus")
            await at(gus.sees, "A seat is asked for")
        assert "The host has left the table." in await at(gus.end)
        gus.close()
        assert door.folders == []

    asyncio.run(evening())


def test_the_host_goes_while_somebody_is_only_coming(tmp_path: Path) -> None:
    """Before the first picture there is no screen yet that could end."""

    async def evening() -> None:
        async with open_house(tmp_path, udp_port(), "ab" * 8) as door:
            gus = await door.call()
            await wait_until(lambda: bool(door.house.visits))
        await at(gus.end)
        gus.close()

    asyncio.run(evening())
