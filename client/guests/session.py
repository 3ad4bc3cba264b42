"""One guest's session: a connection, its screen, and its network thread. No error leaves this module."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

from prompt_toolkit.application import create_app_session

from quadrille.client.guests.screen import (
    Dismissed,
    Enter,
    GuestEffect,
    GuestEvent,
    GuestScreen,
    Inside,
    Knock,
    Seat,
    draw_guest,
    update_guest,
)
from quadrille.client.guests.telnet import Telnet
from quadrille.client.guests.terminal import Keyboard, paper
from quadrille.client.presence.guest_seats import GuestSeat, GuestSeats
from quadrille.client.screen.app import Shell
from quadrille.client.screen.draw.canvas import plain_text
from quadrille.client.screen.network.news import JoinTable, Return, Sent, Shut, StationLeft
from quadrille.client.screen.network.thread import NetworkThread
from quadrille.client.screen.table.model import Begun, Told
from quadrille.net.errors import LocalError

#: Maximum bytes of one read, and maximum bytes a second: more than a person types, and little work for the machine.
_PIECE: Final = 256
_A_SECOND: Final = 4000
#: Timeouts at the door and for the last lines to be read, in seconds.
_DOOR: Final = 180
_FAREWELL: Final = 2
#: Prefixes of the names of terminals that draw more than ASCII.
_KNOWN: Final = (
    "xterm",
    "screen",
    "tmux",
    "linux",
    "rxvt",
    "alacritty",
    "kitty",
    "foot",
    "wezterm",
    "konsole",
    "gnome",
)

#: Gives the seat for a name or a code once it is free, or raises LocalError.
Knocks: TypeAlias = Callable[["GuestSession", str], Awaitable[GuestSeat]]


class GuestSession:
    """One guest's connection, from the greeting to the farewell."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        guest: GuestScreen,
        seats: GuestSeats,
        knocks: Knocks,
    ) -> None:
        self.seat: GuestSeat | None = None
        self.gone = asyncio.Event()
        self._reader = reader
        self._writer = writer
        self._seats = seats
        self._knocks = knocks
        self._telnet = Telnet()
        self._keyboard = Keyboard()
        self._output = paper(writer, self._telnet)
        self.shell: Shell[GuestScreen, GuestEvent, GuestEffect] = Shell(
            guest, update_guest, draw_guest, self._perform, screen_input=self._keyboard, screen_output=self._output
        )
        self._loop = asyncio.get_running_loop()
        self._patience: asyncio.TimerHandle | None = None
        self._knock: asyncio.Task[None] | None = None
        self._network: NetworkThread | None = None
        self._why = ""  # it was sent away
        self._said: list[str] = []

    @property
    def is_at_door(self) -> bool:
        """Whether nobody has sat down yet."""
        return self._network is None

    @property
    def address(self) -> str:
        """The guest's address."""
        return str(self._writer.get_extra_info("peername")[0])

    def end(self, why: str) -> None:
        """Send the guest away."""
        self._why = why
        self.shell.tell(Dismissed())
        self._keyboard.close()  # ends a session that has no screen yet

    async def run(self) -> None:
        """Run the session to its end."""
        _keep_alive(self._writer)
        self._patience = self._loop.call_later(_DOOR, self.end, "Nobody sat down.")
        listens = asyncio.create_task(self._listen())
        try:
            with create_app_session(input=self._keyboard, output=self._output):
                await self.shell.run_async(Begun())
        finally:
            self._patience.cancel()
            for task in (listens, self._knock):
                if task is not None:
                    task.cancel()
            self._keyboard.forget()
            if self._network is not None:
                await asyncio.to_thread(self._network.close)
                await asyncio.sleep(0)  # what the network said last is heard

    async def _listen(self) -> None:
        """Read bytes from the other end, no faster than a person with a clipboard needs."""
        with suppress(OSError):
            self._send(self._telnet.take())
            while data := await self._reader.read(_PIECE):
                size = (self._telnet.rows, self._telnet.columns)
                typed = self._telnet.feed(data)
                self._send(self._telnet.take())
                if size != (self._telnet.rows, self._telnet.columns):
                    self.shell.app.invalidate()
                self._keyboard.feed(typed)
                await asyncio.sleep(len(data) / _A_SECOND)
        self._keyboard.close()

    def _send(self, data: bytes) -> None:
        if data and not self._writer.transport.is_closing():
            self._writer.write(data)

    # Effects of the screen

    def _perform(self, effect: GuestEffect) -> None:
        match effect:
            case Knock(text) if self._knock is None:
                self._knock = asyncio.create_task(self._knocked(text))
            case Enter():
                self._enter()
            case Sent(order) if self._network is not None:
                self._network.ask(order)

    async def _knocked(self, text: str) -> None:
        try:
            self.seat = await self._knocks(self, text)
        except (LocalError, OSError) as error:
            self._knock = None
            self.shell.tell(Told(f"{error}."))
            return
        if self.seat.table:
            self._enter()
        else:
            self.shell.tell(Seat(self.seat.code, self.seat.name))

    def _enter(self) -> None:
        """Take the guest to the network and to its table."""
        assert self.seat is not None and self._patience is not None
        self._patience.cancel()
        first = Return(self.seat.table) if self.seat.table else JoinTable(self.shell.model.wanted)
        self._network = NetworkThread(self._seats.options(self.seat), self._tell, first)
        plain = not self._telnet.terminal.startswith(_KNOWN)
        self.shell.tell(Inside(self.seat.code, self.seat.name, plain))
        self._network.start()

    def _tell(self, event: GuestEvent) -> None:
        """From the network's thread."""
        with suppress(RuntimeError):  # the loop has gone meanwhile
            self._loop.call_soon_threadsafe(self._hear, event)

    def _hear(self, event: GuestEvent) -> None:
        match event:
            case StationLeft(_, said):
                self._said += said
            case Shut(why):
                self._said.append(why)
        self.shell.tell(event)

    async def farewell(self) -> None:
        """Print the last lines below the restored terminal, and hang up."""
        if self.seat is not None and self.seat.table:  # the table's own sentence on resuming is not for guests
            self._said = [f"Your seat is kept: connect again, and give {self.seat.code}."]
        await hang_up(self._writer, *([self._why] if self._why else []), *self._said)


#: The last line for guests when the program ends.
CLOSED: Final = "The host has left the table."


async def hang_up(writer: asyncio.StreamWriter, *lines: str) -> None:
    """Send lines and close the connection, whether the other end reads or not."""
    transport = writer.transport
    if not transport.is_closing():
        writer.write("".join(f"{plain_text(line)}\r\n" for line in lines).encode())
        writer.close()
    try:
        async with asyncio.timeout(_FAREWELL):
            await writer.wait_closed()
    except OSError:  # TimeoutError is one
        transport.abort()


def _keep_alive(writer: asyncio.StreamWriter) -> None:
    """Turn on TCP keep-alive, so that the system notices a machine that has vanished."""
    end = writer.get_extra_info("socket")
    for level, name, value in (
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", 30),
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 10),
        (socket.IPPROTO_TCP, "TCP_KEEPCNT", 3),
        (socket.IPPROTO_TCP, "TCP_NODELAY", 1),
    ):
        if (option := getattr(socket, name, None)) is not None:
            with suppress(OSError):
                end.setsockopt(level, option, value)
