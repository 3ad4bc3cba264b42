"""How fast peers find each other, and what it costs to have many: python -m tests.bench.discovery [--peers 2 8 30].

All on one machine, over its loopback. In one run also the round trip of a bare DEALER and ROUTER, since only ratios can
be compared between machines. The figures are printed as JSON, medians in milliseconds.
"""

import argparse
import json
import os
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import zmq

from quadrille.net.neighbours.neighbour import Said
from tests.net.party import Party
from tests.net.ports import udp_port
from tests.net.programs import Program, peer, wait_until


def median(measure: Callable[[], float], rounds: int) -> float:
    return round(1000 * statistics.median(measure() for _ in range(rounds)), 3)


def discovery() -> float:
    """One node is there; from the start of another until both have met."""
    with Party() as party:
        party.invite("ann")
        start = time.perf_counter()
        party.invite("bob")
        party.until_all_met()
        return time.perf_counter() - start


def processes() -> float:
    """From the start of two processes, Python included, until both have met."""
    port = udp_port()
    children = [peer(name, port) for name in ("ann", "bob")]
    try:
        wait_until(lambda: all(child.peers() for child in children), *children)
        return max(child.times("met")[0] for child in children) - children[0].born
    finally:
        for child in children:
            child.kill()


def whispers(rounds: int) -> float:
    """There and back between two nodes, each with its thread."""
    with Party() as party:
        ann, bob = party.invite("ann"), party.invite("bob")
        party.until_all_met()
        done = threading.Event()

        def echo() -> None:
            while not done.is_set():
                for event in bob.node.turn(1000):
                    if isinstance(event, Said):
                        bob.node.whisper(event.peer.id, event.payload)

        echoing = threading.Thread(target=echo)
        echoing.start()

        def trip() -> float:
            start = time.perf_counter()
            ann.node.whisper(bob.id, bytes(100))
            while not any(isinstance(event, Said) for event in ann.node.turn(1000)):
                pass
            return time.perf_counter() - start

        took = median(trip, rounds)
        done.set()
        bob.node.wake_up()
        echoing.join()
        return took


def bare(rounds: int) -> float:
    """The same with nothing but two pairs of sockets."""
    with zmq.Context() as context:

        def pair() -> tuple[zmq.Socket[bytes], zmq.Socket[bytes]]:
            router, dealer = context.socket(zmq.ROUTER), context.socket(zmq.DEALER)
            dealer.connect(f"tcp://127.0.0.1:{router.bind_to_random_port('tcp://127.0.0.1')}")
            return dealer, router

        (there, hears), (back, home) = pair(), pair()

        def echo() -> None:
            while (message := hears.recv_multipart()[1:]) != [b""]:
                back.send_multipart(message)

        echoing = threading.Thread(target=echo)
        echoing.start()

        def trip() -> float:
            start = time.perf_counter()
            there.send_multipart([b"head", bytes(100)])
            home.recv_multipart()
            return time.perf_counter() - start

        took = median(trip, rounds)
        there.send(b"")
        echoing.join()
        for each in (there, hears, back, home):
            each.close(0)
        return took


def resources(child: Program) -> tuple[float, float]:
    """Seconds of processor time so far, and megabytes (Linux only)."""
    with open(f"/proc/{child.process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    with open(f"/proc/{child.process.pid}/statm") as file:
        pages = int(file.read().split()[1])
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def crowd(number: int, idle: float) -> dict[str, Any]:
    """So many processes: until all have met, and what each of them costs while nothing happens."""
    port = udp_port()
    children = [peer(f"peer {one}", port) for one in range(number)]
    try:
        wait_until(lambda: all(len(child.peers()) == number - 1 for child in children), *children)
        started = max(child.times("started")[0] for child in children)
        met = max(child.times("met")[-1] for child in children)
        before = [resources(child)[0] for child in children]
        threading.Event().wait(idle)
        after = [resources(child) for child in children]
        busy = [now - then for (now, _), then in zip(after, before, strict=True)]
        return {
            "peers": number,
            "last start to all met": round(1000 * (met - started), 1),
            "megabytes each": round(statistics.mean(size for _, size in after), 1),
            "processor each, %": round(100 * statistics.mean(busy) / idle, 2),
            "left": sum(len(child.said("left")) for child in children),
        }
    finally:
        for child in children:
            child.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=int, nargs="*", default=[2, 8, 30])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--idle", type=float, default=5.0, help="seconds to measure an idle crowd")
    chosen = parser.parse_args()
    print(json.dumps({"start of a node to both met": median(discovery, chosen.rounds)}))
    print(json.dumps({"start of two processes to both met": median(processes, chosen.rounds)}))
    plain, whispered = bare(2000), whispers(2000)
    figures = {"bare round trip": plain, "whispered round trip": whispered, "ratio": round(whispered / plain, 2)}
    print(json.dumps(figures))
    for number in chosen.peers:
        print(json.dumps(crowd(number, chosen.idle)))


if __name__ == "__main__":
    main()
