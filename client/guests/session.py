"""One guest's session: a connection, its screen, and its network thread. No error leaves this module."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

from prompt_toolkit.application import create_app_session

from quadrille.client.guests import screen
from quadrille.client.guests.screen import GuestEffect, GuestScreen
from quadrille.client.guests.telnet import Telnet
from quadrille.client.guests.terminal import Keyboard, paper
from quadrille.client.presence.guest_seats import GuestSeat, GuestSeats
from quadrille.client.screen.app import Shell
from quadrille.client.screen.draw.canvas import plain_text
from quadrille.client.screen.network.news import JoinTable, Return, Sent, StationLeft
from quadrille.client.screen.network.thread import NetworkThread
from quadrille.client.screen.table import terminal
from quadrille.net.core.errors import LocalError

#: Maximum bytes of one read, and maximum bytes a second: more than a person types, and little work for the machine.
_PIECE: Final = 256
_A_SECOND: Final = 4000
#: Timeouts at the door and for the last lines to be read, in seconds.
_DOOR: Final = 180
_FAREWELL: Final = 2
#: Prefixes of the names of terminals that draw more than ASCII.
_KNOWN: Final = (
    "xterm", "screen", "tmux", "linux", "rxvt", "alacritty", "kitty", "foot", "wezterm", "konsole", "gnome",
)  # fmt: skip

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
        self.address = str(writer.get_extra_info("peername")[0])
        self.gone = asyncio.Event()
        self._reader = reader
        self._writer = writer
        self._seats = seats
        self._knocks = knocks
        self._telnet = Telnet()
        self._keyboard = Keyboard()
        self._output = paper(writer, self._telnet)
        self.shell = Shell(
            guest,
            screen.update_guest,
            screen.draw_guest,
            self._perform,
            screen_input=self._keyboard,
            screen_output=self._output,
        )
        self._loop = asyncio.get_running_loop()
        self._patience: asyncio.TimerHandle | None = None
        self._knock: asyncio.Task[None] | None = None
        self._network: NetworkThread | None = None
        self._why = ""  # it was sent away

    @property
    def is_at_door(self) -> bool:
        """Whether nobody has sat down yet."""
        return self._network is None

    def end(self, why: str) -> None:
        """Send the guest away."""
        self._why = why
        self.shell.tell(StationLeft(0))
        self._keyboard.close()  # ends a session that has no screen yet

    @property
    def _is_plain(self) -> bool:
        """Whether the terminal may know nothing but ASCII."""
        return not self._telnet.terminal.startswith(_KNOWN)

    async def run(self) -> None:
        """Run the session to its end."""
        _keep_alive(self._writer)
        self._patience = self._loop.call_later(_DOOR, self.end, "Nobody sat down.")
        listens = asyncio.create_task(self._listen())
        try:
            with create_app_session(input=self._keyboard, output=self._output):
                await self.shell.run_async(terminal.Begun())
        finally:
            self._patience.cancel()
            for task in (listens, self._knock):
                if task is not None:
                    task.cancel()
            self._keyboard.forget()
            if self._network is not None:
                await asyncio.to_thread(self._network.close)

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
                if self.shell.model.plain and not self._is_plain:
                    self.shell.tell(screen.Lettered())
                self._keyboard.feed(typed)
                await asyncio.sleep(len(data) / _A_SECOND)
        self._keyboard.close()

    def _send(self, data: bytes) -> None:
        if data and not self._writer.transport.is_closing():
            self._writer.write(data)

    # Effects of the screen

    def _perform(self, effect: GuestEffect) -> None:
        match effect:
            case screen.Knock(text) if self._knock is None:
                self._knock = asyncio.create_task(self._knocked(text))
            case screen.Enter():
                self._enter()
            case Sent(order) if self._network is not None:
                self._network.ask(order)

    async def _knocked(self, text: str) -> None:
        try:
            self.seat = await self._knocks(self, text)
        except (LocalError, OSError) as error:
            self._knock = None
            self.shell.tell(terminal.Told(f"{error}."))
            return
        if self.seat.table:
            self._enter()
        else:
            self.shell.tell(screen.Seat(self.seat.code, self.seat.name))

    def _enter(self) -> None:
        """Take the guest to the network and to its table."""
        assert self.seat is not None and self._patience is not None
        self._patience.cancel()
        first = Return(self.seat.table) if self.seat.table else JoinTable(self.shell.model.wanted)
        self._network = NetworkThread(self._seats.options(self.seat), self.shell.tell, first)
        self.shell.tell(screen.Inside(self.seat.code, self.seat.name, self._is_plain))
        self._network.start()

    async def farewell(self) -> None:
        """Print the last lines below the restored terminal, and hang up."""
        said = self._network.said if self._network is not None else []
        if self.seat is not None and self.seat.table:  # the table's own sentence on resuming is not for guests
            said = [f"Your seat is kept: connect again, and give {self.seat.code}."]
        await hang_up(self._writer, *([self._why] if self._why else []), *said, plain=self._is_plain)


#: The last line for guests when the program ends.
CLOSED: Final = "The host has left the table."


async def hang_up(writer: asyncio.StreamWriter, *lines: str, plain: bool = True) -> None:
    """Send lines and close the connection, whether the other end reads or not; in ASCII for a `plain` terminal."""
    transport = writer.transport
    if not transport.is_closing():
        writer.write("".join(f"{plain_text(line) if plain else line}\r\n" for line in lines).encode())
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
