"""An evening: one door and the same guests from table to table, for late comers, televisions, and through a crash."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest

from quadrille.client.cli import main
from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones import door as doors
from quadrille.client.phones import evening
from quadrille.client.phones.view import door_parts
from quadrille.client.presence.guest_seats import FOLDER, INVITATION, MOST_GUESTS, GuestSeats, Lead, left_by_guests
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.screen.network.news import News, OpenDoor, Order, Room, Seated
from quadrille.client.screen.network.thread import NetworkThread
from quadrille.client.table.wishes import BareWish, Host, LeaveTable, ProposeMotion, Return
from quadrille.net.trust.identity import Identity
from tests.client.phones.browser import browser
from tests.client.phones.doors import HOST, LeadingHost, page, phone_door
from tests.client.phones.page_client import PageClient
from tests.client.phones.served import Table, is_open, served
from tests.client.phones.test_door import turned_away
from tests.client.phones.test_seats import at_table, left, move, sit, told
from tests.client.programs import Program
from tests.net.ports import tcp_port, udp_port
from tests.net.tables import terms
from tests.waiting import DEADLINE

NINE = ("barons", "--seats", "2", "--set", "width=3", "--set", "height=3")
ROOM_OF_EVENING = "The next game comes to this page when the host opens it."


class HostAtHome:
    """A host's session behind a screen, as the lobby has it: one game after another."""

    def __init__(self, home: Path, first: Order | None = None, name: str = "Ann") -> None:
        self.port = tcp_port()
        ports = {"port": udp_port(), "tcp_port": 0, "phone_port": self.port}
        options = NetworkOptions(name, str(home), (HOST,), (), room=None, evening=first is not None, **ports)
        self._thread = NetworkThread(options, self._hear, first)
        self._news = asyncio.Event()
        self.told: News | None = None

    async def __aenter__(self) -> Self:
        self._thread.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._thread.close)

    def _hear(self, told: Any) -> None:
        if isinstance(told, News):
            self.told = told
            self._news.set()

    async def until(self, holds: Callable[[News], object]) -> News:
        async with asyncio.timeout(DEADLINE):
            while self.told is None or not holds(self.told):
                self._news.clear()
                await self._news.wait()
        return self.told

    async def opens(self, game: str, seats: int, guests: int, *bots: str) -> str:
        """Open a table; return the code for guests."""
        self._thread.ask(Host(terms(game, seats, lot=False), bots, guests, False))
        news = await self.until(lambda news: isinstance(news.front, Room | Seated) and news.entrance)
        assert news.entrance is not None
        return news.entrance.code

    def asks(self, order: Order) -> None:
        self._thread.ask(order)

    async def ends_by_agreement(self, other: PageClient) -> None:
        await self.until(lambda news: isinstance(news.front, Seated))
        self.asks(ProposeMotion("draw"))
        await other.until(lambda parts: parts.get("ask"))
        await other.ask("answer", yes=True)
        await other.until(lambda parts: parts["over"])
        await self.until(lambda news: isinstance(news.front, Seated) and news.front.table.match.over)

    def page(self, code: str, *, screen: bool = False) -> PageClient:
        return PageClient(HOST, self.port, code, screen=screen)


