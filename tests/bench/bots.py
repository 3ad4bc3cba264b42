"""What a bot's being a program costs: until it has said hello, and for each move beside its own thinking.

    python -m tests.bench.bots

A kit bot that moves at random plays whole games of each kind against itself; a move's time is from the table's
line until its answer is understood, with all that the bot does to
keep its view of the game, and to choose any move.
"""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from quadrille.ai.local import LocalGame
from quadrille.ai.program import Program, kit_command
from quadrille.ai.talk import Talk
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import games

STARTS: Final = 7
GAMES: Final = 5
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


def main() -> None:
    """Print it all."""
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
