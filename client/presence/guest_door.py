"""The process that serves a host's guests (program.py): its start, its end, and the sentences about its risks."""

import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import IO, Final

from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.station import end, network_words, start
from quadrille.client.presence.guest_seats import keys, prepared, sweep
from quadrille.client.words.network.terms import terms_text
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import home
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.game_log.log import Log
from quadrille.net.link.interfaces import present, usable
from quadrille.net.program.station import Station
from quadrille.net.seating.gathering import Gathering

#: The ports that guests may use by default; the first free one is taken.
_PORTS: Final = range(4023, 4033)
_PATIENCE: Final = 10


class GuestServerProcess:
    """The process that lets guests come to one of the host's tables. It ends with the host."""

    def __init__(self, station: Station, options: NetworkOptions) -> None:
        self._station = station
        self._options = options
        self._kept: list[bytes] = []
        self._program: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def open_for(self, gathering: Gathering, seats: int) -> list[str]:
        """Keep `seats` chairs of a table for guests; return sentences on how guests come, and what that risks."""
        if self._program is not None:
            return []
        at_home = home(self._options.home)
        sweep(at_home)
        made = [prepared(at_home) for _ in range(seats)]
        said = self._open(gathering.table, gathering.terms, [folder.name for folder, _ in made], seats)
        for _, key in made:
            gathering.keep(Chair(key, "a guest", "person"))
            self._kept.append(key)
        return said

    def open_again(self, log: Log) -> list[str]:
        """Let guests come back to their seats in a resumed game."""
        taken = set(keys(home(self._options.home))) & set(log.now.keys)
        if self._program is not None or not taken or log.now.over:
            return []
        return self._open(log.table, log.now.terms, [], len(taken))

    def _open(self, table: bytes, terms: Terms, folders: Sequence[str], seats: int) -> list[str]:
        options, node = self._options, self._station.node
        port = _port(options.guests_port)
        if not sys.executable:
            raise LocalError("guests are served by a program of their own, and this Python does not know where it is")
        words = [table.hex(), terms_text(terms), str(port), "--home", str(home(options.home))]
        words += [f"--seat={folder}" for folder in folders]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115, until the program has ended; a pipe could fill up
        words = [sys.executable, "-m", "quadrille.client.guests.program", *words]
        self._program = start([*words, *network_words(options, node.tcp_port)], options.room, self._errors)
        return [*self._way(seats, port), _meaning(in_room=options.room is not None)]

    def _way(self, seats: int, port: int) -> list[str]:
        found = usable(present(), self._options.interfaces)
        outside = [one.address for one in found if not one.network.is_loopback] or ["127.0.0.1"]
        what = "1 seat is kept for a guest" if seats == 1 else f"{seats} seats are kept for guests"
        return [f"{what} without an install:", f"  telnet {outside[0]} {port}"]

    def ended(self) -> list[str]:
        """Return a sentence if the program has ended by itself; only once."""
        if self._program is None or self._program.poll() is None:
            return []
        assert self._errors is not None
        self._errors.seek(0)
        why = self._errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
        code = self._program.returncode
        self.close()
        return [f"Guests can't come any more: their program has ended (exit code {code}{': ' if why else ''}{why})."]

    def close(self) -> None:
        program, self._program = self._program, None
        if program is None:
            return
        end(program, _PATIENCE)
        assert self._errors is not None
        self._errors.close()
        for key in self._kept:
            for gathering in self._station.lobby.gatherings.values():
                gathering.take_back(key)
        self._kept.clear()
        sweep(home(self._options.home))


def _meaning(*, in_room: bool) -> str:
    anybody = ", without the passphrase of your room" if in_room else ""
    return (
        "A guest's keys and hidden cards are held by this program of yours, so the others trust you with them. "
        f"Telnet is not encrypted, and whoever is on this network can sit down there{anybody}."
    )


def _port(wanted: int | None) -> int:
    for port in (wanted,) if wanted else (*_PORTS, 0):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if sys.platform != "win32":  # on Windows the option would let two programs share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", port))
            except OSError as error:
                why = error.strerror or str(error)
                continue
            return int(probe.getsockname()[1])
    raise LocalError(f"guests can't come in by port {wanted} ({why}): name another one with --guests-port")
