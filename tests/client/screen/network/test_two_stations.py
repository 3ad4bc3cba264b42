"""Two people on loopback, each before a screen: they meet, sit down, play, talk, propose, lose each other."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

from quadrille.client.screen.evening_stage import EveningStage
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen
from quadrille.client.screen.network import session
from quadrille.client.screen.network.news import Host, Return, Sent, Watch
from quadrille.client.screen.table.model import Model
from quadrille.client.words.network.terms import terms_text
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.rules.registry import game
from tests.client.programs import Program
from tests.client.screen.network.people import Guest, at_evening
from tests.net.ports import udp_port
from tests.net.tables import terms

SMALL = {"width": 3, "height": 3}


def small(seats: int = 2, **more: object) -> Terms:
    return terms("barons", seats, SMALL, lot=False, **more)


def together(home: Path, story: Callable[[Guest, Guest], Awaitable[None]], agreed: Terms | None = None) -> None:
    """Ann opens a table, Ben joins it from his lobby; then the story."""

    async def evening() -> None:
        port = udp_port()
        opening = Host(agreed or small())
        async with at_evening(home, port, "Ben") as ben, at_evening(home, port, "Ann", opening) as ann:
            await ann.sees("1 of 2 seats taken")
            await ben.sees("1 seat is free")
            ben.press("1", "enter")
            await ann.at_table()
            await ben.at_table()
            await story(ann, ben)

    asyncio.run(evening())


async def ben_stays_away(ann: Guest, home: Path, port: int) -> None:
    """Ben takes the last of three seats and is killed on his turn; Ann is told that the table decides."""
    await ann.sees("2 of 3 seats taken")
    with Program("join", "Ann", home=home, port=port, name="Ben") as ben:
        await ann.plays("a1")
        ben.wait("^Your turn")
        ben.process.kill()
        await ann.sees("Ben is still away. Choose: wait, stand-in 3")


def test_a_game_from_the_lobby_to_its_end_and_a_rematch(tmp_path: Path) -> None:
    async def story(ann: Guest, ben: Guest) -> None:
        players = [ann, ben]
        for number in range(8):  # equal turns: the ninth square stays free
            mover = players[number % 2]
            await mover.plays()
        for player in players:
            await player.sees("OVER", "F6 rematch")
            assert player.match.over and player.match.entries == ann.match.entries
        ann.press("f6")
        await ann.until(lambda _: isinstance(ann.evening.front, WaitingRoomScreen))
        await ben.sees("wants a rematch")
        ben.press("f6")
        await ben.sees("YOUR TURN")
        assert (await ann.at_table()).ply == 0
        assert [chair.name for chair in ann.model.table.chairs] == ["Ben", "you"]

    together(tmp_path, story)


@pytest.mark.slow
def test_clocks_run_on_both_screens(tmp_path: Path) -> None:
    async def story(ann: Guest, ben: Guest) -> None:
        await ann.sees("YOUR TURN  4:5")
        await ben.sees("A Ann moves  4:5")
        await ann.plays("a1")
        await ben.sees("YOUR TURN  4:5")

    together(tmp_path, story, small(clock=TimeControl(300_000, 0)))


def test_a_table_can_be_left_for_the_lobby_and_returned_to(tmp_path: Path) -> None:
    async def story(ann: Guest, ben: Guest) -> None:
        await ann.plays("b2")
        await ben.sees("YOUR TURN")
        ben.press("c-q")
        await ben.sees("Tables on this network", "YOUR TURN", "stays open")
        ben.press("enter")
        await ben.at_table(1)
        await ben.plays("a1")
        ben.press("c-q")
        await ben.sees("you play there")
        await ann.plays("a2")
        await ben.sees("It is your turn at another table", "YOUR TURN")

    together(tmp_path, story)


def test_a_game_with_hidden_cards(tmp_path: Path) -> None:
    """The cards are shuffled by both; what one peeks at stands on that screen alone."""

    async def story(ann: Guest, ben: Guest) -> None:
        for number in range(6):
            mover = (ann, ben)[number % 2]
            await mover.plays("draw")
        await ann.sees("YOUR TURN")
        peek = next(str(move) for move in ann.match.state.moves if str(move).startswith("peek"))
        await ann.plays(peek)
        await ann.sees("You see ")
        cards = re.search(r"You see (.*?)[.]", ann.emulator.text)
        assert cards and re.fullmatch("((10|[A2-9JQK])[♠♥♦♣]|★)( and ((10|[A2-9JQK])[♠♥♦♣]|★))*", cards[1])
        await ann.sees(f"A {peek} = {cards[1].split()[0]}")  # a16: the list told `? ?`
        assert ann.model.table.view and ann.model.table.view.viewer == 0
        await ben.at_table(7)
        assert "You see" not in ben.emulator.text
        ann.press("f5")
        await ann.sees("REPLAY")
        ann.press("home")
        await ann.sees("REPLAY 0 of 7")
        ann.press("escape", "f2")
        await ann.no_longer_sees("REPLAY")

    together(tmp_path, story, terms("dotter", 2, {"laps": 1}, lot=False, takebacks=False))


@pytest.mark.slow
def test_somebody_looks_on(tmp_path: Path) -> None:
    async def evening() -> None:
        port = udp_port()
        with (
            Program("host", "maze", "--no-lot", home=tmp_path / "h", port=port, name="Hal") as hal,
            Program("join", "Hal", home=tmp_path / "b", port=port, name="Ben") as ben,
        ):
            hal.wait("^Your turn")
            hal.enter("say hello")
            ben.wait("hello")
            async with at_evening(tmp_path, port, "Wim", Watch("Hal")) as wim:
                await wim.at_table()
                await wim.sees("WATCHING  A Hal moves", "hello")
                assert wim.model.table.mine == ()
                wim.press("f2")
                await wim.sees("You are only watching")
                hal.enter(str(next(iter(wim.match.state.moves))))
                await wim.sees("B Ben moves")
                wim.press("c-q")
                assert await wim.end() == 0

    asyncio.run(evening())


@pytest.mark.slow
def test_a_lost_peer_comes_back_and_what_was_typed_is_made(tmp_path: Path) -> None:
    """Killed, not left: the banner is there within five seconds, and the move that was typed meanwhile is made."""

    async def evening() -> None:
        port, home = udp_port(), tmp_path / "b"
        async with at_evening(tmp_path, port, "Ann", Host(small(grace=600_000))) as ann:
            await ann.sees("1 of 2 seats taken")
            with Program("join", "Ann", home=home, port=port, name="Ben") as ben:
                await ann.plays("b2")
                ben.wait("^Your turn")
                gone_at = asyncio.get_running_loop().time()
                ben.process.kill()
                await ann.sees("Ben (away)", "1 away 9:5", "The table waits")
                assert asyncio.get_running_loop().time() - gone_at < 5
            ann.press("a1", "enter")
            await ann.sees("a1 is kept, and made when it is your turn")
            ann.press("x", "backspace")
            await ann.sees("Kept: a1.")
            with Program("resume", home=home, port=port, name="Ben") as ben:
                ben.wait("^Your turn")
                await ann.no_longer_sees("(away)")
                ben.enter("c3")
                await ann.at_table(3)
                ben.wait("player 1 .Ann.: a1")

    asyncio.run(evening())


@pytest.mark.slow
def test_a_copy_goes_on_against_a_bot_until_the_lost_peer_is_back(tmp_path: Path) -> None:
    async def evening() -> None:
        port, home = udp_port(), tmp_path / "b"
        async with at_evening(tmp_path, port, "Ann", Host(small(grace=600_000))) as ann:
            await ann.sees("1 of 2 seats taken")
            with Program("join", "Ann", home=home, port=port, name="Ben") as ben:
                await ann.plays("b2")
                ben.wait("^Your turn")
                ben.process.kill()
                await ann.sees("Ben is away. The table waits; F5, Enter continues in a copy; quit keeps it for")
            ann.press("f5", "enter")
            await ann.sees("Play on from here in a copy, against Level 3?")
            ann.press("enter")
            await ann.until(lambda _: ann.model.table.local and ann.model.table.is_mine)
            assert ann.match.ply == 2
            with Program("resume", home=home, port=port, name="Ben") as ben:
                ben.wait("^Your turn")
                await ann.sees("All are back at your table: quit leads there.")
                ann.press("c-q")
                await ann.until(lambda _: not ann.model.table.local)
                assert ann.match.ply == 1
                ben.enter("c3")
                await ann.plays("a1")
                ben.wait("player 1 .Ann.: a1")

    asyncio.run(evening())


@pytest.mark.slow
def test_a_kept_move_that_can_t_be_made_any_more_comes_back_to_the_line(tmp_path: Path) -> None:
    async def evening() -> None:
        port, home = udp_port(), tmp_path / "b"
        async with at_evening(tmp_path, port, "Ann", Host(small(grace=600_000))) as ann:
            await ann.sees("1 of 2 seats taken")
            with Program("join", "Ann", home=home, port=port, name="Ben") as ben:
                await ann.plays("b2")
                ben.wait("^Your turn")
                ben.process.kill()
                await ann.sees("Ben (away)")
            ann.press("c3", "enter")
            await ann.sees("c3 is kept")
            with Program("resume", home=home, port=port, name="Ben") as ben:
                ben.wait("^Your turn")
                ben.enter("c3")
                await ann.sees("c3, which was kept, can't be made now", "> c3")

    asyncio.run(evening())


@pytest.mark.slow
def test_the_same_program_takes_its_seat_back(tmp_path: Path) -> None:
    async def evening() -> None:
        port = udp_port()
        with Program("host", "barons", "--seats", "2", "--no-lot", home=tmp_path / "h", port=port, name="Hal") as hal:
            async with at_evening(tmp_path, port, "Ann") as ann:
                await ann.sees("1 seat is free")
                ann.press("1", "enter")
                await ann.at_table()
                hal.enter("a1")
                await ann.plays("b1")
            async with at_evening(tmp_path, port, "Ann") as ann:
                await ann.sees("unfinished", "waits for you")
                ann.press("enter")
                assert (await ann.at_table(2)).ply == 2
            async with at_evening(tmp_path, port, "Ann", Return("")) as ann:
                assert (await ann.at_table(2)).ply == 2
                ann.press("c-q")
                assert await ann.end() == 0
            hal.enter("quit")
            assert hal.end() == 0

    asyncio.run(evening())


@pytest.mark.slow
def test_f9_somebody_in_the_lobby_is_asked_says_yes_and_sits_down(tmp_path: Path) -> None:
    async def evening() -> None:
        port = udp_port()
        agreed = terms("barons", 3, {"width": 5, "height": 5}, lot=False, grace=2000)
        opening = Host(agreed, ("1",))
        async with at_evening(tmp_path, port, "Cid") as cid, at_evening(tmp_path, port, "Ann", opening) as ann:
            await ben_stays_away(ann, tmp_path / "b", port)
            ann.press("stand-in Cid", "enter")
            await ann.sees("Cid is asked to play for Ben")
            await cid.sees("asks you to play for")
            cid.press(f"play-on {ann.evening.table[:8]}", "enter")
            await ann.sees("Cid for")
            await cid.sees("Cid for", "YOUR TURN")

    asyncio.run(evening())


def test_a_table_that_is_not_there_is_said_and_ends_a_command(tmp_path: Path) -> None:
    async def evening() -> None:
        async with at_evening(tmp_path, udp_port(), "Ann", Return("")) as ann:
            assert await ann.end() == 1

    asyncio.run(evening())


def test_another_name(tmp_path: Path) -> None:
    async def evening() -> None:
        port = udp_port()
        async with at_evening(tmp_path, port, "Ann") as ann, at_evening(tmp_path, port, "Ben") as ben:
            await ben.sees(" Ann")
            ann.press("name Zoe", "enter")
            await ben.sees(" Zoe")
            await ann.sees("you are Zoe")

    asyncio.run(evening())


@pytest.mark.parametrize("first", [None, pytest.param(Host(small()), marks=pytest.mark.slow)])
def test_a_short_passphrase_is_told_on_the_screen(first: Host | None, tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.touch(mode=0o600)
    words.write_text("short")

    async def evening() -> None:
        options = ("--room", "den", "--passphrase-file", str(words))
        async with at_evening(tmp_path, udp_port(), "Ann", first, options=options) as ann:
            await ann.sees("Note: a program that tries a guess every minute can find a short passphrase")

    asyncio.run(evening())


def test_a_bot_needs_no_network(tmp_path: Path) -> None:
    """The identity is another program's, so that there is no network here; a game is two keys away."""

    async def evening() -> None:
        port = udp_port()
        async with at_evening(tmp_path, port, "Ann") as first:
            await first.sees("LAN: nobody else here")
            async with at_evening(tmp_path, port, "Ann") as ann:
                await ann.sees("another program is playing with the identity", "NO NETWORK")
                ann.press("play coin-isolation random", "enter")
                await ann.until(lambda _: isinstance(ann.evening.front, Model))
                assert ann.match.game is game("coin-isolation")

    asyncio.run(evening())


