"""An evening: one door and the same guests from table to table, for late comers, televisions, and through a crash."""

import argparse
import asyncio
import socket
import threading
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Final
from unittest.mock import Mock

import pytest

from quadrille.client.commands import host as command
from quadrille.client.evening.kept import KeptEvening
from quadrille.client.evening.scores import Bet, Scoreboard
from quadrille.client.foreign import isolated
from quadrille.client.kept.games import kept_at, known_at, left_games
from quadrille.client.phones import evening, guests, seat
from quadrille.client.phones.guests import MOST_GUESTS, Lead, Visitor
from quadrille.client.phones.view import door_parts
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.screen.table.model import ShownChair, ShownTable
from quadrille.client.table.wishes import BareWish, Host, JoinTable, PlayMove, TextWish, Verb
from quadrille.client.words.phones import NO_BET
from quadrille.net.core.errors import LocalError
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.client.conftest import Run, output
from tests.client.phones.browser import browser
from tests.client.phones.doors import HOST, guest_list, kept_guests, page, phone_door
from tests.client.phones.page_client import PageClient
from tests.client.phones.served import NINE, HostAtHome, Table, at_phones, is_open, served, told
from tests.client.phones.test_door import turned_away
from tests.client.programs import Program
from tests.client.test_evening_scores import ended
from tests.net.hosts import inside
from tests.net.ports import udp_port
from tests.waiting import DEADLINE


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
def test_a_kept_invitation_whose_port_is_taken_has_another_one_and_the_host_says_so(tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as taken:
        with closing(Store(tmp_path, Identity.open(tmp_path).key)) as store:
            kept = guest_list(store)
            kept.invitation = before = PhoneInvitation.new(taken.getsockname()[1])
            kept.keep(())
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
            async with table.page() as ben:
                await ben.sit("Ben")
                for before in codes[:-1]:
                    assert await turned_away(table.page(before)) == 4403
                await told(table.host, "^Your turn")
                table.host.enter("resign")
                table.host.enter("yes")
                await ben.until(lambda parts: parts.get("over"))
                table.host.enter("quit")
                assert await asyncio.to_thread(table.host.end) == 0
                await ben.is_sent_away()
                assert (ben.socket.close_code, ben.socket.close_reason) == (4405, "The evening is over.")
        assert not is_open(table.port) and not kept_guests(tmp_path)
    assert codes[0] != codes[1]


async def test_a_guest_who_leaves_the_evening_is_gone_at_once_and_its_token_opens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening, "ASLEEP", 2 * DEADLINE)
    async with phone_door(tmp_path, free=None) as here, page(here) as ben, page(here) as cleo:
        await ben.sit("Ben")
        await cleo.sit("Cleo")
        await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 2)
        for yes in (False, True):
            await ben.ask("word", word="quit", rest="")
            await ben.answer(yes=yes)
        await ben.is_sent_away()
        assert ben.socket.close_code == 4405
        await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 1)
        assert await turned_away(page(here, ben.seat["token"])) == 4403


async def test_a_page_that_is_sent_away_is_obeyed_no_more_and_who_comes_back_by_that_name_is_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with phone_door(tmp_path, free=None) as here:
        said = list[str]()
        monkeypatch.setattr(here.host, "_say", said.append)
        async with page(here) as ben:
            await ben.sit("Ben")
            before = here.evening.seats["Ben"]
            await ben.ask("word", word="quit", rest="")
            await ben.ask("answer", yes=True)
            await ben.ask("say", text="all of it in one go")
            await ben.is_sent_away()
        async with page(here) as again:
            await again.sit("Ben")
            while before in here.evening.pages.values():
                await asyncio.sleep(0)
            assert not said


async def test_a_phone_is_away_a_minute_after_its_last_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evening, "ASLEEP", 0.05)

    async with phone_door(tmp_path, free=None) as here, page(here) as cleo:
        await cleo.sit("Cleo")
        async with page(here) as ben:
            await ben.sit("Ben")
            await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 2)
        await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 1)
        assert here.host.here == ("Cleo",)
        async with page(here, ben.seat["token"]):
            await cleo.until(lambda parts: len(parts["room"]["chairs"]) == 2)


