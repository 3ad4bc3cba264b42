"""The simulated network: virtual time, links in any weather, and dice by which a seed repeats a run to the last bit.

What is at the ends of the links are machines of the product: lobbies with their tables (simulation.py), coalitions that
lie (colluders.py), neighbours, whose links have addresses (street.py). Each driver checks the contract of its
machines after every call.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from quadrille.net.hall import hall
from quadrille.net.trust import identity
from quadrille.rules.chance import Stream


@contextmanager
def signatures_checked_once() -> Iterator[None]:
    """Each signature is made and checked once, and each posting decoded once, and not once for each of a thousand peers
    in this process: the same bytes always give the same. A wrong signature is checked anew each time.
    """
    with ExitStack() as patches:
        for where, name in ((identity, "crypto_sign"), (identity, "crypto_sign_open"), (hall, "read_part")):
            patches.enter_context(patch.object(where, name, lru_cache(maxsize=1 << 16)(getattr(where, name))))
        yield


@dataclass(frozen=True)
class Weather:
    """What becomes of messages, links and programs. Frequencies are in thousandths.

    A message is lost, or comes twice, and is on its way for at most `delay` milliseconds, so that a later one may come
    first unless a link is `in_order`; a link carries `bandwidth` bytes a second, or all at once. Programs crash and
    come back, or die; two peers are cut off from each other, or one from all, which both notice after a while. With
    `power` a crash is a power cut: what the disk did not have is lost. `clocks` says how fast the peers' clocks run, in
    thousandths, one after another; `jumps` how often one jumps after a stop.
    """

    loss: int = 0
    twice: int = 0
    delay: int = 50
    in_order: bool = False
    bandwidth: int = 0
    crashes: int = 0
    deaths: int = 0
    power: bool = False
    cuts: int = 0
    away: int = 0
    noticed: int = 3000
    clocks: tuple[int, ...] = (1000,)
    jumps: int = 0


CALM = Weather()


class Network:
    """What is under way between the ends of links, and what time it is."""

    def __init__(self, seed: str, weather: Weather = CALM) -> None:
        self.dice = Stream(seed, "world")
        self.weather = weather
        self.now = self.steps = 0
        #: Actions in the order of their time; those of one moment in the order in which they were asked for.
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self.cut: set[frozenset[bytes]] = set()
        self._busy: dict[tuple[bytes, bytes], int] = {}  # until when a link is busy that way
        self._last: dict[tuple[bytes, bytes], int] = {}  # when the last that it carries comes

    def later(self, delay: int, action: Callable[[], None]) -> None:
        self.steps += 1
        heapq.heappush(self._queue, (self.now + delay, self.steps, action))

    def step(self, end: int | None = None) -> bool:
        """Do what is next; False if nothing is before the end."""
        if not self._queue or (end is not None and self._queue[0][0] > end):
            return False
        self.now, _, action = heapq.heappop(self._queue)
        action()
        return True

    def chance(self, thousandths: int) -> bool:
        return self.dice.randrange(1000) < thousandths

    def is_cut(self, one: bytes, other: bytes) -> bool:
        return frozenset((one, other)) in self.cut

    def copies(self) -> int:
        """How often a message comes."""
        return 0 if self.chance(self.weather.loss) else 2 if self.chance(self.weather.twice) else 1

    def carry(self, one: bytes, other: bytes, size: Callable[[], int], arrive: Callable[[], None]) -> None:
        """Carry a message of so many bytes as the weather wants it; what comes over a cut link is lost."""
        for _ in range(self.copies()):
            at = self.now + 1 + self.dice.randrange(self.weather.delay)
            if self.weather.bandwidth:
                began = max(self.now, self._busy.get((one, other), 0))
                self._busy[one, other] = began + size() * 1000 // self.weather.bandwidth
                at += self._busy[one, other] - self.now
            if self.weather.in_order:
                at = self._last[one, other] = max(at, self._last.get((one, other), 0))
            self.later(at - self.now, lambda: None if self.is_cut(one, other) else arrive())

    def sleepers(self) -> Iterable[tuple[Any, Callable[[], None]]]:
        """The machines that are woken when they want to be, each with what its driver does then."""
        return ()

    def run(self, time: int) -> None:
        """Let so many milliseconds pass."""
        end = self.now + time
        while True:
            there = [*self.sleepers()]
            due = min((machine.deadline for machine, _ in there), default=end + 1)
            if self.step(min(due, end)):
                continue
            if due > end:
                break
            self.now = max(self.now, due)
            for machine, settle in there:
                if machine.deadline <= self.now:
                    machine.wake(self.now)
                    settle()
        self.now = end

    def run_until(self, condition: Callable[[], bool], most: int, step: int = 10) -> int:
        """Let time pass until something is so; how long it took."""
        start = self.now
        while not condition():
            assert self.now - start < most, f"not within {most} ms"
            self.run(step)
        return self.now - start


def check_contract(machine: Any, now: int) -> None:
    """Check what net/core/machine.py promises of a machine that waits for its deadline."""
    assert isinstance(machine.deadline, int)
    if now < machine.deadline:
        before = [*machine.outgoing], [*machine.events]
        machine.wake(now)
        assert (machine.outgoing, machine.events) == before, "woken before its deadline, it does something"
