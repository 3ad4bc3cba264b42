"""The interface that all protocol machines share. tests/net/network.py checks each machine against it.

A machine does no I/O and reads no clock. Its driver passes messages and the time in, and carries out what the machine
asks for. So the same machine runs on sockets and on a simulated network that a seed reproduces.
"""

from typing import Final, Protocol, TypeVar

Source = TypeVar("Source", contravariant=True)
Heard = TypeVar("Heard", contravariant=True)
Sent = TypeVar("Sent")
Noticed = TypeVar("Noticed")

#: Deadline of a machine that waits for nothing.
NO_DEADLINE: Final = 2**60


class Machine(Protocol[Source, Heard, Sent, Noticed]):
    """A part of the protocol without I/O.

    `now` is in milliseconds of a monotonic clock. The same calls at the same times always lead to the same state.
    After each call the driver drains `outgoing` and `events`, in this order.
    """

    @property
    def outgoing(self) -> list[Sent]:
        """Messages to send and actions to carry out."""

    @property
    def events(self) -> list[Noticed]:
        """Events for the program."""

    @property
    def deadline(self) -> int:
        """The time of the next `wake`; `NO_DEADLINE` if only a message can change anything. Any call may change it."""

    def receive(self, source: Source, message: Heard, now: int, /) -> object:
        """Process a message. One that this phase does not accept is dropped.

        A `PeerError` says what its author did wrong; the machine stays usable. The driver handles a returned value at
        once.
        """

    def wake(self, now: int, /) -> None:
        """Do what is due; a call before the deadline does nothing. Afterwards the deadline is in the future."""


Item = TypeVar("Item")


def drain(queue: list[Item]) -> list[Item]:
    """Empty a queue and return its items."""
    taken = queue[:]
    queue.clear()
    return taken
