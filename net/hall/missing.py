"""Peers that somebody lost sight of: questions that go round the hall, and how long an answer may take.

Part of hall.py. Only a missing peer itself can answer, by a newer beat. So a question makes nobody vanish that lives
and hears it, whoever asks. Specification: docs/protocols/hall.md, "Missing peers".
"""

from typing import Final

from quadrille.net.core.machine import NO_DEADLINE
from quadrille.net.core.pace import Bucket, Pace

#: Milliseconds after a question until its peer is not shown, unless it has answered.
ANSWER_WITHIN: Final = 22_000
#: Milliseconds by which the age of a beat may be wrong; messages hold it in whole seconds.
AGES_DIFFER: Final = 1_000
#: Minimum milliseconds between two beats that questions make a peer sign.
ANSWER_EVERY: Final = 8_000
#: Questions of others that a peer passes on, whoever asks.
QUESTIONS: Final = Pace(8, 30_000)
#: Maximum open questions.
MOST_QUESTIONS: Final = 1024


class MissingPeers:
    """The open questions of one peer of a hall, by key: the last known beat, and until when an answer counts. And when
    links broke here.
    """

    __slots__ = ("_lost", "_open", "passed_on")

    def __init__(self) -> None:
        self.passed_on = Bucket(QUESTIONS)
        self._open: dict[bytes, tuple[int, int]] = {}
        self._lost: dict[bytes, int] = {}

    def lose(self, key: bytes, now: int) -> None:
        """A link broke."""
        self._lost.pop(key, None)
        self._lost[key] = now
        if len(self._lost) > MOST_QUESTIONS:
            del self._lost[next(iter(self._lost))]

    def is_older(self, key: bytes, signed: int) -> bool:
        """Whether a beat was signed before a link broke, and so says nothing of what came afterwards."""
        if signed > self._lost.get(key, signed) + AGES_DIFFER:
            del self._lost[key]
        return key in self._lost

    def is_new(self, key: bytes, beat: int) -> bool:
        """Whether no question is open for that beat."""
        return key not in self._open or self._open[key][0] < beat

    def ask(self, key: bytes, beat: int, now: int) -> bool:
        """Open a question; False if it is open already, or there are too many."""
        if not self.is_new(key, beat) or len(self._open) >= MOST_QUESTIONS:
            return False
        self._open[key] = (beat, now + ANSWER_WITHIN)
        return True

    def answer(self, key: bytes, beat: int) -> None:
        """A beat is here: it may answer a question."""
        if key in self._open and beat > self._open[key][0]:
            del self._open[key]

    @property
    def deadline(self) -> int:
        """When to call `close` next."""
        return min((until for _, until in self._open.values()), default=NO_DEADLINE)

    def close(self, now: int) -> list[bytes]:
        """The peers that have not answered in time."""
        late = [key for key, (_, until) in self._open.items() if until <= now]
        for key in late:
            del self._open[key]
        return late
