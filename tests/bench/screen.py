"""How quick the full-screen client is to start, and how little it takes to do nothing. For keys there is keys.py.

    python -m tests.bench.screen [--rounds N] [--seconds S] [--json]

Real programs on pseudo-terminals. The start of a game, of the lobby and of a host is taken until the first screen is
there, in turn with `python -c 'import prompt_toolkit'`, which is the yardstick. Doing nothing is taken in time of the
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

CLI = (sys.executable, "-m", "quadrille.client.cli")
#: Until it is quiet after the start is waited for so many times as long as then is measured.
SETTLES = 5


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


def measured(rounds: int, seconds: float) -> dict[str, float]:
    """All figures: milliseconds, and for idleness a part of 100."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        found = starts(home, rounds)
        with game(home / "idle") as playing, lobby(home / "lobby") as shown:
            playing.sees("YOUR TURN")
            shown.sees("Nobody found yet")
            return found | {"idle": idle(playing, seconds), "lobby_idle": idle(shown, seconds)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(given.rounds, given.seconds)
    if given.json:
        print(json.dumps(found))
        return
    print(f"start to the first screen {found['start']:6} ms   {found['ratio']} times import prompt_toolkit")
    print(f"  of the lobby            {found['lobby_start']:6} ms   {found['lobby_ratio']} times")
    print(f"  of a host               {found['host_start']:6} ms   {found['host_ratio']} times")
    print(f"  import prompt_toolkit   {found['bare']:6} ms")
    print(f"idle                      {found['idle']:6} %    of a processor")
    print(f"  in the lobby            {found['lobby_idle']:6} %")


if __name__ == "__main__":
    main()