@pytest.mark.slow
def test_ones_own_network_is_gone_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(ann: Guest, ben: Guest) -> None:
        await ann.sees("YOUR TURN")
        with monkeypatch.context() as patch:
            patch.setattr(session, "present", lambda: ())
            await ben.sees("NO NETWORK", "Your own network is gone")
            ben.press("c3", "enter")
            await ben.sees("c3 is kept")
        await ben.no_longer_sees("NO NETWORK")
        await ann.plays("b2")
        await ann.at_table(2)
        assert str(getattr(ann.match.entries[1], "move", "")) == "c3"

    together(tmp_path, story)


def test_terms_are_told_in_the_room(tmp_path: Path) -> None:
    async def evening() -> None:
        agreed = small(clock=TimeControl(60_000, 1000))
        async with at_evening(tmp_path, udp_port(), "Ann", Host(agreed), columns=120) as ann:
            await ann.sees(terms_text(agreed))
            ann.press("c-q")
            assert await ann.end() == 0

    asyncio.run(evening())


@pytest.mark.slow
def test_bots_do_not_pile_up(tmp_path: Path) -> None:
    """After three tables three bots stood in everybody's list, and a new one was started for each."""

    async def evening() -> None:
        async with at_evening(tmp_path, udp_port(), "Ann") as ann:
            stage = cast(EveningStage, ann.stage)
            await ann.sees("Tables on this network")
            for _ in range(2):
                stage.perform(Sent(Host(small(), ("random",))))
                await ann.at_table()
                assert [chair.name for chair in ann.model.table.chairs] == ["you", "Vic"]
                await ann.plays()
                ann.press("c-q")
                await ann.sees("Tables on this network", "*Vic")  # it plays on
                ann.press("enter")
                await ann.plays()
                ann.press("f9", "y")
                await ann.sees("OVER", "F6")
                ann.press("c-q")
                await ann.sees("Tables on this network")
                await ann.until(lambda who: not any(one.kind == "bot" for one in who.evening.lobby.around.people))

    asyncio.run(evening())


def test_bots_of_ones_own_table_go_when_it_is_left(tmp_path: Path) -> None:
    """They and the one for hints lived on, eight processes after four tables."""

    async def evening() -> None:
        async with at_evening(tmp_path, udp_port(), "Ann") as ann:
            stage = cast(EveningStage, ann.stage)
            await ann.sees("Tables on this network")
            ann.press("play maze random", "enter")
            await ann.sees("YOUR TURN")
            ann.press("f2")
            await ann.sees("would play")
            ann.press("enter")
            await ann.sees("YOUR TURN", "last: B")
            bots = stage._bots
            programs = [player.talk.program for player in bots._players.values()]
            assert len(programs) == 2
            ann.press("c-q")
            await ann.sees("unfinished")
            assert not bots._players
            while any(one._process.poll() is None for one in programs):
                await asyncio.sleep(0.01)

    asyncio.run(evening())
