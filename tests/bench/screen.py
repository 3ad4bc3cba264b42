"""How quick the full-screen client is: to start, to answer a key while messages come in, and to do nothing.

    python -m tests.bench.screen [--rounds N] [--seconds S] [--json]

Real programs on pseudo-terminals. The start of a game and of the lobby is taken until the first screen is there, in
turn with `python -c 'import prompt_toolkit'`, which is the yardstick. A key is taken until its letter comes back, at
120 x 40 with Barons 10 x 10, while a hundred lines a second are said there: at a table of one's own, where they only
have to be drawn, and at one on the network, where another program says them. It is taken in turn with a program that
gives back what it is given, which tells how busy the machine is. Doing nothing is taken in time of the processor.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.client import programs
from tests.client.screen.pseudo_terminal import Program
from tests.net.ports import udp_port

KEYS = 200
MESSAGES = 100
CLI = (sys.executable, "-m", "quadrille.client.cli")
#: Until it is quiet after the start is waited for so many times as long as then is measured.
SETTLES = 5
#: So many moves each has made when keys are taken at the table on the network.
MOVES = 20
SIZE = ("--set", "width=10", "--set", "height=10")
TALKING = """
import asyncio, sys
from dataclasses import replace
from quadrille.client.screen import stage
from quadrille.client.table.local import LocalTable
from quadrille.client.screen.table.model import Changed
from quadrille.client.settings import Settings
from quadrille.rules.chance import Stream
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game

match, dice = Match(game("barons"), {"width": 10, "height": 10}, 6, deal=Deal("s")), Stream("s", "bench")
for _ in range(48):
    match.play(match.state.moves.sample(dice))

async def talking():
    shown = stage.Stage(stage.begin_model(LocalTable.of(match, [""] * 6), Settings()), Settings())
    loop, number = asyncio.get_running_loop(), 0
    def say():
        nonlocal number
        number += 1
        if shown.shell.app.is_running:
            table = shown.shell.model.table
            shown.shell.tell(Changed(replace(table, chat=(*table.chat[-9:], f"somebody: line {number}"))))
        loop.call_later(1 / int(sys.argv[1]), say)
    loop.call_soon(say)
    await shown.run()

asyncio.run(talking())
"""
ECHO = """
import os, tty
tty.setraw(0)
os.write(1, b"ready")
while key := os.read(0, 1):
    os.write(1, key)
"""


def game(home: Path) -> Program:
    """A game that begins."""
    return Program("barons", home=home)


def lobby(home: Path) -> Program:
    """The lobby, on a network of its own."""
    return Program(*CLI, "lobby", "--port", str(udp_port()), "--interface", "127.0.0.1", home=home)


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


@contextmanager
def table(home: Path) -> Iterator[tuple[Program, programs.Program]]:
    """A table on the network in the middle of its game: the screen of who hosts it, and the program of the other."""
    port = udp_port()
    where = ("--port", str(port), "--interface", "127.0.0.1", "--name", "Ann")
    words = (*CLI, "host", "barons", "--seats", "2", *SIZE, "--no-lot", *where)
    squares = [f"{letter}{number}" for number in range(1, 11) for letter in "abcdefghij"]
    with Program(*words, home=home / "ann", rows=40, columns=120) as ann:
        ann.sees("1 of 2 seats taken")
        with programs.Program("join", "Ann", home=home / "bob", port=port, name="Bob") as bob:
            ann.sees("YOUR TURN")
            bob.enter(*squares[1 : 2 * MOVES : 2])  # each is kept until it is its turn
            for at in range(0, 2 * MOVES, 2):
                ann.press(squares[at], "enter")
                ann.sees(f"{at + 2} B {squares[at + 1]}", "YOUR TURN")
            yield ann, bob


def local_keys(home: Path, number: int) -> tuple[list[float], list[float]]:
    """As `keys`, at a table of one's own at which somebody talks."""
    with Program(sys.executable, "-c", TALKING, str(MESSAGES), home=home, rows=40, columns=120) as talking:
        talking.sees("somebody: line 20")
        return keys(home, talking, number)


