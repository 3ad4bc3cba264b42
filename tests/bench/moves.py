"""How long a move takes to another program and the answer back, against the bare exchange of bytes of that size.

    python -m tests.bench.moves [--games N]

A move is checked, signed, kept in the store, sent, verified, applied, kept there, and answered in the same way: twice
all that in one round trip, between two processes on loopback. The yardstick is pyzmq alone, in the same run: a DEALER
and a ROUTER in two processes, one message there and one back, each as long as the messages of the moves. It is taken
anew after each game, since how fast two processes wake each other differs from one start to the next, by as much as
four times.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import zmq

from quadrille.net.core.shapes import plain_options
from quadrille.net.entries.terms import Terms
from quadrille.net.entries.wire import Entries, sealed
from quadrille.net.program.station import Station, now
from quadrille.net.seating.lobby import Arrived
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game
from tests.net.ports import udp_port

BARE_ROUNDS = 1000


def terms() -> Terms:
    return Terms("barons", plain_options(game("barons").read_options({"width": 8, "height": 8}).plain()), 2)


def play(station: Station, dice: Stream, times: list[float]) -> None:
    """A game to its end; `times` are those between a move and the answer to it, in microseconds."""
    lobby = station.lobby
    began = 0.0
    while True:
        for table in list(lobby.tables.values()):
            if table.is_my_turn:
                if began:
                    times.append((time.perf_counter() - began) * 1e6)
                move = str(table.log.now.match.state.moves.sample(dice))
                began = time.perf_counter()
                table.play(move, now())
            if table.over:
                return
        for event in station.turn(1000):
            if isinstance(event, Arrived):
                for offer in event.peer.tables:
                    if offer.host != station.identity.key and offer.state == "open" and not lobby.gatherings:
                        lobby.join(offer, now())
        for gathering in list(lobby.gatherings.values()):
            gathering.start(now())


def moves() -> tuple[list[float], int]:
    """Round trips of moves in a game, and how long such a message is."""
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        port = udp_port()
        command = [sys.executable, "-m", "tests.bench.moves", "--answer", folder, str(port)]
        other = subprocess.Popen(command)
        with Station("one", "bot", folder=Path(folder) / "one", port=port) as station:
            station.lobby.host(terms(), os.urandom(8), now())
            play(station, Stream("bench", "moves"), times)
            while station.node.neighbours.peers():
                station.turn(100)
            [table] = station.lobby.tables.values()
            own = [entry for entry in table.log.entries if entry.author == station.identity.key]
            said = [Entries(table.log.table, (entry,)) for entry in own]
            size = statistics.median(len(sealed(message, station.identity)) for message in said)
        other.wait()
    return times, int(size)


def answer(folder: str, port: int) -> None:
    """The other program of `moves`."""
    with Station("two", "bot", folder=Path(folder) / "two", port=port) as station:
        play(station, Stream("bench", "answers"), [])
        station.turn(300)


def bare(size: int) -> float:
    """The median round trip of pyzmq alone."""
    command = [sys.executable, "-m", "tests.bench.moves", "--echo"]
    with zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        other = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert other.stdout
        dealer.connect(other.stdout.readline().strip())
        times = []
        for _ in range(BARE_ROUNDS):
            began = time.perf_counter()
            dealer.send(b"x" * size)
            dealer.recv()
            times.append((time.perf_counter() - began) * 1e6)
        dealer.send(b"")
        other.communicate()
    return statistics.median(times)


def echo() -> None:
    """The other program of `bare`."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        port = router.bind_to_random_port("tcp://127.0.0.1")
        print(f"tcp://127.0.0.1:{port}", flush=True)
        while True:
            frames = router.recv_multipart()
            if not frames[-1]:
                return
            router.send_multipart(frames)


def measured(games: int) -> dict[str, float]:
    """All figures of one run: medians in microseconds, and the ratio."""
    times: list[float] = []
    yardsticks: list[float] = []
    for _ in range(games):
        found, size = moves()
        times += found
        yardsticks.append(bare(size))
    yardstick, median = statistics.median(yardsticks), statistics.median(times)
    return {
        "bytes": size,
        "bare": round(yardstick),
        "bare_least": round(min(yardsticks)),
        "bare_most": round(max(yardsticks)),
        "move": round(median),
        "move_p95": round(statistics.quantiles(times, n=20)[-1]),
        "ratio": round(median / yardstick, 1),
        "rounds": len(times),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--answer", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--echo", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--games", type=int, default=5)
    given = parser.parse_args()
    if given.echo:
        echo()
    elif given.answer:
        answer(given.answer[0], int(given.answer[1]))
    else:
        print(json.dumps(measured(given.games), indent=2))


if __name__ == "__main__":
    main()
