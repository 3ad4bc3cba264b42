"""The work of a relay under many tables: python -m extras.far.tests.bench_relay [TABLES] [SECONDS]

One program plays the members of all tables, the relay is a program of its own. A table says what a real one of two
does at a move each second: four frames a second, 1.7 KB (`PACE`, `SIZE`; counted at a game of Barons over a relay).
Prints the relay's processor time per second, its memory, and how long frames take.
"""

import heapq
import json
import resource
import selectors
import socket
import subprocess
import sys
import time
from pathlib import Path

from quadrille.extras.far.relay import frames
from quadrille.extras.far.relay.frames import FrameKind, FrameReader

#: Milliseconds between two frames of a member, and bytes of a parcel.
PACE = 500
SIZE = 420


def processor(process: int) -> float:
    """Seconds of processor time of a process until now."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def memory(process: int) -> int:
    """Its resident memory in MiB."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize() >> 20


def members(port: int, tables: int) -> list[socket.socket]:
    made = []
    for number in range(2 * tables):
        member = socket.create_connection(("127.0.0.1", port))
        member.sendall(frames.enter((number // 2).to_bytes(16, "big")))
        made.append(member)
    return made


def main(tables: int, seconds: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * tables + 100)), hard))
    program = "import sys; from extras.far.tests.bench_relay import serve; serve()"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        there = members(port, tables)
        before_memory = memory(process.pid)
        selector = selectors.DefaultSelector()
        readers = {}
        for member in there:
            member.setblocking(False)
            selector.register(member, selectors.EVENT_READ)
            readers[member] = FrameReader(of_relay=True)
        now = time.monotonic()
        due = [(now + PACE / 1000 * number / len(there), number) for number in range(len(there))]
        heapq.heapify(due)
        begun, used = now, processor(process.pid)
        sent, heard, delays = 0, 0, list[float]()
        while (now := time.monotonic()) < begun + seconds:
            while due[0][0] <= now:
                _, number = heapq.heappop(due)
                stamp = json.dumps(now).encode().ljust(SIZE)
                there[number].send(frames.post(0, stamp))
                sent += 1
                heapq.heappush(due, (now + PACE / 1000, number))
            for key, _ in selector.select(max(0.0, due[0][0] - time.monotonic())):
                for frame in readers[key.fileobj].feed(key.fileobj.recv(1 << 16)):  # type: ignore[index, union-attr]
                    if frame.kind is FrameKind.PARCEL:
                        heard += 1
                        delays.append(time.monotonic() - json.loads(frame.parcel))
        took = processor(process.pid) - used
        delays.sort()
        print(json.dumps({
            "tables": tables, "frames a second": round(sent / seconds), "lost": sent - heard,
            "relay's processor": round(took / seconds, 3), "MiB": [before_memory, memory(process.pid)],
            "ms, median and 99 %": [round(1000 * delays[len(delays) * part // 100], 2) for part in (50, 99)],
        }))  # fmt: skip
        process.kill()
        for member in there:
            member.close()


def serve() -> None:
    """A relay that takes all from one address."""
    from dataclasses import replace

    from quadrille.extras.far.link.relay_server import RelayServer
    from quadrille.extras.far.relay.exchange import RelayLimits

    much = 1 << 30
    limits = replace(
        RelayLimits(), of_an_address=1 << 16, entries=(much, much), address_rate=(much, much), connections=1 << 16
    )
    with RelayServer(0, limits=limits) as server:
        print(server.port, flush=True)
        while True:
            server.turn(1000)


if __name__ == "__main__":
    main(*(int(word) for word in (sys.argv[1:] + ["1000", "15"][len(sys.argv) - 1 :])))
