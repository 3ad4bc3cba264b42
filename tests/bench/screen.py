"""How quick the full-screen client is: to start, to answer a key while messages come in, and to do nothing.

    python -m tests.bench.screen [--rounds N] [--seconds S] [--json]

Real programs on pseudo-terminals. The start of a game, of the lobby and of a host is taken until the first screen is
there, in turn with `python -c 'import prompt_toolkit'`, which is the yardstick. A key is taken until its letter comes
back, at 120 x 40 with Barons 10 x 10, while a hundred lines a second are said and drawn there. It is taken in turn with
a program that gives back what it is given, which tells how busy the machine is. Doing nothing is taken in time of the
processor.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.client.screen.pseudo_terminal import Program
from tests.net.ports import udp_port

KEYS = 200
MESSAGES = 100
CLI = (sys.executable, "-m", "quadrille.client.cli")
#: Until it is quiet after the start is waited for so many times as long as then is measured.
SETTLES = 5
TALKING = """
import asyncio, sys
from dataclasses import replace
from quadrille.client.screen import stage, start
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.screen.table.model import Changed
from quadrille.client.settings import Settings
from quadrille.rules.chance import Stream
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game

match, dice = Match(game("barons"), {"width": 10, "height": 10}, 6, deal=Deal("s")), Stream("s", "bench")
for _ in range(48):
    match.play(match.state.moves.sample(dice))

async def talking():
    shown = stage.Stage(start.begin_model(GameSetup.of(match, [""] * 6), Settings()), Settings())
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


def lobby(home: Path, *words: str) -> Program:
    """The lobby, on a network of its own, or another place there."""
    return Program(*CLI, *(words or ("lobby",)), "--port", str(udp_port()), "--interface", "127.0.0.1", home=home)


def host(home: Path) -> Program:
    """A table that is opened, on a network of its own."""
    return lobby(home, "host", "maze")


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


def keys(home: Path, number: int) -> tuple[list[float], list[float]]:
    """Seconds from a key to its letter, each: at a local table at which somebody talks, and in a program that does
    nothing else.
    """
    times, echoes = [], []
    with (
        Program(sys.executable, "-c", TALKING, str(MESSAGES), home=home, rows=40, columns=120) as talking,
        Program(sys.executable, "-c", ECHO, home=home) as echo,
    ):
        talking.sees("somebody: line 20")
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


def _used(pid: int) -> float:
    """Seconds of the processor, of all threads; to the nanosecond, since little is to be told from nothing."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def starts(home: Path, rounds: int) -> dict[str, float]:
    """Starts of a game, of the lobby and of a host, each in turn with the yardstick."""
    begun = {"": (game, b"Barons, 4 players"), "lobby_": (lobby, b"Tables on"), "host_": (host, b"Tables on")}
    rows = [(bare(), *(start(home, *one) for one in begun.values())) for _ in range(rounds)]
    found: dict[str, float] = {"bare": round(1000 * statistics.median(row[0] for row in rows))}
    for place, name in enumerate(begun, 1):
        found[f"{name}start"] = round(1000 * statistics.median(row[place] for row in rows))
        found[f"{name}ratio"] = round(statistics.median(row[place] / row[0] for row in rows), 2)
    return found


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
        times, echoes = keys(home, number)
        found |= spread("key", times) | spread("echo", echoes)
        with game(home / "idle") as playing, lobby(home / "lobby") as shown:
            playing.sees("YOUR TURN")
            shown.sees("Nobody found yet")
            return found | {"idle": idle(playing, seconds), "lobby_idle": idle(shown, seconds)}


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
    print(f"  of a host               {found['host_start']:6} ms   {found['host_ratio']} times")
    print(f"  import prompt_toolkit   {found['bare']:6} ms")
    print(f"key to screen             {found['key']:6} ms   95 % within {found['key_p95']} ms")
    print(f"  a bare echo             {found['echo']:6} ms   95 % within {found['echo_p95']} ms")
    print(f"idle                      {found['idle']:6} %    of a processor")
    print(f"  in the lobby            {found['lobby_idle']:6} %")


if __name__ == "__main__":
    main()
