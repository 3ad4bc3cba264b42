"""A door for phones on the loopback, with nothing behind it but free seats; and raw requests to it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.door import PhoneDoor
from quadrille.client.presence.guest_seats import GuestSeats, Lead
from tests.client.phones.page_client import PageClient
from tests.net.ports import tcp_port, udp_port
from tests.waiting import DEADLINE

HOST = "127.0.0.1"
ABOUT = "Maze for two"


class LeadingHost:
    """The other end of a door's pipe: a host who leads to a table, and gives chairs to who comes first."""

    def __init__(self, table: str, free: int, *, asks: bool) -> None:
        self.lead = Lead(table, "maze", ABOUT, free=free, asks=asks)
        self.guests: list[dict[str, Any]] = []
        #: What the door has said besides.
        self.said: list[dict[str, Any]] = []
        self._chairs = free

    def meet(self, door: PhoneDoor) -> None:
        """Lead those who are there; guests of an evening that was cut off have their chairs."""
        self._door = door
        self._chairs += len(self.guests)
        self.go_on()

    def hear(self, line: str) -> None:
        told = json.loads(line)
        self.guests = told.get("guests", self.guests)
        if "guests" not in told:
            self.said.append(told)
        elif hasattr(self, "_door"):
            asyncio.get_running_loop().call_soon(self.go_on)

    def go_on(self, **changes: Any) -> None:
        chairs = tuple(guest["folder"] for guest in self.guests)[: self._chairs]
        self.lead = replace(self.lead, chairs=chairs, free=self._chairs - len(chairs), **changes)
        self._door.hear(self.lead.to_json().encode())


@asynccontextmanager
async def phone_door(
    home: Path, table: str = "0" * 32, *, free: int = 1, port: int = 0, host: LeadingHost | None = None
) -> AsyncIterator[PhoneDoor]:
    """An open door whose host leads to that table, in the network of that port."""
    options = NetworkOptions(None, str(home), (HOST,), (), port or udp_port(), 0, None, phone_port=tcp_port())
    host = host or LeadingHost(table, free, asks=False)
    door = PhoneDoor(options, GuestSeats(options, home), host.hear)
    await door.open()
    host.meet(door)
    try:
        yield door
    finally:
        await door.close()


async def http(door: PhoneDoor, request: str, host: str = "") -> str:
    """What answers a request, whole; {HOST} is the right host."""
    reader, writer = await asyncio.open_connection(host or HOST, door.invitation.port)
    writer.write(request.replace("{HOST}", f"{HOST}:{door.invitation.port}").encode())
    try:
        async with asyncio.timeout(DEADLINE):
            return (await reader.read()).decode("utf-8", "replace")
    finally:
        writer.close()


def dialled(door: PhoneDoor) -> connect:
    """Open a socket as a page does, without a word on it."""
    where = f"{HOST}:{door.invitation.port}"
    return connect(f"ws://{where}/table", origin=f"http://{where}", compression=None, proxy=None)


def get(path: str, *headers: str) -> str:
    return "\r\n".join((f"GET {path} HTTP/1.1", "Host: {HOST}", *headers, "", ""))


def page(door: PhoneDoor, secret: str = "", **more: Any) -> PageClient:
    """A page at this door, by the secret of the invitation if no other is named."""
    return PageClient(HOST, door.invitation.port, secret or door.invitation.secret, **more)
