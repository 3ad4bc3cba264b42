"""How quick the full-screen client is: to start, to answer a key while messages come in, and to do nothing.

    python -m tests.bench.screen [--rounds N] [--seconds S] [--json]

Real programs on pseudo-terminals. The start is taken until the first screen is there, in turn with
`python -c 'import prompt_toolkit'`, which is the yardstick. A key is taken until its letter comes back, at 120 x 40
with Barons 10 x 10, while a hundred lines a second are said there; in turn with a program that gives back what it is
given, which tells how busy the machine is. Doing nothing is taken in time of the processor.
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

from tests.client.screen.pseudo_terminal import Program

KEYS = 200
MESSAGES = 100
TALKING = """
import asyncio, sys
from dataclasses import replace
from quadrille.client.screen import stage
from quadrille.client.screen.model import Changed
from quadrille.client.settings import Settings
from quadrille.rules.chance import Stream
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game

match, dice = Match(game("barons"), None, 6, deal=Deal("s")), Stream("s", "bench")
for _ in range(48):
    match.play(match.state.moves.sample(dice))

async def talking():
    shown = stage.Stage(stage.begin_model(match, [""] * 6, Settings()), Settings())
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


def start(home: Path) -> float:
    """Seconds until the first screen."""
    began = time.perf_counter()
    with Program("barons", home=home) as program:
        while b"Barons, 4 players" not in program.written:
            assert program.read(10)
        return time.perf_counter() - began


def bare() -> float:
    """Seconds to import prompt-toolkit and nothing else."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import prompt_toolkit"], check=True)
    return time.perf_counter() - began


def keys(home: Path, number: int) -> tuple[list[float], list[float]]:
    """Seconds from a key to its letter on the screen, each; and the same of a program that does nothing else."""
    times, echoes = [], []
    talking = Program(sys.executable, "-c", TALKING, str(MESSAGES), home=home, rows=40, columns=120)
    echo = Program(sys.executable, "-c", ECHO, home=home)
    with talking, echo:
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


def idle(home: Path, seconds: float) -> float:
    """Which part of a processor a screen takes on which nothing happens."""
    with Program("barons", home=home) as program:
        program.sees("TURN OF A")
        while program.read(0.5):
            pass
        before = _used(program.process.pid)
        time.sleep(seconds)
        return (_used(program.process.pid) - before) / seconds


def _used(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(rounds: int, number: int, seconds: float) -> dict[str, float]:
    """All figures: milliseconds, and for idleness a part of 100."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        pairs = [(start(home), bare()) for _ in range(rounds)]
        times, echoes = keys(home, number)
        return {
            "start": round(1000 * statistics.median(first for first, _ in pairs)),
            "bare": round(1000 * statistics.median(second for _, second in pairs)),
            "ratio": round(statistics.median(first / second for first, second in pairs), 2),
            "key": round(1000 * statistics.median(times), 1),
            "key_p95": round(1000 * statistics.quantiles(times, n=20)[-1], 1),
            "echo": round(1000 * statistics.median(echoes), 1),
            "echo_p95": round(1000 * statistics.quantiles(echoes, n=20)[-1], 1),
            "idle": round(100 * idle(home, seconds), 2),
        }


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
    print(f"  import prompt_toolkit   {found['bare']:6} ms")
    print(f"key to screen             {found['key']:6} ms   95 % within {found['key_p95']} ms")
    print(f"  a bare echo             {found['echo']:6} ms   95 % within {found['echo_p95']} ms")
    print(f"idle                      {found['idle']:6} %    of a processor")


if __name__ == "__main__":
    main()
