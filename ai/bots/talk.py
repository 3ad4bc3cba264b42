"""A bot's program, the dialogue with it, and the clock of both, over one game after another. player.py leads it."""

import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

from quadrille.ai.bots.lines.answers import Greeting
from quadrille.ai.bots.lines.dialogue import LONGEST_START, START, Dialogue, Event, Ready, Seating
from quadrille.ai.bots.lines.parameters import Number, settle
from quadrille.ai.bots.process.program import Program
from quadrille.ai.faults import LATE, BotFault, GameFault
from quadrille.rules.core import State
from quadrille.rules.match import Match

#: Seconds between `quit` and the kill of a program that has not ended.
GRACE: Final = 0.5
#: The end of a program that found nothing to do.
_ENDED: Final = "ended with exit code 0"
#: Milliseconds for which lines are read if nobody waits for them: a screen stands still meanwhile.
_AT_ONCE: Final = 20
#: Maximum lines that are kept from before the greeting, and maximum bytes of one.
MOST_OPENING: Final = 20
LONGEST_OPENING: Final = 1 << 16

#: A program whose share of the processor is unknown may take this many times as long to start.
_UNKNOWN: Final = 3
#: Milliseconds between two readings of its share, and before the first: each takes as long as several moves. A process
#: that ends counts as it was last read.
_LOOK: Final = 100

#: Called for every line: its time in milliseconds, whether the table wrote it, and the line.
Heard = Callable[[int, bool, bytes], None]


def now() -> int:
    return time.monotonic_ns() // 1_000_000


