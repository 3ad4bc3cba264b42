"""What can go wrong between peers, by culprit: who is to mend it decides which error it is.

Every error is a sentence for a person: what was wrong, what was expected. A `PeerError` never leaves `net`: it is
counted, and may end a conversation. A `LocalError` goes to the person who started the program.
"""


class NetError(ValueError):
    """Something about the network or a peer; nothing has changed."""

    code = "net"


class PeerError(NetError):
    """A peer's fault: what it sent cannot be accepted."""

    code = "peer"


class LocalError(NetError):
    """The fault of this machine, of its set-up, or of who uses it: a port taken, no network, a name too long."""

    code = "local"
