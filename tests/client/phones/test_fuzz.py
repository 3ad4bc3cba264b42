"""Senseless frames and requests, at the door and in a seat, while a game goes on undisturbed. Seeds are fixed."""

import asyncio
import json
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from quadrille.client.phones import requests
from quadrille.client.phones.connection import PageConnection
from quadrille.client.phones.evening import PhoneEvening
from quadrille.client.phones.guests import Lead, Visitor
from quadrille.client.phones.requests import Request, read_request
from quadrille.client.phones.view import Parts
from quadrille.client.screen.table.model import LookedBack, Picked, Written
from quadrille.net.core.errors import PeerError
from tests.client.phones.doors import HOST, dialled
from tests.client.phones.page_client import PageClient
from tests.client.phones.served import SMALL, at_phones, served, told
from tests.waiting import DEADLINE

#: All that is asked for, and some that is not. What ends a game, or leaves it, is everybody's right: it is left out.
ASKS = (
    "come", "sit", "pick", "line", "drop", "play", "word", "say", "answer", "look", "rules", "record", "bet",
    "here", "x",
)  # fmt: skip
NAMES = ("as", "name", "place", "line", "at", "word", "rest", "text", "yes", "seat", "")
TEXTS = (
    "", "play", "screen", "a1", "c3", "z99", "a1-b2", "save", "stand-in", "hint", "\ud800", "\u202egnp", "\0", "%s%n",
    "<b onclick=x>", "../../etc/passwd", "\U0001f600" * 30, "x" * 900, "9" * 600,
)  # fmt: skip
OTHERS = (None, True, False, 0, 1, 2, -1, 10**30, 0.5, 1e308, float("nan"), float("inf"), [], {}, [[[]]], {"do": "sit"})
BROKEN = (
    b"", b"{", b"[" * 1000, b'{"do":' * 150, b'{"do":1e999}', b"\xff\xfe", b'"do"', b"null", b"[]", b'{"do":["pick"]}',
    b'{"do":"look","at":' + b"9" * 900 + b"}", b'{"do":"here"' + b" " * 1100 + b"}", b"9" * 1024,
)  # fmt: skip


def request(dice: Random) -> bytes:
    """Something that a page could ask for, or nearly."""
    if dice.random() < 0.1:
        return dice.choice(BROKEN)
    given = {dice.choice(NAMES): dice.choice((*TEXTS, *OTHERS)) for _ in range(dice.randrange(5))}
    content = bytearray(json.dumps({"do": dice.choice(ASKS), **given}).encode())
    if dice.random() < 0.1:
        content[dice.randrange(len(content))] = dice.randrange(256)
    return bytes(content)


