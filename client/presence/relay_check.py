"""The examination of relays by `quadrille doctor`.

Is one there, does it let us in, how long does a word take, and where may friends reach us without it?
"""

import ipaddress
import os
import socket
import time
from collections.abc import Sequence
from typing import Final

from quadrille.client.presence.diagnosis import Diagnosis
from quadrille.net.core.errors import PeerError
from quadrille.net.link.direct_ways import own_addresses
from quadrille.net.link.relay_causes import cause, refusal
from quadrille.net.relay import frames
from quadrille.net.relay.frames import NUMBER_BYTES, Frame, FrameKind, FrameReader
from quadrille.net.relay.ticket import MeetingPlace

#: Seconds until a relay that does not answer counts as absent.
PATIENCE: Final = 5.0


def relay_finding(place: MeetingPlace) -> Diagnosis:
    """Enter an empty meeting there, and say how that went."""
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
            return Diagnosis(f"The relay at {place} answers in {took:.0f} ms.")
        why = refusal(answer.body)
    return Diagnosis(f"The relay at {place} can't be used: {why}.", fine=False)


def ways_finding(interfaces: Sequence[str] | None) -> Diagnosis:
    """The addresses at which a friend's program calls ours during a game over a relay."""
    found = [ipaddress.ip_address(one) for one in own_addresses(interfaces)]
    if far := [str(one) for one in found if one.is_global]:
        text = f"Friends with a ticket may reach this machine without a relay, at {', '.join(far)}."
    elif found:
        near = ", ".join(map(str, found))
        text = f"Friends in this network reach this machine without a relay, at {near}; all others need one."
    else:
        text = "No friend can reach this machine without a relay."
    return Diagnosis(text)


def _answer(connection: socket.socket) -> Frame:
    reader = FrameReader(of_relay=True)
    while data := connection.recv(4096):
        if found := reader.feed(data):
            return found[0]
    raise EOFError
