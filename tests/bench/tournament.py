"""What a tournament costs beside the thinking: a move against a bare exchange of lines, and a game beside its moves.

    python -m tests.bench.tournament [--rounds N] [--games N]

The floor is the pipe ping-pong: a referee and an instant bot in Python, one line out, one line back, nothing else.
Against it stands a whole tournament: instant bots in processes of their own, rules checked, the clock running, every
game in the journal. Rounds alternate, and ratios are taken within a round, against the floor before and after.

How fast two processes wake each other depends on whether the system puts both on one core, and differs by ten times
and more. So the floor is kept on one core, and so is a game with its bots: no time is spent on waking, what
stands there is all that the processes do, and the ratio is at its worst. Beside it both go where the system puts them.
On a machine that has other things to do, all these differ by as much again: only what the processes have worked, by
the system's word, is steady there. What a game costs beside its moves is what short games take more than their moves
do in long ones.
"""

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.plan_file import parse
from quadrille.ai.tournament.play.cores import cores, usable
from quadrille.ai.tournament.play.processes import Processes
from quadrille.ai.tournament.run import Run
from quadrille.rules.native.compiled import engine
from tests.ai.tournament.programs import source

ROUNDS: Final = 10
GAMES: Final = 40
LINES: Final = 4000
#: A turn as the bots of these games are told it.
TURN: Final = (
    b'{"do": "turn", "turn": 17, "news": [{"seat": 0, "move": "a3-b3"}, {"seat": 1, "move": "b3-b4"}], "clock": '
    b'{"left": [599000, 599000], "increment": 0}, "patience": 599000, "budget": 24000, "moves": ["b4-c4", "b4-b5"], '
    b'"more": false}\n'
)
#: Answers with the first move of the list, and knows nothing of any game.
INSTANT: Final = source()


@dataclass(frozen=True, slots=True)
class Cost:
    """Of a move, or a line there and one back, in microseconds: how long it takes, how long all work for it."""

    took: float
    work: float


@contextmanager
def one_core() -> Iterator[None]:
    """Here this process, and all that it starts, are on one core, if the system lets one choose."""
    here = usable()
    try:
        if here:
            os.sched_setaffinity(0, here[-1:])
        yield
    finally:
        if here:
            os.sched_setaffinity(0, here)


def stay() -> None:
    """In a worker: keep it, and all that it starts, on a core of its own, if the system lets one choose."""
    if here := usable():
        number = int(multiprocessing.current_process().name.rpartition("-")[2])
        os.sched_setaffinity(0, {here[number % len(here)]})


def worked(process: int) -> float:
    """Linux: for how many microseconds a process, and all that it has started and is there, has worked."""
    total = 0.0
    for thread in Path(f"/proc/{process}/task").iterdir():
        total += int((thread / "schedstat").read_text().split()[0]) / 1000
        total += sum(worked(int(child)) for child in (thread / "children").read_text().split())
    return total


def floor() -> Cost:
    """A line there and one back, with the instant bot."""
    words = [sys.executable, "-I", "-S", "-c", INSTANT]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        assert bot.stdin and bot.stdout
        for count in (LINES // 10, LINES):
            began, before = time.perf_counter(), worked(os.getpid())
            for _ in range(count):
                bot.stdin.write(TURN)
                bot.stdin.flush()
                bot.stdout.readline()
            took, work = time.perf_counter() - began, worked(os.getpid()) - before
    return Cost(1e6 * took / LINES, work / LINES)


@dataclass(frozen=True, slots=True)
class Rate:
    """Of one tournament: games and moves, and for how long they were played, workers and bots being there already."""

    games: int
    moves: int
    seconds: float
    work: float

    @property
    def cost(self) -> Cost:
        return Cost(1e6 * self.seconds / self.moves, self.work / self.moves)


def tournament(
    key: str,
    games: int,
    *,
    seats: int = 2,
    at_once: int = 1,
    on_one_core: bool = False,
    options: dict[str, Any] | None = None,
) -> Rate:
    """Play one; what it takes to start workers and bots is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "instant.py").write_text(INSTANT)
        bot = f"{sys.executable} -I -S instant.py"
        entrants = "".join(f'[[entrant]]\nname = "{number}"\nexec = "{bot}"\n' for number in range(seats))
        set_to = ", ".join(f"{name} = {json.dumps(value)}" for name, value in (options or {}).items())
        text = f"""seed = "bench"
[format]
cycles = {games}
[time]
clock = "10m"
{entrants}[[game]]
game = "{key}"
seats = {seats}
options = {{{set_to}}}
"""
        plan = parse(text, folder)
        with Journal(Path(folder, "bench.sqlite"), plan=plan) as journal:
            with Run(plan, journal, Processes(at_once, stay if on_one_core else None)) as run:
                run.try_all()
                began, before = time.perf_counter(), worked(os.getpid())
                run.go()
                took, work = time.perf_counter() - began, worked(os.getpid()) - before
            moves = sum(result.plies for result in journal.results())
            count = journal.games
    return Rate(count, moves, took, work)


def measure(rounds: int, games: int) -> dict[str, list[float]]:
    """All figures, ratios paired within a round."""
    rows: dict[str, list[float]] = {}
    for _ in range(rounds):
        found = _one_round(games)
        for name, figure in found.items():
            rows.setdefault(name, []).append(figure)
    return {name: [statistics.median(row), min(row), max(row)] for name, row in rows.items()}


def _one_round(games: int) -> dict[str, float]:
    long, wide = {"size": 10}, {"width": 10, "height": 10}
    found: dict[str, float] = {}
    with one_core():
        before = floor()
    one = tournament("maze", games, on_one_core=True, options=long).cost
    with one_core():
        after = floor()
    bare = Cost((before.took + after.took) / 2, (before.work + after.work) / 2)
    found["floor"], found["one"], found["work"] = bare.took, one.took / bare.took, one.work / bare.work
    found["beside"] = one.work - bare.work
    found["all"] = tournament("maze", 2 * games, at_once=cores(), on_one_core=True, options=long).cost.work / one.work
    short = tournament("maze", 4 * games, on_one_core=True, options={"size": 2})
    found["game ms"] = (1e6 * short.seconds - short.moves * one.took) / short.games / 1000
    early = floor().took
    free = tournament("maze", games, options=long).cost.took
    found["free"] = 2 * free / (early + floor().took)
    two = tournament("barons", games // 2, options=wide).cost
    found["six free"] = tournament("barons", max(1, games // 60), seats=6, options=wide).cost.took / two.took
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", type=int, default=GAMES)
    settings = parser.parse_args()
    figures = measure(settings.rounds, settings.games)
    words = {
        "floor": "a line there and one back, with the instant bot, in microseconds: the floor",
        "free": "a move where the system puts it, in floors there (aim: 3.3)",
        "six free": "there with 6 seats, in moves with 2 (aim: 1.3)",
        "one": "a move, on one core, in floors",
        "work": "the work for it, in that for the floor",
        "beside": "that beside the floor, in microseconds",
        "all": f"the work for it with {cores()} games at a time, in that with one (aim: 1.05)",
        "game ms": "a game beside its moves, in milliseconds (aim: 5)",
    }
    print(f"the engine is {engine()}; medians of {settings.rounds} rounds")
    for name, what in words.items():
        middle, least, most = figures[name]
        print(f"{what:62} {middle:8.2f}  ({least:.2f} to {most:.2f})")


if __name__ == "__main__":
    main()
