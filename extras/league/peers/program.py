"""A bot on its owner's machine, as a worker plays with it through the run's network station.

A `PeerProgram` has the interface of a local program (ai/bots/process/program.py), so the dialogue, the clock and the
faults are the same for both. A local connection for each game leads to the run (exchange.py). Specification:
extras/league/docs/runners.md.
"""

import multiprocessing
import time
from collections import deque
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection
from typing import Any, Final, cast

from quadrille.ai.bots.lines.dialogue import Event
from quadrille.ai.bots.process.program import Program
from quadrille.ai.bots.talk import GRACE, Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.json_lines import LONGEST_LINE
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.plans.plan import Entrant, Time
from quadrille.ai.tournament.play import worker_bench
from quadrille.ai.tournament.play.worker_bench import FIND_AGAIN
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.net.entries.terms import Terms

#: The overhead of a message in bytes, for the limit on data in flight to a worker.
MESSAGE: Final = 1 << 10
#: Maximum bytes read here before the exchange gets a report.
_UNTOLD: Final = 1 << 15
_LOST: Final = "the way to it is gone: the run has lost its place on the network"

#: This worker's knowledge of the run.
_here: dict[str, Any] = {}


def reach(address: Any) -> None:
    """Set the address of the run's exchange; called in a worker before its first game."""
    _here["exchange"] = address
    worker_bench.reach(engage)


class PeerProgram:
    """A peer's program, for one game, with the interface of a `Program`."""

    def __init__(self, who: str, way: "Connection[Any, Any]", peer: str = "") -> None:
        """`who` is its name for people, `way` the connection to the exchange, which has accepted, `peer` its key."""
        self.command = [who]
        self.peer = peer
        self.errors = ""
        self._way = way
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._end: BotFault | None = None
        self._read = 0
        self.told = 0  # number of lines of this game to it, with the hello and the start
        self._gone_at: float | None = None
        self._gone = 0.0

    def send(self, line: bytes) -> None:
        if self._way.closed or self._end is not None:
            return
        self.told += 1
        try:
            self._way.send(("say", line))
        except OSError:
            raise TournamentError(f"{self.command[0]}: {_LOST}") from None

    def line(self, timeout: float | None = 0) -> bytes | None:
        """Return the next line, without its end; None after `timeout` seconds (None: wait forever)."""
        end = time.monotonic() + (timeout or 0)
        while not self._lines:
            if self._end is not None:
                raise self._end
            try:
                if not self._way.poll(timeout):
                    return None
                self._take(self._way.recv())
            except (OSError, EOFError):
                raise TournamentError(f"{self.command[0]}: {_LOST}") from None
            if timeout:
                timeout = max(0.0, end - time.monotonic())
        return self._lines.popleft()

    def _take(self, news: tuple[Any, ...]) -> None:
        """Process a message of the exchange."""
        match news:
            case ("heard", bytes(data)):
                self._cut(data)
            case ("ended", str(kind), str(why)):
                self._end = BotFault(kind, why)
            case ("gone", *since):
                self._gone_at = time.monotonic() - sum(since) / 1000
            case ("back",):
                self._gone, self._gone_at = self.absence, None
            case ("lost",):
                raise EOFError

    def _cut(self, data: bytes) -> None:
        self._read += len(data) + MESSAGE
        if self._read > _UNTOLD:
            self._way.send(("read", self._read))
            self._read = 0
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in lines):
            self._end = BotFault("protocol", f"wrote a line of more than {LONGEST_LINE} bytes")
        self._lines += lines

    @property
    def absence(self) -> float:
        """Seconds of this game for which its peer was out of reach."""
        return self._gone + (0 if self._gone_at is None else time.monotonic() - self._gone_at)

    def hurry(self) -> None:
        """Do nothing: lines are awaited."""

    @property
    def ended(self) -> bool:
        return self._end is not None

    def close(self, grace: float = 0) -> None:
        """Release it; the program stays at its owner's."""
        self._way.close()


class PeerTalk(Talk):
    """A dialogue with a bot on its owner's machine: its faults say how long that was out of reach. A game that it was
    not ready for has not begun, and is void.
    """

    __slots__ = ()

    @property
    def _line(self) -> PeerProgram:
        return cast("PeerProgram", self.program)

    def hear(self, timeout: float = 0) -> Event | None:
        if self.fault is not None:
            raise self.fault
        try:
            return super().hear(timeout)
        except BotFault as fault:
            if not (gone := self._line.absence):
                raise
            if self._line.told <= 2:
                late = f"{self._line.command[0]} was out of reach as the game was to begin"
                raise TournamentError(late, absent=self._line.peer) from None
            reason = f"{fault.why}; its owner's program was out of reach for {gone:.1f} seconds of the game"
            self.fault = self.dialogue.fault = BotFault(fault.kind, reason)
            raise self.fault from None

    def close(self, grace: float = GRACE) -> None:
        """Release it without telling it to quit, because its owner keeps it for the next game."""
        self.program.close()


def engage(entrant: Entrant, contest: Contest, time: Time, *, fresh: bool, patience: int = FIND_AGAIN) -> PeerTalk:
    """Engage a peer's bot for one game; wait while it plays as many others as its owner allows. A `TournamentError`
    says why it does not come.
    """
    terms = Terms(
        contest.game, contest.options, contest.seats, time.clock, watchers="nobody", takebacks=False, lot=False
    )
    who = entrant.known_as
    try:
        way = Client(_here["exchange"], authkey=multiprocessing.current_process().authkey)
        way.send(("engage", bytes.fromhex(entrant.peer), terms, fresh, patience))
        answer = way.recv()
    except (OSError, EOFError, AuthenticationError):
        raise TournamentError(f"{who}: {_LOST}") from None
    if answer[0] != "yes":
        way.close()
        if answer[0] == "no":
            raise TournamentError(f"{who} {answer[1]}", absent=entrant.peer)
        raise TournamentError(f"{who}: {_LOST}")
    return PeerTalk(cast("Program", PeerProgram(who, way, entrant.peer)))
