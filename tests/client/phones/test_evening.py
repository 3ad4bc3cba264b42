"""An evening: one door and the same guests from table to table, for late comers, televisions, and through a crash."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest

from quadrille.client.cli import main
from quadrille.client.evening.scores import Scoreboard
from quadrille.client.kept.games import left_games
from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.unfinished_games import left_at
from quadrille.client.phones import evening, guests
from quadrille.client.phones.guests import MOST_GUESTS
from quadrille.client.phones.view import door_parts
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.screen.evening_stage import StationTask
from quadrille.client.screen.network.news import News, OpenDoor, Order, Room
from quadrille.client.screen.table.model import ShownTable
from quadrille.client.table.wishes import BareWish, Host, JoinTable, PlayMove, Return, TextWish, Verb
from quadrille.net.core.errors import LocalError
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from tests.client.phones.browser import browser
from tests.client.phones.doors import HOST, guest_list, kept_guests, page, phone_door
from tests.client.phones.page_client import PageClient
from tests.client.phones.served import Table, is_open, served
from tests.client.phones.test_door import turned_away
from tests.client.phones.test_seats import at_table, left, move, sit, told
from tests.client.programs import Program
from tests.client.test_evening_scores import ended
from tests.net.hosts import inside
from tests.net.ports import tcp_port, udp_port
from tests.net.tables import terms
from tests.waiting import DEADLINE

NINE = ("barons", "--seats", "2", "--set", "width=3", "--set", "height=3")
ROOM_OF_EVENING = "The next game comes to this page when the host opens it."


class HostAtHome:
    """A host's session behind a screen, as the lobby has it: one game after another."""

    def __init__(self, home: Path, first: Order | None = None, name: str = "Ann", port: int = 0) -> None:
        self.port = tcp_port()
        ports = {"port": port or udp_port(), "tcp_port": 0, "phone_port": self.port}
        self.options = NetworkOptions(name, str(home), (HOST,), (), room=None, evening=first is not None, **ports)
        self._network = StationTask(self.options, self._hear, first)
        self._news = asyncio.Event()
        self.told: News | None = None
        self.heard: list[News] = []

    async def __aenter__(self) -> Self:
        self._network.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._network.close()

    def _hear(self, told: Any) -> None:
        if isinstance(told, News):
            self.told = told
            self.heard.append(told)
            self._news.set()

    async def until(self, holds: Callable[[News], object]) -> News:
        async with asyncio.timeout(DEADLINE):
            while self.told is None or not holds(self.told):
                self._news.clear()
                await self._news.wait()
        return self.told

    async def opens(self, game: str, seats: int, guests: int, *bots: str) -> str:
        """Open a table; return the code for guests."""
        self._network.ask(Host(terms(game, seats, lot=False), bots, guests, False))
        news = await self.until(lambda news: isinstance(news.front, Room | ShownTable) and news.entrance)
        assert news.entrance is not None
        return news.entrance.code

    def asks(self, order: Order) -> None:
        self._network.ask(order)

    def page(self, code: str, *, screen: bool = False) -> PageClient:
        return PageClient(HOST, self.port, code, screen=screen)


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
async def test_a_game_that_guests_left_is_in_the_lobby_and_goes_on_with_its_bot(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        code = await ann.opens("barons", 3, 2, "random")  # two phones and a bot play, and she shows the board
        async with ann.page(code) as ben, ann.page(code) as cleo:
            await sit(ben, "Ben")
            await sit(cleo, "Cleo")
            await at_table(ben, cleo)
            await cleo.until(lambda parts: parts.get("at"))  # the bot has moved
    (row,) = left_games(str(tmp_path))
    assert row.called > {"ben", "cleo"} and not row.is_own
    async with HostAtHome(tmp_path, Return(row.table.hex())) as ann:
        await ann.until(lambda news: news.entrance)
        async with ann.page(ben.seat["token"]) as ben, ann.page(cleo.seat["token"]) as cleo:
            await at_table(ben, cleo)
            await move(ben)
            await move(cleo)
            await ben.until(lambda parts: parts.get("at") == 4)
            await ann.until(lambda news: isinstance(news.front, ShownTable))
            ann.asks(BareWish.LEAVE)
            lobby = await ann.until(lambda news: news.front is None)
            assert lobby.entrance is not None and lobby.entrance.code == code
            assert [one.state for one in lobby.around.tables] == ["mine"], "the guests play on"
    line = ["resume", row.line[:8], "--forget", "--home", str(tmp_path), "--interface", HOST, "--port", str(udp_port())]
    assert await asyncio.to_thread(main, line) == 0 and not left_at(str(tmp_path))[1]


@pytest.mark.slow
def test_a_kept_invitation_whose_port_is_taken_has_another_one_and_the_host_says_so(tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as taken:
        with closing(Store(tmp_path, Identity.open(tmp_path).key)) as store:
            kept = guest_list(store)
            kept.invitation = before = PhoneInvitation.new(taken.getsockname()[1])
            kept.keep()
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
        assert not is_open(table.port) and not kept_guests(tmp_path)
    assert codes[0] != codes[1]


async def test_a_guest_who_leaves_the_evening_is_gone_and_its_token_opens_nothing(tmp_path: Path) -> None:
    async with phone_door(tmp_path, free=None) as here, page(here) as ben, page(here) as cleo:
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
        assert await turned_away(page(here, ben.seat["token"])) == 4403


async def test_a_phone_is_away_a_minute_after_its_last_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evening, "ASLEEP", 0.05)

    async with phone_door(tmp_path, free=None) as here, page(here) as cleo:
        await sit(cleo, "Cleo")
        async with page(here) as ben:
            await sit(ben, "Ben")
            await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 2)
        await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 1)
        assert [guest.name for guest in here.host.guests if guest.here] == ["Cleo"]
        async with page(here, ben.seat["token"]):
            await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 2)


