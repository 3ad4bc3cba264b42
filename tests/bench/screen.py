"""How quick the full-screen client is to start, how soon it answers a key, and how little it takes to do nothing.

    python -m tests.bench.screen [--rounds N] [--seconds S]

Real programs on pseudo-terminals and loopback. The start of a game, of the lobby and of a host is taken until the first
screen is there, in turn with `python -c 'import prompt_toolkit'`, which is the yardstick. Doing nothing is taken in
time of the processor.

A key is taken until its letter is on the screen, or until a backspace has taken it away. The yardstick is a game
without a network, in the same round. Then four peers shuffle 54 cards (this program proves one shuffle and checks
three), a bot of the house thinks, and 200 strangers knock. Of the rounds the lower quartile counts: others who need the
machine can only make a key later.
"""

import argparse
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import zmq

from quadrille.net.zeromq.zre import Hello, encode
from tests.bench.tournament import worked
from tests.client.screen.pseudo_terminal import Program
from tests.net.ports import tcp_port, udp_port

CLI = (sys.executable, "-m", "quadrille.client.cli")
#: Until it is quiet after the start is waited for so many times as long as then is measured.
SETTLES = 5
KEYS = 60
#: How many games of cards begin in a round: each takes no more than a second to deal.
DEALS = 4
STRANGERS = 200


def game(home: Path) -> Program:
    """A game that begins."""
    return Program("barons", "--seats", "2", home=home)


def lobby(home: Path, *words: str) -> Program:
    """The lobby, on a network of its own, or another place there."""
    return Program(*CLI, *(words or ("lobby",)), "--port", str(udp_port()), "--interface", "127.0.0.1", home=home)


def host(home: Path) -> Program:
    """A table that is opened, on a network of its own."""
    return lobby(home, "host", "maze")


#: What starts, and the sign that its first screen is there.
STARTS = {"a game": (game, b"Barons, 2 players"), "the lobby": (lobby, b"Tables on"), "a host": (host, b"Tables on")}


def start(home: Path, begun: Callable[[Path], Program], sign: bytes) -> float:
    """Seconds until the first screen."""
    began = time.perf_counter()
    with begun(home) as program:
        while sign not in program.written:
            assert program.read(10)
        return time.perf_counter() - began


def bare() -> float:
    """Seconds to import prompt-toolkit and nothing else."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import prompt_toolkit"], check=True)
    return time.perf_counter() - began


def idle(program: Program, seconds: float) -> float:
    """Which part of a processor a screen takes on which nothing happens, in a hundred."""
    end = time.monotonic() + SETTLES * seconds
    while program.read(0.5) and time.monotonic() < end:
        pass
    before, began = worked(program.process.pid), time.monotonic()
    while (rest := began + seconds - time.monotonic()) > 0:
        program.read(rest)
    return (worked(program.process.pid) - before) / 1e4 / (time.monotonic() - began)


def pressed(program: Program, goes_on: Callable[[], bool] = lambda: True) -> list[float]:
    """Milliseconds of each key as long as the work goes on. Keys fall anywhere between two pictures."""
    times: list[float] = []
    while len(times) < KEYS and goes_on():
        time.sleep((0.013 * len(times)) % 0.037)
        while program.read(0):
            pass
        is_typed = len(times) % 2 == 0
        began = came = time.perf_counter()
        program.press("k" if is_typed else "backspace")
        while any(row.endswith("> k") for row in program.text.split("\n")) is not is_typed:
            assert select.select([program.master], [], [], 10)[0], program.text
            came = time.perf_counter()  # before the emulator has drawn it
            program.read(0)
        times.append(1000 * (came - began))
    return times


def alone(home: Path) -> list[float]:
    with game(home) as program:
        program.sees("TURN OF")
        return pressed(program)


def shuffle(home: Path) -> list[float]:
    """From the beginning of a game to its first turn: keys of the deck, and four shuffles."""
    times = []
    for at in range(DEALS):
        words = ("host", "dotter", "--against", "random,random,random", "--no-lot")
        with lobby(home / str(at), *words) as program:
            program.sees("YOUR TURN SOON")
            times += pressed(program, lambda at=program: "YOUR TURN SOON" in at.text)  # type: ignore[misc]
    return times


def bot(home: Path) -> list[float]:
    with lobby(home, "host", "barons", "--against", "5", "--no-lot") as program:
        program.sees("YOUR TURN")
        program.press("a1", "enter")
        return pressed(program)


def strangers(home: Path) -> list[float]:
    tcp = str(tcp_port())
    with lobby(home, "host", "maze", "--tcp-port", tcp) as program, knocking(tcp):
        program.sees("1 of 2")
        return pressed(program)


@contextmanager
def knocking(port: str) -> Iterator[None]:
    """Have strangers come, say who they are, and come again as often as they are turned away."""
    with zmq.Context() as context:
        for _ in range(STRANGERS):
            one = context.socket(zmq.DEALER)
            one.routing_id, one.linger, one.reconnect_ivl = b"\x01" + os.urandom(16), 0, 200
            one.connect(f"tcp://127.0.0.1:{port}")
            one.send_multipart(encode(Hello(1, "tcp://127.0.0.1:9", (), 0, "stranger", ())))
        yield
        context.destroy()


CASES = {"alone": alone, "shuffle": shuffle, "bot": bot, "strangers": strangers}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10)
    given = parser.parse_args()
    rows, keys = list[list[float]](), list[list[float]]()
    for _ in range(given.rounds):
        with tempfile.TemporaryDirectory() as home:
            rows.append([bare(), *(start(Path(home), *one) for one in STARTS.values())])
            cases = [case(Path(home, name)) for name, case in CASES.items()]
            keys.append([statistics.quantiles(times, n=20)[-1] for times in cases])
    for name, times in zip(("import prompt_toolkit", *STARTS), zip(*rows, strict=True), strict=True):
        ratio = statistics.median(time / row[0] for time, row in zip(times, rows, strict=True))
        print(f"start of {name:22} {1000 * statistics.median(times):6.0f} ms   {ratio:.2f} times")
    quick = [sorted(times)[len(times) // 4] for times in zip(*keys, strict=True)]
    for name, time_ in zip(CASES, quick, strict=True):
        print(f"95 % of keys, {name:17} {time_:6.1f} ms   {time_ / quick[0]:.2f} times")
    with tempfile.TemporaryDirectory() as home, game(Path(home, "a")) as playing, lobby(Path(home, "b")) as shown:
        playing.sees("TURN OF")
        shown.sees("Nobody found yet")
        print("idle, % of a processor:", *(f"{idle(one, given.seconds):.2f}" for one in (playing, shown)))


if __name__ == "__main__":
    main()
