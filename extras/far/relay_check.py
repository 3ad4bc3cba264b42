"""The examination of relays by `quadrille doctor`: is one there, does it let us in, how long does a word take?"""

import os
import socket
import time
from typing import Final

from quadrille.extras.far.link.relay_causes import cause, refusal
from quadrille.extras.far.relay import frames
from quadrille.extras.far.relay.frames import NUMBER_BYTES, Frame, FrameKind, FrameReader
from quadrille.extras.far.relay.ticket import MeetingPlace
from quadrille.net.core.errors import PeerError

#: Seconds until a relay that does not answer counts as absent.
PATIENCE: Final = 5.0


def relay_finding(place: MeetingPlace) -> tuple[str, bool]:
    """Enter an empty meeting there; say how that went, and whether all is fine."""
    try:
        with socket.create_connection((str(place.address), place.port), PATIENCE) as connection:
            connection.sendall(frames.enter(os.urandom(NUMBER_BYTES)))
            began = time.perf_counter()
            answer = _answer(connection)
    except TimeoutError:
        why = "it does not answer"
    except OSError as error:
        why = cause(error.errno or 0)
    except (PeerError, EOFError):
        why = "what listens there is no relay"
    else:
        if answer.kind is FrameKind.ENTERED:
            took = 1000 * (time.perf_counter() - began)
            return f"The relay at {place} answers in {took:.0f} ms.", True
        why = refusal(answer.body)
    return f"The relay at {place} can't be used: {why}.", False


def _answer(connection: socket.socket) -> Frame:
    reader = FrameReader(of_relay=True)
    while data := connection.recv(4096):
        if found := reader.feed(data):
            return found[0]
    raise EOFError
