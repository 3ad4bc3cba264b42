"""The seats that guests can have at one table: who has which, its code, and the folder of its identity.

An identity is made for a guest and lives as long as its game. What a game that was left in the middle needs stays in
the host's home until it is gone on with.
"""

import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.station import own_station
from quadrille.client.network.unfinished_games import left_in_the_middle
from quadrille.net.errors import LocalError, NetError
from quadrille.net.home import own_folder
from quadrille.net.identity import KEY_FILE, Identity
from quadrille.net.names import plain_name

FOLDER: Final = "guests"
#: Where an identity's folder has the code of its seat and the guest's name.
_FILE: Final = "seat.txt"
#: Without vowels, so that no code is a word, and none a name: 38 bits.
_LETTERS: Final = "bcdfghjkmnpqrstvwxyz23456789"
_CODE: Final = re.compile(f"[{_LETTERS}]{{4}}-[{_LETTERS}]{{4}}")
_SUFFIX: Final = ", guest"


@dataclass(slots=True)
class GuestSeat:
    """A seat that somebody has been given. `table` is the game that is to be gone on with, "" before there is one."""

    folder: Path
    code: str
    name: str
    table: str = ""


def folders(home: Path) -> list[Path]:
    """The identities of guests in this home, at play or with a game left in the middle."""
    return sorted(file.parent for file in (home / FOLDER).glob(f"*/{_FILE}"))


def prepared(home: Path) -> tuple[Path, bytes]:
    """A new identity for a guest who has not come yet: its folder and its key."""
    own_folder(home)
    (home / FOLDER).mkdir(mode=0o700, exist_ok=True)
    for number in count(1):
        folder = home / FOLDER / str(number)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            return folder, Identity.open(folder).key
    raise AssertionError("numbers do not end")


def sweep(home: Path) -> None:
    """Remove the identities that nobody has; while guests are served, only their program may say who that is."""
    for folder in (home / FOLDER).glob("*"):
        if not (folder / _FILE).exists():
            shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):  # others are there, or nothing is
        (home / FOLDER).rmdir()


def keys(home: Path) -> Iterator[bytes]:
    """Their keys."""
    for folder in folders(home):
        if (folder / KEY_FILE).exists():
            yield Identity.open(folder).key


class GuestSeats:
    """The seats of guests at one table."""

    def __init__(self, options: NetworkOptions, home: Path, free: Sequence[str]) -> None:
        """`options` are those of the host, `free` the folders of the identities that have a seat kept."""
        self._options = options
        self._home = home
        self._free = [home / FOLDER / name for name in free]
        self.seats: list[GuestSeat] = []

    def options(self, seat: GuestSeat) -> NetworkOptions:
        """How the guest of a seat comes to the network. A guest accepts no arbiter, and can't be asked."""
        return replace(self._options, home=str(seat.folder), name=seat.name, arbiters=frozenset(), is_guest=True)

    def find(self, table: str) -> None:
        """The seats that guests left in the middle of this game."""
        for folder in folders(self._home):
            with suppress(NetError, OSError, ValueError):  # another program plays with it, or it is broken
                code, name = (folder / _FILE).read_text("utf-8").splitlines()
                seat = GuestSeat(folder, code, name)
                if self._left(seat)[0] == table:
                    seat.table = table
                    self.seats.append(seat)

    def of_code(self, text: str) -> GuestSeat | None:
        """The seat with that code; None for what is no code, and a LocalError for one that no seat has."""
        given = text.strip().lower()
        if not _CODE.fullmatch(given):
            return None
        for seat in self.seats:
            if secrets.compare_digest(seat.code, given):
                return seat
        raise LocalError("No seat has that code. Give a name to sit down afresh")

    def give(self, name: str) -> GuestSeat:
        """A seat for somebody new; a LocalError if there is none."""
        if not self._free:
            raise LocalError("All seats for guests are taken")
        halves = ["".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(2)]
        seat = GuestSeat(self._free.pop(0), "-".join(halves), plain_name(name) + _SUFFIX)
        (seat.folder / _FILE).write_text(f"{seat.code}\n{seat.name}\n", "utf-8")
        self.seats.append(seat)
        return seat

    async def leave(self, seat: GuestSeat) -> None:
        """The guest has gone from the network: the seat is kept for a game that is not over.

        Where there was no game, it is kept for another guest; an identity that has played goes with its guest.
        """
        import asyncio  # here alone: a host needs these seats too, and this would be a tenth of its start

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
        """The game that this guest is in the middle of, and whether there is or was any."""
        with closing(own_station(self.options(seat))) as station:
            logs = left_in_the_middle(station)
            return logs[0].table.hex() if logs else "", bool(station.store.tables())