@pytest.mark.parametrize("number", [5_000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_a_request_is_one_of_those_known_or_refused(number: int) -> None:
    dice, known = Random(20), 0
    for _ in range(number):
        with suppress(PeerError):
            found = read_request(request(dice))
            assert isinstance(found, Request)
            known += 1
    assert number // 10 < known < number


async def strange(door: Any, dice: Random) -> None:
    """Somebody who knows nothing: bytes that are no request, and frames that are no first ones."""
    reader, writer = await asyncio.open_connection(HOST, door.invitation.port)
    writer.write(dice.randbytes(dice.randrange(4000)) + b"\r\n\r\n")
    with suppress(OSError):
        async with asyncio.timeout(DEADLINE):
            await reader.read()
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    with suppress(ConnectionClosed):
        async with dialled(door) as socket:
            for size in (32, dice.randrange(1, 1200), 100):
                frame = dice.randbytes(size)
                await socket.send(frame if dice.random() < 0.8 else frame.hex())
            async with asyncio.timeout(DEADLINE):
                async for _ in socket:
                    pass


async def known(client: PageClient, dice: Random, *, patient: bool) -> None:
    """Somebody who has a secret, and asks for what there is not, until the line ends or all has been heard.

    An impatient one doesn't listen meanwhile: the door then has 2 seconds to end the line.
    """
    with suppress(ConnectionClosed):
        async with client:
            for _ in range(dice.randrange(1, 9)):
                await client.send(request(dice))
                if patient:
                    await heard(client)
            if dice.random() < 0.3:
                await client.socket.send(dice.randbytes(60))
            await heard(client)


async def heard(client: PageClient) -> None:
    client.parts.pop("here", None)
    await client.ask("here")
    await client.until(lambda parts: "here" in parts)


@pytest.mark.parametrize("times", [1, pytest.param(6, marks=pytest.mark.slow)])
async def test_a_game_goes_on_whatever_else_is_said(tmp_path: Path, times: int) -> None:
    dice = Random(20)

    with served(tmp_path, "barons", "--seats", "3", *SMALL, guests=2) as there:
        ann, door = there.host, SimpleNamespace(invitation=SimpleNamespace(port=there.port))

        async with at_phones(there, "Ben", "Cleo") as (ben, cleo):

            async def storm() -> None:
                for _ in range(times):
                    await strange(door, dice)
                    for secret in ("", cleo.seat["token"]):
                        one = there.page(secret, screen=dice.random() < 0.2)
                        await known(one, dice, patient=dice.random() > (0.1 if times > 2 else 0))

            while not ben.parts.get("over"):
                at = ben.parts["at"]
                await cleo.until(lambda parts, at=at: parts["at"] >= at)
                words = ben.parts["words_of"]
                free = next(place[0] for place in ben.parts["board"]["places"] if place[0] not in words)
                stormy = asyncio.create_task(storm())
                if ben.parts["head"]["mine"]:
                    await ben.ask("play", at=at, line=free)
                elif cleo.parts["head"]["mine"]:  # her seat is where it is stormy, too
                    await stormy
                    await cleo.ask("look", at=None)
                    await cleo.ask("play", at=at, line=free)
                else:
                    ann.enter(free)
                await ben.until(lambda parts, at=at: parts["at"] > at)
                await stormy
            assert len(ben.parts["log"]) == ben.parts["at"] == 9
            assert "away" not in ann.text and "Traceback" not in ann.text
            await told(ann, "The game is over")
            assert ben.parts["over"]["lines"] and sorted(ben.sizes)[len(ben.sizes) // 2] <= 1024
            await ben.ask("record")
            saved = (await ben.until(lambda parts: "record" in parts))["record"]
            assert saved["name"].endswith(".html") and saved["text"].startswith("<!DOCTYPE html>")
            assert "Cleo" in saved["text"] and saved["text"].endswith("</html>\n")
            await ben.ask("rules")
            assert any("Barons" in line for line in (await ben.until(lambda parts: "rules" in parts))["rules"])
    assert not (tmp_path / "faults.log").exists()  # an error that the host's program did not foresee


class Reading(PageConnection):
    """A page that keeps what it is told beside the state."""

    def __init__(self) -> None:
        self.told: dict[str, Any] = {}
        self.place: Any = None

    def sit(self, place: Any) -> None:
        self.place = place

    def show(self, parts: Parts) -> None:
        """See the state, in which no answer stands."""

    def tell(self, parts: Parts) -> None:
        self.told |= parts


WISHES = (
    Picked("a1"), Written("a1"), requests.PlayLine(0, "a1"), requests.Word("say", "hi"),
    requests.Word("hint", ""), requests.GiveAnswer(True), LookedBack(0), requests.PlaceBet(9),
    requests.BareRequest.DROP, requests.BareRequest.RULES,
)  # fmt: skip


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: type(wish).__name__)
def test_each_wish_of_a_watcher_is_granted_or_refused_in_words(wish: Request) -> None:
    """At a table that is watched, on a television and on the phone of a guest without a seat, and where no table is."""
    asked = list[Any]()
    guests = SimpleNamespace(call=lambda *told: asked.append(told), bet=None, wish=None, leaves=None, comes=None)
    ben = Visitor("Ben", "code", "token", 0)
    for lead, name in product((Lead("00", "maze", "Maze"), Lead()), ("", "Ben")):
        evening, page = PhoneEvening(guests, None), Reading()
        evening.meet([ben])
        evening.go_to(lead)
        evening.enter(page, name)
        asked.clear()
        evening.obey(page, wish)
        assert page.told or asked, f"{lead} swallows {wish}"
