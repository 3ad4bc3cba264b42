"""A door for phones on the loopback, with nothing behind it but free seats; and raw requests to it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from websockets.asyncio.client import connect

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.door import PhoneDoor
from quadrille.client.phones.guests import Answer, GuestList, Lead, Visitor
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.net.core.errors import LocalError
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from tests.client.phones.page_client import PageClient
from tests.net.ports import tcp_port
from tests.waiting import DEADLINE

HOST = "127.0.0.1"
ABOUT = "Maze for two"


def guest_list(store: Store) -> GuestList:
    return GuestList(SimpleNamespace(store=store, lobby=SimpleNamespace(name="Ann")))


def kept_guests(home: Path) -> tuple[Visitor, ...]:
    """The guests in the store of a program that has ended."""
    with closing(Store(home, Identity.open(home).key)) as store:
        return guest_list(store).guests


class LeadingHost:
    """The station's end of a door: a host who leads to a table, and gives chairs to who comes first."""

    def __init__(self, store: Store, lead: Lead, *, asks: bool = False) -> None:
        self.asks = asks
        self.lead = lead
        self.list = guest_list(store)
        #: What the door has said besides.
        self.said: list[tuple[Any, ...]] = []
        self.answers: list[Answer] = []
        self.here: dict[str, bool] = {}
        self._chairs = lead.free

    def meet(self, door: PhoneDoor, port: int) -> None:
        """Lead those who are there; guests of an evening that was cut off have their chairs."""
        self.door = door
        self.list.invitation = PhoneInvitation.new(port)
        self._chairs += len(self.list.guests)
        self.go_on()

    def go_on(self, **changes: Any) -> None:
        chairs = tuple(guest.name for guest in self.list.guests)[: self._chairs]
        here = tuple(name for name, is_here in self.here.items() if is_here)
        self.lead = replace(self.lead, chairs=chairs, free=self._chairs - len(chairs), here=here, **changes)
        assert self.list.invitation is not None
        self.door.meet(self.list.invitation, self.list.guests)
        self.door.evening.go_to(self.lead)

    def give(self, name: str) -> Visitor:
        guest = self.list.give(self.list.check(name))
        self.go_on()
        return guest

    # Called by the door

    def call(self, deed: Callable[..., None], *told: Any) -> None:
        deed(*told)

    def sits(self, name: str, address: str, answer: Answer) -> None:
        self.said.append(("sits", name, address))
        if self.asks:
            self.answers.append(answer)
            return
        try:
            answer(self.give(name))
        except LocalError as error:
            answer(str(error))

    def asks_no_longer(self, answer: Answer) -> None:
        self.answers.remove(answer)

    def comes(self, name: str, here: bool) -> None:
        self.here[name] = here
        self.go_on()

    def bet(self, *told: Any) -> None:
        self.said.append(("bet", *told))

    def wish(self, *told: Any) -> None:
        self.said.append(("wish", *told))

    def failed(self, error: Exception) -> None:
        raise error

    def leaves(self, name: str) -> None:
        self.list.guests = tuple(guest for guest in self.list.guests if guest.name != name)
        self.here.pop(name, None)
        self.door.evening.dismiss(name)
        self.go_on()


@asynccontextmanager
async def phone_door(
    home: Path, lead: Lead | None = None, *, free: int = 1, asks: bool = False
) -> AsyncIterator[PhoneDoor]:
    """An open door whose host leads to a table; `door.host` is the other end."""
    options = NetworkOptions(None, str(home), (HOST,), (), 0, 0, None, phone_port=tcp_port())
    with closing(Store(home, Identity.open(home).key)) as store:
        host = LeadingHost(store, lead or Lead("0" * 32, "maze", ABOUT, free=free), asks=asks)
        door = PhoneDoor(options, host)
        host.meet(door, await door.open([options.phone_port]))
        door.host = host
        try:
            yield door
        finally:
            await door.close(())


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