def test_a_guest_who_takes_the_name_of_one_who_left_does_not_fall_asleep_for_that_one() -> None:
    guests, page = Mock(), Mock(place=None)
    pages, first, other = evening.PhoneEvening(guests, None), *(Visitor("Ben", token, token, 0) for token in "ab")
    pages.meet([first])
    later = pages.seats["Ben"].later = Mock()
    pages.enter(page, "Ben")
    pages.exit(page)
    pages.enter(page, "Ben")
    pages.meet([])
    assert later.return_value.cancel.call_count == 2, "as the guest came back, and as the guest was forgotten"
    pages.meet([other])
    pages.exit(page)
    assert later.call_count == 1, "and no other clock was begun"


async def test_the_evening_is_on_every_page_with_each_bet_that_came_in_time_for_the_host(tmp_path: Path) -> None:
    match, chairs = Match(game("barons"), {"width": 3, "height": 3}, 2), (ShownChair("Ann"), ShownChair("Cleo"))
    async with phone_door(tmp_path, free=None) as here, page(here) as ben, page(here, screen=True) as screen:
        await ben.sit("Ben")
        here.evening.go_to(Lead("00"))
        here.evening.show("00", "", ShownTable(match, chairs, (), None, local=False), (), "", alarm=False)
        await ben.until(lambda parts: parts.get("bet"))
        await ben.ask("bet", seat=1)  # at the host's program the game is over already
        await ben.reads(NO_BET)
        assert ben.parts["bet"]["seat"] is None
        bets = Bet("00", "guest Ben", "Ben", 1), Bet("00", "guest Eve", "Eve", 0)
        here.evening.count(Scoreboard((ended((1, 2)),), bets=bets))
        await ben.until(lambda parts: parts["bet"]["seat"] == 1)
        for each in (ben, screen):
            await each.until(lambda parts: parts.get("evening", {}).get("games") == 1)


@pytest.mark.parametrize("asks", ["evening", "record"])
async def test_a_page_to_take_home_is_made_once_for_all_and_whoever_goes_takes_it_from_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    begun, goes_on, made = asyncio.Event(), threading.Event(), list[str]()
    loop = asyncio.get_running_loop()

    def slow(*_: object) -> str:
        loop.call_soon_threadsafe(begun.set)
        made.append(asks)
        assert goes_on.wait(DEADLINE)
        return "a page"

    monkeypatch.setattr("quadrille.client.evening.page.evening_page", slow)
    monkeypatch.setattr(seat, "page_of", slow)
    table = ShownTable(Match(game("barons"), {}, 2), (ShownChair("Ann"), ShownChair("Cleo")), (), None, local=False)
    request = {"do": "word", "word": "evening"} if asks == "evening" else {"do": "record"}
    async with phone_door(tmp_path, free=None) as here, page(here) as ben:
        await ben.sit("Ben")
        here.evening.go_to(Lead("00"))
        here.evening.show("00", "", table, (), "", alarm=False)
        async with page(here, ben.seat["token"]) as other:
            for _ in range(5):
                await other.ask(**request)
            await begun.wait()
            await ben.ask(**request)
        while len(here.evening.pages) > 1:
            await asyncio.sleep(0)
        goes_on.set()
        await ben.until(lambda parts: parts.get("record", {}).get("text") == "a page")
    assert len(made) == 1


def test_so_many_guests_and_no_more_whatever_they_ask(tmp_path: Path) -> None:
    with closing(Store(tmp_path, Identity.open(tmp_path).key)) as store:
        guests = guest_list(store)
        guests.invitation = PhoneInvitation.new(4080)
        for number in range(MOST_GUESTS):
            guests.give(guests.check(f"guest {number}"), "")
        with pytest.raises(LocalError, match="room for no more"):
            guests.check("Late")
        guests.guests = (replace(guests.guests[0], came=1), *guests.guests[1:])  # of another day
        guests.give(guests.check("Late"), "")
        assert guest_list(store).guests == guests.guests


async def test_who_is_asleep_keeps_the_name_and_the_code_of_the_seat(tmp_path: Path) -> None:
    async with phone_door(tmp_path, free=None) as here:
        async with page(here) as ben:
            await ben.sit("Ben")
        async with page(here) as other:
            await other.ask("sit", name="ben")
            await other.until(lambda parts: "the code of that seat" in parts["told"]["text"] if parts else False)
        async with page(here, ben.seat["code"]) as again:
            await again.until(lambda _: again.seat)
            assert again.seat == ben.seat


# Seats of guests at a table: who plays them meanwhile, what their pages show, and how they are left


