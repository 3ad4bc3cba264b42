"""A door for phones on the loopback, with nothing behind it but free seats; and raw requests to it."""

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from websockets.asyncio.client import connect

from quadrille.client.network.options import NetworkOptions
from quadrille.client.phones.door import PhoneDoor
from quadrille.client.phones.guests import GuestList, Guests, Visitor
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.table.stage import NetworkContext
from quadrille.client.words.terms import terms_text
from quadrille.net.entries.terms import Terms
from quadrille.net.seating.gathering import Gathering
from quadrille.net.trust.guard import Guarded
from quadrille.net.trust.identity import Identity
from quadrille.net.trust.store import Store
from tests.client.phones.page_client import PageClient
from tests.net.ports import tcp_port
from tests.net.tables import terms
from tests.waiting import DEADLINE

HOST = "127.0.0.1"
ANN = Identity(b"a" * 32)
TERMS = terms("barons", 8)
ABOUT = terms_text(TERMS)


def guest_list(store: Store) -> GuestList:
    return GuestList(SimpleNamespace(store=store, lobby=SimpleNamespace(name="Ann")))


def kept_guests(home: Path) -> tuple[Visitor, ...]:
    """The guests in the store of a program that has ended."""
    with closing(Store(home, Identity.open(home).key)) as store:
        return guest_list(store).guests


class HostAlone(Guests):
    """The guests of a station with nobody else, and its table, which gathers."""

    def __init__(self, store: Store, table: Terms = TERMS) -> None:
        self.gathering = Gathering(bytes(16), ANN.key, table, ANN, 0, name="Ann")
        lobby = SimpleNamespace(tables={}, gatherings={}, name="Ann", identity=ANN, sitting=lambda _: ())
        self.faults: list[Exception] = []
        station = SimpleNamespace(
            store=store, lobby=lobby, identity=ANN, node=SimpleNamespace(wake_up=lambda: None),
            shelf=SimpleNamespace(unfinished=list), watch=lambda _: Guarded(self.faults.append),
            caught=lambda _, error: self.faults.append(error),
        )  # fmt: skip
        super().__init__(station, None, NetworkContext(lobby, lambda: 0), lambda _: None)

    def leads(self, seats: int, *, asks: bool = False) -> None:
        self._station.lobby.gatherings[self.gathering.table] = self.gathering
        self.lead_to(self.gathering, seats, asks=asks)


class HostAtOnce(HostAlone):
    """Such a host in the thread of the pages: it does at once what it is asked for."""

    def meet(self, door: PhoneDoor, port: int) -> None:
        self.pages = SimpleNamespace(
            door=door, evening=door.evening, call=lambda deed, *told, **more: deed(*told, **more)
        )
        self._list.invitation = PhoneInvitation.new(port)
        self._meet()

    def call(self, deed: Callable[..., None], *told: Any) -> None:
        super().call(deed, *told)
        self.obey()
        self.follow()

    def give(self, name: str) -> Visitor:
        given: list[Any] = []
        self.sits(name, HOST, given.append, secrets.token_hex(16))
        return given[0]


@asynccontextmanager
async def phone_door(
    home: Path, table: Terms = TERMS, *, free: int | None = 1, asks: bool = False
) -> AsyncIterator[PhoneDoor]:
    """An open door whose host leads to a table with `free` chairs, or to none; `door.host` is the other end."""
    options = NetworkOptions(None, str(home), (HOST,), (), 0, 0, None, phone_port=tcp_port())
    with closing(Store(home, Identity.open(home).key)) as store:
        host = HostAtOnce(store, table)
        door = PhoneDoor(options, host)
        host.meet(door, await door.listener.open([options.phone_port]))
        if free is not None:
            host.leads(free, asks=asks)
        door.host = host
        try:
            yield door
        finally:
            await door.close(())
        assert not host.faults


@contextmanager
def in_a_thread(
    held: Callable[[], AbstractAsyncContextManager[Any]],
) -> Iterator[tuple[Any, asyncio.AbstractEventLoop]]:
    """Hold what serves pages open in a loop of its own, beside a test that waits for a browser."""
    opened, ends = Future[tuple[Any, asyncio.AbstractEventLoop]](), asyncio.Event()

    async def hold() -> None:
        async with held() as there:
            opened.set_result((there, asyncio.get_running_loop()))
            await ends.wait()
        # a socket that the browser opened ahead may have been accepted last, and its handshake not begun
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)

    thread = threading.Thread(target=lambda: asyncio.run(hold()))
    thread.start()
    there, loop = opened.result(DEADLINE)
    try:
        yield there, loop
    finally:
        loop.call_soon_threadsafe(ends.set)
        thread.join()


async def http(door: PhoneDoor, request: str, host: str = "") -> str:
    """Return the whole answer to a request; {HOST} is the right host."""
    port = door.invitation.port
    return await http_at(port, request.replace("{HOST}", f"{HOST}:{port}"), host or HOST)


async def http_at(port: int, request: str, host: str) -> str:
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(request.encode())
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
