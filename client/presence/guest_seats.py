"""The seats for guests at one table: their holders, their codes, and the folders of their identities.

A guest's identity is made for it and lives as long as its game. An unfinished game stays in the host's home until the
host resumes it.
"""

import secrets
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.station import own_station
from quadrille.client.network.unfinished_games import left_in_the_middle
from quadrille.client.presence.invitation import short_code
from quadrille.net.core.errors import LocalError, NetError
from quadrille.net.core.home import own_folder
from quadrille.net.trust.identity import KEY_FILE, Identity
from quadrille.net.trust.names import are_alike, plain_name

FOLDER: Final = "guests"
#: The file of an identity's folder that holds the code of its seat, the guest's name and the token of a phone. It
#: lies beside the identity's key, and is as readable as that.
_FILE: Final = "seat.txt"
_SUFFIX: Final = ", guest"
#: Maximum letters of a guest's own name.
LONGEST_NAME: Final = 24
#: Bytes of a phone's token.
_TOKEN: Final = 16


@dataclass(slots=True)
class GuestSeat:
    """A seat that a guest holds. `table` is its unfinished game, "" before there is one. `token` is stored by a
    phone.
    """

    folder: Path
    code: str
    name: str
    token: str
    table: str = ""


def folders(home: Path) -> list[Path]:
    """Return the folders of all guests' identities in this home, playing or with an unfinished game."""
    return sorted(file.parent for file in (home / FOLDER).glob(f"*/{_FILE}"))


def prepared(home: Path) -> tuple[Path, bytes]:
    """Make an identity for a guest who has not come yet; return its folder and its key."""
    own_folder(home)
    (home / FOLDER).mkdir(mode=0o700, exist_ok=True)
    for number in count(1):
        folder = home / FOLDER / str(number)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            return folder, Identity.open(folder).key
    raise AssertionError("numbers do not end")


def _guest_name(name: str) -> str:
    return plain_name(name[:LONGEST_NAME]) + _SUFFIX


def sweep(home: Path) -> None:
    """Remove unused identities. While guests are served, only their own program knows which are in use."""
    for folder in (home / FOLDER).glob("*"):
        if not (folder / _FILE).exists():
            shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):  # other identities are in it, or it does not exist
        (home / FOLDER).rmdir()


def keys(home: Path) -> Iterator[bytes]:
    for folder in folders(home):
        if (folder / KEY_FILE).exists():
            yield Identity.open(folder).key


def codes(home: Path, kept: Collection[bytes]) -> tuple[tuple[str, str], ...]:
    """Return the names of the guests who have these keys, each with the code of the seat."""
    found = []
    for folder in folders(home):
        with suppress(NetError, OSError, ValueError):  # the seat is just being given or left
            code, name, _ = (folder / _FILE).read_text("utf-8").splitlines()
            if Identity.open(folder).key in kept:
                found.append((name, code))
    return tuple(found)


class GuestSeats:
    """The seats of guests at one table."""

    def __init__(self, options: NetworkOptions, home: Path, free: Sequence[str]) -> None:
        """`options` are the host's; `free` holds the folders of the identities for which seats are kept."""
        self._options = options
        self._home = home
        self._free = [home / FOLDER / name for name in free]
        self.seats: list[GuestSeat] = []

    @property
    def free(self) -> int:
        """The number of free seats."""
        return len(self._free)

    def watching(self, folder: Path) -> NetworkOptions:
        """Return the network options of a watcher, with an identity in that folder."""
        return replace(self._options, home=str(folder), name="a screen", arbiters=frozenset(), is_guest=True)

    def options(self, seat: GuestSeat) -> NetworkOptions:
        """Return the network options of a seat's guest. A guest accepts no arbiter, because it can't be asked."""
        return replace(self._options, home=str(seat.folder), name=seat.name, arbiters=frozenset(), is_guest=True)

    def find(self, table: str) -> None:
        """Take up the seats of guests who left this game unfinished."""
        for folder in folders(self._home):
            with suppress(NetError, OSError, ValueError):  # another program uses the identity, or its files are damaged
                code, name, token = (folder / _FILE).read_text("utf-8").splitlines()
                seat = GuestSeat(folder, code, name, token)
                if self._left(seat)[0] == table:
                    seat.table = table
                    self.seats.append(seat)

    def check(self, name: str) -> None:
        """Raise LocalError if there is no seat for a guest of that name."""
        if not self._free:
            raise LocalError("All seats for guests are taken")
        if not name:
            raise LocalError("Type your name")
        if any(are_alike(seat.name, _guest_name(name)) for seat in self.seats):
            raise LocalError(f"There is a guest named {plain_name(name)} already: take another name")

    def give(self, name: str) -> GuestSeat:
        self.check(name)
        seat = GuestSeat(self._free.pop(0), short_code(), _guest_name(name), secrets.token_hex(_TOKEN))
        (seat.folder / _FILE).write_text(f"{seat.code}\n{seat.name}\n{seat.token}\n", "utf-8")
        self.seats.append(seat)
        return seat

    async def leave(self, seat: GuestSeat) -> None:
        """Give back a guest's seat after it has left the network, but keep it if its game is unfinished.

        Another guest may have the seat if no game has begun. An identity that has played is removed with its guest.
        """
        import asyncio  # imported here: hosts import this module too, and it would be a tenth of their start

        seat.table, played = await asyncio.to_thread(self._left, seat)
        if seat.table:
            return
        self.seats.remove(seat)
        if played:
            shutil.rmtree(seat.folder, ignore_errors=True)
        else:
            (seat.folder / _FILE).unlink()
            self._free.append(seat.folder)

    def _left(self, seat: GuestSeat) -> tuple[str, bool]:
        """Return the guest's unfinished game, and whether the guest has or had any game."""
        with closing(own_station(self.options(seat))) as station:
            logs = left_in_the_middle(station)
            return logs[0].table.hex() if logs else "", bool(station.store.tables())