@pytest.mark.slow
async def test_a_bot_plays_for_who_sleeps_and_one_touch_brings_the_seat_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "WAKES", 100)
    monkeypatch.setattr(evening, "ASLEEP", 0.1)

    async with HostAtHome(tmp_path) as ann:
        await ann.opens("barons", 2, 1)
        async with at_phones(ann, "Ben") as (ben,):
            await ann.table()
        ann.asks(PlayMove("a1"))
        await ann.table(lambda table: "Ben is asleep" in table.banner)
        ann.asks(TextWish(Verb.STAND_IN, "random"))
        await ann.table(lambda table: table.match.length == 2)
        async with ann.page(ben.seat["token"]) as ben:
            await ben.until(lambda parts: parts.get("ask"))
            assert ben.parts["ask"]["text"].startswith("random plays for you.")
            await ben.answer()
            await ben.until(lambda parts: not parts["ask"])  # else the bot moves once more
            for place in ("b2", "c3"):  # the bot has one of them, perhaps
                ann.asks(PlayMove(place))
            await ben.until(lambda parts: parts["head"]["mine"])
            await ben.move()


@pytest.mark.slow
async def test_a_guest_sits_at_a_table_that_the_host_has_only_joined(tmp_path: Path) -> None:
    port = udp_port()
    with Program("host", "barons", "--seats", "3", home=tmp_path / "cid", port=port, name="Cid") as cid:
        await told(cid, "is open")
        async with HostAtHome(tmp_path / "ann", port=port) as ann:
            ann.asks(BareWish.SHOW_ENTRANCE)
            entrance = (await ann.until(lambda news: news.around.entrance and news.around.tables)).around.entrance
            async with ann.page(entrance.code) as ben:
                await ben.sit("Ben")
                ann.asks(JoinTable("Cid"))
                await told(cid, "Ben, at Ann's|Ben sits down")
                await ben.come_to_table()
                await told(cid, "^Your turn|It is the turn")
                cid.enter("seats")
                await told(cid, "Ben .*a guest at Ann's")


@pytest.mark.slow
def test_an_evening_of_all_games_with_six_phones_and_a_television(tmp_path: Path) -> None:
    inside("tests.client.phones.lan_evening", str(tmp_path), hosts=2)


@pytest.mark.slow
async def test_a_page_shows_what_its_own_seat_has_seen_and_a_host_what_the_keyboard_has(tmp_path: Path) -> None:
    """The host's program knows all cards here. What Ann peeks at is on no page, and what Gus sees not in her lines."""
    dotter = ("dotter", "--seats", "2", "--set", "laps=1", "--no-takebacks")
    with served(tmp_path, *dotter) as table:
        ann = table.host
        async with at_phones(table, "Gus") as (gus,), table.page(screen=True) as screen:
            for number in range(6):
                if number % 2:
                    await gus.until(lambda parts, at=number: parts["at"] == at and parts["head"]["mine"])
                    await gus.ask("play", at=number, line="draw")
                else:
                    await told(ann, "^Your turn")
                    ann.enter("draw")
            await told(ann, "^Your turn")
            peek = "peek p1 1a 2a"
            ann.enter(peek)
            first, other = ann.wait("You see (\\S+) and (\\S+)\\.").groups()
            await gus.until(lambda parts: parts["at"] == 7 and parts["head"]["mine"])
            assert "You see" not in str(gus.parts) and "= " not in str(gus.parts["log"]), "what Ann saw"
            await gus.ask("play", at=7, line=peek)
            await gus.until(lambda parts: "You see" in str(parts["told"]))  # his own
            await screen.until(lambda parts: parts.get("at") == 8)
            assert "You see" not in str(screen.parts) and "= " not in str(screen.parts["log"])
            await told(ann, "Gus.*: peek")
            assert ann.text.count("You see") == 1 and f"{first} {other}" not in ann.text


@pytest.mark.slow
async def test_it_asks_before_somebody_leaves(tmp_path: Path) -> None:
    with served(tmp_path, *NINE) as table:
        async with at_phones(table, "Ben") as (ben,):
            for yes in (False, True):
                await ben.ask("word", word="quit", rest="")
                await ben.answer(yes=yes)
                if not yes:
                    await ben.until(lambda parts: not parts["ask"])
            await ben.is_sent_away()
            assert ben.socket.close_code == 4405 and ben.socket.close_reason == "Your seat is kept."
        await told(table.host, "Ben.* is away")
        async with table.page(ben.seat["token"]) as again:  # the seat was kept
            await again.until(lambda parts: parts.get("at") == 0)
            await told(table.host, "Ben.* is back")


