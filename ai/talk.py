"""A bot that one can play with: its program, and the dialogue with it. The clock is here, and nothing of any game."""

import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from quadrille.ai.answers import Greeting
from quadrille.ai.dialogue import START, Dialogue, Event
from quadrille.ai.faults import BotFault
from quadrille.ai.program import Program

#: How long a program may take to end when it is told to quit, in seconds; then it is ended.
GRACE: Final = 0.5
#: So many lines are heard at once, if nobody waits for them.
_AT_ONCE: Final = 100

#: Told of every line: its time in milliseconds, whether the table wrote it, and the line.
Heard = Callable[[int, bool, bytes], None]


def now() -> int:
    """Milliseconds of a clock that never jumps."""
    return time.monotonic_ns() // 1_000_000


class Talk:
    """A program and the dialogue with it.

    What is said through `dialogue` is sent by the next `hear`, which is to be called often: by whoever waits for a
    move, with a timeout; by a peer on the network whenever the program wakes it. A fault ends the program, and is
    raised.
    """

    __slots__ = ("_due", "_heard", "dialogue", "fault", "program")

    def __init__(self, program: Program, heard: Heard | None = None, *, start: int = START) -> None:
        """`start`: how long it may take to say who it is, or that it is ready for a game, in milliseconds."""
        self.program = program
        self.dialogue = Dialogue(now(), start)
        self.fault: BotFault | None = None
        self._due: deque[Event] = deque()
        self._heard = heard

    def hear(self, timeout: float = 0) -> Event | None:
        """Send what is to be said, and give the next event; None when there is none within so many seconds."""
        if self.fault is not None:
            raise self.fault
        try:
            return self._hear(timeout)
        except BotFault as fault:
            self.fault = self.dialogue.fault = fault
            self.program.close()
            raise

    def _hear(self, timeout: float) -> Event | None:
        end = now() + round(1000 * timeout)
        for _ in range(_AT_ONCE):
            self._send()
            if self._due:
                return self._due.popleft()
            line = self.program.line(self._wait(end) if timeout else 0)
            if line is not None:
                if self._heard is not None:
                    self._heard(now(), False, line)
                if (event := self.dialogue.receive(line, now())) is not None:
                    self._send()
                    return event
                continue
            self._due += self.dialogue.wake(now())
            if not self._due and now() >= end:
                return None
        self.program.hurry()
        return None

    def _wait(self, end: int) -> float:
        """How long to wait for a line at most, in seconds: something may be due before the end."""
        due = self.dialogue.deadline
        if due is not None and due < end:
            end = due + 1
        return max(0, end - now()) / 1000

    def _send(self) -> None:
        if not self.dialogue.outgoing:
            return
        for line in self.dialogue.outgoing:
            if self._heard is not None:
                self._heard(now(), True, line)
            self.program.send(line)
        self.dialogue.outgoing.clear()

    def greet(self) -> Greeting:
        """Wait until the bot has said who it is."""
        while self.dialogue.greeting is None:
            self.hear(1)
        return self.dialogue.greeting

    def close(self, grace: float = GRACE) -> None:
        """Let the program go: it is told to quit, and ended if it does not within so many seconds."""
        if self.fault is None and not self.program.ended:
            self.dialogue.quit()
            try:
                self._send()
            except BotFault:
                grace = 0
        self.program.close(grace)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