async def test_the_evening_of_the_host_is_on_every_page(tmp_path: Path) -> None:
    async with phone_door(tmp_path, free=None) as here, page(here, screen=True) as screen, page(here) as guest:
        await sit(guest, "Ben")
        here.evening.count(Scoreboard((ended((1, 2)),)))
        for each in (guest, screen):
            await each.until(lambda parts: parts.get("evening", {}).get("games") == 1)


def test_so_many_guests_and_no_more_whatever_they_ask(tmp_path: Path) -> None:
    with closing(Store(tmp_path, Identity.open(tmp_path).key)) as store:
        guests = guest_list(store)
        guests.invitation = PhoneInvitation.new(4080)
        for number in range(MOST_GUESTS):
            guests.give(guests.check(f"guest {number}"))
        with pytest.raises(LocalError, match="room for no more"):
            guests.check("Late")
        guests.guests = (replace(guests.guests[0], came=1), *guests.guests[1:])  # of another day
        guests.give(guests.check("Late"))
        assert guest_list(store).guests == guests.guests


async def test_who_is_asleep_keeps_the_name_and_the_code_of_the_seat(tmp_path: Path) -> None:
    async with phone_door(tmp_path, free=None) as here:
        async with page(here) as ben:
            await sit(ben, "Ben")
        async with page(here) as other:
            await other.ask("sit", name="ben")
            await other.until(lambda parts: "the code of that seat" in parts["told"]["text"] if parts else False)
        async with page(here, ben.seat["code"]) as again:
            await again.until(lambda _: again.seat)
            assert again.seat == ben.seat


# Seats of one peer: nobody else is asked, and all at this program are


@pytest.mark.slow
async def test_a_bot_plays_for_a_guest_who_sleeps_until_the_guest_takes_the_seat_back_by_one_touch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "WAKES", 100)
    monkeypatch.setattr(evening, "ASLEEP", 0.1)

    async with HostAtHome(tmp_path) as ann:
        code = await ann.opens("barons", 2, 1)
        async with ann.page(code) as ben:
            await sit(ben, "Ben")
            await at_table(ben)
        await ann.until(lambda news: isinstance(news.front, ShownTable))
        ann.asks(PlayMove("a1"))
        await ann.until(lambda news: isinstance(news.front, ShownTable) and "Ben is asleep" in news.front.banner)
        ann.asks(TextWish(Verb.STAND_IN, "random"))
        await ann.until(lambda news: isinstance(news.front, ShownTable) and news.front.match.length == 2)
        async with ann.page(ben.seat["token"]) as ben:
            await ben.until(lambda parts: parts.get("ask"))
            assert ben.parts["ask"]["text"].startswith("random plays for you.")
            await ben.ask("answer", yes=True)
            await ben.until(lambda parts: not parts["ask"])  # else the bot moves once more
            for place in ("a2", "c3"):  # the bot has one of them, perhaps
                ann.asks(PlayMove(place))
            await ben.until(lambda parts: parts["head"]["mine"])
            await move(ben)


@pytest.mark.slow
async def test_a_guest_sits_at_a_table_that_the_host_has_only_joined(tmp_path: Path) -> None:
    port = udp_port()
    with Program("host", "barons", "--seats", "3", home=tmp_path / "cid", port=port, name="Cid") as cid:
        await told(cid, "is open")
        async with HostAtHome(tmp_path / "ann", port=port) as ann:
            ann.asks(OpenDoor())
            entrance = (await ann.until(lambda news: news.entrance and news.around.tables)).entrance
            async with ann.page(entrance.code) as ben:
                await sit(ben, "Ben")
                ann.asks(JoinTable("Cid"))
                await told(cid, "Ben, at Ann's|Ben sits down")
                await at_table(ben)
                await told(cid, "^Your turn|It is the turn")
                cid.enter("seats")
                await told(cid, "Ben .*a guest at Ann's")


@pytest.mark.slow
def test_an_evening_of_all_games_with_six_phones_and_a_television(tmp_path: Path) -> None:
    inside("tests.client.phones.lan_evening", str(tmp_path), hosts=2)
