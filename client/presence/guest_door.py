"""The process that serves a host's guests (phones/program.py): its start, its end, and how guests come to it."""

import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import IO, Final

from quadrille.client.foreign import shown
from quadrille.client.network.addresses import free_port, reachable
from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.station import end, network_words, start
from quadrille.client.presence.guest_seats import codes, keys, prepared, sweep
from quadrille.client.presence.invitation import PhoneInvitation, hand_over
from quadrille.client.presence.qr import wifi_text
from quadrille.client.table.network.notices import GuestAsks, GuestEntrance, GuestGone
from quadrille.client.words.network.guests import seats_kept
from quadrille.client.words.network.terms import terms_text
from quadrille.client.words.phones import GUESTS_RISK, NOBODY_YET
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import home
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.game_log.log import Log
from quadrille.net.link.interfaces import usable_ipv4
from quadrille.net.program.station import Station
from quadrille.net.seating.gathering import Gathering

#: The default port range for guests; the first free port is taken.
_PHONE_PORTS: Final = range(4080, 4090)
#: Maximum queued requests of guests, and maximum bytes of one.
_MOST_REQUESTS: Final = 64
_LONGEST_LINE: Final = 1024
_LONGEST_NAME: Final = 40
_PATIENCE: Final = 10


class GuestServerProcess:
    """The process that lets guests come to one of the host's tables. It ends with the host."""

    def __init__(self, station: Station, options: NetworkOptions) -> None:
        self._station = station
        self._options = options
        self._kept: list[bytes] = []
        self._invitation: PhoneInvitation | None = None
        self._requests: queue.Queue[GuestAsks | GuestGone] = queue.Queue(_MOST_REQUESTS)
        self._program: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def open_for(self, gathering: Gathering, seats: int, *, asks: bool) -> list[str]:
        """Reserve `seats` chairs of a table for guests; with `asks` the host is asked about each.

        Return sentences on that, and on its risks.
        """
        playing = [table.log.now.keys for table in self._station.lobby.tables.values() if not table.over]
        if self._program is not None and set(self._kept) & set(chain(*playing)):
            raise LocalError("your guests still play at another table")
        self.close()
        at_home = home(self._options.home)
        sweep(at_home)
        made = [prepared(at_home) for _ in range(seats)]
        said = self._open(gathering.table, gathering.terms, [folder.name for folder, _ in made], seats, asks=asks)
        for _, key in made:
            gathering.keep(Chair(key, NOBODY_YET, "person"))
            self._kept.append(key)
        return said

    def open_again(self, log: Log) -> list[str]:
        """Let guests come back to their seats in a resumed game."""
        taken = set(keys(home(self._options.home))) & set(log.now.keys)
        if self._program is not None or not taken or log.now.over:
            return []
        self._kept += taken
        return self._open(log.table, log.now.terms, [], len(taken))

    def _open(self, table: bytes, terms: Terms, folders: Sequence[str], seats: int, *, asks: bool = False) -> list[str]:
        options, node = self._options, self._station.node
        port = free_port(options.phone_port, _PHONE_PORTS, "--phone-port")
        if not sys.executable:
            raise LocalError("guests are served by a program of their own, and this Python does not know where it is")
        words = [table.hex(), terms_text(terms), "--home", str(home(options.home))]
        words += [*(["--ask"] if asks else []), *(f"--seat={folder}" for folder in folders)]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115, until the program has ended; a pipe could fill up
        words = [sys.executable, "-m", "quadrille.client.phones.program", *words]
        self._program = start([*words, *network_words(options, node.tcp_port)], options, self._errors, talks=True)
        opened = threading.Event()
        threading.Thread(target=self._listen, args=(self._program.stdout, opened), daemon=True).start()
        self._invitation = PhoneInvitation.new(port)
        assert self._program.stdin is not None
        with suppress(BrokenPipeError):  # it has ended already, as `ended` will report
            hand_over(self._invitation, self._program.stdin)
        opened.wait(_PATIENCE)  # until a phone that scans the code finds somebody
        return [f"{seats_kept(seats)}.", GUESTS_RISK]

    def entrance(self) -> GuestEntrance | None:
        """Return how guests come by the present addresses of this machine; None while none are served."""
        invitation, wifi = self._invitation, self._options.wifi
        if invitation is None or self._program is None:
            return None
        outside = reachable(usable_ipv4(self._options.interfaces))
        hosts = outside or ("127.0.0.1",)
        return GuestEntrance(
            invitation.code,
            tuple(map(invitation.address, hosts)),
            tuple(map(invitation.link, hosts)),
            outside=bool(outside),
            wifi=None if wifi is None else (wifi.name, wifi_text(wifi.name, wifi.key)),
            seats=codes(home(self._options.home), self._kept),
        )

    def _listen(self, lines: IO[bytes], opened: threading.Event) -> None:
        """Read the program's lines until it ends; the first one says that it listens. A full queue makes it wait."""
        with lines:
            while line := lines.readline(_LONGEST_LINE):
                opened.set()
                if (request := guest_request(line)) is not None:
                    self._requests.put(request)
                    self._station.node.wake_up()
        opened.set()

    def requests(self) -> Iterator[GuestAsks | GuestGone]:
        """Take the guests' requests."""
        with suppress(queue.Empty):
            while True:
                yield self._requests.get_nowait()

    def answer(self, number: int, *, yes: bool) -> None:
        """Answer a guest's request."""
        if self._program is not None and self._program.stdin is not None:
            with suppress(OSError):  # it has ended, as `ended` will report
                self._program.stdin.write(json.dumps({"answer": number, "yes": yes}).encode() + b"\n")
                self._program.stdin.flush()

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
        self._invitation = None
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


def guest_request(line: bytes) -> GuestAsks | GuestGone | None:
    """Read a request from the guests' program; None for anything else."""
    with suppress(ValueError):
        match json.loads(line):
            case {"ask": int(number), "name": str(name), "from": str(address)}:
                return GuestAsks(number, shown(name[:_LONGEST_NAME]), shown(address[:_LONGEST_NAME]))
            case {"gone": int(number)}:
                return GuestGone(number)
    return None
