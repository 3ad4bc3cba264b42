"""How soon a person's program answers a key while its network works.

    python -m tests.bench.keys [--rounds N]

Real programs on pseudo-terminals and loopback. A key is taken until its letter is on the screen, or until a backspace
has taken it away. The yardstick is a game without a network, in the same round. Then four peers shuffle 54 cards (this
program proves one shuffle and checks three), a bot of the house thinks, and 200 strangers knock. Of the rounds the
lower quartile counts: others who need the machine can only make a key later.
"""

import argparse
import os
import select
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import zmq

from quadrille.net.zeromq.zre import Hello, encode
from tests.bench.screen import lobby
from tests.client.screen.pseudo_terminal import Program
from tests.net.ports import tcp_port

KEYS = 60
#: How many games of cards begin in a round: each takes no more than a second to deal.
DEALS = 4
STRANGERS = 200


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
    with Program("barons", "--seats", "2", home=home) as program:
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
    found: dict[str, list[float]] = {name: [] for name in CASES}
    for _ in range(parser.parse_args().rounds):
        for name, case in CASES.items():
            with tempfile.TemporaryDirectory() as home:
                found[name].append(statistics.quantiles(case(Path(home)), n=20)[-1])
    quick = {name: sorted(times)[len(times) // 4] for name, times in found.items()}
    for name, times in quick.items():
        print(f"{name:10} 95 % of keys within {times:5.1f} ms   {times / quick['alone']:.2f} times")


if __name__ == "__main__":
    main()