# `quadrille host --guests` as a program: what it says, that pages come and go with it, and what it leaves behind


def test_guests_are_let_in_only_where_the_host_says_so() -> None:
    command.arguments(parser := argparse.ArgumentParser())
    words = (["maze"], ["maze", "--guests"], ["maze", "--guests", "3"], ["maze", "--guests=ask"])
    assert [parser.parse_args(row).guests for row in words] == [0, "all", 3, "ask"]


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


# The host leads an evening of guests: goes on with another game, and gives seats to who comes late


@pytest.mark.slow
async def test_a_host_in_plain_lines_leads_a_guest_from_a_room_and_from_a_table(tmp_path: Path) -> None:
    with served(tmp_path, *NINE) as table:
        ann = table.host
        for line in ("1 seat is kept for a guest without an install", "No phone reaches this machine"):
            assert line in ann.text
        await told(ann, "signs your guests' moves and sees their cards")
        await told(ann, "encrypted by the QR code")
        ann.enter("next mase")
        await told(ann, "did you mean maze")
        ann.enter("next maze size=2")
        await told(ann, "Maze.* is open|Maze, 2 players, size 2")
        async with table.page() as ben:
            await ben.sit("Ben")
            await ben.until(lambda parts: parts.get("head", {}).get("game") == "Maze")
            await told(ann, "^Your turn|It is the turn")
            ann.enter("next dollar draw")
            await told(ann, "Maze is put away as it stands: .*quadrille resume")
            await ben.until(lambda parts: parts["head"]["game"] == "Dollar Draw")
            ann.enter("quit")
            assert await asyncio.to_thread(ann.end) == 0
            await ben.is_sent_away()
            assert ben.socket.close_reason == "The host has gone."
    assert not is_open(table.port)
    assert [guest.name for guest in kept_guests(tmp_path)] == ["Ben"]  # the game is not over: quadrille resume


