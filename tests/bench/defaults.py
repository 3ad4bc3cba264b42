"""What the options of a game make of it: its length, what each seat has of it, and what decides it.

    python -m tests.bench.defaults GAME [OPTION=VALUE …] [--seats N] [--bot NAME] [--games N] [--workers N]

A bot of the house plays itself. `moves` counts the choices only: a client plays a forced move by itself. `minutes` are
those of people who think 10 to 20 seconds about a choice. `shares` are each seat's parts of the first places, `decided
by` the first figure that separates the first place from the next. Rows and columns are those of Barons.
"""

import argparse
import random
import statistics
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from quadrille.ai.bot import Clock
from quadrille.ai.opponents import opponent
from quadrille.rules.chance import SeedDealer
from quadrille.rules.core import Over, settle
from quadrille.rules.core.talk import margin
from quadrille.rules.options import read_settings
from quadrille.rules.registry import game

#: Seconds that people think about a choice.
THOUGHT = (10, 20)


@dataclass(frozen=True, slots=True)
class Played:
    """A game: its choices, its places, what decided it, and the whole rows and columns in it."""

    choices: int
    places: tuple[int, ...]
    decided: str
    lines: tuple[int, int]


def played(key: str, options: dict[str, Any], seats: int | None, bot: str, seed: int) -> Played:
    """One game of a bot against itself."""
    dealer, dice, choices = SeedDealer(str(seed)), random.Random(seed), 0
    state: Any = settle(game(key).start(options, seats), dealer)
    players = [opponent(bot) for _ in range(state.seats)]
    while not isinstance(state.pending, Over):
        seat = state.board.turn
        choices += state.moves.count(2) > 1
        move = players[seat].choose(state.view(seat), Clock(seat, None, 0, 1000), dice)
        state = settle(state.play(move), dealer)
    places, figures = state.pending.places, state.figures()
    first, second = (sorted(range(state.seats), key=places.__getitem__))[:2]
    found = margin(state.criteria(first), state.criteria(second))
    lines = (sum(figures.get("rows", ())), sum(figures.get("columns", ())))
    return Played(choices, places, found.name if found else state.ending() if not state.criteria(0) else "tie", lines)


def report(games: list[Played]) -> str:
    """The figures of many games in a few lines."""
    lengths = sorted(one.choices for one in games)
    median = statistics.median(lengths)
    seats = len(games[0].places)
    parts = [0.0] * seats
    for one in games:
        for seat, place in enumerate(one.places):
            parts[seat] += (place == 1) / one.places.count(1) / len(games)
    ties = sum(one.places.count(1) > 1 for one in games) / len(games)
    decided = Counter(one.decided for one in games).most_common(4)
    minutes = " to ".join(f"{median * seconds / 60:.0f}" for seconds in THOUGHT)
    with_lines = [sum(one.lines[at] > 0 for one in games) / len(games) for at in range(2)]
    return (
        f"{len(games)} games, {lengths[0]} to {lengths[-1]} moves, median {median:g}: {minutes} minutes; shares "
        f"{' '.join(f'{part:.0%}' for part in parts)}, tied {ties:.0%}; a row in {with_lines[0]:.0%}, a column in "
        f"{with_lines[1]:.0%}; decided by " + ", ".join(f"{name} {n / len(games):.0%}" for name, n in decided)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("settings", nargs="*", metavar="OPTION=VALUE")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--bot", default="3")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    options = read_settings(game(asked.game).Options, asked.settings)
    with ProcessPoolExecutor(asked.workers) as pool:
        jobs = [pool.submit(played, asked.game, options, asked.seats, asked.bot, seed) for seed in range(asked.games)]
        print(report([job.result() for job in jobs]))


if __name__ == "__main__":
    main()
