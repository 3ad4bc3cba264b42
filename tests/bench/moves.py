"""How long a move takes to another program and the answer back, against the bare exchange of bytes of that size.

    python -m tests.bench.moves [--games N]

A move is checked, signed, kept in the store, sent, verified, applied, kept there, and answered in the same way: twice
all that in one round trip, between two processes on loopback. The yardstick is pyzmq alone, in the same run: a DEALER
and a ROUTER in two processes, one message there and one back, each as long as the messages of the moves. It is taken
anew after each game, since how fast two processes wake each other differs from one start to the next, by as much as
four times. What our gate costs stands beside it: the same DEALERs call a program that answers by `Connections`.
"""

import argparse
import json
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import zmq

from quadrille.net.core.limits import Pace
from quadrille.net.entries.wire import Entries, sealed
from quadrille.net.program.station import now
from quadrille.net.tables.table import Table
from quadrille.net.zeromq.connection import Connection, Connections, FrameRates
from quadrille.net.zeromq.libzmq import Libzmq
from quadrille.rules.chance import Stream
from tests.net.player import Player
from tests.net.ports import udp_port

BARE_ROUNDS = 1000
#: Connections that are opened to each echo: the last one says the messages.
CALLERS = 50
GAME = {"game": "barons", "seats": 2, "options": {"width": 8, "height": 8}}


class Timed(Player):
    """A player that takes the time between its moves and the answers to them, in microseconds."""

    def __init__(self, folder: Path, port: int) -> None:
        more = {"folder": folder / "one", "port": port, "host": json.dumps(GAME), "crowd": 1, "join": False}
        super().__init__(argparse.Namespace(name="one", seeds=(), interfaces=None, think=0, **more))
        self.times: list[float] = []
        self.began = 0.0
        self.dice = Stream("bench", "moves")

    def hear(self, event: object) -> None:
        """Print nothing meanwhile."""

    def play(self, table: Table) -> None:
        if not table.is_my_turn:
            return
        if self.began:
            self.times.append((time.perf_counter() - self.began) * 1e6)
        move = str(table.view.moves.sample(self.dice))
        self.began = time.perf_counter()
        table.play(move, now())


def moves() -> tuple[list[float], int]:
    """Round trips of moves in a game, and how long such a message is."""
    with tempfile.TemporaryDirectory() as folder:
        timed = Timed(Path(folder), port := udp_port())
        command = [sys.executable, "-m", "tests.net.player", "two", f"{folder}/two", str(port), "--join"]
        with (
            timed.station as station,
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as other,
        ):
            while not any(table.over for table in station.lobby.tables.values()):
                timed.turn()
            other.communicate()
            [table] = station.lobby.tables.values()
            own = [entry for entry in table.log.entries if entry.author == station.identity.key]
            said = [Entries(table.log.table, (entry,)) for entry in own]
            size = statistics.median(len(sealed(message, station.identity)) for message in said)
    return timed.times, int(size)


def exchanged(size: int, echo: str) -> tuple[float, float]:
    """How long a DEALER of pyzmq takes to an answer on a new connection to that echo, and to each later one: medians in
    microseconds.
    """
    command = [sys.executable, "-m", "tests.bench.moves", "--echo", echo]
    opened, times = list[float](), list[float]()
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other,
        zmq.Context() as context,
        ExitStack() as sockets,
    ):
        assert other.stdout
        address = other.stdout.readline().strip()

        def said(dealer: "zmq.Socket[bytes]", to: list[float], began: float) -> None:
            dealer.send(b"x" * size)
            dealer.recv()
            to.append((time.perf_counter() - began) * 1e6)

        for number in range(CALLERS):
            dealer = sockets.enter_context(context.socket(zmq.DEALER))
            dealer.routing_id = bytes((1, *number.to_bytes(16, "big")))
            began = time.perf_counter()
            dealer.connect(address)
            said(dealer, opened, began)
        for _ in range(BARE_ROUNDS):
            said(dealer, times, time.perf_counter())
        dealer.send(b"")
        other.communicate()
    return statistics.median(opened), statistics.median(times)


def bare_echo() -> None:
    """Sends everything back by pyzmq, until it is nothing."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        port = router.bind_to_random_port("tcp://127.0.0.1")
        print(f"tcp://127.0.0.1:{port}", flush=True)
        while (frames := router.recv_multipart())[-1]:
            router.send_multipart(frames)


class GateEcho:
    """And by our connections."""

    heard = b"x"

    def opened(self, connection: Connection) -> None: ...

    def came(self, connection: Connection, frames: list[bytes], now: int) -> None:
        self.heard = frames[-1]
        connection.send(frames, now)

    def matters(self, connection: Connection) -> bool:
        return True

    def closed(self, connection: Connection, fault: str, now: int) -> None: ...

    def run(self) -> None:
        plenty = Pace(1 << 30, 1)
        with selectors.DefaultSelector() as selector, socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
            rates = FrameRates(plenty, plenty, plenty, tells_apart=False)
            exchange = Connections(selector, rates, Libzmq(b"\x01" + bytes(16), None, lambda _: False), 1 << 12)

            def accept(*_: Any) -> None:
                accepted, whence = listener.accept()
                accepted.setblocking(False)
                accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                exchange.begin(accepted, self, whence[1], whence[0], 0)

            selector.register(listener, selectors.EVENT_READ, accept)
            print(f"tcp://127.0.0.1:{listener.getsockname()[1]}", flush=True)
            while self.heard:
                for key, mask in selector.select(0 if exchange.deadline == 0 else None):
                    key.data(mask, 0)
                exchange.wake(0)
            exchange.close()


ECHOES = {"bare": bare_echo, "gate": lambda: GateEcho().run()}


def measured(games: int) -> dict[str, float]:
    """All figures of one run: medians in microseconds, and the ratios."""
    times: list[float] = []
    rows: dict[str, list[tuple[float, float]]] = {echo: [] for echo in ECHOES}
    for _ in range(games):
        found, size = moves()
        times += found
        for echo, row in rows.items():
            row.append(exchanged(size, echo))
    bare = [time for _, time in rows["bare"]]
    yardstick, median = statistics.median(bare), statistics.median(times)
    pairs = list(zip(rows["gate"], rows["bare"], strict=True))
    return {
        "bytes": size,
        "bare": round(yardstick),
        "bare_least": round(min(bare)),
        "bare_most": round(max(bare)),
        "move": round(median),
        "move_p95": round(statistics.quantiles(times, n=20)[-1]),
        "ratio": round(median / yardstick, 1),
        "gate_ratio": round(statistics.median(gate[1] / bare[1] for gate, bare in pairs), 2),
        "gate_opening_ratio": round(statistics.median(gate[0] / bare[0] for gate, bare in pairs), 2),
        "rounds": len(times),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--echo", choices=ECHOES, help=argparse.SUPPRESS)
    parser.add_argument("--games", type=int, default=5)
    given = parser.parse_args()
    if given.echo:
        ECHOES[given.echo]()
    else:
        print(json.dumps(measured(given.games), indent=2))


if __name__ == "__main__":
    main()
