"""What a bot's being a program costs: until it has said hello, and for each move beside its own thinking.

    python -m tests.bench.bots

A kit bot that moves at random plays whole games of each kind against itself; a move's time is from the table's
line until its answer is understood, with all that the bot does to
keep its view of the game, and to choose any move.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from quadrille.ai.bots.local import LocalGame
from quadrille.ai.bots.process.program import Limits, Program, kit_command
from quadrille.ai.bots.talk import Talk
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import games

STARTS: Final = 7
GAMES: Final = 5
#: Pairs of what is compared, and lines in each.
PAIRS = 30
LINES = 2000
LINE = b'{"do": "turn", "turn": 3, "news": [], "moves": ["a1-b1", "a2-b2"], "more": false}\n'
ECHO = "import json, sys\nfor line in sys.stdin: print(json.dumps(json.loads(line)), flush=True)"
BOT: Final = """
from quadrille.ai import Bot


class Bench(Bot):
    def choose(self, view, clock, rng):
        return view.moves.sample(rng)
"""


def start(file: Path) -> tuple[Talk, float]:
    """A bot that has said hello, and how long that took, in milliseconds."""
    began = time.perf_counter()
    talk = Talk(Program(kit_command(str(file))))
    talk.greet()
    return talk, 1000 * (time.perf_counter() - began)


def starts(file: Path) -> list[float]:
    """How long a bot takes to be there, again and again."""
    times = []
    for _ in range(STARTS):
        talk, took = start(file)
        times.append(took)
        talk.close()
    return times


def moves(file: Path, key: str, count: int) -> list[float]:
    """The milliseconds of every move of some games, one program for each seat; the first game is to warm up."""
    players = [start(file)[0] for _ in range(2)]
    times: list[float] = []
    for number in range(count + 1):
        match = Match(next(game for game in games() if game.key == key), None, 2, deal=Deal(f"bench {number}"))
        played = LocalGame(match, players, seed=str(number))
        played.play()
        times += [used for row in played.times for used in row] if number else []
    for talk in players:
        talk.close()
    return times


def ask(program: Program, count: int) -> float:
    """The seconds that a program takes to answer so many lines, one after another."""
    began = time.perf_counter()
    for _ in range(count):
        program.send(LINE)
        assert program.line(10) is not None
    return time.perf_counter() - began


def isolation() -> None:
    """What a box costs, as it is beside none in the same run: a start, and a line there and back.

    Pairs are taken in turn, so that both meet the same weather, and what is told is the median of their ratios.
    """
    kinds = Limits(isolate="none"), Limits(isolate="if possible")
    words = [sys.executable, "-I", "-S", "-c", ECHO]
    took: tuple[list[float], list[float]] = [], []
    for _ in range(PAIRS):
        for limits, row in zip(kinds, took, strict=True):
            began = time.perf_counter()
            with Program(words, limits=limits) as program:
                ask(program, 1)
                row.append(1000 * (time.perf_counter() - began))
    with Program(words, limits=kinds[0]) as open_one, Program(words, limits=kinds[1]) as boxed:
        held = boxed.protection
        for program in (open_one, boxed):
            ask(program, LINES)
        ratios = [ask(boxed, LINES) / ask(open_one, LINES) for _ in range(PAIRS)]
        ratios += [1 / (ask(open_one, LINES) / ask(boxed, LINES)) for _ in range(PAIRS)]
    more = statistics.median(there - here for here, there in zip(*took, strict=True))
    least = min(took[1]) - min(took[0])
    print(f"isolated by {held}: a start takes {more:.2f} ms more (best of each: {least:.2f} ms)")
    print(f"a line there and back takes {statistics.median(ratios):.3f} times as long")


def main() -> None:
    """Print it all; with --isolation what a box costs."""
    if "--isolation" in sys.argv[1:]:
        isolation()
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.py"
        file.write_text(BOT)
        took = starts(file)
        print(f"ready after {statistics.median(took):.0f} ms (best {min(took):.0f}, worst {max(took):.0f})")
        print(f"{'a move, in ms':16} {'moves':>6} {'median':>8} {'mean':>8} {'99 %':>8}")
        for game in games():
            row = sorted(moves(file, game.key, GAMES))
            high = row[len(row) * 99 // 100]
            print(f"{game.key:16} {len(row):6} {statistics.median(row):8.3f} {statistics.fmean(row):8.3f} {high:8.3f}")


if __name__ == "__main__":
    main()
