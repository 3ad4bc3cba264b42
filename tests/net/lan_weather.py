"""A game of two between two hosts in bad weather, in real time: run inside lan.sh.

lan.sh 2 python -m tests.net.lan_weather FOLDER LOSS DELAY

LOSS is in percent of the frames, DELAY in milliseconds each way. A TAP device in each host takes the place of its
cable, and a thread here carries frames from one to the other, late or not at all.
"""

import ctypes
import fcntl
import heapq
import json
import os
import selectors
import struct
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path
from random import Random

from tests.net.hosts import IP, at, ip
from tests.net.programs import Street

TERMS = {"game": "barons", "seats": 2, "options": {"width": 3, "height": 3}, "lot": False}
HOSTS = ("h1", "h2")
TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 2, 0x1000
LONGEST_FRAME = 1 << 16


def tap(host: str, name: str = "eth0", address: str = "") -> int:
    """The descriptor of a TAP device of that host, which takes the place of a cable of the same name."""
    subprocess.run([IP, "-n", host, "link", "del", name], check=False, stderr=subprocess.DEVNULL)
    libc = ctypes.CDLL(None, use_errno=True)
    home, away = os.open("/proc/self/ns/net", os.O_RDONLY), os.open(f"/run/netns/{host}", os.O_RDONLY)
    if libc.setns(away, 0):
        raise OSError(ctypes.get_errno(), "setns")
    made = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(made, TUNSETIFF, struct.pack("16sH14x", name.encode(), IFF_TAP | IFF_NO_PI))
    if libc.setns(home, 0):
        raise OSError(ctypes.get_errno(), "setns")
    for command in (["addr", "add", address or f"10.77.0.{host[1:]}/24", "brd", "+", "dev", name],
                    ["link", "set", name, "up"]):  # fmt: skip
        ip("-n", host, *command)
    return made


def carry(taps: list[int], loss: int, delay: int) -> None:
    """Carry frames for ever."""
    dice, order, late = Random(1), count(), list[tuple[float, int, int, bytes]]()
    with selectors.DefaultSelector() as selector:
        for one, other in (taps, taps[::-1]):
            selector.register(one, selectors.EVENT_READ, other)
        while True:
            now = time.monotonic()
            for key, _ in selector.select(max(0.0, late[0][0] - now) if late else None):
                frame = os.read(key.fd, LONGEST_FRAME)
                if dice.randrange(100) >= loss:
                    heapq.heappush(late, (time.monotonic() + delay / 1000, next(order), key.data, frame))
            while late and late[0][0] <= time.monotonic():
                _, _, to, frame = heapq.heappop(late)
                os.write(to, frame)


def main(folder: Path, loss: int, delay: int) -> None:
    taps = [tap(host) for host in HOSTS]
    threading.Thread(target=carry, args=(taps, loss, delay), daemon=True).start()
    with Street(folder, "--interfaces", "eth0") as street:
        began = time.monotonic()
        programs = [
            street.start("host", "--host", json.dumps(TERMS), "--crowd", "1", before=at("h1")),
            street.start("guest", "--join", before=at("h2")),
        ]
        for program in programs:
            program.wait("began")
        started = time.monotonic()
        street.ends_alike(*programs)
        print(json.dumps({"until it began": started - began, "until it was over": time.monotonic() - began}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