@pytest.mark.slow
async def test_pages_go_from_game_to_game_and_who_watched_has_a_chair_at_the_next(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        code = await ann.opens("barons", 2, 1)
        async with ann.page(code, screen=True) as screen, ann.page(code) as ben, ann.page(code) as cleo:
            await sit(ben, "Ben")
            await at_table(ben)
            await screen.until(lambda parts: parts.get("stage") == "screen" and parts["qr"] is None)
            await sit(cleo, "Cleo")  # late: she watches like a player, and can't talk
            await at_table(cleo)
            assert not cleo.parts["head"]["mine"] and cleo.parts["words"] == [["quit", "Leave the evening", ""]]
            await ann.ends_by_agreement(ben)
            await cleo.until(lambda parts: parts["over"])
            ann.asks(LeaveTable())
            await screen.until(lambda parts: parts["stage"] == "room" and parts["qr"])
            assert screen.parts["qr"]["code"] == code
            await cleo.until(lambda parts: parts["stage"] == "room" and parts["room"]["terms"] == ROOM_OF_EVENING)
            assert [chair["name"] for chair in cleo.parts["room"]["chairs"]] == ["Ben", "you"]
            assert ben.parts["over"], "who has played keeps the picture of the end"

            assert await ann.opens("maze", 2, 1) == code
            for each, stage in ((cleo, "table"), (ben, "table"), (screen, "screen")):
                await each.until(lambda parts, at=stage: parts["stage"] == at and parts["head"]["game"] == "Maze")
            assert not ben.parts.get("log"), "nothing of the first game is left on the page"
            await ann.ends_by_agreement(cleo)
            await cleo.ask("word", word="rematch", rest="")
            await ann.until(lambda news: isinstance(news.front, Seated) and news.front.table.asks)
            ann.asks(BareWish.AGREE)
            for each in (cleo, ben, screen):  # the others go along
                await each.until(lambda parts: parts["stage"] in ("table", "screen") and not parts["over"])


@pytest.mark.slow
async def test_what_comes_in_one_message_with_the_rules_is_shown_behind_them(tmp_path: Path) -> None:
    with browser() as chromium:
        async with phone_door(tmp_path) as door:
            ben = chromium.page()
            await asyncio.to_thread(ben.open, f"http://{HOST}:{door.invitation.port}/#{door.invitation.secret}")
            await asyncio.to_thread(ben.until, 'document.body.dataset.stage === "door"')
            (connection,) = door._connections
            connection.tell({"rules": ["# The rules", "Play."]})
            connection.show(door_parts("Barons for three", 2, ""))
            await asyncio.to_thread(ben.until, 'document.body.classList.contains("reading")')
            await asyncio.to_thread(ben.until, 'document.body.textContent.includes("Barons for three")')


@pytest.mark.slow
async def test_after_a_crash_the_same_code_token_and_port_lead_back(tmp_path: Path) -> None:
    with served(tmp_path, *NINE) as table:
        udp = table.host.command[table.host.command.index("--port") + 1]
        async with PageClient(HOST, table.port, table.code) as ben:
            await sit(ben, "Ben")
            await told(table.host, "^Your turn")
            table.host.enter("a1")
            await ben.until(lambda parts: parts.get("at") == 1)
            table.host.end(signal.SIGKILL)
            with Program("resume", home=tmp_path, port=int(udp), name="Ann") as ann:  # while the old one may still end
                again = await asyncio.to_thread(Table, ann, table.port)
                assert again.code == table.code and f":{table.port}/" in again.address
                assert "Another program" not in ann.text
                async with PageClient(HOST, table.port, ben.seat["token"]) as back:
                    await back.until(lambda parts: parts.get("at") == 1 and parts["head"]["mine"])
                    async with PageClient(HOST, table.port, table.code, screen=True) as screen:
                        await screen.until(lambda parts: parts.get("stage") == "screen")
                    await move(back)
                await told(ann, "^Your turn")


@pytest.mark.slow
async def test_a_game_that_guests_left_is_in_the_lobby_and_goes_on_with_its_bot(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        code = await ann.opens("barons", 3, 2, "random")  # two phones and a bot play, and she shows the board
        async with ann.page(code) as ben, ann.page(code) as cleo:
            await sit(ben, "Ben")
            await sit(cleo, "Cleo")
            await at_table(ben, cleo)
            await cleo.until(lambda parts: parts.get("at"))  # the bot has moved
    async with HostAtHome(tmp_path) as ann:
        (row,) = (await ann.until(lambda news: news.around.tables)).around.tables
        assert row.state == "kept" and {*row.names} > {"Ben", "Cleo"}
    async with HostAtHome(tmp_path, Return(row.id)) as ann:
        await ann.until(lambda news: news.entrance)
        async with ann.page(ben.seat["token"]) as ben, ann.page(cleo.seat["token"]) as cleo:
            await at_table(ben, cleo)
            await move(ben)
            await move(cleo)
            await ben.until(lambda parts: parts.get("at") == 4)
            await ann.until(lambda news: isinstance(news.front, Seated))
            ann.asks(LeaveTable())
            lobby = await ann.until(lambda news: news.front is None)
            assert lobby.entrance is not None and lobby.entrance.code == code
            assert [one.state for one in lobby.around.tables] == ["playing"], "the guests play on"
    words = ["resume", row.id[:8], "--forget", "--home", str(tmp_path), "--interface", HOST, "--port", str(udp_port())]
    assert await asyncio.to_thread(main, words) == 0 and not left_by_guests(tmp_path)


def test_large_screens_watch_after_a_crash_by_the_same_key_so_that_nobody_is_warned_of_it(tmp_path: Path) -> None:
    options = NetworkOptions("Ann", str(tmp_path), (HOST,), (), 1, 0, None)
    keys = []
    for over in (False, True):
        seats = GuestSeats(options, tmp_path)
        keys.append(Identity.open(seats.screen()).key)
        assert not seats.seats
        seats.close(over=over)
    assert keys[0] == keys[1] and not (tmp_path / FOLDER).exists()


@pytest.mark.slow
async def test_guests_come_back_to_their_game_when_their_program_has_ended_and_is_started_again(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        code = await ann.opens("barons", 2, 2)
        async with ann.page(code) as ben, ann.page(code) as cleo:
            await sit(ben, "Ben")
            await sit(cleo, "Cleo")
            await at_table(ben, cleo)
            await ann.until(lambda news: isinstance(news.front, Seated))
            place = ann._thread._place
            assert place is not None and place.door.program is not None
            place.door.program.kill()
        await ann.until(lambda news: news.entrance is None)
        ann.asks(LeaveTable())
        ann.asks(OpenDoor())
        await ann.until(lambda news: news.entrance)
        async with ann.page(ben.seat["token"]) as ben:
            await at_table(ben)


@pytest.mark.slow
def test_a_kept_invitation_whose_port_is_taken_has_another_one_and_the_host_says_so(tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as taken:
        before = PhoneInvitation.new(taken.getsockname()[1])
        (tmp_path / FOLDER).mkdir()
        before.keep(tmp_path / FOLDER / INVITATION)
        with Program("host", *NINE, "--guests", home=tmp_path, port=udp_port(), name="Ann") as ann:
            table = Table(ann, 0)
            ann.wait(f"Another program has port {before.port}")
            assert table.code == before.code and str(before.port) not in table.address


@pytest.mark.slow
async def test_the_code_of_an_evening_that_was_ended_opens_nothing(tmp_path: Path) -> None:
    codes = []
    for _ in range(2):
        with served(tmp_path, *NINE) as table:
            codes.append(table.code)
            async with PageClient(HOST, table.port, table.code) as ben:
                await sit(ben, "Ben")
                for before in codes[:-1]:
                    assert await turned_away(PageClient(HOST, table.port, before)) == 4403
                await told(table.host, "^Your turn")
                table.host.enter("resign")
                table.host.enter("yes")
                await ben.until(lambda parts: parts.get("over"))
                table.host.enter("quit")
                assert await asyncio.to_thread(table.host.end) == 0
                await left(ben)
                assert (ben.socket.close_code, ben.socket.close_reason) == (4405, "The evening is over.")
        assert not is_open(table.port) and not (tmp_path / FOLDER).exists()
    assert codes[0] != codes[1]


@asynccontextmanager
async def waiting(home: Path) -> AsyncIterator[tuple[LeadingHost, doors.PhoneDoor]]:
    """A door whose host leads to no table."""
    host = LeadingHost("", 0, asks=False)
    host.lead = Lead()
    async with phone_door(home, host=host) as here:
        yield host, here


async def test_a_guest_who_leaves_the_evening_is_gone_and_its_token_opens_nothing(tmp_path: Path) -> None:
    async with waiting(tmp_path) as (host, here), page(here) as ben, page(here) as cleo:
        await sit(ben, "Ben")
        await sit(cleo, "Cleo")
        await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 2)
        for yes in (False, True):
            await ben.ask("word", word="quit", rest="")
            await ben.until(lambda parts: parts["ask"])
            await ben.ask("answer", yes=yes)
        await left(ben)
        assert ben.socket.close_code == 4405
        await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 1)
        assert [guest["name"] for guest in host.guests] == ["Cleo"]
        assert await turned_away(page(here, ben.seat["token"])) == 4403


async def test_a_phone_is_away_a_minute_after_its_last_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evening, "ASLEEP", 0.05)

    async with waiting(tmp_path) as (host, here), page(here) as cleo:
        await sit(cleo, "Cleo")
        async with page(here) as ben:
            await sit(ben, "Ben")
            await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 2)
        await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 1)
        assert [guest["here"] for guest in host.guests] == [True, False]
        async with page(here, ben.seat["token"]):
            await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 2)


