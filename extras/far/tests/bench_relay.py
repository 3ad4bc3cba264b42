"""The work of a relay under many tables: python -m extras.far.tests.bench_relay [TABLES] [SECONDS]

One program plays the members of all tables, the relay is a program of its own. A table says what a real one of two
does at a move each second: four frames a second, 1.7 KB (`PACE`, `SIZE`; counted at a game of Barons over a relay).
Prints the relay's processor time per second, its memory, and how long frames take.
"""

import asyncio
import heapq
import json
import resource
import selectors
import socket
import subprocess
import sys
import time
from pathlib import Path

from extras.far.tests.relays import spliced

#: Milliseconds between two frames of a member, and bytes of a frame.
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
    """The ends of the spliced connections: two for each table."""
    return [end.socket for number in range(tables) for end in spliced(port, f"{number:032x}")]


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
        for member in there:
            member.setblocking(False)
            selector.register(member, selectors.EVENT_READ)
        now = time.monotonic()
        due = [(now + PACE / 1000 * number / len(there), number) for number in range(len(there))]
        heapq.heapify(due)
        begun, used = now, processor(process.pid)
        sent, heard, delays = 0, 0, list[float]()
        while (now := time.monotonic()) < begun + seconds:
            while due[0][0] <= now:
                _, number = heapq.heappop(due)
                stamp = json.dumps(now).encode().ljust(SIZE)
                there[number].send(stamp)
                sent += 1
                heapq.heappush(due, (now + PACE / 1000, number))
            for key, _ in selector.select(max(0.0, due[0][0] - time.monotonic())):
                data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                for at in range(0, len(data), SIZE):
                    heard += 1
                    delays.append(time.monotonic() - json.loads(data[at : at + SIZE]))
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
    from quadrille.extras.far.relay import Relay, RelayLimits, listener

    much = 1 << 30
    limits = RelayLimits(of_an_address=1 << 16, rate=(much, much), address_rate=(much, much), connections=1 << 16)
    listening = listener(0)
    print(listening.getsockname()[1], flush=True)
    asyncio.run(Relay(limits).serve(listening))


if __name__ == "__main__":
    main(*(int(word) for word in (sys.argv[1:] + ["1000", "15"][len(sys.argv) - 1 :])))
