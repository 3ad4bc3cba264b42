"""A page without a browser: it speaks the phone's socket as phone.js does, and keeps what it has been told.

It shares no code with the program's end of the channel but libsodium, which TweetNaCl agrees with.
"""

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from nacl.bindings import crypto_box_beforenm, crypto_box_keypair, crypto_secretbox, crypto_secretbox_open
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.waiting import DEADLINE


def nonce(number: int) -> bytes:
    return number.to_bytes(24, "big")


def page_keys(theirs: bytes, private: bytes, secret: str) -> tuple[bytes, bytes]:
    """The key to the program, and the one to the page."""
    both = hashlib.sha512(b"quadrille phone" + crypto_box_beforenm(theirs, private) + secret.encode()).digest()
    return both[:32], both[32:]


class PageClient:
    """One page. `parts` is all that it has been told, as a page puts it together."""

    def __init__(
        self, host: str, port: int, secret: str, *, screen: bool = False, origin: str | None = "", source: str = ""
    ) -> None:
        self.parts: dict[str, Any] = {}
        self.sizes: list[int] = []
        self.seat: dict[str, str] = {}
        self._url = f"ws://{host}:{port}/table"
        self._origin = f"http://{host}:{port}" if origin == "" else origin
        self._secret = "".join(filter(str.isalnum, secret.lower()))
        self._come = "screen" if screen else "play"
        self._more: dict[str, Any] = {"open_timeout": DEADLINE} | ({"local_addr": (source, 0)} if source else {})
        self._sent = self._heard = 0

    async def __aenter__(self) -> Self:
        self.socket: ClientConnection = await connect(
            self._url, origin=self._origin, compression=None, max_size=None, proxy=None, **self._more
        )
        public, private = crypto_box_keypair()
        await self.socket.send(public)
        self._to_server, self._to_page = page_keys(await self.socket.recv(), private, self._secret)
        await self.ask("come", **{"as": self._come})
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.socket.close()

    async def ask(self, do: str, **words: Any) -> None:
        own = {"token": secrets.token_hex(16)} if do == "sit" else {}
        await self.send(json.dumps({"do": do, **words, **own}).encode())

    async def send(self, content: bytes) -> None:
        await self.socket.send(self.sealed(content))

    def sealed(self, content: bytes) -> bytes:
        self._sent += 1
        return crypto_secretbox(content, nonce(self._sent - 1), self._to_server)

    async def hear(self) -> dict[str, Any]:
        async with asyncio.timeout(DEADLINE):
            data = await self.socket.recv()
        message: dict[str, Any] = json.loads(crypto_secretbox_open(data, nonce(self._heard), self._to_page))
        self._heard += 1
        self.sizes.append(len(data))
        if message.pop("anew", False):
            self.parts = {}
        for name, part in message.items():
            self._take(name, part)
        return message

    def _take(self, name: str, part: Any) -> None:
        match name:
            case "board":
                self.parts |= {"board": part, "spots": {}, "words_of": {}}
            case "spots" | "words_of" | "log" | "chat" | "players":
                known = self.parts.get(name, {})
                known = {str(row): what for row, what in enumerate(known)} if isinstance(known, list) else known
                rows = {row: what for row, what in (known | part).items() if what is not None}
                self.parts[name] = rows if name in ("spots", "words_of") else [*rows.values()]
            case "seat":
                self.seat = part
            case _:
                self.parts[name] = part

    async def until(self, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        while not holds(self.parts):
            await self.hear()
        return self.parts

    async def come_to_table(self) -> None:
        await self.until(lambda parts: parts.get("stage") == "table")

    async def sit(self, name: str) -> None:
        await self.ask("sit", name=name)
        await self.until(lambda _: self.seat)

    async def answer(self, *, yes: bool = True) -> None:
        """Answer a question once it is asked."""
        await self.until(lambda parts: parts.get("ask"))
        await self.ask("answer", yes=yes)

    async def move(self, times: int = 1) -> str:
        """Touch the first place that can be picked, and play, so many times."""
        await self.come_to_table()
        await self.until(lambda parts: parts["head"]["mine"] and parts["marks"]["nexts"])
        place, at = self.parts["marks"]["nexts"][0], self.parts["at"]
        await self.ask("pick", place=place)
        await self.until(lambda parts: parts["draft"]["stage"] == "legal")
        assert self.parts["marks"]["path"] == [place]
        for _ in range(times):
            await self.ask("play", at=at, line=self.parts["draft"]["line"])
        await self.until(lambda parts: parts["at"] > at)
        return str(place)

    async def reads(self, text: str) -> None:
        await self.until(lambda parts: text in parts.get("told", {}).get("text", ""))

    async def is_sent_away(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self.hear()
