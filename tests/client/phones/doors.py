"""A door for phones on the loopback, with nothing behind it but free seats; and raw requests to it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.door import PhoneDoor
from quadrille.client.presence.consent import HostConsent
from quadrille.client.presence.guest_seats import GuestSeats, prepared
from quadrille.client.presence.invitation import PhoneInvitation
from tests.client.phones.page_client import PageClient
from tests.net.ports import tcp_port, udp_port
from tests.waiting import DEADLINE

HOST = "127.0.0.1"
ABOUT = "Maze for two"


@asynccontextmanager
async def phone_door(
    home: Path, table: str = "0" * 32, *, free: int = 1, port: int = 0, consent: HostConsent | None = None
) -> AsyncIterator[PhoneDoor]:
    """An open door of that table, in the network of that port."""
    options = NetworkOptions(None, str(home), (HOST,), (), port or udp_port(), 0, None)
    seats = GuestSeats(options, home, [prepared(home)[0].name for _ in range(free)])
    seats.find(table)
    door = PhoneDoor(options, table, ABOUT, seats, PhoneInvitation.new(tcp_port()), consent or HostConsent(asks=False))
    await door.open()
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


def get(path: str, *headers: str) -> str:
    """A request for a path from the right host."""
    return "\r\n".join((f"GET {path} HTTP/1.1", "Host: {HOST}", *headers, "", ""))


def page(door: PhoneDoor, secret: str = "", **more: Any) -> PageClient:
    """A page at this door, by the secret of the invitation if no other is named."""
    return PageClient(HOST, door.invitation.port, secret or door.invitation.secret, **more)