async def test_the_evening_of_the_host_is_on_every_page(tmp_path: Path) -> None:
    async with waiting(tmp_path) as (_, here), page(here) as door, page(here, screen=True) as screen:
        here.hear(b'{"evening": {"lines": ["Ben 3"]}}')
        for each in (door, screen):
            await each.until(lambda parts: parts.get("evening") == {"lines": ["Ben 3"]})


async def test_so_many_guests_and_no_more_whatever_they_ask(tmp_path: Path) -> None:
    async with waiting(tmp_path) as (_, here):
        for number in range(MOST_GUESTS):
            here.evening.sit(f"guest {number}")
        async with page(here) as late:
            await late.ask("sit", name="Late")
            await late.until(lambda parts: "room for no more" in parts["told"]["text"] if parts else False)
        assert len(list((tmp_path / FOLDER).glob("*/"))) == MOST_GUESTS
        here.seats.seats[0] = replace(here.seats.seats[0], folder=tmp_path / FOLDER / "1")  # of another day
        async with page(here) as late:
            await sit(late, "Late")


async def test_the_door_hears_nothing_else_from_its_host(tmp_path: Path) -> None:
    async with waiting(tmp_path) as (_, here):
        before = here.evening.shown
        for line in (b"", b"\xff", b"[]", b'{"lead": {}}', b'{"lead": {"x": 1}}', b'{"evening": 3}', b"{}", b"{" * 999):
            here.hear(line)
        assert here.evening.lead == Lead() and here.evening.shown == before


async def test_who_is_asleep_keeps_the_name_and_the_code_of_the_seat(tmp_path: Path) -> None:
    async with waiting(tmp_path) as (_, here):
        async with page(here) as ben:
            await sit(ben, "Ben")
        async with page(here) as other:
            await other.ask("sit", name="ben")
            await other.until(lambda parts: "the code of that seat" in parts["told"]["text"] if parts else False)
        async with page(here, ben.seat["code"]) as again:
            await again.until(lambda _: again.seat)
            assert again.seat == ben.seat