def network_keys(home: Path, number: int) -> tuple[list[float], float]:
    """As `keys`, where another program talks over the network; and how many of its lines came in a second."""
    with table(home) as (ann, bob):
        silent = threading.Event()

        def talk() -> None:
            said, began = 0, time.monotonic()
            while not silent.wait(max(0, began + said / MESSAGES - time.monotonic())):
                bob.enter(f"say line {said}")
                said += 1

        talker = threading.Thread(target=talk)
        talker.start()
        try:
            ann.until(lambda: _last_line(ann) > MESSAGES // 5, "what is said")
            first, began = _last_line(ann), time.monotonic()
            times, _ = keys(home, ann, number)
            return times, (_last_line(ann) - first) / (time.monotonic() - began)
        finally:
            silent.set()
            talker.join()


def _last_line(program: Program) -> int:
    return max((int(number) for number in re.findall(r"line (\d+)", program.text)), default=0)


def keys(home: Path, talking: Program, number: int) -> tuple[list[float], list[float]]:
    """Seconds from a key to its letter on the screen, each; and the same of a program that does nothing else."""
    times, echoes = [], []
    with Program(sys.executable, "-c", ECHO, home=home) as echo:
        echo.sees("ready")
        for at in range(number):
            time.sleep((0.013 * at) % 0.037)  # so that keys fall anywhere between two pictures
            times.append(_answered(talking, "kqvwxyz"[at % 7]))
            echoes.append(_answered(echo, "kqvwxyz"[at % 7]))
    return times, echoes


def _answered(program: Program, letter: str) -> float:
    while program.read(0):
        pass
    program.written.clear()
    began = time.perf_counter()
    program.press(letter)
    while letter.encode() not in program.written:
        assert program.read(10)
    return time.perf_counter() - began


def idle(program: Program, seconds: float) -> float:
    """Which part of a processor a screen takes on which nothing happens, in a hundred."""
    end = time.monotonic() + SETTLES * seconds
    while program.read(0.5) and time.monotonic() < end:
        pass
    before, began = _used(program.process.pid), time.monotonic()
    while (rest := began + seconds - time.monotonic()) > 0:
        program.read(rest)
    return round(100 * (_used(program.process.pid) - before) / (time.monotonic() - began), 2)


def idles(home: Path, seconds: float) -> dict[str, float]:
    """The same of a game, of the lobby, and of a table on the network."""
    with game(home) as playing, lobby(home / "lobby") as shown, table(home) as (ann, _):
        playing.sees("YOUR TURN")
        shown.sees("Nobody found yet")
        return {
            "idle": idle(playing, seconds),
            "lobby_idle": idle(shown, seconds),
            "network_idle": idle(ann, seconds),
        }


def _used(pid: int) -> float:
    """Seconds of the processor, of all threads; to the nanosecond, since little is to be told from nothing."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def starts(home: Path, rounds: int) -> dict[str, float]:
    """Starts of a game and of the lobby, each in turn with the yardstick."""
    rows = [
        (start(home, game, b"Barons, 4 players"), start(home, lobby, b"Tables on this network"), bare())
        for _ in range(rounds)
    ]
    return {
        "start": round(1000 * statistics.median(row[0] for row in rows)),
        "ratio": round(statistics.median(row[0] / row[2] for row in rows), 2),
        "lobby_start": round(1000 * statistics.median(row[1] for row in rows)),
        "lobby_ratio": round(statistics.median(row[1] / row[2] for row in rows), 2),
        "bare": round(1000 * statistics.median(row[2] for row in rows)),
    }


def spread(name: str, times: list[float]) -> dict[str, float]:
    """The middle of many times, and what 95 of 100 are within, in milliseconds."""
    return {
        name: round(1000 * statistics.median(times), 1),
        f"{name}_p95": round(1000 * statistics.quantiles(times, n=20)[-1], 1),
    }


def measured(rounds: int, number: int, seconds: float) -> dict[str, float]:
    """All figures: milliseconds, and for idleness a part of 100."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        found = starts(home, rounds)
        times, echoes = local_keys(home, number)
        network, came = network_keys(home / "network", number)
        found |= spread("key", times) | spread("network_key", network) | {"came": round(came)} | spread("echo", echoes)
        return found | idles(home / "idle", seconds)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--keys", type=int, default=KEYS)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(given.rounds, given.keys, given.seconds)
    if given.json:
        print(json.dumps(found))
        return
    print(f"start to the first screen {found['start']:6} ms   {found['ratio']} times import prompt_toolkit")
    print(f"  of the lobby            {found['lobby_start']:6} ms   {found['lobby_ratio']} times")
    print(f"  import prompt_toolkit   {found['bare']:6} ms")
    print(f"key to screen             {found['key']:6} ms   95 % within {found['key_p95']} ms")
    print(f"  at a table on a network {found['network_key']:6} ms   95 % within {found['network_key_p95']} ms", end="")
    print(f", {found['came']} messages a second")
    print(f"  a bare echo             {found['echo']:6} ms   95 % within {found['echo_p95']} ms")
    print(f"idle                      {found['idle']:6} %    of a processor")
    print(f"  in the lobby            {found['lobby_idle']:6} %")
    print(f"  at a table on a network {found['network_idle']:6} %")


if __name__ == "__main__":
    main()
