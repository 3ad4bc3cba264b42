"""The loop of a person's places in plain lines, at one keyboard and on the network."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final, Protocol

from quadrille.client.plain.face import PlainFace
from quadrille.client.table.stage import Heard, NetworkStage
from quadrille.net.trust.guard import author_of

if TYPE_CHECKING:
    from quadrille.client.network.shutdown import Ending

#: Maximum milliseconds between two checks for due work.
_TURN: Final = 250


class Surroundings(Protocol):
    """The bots and files of this program, or the network, which go on beside a person."""

    def turn(self, timeout: int) -> Iterable[Heard]:
        """Go on for at most `timeout` milliseconds; return what the person's place is to hear."""

    def watch(self, deed: str, author: bytes | None = None) -> AbstractContextManager[None]:
        """Guard a deed against faults that nobody foresaw, where others could cause them."""
        return nullcontext()

    def ended(self, stage: NetworkStage) -> list[str]:
        """Return sentences about games and bots that have ended, while the person is there."""
        return []

    def parting(self) -> list[str]:
        """Return sentences for a person who leaves."""
        return []


def sit(
    around: Surroundings,
    face: PlainFace,
    ending: "Ending | None" = None,
    onward: Callable[[PlainFace], PlainFace] = lambda face: face,
) -> int:
    """Run until the person leaves, the input ends, or a signal comes: due work, a line, events. Return the exit code.
    `onward` makes the face of the next place.
    """
    console = face.console
    face.begin()
    while not (face.stage.done or (ending and ending.code)):
        with around.watch("what is due here"):
            face.tick()
        face = onward(face)
        typed = not face.stage.done and face.take_line()
        face = onward(face)
        if face.stage.done:
            break
        for event in around.turn(0 if typed else _TURN):
            with around.watch("the news here", author_of(event)):
                face.hear(event)
            face = onward(face)
        for sentence in around.ended(face.stage):
            console.say(sentence)
    if not face.stage.done:
        face.leave()  # a signal is a quit: the person reads how to come back
    for sentence in around.parting():
        console.say(sentence)
    console.close()
    return (ending and ending.code) or face.stage.code