class Talk(AbstractContextManager["Talk"]):
    """A program and the dialogue with it.

    Output is sent by the next `hear`, which must be called often: with a timeout to wait for a move; by a peer on the
    network whenever the program wakes it. A fault ends the program, and is raised.
    """

    __slots__ = (
        "_due", "_heard", "_look_at", "_missed", "dialogue", "fault", "is_ready", "is_told", "opening", "parameters",
        "program",
    )  # fmt: skip

    def __init__(self, program: Program, heard: Heard | None = None, *, start: int = START) -> None:
        """`start`: timeout for its greeting and for getting ready for a game, in milliseconds of its own time."""
        self.program = program
        self.dialogue = Dialogue(now(), start)
        #: When a start had taken a while, and the bot's share of the processor until then; None: before that.
        self._missed: tuple[int, tuple[float, float]] | None = (self.dialogue.began, (0.0, 0.0))
        self._look_at = self.dialogue.began + _LOOK
        self.fault: BotFault | None = None
        #: Whether the bot knows of the game, and is ready for it.
        self.is_told = self.is_ready = False
        #: The values that its next games are started with; those not set are usual.
        self.parameters: Mapping[str, Number] = {}
        self._due: deque[Event] = deque()
        self._heard = heard
        #: The lines until the greeting, each with its writer; those of a bot that writes too much are cut off.
        self.opening: list[tuple[bool, bytes]] = []

    def listen(self, heard: Heard | None) -> None:
        """Report all lines to `heard` from now on."""
        self._heard = heard

    def _note(self, at: int, from_table: bool, line: bytes) -> None:
        if self.dialogue.greeting is None and len(self.opening) < MOST_OPENING and len(line) <= LONGEST_OPENING:
            self.opening.append((from_table, line))
        if self._heard is not None:
            self._heard(at, from_table, line)

    @property
    def is_greeted(self) -> bool:
        """Return whether the bot has greeted, so that a game can start."""
        return self.dialogue.greeting is not None

    @property
    def deadline(self) -> int | None:
        """When to call `hear`, if no line comes before."""
        due = self.dialogue.deadline
        return due if due is None or self.dialogue.starts_by is None else min(due, self._look_at)

    def start(self, match: Match, view: State[Any, Any], seating: Seating) -> None:
        """Start a game, or continue one in its middle; `Ready` follows. `BadValues` names a value that is refused."""
        self.is_told, self.is_ready, self._missed = True, False, None
        values = self.settled() if self.parameters else None
        self.dialogue.start(match, view, seating, now(), values)
        self._look_at = self.dialogue.began + _LOOK

    def settled(self) -> Mapping[str, Number]:
        """Return the values as the bot takes them, once it has greeted; else raise `BadValues`."""
        assert self.dialogue.greeting is not None
        return settle(self.dialogue.greeting.parameters, self.parameters)

    def forget(self) -> None:
        """Drop the game, perhaps without a word: the next one is another."""
        self.is_told = self.is_ready = False
        self.dialogue.no_turn()

    def hear(self, timeout: float = 0) -> Event | None:
        """Send what is due, and return the next event; None after `timeout` seconds."""
        if self.fault is not None:
            raise self.fault
        dialogue, program = self.dialogue, self.program
        at = now()
        end = at + round(1000 * timeout)
        try:
            while at <= end + _AT_ONCE:
                if dialogue.outgoing:
                    self._send(at)
                if self._due:
                    return self._due.popleft()
                due = self.deadline
                until = end if due is None or due >= end else due + 1
                line = program.line((until - at) / 1000 if until > at else 0)
                at = now()
                if line is not None:
                    if self._heard is not None or dialogue.greeting is None:
                        self._note(at, False, line)
                    if (event := dialogue.receive(line, at)) is not None:
                        if isinstance(event, Ready):
                            self.is_ready = self.is_told
                        return event
                    continue
                self._be_patient(at)
                self._due += dialogue.wake(at)
                if not self._due and at >= end:
                    return None
            program.hurry()
        except BotFault as found:
            if not isinstance(fault := found, GameFault):
                why, starved = found.why + self._more_about(found), found.starved
                fault = BotFault(found.kind, why, by_signal=found.by_signal, starved=starved)
            self.fault = dialogue.fault = fault
            program.close()
            raise fault from None
        return None

    def _more_about(self, fault: BotFault) -> str:
        """Return what the bot did in place of its answer; or a likely reason why one ends by itself."""
        if fault.kind in LATE:
            asked = self.dialogue.asked
            did = [f"it asked {asked} question{'s' * (asked > 1)}"] if asked else []
            did += self.program.instead() if isinstance(self.program, Program) else ()
            return "".join(f"; {what}" for what in did)
        if fault.why != _ENDED:
            return ""
        if not self.is_greeted and any(word.endswith(".py") for word in self.program.command):
            return "; name a file of the kit by itself (FILE.py), or end it with quadrille.ai.kit.run(Mine())"
        return "; a bot reads lines until the table says quit"

    def share(self) -> tuple[float, float] | None:
        """Return for how many seconds its program ran, and waited for a processor; None where nobody knows."""
        return self.program.share() if isinstance(self.program, Program) else None

    def _be_patient(self, at: int) -> None:
        """Postpone the timeout of a start while its program has had too little time of its own (docs/protocols/bots.md,
        "Starting"): a busy machine is not its fault.
        """
        dialogue = self.dialogue
        if dialogue.starts_by is None or at < min(self._look_at, dialogue.starts_by + 1):
            return
        share = self.share()
        if self._missed is None and at >= self._look_at:
            self._missed = at, share or (0.0, 0.0)
        self._look_at = at + _LOOK
        if self._missed is None or at <= dialogue.starts_by:
            return
        since, most = at - dialogue.began, dialogue.start_within
        own = since // _UNKNOWN
        if share is not None:
            missed, before = self._missed
            ran, waited = (1000 * (now - then) for now, then in zip(share, before, strict=True))
            own = round(max(ran, at - missed - waited))
        if own < most and since < LONGEST_START:
            dialogue.starts_by = min(at + max(most - own, _LOOK), dialogue.began + LONGEST_START)

    def _send(self, at: int) -> None:
        for line in self.dialogue.outgoing:
            if self._heard is not None or self.dialogue.greeting is None:
                self._note(at, True, line)
            self.program.send(line)
        self.dialogue.outgoing.clear()

    def greet(self) -> Greeting:
        """Wait for the greeting, and return it."""
        while self.dialogue.greeting is None:
            self.hear(1)
        return self.dialogue.greeting

    def close(self, grace: float = GRACE) -> None:
        """Tell the program to quit, and kill it after `grace` seconds."""
        if self.fault is None and not self.program.ended:
            self.dialogue.quit()
            try:
                self._send(now())
            except BotFault:
                grace = 0
        self.program.close(grace)

    def __exit__(self, *_: object) -> None:
        self.close()