@pytest.mark.slow
async def test_who_looks_on_has_a_voice_and_a_place_in_line(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        await ann.opens("barons", 2, 1)
        async with ann.page(screen=True) as screen, ann.page() as ben, ann.page() as cleo:
            await ben.sit("Ben")
            await ben.come_to_table()
            await cleo.sit("Cleo")
            await cleo.until(lambda parts: parts.get("stage") == "table" and "number 1 in line" in str(parts["notes"]))
            await cleo.ask("say", text="hello")
            for each in (ben, cleo, screen):
                await each.until(lambda parts: "Cleo (watching): hello" in parts.get("chat", ()))
            await ann.until(lambda news: "Cleo (watching): hello" in news.front.chat)
            await cleo.ask("say", text="")
            await cleo.reads("1 to 500 printable characters")
            for request, words in (("pick", "You only watch"), ("play", "You only watch")):
                await cleo.ask(request)
                await cleo.reads(words)


@pytest.mark.slow
async def test_a_late_guest_takes_the_seat_of_a_bot_and_alone_makes_it_an_evening_to_resume(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        ann.asks(BareWish.SHOW_ENTRANCE)
        await ann.opens("barons", 2, 0, "random")
        async with ann.page() as cleo:
            await cleo.sit("Cleo")
            await cleo.until(lambda parts: any(one.get("you") for one in parts.get("players", ())))
            assert (await ann.table(lambda table: table.chairs[1].name == "Cleo")).chairs[1].kind == "guest"
            table = await ann.table(lambda table: table.is_mine)
            ann.asks(PlayMove(next(iter(table.match.state.moves)).text))
            await cleo.move()
    assert known_at(str(tmp_path), left_games(str(tmp_path))[0].table)[2], "quadrille resume opens the door to her"


@pytest.mark.slow
async def test_a_move_that_comes_too_late_and_a_touch_at_the_door_have_words(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        await ann.opens("barons", 2, 1)
        async with ann.page() as ben, ann.page() as cleo:
            await cleo.ask("pick", place="a1")
            await cleo.reads("your name first")
            await ben.sit("Ben")
            await ben.come_to_table()
            await ben.ask("play", at=7, line="a1")
            await ben.reads("gone on meanwhile")
            for _ in range(2):  # a page that has heard it already is told once more
                await ben.ask("play", at=0, line="a1")
                await ben.reads("not your turn")
                ben.parts["told"] = {"text": ""}


# Names of every script: at the door, at a table, on a television, in a record and an evening, and in a tournament


#: Latin with accents, Cyrillic, Greek, Hebrew, Persian with a non-joiner, Devanagari with a joiner, Thai, Chinese,
#: Korean, and a family in one picture.
TEN: Final = (
    "Zoë Ångström", "Дора Ли", "Γιώργος", "דנה 3", "علی\u200cرضا", "क्\u200dषमा", "น้ำทิพย์", "李小龍", "김철수",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
)  # fmt: skip
DORA, *GUESTS = TEN[1], TEN[0], *TEN[2:]


def shown(*names: str) -> list[str]:
    return [isolated(name) for name in names]


def players(client: PageClient) -> list[str]:
    return [player["name"] for player in client.parts["players"]]


async def agree(host: HostAtHome, *guests: PageClient) -> None:
    """End a game by a draw."""
    host.asks(BareWish.DRAW)
    for guest in guests:
        await guest.answer()
    for guest in guests:
        await guest.until(lambda parts: parts["over"])


@pytest.mark.slow
async def test_guests_with_names_of_ten_scripts_play_an_evening(tmp_path: Path) -> None:
    """Seven play, and the others watch them; then these play."""
    async with HostAtHome(tmp_path, name=DORA) as host, AsyncExitStack() as stack:
        await host.opens("barons", 8, 7)
        screen = await stack.enter_async_context(host.page(screen=True))
        pages = []
        for name in GUESTS:
            pages.append(page := await stack.enter_async_context(host.page()))
            await page.sit(name)
            assert page.seat["name"] == name, "no word of ours in a name"
        first, second = pages[:7], pages[7:]
        for page in pages:
            await page.come_to_table()
        await screen.until(lambda parts: parts.get("stage") == "screen")
        assert players(screen) == shown(DORA, *GUESTS[:7])
        assert [player.get("kind", "") for player in screen.parts["players"]] == ["", *["guest"] * 7]
        await agree(host, *first)
        await first[0].ask("record")
        record = (await first[0].until(lambda parts: "record" in parts))["record"]["text"]
        assert all(name in record for name in shown(DORA, *GUESTS[:7]))
        await host.table(lambda table: table.match.over)
        host.asks(BareWish.LEAVE)
        await second[0].until(lambda parts: parts["stage"] == "room")
        assert first[0].parts["over"], "who has played keeps the picture of the end"
        await host.opens("barons", 3, 2)
        for page in second:
            await page.come_to_table()
        await first[0].until(lambda parts: not (parts.get("over") or parts.get("log")))  # all of that is gone
        for page in second:
            await page.until(lambda parts: "players" in parts and len(parts["players"]) == 3)
            assert players(page) == [DORA, *("you" if name == page.seat["name"] else name for name in GUESTS[7:])]
        await agree(host, *second)
        await host.table(lambda table: table.match.over)
        await first[0].until(lambda parts: parts.get("evening", {}).get("games") == 2)
        assert {row[1] for row in first[0].parts["evening"]["rows"]} == set(shown(*TEN))
        await second[0].ask("word", word="rematch", rest="")
        await second[1].answer()
        await host.table(lambda table: table.asks)
        host.asks(BareWish.AGREE)
        for page in (*pages, screen):  # all go along
            await page.until(lambda parts: parts["stage"] in ("table", "screen") and not parts.get("over"))
    with kept_at(str(tmp_path)) as tables:
        assert len(KeptEvening(tables.store).board.games) == 2


@pytest.mark.slow
def test_bots_with_names_of_ten_scripts_play_a_tournament_and_stand_in_its_report(run: Run) -> None:
    entrants = "".join(f'[[entrant]]\nname = "{name}"\nbot = "random"\n' for name in TEN)
    plan = f'seed = "s"\n[format]\ncycles = 1\n[[game]]\ngame = "maze"\noptions = {{size = 2}}\n{entrants}'
    Path("league.toml").write_text(plan, "utf-8")
    output(run, *["tournament", "run", "league.toml", "--untried", "--quiet", "--at-once", "2"])
    told = output(run, *["tournament", "show", "league.toml"])
    assert [name for name in shown(*TEN) if name not in told] == []
    output(run, *["tournament", "report", "league.toml", "-o", "league.html"])
    report = Path("league.html").read_text("utf-8")
    assert [name for name in shown(*TEN) if name not in report] == []
