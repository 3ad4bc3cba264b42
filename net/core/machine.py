"""The contract of all protocol machines, and the clock of their drivers. tests/net/network.py checks each machine.

A machine does no I/O and reads no clock. Its driver passes messages and the time in, and carries out what the machine
asks for. So the same machine runs on sockets and on a simulated network that a seed reproduces: the same calls at the
same times always lead to the same state. Times are in milliseconds of the clock below.

- `receive` processes a message, and drops one that this phase does not accept. A `PeerError` says what its author did
  wrong; the machine stays usable. The driver handles a returned value at once.
- `outgoing` are messages to send and actions to carry out, `events` news for the program. After each call the driver
  drains both, in this order.
- `deadline` is the time of the next `wake`; `NO_DEADLINE` if only a message can change anything. Any call may change
  it.
- `wake` does what is due; a call before the deadline does nothing. Afterwards the deadline is in the future.
"""

import time
from typing import Final, TypeVar

#: Deadline of a machine that waits for nothing.
NO_DEADLINE: Final = 2**60
#: Maximum milliseconds that count between two looks at the sockets.
LONGEST_GAP: Final = 1000

Item = TypeVar("Item")


def drain(queue: list[Item]) -> list[Item]:
    """Empty a queue and return its items."""
    taken = queue[:]
    queue.clear()
    return taken


class RunningClock:
    """Milliseconds for which this program ran. They never go back.

    A peer was not silent while this program was stopped, asleep or starved: what it sent waits in the sockets. So time
    in which nobody looked at the sockets is skipped, and no machine has to ask how late it is woken.
    """

    def __init__(self) -> None:
        self._last = _system()
        self._looked = self._last, self._last  # the last look, by the system's clock and by this one
        self.skipped = 0
        #: The milliseconds by which `awake` is ahead; it is behind where the machine has slept before.
        self.apart = awake() - self._last

    def __call__(self) -> int:
        """Return the time now. Any thread may call this."""
        there, here = self._looked
        self._last = max(self._last, here + min(_system() - there, LONGEST_GAP))
        return self._last

    def look(self) -> int:
        """Note that the driver looks at its sockets now; return the time."""
        there, now = _system(), self()
        if (skipped := there - self._looked[0] - (now - self._looked[1])) > 0:
            self.skipped += skipped
            self.apart = awake() - now
        self._looked = there, now
        return now


def _system() -> int:
    """Return the system's milliseconds; on Linux with those in which the machine slept, which others have counted."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    return awake()


def awake() -> int:
    """Return the milliseconds of a clock that stands still while the machine sleeps: that of screens and of bots."""
    return time.monotonic_ns() // 1_000_000


#: The clock of this program, whatever number of nodes it has.
now: Final = RunningClock()
