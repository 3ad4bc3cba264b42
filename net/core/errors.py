"""Errors between peers, classified by culprit: the class says who has to fix the fault.

Every error is a sentence for a person: what was wrong, what was expected. A `PeerError` never leaves `net`: it is
counted and may end a conversation. A `LocalError` goes to the person who started the program.
"""


class NetError(ValueError):
    """A fault of the network, a peer or this machine. The caller's state is unchanged."""

    code = "net"


class PeerError(NetError):
    """A peer's fault: it sent something unacceptable."""

    code = "peer"


class LocalError(NetError):
    """A fault on this machine: a port in use, no network, a name that is too long."""

    code = "local"
