"""The shape that all protocol machines of this floor share. tests/net/test_machines.py holds each of them to it.

A machine does no I/O and reads no clock: its driver hands in messages and the time, and carries out what the machine
wants. So one machine runs on a simulated network from one seed, and on sockets.
"""

from typing import Final, Protocol, TypeVar

Source = TypeVar("Source", contravariant=True)
Heard = TypeVar("Heard", contravariant=True)
Sent = TypeVar("Sent")
Noticed = TypeVar("Noticed")

#: The deadline of a machine that waits for nothing.
NO_DEADLINE: Final = 2**60


class Machine(Protocol[Source, Heard, Sent, Noticed]):
    """A part of the protocol without I/O.

    `now` is in milliseconds of a clock that never goes back; a machine that got no call since, or the same calls at
    the same times, is in the same state. The driver drains `outgoing` and `events` after each call, in their order.
    """

    @property
    def outgoing(self) -> list[Sent]:
        """What is to be sent or done."""

    @property
    def events(self) -> list[Noticed]:
        """What the program should know."""

    @property
    def deadline(self) -> int:
        """When `wake` is wanted next; `NO_DEADLINE` if only a message can change anything. Any call may change it."""

    def receive(self, source: Source, message: Heard, now: int, /) -> object:
        """Hear a message. What is not acceptable in this phase is dropped.

        A `PeerError` says what its author did wrong, and leaves the machine fit to go on. What is returned is an answer
        that the driver needs at once.
        """

    def wake(self, now: int, /) -> None:
        """Do what is due; before the deadline nothing is. Afterwards the deadline is in the future."""


Item = TypeVar("Item")


def drain(queue: list[Item]) -> list[Item]:
    """Take all that a machine has put there."""
    taken = queue[:]
    queue.clear()
    return taken
