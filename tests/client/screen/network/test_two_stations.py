"""Two people on loopback, each before a screen: they meet, sit down, play, talk, propose, lose each other."""

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from quadrille.client.network.options import NetworkOptions, add_network, network_options
from quadrille.client.screen.evening import Evening
from quadrille.client.screen.evening_stage import EveningStage
from quadrille.client.screen.network.news import Order
from quadrille.client.screen.table.model import Model
from quadrille.client.table.wishes import Host, JoinTable, Return
from quadrille.net.link import broadcast
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.client.evening import barons
from tests.client.screen.terminal import Person, at_stage
from tests.net.ports import udp_port

# People in this process, each with an evening on an emulated terminal and a station of their own on loopback
#
# Whatever is waited for is a condition on a screen, never a time.


def network(home: Path, port: int, name: str, *more: str) -> NetworkOptions:
    parser = argparse.ArgumentParser()
    add_network(parser)
    words = ["--home", str(home / name), "--port", str(port), "--interface", "127.0.0.1", "--name", name, *more]
    return network_options(parser.parse_args(words))


class Guest(Person):
    @property
    def evening(self) -> Evening:
        return self.stage.shell.model

    @property
    def model(self) -> Model:
        front = self.evening.front
        assert isinstance(front, Model), self.emulator.text
        return front

    @property
    def match(self) -> Match:
        return self.model.table.match

    async def at_table(self, plies: int = 0, *, mine: bool = False) -> None:
        """Wait until a table is in front, with so many moves made."""

        def is_there(front: object) -> bool:
            return isinstance(front, Model) and front.table.match.ply >= plies and (front.table.is_mine or not mine)

        await self.until(lambda _: bool(self.evening.table) and is_there(self.evening.front))

    async def plays(self, move: str) -> None:
        await self.at_table(mine=True)
        ply = self.match.ply
        self.press(move, "enter")
        await self.at_table(ply + 1)


@asynccontextmanager
async def at_evening(
    home: Path, port: int, name: str, first: Order | None = None, *options: str
) -> AsyncIterator[Guest]:
    """Somebody who has come for an evening, or for one table alone."""
    place = network(home, port, name, *options)
    async with at_stage(lambda: EveningStage(place, first), who=Guest) as guest:
        yield guest


# Two of them

OPENING = Host(barons())


@asynccontextmanager
async def together(home: Path) -> AsyncIterator[tuple[Guest, Guest]]:
    port = udp_port()
    async with at_evening(home, port, "Ben") as ben, at_evening(home, port, "Ann", OPENING) as ann:
        await ann.sees("1 of 2 seats taken")
        await ben.sees("1 seat is free")
        ben.press("1", "enter")
        await ann.at_table()
        await ben.at_table()
        yield ann, ben


@pytest.mark.slow
async def test_a_table_can_be_left_for_the_lobby_and_returned_to(tmp_path: Path) -> None:
    async with together(tmp_path) as (ann, ben):
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


@pytest.mark.slow
async def test_enter_takes_the_chair_of_a_friend_and_del_forgets_what_was_left(tmp_path: Path) -> None:
    port = udp_port()
    async with at_evening(tmp_path, port, "Ben") as ben:
        await ben.sees("Tables on this network")
        ben.press("play barons random", "enter")
        await ben.sees("YOUR TURN")
        ben.press("a1", "enter")
        await ben.sees("last: B")
        ben.press("c-q")
        await ben.sees("Unfinished games", "1 Barons")
        async with at_evening(tmp_path, port, "Ann", OPENING) as ann:
            await ben.sees("1 seat is free", "2 Barons")
            ben.press("enter")
            await ann.at_table()
            await ben.at_table()
            ben.press("c-q")
            await ben.sees("Unfinished games", "2 Barons", "Your table stays open")
            ben.press("forget 2", "enter")
            await ben.sees("Delete it for good")
            ben.press("enter")
            await ben.no_longer_sees("Unfinished games")
            await ben.sees("is deleted.")
        await ben.sees("Unfinished games", "1 Barons")  # Ann has gone


@pytest.mark.slow
async def test_who_takes_another_name_while_looking_for_a_table_still_sits_down_there(tmp_path: Path) -> None:
    port = udp_port()
    async with at_evening(tmp_path, port, "Ann", JoinTable("Ben")) as ann:
        await ann.sees("Looking for a table.")
        ann.press("name Zoe", "enter")
        await ann.sees("you are Zoe")
        async with at_evening(tmp_path, port, "Ben", OPENING):
            await ann.at_table()


async def test_a_table_that_is_not_there_is_said_and_ends_a_command(tmp_path: Path) -> None:
    async with at_evening(tmp_path, udp_port(), "Ann", Return("")) as ann:
        assert await ann.end() == 1


@pytest.mark.parametrize("first", [None, pytest.param(OPENING, marks=pytest.mark.slow)])
async def test_a_short_passphrase_is_told_on_the_screen(first: Host | None, tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.touch(mode=0o600)
    words.write_text("short")

    options = ("--room", "den", "--passphrase-file", str(words))
    async with at_evening(tmp_path, udp_port(), "Ann", first, *options) as ann:
        await ann.sees("Note: a program that tries a guess every minute can find a short passphrase")


async def test_a_bot_needs_no_network(tmp_path: Path) -> None:
    """The identity is another program's, so that there is no network here; a game is two keys away."""

    port = udp_port()
    async with at_evening(tmp_path, port, "Ann") as first:
        await first.sees("LAN: nobody else here")
        async with at_evening(tmp_path, port, "Ann") as ann:
            await ann.sees("another program is playing with the identity", "NO NETWORK")
            ann.press("play coin-isolation random", "enter")
            await ann.until(lambda _: isinstance(ann.evening.front, Model))
            assert ann.match.game is game("coin-isolation")


@pytest.mark.slow
async def test_ones_own_network_is_gone_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with together(tmp_path) as (ann, ben):
        await ann.sees("YOUR TURN")
        with monkeypatch.context() as patch:
            patch.setattr(broadcast, "present", tuple)
            await ben.sees("NO NETWORK", "Your own network is gone")
            ben.press("c3", "enter")
            await ben.until(lambda _: ben.evening.kept == "c3")  # told by a notice, or by the next news in the banner
        await ben.no_longer_sees("NO NETWORK")
        await ann.plays("b2")
        await ann.at_table(2)
        assert str(getattr(ann.match.entries[1], "move", "")) == "c3"


@pytest.mark.slow
async def test_bots_of_ones_own_table_go_when_it_is_left(tmp_path: Path) -> None:
    async with at_evening(tmp_path, udp_port(), "Ann") as ann:
        stage = ann.stage
        await ann.sees("Tables on this network")
        ann.press("play maze random", "enter")
        await ann.sees("YOUR TURN")
        ann.press("f2")
        await ann.sees("would play")
        ann.press("enter")
        await ann.sees("YOUR TURN", "last: B")
        bots = stage._bots
        programs = [bot.player.talk.program for _, bot in bots._seated.values()] + [bots._advice[1].talk.program]
        assert len(programs) == 2
        ann.press("c-q")
        await ann.sees("unfinished")
        assert not bots._seated and bots._advice is None
        while any(one._process.poll() is None for one in programs):
            await asyncio.sleep(0.01)
