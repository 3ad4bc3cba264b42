"""Relays on loopback, each in a thread of its own; callers that speak to them; stations that meet there."""

import asyncio
import ipaddress
import re
import socket
import threading
from typing import Self

from quadrille.client.words.absent_peers import absences
from quadrille.extras.far.relay import Relay, RelayLimits, listener
from quadrille.extras.far.table_ticket import way_of
from quadrille.extras.far.ticket import MeetingPlace, Ticket
from quadrille.net.program.station import Station
from tests.net.party import Company

ROOM, OTHER = "a" * 32, "b" * 32


class Running:
    """A relay that runs until it is killed, and who calls it."""

    def __init__(self, limits: RelayLimits | None = None, port: int = 0) -> None:
        self._listener = listener(port)
        self.port = self._listener.getsockname()[1]
        self.relay = Relay(limits)
        self._callers: list[Caller] = []
        self._loop = asyncio.SelectorEventLoop()
        self._task = self._loop.create_task(self.relay.serve(self._listener))
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._served())

    async def _served(self) -> None:
        await asyncio.wait([self._task])

    def kill(self, *, last_words: bool = False) -> None:
        """As the system does it, unless it says that it ends."""

        def end() -> None:
            """CPython 3.11 loses a socket that it accepted in the turn before its server closes."""
            self._loop.remove_reader(self._listener)
            for line in () if last_words else [*self.relay.lines.values()]:
                line.transport.close()
            self._loop.call_soon(self._task.cancel)

        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(end)
            self._thread.join()
            self._listener.close()  # if it was killed before it had begun

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for caller in self._callers:
            caller.socket.close()
        self.kill()

    def caller(self, first: str = "") -> "Caller":
        """A connection that stands until this relay is no longer needed."""
        self._callers.append(Caller(self.port, first))
        return self._callers[-1]

    def waiting(self, room: str = ROOM, beacon: str = "00") -> tuple["Caller", str]:
        """A member that waits in a room, and its number."""
        caller = self.caller(f"WAIT {room} {beacon}")
        found = re.fullmatch(r"OK (\d+)", said := caller.line())
        assert found, said
        return caller, found[1]

    def spliced(self, room: str = ROOM) -> tuple["Caller", "Caller"]:
        """Two spliced connections, and two members that have gone since."""
        (one, own), (two, number) = self.waiting(room), self.waiting(room)
        with one, two:
            call = self.caller(f"CALL {room} {number} {own}")
            while not (ring := two.line()).startswith("RING"):
                pass
            take = self.caller(f"TAKE {ring.split()[1]}")
            assert (call.line(), take.line()) == ("OK", "OK")
        return call, take


class Caller:
    """A connection to a relay, read line by line."""

    def __init__(self, port: int, first: str = "") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 120)
        if first:
            self.socket.sendall(f"QRLY1 {first}\n".encode())

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def line(self) -> str:
        """The next line that says something; "" at the end."""
        said = ""
        while not said.strip():
            said = ""
            while not said.endswith("\n"):
                if not (byte := self.socket.recv(1)):
                    return ""
                said += byte.decode()
        return said.strip()

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count and (more := self.socket.recv(count - len(data))):
            data += more
        return data


def words_for(*ports: int, secret: int = 1) -> Ticket:
    """The keys of one secret are computed once."""
    return Ticket(tuple(MeetingPlace(ipaddress.ip_address("127.0.0.1"), one) for one in ports), secret)


def enter(company: Company, ticket: Ticket, *names: str, own_place: MeetingPlace | None = None) -> list[Station]:
    """Stations that know no other way to each other than a ticket."""
    far = [way_of(ticket, own_place).far for _ in names]
    return [company.enter(name, kind="person", far=one, interfaces=()) for name, one in zip(names, far, strict=True)]


def have_met(*stations: Station) -> bool:
    return all(len(one.lobby.here) == len(stations) - 1 for one in stations)


def unreached(station: Station) -> list[str]:
    """Return what a person reads of relays that can't be used."""
    return [one.text for one in absences(station) if one.over]
