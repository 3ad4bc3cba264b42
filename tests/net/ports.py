"""Ports for tests: two that run at the same time never get the same one, in one run or in several on one machine.

Every process has a block of them, and holds it as long as it lives by being bound to the first one. All blocks lie
below the ports that systems give away by themselves (from 32768 on Linux, from 49152 elsewhere): nobody's own end of a
connection takes one by accident, and nothing that calls an empty one reaches itself.
"""

import itertools
import socket
from collections.abc import Iterator
from functools import cache
from random import SystemRandom

BLOCK = 200
BLOCKS = range(20_000, 32_000, BLOCK)


@cache
def _ports() -> Iterator[int]:
    """Those of this process, again and again: when the first one is due a second time, its test is long over."""
    # At random, since machines that share a network don't see each other's claims.
    for first in SystemRandom().sample(BLOCKS, len(BLOCKS)):
        claim = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            claim.bind(("127.0.0.1", first))
        except OSError:
            claim.close()
        else:
            claim.detach()  # bound until this process ends
            return itertools.cycle(range(first + 1, first + BLOCK))
    raise AssertionError(f"all ports from {BLOCKS[0]} to {BLOCKS[-1]} are claimed")


def _free(kind: socket.SocketKind) -> int:
    """The next one that no other program on this machine uses."""
    for port in itertools.islice(_ports(), BLOCK):
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind(("", port))
            except OSError:
                continue
            return port
    raise AssertionError("every port of this process is in use")


def udp_port() -> int:
    """Where nobody is heard but those of one test."""
    return _free(socket.SOCK_DGRAM)


def tcp_port() -> int:
    """Where nobody listens."""
    return _free(socket.SOCK_STREAM)
