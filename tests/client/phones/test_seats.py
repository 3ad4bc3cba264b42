"""Seats on phones at a real table: they sleep and come back, play each move once, and take the record home."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.client.phones.doors import HOST
from tests.client.phones.page_client import PageClient
from tests.client.phones.served import Table, served
from tests.client.programs import Program

NINE = ("--set", "width=3", "--set", "height=3")
END = ("barons", "--seats", "2", *NINE)


def page(table: Table, secret: str = "", *, screen: bool = False) -> PageClient:
    return PageClient(HOST, table.port, secret or table.code, screen=screen)


async def told(program: Program, text: str) -> None:
    await asyncio.to_thread(program.wait, text)


async def sit(client: PageClient, name: str) -> None:
    await client.ask("sit", name=name)
    await client.until(lambda _: client.seat)


@asynccontextmanager
async def at_phone(tmp_path: Path, *words: str) -> AsyncIterator[tuple[Program, Table, PageClient]]:
    """Ben sits at Ann's table for two, on a phone."""
    with served(tmp_path, *END, *words) as table:
        async with page(table) as ben:
            await sit(ben, "Ben")
            await at_table(ben)
            yield table.host, table, ben


async def at_table(*clients: PageClient) -> None:
    for client in clients:
        await client.until(lambda parts: parts.get("stage") == "table")


async def move(client: PageClient, times: int = 1) -> str:
    """Touch the first place that can be picked, and play, so many times."""
    await client.until(lambda parts: parts["head"]["mine"] and parts["marks"]["nexts"])
    place, at = client.parts["marks"]["nexts"][0], client.parts["at"]
    await client.ask("pick", place=place)
    await client.until(lambda parts: parts["draft"]["stage"] == "legal")
    assert client.parts["marks"]["path"] == [place]
    for _ in range(times):
        await client.ask("play", at=at, line=client.parts["draft"]["line"])
    await client.until(lambda parts: parts["at"] > at)
    return str(place)


@pytest.mark.slow
async def test_a_phone_sleeps_and_nobody_sees_it(tmp_path: Path) -> None:
    with served(tmp_path, *END) as table:
        ann = table.host
        async with page(table) as ben:
            await sit(ben, "Ben")
            await at_table(ben)
            token, code = ben.seat["token"], ben.seat["code"]
        ann.enter("a1")  # while the phone sleeps
        async with page(table, token) as again:
            await again.until(lambda parts: parts.get("at") == 1 and parts["head"]["mine"])
            assert await move(again, times=3) == "a2"
            await told(ann, "a2")
            assert "away" not in ann.text and "gone" not in ann.text, ann.text
            ann.enter("a3")
            async with page(table, code.replace("-", " ").upper()) as other:  # another browser, by the code
                await other.until(lambda parts: parts.get("at") == 3)
                await again.until(lambda parts: parts["at"] == 3)
                at, line = 3, "b1"
                await again.ask("play", at=at, line=line)
                await other.ask("play", at=at, line=line)  # both at once: one move
                await other.until(lambda parts: parts["at"] == 4)
                await again.until(lambda parts: parts["at"] == 4)
                ann.enter("b2")
                await other.until(lambda parts: parts["at"] == 5)
                assert [text for _, text in other.parts["log"]].count("B b1") == 1


@pytest.mark.slow
async def test_hints_come_from_a_bot_of_the_hosts_and_not_as_fast_as_they_are_asked_for(tmp_path: Path) -> None:
    async with at_phone(tmp_path, "--hints") as (ann, _, ben):
        ann.enter("a1")
        await ben.until(lambda parts: parts["head"]["mine"])
        await ben.ask("word", word="hint", rest="")
        await ben.until(lambda parts: parts["draft"]["stage"] == "legal")
        assert "would play" in ben.parts["told"]["text"]
        for _ in range(3):
            await ben.ask("word", word="hint", rest="")
        await ben.until(lambda parts: "in a few seconds" in parts["told"]["text"])
        await ben.until(lambda parts: "would play" in parts["told"]["text"])  # one that was asked for before


@pytest.mark.slow
async def test_a_page_shows_what_its_own_seat_has_seen_and_a_host_what_the_keyboard_has(tmp_path: Path) -> None:
    """The host's program knows all cards here. What Ann peeks at is on no page, and what Gus sees not in her lines."""
    dotter = ("dotter", "--seats", "2", "--set", "laps=1", "--no-takebacks")
    with served(tmp_path, *dotter) as table:
        ann = table.host
        async with page(table) as gus, page(table, screen=True) as screen:
            await sit(gus, "Gus")
            await at_table(gus)
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
    with served(tmp_path, *END) as table:
        async with page(table) as ben:
            await sit(ben, "Ben")
            await at_table(ben)
            for yes in (False, True):
                await ben.ask("word", word="quit", rest="")
                await ben.until(lambda parts: parts["ask"])
                await ben.ask("answer", yes=yes)
                if not yes:
                    await ben.until(lambda parts: not parts["ask"])
            await left(ben)
            assert ben.socket.close_code == 4405 and ben.socket.close_reason == "Your seat is kept."
        await told(table.host, "Ben.* is away")
        async with page(table, ben.seat["token"]) as again:  # the seat was kept
            await again.until(lambda parts: parts.get("at") == 0)
            await told(table.host, "Ben.* is back")


async def left(client: PageClient) -> None:
    with suppress(ConnectionClosed):
        while True:
            await client.hear()
