"""What a connection costs a node: its descriptors, to open it, and to send a message back.

    python -m tests.bench.gate [--against PYTHON]

`Connections` echo what DEALERs of another program say. Processor time is this program's, with libzmq's threads.
`--against` is the Python of a worktree with older code: both run in turn, and the ratios of their medians are printed.
"""

import argparse
import inspect
import json
import os
import selectors
import socket
import statistics
import subprocess
import sys
import time

from quadrille.net.core.limits import Pace
from quadrille.net.zeromq.connection import Connection, Connections, FrameRates
from quadrille.net.zeromq.libzmq import Libzmq

#: Says one word by each of so many connections, then many of 170 bytes by one; a line after either, which is answered.
CALLERS = """
import sys, zmq
port, peers, echoes = map(int, sys.argv[1:])
ends = [zmq.Context.instance().socket(zmq.DEALER) for _ in range(peers)]
for number, end in enumerate(ends):
    end.routing_id = bytes((1, *number.to_bytes(16, "big")))
    end.connect(f"tcp://127.0.0.1:{port}")
    end.send(b"x")
    end.recv()
print("open", flush=True)
input()
for _ in range(echoes):
    ends[0].send(bytes(170))
    ends[0].recv()
print("echo", flush=True)
input()
"""


class Echo:
    """Sends everything back."""

    def opened(self, connection: Connection) -> None: ...

    def came(self, connection: Connection, frames: list[bytes], now: int) -> None:
        connection.send(frames, now)

    def matters(self, connection: Connection) -> bool:
        return True

    def closed(self, connection: Connection, fault: str, now: int) -> None: ...


def measured(peers: int, echoes: int) -> dict[str, float]:
    """Descriptors of a connection, microseconds of the processor to open one, and to send a message back."""
    plenty, echo, said, found = Pace(1 << 30, 1), Echo(), list[str](), dict[str, float]()
    with selectors.DefaultSelector() as selector, socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        rates = FrameRates(plenty, plenty, plenty, tells_apart=False)
        exchange = Connections(selector, rates, Libzmq(b"\x01" + bytes(16), None, lambda _: False), 1 << 12)
        more = (
            {"now": 0} if "now" in inspect.signature(exchange.begin).parameters else {}
        )  # older code has no time here

        def accept(_: int, now: int) -> None:
            accepted, whence = listener.accept()
            accepted.setblocking(False)
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            exchange.begin(accepted, echo, whence[1], whence[0], **more)

        words = [sys.executable, "-c", CALLERS, *map(str, (listener.getsockname()[1], peers, echoes))]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as callers:
            assert callers.stdin is not None and callers.stdout is not None
            lines = callers.stdout
            selector.register(listener, selectors.EVENT_READ, accept)
            selector.register(lines, selectors.EVENT_READ, lambda *_: said.append(lines.readline()))
            files = len(os.listdir("/dev/fd"))
            for what, times in (("open", peers), ("echo", echoes)):
                begun = time.process_time()
                while f"{what}\n" not in said:
                    for key, mask in selector.select(0 if exchange.deadline == 0 else None):
                        key.data(mask, 0)
                    exchange.wake(0)
                found[what] = 1e6 * (time.process_time() - begun) / times
                found.setdefault("descriptors", (len(os.listdir("/dev/fd")) - files) / peers)
                print(file=callers.stdin, flush=True)
        exchange.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", metavar="PYTHON")
    for name, default in (("peers", 100), ("echoes", 4000), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    words = parser.parse_args()
    if not words.rounds:
        return print(json.dumps(measured(words.peers, words.echoes)))
    runs: dict[str, list[dict[str, float]]] = {python: [] for python in (sys.executable, words.against) if python}
    for python in [*runs] * words.rounds:
        size = [f"--peers={words.peers}", f"--echoes={words.echoes}", "--rounds=0"]
        runs[python].append(json.loads(subprocess.check_output([python, __file__, *size], text=True)))
    medians = [{what: statistics.median(one[what] for one in each) for what in each[0]} for each in runs.values()]
    for python, each in zip(runs, medians, strict=True):
        print(python, *(f"{what} {each[what] / medians[-1][what]:.2f} ({each[what]:.2f})" for what in each), sep="  ")
    return None


if __name__ == "__main__":
    main()
