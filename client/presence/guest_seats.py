"""The guests of an evening: their identities, their codes, and the folder that holds them.

A guest is somebody of the evening and not of a table: the same key sits at each. The folder outlives a program that
was killed. At the end of an evening only guests with an unfinished game stay in the host's home, until the host
resumes it.
"""

import json
import secrets
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from quadrille.client.files import write_text
from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.unfinished_games import choices, logs_left
from quadrille.client.presence.invitation import short_code
from quadrille.net.core.errors import LocalError, NetError
from quadrille.net.core.home import Lock, folder_in
from quadrille.net.game_log.log import Log
from quadrille.net.trust.identity import KEY_FILE, Identity
from quadrille.net.trust.names import NAMELESS, are_alike, plain_name
from quadrille.value import value

FOLDER: Final = "guests"
#: The file of the invitation, and that of an identity's folder with the code of its seat, the guest's name and the
#: token of a phone. They lie beside the identity's key, and are as readable as that.
INVITATION: Final = "invitation.json"
_FILE: Final = "seat.txt"
_SCREEN: Final = "screen"
#: Maximum guests of a day, which has so many nanoseconds, and maximum letters of a guest's own name.
MOST_GUESTS: Final = 40
_DAY: Final = 24 * 3600 * 10**9
LONGEST_NAME: Final = 24
#: Maximum bytes of a line between the host's program and the one for guests.
LONGEST_LINE: Final = 1 << 16
#: Bytes of a phone's token.
_TOKEN: Final = 16
#: Seconds for which a program waits for another one of the same home to end, and between two looks.
_PATIENCE: Final = 20
_LOOK: Final = 0.05


@dataclass(frozen=True, slots=True)
class GuestSeat:
    """A guest of the evening. `token` is stored by a phone."""

    folder: Path
    key: bytes
    code: str
    name: str
    token: str

    @property
    def unfinished(self) -> list[str]:
        """The guest's unfinished games, by their full numbers."""
        return [table.hex() for table, _, _ in choices(str(self.folder), "")]


@value
class Lead:
    """Where the host leads its guests: a table by its full number, "" for none, with the key of its game and its
    terms. `chairs` are the folders of the guests who have one there, and `free` counts those for more guests. In a
    game that is played `again`, seats go along by themselves.
    """

    table: str = ""
    game: str = ""
    about: str = ""
    chairs: tuple[str, ...] = ()
    free: int = 0
    asks: bool = False
    again: bool = False

    def to_json(self) -> str:
        return json.dumps({"lead": asdict(self)})

    @classmethod
    def of(cls, told: dict[str, Any]) -> Self:
        """Read what `to_json` has written."""
        return cls(**{**told, "chairs": tuple(told["chairs"])})


def keys(home: Path) -> Iterator[bytes]:
    """Return the keys of all guests in this home, for a program that does not serve them."""
    for folder in homes(home):
        yield Identity.open(Path(folder)).key


def homes(home: Path) -> list[str]:
    """Return the homes of all guests in this home, for a program that does not serve them."""
    return [str(file.parent) for file in (home / FOLDER).glob(f"*/{_FILE}") if (file.parent / KEY_FILE).exists()]


def left_by_guests(home: Path, wanted: str = "") -> list[Log]:
    """Return the unfinished games of the guests in this home that the text fits, each once."""
    return list({log.table: log for one in homes(home) for log in logs_left(one, wanted)}.values())


class GuestSeats:
    """The guests of an evening, in the order in which they came. One program at a time has their folder."""

    def __init__(self, options: NetworkOptions, home: Path) -> None:
        """`options` are the host's. Take over the guests of an evening that was cut off."""
        self._options = options
        self.folder = folder_in(home, FOLDER)
        self._lock = self._locked()
        self.seats: list[GuestSeat] = []
        for folder in sorted({*self.folder.glob("*/")} - {self.folder / _SCREEN}):
            try:
                code, name, token = (folder / _FILE).read_text("utf-8").splitlines()
                self.seats.append(GuestSeat(folder, Identity.open(folder).key, code, name, token))
            except FileNotFoundError:
                shutil.rmtree(folder, ignore_errors=True)  # the program was killed when it made this guest
            except (NetError, OSError, ValueError) as error:
                print(f"{folder} can't be read: {error}", file=sys.stderr)

    def _locked(self) -> Lock:
        """Lock the folder. The program of an interrupted evening ends a moment after its host: wait for it."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                return Lock(self.folder, taken="another program serves the guests of this home: end it first")
            except LocalError:
                if time.monotonic() > end:
                    raise
                time.sleep(_LOOK)

    def options(self, folder: Path, name: str) -> NetworkOptions:
        """Return the network options of the identity in a folder."""
        return replace(self._options, home=str(folder), name=name, is_guest=True)

    def check(self, typed: str) -> str:
        """Return the name of a guest who typed it; raise LocalError if no guest of that name can come."""
        name = plain_name(typed[:LONGEST_NAME])
        yesterday = str(time.time_ns() - _DAY)  # who left a game unfinished long ago takes no place
        if sum(seat.folder.name > yesterday for seat in self.seats) >= MOST_GUESTS:
            raise LocalError(f"{MOST_GUESTS} guests have come today, and there is room for no more")
        if name == NAMELESS:
            raise LocalError("Type your name")
        if any(are_alike(seat.name, name) for seat in self.seats):
            raise LocalError(f"There is a guest named {name} already: take another name, or type the code of that seat")
        return name

    def screen(self) -> Path:
        """Return the folder of the identity by which all large screens watch, the same for the evening."""
        return folder_in(self.folder, _SCREEN)

    def give(self, typed: str) -> GuestSeat:
        name = self.check(typed)
        folder = folder_in(self.folder, str(time.time_ns()))  # in the order in which guests came
        seat = GuestSeat(folder, Identity.open(folder).key, short_code(), name, secrets.token_hex(_TOKEN))
        write_text(str(folder / _FILE), f"{seat.code}\n{seat.name}\n{seat.token}\n", mode=0o600)
        self.seats.append(seat)
        return seat

    async def leave(self, seat: GuestSeat) -> bool:
        """Remove a guest who has left the network, but keep it with an unfinished game; return whether it is gone."""
        import asyncio  # imported here: hosts import this module too, and it would be a tenth of their start

        if await asyncio.to_thread(lambda: seat.unfinished):
            return False
        self.seats.remove(seat)
        shutil.rmtree(seat.folder, ignore_errors=True)
        return True

    def close(self, *, over: bool) -> None:
        """Release the folder; at the end of an evening that leaves no guest, nothing stays."""
        if not (over and not self.seats):
            self._lock.close()
            return
        (self.folder / INVITATION).unlink(missing_ok=True)
        shutil.rmtree(self.folder / _SCREEN, ignore_errors=True)
        self._lock.remove()
        with suppress(OSError):  # another program has come
            self.folder.rmdir()
