"""CURVE key pairs for tests, as nodes take them and as zmq shows them."""

import zmq
from zmq.utils import z85


def key_pair() -> tuple[bytes, bytes]:
    """The 32 bytes of a public and of a secret key, made by libzmq."""
    public, secret = zmq.curve_keypair()
    return z85.decode(public), z85.decode(secret)
