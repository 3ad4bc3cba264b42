"""The process that serves a host's guests (phones/program.py): its start, its end, and how guests come to it."""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import IO, Any, Final

from quadrille.client.evening.scores import Bet, known_by
from quadrille.client.foreign import isolated, shown
from quadrille.client.network.addresses import reachable
from quadrille.client.network.options import NetworkOptions
from quadrille.client.network.passphrase import send
from quadrille.client.network.station import end, network_words, start
from quadrille.client.presence.guest_seats import LONGEST_LINE, Lead, keys, left_by_guests
from quadrille.client.presence.invitation import PhoneInvitation
from quadrille.client.presence.qr import wifi_text
from quadrille.client.table.notices import GuestAsks, GuestEntrance, GuestGone
from quadrille.client.words.phones import GUESTS_RISK, NOBODY_YET, port_moved, seats_kept
from quadrille.client.words.terms import terms_text
from quadrille.net.core.errors import LocalError
from quadrille.net.core.home import home
from quadrille.net.entries.terms import GUEST, Chair, Terms
from quadrille.net.game_log.log import Log
from quadrille.net.link.interfaces import usable_ipv4
from quadrille.net.program.station import Station
from quadrille.net.seating.gathering import CLOSED, OPEN, Gathering
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import KEY_BYTES, Identity
from quadrille.net.trust.names import plain_name
from quadrille.value import value

#: Maximum queued requests of guests, and maximum letters of an address in one.
_MOST_REQUESTS: Final = 64
_LONGEST_ADDRESS: Final = 40
#: Seconds for the end of the program, and for its start on a machine with much to do.
_PATIENCE: Final = 10
_LONGEST_START: Final = 60


@value
class EveningGuest:
    """A guest of the evening: who is `here` has a page open, or had one within the last minute."""

    folder: str
    name: str
    key: bytes
    code: str
    here: bool


class GuestDoor:
    """The program that serves the guests of an evening, and leads them from table to table. It ends with the host."""

    def __init__(self, station: Station, options: NetworkOptions) -> None:
        self._station = station
        self._options = options
        self._invitation: PhoneInvitation | None = None
        self._moved = ""  # a sentence on a port that had to change
        self._requests: queue.Queue[GuestAsks | GuestGone] = queue.Queue(_MOST_REQUESTS)
        self.asked = False  # something waits in `requests`
        self.guests: tuple[EveningGuest, ...] = ()  # in the order in which they came
        self.bets: tuple[tuple[bytes, Bet], ...] = ()  # to be taken, each with the guest's key
        self._evening: Mapping[str, Any] = {}
        self.program: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._lead = Lead()
        self._gathering: Gathering | None = None
        self._table = b""
        self._left: Log | None = None  # the game that was left, until this program has found its table
        self._kept: list[bytes] = []  # the keys for which chairs of the gathering are reserved
        self._seated: frozenset[bytes] = frozenset()  # the guests with a chair at the present table, or at the last

    def open(self, *, asks: bool = False) -> list[str]:
        """Let guests come, unless they can already; return sentences on that. With `asks` the host is asked first."""
        lead = replace(self._lead, asks=asks)
        if self.program is None:
            self._start()
            self._lead = Lead()  # all that it knows yet
            self.show_evening(self._evening)
            self._table = next((one.log.table for one in self._playing() if self._has_guests(one)), self._table)
        self._tell(lead)
        return [GUESTS_RISK, *filter(None, [self._moved])]

    def lead_to(self, gathering: Gathering, seats: int, *, asks: bool) -> list[str]:
        """Reserve `seats` chairs of a table for guests, first for those who are here; return sentences on that."""
        self._check_free(gathering.table)
        said = self.open(asks=asks)
        self._gathering, self._table = gathering, gathering.table
        self._kept = [Identity(os.urandom(KEY_BYTES)).key for _ in range(seats)]  # of nobody, until a guest comes
        for key in self._kept:
            gathering.keep(Chair(key, NOBODY_YET, GUEST))
        self.follow()
        return [f"{seats_kept(seats)}.", *said] if seats else []

    def left(self, wanted: str = "") -> list[Log]:
        """Return the unfinished games of guests that the text fits."""
        return left_by_guests(home(self._options.home), wanted)

    def come_back_to(self, log: Log) -> list[str]:
        """Let guests come back to their seats in a resumed game."""
        taken = set(keys(home(self._options.home))) & set(log.now.keys)
        if not taken or log.now.over or self._table == log.table:
            return []
        self._check_free(log.table)
        said = self.open(asks=self._lead.asks)
        self._gathering, self._table, self._left = None, log.table, log
        self.follow()
        return [f"{seats_kept(len(taken))}.", *said]

    def rest(self) -> None:
        """Lead to no table until the next one: the host is in the lobby again."""
        if all(table.log.table != self._table for table in self._playing()):
            self._gathering, self._table = None, b""
            self._tell(Lead(asks=self._lead.asks))

    def follow(self) -> None:
        """Lead the guests on: to chairs for those who have come, to the game that begins, and to a rematch."""
        tables, gathering = self._station.lobby.tables, self._gathering
        if self._table in tables:
            again = [one.log for one in self._playing() if self._has_guests(one)]
            is_over = tables[self._table].over
            log = again[0] if is_over and again else tables[self._table].log
            moves_on = log.table != self._table
            self._gathering, self._table = None, log.table
            self._lead_to(log.now.terms, log.now.keys, 0, again=moves_on or self._lead.again)
        elif gathering is not None and gathering.phase is CLOSED:
            self.rest()
        elif gathering is not None:
            free = self._give_chairs(gathering) if gathering.phase is OPEN else 0
            self._lead_to(gathering.terms, gathering.kept, free)
        elif self._left is not None and self._left.table == self._table:
            self._lead_to(self._left.now.terms, self._left.now.keys, 0)

    def _check_free(self, table: bytes) -> None:
        """Refuse that table while guests play at another one."""
        if any(self._has_guests(one) for one in self._playing() if one.log.table != table):
            raise LocalError("your guests still play at another table")

    def _has_guests(self, table: Table) -> bool:
        return not self._seated.isdisjoint(table.log.now.keys)

    def _playing(self) -> list[Table]:
        return [table for table in self._station.lobby.tables.values() if not table.over]

    def _give_chairs(self, gathering: Gathering) -> int:
        """Give reserved chairs that nobody is coming to, to guests who are here: first to who had none the last time,
        then in the order in which they came. Return how many chairs are free still.
        """
        here = {guest.key: guest for guest in self.guests if guest.here}
        free = [key for key in self._kept if key in gathering.coming and key not in here]
        waiting = [guest for key, guest in here.items() if key not in (*self._kept, *gathering.kicked)]
        for guest in sorted(waiting, key=lambda one: one.key in self._seated)[: len(free)]:
            gathering.take_back(left := free.pop(0))
            self._kept[self._kept.index(left)] = guest.key
            gathering.keep(Chair(guest.key, guest.name, GUEST))
        return len(free)

    def _lead_to(self, terms: Terms, chairs: Collection[bytes], free: int, *, again: bool = False) -> None:
        """Lead the guests to the present table, where these keys have chairs."""
        seated = [guest for guest in self.guests if guest.key in chairs]
        if self._gathering is None:
            self._seated = frozenset(guest.key for guest in seated)
        folders = tuple(guest.folder for guest in seated)
        about, asks = terms_text(terms), self._lead.asks
        self._tell(Lead(self._table.hex(), terms.game, about, folders, free, asks, again))

    def _tell(self, lead: Lead) -> None:
        if lead != self._lead:
            self._lead = lead
            self._send(lead.to_json())

    def show_evening(self, parts: Mapping[str, Any]) -> None:
        """Show the evening's table of points on all pages, as the part `evening`, from now on."""
        self._evening = parts
        self._send(json.dumps({"evening": parts}))

    def _send(self, line: str) -> None:
        if self.program is not None and self.program.stdin is not None:
            with suppress(OSError):  # it has ended, as `ended` will report
                send(self.program.stdin, line)

    def _start(self) -> None:
        """Start the program, and wait until it listens: a phone that scans the code is to find somebody."""
        options, node = self._options, self._station.node
        if not sys.executable:
            raise LocalError("guests are served by a program of their own, and this Python does not know where it is")
        words = [sys.executable, "-m", "quadrille.client.phones.program", "--home", str(home(options.home))]
        words += ["--phone-port", str(options.phone_port)] if options.phone_port else []
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115, until the program has ended; a pipe could fill up
        self.program = start([*words, *network_words(options, node.tcp_port)], options, self._errors, talks=True)
        opened = threading.Event()
        threading.Thread(target=self._listen, args=(self.program.stdout, opened), daemon=True).start()
        opened.wait(_LONGEST_START)
        if self._invitation is None:
            program, self.program = self.program, None
            end(program, _PATIENCE)
            why = self._last_error()
            self._errors.close()
            raise LocalError(why or "the program for guests does not start: try again when this machine has less to do")

    def entrance(self) -> GuestEntrance | None:
        """Return how guests come by the present addresses of this machine; None while none are served."""
        invitation, wifi = self._invitation, self._options.wifi
        if invitation is None or self.program is None:
            return None
        outside = reachable(usable_ipv4(self._options.interfaces))
        hosts = outside or ("127.0.0.1",)
        return GuestEntrance(
            invitation.code,
            tuple(map(invitation.address, hosts)),
            tuple(map(invitation.link, hosts)),
            outside=bool(outside),
            wifi=None if wifi is None else (wifi.name, wifi_text(wifi.name, wifi.key)),
            seats=tuple((guest.name, guest.code) for guest in self.guests),
        )

    def _listen(self, lines: IO[bytes], opened: threading.Event) -> None:
        """Read the program's lines until it ends. A full queue makes it wait."""
        with lines:
            while line := lines.readline(LONGEST_LINE):
                self._hear(line)
                if self._invitation is not None:
                    opened.set()
                self._station.node.wake_up()
        self._ask(GuestGone())
        opened.set()

    def _ask(self, request: GuestAsks | GuestGone) -> None:
        self._requests.put(request)
        self.asked = True

    def _hear(self, line: bytes) -> None:
        """Take a line of the program; anything else is nothing."""
        if (request := guest_request(line)) is not None:
            self._ask(request)
            return
        with suppress(ValueError):
            match json.loads(line):
                case {"guests": list(guests)}:
                    self.guests = tuple(map(_guest, guests))
                case {"open": str(invitation), "before": int(before)}:
                    found = PhoneInvitation.from_json(invitation)
                    self._moved = port_moved(before, found.port) if before != found.port else ""
                    self._invitation = found
                case {"bet": str(folder), "table": str(table), "seat": int(seat)}:
                    for guest in self.guests:
                        if guest.folder == folder and len(self.bets) < _MOST_REQUESTS:
                            bet = Bet(table, known_by(guest.key, guest.name, GUEST), isolated(guest.name), seat)
                            self.bets = (*self.bets, (guest.key, bet))

    def requests(self) -> Iterator[GuestAsks | GuestGone]:
        """Take the guests' requests."""
        self.asked = False
        with suppress(queue.Empty):
            while True:
                yield self._requests.get_nowait()

    def answer(self, number: int, *, yes: bool) -> None:
        """Answer a guest's request."""
        self._send(json.dumps({"answer": number, "yes": yes}))

    def ended(self) -> list[str]:
        """Return a sentence if the program has ended by itself; only once."""
        if self.program is None or self.program.poll() is None:
            return []
        why, code = self._last_error(), self.program.returncode
        self.close()
        return [f"Guests can't come any more: their program has ended (exit code {code}{': ' if why else ''}{why})."]

    def _last_error(self) -> str:
        assert self._errors is not None
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]

    def close(self) -> None:
        """End the evening."""
        self._send(json.dumps({"over": True}))
        program, self.program = self.program, None
        self._invitation, self._lead, self._table = None, Lead(), b""
        if program is None:
            return
        end(program, _PATIENCE)
        assert self._errors is not None
        self._errors.close()
        for key in self._kept:
            for gathering in self._station.lobby.gatherings.values():
                gathering.take_back(key)
        self._kept, self._gathering, self.guests = [], None, ()


def _guest(told: object) -> EveningGuest:
    """Read a guest of the program's list; raise ValueError for anything else."""
    match told:
        case {"folder": str(folder), "name": str(name), "key": str(key), "code": str(code), "here": bool(here)}:
            if len(key) == 2 * KEY_BYTES:
                return EveningGuest(folder, plain_name(name), bytes.fromhex(key), code, here)
    raise ValueError("this is no guest")


def guest_request(line: bytes) -> GuestAsks | GuestGone | None:
    """Read a request from the guests' program; None for anything else."""
    with suppress(ValueError):
        match json.loads(line):
            case {"ask": int(number), "name": str(name), "from": str(address)}:
                return GuestAsks(number, isolated(plain_name(name)), shown(address[:_LONGEST_ADDRESS]))
            case {"gone": int(number)}:
                return GuestGone(number)
    return None
